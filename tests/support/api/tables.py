"""The address of a table."""

from tests.support.api.recording import TABLE

ADDRESS = f"/api/v1/tables/{TABLE}"

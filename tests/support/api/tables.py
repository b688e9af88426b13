"""Shared by tests that use what the tests of tables do."""

from tests.support.api.recording import TABLE

ADDRESS = f"/api/v1/tables/{TABLE}"

"""Names of the files in a data folder."""

from typing import Final

STORE_FILE_NAME: Final = "spadille.db"
"""The database of events."""
AUTH_FILE_NAME: Final = "access.db"
"""The database of members, tokens and sessions."""

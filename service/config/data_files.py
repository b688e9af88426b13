"""Names of the files in a data folder."""

from typing import Final

STORE_NAME: Final = "spadille.db"
"""The database of events."""
REGISTER_NAME: Final = "access.db"
"""The database of members, tokens and sessions."""

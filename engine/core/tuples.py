"""Named tuples where they are made by the thousand."""

from typing import Final

new_tuple: Final = tuple.__new__
"""Creates a named tuple from a plain one in half the time."""

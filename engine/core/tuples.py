"""A quick way to build named tuples, for what every entry passes through."""

from typing import Final

new_tuple: Final = tuple.__new__
"""Builds a named tuple of a class from a plain tuple; calling the class takes twice as long."""

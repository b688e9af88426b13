"""The fixtures of `tests/support/web` that these tests ask for."""

from tests.support.web.fixtures import club, library, new_club, origin, phone, second, watched

__all__ = ["club", "library", "new_club", "origin", "phone", "second", "watched"]

"""The fixtures of `tests/support/web` that these tests ask for."""

from tests.support.web.fixtures import club, library, origin

__all__ = ["club", "library", "origin"]

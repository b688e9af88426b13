"""The fixtures of `tests/support/web` that these tests ask for."""

from tests.support.web.fixtures import library, origin

__all__ = ["library", "origin"]

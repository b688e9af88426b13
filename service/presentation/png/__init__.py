"""Drawings as pictures: SVG made into PNG, in bounded time and number."""

from service.presentation.png.renderer import PictureUnavailable, picture

__all__ = ["PictureUnavailable", "picture"]

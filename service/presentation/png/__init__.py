"""Drawings as pictures: SVG made into PNG, in bounded time and number."""

from service.presentation.png.renderer import PictureUnavailable, render_png

__all__ = ["PictureUnavailable", "render_png"]

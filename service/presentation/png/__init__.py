"""Drawings as PNG, in limited time and number."""

from service.presentation.png.renderer import PictureUnavailable, render_png

__all__ = ["PictureUnavailable", "render_png"]

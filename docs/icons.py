"""Paints the icons by which a device shows the pages: from ``icon.svg`` and ``maskable.svg`` as PNG.

Run ``python docs/icons.py`` after either drawing has changed. What is maskable is drawn to its edges, its
card within the circle that every mask leaves.
"""

from pathlib import Path

import resvg_py

ICONS = Path(__file__).parents[1] / "service" / "http" / "web" / "static" / "icons"
SIZES = {
    "icon-192": ("icon", 192),
    "icon-512": ("icon", 512),
    "maskable-192": ("maskable", 192),
    "maskable-512": ("maskable", 512),
    "apple-touch-icon": ("maskable", 180),
}
"""By name of the picture the drawing that it is made from, and its side in pixels."""


def painted(name: str) -> bytes:
    """A picture, as PNG."""
    drawing, side = SIZES[name]
    text = (ICONS / f"{drawing}.svg").read_text(encoding="utf-8")
    return bytes(resvg_py.svg_to_bytes(svg_string=text, width=side, height=side))


def main() -> None:
    """Writes every picture beside its drawing."""
    for name in SIZES:
        (ICONS / f"{name}.png").write_bytes(painted(name))


if __name__ == "__main__":
    main()

"""A program of its own: reads an SVG from its input, writes it as PNG to its output.

Painting takes a tenth of a second and lets no other thread of its process run. So it is done in a process
that knows nothing but the drawing, and that can be ended when it takes too long.

Arguments: ``ours`` or ``any`` (whether the machine's own fonts are looked through for letters that ours
have not), then the files of our fonts.
"""

import sys

import resvg_py

PNG_FONT_FAMILY = "Source Serif 4"


def render_stdin_to_stdout() -> None:
    """Paints one drawing."""
    letters, *fonts = sys.argv[1:]
    png = resvg_py.svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode("utf-8"),
        skip_system_fonts=letters == "ours",
        font_files=fonts,
        font_family=PNG_FONT_FAMILY,
        serif_family=PNG_FONT_FAMILY,
    )
    sys.stdout.buffer.write(png)


if __name__ == "__main__":
    render_stdin_to_stdout()

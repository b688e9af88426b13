"""A separate program that reads an SVG from standard input and writes it as PNG to standard output.

Rendering takes a tenth of a second and blocks all threads of its process. So it has its own process,
which can be killed when it takes too long.

Arguments: ``ours`` or ``any`` (whether to search the system's fonts for letters that ours lack), then the
files of our fonts.
"""

import sys

import resvg_py

PNG_FONT_FAMILY = "Source Serif 4"


def render_stdin_to_stdout() -> None:
    """Render one drawing."""
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

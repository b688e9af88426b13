"""Writes the fonts of the pages, from those that pictures are drawn with, and how wide their letters are.

python docs/fonts.py          writes them again (needs the development dependencies)
python docs/fonts.py --check  says which are out of step, and fails if any is

The drawing has Source Serif 4 as it was published, cut in two by alphabets. A page pays for every byte before
it looks as it should: its fonts are the same outlines without what nothing here asks for (instructions for
coarse screens, fractions, rare signs), and packed. As the licence asks of what was changed, they bear a name
of their own. The widths are what a drawing cuts and places its texts by.
"""

import io
import json
import sys
from pathlib import Path
from typing import Final

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = ROOT / "service/http/web/static/fonts"
DRAWING: Final = ROOT / "service/presentation/svg/fonts"
TYPE: Final = ROOT / "service/http/web/static/css/web-fonts.css"
STYLES: Final = {"regular": "400-normal", "italic": "400-italic", "bold": "600-normal"}
"""The styles of a drawing, and how the files name them."""
LETTERS: Final = {
    "latin": "U+0020-007E, U+00A0-00A1, U+00A3, U+00A7, U+00A9, U+00AB, U+00B0, U+00B7, U+00BB-00FF, "
    "U+0131, U+0152-0153, U+2002-200A, U+2013-2014, U+2018-201A, U+201C-201E, U+2022, U+2026, U+202F, "
    "U+2039-203A, U+20AC, U+2191, U+2193, U+2212",
    "latin-ext": "U+0100-0130, U+0132-0151, U+0154-02BA, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, "
    "U+20AD-20C4",
}
"""The parts, and the letters for which a page fetches each."""
FEATURES: Final = {"latin": ["kern", "liga", "tnum"], "latin-ext": ["ccmp", "kern", "locl"]}
"""What of a part's finesse pages keep: letters set closer, ligatures, figures that stand in columns."""
PUBLISHED: Final = "Source Serif 4"
NAME: Final = "Spadille Serif"
_NAMES: Final = {"family": 1, "style": 2, "whole": 4, "postscript": 6}
_KEPT_NAMES: Final = [0, 1, 2, 4, 6, 13, 14]
"""Who holds the rights, the names, and the licence with its address."""


def published(part: str, style: str) -> Path:
    """A font as it was published."""
    return DRAWING / f"source-serif-4-{part}-{STYLES[style]}.ttf"


def codes(part: str) -> set[int]:
    """The letters for which a page fetches a part."""
    found: set[int] = set()
    for piece in LETTERS[part].replace("U+", "").split(", "):
        first, _, last = piece.partition("-")
        found |= set(range(int(first, 16), int(last or first, 16) + 1))
    return found


def for_pages(part: str, style: str) -> bytes:
    """A font as pages fetch it."""
    font = TTFont(published(part, style), recalcTimestamp=False)
    options = Options()
    options.layout_features = FEATURES[part]
    options.hinting = False
    options.name_IDs = _KEPT_NAMES
    cut = Subsetter(options)
    cut.populate(unicodes=codes(part))
    cut.subset(font)
    for record in font["name"].names:
        if record.nameID in _NAMES.values():
            record.string = renamed(str(record))
    font.flavor = "woff2"
    held = io.BytesIO()
    font.save(held)
    return held.getvalue()


def renamed(name: str) -> str:
    """A name in which the font's stands, with ours in its place."""
    for old, new in ((PUBLISHED, NAME), (PUBLISHED.replace(" ", ""), NAME.replace(" ", ""))):
        name = name.replace(old, new)
    return name


def advances(style: str) -> dict[str, int]:
    """How wide each letter of a style is, in thousandths of the size of the type."""
    widths: dict[str, int] = {}
    for part in reversed(LETTERS):
        font = TTFont(published(part, style))
        per_em = font["head"].unitsPerEm
        for code, glyph in font.getBestCmap().items():
            widths[chr(code)] = round(font["hmtx"][glyph][0] * 1000 / per_em)
    return dict(sorted(widths.items()))


def faces() -> str:
    """The style sheet that names the fonts to a page."""
    lines = [
        f'@font-face {{ font-family: "{NAME}"; font-weight: {weight}; font-style: {slant}; '
        f'font-display: swap; src: url("../fonts/{file_name(part, style)}") format("woff2"); '
        f"unicode-range: {letters}; }}"
        for part, letters in LETTERS.items()
        for style, (weight, slant) in ((style, name.split("-")) for style, name in STYLES.items())
    ]
    return "\n".join(lines)


def file_name(part: str, style: str) -> str:
    """What a page's font is called."""
    return f"spadille-serif-{part}-{STYLES[style]}.woff2"


def files() -> dict[Path, bytes]:
    """Every file that is made here, by its place."""
    made = {PAGES / file_name(part, style): for_pages(part, style) for part in LETTERS for style in STYLES}
    widths = {style: advances(style) for style in STYLES}
    told = json.dumps(widths, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
    made[DRAWING / "widths.json"] = told
    made[TYPE] = f"{_comment()}\n{faces()}\n".encode()
    return made


def _comment() -> str:
    """What the style sheet says above its rules, which is written by hand."""
    return TYPE.read_text("utf-8").partition("\n@font-face")[0]


def out_of_step() -> list[str]:
    """The names of the files that are not what the published fonts make of them."""
    return [path.name for path, held in files().items() if not path.is_file() or path.read_bytes() != held]


def main() -> int:
    if "--check" in sys.argv[1:]:
        found = out_of_step()
        print("\n".join(f"{name} is out of step: run python docs/fonts.py" for name in found))
        return bool(found)
    for path, held in files().items():
        path.write_bytes(held)
    return 0


if __name__ == "__main__":
    sys.exit(main())

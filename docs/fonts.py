"""Writes the fonts that pictures are drawn with, from those of the pages, and how wide their letters are.

python docs/fonts.py          writes them anew (needs the development dependencies)
python docs/fonts.py --check  says which are out of step, and fails if any is

A browser reads compressed fonts, the drawing of pictures does not: each file here is one of the pages'
fonts, unpacked and otherwise unchanged. The widths are what a drawing cuts and places its texts by.
"""

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Final

from fontTools.ttLib import TTFont

ROOT: Final = Path(__file__).parents[1]
PAGES: Final = ROOT / "service/web/static/fonts"
DRAWING: Final = ROOT / "service/drawing/fonts"
STYLES: Final = {"regular": "400-normal", "italic": "400-italic", "bold": "600-normal"}
"""The styles of a drawing, and how the pages' fonts name them."""
PARTS: Final = ("latin", "latin-ext")


def unpacked(path: Path) -> bytes:
    """A compressed font as it was before."""
    font = TTFont(path, recalcTimestamp=False, recalcBBoxes=False)
    font.flavor = None
    held = io.BytesIO()
    font.save(held, reorderTables=False)
    return held.getvalue()


def advances(style: str) -> dict[str, int]:
    """How wide each letter of a style is, in thousandths of the size of the type."""
    widths: dict[str, int] = {}
    for part in reversed(PARTS):
        font = TTFont(PAGES / f"source-serif-4-{part}-{STYLES[style]}.woff2")
        per_em = font["head"].unitsPerEm
        for code, glyph in font.getBestCmap().items():
            widths[chr(code)] = round(font["hmtx"][glyph][0] * 1000 / per_em)
    return dict(sorted(widths.items()))


def files() -> dict[str, bytes]:
    """Every file that stands in the drawing's folder, by name."""
    made = {
        f"{path.stem}.ttf": unpacked(path)
        for part in PARTS
        for path in sorted(PAGES.glob(f"source-serif-4-{part}-[46]*.woff2"))
    }
    widths = {style: advances(style) for style in STYLES}
    made["widths.json"] = json.dumps(widths, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
    return made


def out_of_step() -> list[str]:
    """The names of the files that are not what the pages' fonts make of them."""
    return [
        name
        for name, held in files().items()
        if not (DRAWING / name).is_file() or (DRAWING / name).read_bytes() != held
    ]


def main() -> int:
    if "--check" in sys.argv[1:]:
        found = out_of_step()
        print("\n".join(f"{name} is out of step: run python docs/fonts.py" for name in found))
        return bool(found)
    DRAWING.mkdir(exist_ok=True)
    for name, held in files().items():
        (DRAWING / name).write_bytes(held)
    shutil.copy(PAGES / "OFL.txt", DRAWING / "OFL.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main())

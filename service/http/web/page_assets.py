"""Scripts and style sheets of pages, each as one file.

The sources of scripts are modules in ``static/js``. `python -m docs.scripts` bundles them into
``static/bundles``, one file for each entry module. A bundle names the sources that it was made from; after
a change of these, pages load the modules themselves until they are bundled again.
"""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

STATIC_FOLDER: Final = Path(__file__).parent / "static"
SCRIPTS_FOLDER: Final = STATIC_FOLDER / "js"
STYLES_FOLDER: Final = STATIC_FOLDER / "css"
BUNDLES_FOLDER: Final = STATIC_FOLDER / "bundles"
BUNDLES: Final = ("club", "recorder", "replay", "site", "verify")
"""The entry modules in ``static/js``."""

BASE_STYLES: Final = ("tokens", "page")
"""The style sheets of every page, in ``static/css``."""
PAGE_STYLES: Final[Mapping[str, tuple[str, ...]]] = {
    "site": (),
    "blank-slips": ("blank-slips",),
    "club": ("club",),
    "deal-editor": ("replay", "cards", "deal-editor"),
    "embed": ("replay", "cards"),
    "evening": ("evening",),
    "home": ("home",),
    "members": ("evening", "club"),
    "print-column": ("print-column",),
    "reading-comparison": ("reading-comparison",),
    "recorder": ("evening", "cards", "recorder"),
    "reference": ("reference",),
    "replay": ("replay", "cards", "what-if"),
    "report": ("print-column", "report"),
    "rules": ("rules",),
    "score-sheet": ("evening", "score-sheet"),
    "season": ("evening", "score-sheet", "club"),
    "slip-batch": ("evening", "slip-batch"),
    "verify": ("verify",),
    "standalone": ("replay", "cards", "print-column"),
}
"""The other style sheets of a page, by the name under which they are served together."""


def join_style_sheets(name: str) -> str:
    """The style sheets of a page as one. Raises `KeyError` if there is none of that name."""
    sheets = (*BASE_STYLES, *PAGE_STYLES[name])
    return "\n".join((STYLES_FOLDER / f"{sheet}.css").read_text(encoding="utf-8") for sheet in sheets)


def script_sources() -> list[Path]:
    """The modules from which bundles are made."""
    return sorted(SCRIPTS_FOLDER.rglob("*.js"))


def sources_digest() -> str:
    """A digest of these modules."""
    digest = sha256()
    for path in script_sources():
        digest.update(f"{path.relative_to(STATIC_FOLDER).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def bundle_banner(digest: str) -> str:
    """The first line of a bundle."""
    return f"/* Made by docs/scripts.py from {digest} */"


@cache
def has_current_bundles() -> bool:
    """Whether the bundles were made from the modules as they are."""
    banner = bundle_banner(sources_digest())
    return all(_first_line(BUNDLES_FOLDER / f"{name}.js") == banner for name in BUNDLES)


def _first_line(path: Path) -> str:
    if not path.exists():
        return ""
    with path.open(encoding="utf-8") as file:
        return file.readline().rstrip("\n")


def script_path(bundle: str) -> str:
    """The path below ``static`` of the script that a page loads."""
    return f"{'bundles' if has_current_bundles() else 'js'}/{bundle}.js"

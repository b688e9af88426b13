"""What a browser keeps so that pages open without a network: the service worker, shells, the manifest.

A shell is a page's frame with nobody's data on it; the page's own modules fill it from what the device keeps
(``static/js/core/cached-tables.js``). The worker keeps shells and static files, all of one version: a hash of
what they are made from.
"""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import orjson
from flask import Response, url_for

from service.config.urls import PREFIX
from service.http.problems import Problem
from service.http.web.language import in_language, language
from service.http.web.words.pages import FALLBACK, LANGUAGES, page_words

HERE: Final = Path(__file__).parent
NO_TABLE: Final = "00000000-0000-0000-0000-000000000000"
"""Stands in a shell's addresses where a table's id is to stand."""
_ID: Final = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

SHELLS: Final[Mapping[str, tuple[str, str]]] = {
    "slip": ("slip.html", f"^/tables/{_ID}$"),
    "sheet": ("sheet.html", f"^/tables/{_ID}/sheet$"),
    "pile": ("pile.html", f"^/tables/{_ID}/slip-batch$"),
    "beginning": ("record_next.html", f"^/tables/{_ID}/record$"),
    "new-deal": ("deal_new.html", "^/deals/new$"),
    "record": ("record.html", f"^/deals/{_ID}/record$"),
    "away": ("away.html", "^$"),
}
"""By name the template of each shell, and the addresses for which it is shown; ``away`` for every other."""

KEPT: Final = frozenset({".css", ".js", ".png", ".svg", ".woff2"})
"""The kinds of static files that pages ask for."""


@lru_cache(maxsize=1)
def static_files() -> tuple[str, ...]:
    """The names of the static files that pages ask for."""
    folder = HERE / "static"
    return tuple(sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in KEPT))


@lru_cache(maxsize=1)
def version() -> str:
    """The version of all that a browser keeps of the pages: it changes when any of that does."""
    digest = sha256()
    for path in (*(HERE / "static" / name for name in static_files()), HERE / "sw.js", *_templates()):
        digest.update(path.read_bytes())
    digest.update(orjson.dumps([dict(page_words(lang)) for lang in LANGUAGES]))
    return digest.hexdigest()[:16]


def _templates() -> list[Path]:
    return sorted((HERE / "templates").glob("*.html"))


def worker() -> Response:
    """The service worker's script; a browser looks at each visit whether it has changed."""
    told = {
        "VERSION": version(),
        "FILES": [
            *(url_for("web.static", filename=name) for name in static_files()),
            *(url_for("web.shell", name=name, lang=lang) for name in SHELLS for lang in LANGUAGES),
        ],
        "SHELLS": [[name, pattern] for name, (_, pattern) in SHELLS.items()],
        "LANGUAGES": list(LANGUAGES),
        "FALLBACK": FALLBACK,
    }
    lines = [f"const {name} = {orjson.dumps(value).decode()};" for name, value in told.items()]
    script = "\n".join([*lines, (HERE / "sw.js").read_text(encoding="utf-8")])
    made = Response(script, content_type="text/javascript; charset=utf-8")
    made.headers["Cache-Control"] = "no-cache"
    return made


def shell_of(name: str) -> tuple[str, dict[str, Any]]:
    """The template of a shell, and what stands in it in place of a table's own. Raises `Problem`."""
    if name not in SHELLS:
        raise Problem("not-found", f"There is no page “{name[:60]}” for when there is no network.")
    table = {
        "slip_url": "web.slip",
        "sheet_url": "web.sheet",
        "report_url": "web.table_report",
        "pile_url": "web.pile",
        "blank_url": "web.blank",
        "record_next_url": "web.record_next",
    }
    return SHELLS[name][0], {
        "table": "",
        "title": "…",
        "date": "",
        "players": [],
        "rules": "",
        "names": "",
        **{at: url_for(endpoint, table=NO_TABLE, lang=language()) for at, endpoint in table.items()},
        "leave_url": f"{PREFIX}/session",
        "csv_url": f"{PREFIX}/tables/{NO_TABLE}/ledger.csv?lang={language()}",
        "table_url": url_for("web.slip", table=NO_TABLE, lang=language()),
        "replay_url": url_for("web.recorded", deal=NO_TABLE, lang=language()),
        "record_url": url_for("web.record", deal=NO_TABLE, lang=language()),
        # What only some may is there, and goes where the device knows that this one may not.
        "shell": True,
        "may_write": False,
        "may_share": False,
    }


def manifest() -> Response:
    """What a browser shows of the pages when they are put on a device's home screen, in its language."""
    lang = language()
    words = page_words(lang)
    icons = [
        {"src": icon_url("icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        *(
            {
                "src": icon_url(f"{name}-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for name, purpose in (("icon", "any"), ("maskable", "maskable"))
            for size in (192, 512)
        ),
    ]
    told = {
        "id": "/",
        "name": words["site"],
        "short_name": words["site"],
        "description": words["tagline"],
        "lang": lang,
        "dir": "ltr",
        "start_url": url_for("web.tables", lang=lang),
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
        "shortcuts": [{"name": words["open_table"], "url": url_for("web.new_table", lang=lang)}],
    }
    made = Response(orjson.dumps(told), content_type="application/manifest+json")
    made.headers["Cache-Control"] = "no-cache"
    return in_language(made)


PAPER: Final = "#f5f0e4"
"""The ground of the pages by day, as ``css/tokens.css`` has it."""


def icon_url(name: str) -> str:
    """The address of an icon."""
    return url_for("web.static", filename=f"icons/{name}")

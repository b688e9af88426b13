"""What a browser caches to open pages without a network: the service worker, shells, the manifest.

A shell is the frame of a page without data; its modules fill it from what the device has stored
(``static/js/evening/cached-tables.js``). The worker caches shells and static files of one version: a hash of
their sources.
"""

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import orjson
from flask import Response, url_for

from schemas.i18n.catalogs import LOCALE_FOLDER, SOURCE_LANGUAGE
from service.config.urls import API_PREFIX
from service.http.api.cache_policies import NO_CACHE
from service.http.problems import Problem
from service.http.web.display_preferences import page_language, with_content_language
from service.http.web.page_assets import PAGE_STYLES, STATIC_FOLDER, STYLES_FOLDER, has_current_bundles
from service.http.web.page_texts import PAGE_LANGUAGES, page_texts
from service.presentation.svg import card_symbols

WEB_FOLDER: Final = Path(__file__).parent
PLACEHOLDER_ID: Final = "00000000-0000-0000-0000-000000000000"
"""Stands in addresses for the id of a table or deal."""
TABLE_PAGES: Final[Mapping[str, str]] = {
    "slip_url": "web.slip",
    "sheet_url": "web.sheet",
    "report_url": "web.table_report",
    "slip_batch_url": "web.slip_batch",
    "blank_url": "web.blank",
    "record_next_url": "web.record_next",
}
"""The pages of a table, by the variables of templates that link to them."""
_ID: Final = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

SHELLS: Final[Mapping[str, tuple[str, str]]] = {
    "slip": ("slip.html", f"^/tables/{_ID}$"),
    "sheet": ("sheet.html", f"^/tables/{_ID}/sheet$"),
    "slip-batch": ("slip_batch.html", f"^/tables/{_ID}/slip-batch$"),
    "beginning": ("next_deal.html", f"^/tables/{_ID}/record$"),
    "new-deal": ("deal_new.html", "^/deals/new$"),
    "record": ("recorder.html", f"^/deals/{_ID}/record$"),
    "verify": ("verify.html", "^/verify$"),
    "away": ("offline_page.html", "^$"),
}
"""The template of each shell, and the addresses for which it is shown; ``away`` for all others."""


def list_static_files() -> list[str]:
    """The names of the static files that pages load one by one."""
    folders = ("bundles",) if has_current_bundles() else ("js",)
    files = [
        path for folder in (*folders, "icons", "fonts") for path in (STATIC_FOLDER / folder).rglob("*.*")
    ]
    return ["css/web-fonts.css", *sorted(path.relative_to(STATIC_FOLDER).as_posix() for path in files)]


@lru_cache(maxsize=1)
def assets_version() -> str:
    """The version of all cached files: it changes when any of them does."""
    digest = sha256()
    for path in (
        *(STATIC_FOLDER / name for name in list_static_files()),
        *sorted(STYLES_FOLDER.glob("*.css")),
        WEB_FOLDER / "sw.js",
        Path(card_symbols.__file__),
        *sorted((WEB_FOLDER / "templates").glob("*.html")),
        *sorted(LOCALE_FOLDER.glob("*.po")),
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def service_worker_response() -> Response:
    """The service worker's script; a browser checks for changes at each visit."""
    constants = {
        "VERSION": assets_version(),
        "FILES": [
            *(url_for("web.static", filename=name) for name in list_static_files()),
            *(url_for("web.style_sheet", name=name) for name in PAGE_STYLES),
            *(url_for("web.card_symbols", letters=letters) for letters in (*PAGE_LANGUAGES, "es")),
            *(url_for("web.script_texts", lang=lang) for lang in PAGE_LANGUAGES if lang != SOURCE_LANGUAGE),
            *(url_for("web.shell", name=name, lang=lang) for name in SHELLS for lang in PAGE_LANGUAGES),
        ],
        "SHELLS": [[name, pattern] for name, (_, pattern) in SHELLS.items()],
        "LANGUAGES": list(PAGE_LANGUAGES),
        "FALLBACK": SOURCE_LANGUAGE,
    }
    lines = [f"const {name} = {orjson.dumps(value).decode()};" for name, value in constants.items()]
    script = "\n".join([*lines, (WEB_FOLDER / "sw.js").read_text(encoding="utf-8")])
    response = Response(script, content_type="text/javascript; charset=utf-8")
    response.headers["Cache-Control"] = NO_CACHE
    return response


def find_shell(name: str) -> tuple[str, dict[str, Any]]:
    """The template of a shell and its variables, with placeholders. Raises `Problem`."""
    if name not in SHELLS:
        raise Problem("not-found", f"There is no offline page “{name[:60]}”.")
    return SHELLS[name][0], {
        "table": "",
        "title": "…",
        "date": "",
        "players": [],
        "rules": "",
        "rules_page": "",
        "names": "",
        **{
            variable: url_for(endpoint, table=PLACEHOLDER_ID, lang=page_language())
            for variable, endpoint in TABLE_PAGES.items()
        },
        "leave_url": f"{API_PREFIX}/session",
        "csv_url": f"{API_PREFIX}/tables/{PLACEHOLDER_ID}/ledger.csv?lang={page_language()}",
        "table_url": url_for("web.slip", table=PLACEHOLDER_ID, lang=page_language()),
        "replay_url": url_for("web.recorded", deal=PLACEHOLDER_ID, lang=page_language()),
        "record_url": url_for("web.record", deal=PLACEHOLDER_ID, lang=page_language()),
        # A shell has what only some readers may do; the device removes it for the others.
        "shell": True,
        "may_write": False,
        "may_share": False,
    }


def manifest_response() -> Response:
    """The manifest for a device's home screen, in its language."""
    lang = page_language()
    t = page_texts(lang)
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
    manifest = {
        "id": "/",
        "name": t("Spadille"),
        "short_name": t("Spadille"),
        "description": t("Deals of L’Hombre, written down, scored and played again."),
        "lang": lang,
        "dir": "ltr",
        "start_url": url_for("web.tables", lang=lang),
        "scope": "/",
        "display": "standalone",
        "background_color": PAGE_BACKGROUND,
        "theme_color": PAGE_BACKGROUND,
        "icons": icons,
        "shortcuts": [{"name": t("Open a table"), "url": url_for("web.new_table", lang=lang)}],
    }
    response = Response(orjson.dumps(manifest), content_type="application/manifest+json")
    response.headers["Cache-Control"] = NO_CACHE
    return with_content_language(response)


PAGE_BACKGROUND: Final = "#f5f0e4"
"""The light background of the pages, as in ``css/tokens.css``."""


def icon_url(name: str) -> str:
    """The address of an icon."""
    return url_for("web.static", filename=f"icons/{name}")

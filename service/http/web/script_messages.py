"""What the pages' scripts say, in each language.

A module of ``static/js/messages`` writes English, ``t("{name} leads", { name })``. It is sent under a name
for each language, ``replayer-da.js``, with the texts of the catalogue in place of the English.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import orjson

from schemas.i18n.catalogs import gettext
from service.http.web.page_texts import PAGE_LANGUAGES

MESSAGES_FOLDER: Final = Path(__file__).parent / "static" / "js" / "messages"
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_TEXT: Final = re.compile(rf"\b(t\(|tc\(({_STRING}), )({_STRING})")
_IMPORTED_MESSAGES: Final = re.compile(r'from "\./([\w-]+)\.js"')


def list_message_modules() -> list[str]:
    """The names of the modules, without language and ending."""
    return sorted(path.stem for path in MESSAGES_FOLDER.glob("*.js"))


@cache
def translate_script(name: str, lang: str) -> str | None:
    """The module ``name`` in a language; None where there is none."""
    if name not in list_message_modules() or lang not in PAGE_LANGUAGES:
        return None
    script = (MESSAGES_FOLDER / f"{name}.js").read_text(encoding="utf-8")

    def translated(found: re.Match[str]) -> str:
        context = orjson.loads(found[2]) if found[2] else ""
        return found[1] + orjson.dumps(gettext(orjson.loads(found[3]), lang, context)).decode()

    return _IMPORTED_MESSAGES.sub(rf'from "./\1-{lang}.js"', _TEXT.sub(translated, script))


def script_texts() -> Iterator[tuple[str, str]]:
    """Each text of a module, with its context."""
    for name in list_message_modules():
        script = (MESSAGES_FOLDER / f"{name}.js").read_text(encoding="utf-8")
        for _, context, text in _TEXT.findall(script):
            yield orjson.loads(context) if context else "", orjson.loads(text)

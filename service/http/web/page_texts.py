"""The texts of pages and their scripts, in each language.

A template writes English, ``{{ t('The library') }}``; the other languages are in the catalogues
(`schemas.i18n.catalogs`). A module of ``static/js/messages`` writes English, ``t("{name} leads", { name })``.
It is served under a name for each language, ``replayer-da.js``, with its texts translated.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final

import orjson

from schemas.i18n.catalogs import MESSAGE_LANGUAGES, gettext
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.words import RESULT_PHRASES

PAGE_LANGUAGES: Final[Mapping[str, str]] = {
    lang: gettext("English", lang, "the name of this language") for lang in sorted(MESSAGE_LANGUAGES)
}
"""The languages of the pages: code and own name."""

COMMON_IRREGULARITIES: Final = (
    "revoke", "lead out of turn", "bid out of turn", "wrong number drawn", "misdeal", "exposed card",
    "talk or signs",
)  # fmt: skip
"""Usual irregularities in words, as the recorder offers them (``static/js/messages/recorder-en.js``)."""

ERROR_SENTENCES: Final[Mapping[int, str]] = {
    401: "You need a link for that: open the one you received, or ask the person who keeps the table "
    "for one.",
    403: "Your link does not allow that. Ask the person who keeps the table for another.",
    404: "There is nothing at this address. Look in the library, or among the recorded deals.",
    405: "That cannot be done at this address. Go back and try from the page itself.",
    500: "Something went wrong here. Nothing that was recorded is lost; try again.",
    503: "The records cannot be reached right now: the disk is full or failing. Try again in a moment.",
}
"""What the page of an error says, by its HTTP status."""

MESSAGES_FOLDER: Final = Path(__file__).parent / "static" / "js" / "messages"
_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_TEXT: Final = re.compile(rf"\b(t\(|tc\(({_STRING}), )({_STRING})")
_IMPORTED_MESSAGES: Final = re.compile(r'from "\./([\w-]+)\.js"')


def page_texts(lang: str) -> Callable[..., str]:
    """The function ``t`` of templates, which translates an English text."""
    return partial(gettext, lang=lang)


def error_sentence(status: int, lang: str, detail: str) -> str:
    """What the page of an error says: ``detail``, unless there is a sentence for the status."""
    sentence = ERROR_SENTENCES.get(status)
    return detail if sentence is None else gettext(sentence, lang)


def format_deal_count(number: int, lang: str) -> str:
    """A number of deals."""
    return gettext("1 deal", lang) if number == 1 else gettext("{n} deals", lang).format(n=number)


def format_result(lang: str, outcome: str | None, *, name: str = "", game: str = "") -> str:
    """How a deal ended, as one phrase for a list: "Solo in hearts: Bo won".

    ``outcome`` is an outcome of the score, or None while the deal is open; ``name`` is the declarer's.
    """
    if outcome is None:
        return gettext("Not finished", lang)
    if outcome not in RESULT_PHRASES:
        return outcome
    return capitalize_first(gettext(RESULT_PHRASES[outcome], lang).format(name=name, game=game))


def list_message_modules() -> list[str]:
    """The names of the modules of messages, without language and suffix."""
    return sorted(path.stem for path in MESSAGES_FOLDER.glob("*.js"))


@cache
def translate_script(name: str, lang: str) -> str | None:
    """A module of messages in a language; None if it does not exist."""
    if name not in list_message_modules() or lang not in PAGE_LANGUAGES:
        return None
    script = (MESSAGES_FOLDER / f"{name}.js").read_text(encoding="utf-8")

    def translated(found: re.Match[str]) -> str:
        context = orjson.loads(found[2]) if found[2] else ""
        return found[1] + orjson.dumps(gettext(orjson.loads(found[3]), lang, context)).decode()

    return _IMPORTED_MESSAGES.sub(rf'from "./\1-{lang}.js"', _TEXT.sub(translated, script))


def script_texts() -> Iterator[tuple[str, str]]:
    """Each text of the modules, with its context."""
    for name in list_message_modules():
        script = (MESSAGES_FOLDER / f"{name}.js").read_text(encoding="utf-8")
        for _, context, text in _TEXT.findall(script):
            yield orjson.loads(context) if context else "", orjson.loads(text)

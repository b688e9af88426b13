"""The texts of pages and their scripts, in each language.

A template writes English, ``{{ t('The library') }}``, and so does a script, ``t("{name} leads", { name })``.
The other languages are in the catalogues (`schemas.i18n.catalogs`); a page loads the texts of all scripts in
its language.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final

import orjson

from schemas.i18n.catalogs import MESSAGE_LANGUAGES, gettext
from service.http.web.page_assets import script_sources
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
"""Usual irregularities in words, as the recorder offers them (``static/js/recorder/event-forms.js``)."""

ERROR_SENTENCES: Final[Mapping[int, str]] = {
    401: "You need a link for that: open the one you received. If it no longer works, it was withdrawn or "
    "has expired: ask the person who keeps the table for another.",
    403: "Your link does not allow that. Ask the person who keeps the table for another.",
    404: "There is nothing at this address. Look in the library, or among the recorded deals.",
    405: "That cannot be done at this address. Go back and try from the page itself.",
    500: "Something went wrong here. Nothing that was recorded is lost; try again.",
    503: "The records cannot be reached right now: the disk is full or failing. Try again in a moment.",
}
"""What the page of an error says, by its HTTP status."""

_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_TEXT: Final = re.compile(rf"\bt(?:c\(({_STRING}),\s*|\(\s*)({_STRING})")
"""A text in a script: ``t("won")``, or ``tc("finding", "revoke")`` with its context."""


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


def format_deal_number(number: int | None, lang: str) -> str | None:
    """The heading of a deal without a title."""
    return None if number is None else f"{gettext('Deal', lang)} {number}"


def format_result(lang: str, outcome: str | None, *, name: str = "", game: str = "") -> str:
    """How a deal ended, as one phrase for a list: "Solo in hearts: Bo won".

    ``outcome`` is an outcome of the score, or None while the deal is open; ``name`` is the declarer's.
    """
    if outcome is None:
        return gettext("Not finished", lang)
    if outcome not in RESULT_PHRASES:
        return outcome
    return capitalize_first(gettext(RESULT_PHRASES[outcome], lang).format(name=name, game=game))


@cache
def list_script_texts() -> tuple[tuple[str, str], ...]:
    """Each text of the scripts, with its context or an empty one."""
    scripts = (path.read_text(encoding="utf-8") for path in script_sources())
    found = (match for script in scripts for match in _TEXT.findall(script))
    return tuple(
        dict.fromkeys(
            (orjson.loads(context) if context else "", orjson.loads(text)) for context, text in found
        )
    )


@cache
def translate_script_texts(lang: str) -> dict[str, str]:
    """The texts of the scripts in a language, by the English text, after its context and a U+0004."""
    return {
        f"{context}\x04{text}" if context else text: gettext(text, lang, context)
        for context, text in list_script_texts()
    }

"""What pages say besides their templates, and the languages that they speak.

A template writes English, ``{{ t('The library') }}``; the other languages are in the catalogues
(`schemas.i18n.catalogs`). What a page's scripts say stands in ``static/js/messages``.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from schemas.i18n.catalogs import MESSAGE_LANGUAGES, gettext

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
    401: "That takes a link: open the one that you were given, or ask whoever keeps the table for one.",
    403: "The link that you have does not let you do that. Ask whoever keeps the table for another.",
    404: "There is nothing at this address. Look in the library, or among the recorded deals.",
    405: "That cannot be done at this address. Go back and try from the page itself.",
    500: "Something went wrong here. Nothing that was recorded is lost; try again.",
    503: "The records cannot be reached just now: the disk is full or failing. Try again in a moment.",
}
"""What to say of an error, by its HTTP status."""


def page_texts(lang: str) -> Callable[..., str]:
    """What templates call ``t``: it gives an English text in the language."""
    return partial(gettext, lang=lang)


def error_sentence(status: int, lang: str, detail: str) -> str:
    """What to say of an error, and what to do; ``detail`` as it came, where nothing better is known."""
    sentence = ERROR_SENTENCES.get(status)
    return detail if sentence is None else gettext(sentence, lang)


def format_deal_count(number: int, lang: str) -> str:
    """So many deals."""
    return gettext("1 deal", lang) if number == 1 else gettext("{n} deals", lang).format(n=number)


RESULT_FORMS: Final[Mapping[str, str]] = {
    "won": "{game}: {name} won",
    "bete": "{game}: {name} bête",
    "codille": "{game}: {name} codille",
    "passed_out": "All passed",
    "abandoned": "{game}: {name} gave up",
    "forfeited": "{game}: forfeited",
    "voided": "Void",
}
"""How a deal ended, by its outcome."""


def format_result(lang: str, outcome: str | None, *, name: str = "", game: str = "") -> str:
    """How a deal ended, as one phrase for a list: "Solo in hearts: Bo won".

    ``outcome`` is an outcome of the score, or None while the deal is open; ``name`` is the declarer's. An
    outcome without a phrase is shown as it is.
    """
    if outcome is None:
        return gettext("Not finished", lang)
    form = RESULT_FORMS.get(outcome)
    capitalized = game[:1].upper() + game[1:]
    return outcome if form is None else gettext(form, lang).format(name=name, game=capitalized)

"""What the engine says, told in the language of whoever reads it.

A sentence of the engine's remembers the form it was made from and what was given for its places
(`engine.core.message`): here it is made anew from the Danish form, with the words of the game that the Danish
tables have. Whatever nobody has a Danish form for stays as it is.
"""

from collections.abc import Mapping
from functools import partial
from string import Formatter
from typing import Final

from engine.core.message import Given, Listed, Said, Term
from engine.judging.called import WRITTEN
from engine.rulesets.model import Words
from schemas.answers.states import Told
from service.presentation.i18n.card_words import CALLS, OUTCOMES, SEATS, SUITS
from service.presentation.i18n.findings_da import BETWEEN, FORMS, KINDS, RULES

LANGUAGES: Final = ("en", "da")
"""The languages in which it is told, the one first that is told to whoever asks for none of them."""

TERMS: Final[Mapping[str, Mapping[str, Words]]] = {
    "seat": SEATS,
    "suit": SUITS,
    "call": CALLS,
    "outcome": {WRITTEN.get(outcome, outcome): words for outcome, words in OUTCOMES.items()},
}
"""The words of each kind of term; those of a ruleset's games come with them."""


def told(text: str, lang: str) -> str:
    """``text`` in the language ``lang``: what the engine said is made anew, all else stays as it is."""
    return _sentence(text) if lang == "da" else str(text)


def telling(lang: str) -> Told:
    """How sentences are told in ``lang``."""
    return partial(told, lang=lang)


def rule_called(rule: str, lang: str) -> str:
    """What a section of the rules is called in ``lang``."""
    return RULES.get(rule, rule) if lang == "da" else rule


def kind_called(code: str, lang: str) -> str:
    """What a code of findings is called in ``lang``, in a word or two."""
    plain = code.replace("_", " ")
    return KINDS.get(code, plain) if lang == "da" else plain


def _sentence(text: str) -> str:
    """A whole sentence: it begins with a capital letter, unless with a name or a card."""
    danish = str(_danish(text))
    return danish[:1].upper() + danish[1:] if _begins_with_ours(text) else danish


def _danish(text: Given) -> Given:
    """A text, or a number, as it stands in a Danish sentence."""
    if isinstance(text, Said):
        given = {place: _danish(one) for place, one in text.given.items()}
        return FORMS.get(text.form, text.form).format_map(given)
    if isinstance(text, Term):
        words = TERMS.get(text.kind, {}).get(text)
        return text.danish or (str(text) if words is None else words.da)
    if isinstance(text, Listed):
        return BETWEEN.get(text.between, text.between).join(str(_danish(one)) for one in text.texts)
    return text


def _begins_with_ours(text: Given) -> bool:
    """Whether what stands first is a word of ours, and not a name, a card or a number."""
    if isinstance(text, Listed):
        return bool(text.texts) and _begins_with_ours(text.texts[0])
    if not isinstance(text, Said):
        return isinstance(text, Term)
    form = FORMS.get(text.form, text.form)
    if not form.startswith("{"):
        return True
    return _begins_with_ours(text.given[next(iter(Formatter().parse(form)))[1] or ""])

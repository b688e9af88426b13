"""What the engine says, told in the language of whoever reads it.

A sentence of the engine's remembers the form it was made from and what was given for its places
(`engine.core.message`): here it is made anew from the Danish form, with the words of the game that the Danish
tables have. Whatever nobody has a Danish form for stays as it is.
"""

from collections.abc import Mapping
from functools import partial
from string import Formatter
from typing import Final

from engine.core.message import Message, MessageArgument, Term, TextList
from engine.judging.game_terms import OUTCOME_SPELLINGS
from engine.rulesets.model import BilingualText
from schemas.answers.states import Translator
from service.presentation.i18n.card_words import CALL_TERMS, OUTCOME_TERMS, SEAT_TERMS, SUIT_TERMS
from service.presentation.i18n.findings_da import (
    DANISH_FINDING_KINDS,
    DANISH_FORMS,
    DANISH_RULE_SECTIONS,
    DANISH_SEPARATORS,
)

MESSAGE_LANGUAGES: Final = ("en", "da")
"""The languages in which it is told, the one first that is told to whoever asks for none of them."""

TERMS_BY_KIND: Final[Mapping[str, Mapping[str, BilingualText]]] = {
    "seat": SEAT_TERMS,
    "suit": SUIT_TERMS,
    "call": CALL_TERMS,
    "outcome": {OUTCOME_SPELLINGS.get(outcome, outcome): words for outcome, words in OUTCOME_TERMS.items()},
}
"""The words of each kind of term; those of a ruleset's games come with them."""


def translate(text: str, lang: str) -> str:
    """``text`` in the language ``lang``: what the engine said is made anew, all else stays as it is."""
    return _translate_to_danish(text) if lang == "da" else str(text)


def build_translator(lang: str) -> Translator:
    """How sentences are told in ``lang``."""
    return partial(translate, lang=lang)


def rule_section_name(rule: str, lang: str) -> str:
    """What a section of the rules is called in ``lang``."""
    return DANISH_RULE_SECTIONS.get(rule, rule) if lang == "da" else rule


def finding_kind_name(code: str, lang: str) -> str:
    """What a code of findings is called in ``lang``, in a word or two."""
    plain = code.replace("_", " ")
    return DANISH_FINDING_KINDS.get(code, plain) if lang == "da" else plain


def _translate_to_danish(text: str) -> str:
    """A whole sentence: it begins with a capital letter, unless with a name or a card."""
    danish = str(_danish_value(text))
    return danish[:1].upper() + danish[1:] if _begins_with_translated_word(text) else danish


def _danish_value(text: MessageArgument) -> MessageArgument:
    """A text, or a number, as it stands in a Danish sentence."""
    if isinstance(text, Message):
        arguments = {place: _danish_value(one) for place, one in text.arguments.items()}
        return DANISH_FORMS.get(text.template, text.template).format_map(arguments)
    if isinstance(text, Term):
        words = TERMS_BY_KIND.get(text.kind, {}).get(text)
        return text.danish or (str(text) if words is None else words.da)
    if isinstance(text, TextList):
        return DANISH_SEPARATORS.get(text.separator, text.separator).join(
            str(_danish_value(one)) for one in text.texts
        )
    return text


def _begins_with_translated_word(text: MessageArgument) -> bool:
    """Whether what stands first is a word of ours, and not a name, a card or a number."""
    if isinstance(text, TextList):
        return bool(text.texts) and _begins_with_translated_word(text.texts[0])
    if not isinstance(text, Message):
        return isinstance(text, Term)
    form = DANISH_FORMS.get(text.template, text.template)
    if not form.startswith("{"):
        return True
    return _begins_with_translated_word(text.arguments[next(iter(Formatter().parse(form)))[1] or ""])

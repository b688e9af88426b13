"""What the engine says, in the language of its reader.

A sentence of the engine keeps the form it was made from and its arguments (`engine.core.message`): it is made
again from the form of that language (`catalogs`), with its words of the game; in English too, as a record
writes ids for bids, contracts and suits.
"""

from collections.abc import Mapping
from string import Formatter
from typing import Final

from engine.core.message import Message, MessageArgument, Term, TextList
from engine.judging.game_terms import OUTCOME_SPELLINGS
from schemas.i18n.card_words import CALL_TERMS, OUTCOME_TERMS, SEAT_TERMS, SUIT_TERMS
from schemas.i18n.catalogs import gettext

TERMS_BY_KIND: Final[Mapping[str, Mapping[str, str]]] = {
    "seat": SEAT_TERMS,
    "suit": SUIT_TERMS,
    "call": CALL_TERMS,
    "outcome": {OUTCOME_SPELLINGS.get(outcome, outcome): words for outcome, words in OUTCOME_TERMS.items()},
}
"""The words of each kind of term; those of a ruleset's games come with the ruleset."""


CHIP_PLURALS: Final = {"bit": "bits", "ficha": "fichas", "chip": "chips"}
"""The plural of a ruleset's chip; without one here it is the singular."""


def translate(text: str, lang: str) -> str:
    """``text`` in the language ``lang``; what the engine did not say stays as it is."""
    translated = str(_translate_value(text, lang))
    return translated[:1].upper() + translated[1:] if _begins_with_word(text, lang) else translated


def translate_phrase(text: str, lang: str) -> str:
    """``text`` in the language ``lang``, as a part of a sentence or of a table."""
    return str(_translate_value(text, lang))


def rule_section_name(rule: str, lang: str) -> str:
    """The name of a section of the rules."""
    return gettext(rule, lang, "section")


def finding_kind_name(code: str, lang: str) -> str:
    """A finding code in a word or two."""
    return gettext(code.replace("_", " "), lang, "finding")


def chip_name(chip: str, count: int, lang: str) -> str:
    """The name of a ruleset's chip for a count of them; a club's own word has no plural."""
    name = gettext(chip, lang)
    if count == 1 or name != gettext(str(chip), lang):
        return name
    return gettext(CHIP_PLURALS.get(chip, chip), lang)


def ruleset_source(source: str, lang: str) -> str:
    """Where a ruleset comes from; a club says it in its own words, which stay."""
    return gettext(source, lang, "source")


def _translate_value(value: MessageArgument, lang: str) -> MessageArgument:
    """A text, or a number, as it stands within a sentence."""
    if isinstance(value, Message):
        arguments = {place: _translate_value(one, lang) for place, one in value.arguments.items()}
        return gettext(value.template, lang).format_map(arguments)
    if isinstance(value, Term):
        return gettext(value.name or TERMS_BY_KIND.get(value.kind, {}).get(value, str(value)), lang)
    if isinstance(value, TextList):
        texts = (str(_translate_value(one, lang)) for one in value.texts)
        return gettext(value.separator, lang, "between").join(texts)
    return value


def _begins_with_word(value: MessageArgument, lang: str) -> bool:
    """Whether it begins with a word of the language, which then needs a capital: no name, card or number."""
    if isinstance(value, TextList):
        return bool(value.texts) and _begins_with_word(value.texts[0], lang)
    if not isinstance(value, Message):
        return isinstance(value, Term)
    form = gettext(value.template, lang)
    if not form.startswith("{"):
        return True
    return _begins_with_word(value.arguments[next(iter(Formatter().parse(form)))[1] or ""], lang)

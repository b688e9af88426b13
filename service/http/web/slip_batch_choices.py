"""What the cells of a slip batch can say, as choices for typing: names, abbreviations, other spellings.

All of it is read from the ruleset as its table has switched it, and from the words of a club's sheet; what is
offered is what ``schemas.spreadsheet.typed_row`` reads.
"""

from collections.abc import Iterable
from typing import Any, Final

from engine.rulesets import CompiledRuleset
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet import sheet_words
from schemas.spreadsheet.contract_abbreviations import abbreviate_contracts
from schemas.spreadsheet.typed_row import OUTCOME_BY_SIGN, list_extras_words
from service.http.web.slip_choices import list_slip_trumps

PLAYED_OUTCOMES: Final = ("won", "bete", "codille")
CellChoice = dict[str, Any]


def build_slip_batch_choices(rules: CompiledRuleset, language: str) -> dict[str, list[CellChoice]]:
    """The choices of each cell in ``language``.

    ``name`` is what is written, ``short`` and ``others`` do as well. A contract also tells the ``trumps``
    that it leaves open; that everybody passed stands there too.
    """
    abbreviations, is_danish = abbreviate_contracts(rules, language), language == "da"
    other_language = "en" if is_danish else "da"
    contracts = [
        build_cell_choice(
            gettext(contract.words, language),
            abbreviations[contract.id],
            (gettext(contract.words, other_language), *sheet_words.CONTRACT_SPELLINGS.get(contract.id, ())),
            trumps=list_slip_trumps(rules, contract),
        )
        for contract in rules.contracts.values()
    ]
    passed = sheet_words.OUTCOME_WORDS_BY_ID["passed_out"]
    passed_choice = build_cell_choice("pas" if is_danish else "pass", "", passed, trumps=[])
    suits = [
        _build_word_choice(sheet_words.SUIT_WORDS_BY_LETTER[suit], is_danish, code=suit) for suit in "SHCD"
    ]
    outcomes = [
        _build_word_choice(sheet_words.OUTCOME_WORDS_BY_ID[outcome], is_danish, _list_outcome_signs(outcome))
        for outcome in PLAYED_OUTCOMES
    ]
    other_outcomes = [
        _build_word_choice(spellings, is_danish)
        for outcome, spellings in sheet_words.OUTCOME_WORDS_BY_ID.items()
        if outcome not in PLAYED_OUTCOMES
    ]
    return {
        "contract": [*contracts, passed_choice],
        "trump": suits,
        "outcome": [*outcomes, *other_outcomes],
        "extras": [build_cell_choice(name, "", ()) for name in list_extras_words(rules, language)],
    }


def build_cell_choice(name: str, short: str, alternatives: Iterable[str], **extra_fields: Any) -> CellChoice:
    """One choice."""
    other_spellings = [spelling for spelling in dict.fromkeys(alternatives) if spelling not in (name, short)]
    return {"name": name, "short": short, "others": other_spellings, **extra_fields}


def _build_word_choice(
    spellings: tuple[str, ...], is_danish: bool, extra_spellings: Iterable[str] = (), **fields: Any
) -> CellChoice:
    """A choice of the words of a sheet: its first letter is its abbreviation."""
    name = spellings[is_danish]
    return build_cell_choice(name, name[0], (*spellings, *extra_spellings), **fields)


def _list_outcome_signs(outcome: str) -> list[str]:
    return [sign for sign, sign_outcome in OUTCOME_BY_SIGN.items() if sign_outcome == outcome]

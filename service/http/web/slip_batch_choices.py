"""What the cells of a slip batch can say, as choices for typing: names, abbreviations, other spellings.

All of it is read from the ruleset as its table has switched it, and from the words of a club's sheet; what is
offered is what ``schemas.spreadsheet.typed_row`` reads.
"""

from collections.abc import Iterable
from typing import Any, Final

from engine.rulesets import CompiledRuleset
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
    shorts, danish = abbreviate_contracts(rules, language), language == "da"
    other = "en" if danish else "da"
    contracts = [
        build_cell_choice(
            contract.words[language],
            shorts[contract.id],
            (contract.words[other], *sheet_words.CONTRACT_SPELLINGS.get(contract.id, ())),
            trumps=list_slip_trumps(rules, contract),
        )
        for contract in rules.contracts.values()
    ]
    passed = sheet_words.OUTCOME_WORDS_BY_ID["passed_out"]
    nobody = build_cell_choice("pas" if danish else "pass", "", passed, trumps=[])
    suits = [_build_word_choice(sheet_words.SUIT_WORDS_BY_LETTER[suit], danish, code=suit) for suit in "SHCD"]
    endings = [
        _build_word_choice(sheet_words.OUTCOME_WORDS_BY_ID[ending], danish, _list_outcome_signs(ending))
        for ending in PLAYED_OUTCOMES
    ]
    rest = [
        _build_word_choice(spellings, danish)
        for ending, spellings in sheet_words.OUTCOME_WORDS_BY_ID.items()
        if ending not in PLAYED_OUTCOMES
    ]
    return {
        "contract": [*contracts, nobody],
        "trump": suits,
        "outcome": [*endings, *rest],
        "extras": [build_cell_choice(name, "", ()) for name in list_extras_words(rules, language)],
    }


def build_cell_choice(name: str, short: str, others: Iterable[str], **more: Any) -> CellChoice:
    """One choice."""
    rest = [one for one in dict.fromkeys(others) if one not in (name, short)]
    return {"name": name, "short": short, "others": rest, **more}


def _build_word_choice(
    spellings: tuple[str, ...], danish: bool, more: Iterable[str] = (), **fields: Any
) -> CellChoice:
    """A choice of the words of a sheet: its first letter is its abbreviation."""
    name = spellings[danish]
    return build_cell_choice(name, name[0], (*spellings, *more), **fields)


def _list_outcome_signs(ending: str) -> list[str]:
    return [sign for sign, meant in OUTCOME_BY_SIGN.items() if meant == ending]

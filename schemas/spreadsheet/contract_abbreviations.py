"""Abbreviations of a ruleset's contracts, as few letters as tell them apart: for typing, and for paper."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from engine.rulesets import CompiledRuleset
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.sheet_words import fold_word

_split_words: Final = re.compile(r"[\W_]+").split


def abbreviate_contracts(rules: CompiledRuleset, lang: str) -> dict[str, str]:
    """An abbreviation of each contract, by its id: no two have the same.

    Of a title of one word its first two letters, of a longer one the first letter of each word; where an
    earlier contract has that, some more.
    """
    found: dict[str, str] = {}
    for contract in rules.contracts.values():
        taken_words = found.values()
        found[contract.id] = next(
            one for one in _list_abbreviations(gettext(contract.words, lang)) if one not in taken_words
        )
    return found


def _list_abbreviations(title: str) -> Iterator[str]:
    words = [fold_word(word) for word in _split_words(title) if fold_word(word)]
    joined = "".join(words)
    if len(words) > 1:
        yield "".join(word[0] for word in words)
    yield from (joined[:length] for length in range(2, len(joined) + 1))
    yield from (f"{joined}{number}" for number in range(2, 100))


def contract_by_abbreviation(rules: CompiledRuleset, lang: str) -> Mapping[str, str]:
    """Contracts by their abbreviations: those of ``lang``, then those of the other language."""
    other = "en" if lang == "da" else "da"
    return {
        abbreviation: contract
        for language in (other, lang)
        for contract, abbreviation in abbreviate_contracts(rules, language).items()
    }

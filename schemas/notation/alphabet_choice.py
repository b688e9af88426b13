"""A deal read in the letters it is written in: in English ones, or in those that fit, or it is asked."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

from engine.core.message import format_message
from schemas.notation.alphabets import ALPHABETS, get_alphabet
from schemas.notation.deal_parser import MAX_DEAL_LINES, DealParser, ParsedDeal, WrongAlphabet
from schemas.notation.heading_parser import EveningDefaults
from schemas.notation.joined_lines import NotationLine, join_lines
from schemas.notation.language_detection import detect_language
from schemas.notation.opening_tags import LETTERS_TAG_NAMES

DEFAULT_LANGUAGE: Final = "en"
MAX_LENGTH_TO_TRY_ALL: Final = 100_000
"""A longer text is read in English letters, or in those that it names: each alphabet takes a reading."""


def parse_deal(lines: Sequence[tuple[int, str]], defaults: EveningDefaults | None = None) -> ParsedDeal:
    """Read a deal from its numbered lines, in English letters or in an alphabet that fits.

    English cards with the suit first are the canonical form, and are read as such if the text is in English.
    Cards written in any other way must mean the same in every alphabet that has them, unless the words of the
    text show its language. What a deal leaves out is taken from ``defaults``.
    """
    joined_lines = list(islice(join_lines(lines), MAX_DEAL_LINES + 1))
    language = _find_named_alphabet(joined_lines)
    if language is not None:
        return DealParser(get_alphabet(language), joined_lines, defaults).parse()
    canonical = DealParser(
        get_alphabet(DEFAULT_LANGUAGE, allow_rank_first=False), joined_lines, defaults, may_try_others=True
    )
    canonical_deal: ParsedDeal | None = None
    with suppress(WrongAlphabet):
        canonical_deal = canonical.parse()
    if canonical_deal is not None and not canonical.has_loose_ranks and not canonical.language_clues:
        return canonical_deal
    if sum(len(line.text) for line in joined_lines) > MAX_LENGTH_TO_TRY_ALL:
        return DealParser(get_alphabet(DEFAULT_LANGUAGE), joined_lines, defaults).parse()
    return _parse_in_fitting_alphabet(
        joined_lines, defaults, None if canonical.has_loose_ranks else canonical_deal
    )


def _parse_in_fitting_alphabet(
    lines: list[NotationLine], defaults: EveningDefaults | None, canonical: ParsedDeal | None
) -> ParsedDeal:
    """The deal in the alphabet that fits; ``canonical`` is how it reads if its cards are canonical."""
    fits: dict[str, ParsedDeal] = {}
    language_clues: set[str] = set()
    for language in ALPHABETS:
        deal = DealParser(get_alphabet(language), lines, defaults, may_try_others=True)
        with suppress(WrongAlphabet):
            fits[language] = deal.parse()
            language_clues |= deal.language_clues
    if not fits:
        return DealParser(get_alphabet(DEFAULT_LANGUAGE), lines, defaults).parse()
    fits = {language: deal for language, deal in fits.items() if not deal.problems} or fits
    first = next(iter(fits.values()))
    if all(deal.log == first.log for deal in fits.values()):
        return first
    chosen = detect_language(language_clues)
    # What is canonical as it stands is nothing else by a word that may have come in by chance.
    if chosen in fits and (canonical is None or canonical.problems or chosen == DEFAULT_LANGUAGE):
        return fits[chosen]
    return _add_ambiguity_problem(list(fits), lines, first)


def _find_named_alphabet(lines: list[NotationLine]) -> str | None:
    for line in lines:
        if line.tag is not None and line.tag[0] in LETTERS_TAG_NAMES:
            language = line.tag[1].strip().lower()
            return language if language in ALPHABETS else None
    return None


def _add_ambiguity_problem(languages: list[str], lines: list[NotationLine], deal: ParsedDeal) -> ParsedDeal:
    expected = format_message("Letters: {language}, on a line of its own", language=" or ".join(languages))
    message = format_message(
        "The cards of this deal can be read in several languages; write {expected}, above the first hand.",
        expected=expected,
    )
    problem = lines[0].problem("cards in several alphabets", expected, message)
    return ParsedDeal(deal.log, (*deal.problems, problem))

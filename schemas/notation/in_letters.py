"""A deal read in the letters it is written in: in English ones, or in those that fit, or it is asked."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

from schemas.notation.deal import LINES, Deal, DealText, OtherLetters
from schemas.notation.evenings import Evening
from schemas.notation.heading import Trouble
from schemas.notation.languages import settled
from schemas.notation.letters import ALPHABETS, alphabet
from schemas.notation.opening import LETTERS
from schemas.notation.paragraphs import Line, lines_of_deal

ENGLISH: Final = "en"
MOST_TRIED: Final = 100_000
"""A longer text is read in English letters, or in those that it names: each alphabet takes a reading."""


def read_deal(lines: Sequence[tuple[int, str]], evening: Evening | None = None) -> Deal:
    """Reads a deal from its lines, each with its number; in English letters, or in those that fit.

    English cards with the suit first are what the canonical form has, and are taken as such where the text
    is in English. Any other writing of cards has to mean the same in every alphabet that has it, unless the
    words of the text say in which language it is told. What a deal leaves out it takes from its ``evening``.
    """
    put_together = list(islice(lines_of_deal(lines), LINES + 1))
    named = _letters_named(put_together)
    if named is not None:
        return DealText(alphabet(named), put_together, evening).read()
    canonical = DealText(alphabet(ENGLISH, either=False), put_together, evening, others=True)
    whole: Deal | None = None
    with suppress(OtherLetters):
        whole = canonical.read()
    if whole is not None and not canonical.apart and not canonical.spoken:
        return whole
    if sum(len(line.text) for line in put_together) > MOST_TRIED:
        return DealText(alphabet(ENGLISH), put_together, evening).read()
    return _in_any(put_together, evening, None if canonical.apart else whole)


def _in_any(lines: list[Line], evening: Evening | None, canonical: Deal | None) -> Deal:
    """The deal in the alphabet that fits; ``canonical`` is how it reads if its cards are canonical."""
    fits: dict[str, Deal] = {}
    spoken: set[str] = set()
    for language in ALPHABETS:
        deal = DealText(alphabet(language), lines, evening, others=True)
        with suppress(OtherLetters):
            fits[language] = deal.read()
            spoken |= deal.spoken
    if not fits:
        return DealText(alphabet(ENGLISH), lines, evening).read()
    fits = {language: deal for language, deal in fits.items() if not deal.troubles} or fits
    first = next(iter(fits.values()))
    if all(deal.log == first.log for deal in fits.values()):
        return first
    chosen = settled(spoken)
    # What is canonical as it stands is nothing else by a word that may have come in by chance.
    if chosen in fits and (canonical is None or canonical.troubles or chosen == ENGLISH):
        return fits[chosen]
    return _ambiguous(list(fits), lines, first)


def _letters_named(lines: list[Line]) -> str | None:
    for line in lines:
        if line.tag is not None and line.tag[0] in LETTERS:
            language = line.tag[1].strip().lower()
            return language if language in ALPHABETS else None
    return None


def _ambiguous(languages: list[str], lines: list[Line], deal: Deal) -> Deal:
    line, column = lines[0].place(0)
    expected = f"Letters: {' or '.join(languages)}, on a line of its own"
    message = (
        f"The cards of this deal can be read in several languages; write {expected}, above the first hand."
    )
    return Deal(
        deal.log, (*deal.troubles, Trouble(line, column, "cards in several alphabets", expected, message))
    )

"""Tricks and sentences as the notation writes them, read at once: ``F hand SA S3`` or ``M bids simple in S``.

A sentence has a seat, then cards, the name of a game, or nothing more; or it is ``Turned H5``. A line with
anything else, such as a note or a comma, is left to `deal_parser`, which reads it word by word.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from engine.core.cards import SEAT_BY_NAME, SUIT_BY_LETTER, Card, Suit
from engine.core.events import CardPlayed, Event, TalonTurned
from engine.core.field_types import Cards
from engine.core.log import EVENT_TYPES
from schemas.notation.notation_words import GAME_NAME_FIELDS, RESERVED_WORDS, SEAT_LETTER
from schemas.notation.sentence_forms import SENTENCE_FORMS, SentenceForm
from schemas.notation.tokens import ParsingContext
from schemas.wire.event_reader import read_event
from schemas.wire.field_specs import field_kind

MAX_CARDS: Final = field_kind(Cards).maximum
TURNED: Final = "Turned"
"""The one sentence that is read here and has no seat: the card turned up for trumps."""
MAX_CACHED_EVENTS: Final = 2_000
_SEATS: Final = {letter: SEAT_BY_NAME[seat] for seat, letter in SEAT_LETTER.items()}

_SEAT: Final = r"([FMB])"
_CARD: Final = r"([SHDC?][AKQJ234567?])"
match_whole_trick: Final = re.compile(
    rf"([1-9][0-9]{{0,8}})([.:]) +{_SEAT} {_CARD} +{_SEAT} {_CARD} +{_SEAT} {_CARD}"
).fullmatch
"""A trick in canonical form: three cards and nothing else."""


@lru_cache(MAX_CACHED_EVENTS)
def make_play(letter: str, card: Card, trick: int | None) -> CardPlayed:
    """A card played, by the letter of its seat."""
    return CardPlayed(_SEATS[letter], card, trick)


def _plain_forms(*field_names: str) -> Iterator[SentenceForm]:
    """The sentences of a seat with one of these fields; without a name, those with nothing more."""
    for form in SENTENCE_FORMS:
        names = [part.field.name for part in form.required_parts if part.field and not part.words]
        is_plain = len(names) == len(form.required_parts) == bool(field_names)
        if form.has_seat and is_plain and set(names) <= set(field_names):
            yield form


CARD_EVENTS: Final = {form.keyword: EVENT_TYPES[form.type] for form in _plain_forms("cards")}
GAME_EVENTS: Final = {form.keyword: EVENT_TYPES[form.type] for form in _plain_forms(*GAME_NAME_FIELDS)}
LONE_EVENTS: Final = {
    form.keyword: {
        letter: read_event({"type": form.type, "seat": seat, **form.fixed_values})
        for seat, letter in SEAT_LETTER.items()
    }
    for form in _plain_forms()
}


@lru_cache(MAX_CACHED_EVENTS)
def _make_game_event(keyword: str, letter: str, name: str, trump: Suit | None) -> Event:
    make_event: Callable[..., Event] = GAME_EVENTS[keyword]
    return make_event(_SEATS[letter], name, trump)


def parse_plain_sentences(line: str, context: ParsingContext) -> list[Event] | None:
    """The events of a line of such sentences, with semicolons between them; None for another line."""
    try:
        return [_parse_sentence(sentence.split(), context) for sentence in line.split(";")]
    except LookupError:
        return None


def _parse_sentence(words: list[str], context: ParsingContext) -> Event:
    """The event of a sentence; raises `LookupError` for another sentence."""
    letter, keyword = words[0], words[1]
    if letter == TURNED and len(words) == 2:
        return TalonTurned(context.alphabet.card_by_word[keyword])
    if keyword in CARD_EVENTS:
        make_event: Callable[..., Event] = CARD_EVENTS[keyword]
        cards = tuple(map(context.alphabet.card_by_word.__getitem__, words[2:]))
        if not 0 < len(cards) <= MAX_CARDS:
            raise LookupError
        return make_event(_SEATS[letter], cards)
    if len(words) == 2:
        return LONE_EVENTS[keyword][letter]
    name = words[2]
    if name not in context.game_names.ids or name in RESERVED_WORDS:
        raise LookupError
    if len(words) == 3:
        return _make_game_event(keyword, letter, name, None)
    # A suit written out shows the language.
    if len(words) != 5 or words[3] != "in" or len(words[4]) > 1:
        raise LookupError
    trump = SUIT_BY_LETTER[context.alphabet.suits[words[4].lower()]]
    return _make_game_event(keyword, letter, name, trump)

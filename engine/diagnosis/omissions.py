"""Missing entries: a card, a pass, an exchange, a whole trick (RULES 9).

If an entry is missing, the next player seems to act out of place. The card is named if only one fits,
otherwise it is left open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.core.cards import CARD_CODES, HAND_SIZE, HIDDEN_CARD, SEATS, Card, Seat, cards_in_mask
from engine.core.events import BidMade, CardPlayed, CardsDiscarded, CardsDrawn, Event, GapNoted
from engine.core.log import Entry, Log
from engine.core.message import Message, TextList, format_message
from engine.diagnosis.mistakes import (
    MAX_CARDS_PLAYED,
    MIN_EXPLAINED,
    FaultTimeline,
    Mistake,
    SuspectedMistake,
    build_mistake,
    count_plays_by_seat,
    played_cards_mask,
)
from engine.play.findings import player_or_seat
from engine.play.state import AUCTION, CONTRACT, EXCHANGE, PLAY, State, seat_to_act

MAX_CARDS_BACK: Final = 6
"""How far before the first card out of place one may be missing: two tricks."""
MAX_EXCHANGES_TRIED: Final = 3
"""Before how many acts out of place a missing exchange is tried, from the first."""
PLAYS_WITHOUT_ONE_TRICK: Final = HAND_SIZE - 1
"""The plays of each seat if one whole trick is missing."""


def _build_omission(entry: Entry, reason: Message, *missing: Event) -> Mistake:
    """The mistake that these events are missing before an entry."""
    return build_mistake("entry_missing", reason, (entry,), *missing, entry.event)


def find_omitted_cards(timeline: FaultTimeline) -> Iterator[SuspectedMistake]:
    """A card missing before the first that is out of place, or shortly before that."""
    if sum(timeline.plays_by_seat) >= MAX_CARDS_PLAYED or not timeline.fault_positions:
        return
    by_turn = any("wrong_seat" in timeline.codes_at(index) for index in timeline.fault_positions)
    firsts = (*timeline.act_positions[:1], *timeline.fault_positions[:1])
    for index in dict.fromkeys(
        index for last in firsts for index in range(last, max(last - MAX_CARDS_BACK, 0), -1)
    ):
        state = timeline.states[index]
        if not isinstance(timeline.entries[index].event, CardPlayed) or state.phase != PLAY:
            continue
        turn = seat_to_act(state)
        for seat in SEATS if turn is None else (turn,):
            for one in _find_omitted_card_of(timeline, index, seat):
                yield one._replace(min_explained=MIN_EXPLAINED if by_turn else MIN_EXPLAINED + 1)


def _find_omitted_card_of(timeline: FaultTimeline, index: int, seat: Seat) -> Iterator[SuspectedMistake]:
    """A card of this seat that is never played, or a hidden card, missing before an entry."""
    entry, play = timeline.entries[index], timeline.states[index].play
    player = player_or_seat(timeline.states[index], seat)
    reason = format_message(
        "A card played by {player} is missing before entry {entry}.", player=player, entry=entry.seq
    )
    left_open = _build_omission(entry, reason, CardPlayed(seat, HIDDEN_CARD))
    for card in cards_in_mask(_cards_never_played(timeline, index, seat)):
        reason = format_message(
            "{card}, played by {player}, is missing before entry {entry}.",
            card=CARD_CODES[card],
            player=player,
            entry=entry.seq,
        )
        mistake = _build_omission(entry, reason, CardPlayed(seat, card))
        yield SuspectedMistake(mistake, open_variant=left_open, group=(entry.seq, int(seat)))
    if play.hidden_slots[seat]:
        yield SuspectedMistake(left_open)


def find_omitted_passes(timeline: FaultTimeline) -> Iterator[SuspectedMistake]:
    """A pass missing before a call out of turn, or before an act that comes after the auction."""
    for index in (*timeline.act_positions[:1], *timeline.premature_positions[:1]):
        entry, state = timeline.entries[index], timeline.states[index]
        turn = seat_to_act(state)
        if state.phase == AUCTION and turn is not None:
            player = player_or_seat(state, turn)
            reason = format_message(
                "A pass by {player} is missing before entry {entry}.", player=player, entry=entry.seq
            )
            mistake = _build_omission(entry, reason, BidMade(turn, "pass"))
            yield SuspectedMistake(mistake, _min_explained(timeline, index))


def _min_explained(timeline: FaultTimeline, index: int) -> int:
    """An act in the wrong phase needs no second finding."""
    return 1 if index in timeline.premature_positions else MIN_EXPLAINED


def find_omitted_exchanges(timeline: FaultTimeline) -> Iterator[SuspectedMistake]:
    """A discard missing before its draw, a draw after its discard, or both before the next act."""
    for index in dict.fromkeys(
        (*timeline.fault_positions[:MAX_EXCHANGES_TRIED], *timeline.premature_positions[:1])
    ):
        state = timeline.states[index] if index < len(timeline.states) else None
        if state is None or state.phase not in (CONTRACT, EXCHANGE) or not state.exchange.queue:
            continue
        event, must_draw = timeline.entries[index].event, state.exchange.cards_to_draw
        mismatch = index in timeline.fault_positions and "exchange_mismatch" in timeline.codes_at(index)
        if mismatch and isinstance(event, CardsDrawn) and not must_draw:
            yield SuspectedMistake(_build_omitted_discard(timeline, index, event))
        elif mismatch and isinstance(event, CardsDiscarded) and index + 1 < len(timeline.entries):
            yield SuspectedMistake(_build_omitted_draw(timeline, index, event))
        elif not mismatch and not must_draw and getattr(event, "seat", None) is not None:
            missing = _build_omitted_exchange(timeline, index, state.exchange.queue[0])
            if missing is not None:
                yield SuspectedMistake(missing, _min_explained(timeline, index))


def _build_omitted_discard(timeline: FaultTimeline, index: int, drawn: CardsDrawn) -> Mistake:
    """The discard before a draw: the cards that were never played, or as many hidden cards."""
    entry = timeline.entries[index]
    cards = _known_or_hidden_cards(_cards_never_played(timeline, index, drawn.seat), len(drawn.cards))
    reason = format_message(
        "{player}'s discard is missing before entry {entry}: {cards}.",
        player=player_or_seat(timeline.states[index], drawn.seat),
        entry=entry.seq,
        cards=_list_codes(cards),
    )
    return _build_omission(entry, reason, CardsDiscarded(drawn.seat, cards))


def _build_omitted_draw(timeline: FaultTimeline, index: int, discarded: CardsDiscarded) -> Mistake:
    """The draw after a discard: the cards that were played and not dealt, or as many hidden cards."""
    seat, following = discarded.seat, timeline.entries[index + 1]
    known = _cards_played_later(timeline, index, seat) if _is_hand_known(timeline, index, seat) else 0
    cards = _known_or_hidden_cards(known, len(discarded.cards))
    reason = format_message(
        "{player}'s draw is missing before entry {entry}: {cards}.",
        player=player_or_seat(timeline.states[index], seat),
        entry=following.seq,
        cards=_list_codes(cards),
    )
    return _build_omission(following, reason, CardsDrawn(seat, cards))


def _build_omitted_exchange(timeline: FaultTimeline, index: int, seat: Seat) -> Mistake | None:
    """The whole exchange of a seat; None if its size is unknown."""
    if not _is_hand_known(timeline, index, seat):
        return None
    discarded = cards_in_mask(_cards_never_played(timeline, index, seat))
    drawn = cards_in_mask(_cards_played_later(timeline, index, seat))
    if len(discarded) != len(drawn):
        return None
    entry, player = timeline.entries[index], player_or_seat(timeline.states[index], seat)
    if not drawn:
        reason = format_message(
            "Missing before entry {entry}: {player} stands.", player=player, entry=entry.seq
        )
        return _build_omission(entry, reason, CardsDiscarded(seat, ()))
    reason = format_message(
        "{player}'s exchange is missing before entry {entry}: discarded {cards}, drawn {drawn}.",
        player=player,
        entry=entry.seq,
        cards=_list_codes(discarded),
        drawn=_list_codes(drawn),
    )
    return _build_omission(entry, reason, CardsDiscarded(seat, discarded), CardsDrawn(seat, drawn))


def _is_hand_known(timeline: FaultTimeline, index: int, seat: Seat) -> bool:
    """Whether all nine cards dealt to a seat are known before an entry."""
    return timeline.states[index].play.known_cards[seat].bit_count() == HAND_SIZE


def _cards_never_played(timeline: FaultTimeline, index: int, seat: Seat) -> int:
    """A mask of what a seat holds before an entry and does not play from there on."""
    return timeline.states[index].play.known_cards[seat] & ~played_cards_mask(timeline.entries[index:])


def _cards_played_later(timeline: FaultTimeline, index: int, seat: Seat) -> int:
    """A mask of what a seat plays from an entry on and does not hold before it."""
    own_entries = tuple(one for one in timeline.entries[index:] if getattr(one.event, "seat", None) == seat)
    return played_cards_mask(own_entries) & ~timeline.states[index].play.known_cards[seat]


def _known_or_hidden_cards(known: int, count: int) -> tuple[Card, ...]:
    """The known cards if there are ``count`` of them, otherwise as many hidden cards."""
    return cards_in_mask(known) if known.bit_count() == count else (HIDDEN_CARD,) * count


def _list_codes(cards: Sequence[Card]) -> TextList:
    return TextList((CARD_CODES[card] for card in cards), " ")


def find_omitted_tricks(timeline: FaultTimeline) -> Iterator[SuspectedMistake]:
    """A missing trick: the one card of each seat that is never played."""
    if not timeline.fault_positions:
        return
    missing = list(list_trick_omissions(timeline.entries, timeline.states[: timeline.fault_positions[0] + 1]))
    group = tuple(one.finding.seq for one in missing)
    for mistake in missing:
        yield SuspectedMistake(mistake, MIN_EXPLAINED, MIN_EXPLAINED, _as_gap(mistake), group)


def list_trick_omissions(entries: Log, states: Sequence[State]) -> Iterator[Mistake]:
    """The trick of the three cards that are never played, missing before each entry that begins a trick.

    ``states``: the deal before each of the first entries. Yields nothing if more than a trick is missing, or
    it is unknown which cards were never played.
    """
    if count_plays_by_seat(entries) != [PLAYS_WITHOUT_ONE_TRICK] * len(SEATS):
        return
    played = played_cards_mask(entries)
    for entry, state in zip(entries, states, strict=False):
        turn, play = seat_to_act(state), state.play
        if state.phase != PLAY or turn is None or play.cards or not isinstance(entry.event, CardPlayed):
            continue
        never = [cards_in_mask(play.known_cards[seat] & ~played) for seat in SEATS]
        if [len(cards) for cards in never] == [1] * len(SEATS) and not any(play.hidden_slots):
            seats = [Seat((turn + shift) % len(SEATS)) for shift in range(len(SEATS))]
            reason = format_message(
                "A whole trick is missing before entry {entry}: {cards}.",
                entry=entry.seq,
                cards=_list_codes([never[seat][0] for seat in seats]),
            )
            yield _build_omission(entry, reason, *(CardPlayed(seat, never[seat][0]) for seat in seats))


def _as_gap(mistake: Mistake) -> Mistake:
    """The same as a gap, for when the trick may as well be missing elsewhere."""
    (correction,) = mistake.corrections
    reason = format_message(
        "A whole trick is missing, before entry {entry} or elsewhere: {cards}.",
        entry=mistake.finding.seq,
        cards=mistake.finding.message.arguments["cards"],
    )
    corrected = replace(correction, reason=reason, with_=(GapNoted(), correction.with_[-1]))
    return Mistake(mistake.finding._replace(message=reason), (corrected,))

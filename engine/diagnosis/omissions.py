"""What may not have been entered at all: a card, a pass, a whole trick (RULES 9).

Whoever taps not hard enough, or looks on and forgets, leaves an entry out; behind it somebody seems to act in
its place. What is missing is known where only one card can be: else it is left open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.core.cards import CODES, HAND_SIZE, HIDDEN, SEATS, Card, Seat, cards_in
from engine.core.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CorrectionMade,
    Event,
    GapNoted,
)
from engine.core.log import Entry, Log
from engine.core.message import Listed, Said, said
from engine.diagnosis.mistakes import (
    ALL_PLAYED,
    RULE,
    TOGETHER,
    Course,
    Mistake,
    Suspected,
    played_by,
    played_from,
)
from engine.play.findings import finding, name_of
from engine.play.state import AUCTION, CONTRACT, EXCHANGE, PLAY, State, to_act

BACK: Final = 6
"""So many cards before the first that is out of place one may be missing: two tricks."""
EXCHANGES_TRIED: Final = 3
"""Before so many of the first acts that are out of place an exchange may be missing, whole or in part."""
BUT_A_TRICK: Final = HAND_SIZE - 1
"""So many cards of each seat are recorded where one whole trick is not."""


def card_left_out(course: Course) -> Iterator[Suspected]:
    """A card that is missing before the first that is out of place, or before one shortly before that."""
    if sum(course.played) >= ALL_PLAYED or not course.faulty:
        return
    by_turn = any("wrong_seat" in course.codes(at) for at in course.faulty)
    firsts = (course.acting[:1], course.faulty[:1])
    for at in dict.fromkeys(at for first in firsts for last in first for at in _back_from(last)):
        entry, state = course.entries[at], course.states[at]
        if not isinstance(entry.event, CardPlayed) or state.phase != PLAY:
            continue
        turn = to_act(state)
        for seat in SEATS if turn is None else (turn,):
            for one in _missing(course, at, seat):
                yield one._replace(explains=TOGETHER if by_turn else TOGETHER + 1)


def _missing(course: Course, at: int, seat: Seat) -> Iterator[Suspected]:
    """A card of this seat that is never played, missing before an entry; else one that nobody saw."""
    play = course.states[at].play
    never = play.held[seat] & ~played_from(course.entries[at:])
    for card in cards_in(never):
        left_open = _without(course, at, seat, HIDDEN)
        among = (course.entries[at].seq, int(seat))
        yield Suspected(_without(course, at, seat, card), unseen=left_open, among=among)
    if play.slots[seat]:
        yield Suspected(_without(course, at, seat, HIDDEN))


def _without(course: Course, at: int, seat: Seat, card: Card) -> Mistake:
    entry, player = course.entries[at], name_of(course.states[at], seat)
    if card == HIDDEN:
        reason = said("A card of {player}'s is missing before entry {entry}.", player=player, entry=entry.seq)
    else:
        reason = said(
            "{card}, played by {player}, is missing before entry {entry}.",
            card=CODES[card],
            player=player,
            entry=entry.seq,
        )
    one = finding(entry.seq, "entry_missing", reason, RULE)
    put = (CardPlayed(seat, card), entry.event)
    return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, put),))


def pass_left_out(course: Course) -> Iterator[Suspected]:
    """A pass that is missing before a call out of turn, or before what nobody does during the auction."""
    for at in (*course.acting[:1], *course.hasty[:1]):
        state = course.states[at]
        turn = to_act(state)
        if state.phase == AUCTION and turn is not None:
            yield Suspected(_pass_before(course, at, turn), 1 if at in course.hasty else TOGETHER)


def _pass_before(course: Course, at: int, seat: Seat) -> Mistake:
    entry, player = course.entries[at], name_of(course.states[at], seat)
    reason = said("A pass of {player}'s is missing before entry {entry}.", player=player, entry=entry.seq)
    one = finding(entry.seq, "entry_missing", reason, RULE)
    put = (BidMade(seat, "pass"), entry.event)
    return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, put),))


def exchange_left_out(course: Course) -> Iterator[Suspected]:
    """A discard that is missing before its draw, a draw behind its discard, or both before what comes."""
    for at in dict.fromkeys((*course.faulty[:EXCHANGES_TRIED], *course.hasty[:1])):
        entry, state = course.entries[at], course.states[at] if at < len(course.states) else None
        if state is None or state.phase not in (CONTRACT, EXCHANGE) or not state.exchange.queue:
            continue
        mismatch = at in course.faulty and "exchange_mismatch" in course.codes(at)
        turn = state.exchange.queue[0]
        if mismatch and isinstance(entry.event, CardsDrawn) and not state.exchange.owed:
            yield Suspected(_discard_before(course, at, entry.event))
        elif mismatch and isinstance(entry.event, CardsDiscarded) and at + 1 < len(course.entries):
            yield Suspected(_draw_behind(course, at, entry.event))
        elif not mismatch and not state.exchange.owed and getattr(entry.event, "seat", None) is not None:
            missing = _exchange_before(course, at, turn)
            if missing is not None:
                yield Suspected(missing, 1 if at in course.hasty else TOGETHER)


def _discard_before(course: Course, at: int, drawn: CardsDrawn) -> Mistake:
    """The discard before a draw: the cards that were never played, or as many that nobody saw."""
    entry, state = course.entries[at], course.states[at]
    cards = _of_the_number(_never_played(course, at, drawn.seat), len(drawn.cards))
    reason = said(
        "{player}'s discard is missing before entry {entry}: {cards}.",
        player=name_of(state, drawn.seat),
        entry=entry.seq,
        cards=_listed(cards),
    )
    return _put_before(entry, reason, CardsDiscarded(drawn.seat, cards))


def _draw_behind(course: Course, at: int, discarded: CardsDiscarded) -> Mistake:
    """The draw behind a discard: the cards that were played and not dealt, or as many that nobody saw."""
    seat, following = discarded.seat, course.entries[at + 1]
    known = _came_later(course, at, seat) if _hand_known(course, at, seat) else 0
    cards = _of_the_number(known, len(discarded.cards))
    reason = said(
        "{player}'s draw is missing before entry {entry}: {cards}.",
        player=name_of(course.states[at], seat),
        entry=following.seq,
        cards=_listed(cards),
    )
    return _put_before(following, reason, CardsDrawn(seat, cards))


def _exchange_before(course: Course, at: int, seat: Seat) -> Mistake | None:
    """The whole exchange of a seat; None where it is not known how many cards that was."""
    if not _hand_known(course, at, seat):
        return None
    gone, came = _never_played(course, at, seat), _came_later(course, at, seat)
    if gone.bit_count() != came.bit_count():
        return None
    entry, player = course.entries[at], name_of(course.states[at], seat)
    discarded, drawn = cards_in(gone), cards_in(came)
    if not drawn:
        reason = said("That {player} stands is missing before entry {entry}.", player=player, entry=entry.seq)
        return _put_before(entry, reason, CardsDiscarded(seat, ()))
    reason = said(
        "{player}'s exchange is missing before entry {entry}: {cards}, and drawn {drawn}.",
        player=player,
        entry=entry.seq,
        cards=_listed(discarded),
        drawn=_listed(drawn),
    )
    return _put_before(entry, reason, CardsDiscarded(seat, discarded), CardsDrawn(seat, drawn))


def _put_before(entry: Entry, reason: Said, *missing: Event) -> Mistake:
    one = finding(entry.seq, "entry_missing", reason, RULE)
    return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, (*missing, entry.event)),))


def _hand_known(course: Course, at: int, seat: Seat) -> bool:
    """Whether all nine cards dealt to a seat are told, and all of them lie there before an entry."""
    return course.states[at].play.held[seat].bit_count() == HAND_SIZE


def _never_played(course: Course, at: int, seat: Seat) -> int:
    """What a seat has before an entry and plays nowhere behind it, as a mask."""
    return course.states[at].play.held[seat] & ~played_from(course.entries[at:])


def _came_later(course: Course, at: int, seat: Seat) -> int:
    """What a seat plays behind an entry and does not hold before it, as a mask."""
    own = tuple(one for one in course.entries[at:] if getattr(one.event, "seat", None) == seat)
    return played_from(own) & ~course.states[at].play.held[seat]


def _of_the_number(known: int, count: int) -> tuple[Card, ...]:
    """The known cards where there are so many of them; else so many that nobody saw."""
    return cards_in(known) if known.bit_count() == count else (HIDDEN,) * count


def _listed(cards: tuple[Card, ...]) -> Listed:
    return Listed((CODES[card] for card in cards), " ")


def trick_left_out(course: Course) -> Iterator[Suspected]:
    """A whole trick that is missing: the one card of each seat that is never played."""
    if not course.faulty:
        return
    missing = list(tricks_missing(course.entries, course.states[: course.faulty[0] + 1]))
    among = tuple(one.finding.seq for one in missing)
    for mistake in missing:
        yield Suspected(mistake, TOGETHER, TOGETHER, _gap_before(mistake), among)


def tricks_missing(entries: Log, states: Sequence[State]) -> Iterator[Mistake]:
    """The trick of the three cards that are never played, missing before each entry that begins a trick.

    ``states``: the deal before each of the first of these entries. None where more is missing than a trick,
    or it is not known which cards were never played.
    """
    if played_by(entries) != [BUT_A_TRICK] * len(SEATS):
        return
    for at, state in enumerate(states):
        turn, play = to_act(state), state.play
        if state.phase != PLAY or turn is None or play.cards or not isinstance(entries[at].event, CardPlayed):
            continue
        never = [cards_in(play.held[seat] & ~played_from(entries)) for seat in SEATS]
        if [len(cards) for cards in never] == [1] * len(SEATS) and not any(play.slots):
            seats = [Seat((turn + shift) % len(SEATS)) for shift in range(len(SEATS))]
            yield _trick_before(entries[at], tuple(CardPlayed(seat, never[seat][0]) for seat in seats))


def _trick_before(entry: Entry, trick: tuple[CardPlayed, ...]) -> Mistake:
    cards = Listed((CODES[one.card] for one in trick), " ")
    reason = said("A whole trick is missing before entry {entry}: {cards}.", entry=entry.seq, cards=cards)
    one = finding(entry.seq, "entry_missing", reason, RULE)
    return Mistake(one, (CorrectionMade(reason, (entry.seq,), None, (*trick, entry.event)),))


def _gap_before(mistake: Mistake) -> Mistake:
    """The same where the trick may as well be missing elsewhere: that something is, and no more."""
    (correction,) = mistake.corrections
    *trick, event = correction.with_
    cards = Listed((CODES[one.card] for one in trick if isinstance(one, CardPlayed)), " ")
    reason = said(
        "A whole trick is missing, before entry {entry} or elsewhere: {cards}.",
        entry=mistake.finding.seq,
        cards=cards,
    )
    one = finding(mistake.finding.seq, "entry_missing", reason, RULE)
    return Mistake(one, (replace(correction, reason=reason, with_=(GapNoted(), event)),))


def _back_from(last: int) -> range:
    """The places up to ``last`` before which a card may be missing, the last one first."""
    return range(last, max(last - BACK, 0), -1)

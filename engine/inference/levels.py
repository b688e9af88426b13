"""The two levels of evidence (DESIGN 5): what is possible as matter alone, and if the rules were kept."""

from collections.abc import Iterator

from engine.core.cards import SEATS, cards_in
from engine.inference.cases import NOTHING, Case, Level
from engine.inference.duties import Duty, ban_of, lawful
from engine.inference.matter import Reading, allowed_by
from engine.inference.places import COUNT, DRAWN, KEPT, place_of
from engine.inference.plays import MATTER_ONLY, PACK, Course
from engine.inference.searching import Budget, searched
from engine.inference.solving import Lying, joined, lying


def physical(case: Case, budget: Budget) -> Level:
    """What is possible if only the matter of the cards counts."""
    if case.slots:
        return _unbound(case) or searched(case, MATTER_ONLY, budget)
    found: Lying | None = None
    for reading in case.readings:
        found = joined(found, lying(reading, case.work))
    return _level(case, found)


def outlined(case: Case, matter: Lying | None = None) -> Level:
    """What can be, and perhaps more, where no hidden play is searched; whether any deal agrees stays open.

    ``matter`` says where the cards can lie, whatever was played when; else what no single entry excludes.
    """
    lies = _not_excluded(case) if matter is None else matter
    gone = sum(1 << card for card in case.played)
    hands = [(lies[place_of(s, KEPT)] | lies[place_of(s, DRAWN)]) & ~gone for s in SEATS]
    plays = {slot: hands[slot.seat] & slot.options for slot in case.slots}
    return Level(None, False, tuple(lies), plays, (hands[0], hands[1], hands[2]))


def _not_excluded(case: Case) -> Lying:
    allowed = allowed_by(case.claims)
    return [sum(1 << card for card, at in enumerate(allowed) if at >> place & 1) for place in range(COUNT)]


def _unbound(case: Case) -> Level | None:
    """The level where nothing tells when an unseen card was played: each can be what the hand can hold."""
    gone = 0
    for card in case.played:
        gone |= 1 << card
    found: Lying | None = None
    plays, now = dict.fromkeys(case.slots, 0), [0, 0, 0]
    for reading in case.readings:
        course, here = (
            Course(case.claims, reading, case.slots, MATTER_ONLY, case.work),
            lying(reading, case.work),
        )
        if any(window != PACK for window in course.windows.values()):
            return None
        if here is None or min(course.rest) < 0:
            continue
        found = joined(found, here)
        hands = [(here[place_of(s, KEPT)] | here[place_of(s, DRAWN)]) & ~gone for s in SEATS]
        for slot in case.slots:
            plays[slot] |= hands[slot.seat]
        for seat in SEATS:
            now[seat] |= hands[seat] if course.rest[seat] else 0
    return NOTHING if found is None else Level(True, case.seen_through, tuple(found), plays, tuple(now))


def lawful_level(case: Case, matter: Level, kept: tuple[Duty, ...]) -> Level:
    """What is possible if these duties were kept too; ``matter`` is the physical level."""
    kept = active(case, matter, kept)
    if not kept or not matter.agrees:
        return matter
    found: Lying | None = None
    for reading in kept_readings(case, kept):
        found = joined(found, lying(reading, case.work))
    return _level(case, found)


def kept_readings(case: Case, kept: tuple[Duty, ...]) -> Iterator[Reading]:
    """The readings in which these duties were kept; no deal belongs to two of them."""
    for reading in case.readings:
        for allowed in lawful(reading.allowed, kept, case.claims.table, case.played, case.work):
            yield reading._replace(allowed=allowed)


def active(case: Case, matter: Level, kept: tuple[Duty, ...]) -> tuple[Duty, ...]:
    """The duties that exclude anything: cards that compelled the seat may have been in its hand then."""
    return tuple(duty for duty in kept if _excludes(duty, case, matter))


def _excludes(duty: Duty, case: Case, matter: Level) -> bool:
    ban, seat = ban_of(duty.lead, case.claims.table), duty.seat
    in_hand = matter.places[place_of(seat, KEPT)] | matter.places[place_of(seat, DRAWN)]
    for card in cards_in((ban.never | ban.needy) & in_hand):
        laid = case.played.get(card)
        if laid is None or laid.seat != seat or laid.after(duty.trick):
            return True
    return False


def _level(case: Case, found: Lying | None) -> Level:
    if found is None:
        return NOTHING
    gone = 0
    for card in case.played:
        gone |= 1 << card
    hands = (found[place_of(seat, KEPT)] | found[place_of(seat, DRAWN)] for seat in SEATS)
    return Level(True, case.seen_through, tuple(found), {}, tuple(hand & ~gone for hand in hands))

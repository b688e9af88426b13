"""What the unseen cards of a deal can be at a point, in so little work that one can wait for it (DESIGN 5).

`engine.inference` has the parts; here they are put together as a director asks for them: each hidden card,
each hand as it stands, how many complete deals agree, and where none does, which entries cannot all be true.
What would take long is left undecided: then everything that is possible is named, and perhaps more.
"""

from typing import Final, NamedTuple

from engine.core.cards import BIT, SEATS, Card, Seat, cards_in
from engine.core.log import Log
from engine.core.message import said
from engine.core.vocabulary import Seq
from engine.core.work_budget import SECOND, Spent, Work
from engine.inference.answer import HiddenCard, hidden_cards, lying_in
from engine.inference.cases import NOTHING, Case, Level, case_of, unread
from engine.inference.claims import claims_of
from engine.inference.conflict import conflict
from engine.inference.counting import Allowance, TooMany
from engine.inference.deals import Count, Deal, Orders, how_many, seen_readings, witness
from engine.inference.evidence import Evidence, not_searched, of_case
from engine.inference.levels import outlined
from engine.inference.places import COUNT, HAND
from engine.inference.plays import MATTER_ONLY, Course, Rules
from engine.inference.searching import Budget
from engine.inference.solving import Lying, joined, lying
from engine.play.state import State

WORK: Final = 8 * SECOND // 10
"""So much work is done in all (`engine.core.work_budget`), whatever the record is like."""
STEPS: Final = 1_000
"""So many steps each search among hidden plays takes at most."""
STEPS_COUNTED: Final = 300
"""So many the count of deals takes, beside hidden plays."""
STEPS_OF_A_QUESTION: Final = 60
"""So many each question takes by which it is found which entries contradict each other."""
TOGETHER: Final = 10_000
"""So many ways to lay out cards are counted on each level."""
MOST_LOOKS: Final = 220
"""Among so many readings times what is asked of each, hidden plays are searched; else they are outlined."""
QUESTIONS: Final = 13
"""What is asked of a reading beside its hidden plays: of ten places and three hands."""
MOST_ENTRIES: Final = 500
"""A record of more entries is no deal that was played, and nothing is worked out of it."""
MOST_CONTRADICTING: Final = 60
"""Among so many readings, entries are looked for that contradict each other."""
PHYSICAL: Final = said(
    "Matter alone: the pack, how many cards were dealt, discarded and drawn, in which order, and what was "
    "seen when."
)
LAWFUL: Final = said(
    "Also every duty to follow was kept, except for the revokes that the cards prove, and who led to a trick "
    "had won the one before."
)
"""What each level assumes."""


class Holding(NamedTuple):
    """What a seat can hold at the point, and what it holds for certain, as masks; of how many cards."""

    seat: Seat
    size: int
    physical: int
    lawful: int
    certain_physical: int
    certain_lawful: int


class Unseen(NamedTuple):
    """What is proved of the unseen cards.

    ``found`` is the evidence on both levels; ``cards`` are the hidden cards of the record, ``holdings`` the
    three hands as they stand. ``physical`` and ``lawful`` say how many complete deals agree on each level.
    ``contradicting``: entries whose cards cannot all be true, where no deal agrees, each of them needed to
    see it; None where that was not looked for.
    """

    found: Evidence
    cards: tuple[HiddenCard, ...]
    holdings: tuple[Holding, ...]
    physical: Count
    lawful: Count
    contradicting: tuple[Seq, ...] | None

    def witness(self, lawful: bool) -> Deal | None:
        """One complete deal that agrees on a level; None where none does, or none was found."""
        return witness(self.found, lawful)


def unseen(entries: Log, state: State, work: Work | None = None) -> Unseen:
    """What the entries of an effective history prove; ``state`` is the fold of just these.

    ``work`` bounds it, else `WORK` does; what is not found by then is not `decided`.
    """
    found = _evidence(entries, state, Work(WORK) if work is None else work)
    return Unseen(
        found,
        hidden_cards(found, entries),
        tuple(_holding(found, seat, state) for seat in SEATS),
        _counted(found, lawful=False),
        _counted(found, lawful=True),
        _contradicting(found),
    )


def level_of(card: HiddenCard) -> str | None:
    """On which level a hidden card can be but one: as matter alone, by the rules too, on neither (None)."""
    if card.physical.bit_count() == 1:
        return "physical"
    return "lawful" if card.lawful.bit_count() == 1 else None


def countable(entries: Log, state: State, work: Work | None = None) -> bool:
    """Whether the lawful deals that agree with the entries can be counted in time: they can be drawn then."""
    found = _evidence(entries, state, Work(WORK) if work is None else work)
    return not found.case.slots or _counted(found, lawful=True).exact


def _evidence(entries: Log, state: State, work: Work) -> Evidence:
    claims = claims_of(entries, state)
    try:
        return _searched(case_of(claims, work), searchable=len(entries) <= MOST_ENTRIES)
    except Spent:
        return not_searched(unread(claims, work), STEPS)


def _searched(case: Case, *, searchable: bool) -> Evidence:
    """What a case proves; only in outline where its plays are hidden in too many readings."""
    if searchable and not case.slots:
        return of_case(case, STEPS)
    try:
        matter = _matter(case)
    except Spent:
        return not_searched(case, STEPS)
    if searchable and _looks(case, matter) <= MOST_LOOKS:
        return of_case(case, STEPS)
    level = _outline(case, matter)
    return Evidence(case, level, level, (), STEPS)


def _matter(case: Case) -> list[Lying]:
    """Where the cards can lie as matter, in each reading that can be, whatever was played when."""
    found = (lying(reading, case.work) for reading in case.readings)
    return [one for one in found if one is not None]


def _looks(case: Case, matter: list[Lying]) -> int:
    """In how many readings so many questions are asked of the hidden plays."""
    return len(matter) * (QUESTIONS + len(case.slots))


def _outline(case: Case, matter: list[Lying]) -> Level:
    """What matter leaves open, whatever was played when: everything that is possible, and more."""
    found: Lying | None = None
    for one in matter:
        found = joined(found, one)
    return NOTHING if found is None else outlined(case, found)


def _holding(found: Evidence, seat: Seat, state: State) -> Holding:
    play, levels = state.play, (found.physical, found.lawful)
    count = play.held[seat].bit_count() + len(play.slots[seat])
    if not count:
        return Holding(seat, 0, 0, 0, 0, 0)
    # What is missing may have been played.
    sure = found.claims.course_known and not state.incomplete
    certain = (_certain(level, seat) if sure else 0 for level in levels)
    return Holding(seat, count, *(level.now[seat] for level in levels), *certain)


def _certain(level: Level, seat: Seat) -> int:
    """The cards that can be nowhere but in the hand of ``seat`` now."""
    elsewhere = lying_in(level, ((1 << COUNT) - 1) & ~HAND[seat])
    for cards in level.plays.values():
        elsewhere |= cards
    return level.now[seat] & ~elsewhere


# --- How many deals -------------------------------------------------------------------------------


def _counted(found: Evidence, lawful: bool) -> Count:
    """How many complete deals agree, where they can be counted in time; else bounds."""
    level = found.lawful if lawful else found.physical
    least = 1 if level.agrees else 0
    if level.agrees is False:
        return Count(0, 0)
    if not level.decided and not found.case.slots:
        return Count(least, None)
    if not found.case.slots:
        return _counted_seen(found, lawful)
    if _is_outlined(found):
        return Count(least, None)
    # In no step at all: what is known without going through the hidden plays.
    bounds = how_many(found._replace(steps=0), lawful)
    if bounds.exact:
        return bounds
    total = _gone_through(found.case, found.rules if lawful else MATTER_ONLY)
    return Count(max(least, bounds.least), bounds.most) if total is None else Count(total, total)


def _is_outlined(found: Evidence) -> bool:
    return found.physical.agrees is None and found.physical is found.lawful


def _counted_seen(found: Evidence, lawful: bool) -> Count:
    allowance, total = Allowance(TOGETHER, found.case.work), 0
    try:
        for reading in seen_readings(found, lawful):
            total += allowance.fillings(reading).total
    except (Spent, TooMany):
        return Count(max(total, 1), None)
    return Count(total, total)


def _gone_through(case: Case, rules: Rules) -> int | None:
    """The deals, gone through hidden play after hidden play; None where that takes too long."""
    budget, allowance, total = Budget(STEPS_COUNTED), Allowance(TOGETHER, case.work), 0
    try:
        for reading in case.readings:
            if lying(reading, case.work) is not None:
                course = Course(case.claims, reading, case.slots, rules, case.work)
                total += Orders(course, budget, allowance).beside({}, 0)
    except (Spent, TooMany):
        return None
    return total


def shares(made: Unseen, seq: Seq) -> tuple[tuple[Card, int | None], ...] | None:
    """In how many lawful deals the hidden card played at ``seq`` is each of those that it can be.

    None for a number that takes too long to count, and instead of all where no hidden card was played there.
    """
    case = made.found.case
    place = next((at for at, slot in enumerate(case.slots) if slot.seq == seq), None)
    if place is None:
        return None
    slot, told = case.slots[place], list[tuple[Card, int | None]]()
    for card in cards_in(made.found.lawful.plays.get(slot, 0)):
        # The same case, but that this one card is known: no more work than the whole count.
        known = (*case.slots[:place], slot._replace(options=BIT[card]), *case.slots[place + 1 :])
        counted = made.lawful.exact and made.found.lawful.agrees
        rules = made.found.rules
        told.append((card, _gone_through(case._replace(slots=known), rules) if counted else None))
    return tuple(told)


# --- Where none agrees ----------------------------------------------------------------------------


def _contradicting(found: Evidence) -> tuple[Seq, ...] | None:
    """Entries whose cards cannot all be true on the first level on which no deal agrees."""
    if found.physical.agrees is not False and found.lawful.agrees is not False:
        return ()
    if len(found.case.readings) > MOST_CONTRADICTING:
        return None
    rules = MATTER_ONLY if found.physical.agrees is False else found.rules
    try:
        return conflict(found.claims, rules, STEPS_OF_A_QUESTION, found.case.work)
    except Spent:
        return None

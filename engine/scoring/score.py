"""``score``: what a deal pays as far as the record goes, and why (DESIGN 5)."""

from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, SEATS, Seat
from engine.play.all_pass import passed_out
from engine.play.giving_up import given_up_as
from engine.play.outcomes import BETE, CODILLE, WON, courses, is_open, outcome_of
from engine.play.slam import (
    MADE,
    OPEN,
    ends_of_lost_slam,
    first_five,
    game_still_open,
    lost_early,
    of_lost_slam,
    slam_tried,
)
from engine.play.state import PLAY, State
from engine.play.surrender import accepted, forbidden
from engine.play.tricks import LAST_TRICK
from engine.rulesets.model import Contract
from engine.scoring.estuches import estuches
from engine.scoring.fouls import forfeited
from engine.scoring.new_ombre import BothPaid, Stakes, both_paid, first_outcome
from engine.scoring.payments import Chips, Course, Item, Paid, PoolCount, nothing, paid, set_aside
from engine.scoring.slips import End, ends_by_slip

Prospect = tuple[tuple[str, int | None], ...]
"""What an outcome would pay each; None where that depends on how the tricks fall."""


class Score(NamedTuple):
    """What the deal pays; while it is undecided, what each outcome still open would pay."""

    decided: bool
    outcome: str | None
    contract: str | None
    declarer: Seat | None
    tricks: tuple[int, int, int]
    slam: str | None
    payments: Chips | None
    pool: PoolCount | None
    items: tuple[Item, ...]
    reachable: tuple[tuple[str, Prospect], ...]
    parts: "tuple[Score, ...]" = ()
    """Where the declarer changed, what each of the two pays or is paid (RULES 8)."""


class Standing(NamedTuple):
    """Who plays what, how the tricks stand and how many are open."""

    declarer: Seat | None
    contract_id: str | None
    contract: Contract | None
    tricks: tuple[int, int, int]
    left: int


Outcomes = list[tuple[str, Paid]]
DECIDABLE: Final = (WON, BETE, CODILLE)


def brief_score(state: State) -> Score:
    """``score``, sooner, where it does not matter what an undecided deal can still come to."""
    return score(state, brief=state.ending.result is None)


def score(state: State, *, brief: bool = False) -> Score:
    """What the deal pays, decided as soon as no continuation can change it (RULES 6, 7, 8).

    With ``brief`` it is not gone into what an undecided deal can still come to.
    """
    stands = standing(state)
    ending = state.ending
    if ending.voided:
        return _settled(state, stands, "voided", Paid(nothing(shares(state)), (), _pool_untouched(state)))
    if ending.ruling is not None:
        return _with_parts(state, stands, _ruled(state, stands))
    if state.opening.rules.known and stands.declarer is None and passed_out(state):
        return _settled(state, stands, "passed_out", Paid(nothing(shares(state)), (), _pool_untouched(state)))
    if ending.abandoned is not None:
        return _with_parts(state, stands, _abandoned(state, stands))
    if accepted(state):
        due = _pays(state, stands, BETE, stands.tricks)
        return _undecided(stands) if due is None else _settled(state, stands, BETE, due)
    from_cards = _by_tricks(state, stands, brief)
    if not from_cards.decided and ending.result is not None:
        from_cards = _by_result(state, stands, from_cards)
    return _with_parts(state, stands, from_cards)


def standing(state: State) -> Standing:
    """How the deal stands by its cards, with declarer and contract from a slip where only it knows them."""
    bargain, result, claim = state.bargain, state.ending.result, state.ending.claim
    declarer, contract_id, contract = bargain.declarer, bargain.contract_id, bargain.contract
    if result is not None and declarer is None:
        declarer = result.declarer
    if result is not None and contract_id is None and result.contract is not None:
        contract_id, contract = result.contract, state.opening.rules.contracts.get(result.contract)
    tricks, left = state.play.won, LAST_TRICK - sum(state.play.won)
    if claim is not None and claim.accepted == 0b111:
        tricks, left = claim.tricks, max(LAST_TRICK - sum(claim.tricks), 0)
    return Standing(declarer, contract_id, contract, tricks, left)


def shares(state: State) -> tuple[str, ...]:
    """The players sitting out who pay and receive as opponents, where the rules or the table say so."""
    return state.opening.players.sitting_out if state.opening.rules.ruleset.sitter_pays else ()


def _pool(state: State) -> tuple[int | None, tuple[int, ...]]:
    opened = state.opening.opened
    return (None, ()) if opened is None else (opened.pool, opened.reserved)


def _pool_untouched(state: State) -> PoolCount | None:
    pool, reserved = _pool(state)
    return None if pool is None else PoolCount(pool, pool, reserved)


def _settled(
    state: State, stands: Standing, outcome: str | None, due: Paid, slam: str | None = None
) -> Score:
    return Score(
        True,
        outcome,
        stands.contract_id,
        stands.declarer,
        stands.tricks,
        slam,
        due.payments,
        due.pool,
        due.items,
        (),
    )


def _undecided(stands: Standing, reachable: tuple[tuple[str, Prospect], ...] = ()) -> Score:
    return Score(
        False, None, stands.contract_id, stands.declarer, stands.tricks, None, None, None, (), reachable
    )


def _pays(
    state: State, stands: Standing, outcome: str, tricks: tuple[int, int, int], slam: str | None = None
) -> Paid | None:
    """What ``outcome`` pays; None where the rules, or the record, leave it open."""
    if stands.declarer is None or stands.contract is None:
        return None
    if forbidden(state) is not None:
        both = _both_paid(state, stands, outcome)
        return None if both is None else both.whole
    result, honours = state.ending.result, 0
    game = stands.contract.aim == "game"
    primeras = game and first_five(state, stands.declarer)
    if game and result is not None and not primeras and not lost_early(state, stands.declarer):
        primeras = bool(result.primeras)
    terms = state.opening.rules.ruleset.pool
    if terms is not None and outcome == WON and game:
        counted = None if state.phase < PLAY else estuches(state, stands.declarer, terms.estuches_most)
        if result is not None and (counted is None or state.phase < PLAY):
            counted = min(result.estuches or 0, terms.estuches_most)
        if counted is None or primeras is None:
            return None
        honours = counted
    course = Course(stands.declarer, stands.contract, tricks, outcome, slam, bool(primeras), honours)
    due = paid(course, state.opening.rules, *_pool(state), shares(state))
    aside = due is not None and outcome == BETE and slam is None and _aside(state)
    return set_aside(due) if due is not None and aside else due


def _aside(state: State) -> bool:
    """Whether a puesta is set aside: the loser says so, or the pool is as large as agreed (RULES 8)."""
    terms, (pool, _) = state.opening.rules.ruleset.pool, _pool(state)
    agreed = terms is not None and 0 < terms.reserve_at <= (pool or 0)
    return agreed or state.ending.set_aside


def _both_paid(state: State, stands: Standing, outcome: str | None) -> BothPaid | None:
    """What the first and the new Ombre pay where a surrender was forbidden."""
    surrender = forbidden(state)
    if surrender is None or stands.contract is None or stands.declarer is None or outcome is None:
        return None
    stakes = Stakes(*_pool(state), shares(state), _aside(state))
    return both_paid(stands.contract, surrender.seat, stands.declarer, outcome, state.opening.rules, stakes)


def _with_parts(state: State, stands: Standing, whole: Score) -> Score:
    """The score of a deal; where a surrender was forbidden, with the parts of both declarers."""
    surrender = forbidden(state)
    if surrender is None or not state.opening.rules.bases:
        return whole
    both = _both_paid(state, stands, whole.outcome) if whole.decided else None
    if both is not None and both.whole.payments != whole.payments:
        both = None  # the director ruled something else
    first = whole._replace(declarer=surrender.seat, outcome=first_outcome(whole.outcome), reachable=())
    second = whole._replace(reachable=())
    if both is None:
        unpaid = [one._replace(payments=None, items=(), pool=None) for one in (first, second)]
        return whole._replace(parts=tuple(unpaid))
    first = first._replace(payments=both.first.payments, items=both.first.items, pool=both.first.pool)
    second = second._replace(payments=both.second.payments, items=both.second.items, pool=both.second.pool)
    return whole._replace(parts=(first, second))


def extras_by_cards(state: State) -> tuple[bool | None, int | None]:
    """Whether the first five tricks were the declarer's, and his estuches, as far as the cards tell."""
    declarer, terms = state.bargain.declarer, state.opening.rules.ruleset.pool
    if declarer is None or terms is None or state.phase < PLAY:
        return None, None
    primeras = False if lost_early(state, declarer) else (first_five(state, declarer) or None)
    return primeras, estuches(state, declarer, terms.estuches_most)


def _by_tricks(state: State, stands: Standing, brief: bool = False) -> Score:
    """The score by the tricks: every way in which they can still fall is tried.

    With ``brief`` only until two of them come to different outcomes, or pay differently.
    """
    if stands.declarer is None or stands.contract is None:
        return _undecided(stands)
    slam = slam_tried(state, stands.declarer)
    if slam is not None and not game_still_open(state, stands.declarer, slam):
        return _by_slam(state, stands, stands.declarer, slam)
    mine, first, second = _from_declarer(stands.tricks, stands.declarer)
    rules = state.opening.rules.ruleset
    if brief and is_open(mine, first, second, stands.left, stands.contract, rules):
        return _undecided(stands)
    found: dict[str, Paid] = {}
    open_to: dict[str, Prospect] = {}
    unknown = _unknown(state)
    unpaid = graded = False
    for course in courses(mine, first, second, stands.left, stands.contract):
        outcome = outcome_of(*course, stands.contract, rules)
        failed = "failed" if slam is not None and outcome == WON else None
        due = _pays(state, stands, outcome, _by_seat(course, stands.declarer), failed)
        name = outcome if failed is None else "slam_failed"
        if due is None:
            unpaid = True
            open_to[name] = unknown
        elif found.setdefault(name, due).payments != due.payments:
            graded = True
            open_to[name] = _in_common(open_to.get(name, found[name].payments), due.payments)
        if brief and (unpaid or graded or len(found) > 1):
            return _undecided(stands)
    primeras_open = WON in found and _primeras_open(state, stands)
    if len(found) == 1 and not unpaid and not graded and not primeras_open and slam != OPEN:
        name, due = next(iter(found.items()))
        if name == "slam_failed":
            return _settled(state, stands, WON, due, "failed")
        return _settled(state, stands, name, due)
    if primeras_open:
        open_to[WON] = unknown
    prospects = {name: due.payments for name, due in found.items()} | open_to
    if slam == OPEN:
        prospects = {"slam_made": _prospect(state, stands, WON, "made"), **prospects}
    return _undecided(stands, tuple(prospects.items()))


def _prospect(state: State, stands: Standing, outcome: str, slam: str | None) -> Prospect:
    """What one end would pay; null for everybody where that is not known."""
    due = _pays(state, stands, outcome, stands.tricks, slam)
    return _unknown(state) if due is None else due.payments


def _unknown(state: State) -> Prospect:
    """What nobody knows yet, for everybody who pays or receives."""
    return tuple((name, None) for name, _ in nothing(shares(state)))


def _in_common(first: Prospect, second: Prospect) -> Prospect:
    """What two courses with the same outcome pay alike; None where they pay differently."""
    other = dict(second)
    return tuple((name, chips if other[name] == chips else None) for name, chips in first)


def _primeras_open(state: State, stands: Standing) -> bool:
    """Whether the first five tricks may still all fall to the declarer, and are paid for (RULES 8)."""
    contract, tricks = stands.contract, state.play.tricks
    if state.opening.rules.ruleset.pool is None or contract is None or contract.aim != "game":
        return False
    if forbidden(state) is not None or stands.left == 0 or len(tricks) >= 5:
        return False
    return all(trick.winner == stands.declarer for trick in tricks)


def _from_declarer(tricks: tuple[int, int, int], declarer: Seat) -> tuple[int, int, int]:
    return tricks[declarer], tricks[(declarer + 1) % 3], tricks[(declarer + 2) % 3]


def _by_seat(course: tuple[int, int, int], declarer: Seat) -> tuple[int, int, int]:
    tricks = [0, 0, 0]
    for step, count in enumerate(course):
        tricks[(declarer + step) % 3] = count
    return tricks[0], tricks[1], tricks[2]


def _by_slam(state: State, stands: Standing, declarer: Seat, slam: str) -> Score:
    if slam != OPEN:
        outcome = WON if slam == MADE else of_lost_slam(state, declarer)
        due = _pays(state, stands, outcome, stands.tricks, slam)
        return _undecided(stands) if due is None else _settled(state, stands, outcome, due, slam)
    prospects: dict[str, Prospect] = {}
    ends = [("slam_made", WON, "made")]
    ends += [("slam_failed", outcome, "failed") for outcome in ends_of_lost_slam(state, declarer)]
    for name, outcome, end in ends:
        payments = _prospect(state, stands, outcome, end)
        prospects[name] = _in_common(prospects.get(name, payments), payments)
    return _undecided(stands, tuple(prospects.items()))


def _abandoned(state: State, stands: Standing) -> Score:
    assert state.ending.abandoned is not None
    outcome = given_up_as(state, state.ending.abandoned[0])
    due = None if outcome is None else _pays(state, stands, outcome, _at_least_lost(stands))
    if due is None or outcome is None:
        return _undecided(stands)
    label = f"given up, paid as {'bête' if outcome == BETE else 'kodille'}"
    items = (
        *due.items[:-1],
        due.items[-1]._replace(label=f"{due.items[-1].label}: {label}", rule="6. Giving up"),
    )
    return _settled(state, stands, "abandoned", due._replace(items=items))


def _at_least_lost(stands: Standing) -> tuple[int, int, int]:
    """The tricks that giving up as kodille is paid by: those that there are, and as many as make it one."""
    if stands.contract is None or stands.declarer is None:
        return stands.tricks
    tricks = list(stands.tricks)
    tricks[stands.declarer] = max(tricks[stands.declarer], stands.contract.codille_from or 0)
    return tricks[0], tricks[1], tricks[2]


def _ruled(state: State, stands: Standing) -> Score:
    """The director's ruling: his payments, or those of the outcome he states."""
    ruling = state.ending.ruling
    assert ruling is not None
    if ruling.payments:
        payments = _named(state, ruling.payments)
        as_ruled = (Item("as the director ruled", 0, "9. Ruling"),)
        stated = None if state.ending.result is None else state.ending.result.outcome
        outcome = ruling.outcome or _by_tricks(state, stands).outcome or stated
        taken = sum(chips for _, chips in payments)
        counted = _pool_untouched(state)
        if counted is not None:
            counted = counted._replace(after=max(counted.before - taken, 0))
        return _settled(state, stands, outcome, Paid(payments, as_ruled, counted))
    if ruling.outcome == "abandoned":
        abandoned = state.ending.abandoned
        pays = BETE if abandoned is None else given_up_as(state, abandoned[0]) or BETE
        given_up = _pays(state, stands, pays, _at_least_lost(stands))
        return _undecided(stands) if given_up is None else _settled(state, stands, "abandoned", given_up)
    if ruling.outcome in DECIDABLE:
        ruled = _pays(state, stands, ruling.outcome, stands.tricks)
        if ruled is not None:
            return _settled(state, stands, ruling.outcome, ruled)
        if stands.declarer is not None and stands.contract is not None:
            return _undecided(stands, ((ruling.outcome, _unknown(state)),))
    if ruling.outcome == "forfeited":
        due = forfeited(state, stands.declarer, stands.contract, ruling.at_fault, shares(state))
        return _undecided(stands) if due is None else _settled(state, stands, ruling.outcome, due)
    if ruling.outcome in ("voided", "passed_out"):
        return _settled(
            state, stands, ruling.outcome, Paid(nothing(shares(state)), (), _pool_untouched(state))
        )
    return _undecided(stands)


def seats_by_name(state: State) -> dict[str, str]:
    """The seat of each player by his name; who took a hand over beside who bid it (RULES 9)."""
    seats = {state.opening.players.at(seat): SEAT_NAMES[seat] for seat in SEATS}
    taken = {name: SEAT_NAMES[seat] for seat, name in enumerate(state.ending.taken_over) if name is not None}
    return {**seats, **taken}


def _named(state: State, payments: Chips) -> Chips:
    """Payments by seat: those to players by name are laid to their seats."""
    seats = seats_by_name(state)
    chips = dict(nothing())
    for name, amount in payments:
        key = name if name in chips else seats.get(name, name)
        chips[key] = chips.get(key, 0) + amount
    return tuple(chips.items())


def _by_result(state: State, stands: Standing, from_cards: Score) -> Score:
    """What a slip adds: its outcome, or the outcome of its tricks."""
    result = state.ending.result
    assert result is not None
    if result.outcome in ("passed_out", "voided"):
        return _settled(
            state, stands, result.outcome, Paid(nothing(shares(state)), (), _pool_untouched(state))
        )
    declarer, contract = stands.declarer, stands.contract
    if result.tricks:
        counts = dict(result.tricks)
        told = (counts.get(SEATS[0], 0), counts.get(SEATS[1], 0), counts.get(SEATS[2], 0))
        stands = stands._replace(tricks=told)
    ends: tuple[End, ...] = ()
    if declarer is not None and contract is not None:
        ends = ends_by_slip(state, declarer, contract, result)
    if not ends:
        return from_cards
    if len(ends) == 1:
        (end,) = ends
        given_up = result.outcome == "abandoned"
        tricks = _at_least_lost(stands) if given_up else stands.tricks
        due = _pays(state, stands, end.outcome, tricks, end.slam)
        if due is not None:
            stated = "abandoned" if given_up else end.outcome
            return _settled(state, stands, stated, due, end.slam)
    prospects: dict[str, Prospect] = {}
    for end in ends:
        payments = _prospect(state, stands, end.outcome, end.slam)
        prospects[end.name] = _in_common(prospects.get(end.name, payments), payments)
    return _undecided(stands, tuple(prospects.items()))

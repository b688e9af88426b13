"""What a deal pays as far as it is recorded, and why (DESIGN 5)."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.core.cards import SEAT_NAMES, SEATS, BySeat, Seat
from engine.core.message import format_message
from engine.play.all_pass import is_passed_out
from engine.play.giving_up import giving_up_outcome
from engine.play.outcomes import BETE, CODILLE, WON, deal_outcome, is_outcome_open, possible_trick_counts
from engine.play.slam import (
    SLAM_MADE,
    SLAM_OPEN,
    has_lost_early_trick,
    has_won_first_five,
    is_game_still_open,
    lost_slam_outcome,
    possible_lost_slam_outcomes,
    slam_status,
)
from engine.play.state import PLAY, State
from engine.play.surrender import forbidden_surrender, is_surrender_accepted
from engine.play.tricks import LAST_TRICK
from engine.rulesets.model import Contract
from engine.scoring.estuches import count_estuches
from engine.scoring.payments import (
    FinishedDeal,
    PaymentItem,
    Payments,
    Payout,
    PoolChange,
    Stakes,
    SurrenderPayouts,
    add_by_name,
    compute_payout,
    compute_surrender_payouts,
    first_ombre_outcome,
    forfeit_payout,
    set_puesta_aside,
)
from engine.scoring.result_slips import PossibleEnding, possible_endings

ProspectivePayments = tuple[tuple[str, int | None], ...]
"""What an outcome would pay each; None where that depends on how the tricks fall."""


class Score(NamedTuple):
    """What the deal pays; while it is undecided, what each outcome still open would pay."""

    decided: bool
    outcome: str | None
    contract: str | None
    declarer: Seat | None
    tricks: BySeat[int]
    slam: str | None
    payments: Payments | None
    pool: PoolChange | None
    items: tuple[PaymentItem, ...]
    reachable: tuple[tuple[str, ProspectivePayments], ...]
    parts: "tuple[Score, ...]" = ()
    """Where the declarer changed, what each of the two pays or is paid (RULES 8)."""


class DealStanding(NamedTuple):
    """Who plays what, how the tricks stand and how many are open."""

    declarer: Seat | None
    contract_id: str | None
    contract: Contract | None
    tricks: BySeat[int]
    tricks_left: int


TRICK_OUTCOMES: Final = (WON, BETE, CODILLE)


def brief_score(state: State) -> Score:
    """`score` without what an undecided deal can still come to, which is faster."""
    return score(state, brief=state.ending.result is None)


def score(state: State, *, brief: bool = False) -> Score:
    """What the deal pays, decided as soon as no continuation can change it (RULES 6, 7, 8).

    With ``brief``, what an undecided deal can still come to is left out.
    """
    standing = deal_standing(state)
    ending = state.ending
    if ending.is_voided:
        return _unpaid_score(state, standing, "voided")
    if ending.ruling is not None:
        return _add_parts(state, standing, _score_ruled(state, standing))
    if state.opening.rules.is_known and standing.declarer is None and is_passed_out(state):
        return _unpaid_score(state, standing, "passed_out")
    if ending.abandonment is not None:
        return _add_parts(state, standing, _score_abandoned(state, standing))
    if is_surrender_accepted(state):
        return _paid_score(standing, BETE, _outcome_payout(state, standing, BETE, standing.tricks))
    from_cards = _score_by_tricks(state, standing, brief)
    if not from_cards.decided and ending.result is not None:
        from_cards = _score_by_result(state, standing, from_cards)
    return _add_parts(state, standing, from_cards)


def deal_standing(state: State) -> DealStanding:
    """How the deal stands by its cards, with declarer and contract from a slip where only it knows them."""
    contract_state, result, claim = state.contract_state, state.ending.result, state.ending.claim
    declarer, contract_id, contract, *_ = contract_state
    if result is not None and declarer is None:
        declarer = result.declarer
    if result is not None and contract_id is None and result.contract is not None:
        contract_id, contract = result.contract, state.opening.rules.contracts.get(result.contract)
    tricks, left = state.play.tricks_won, LAST_TRICK - sum(state.play.tricks_won)
    if claim is not None and claim.accepted_seats == 0b111:
        tricks, left = claim.tricks, max(LAST_TRICK - sum(claim.tricks), 0)
    return DealStanding(declarer, contract_id, contract, tricks, left)


def paying_sitters(state: State) -> tuple[str, ...]:
    """The players sitting out who pay and receive as opponents, where the rules or the table say so."""
    return state.opening.players.sitting_out if state.opening.rules.ruleset.sitter_pays else ()


def _stakes(state: State) -> Stakes:
    """What the deal is played for: nothing of the pool where nobody recorded it."""
    opening, sitters = state.opening.event, paying_sitters(state)
    return Stakes(None, (), sitters) if opening is None else Stakes(opening.pool, opening.reserved, sitters)


def _unpaid_score(state: State, standing: DealStanding, outcome: str) -> Score:
    """An end at which nobody pays, and the pool stays."""
    stakes = _stakes(state)
    return _paid_score(standing, outcome, Payout(stakes.zero_payments(), (), stakes.unchanged_pool()))


def _paid_score(
    standing: DealStanding, outcome: str | None, payout: Payout | None, slam: str | None = None
) -> Score:
    """A deal that has come to an outcome; undecided where nobody knows what that pays."""
    if payout is None:
        return _undecided_score(standing)
    payments, items, pool = payout
    declarer, contract_id, _, tricks, _ = standing
    return Score(True, outcome, contract_id, declarer, tricks, slam, payments, pool, items, ())


def _undecided_score(
    standing: DealStanding, reachable: tuple[tuple[str, ProspectivePayments], ...] = ()
) -> Score:
    return Score(
        False, None, standing.contract_id, standing.declarer, standing.tricks, None, None, None, (), reachable
    )


def _outcome_payout(
    state: State, standing: DealStanding, outcome: str, tricks: BySeat[int], slam: str | None = None
) -> Payout | None:
    """What ``outcome`` pays; None where the rules, or the record, leave it open."""
    if standing.declarer is None or standing.contract is None:
        return None
    if forbidden_surrender(state) is not None:
        surrender_payouts = _surrender_payouts(state, standing, outcome)
        return None if surrender_payouts is None else surrender_payouts.total
    result, honours = state.ending.result, 0
    game = standing.contract.aim == "game"
    primeras = game and has_won_first_five(state, standing.declarer)
    if game and result is not None and not primeras and not has_lost_early_trick(state, standing.declarer):
        primeras = bool(result.primeras)
    terms = state.opening.rules.ruleset.pool
    if terms is not None and outcome == WON and game:
        counted = (
            None if state.phase < PLAY else count_estuches(state, standing.declarer, terms.estuches_most)
        )
        if result is not None and (counted is None or state.phase < PLAY):
            counted = min(result.estuches or 0, terms.estuches_most)
        if counted is None or primeras is None:
            return None
        honours = counted
    deal = FinishedDeal(standing.declarer, standing.contract, tricks, outcome, slam, bool(primeras), honours)
    payout = compute_payout(deal, state.opening.rules, _stakes(state))
    is_set_aside = payout is not None and outcome == BETE and slam is None and _is_puesta_set_aside(state)
    return set_puesta_aside(payout) if payout is not None and is_set_aside else payout


def _is_puesta_set_aside(state: State) -> bool:
    """Whether a puesta is set aside: the loser says so, or the pool is as large as agreed (RULES 8)."""
    terms = state.opening.rules.ruleset.pool
    agreed = terms is not None and 0 < terms.reserve_at <= (_stakes(state).pool or 0)
    return agreed or state.ending.is_puesta_set_aside


def _surrender_payouts(state: State, standing: DealStanding, outcome: str | None) -> SurrenderPayouts | None:
    """What the first and the new Ombre pay where a surrender was forbidden."""
    surrender = forbidden_surrender(state)
    if surrender is None or standing.contract is None or standing.declarer is None or outcome is None:
        return None
    return compute_surrender_payouts(
        standing.contract,
        surrender.seat,
        standing.declarer,
        outcome,
        state.opening.rules,
        _stakes(state),
        _is_puesta_set_aside(state),
    )


def _add_parts(state: State, standing: DealStanding, whole: Score) -> Score:
    """The score of a deal; where a surrender was forbidden, with the parts of both declarers."""
    surrender = forbidden_surrender(state)
    if surrender is None or not state.opening.rules.pool_bases:
        return whole
    payouts = _surrender_payouts(state, standing, whole.outcome) if whole.decided else None
    second = whole._replace(payments=None, items=(), pool=None, reachable=())
    first = second._replace(declarer=surrender.seat, outcome=first_ombre_outcome(whole.outcome))
    if payouts is not None and payouts.total.payments == whole.payments:  # no director ruled otherwise
        first = first._replace(**payouts.first_ombre._asdict())
        second = second._replace(**payouts.new_ombre._asdict())
    return whole._replace(parts=(first, second))


def extras_from_cards(state: State) -> tuple[bool | None, int | None]:
    """Whether declarer won the first five tricks, and the estuches, as far as the cards show."""
    declarer, terms = state.contract_state.declarer, state.opening.rules.ruleset.pool
    if declarer is None or terms is None or state.phase < PLAY:
        return None, None
    primeras = (
        False if has_lost_early_trick(state, declarer) else (has_won_first_five(state, declarer) or None)
    )
    return primeras, count_estuches(state, declarer, terms.estuches_most)


def _score_by_tricks(state: State, standing: DealStanding, brief: bool = False) -> Score:
    """The score by the tricks: every way in which they can still fall is tried.

    With ``brief`` only until two of them come to different outcomes, or pay differently.
    """
    if standing.declarer is None or standing.contract is None:
        return _undecided_score(standing)
    slam = slam_status(state, standing.declarer)
    if slam is not None and not is_game_still_open(state, standing.declarer, slam):
        return _score_by_slam(state, standing, standing.declarer, slam)
    declarer_tricks, first, second = _tricks_from_declarer(standing.tricks, standing.declarer)
    rules = state.opening.rules.ruleset
    if brief and is_outcome_open(
        declarer_tricks, first, second, standing.tricks_left, standing.contract, rules
    ):
        return _undecided_score(standing)
    payouts: dict[str, Payout] = {}
    open_to: dict[str, ProspectivePayments] = {}
    unknown = _unknown_payments(state)
    unpaid = graded = False
    for tricks in possible_trick_counts(
        declarer_tricks, first, second, standing.tricks_left, standing.contract
    ):
        outcome = deal_outcome(*tricks, standing.contract, rules)
        failed = "failed" if slam is not None and outcome == WON else None
        payout = _outcome_payout(state, standing, outcome, _tricks_by_seat(tricks, standing.declarer), failed)
        name = outcome if failed is None else "slam_failed"
        if payout is None:
            unpaid = True
            open_to[name] = unknown
        elif payouts.setdefault(name, payout).payments != payout.payments:
            graded = True
            open_to[name] = _common_payments(open_to.get(name, payouts[name].payments), payout.payments)
        if brief and (unpaid or graded or len(payouts) > 1):
            return _undecided_score(standing)
    primeras_open = WON in payouts and _are_primeras_open(state, standing)
    if len(payouts) == 1 and not unpaid and not graded and not primeras_open and slam != SLAM_OPEN:
        name, payout = next(iter(payouts.items()))
        if name == "slam_failed":
            return _paid_score(standing, WON, payout, "failed")
        return _paid_score(standing, name, payout)
    if primeras_open:
        open_to[WON] = unknown
    prospects = {name: payout.payments for name, payout in payouts.items()} | open_to
    if slam == SLAM_OPEN:
        prospects = {"slam_made": _prospective_payments(state, standing, WON, "made"), **prospects}
    return _undecided_score(standing, tuple(prospects.items()))


def _prospective_payments(
    state: State, standing: DealStanding, outcome: str, slam: str | None
) -> ProspectivePayments:
    """What one end would pay; null for everybody where that is not known."""
    payout = _outcome_payout(state, standing, outcome, standing.tricks, slam)
    return _unknown_payments(state) if payout is None else payout.payments


def _unknown_payments(state: State) -> ProspectivePayments:
    """What nobody knows yet, for everybody who pays or receives."""
    return tuple((name, None) for name, _ in _stakes(state).zero_payments())


def _common_payments(first: ProspectivePayments, second: ProspectivePayments) -> ProspectivePayments:
    """What two courses with the same outcome pay alike; None where they pay differently."""
    other = dict(second)
    return tuple((name, chips if other[name] == chips else None) for name, chips in first)


def _are_primeras_open(state: State, standing: DealStanding) -> bool:
    """Whether the first five tricks may still all fall to the declarer, and are paid for (RULES 8)."""
    contract, tricks = standing.contract, state.play.tricks
    if state.opening.rules.ruleset.pool is None or contract is None or contract.aim != "game":
        return False
    if forbidden_surrender(state) is not None or standing.tricks_left == 0 or len(tricks) >= 5:
        return False
    return all(trick.winner == standing.declarer for trick in tricks)


def _tricks_from_declarer(tricks: BySeat[int], declarer: Seat) -> BySeat[int]:
    return tricks[declarer], tricks[(declarer + 1) % 3], tricks[(declarer + 2) % 3]


def _tricks_by_seat(counts: BySeat[int], declarer: Seat) -> BySeat[int]:
    tricks = [0, 0, 0]
    for step, count in enumerate(counts):
        tricks[(declarer + step) % 3] = count
    return tricks[0], tricks[1], tricks[2]


def _score_by_slam(state: State, standing: DealStanding, declarer: Seat, slam: str) -> Score:
    if slam != SLAM_OPEN:
        outcome = WON if slam == SLAM_MADE else lost_slam_outcome(state, declarer)
        payout = _outcome_payout(state, standing, outcome, standing.tricks, slam)
        return _paid_score(standing, outcome, payout, slam)
    failed = (PossibleEnding(outcome, "failed") for outcome in possible_lost_slam_outcomes(state, declarer))
    return _score_open_ends(state, standing, (PossibleEnding(WON, "made"), *failed))


def _score_abandoned(state: State, standing: DealStanding) -> Score:
    assert state.ending.abandonment is not None
    outcome = giving_up_outcome(state, state.ending.abandonment[0])
    payout = None if outcome is None else _outcome_payout(state, standing, outcome, _codille_tricks(standing))
    if payout is None or outcome is None:
        return _undecided_score(standing)
    *items, last = payout.items
    if outcome == BETE:
        label = format_message("{payment}: given up, paid as bête", payment=last.label)
    else:
        label = format_message("{payment}: given up, paid as codille", payment=last.label)
    items.append(last._replace(label=label, rule="6. Giving up"))
    return _paid_score(standing, "abandoned", payout._replace(items=tuple(items)))


def _codille_tricks(standing: DealStanding) -> BySeat[int]:
    """The tricks that giving up as codille is paid by: those that there are, and as many as make it one."""
    if standing.contract is None or standing.declarer is None:
        return standing.tricks
    tricks = list(standing.tricks)
    tricks[standing.declarer] = max(tricks[standing.declarer], standing.contract.codille_from or 0)
    return tricks[0], tricks[1], tricks[2]


def _score_ruled(state: State, standing: DealStanding) -> Score:
    """The director's ruling: its payments, or those of the outcome that it states."""
    ruling = state.ending.ruling
    assert ruling is not None
    if ruling.payments:
        payments = _payments_by_seat(state, ruling.payments)
        as_ruled = (PaymentItem(format_message("as the director ruled"), 0, "9. Ruling"),)
        stated = None if state.ending.result is None else state.ending.result.outcome
        outcome = ruling.outcome or _score_by_tricks(state, standing).outcome or stated
        taken = sum(chips for _, chips in payments)
        counted = _stakes(state).unchanged_pool()
        if counted is not None:
            counted = counted._replace(after=max(counted.before - taken, 0))
        return _paid_score(standing, outcome, Payout(payments, as_ruled, counted))
    if ruling.outcome == "abandoned":
        abandoned = state.ending.abandonment
        pays = BETE if abandoned is None else giving_up_outcome(state, abandoned[0]) or BETE
        given_up = _outcome_payout(state, standing, pays, _codille_tricks(standing))
        return _paid_score(standing, "abandoned", given_up)
    if ruling.outcome in TRICK_OUTCOMES:
        ruled = _outcome_payout(state, standing, ruling.outcome, standing.tricks)
        if ruled is not None:
            return _paid_score(standing, ruling.outcome, ruled)
        if standing.declarer is not None and standing.contract is not None:
            return _undecided_score(standing, ((ruling.outcome, _unknown_payments(state)),))
    if ruling.outcome == "forfeited":
        payout = forfeit_payout(
            state, standing.declarer, standing.contract, ruling.at_fault, paying_sitters(state)
        )
        return _paid_score(standing, ruling.outcome, payout)
    if ruling.outcome in ("voided", "passed_out"):
        return _unpaid_score(state, standing, ruling.outcome)
    return _undecided_score(standing)


def seats_by_name(state: State) -> dict[str, str]:
    """The seat of each player by name, including players who took a hand over (RULES 9)."""
    seats = {state.opening.players.at(seat): SEAT_NAMES[seat] for seat in SEATS}
    taken = {name: SEAT_NAMES[seat] for seat, name in enumerate(state.ending.substitutes) if name is not None}
    return {**seats, **taken}


def _payments_by_seat(state: State, payments: Payments) -> Payments:
    """Payments by seat: those to players by name count for their seats."""
    seats = seats_by_name(state) | {seat: seat for seat in SEAT_NAMES}
    at_seats = ((seats.get(name, name), amount) for name, amount in payments)
    return tuple(add_by_name((*((seat, 0) for seat in SEAT_NAMES), *at_seats)).items())


def _score_by_result(state: State, standing: DealStanding, from_cards: Score) -> Score:
    """What a slip adds: its outcome, or the outcome of its tricks."""
    result = state.ending.result
    assert result is not None
    if result.outcome in ("passed_out", "voided"):
        return _unpaid_score(state, standing, result.outcome)
    declarer, contract = standing.declarer, standing.contract
    if result.tricks:
        counts = dict(result.tricks)
        stated_tricks = (counts.get(SEATS[0], 0), counts.get(SEATS[1], 0), counts.get(SEATS[2], 0))
        standing = standing._replace(tricks=stated_tricks)
    ends: tuple[PossibleEnding, ...] = ()
    if declarer is not None and contract is not None:
        ends = possible_endings(state, declarer, contract, result)
    if not ends:
        return from_cards
    if len(ends) == 1:
        (end,) = ends
        given_up = result.outcome == "abandoned"
        tricks = _codille_tricks(standing) if given_up else standing.tricks
        payout = _outcome_payout(state, standing, end.outcome, tricks, end.slam)
        if payout is not None:
            stated = "abandoned" if given_up else end.outcome
            return _paid_score(standing, stated, payout, end.slam)
    return _score_open_ends(state, standing, ends)


def _score_open_ends(state: State, standing: DealStanding, ends: Iterable[PossibleEnding]) -> Score:
    """A deal that can still come to several ends: what each would pay."""
    prospects: dict[str, ProspectivePayments] = {}
    for end in ends:
        payments = _prospective_payments(state, standing, end.outcome, end.slam)
        prospects[end.name] = _common_payments(prospects.get(end.name, payments), payments)
    return _undecided_score(standing, tuple(prospects.items()))

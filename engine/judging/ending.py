"""Judging what ends a deal: claims, giving up, slips and what was paid (RULES 6, 7)."""

from dataclasses import fields

from engine.core.cards import SEAT_NAMES, SEATS, Seat, Suit
from engine.core.events import (
    ClaimAnswered,
    DealAbandoned,
    DealClosed,
    DealSettled,
    PuestaReserved,
    ResultRecorded,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
    TricksClaimed,
)
from engine.core.message import Listed, Said, said
from engine.core.vocabulary import Seq
from engine.judging.called import contract_called, outcome_called, suit_called
from engine.judging.order import out_of_phase
from engine.play.findings import NONE, Finding, Findings, finding, name_of
from engine.play.giving_up import least_on_giving_up, ways_to_give_up
from engine.play.outcomes import BETE, CODILLE, WON
from engine.play.phases import namings_open, trumps_open
from engine.play.slam import slam_possible, why_not_announced
from engine.play.state import CONTRACT, FINISHED, PLAY, State
from engine.play.surrender import forbidden, open_offer, why_not
from engine.play.tricks import LAST_TRICK
from engine.rulesets.model import Contract
from engine.scoring.score import extras_by_cards, score, seats_by_name, standing
from engine.scoring.slips import outcome_by_slip

RULE = "6. Outcome"
SURRENDER = "8. Surrender"


def judge_slam_announced(state: State, event: SlamAnnounced, seq: Seq) -> Findings:
    """All nine tricks are announced by the declarer of a game, at the latest on winning the fifth."""
    name = name_of(state, event.seat)
    why = why_not_announced(state, event.seat) if state.opening.rules.known and not state.gap else None
    if why is None:
        return NONE
    message = said("{player} announces all nine tricks; {why}.", player=name, why=why)
    return (finding(seq, "slam_not_allowed", message, "6. All nine tricks", event.seat),)


def judge_tricks_claimed(state: State, event: TricksClaimed, seq: Seq) -> Findings:
    """A claim belongs to the play; it takes no trick back, and makes nine tricks at most."""
    wrong = out_of_phase(state, PLAY, lambda: said("claims"), event.seat, seq, RULE)
    if wrong:
        return wrong
    counts = dict(event.tricks)
    total = sum(counts.values())
    fewer = [seat for seat in counts if counts[seat] < state.play.won[seat]]
    if total <= LAST_TRICK and not fewer:
        return NONE
    name = name_of(state, event.seat)
    message = said("{player} claims, but it makes {count} tricks of nine.", player=name, count=total)
    if fewer:
        message = said(
            "{player} claims, but {other} has {count} already.",
            player=name,
            other=name_of(state, fewer[0]),
            count=state.play.won[fewer[0]],
        )
    return (finding(seq, "claim_not_possible", message, RULE, event.seat),)


def judge_claim_answered(state: State, event: ClaimAnswered, seq: Seq) -> Findings:
    """A claim is answered by an opponent of the one who makes it."""
    claim, name = state.ending.claim, name_of(state, event.seat)
    if claim is None:
        message = said("{player} answers a claim, but none is on the table.", player=name)
        return (finding(seq, "wrong_phase", message, RULE, event.seat),)
    if claim.seat != event.seat:
        return NONE
    message = said("{player} answers his own claim; it is for the others to answer.", player=name)
    return (finding(seq, "wrong_seat", message, RULE, event.seat, (claim.seq,)),)


def judge_deal_abandoned(state: State, event: DealAbandoned, seq: Seq) -> Findings:
    """The declarer may give up, in time, for what the rules say it pays."""
    rules, bargain, name = state.opening.rules, state.bargain, name_of(state, event.seat)
    if not rules.known or state.gap or (state.incomplete and bargain.contract is None):
        return NONE
    if state.phase == FINISHED:
        message = said("{player} gives up, but the deal is over.", player=name)
        return (finding(seq, "wrong_phase", message, "6. Giving up", event.seat),)
    if state.phase > CONTRACT and bargain.declarer not in (None, event.seat):
        why = said("only the declarer may give up")
    elif rules.ruleset.giving_up is None:
        why = said("these rules do not know it")
    elif bargain.contract is None:
        why = said("the contract is not known yet")
    else:
        ways = ways_to_give_up(state)
        if ways and event.pays in (None, *ways):
            return NONE
        contract = contract_called(state, bargain.contract.id)
        pays = said("kodille") if event.pays == "codille" else said("bête")
        why = said("giving up {contract} as {pays} is not open to him now", contract=contract, pays=pays)
    message = said("{player} gives up, but {why}.", player=name, why=why)
    return (finding(seq, "abandon_not_allowed", message, "6. Giving up", event.seat),)


def judge_surrender_offered(state: State, event: SurrenderOffered, seq: Seq) -> Findings:
    """Ombre may offer to surrender, once, in a game, until the fourth trick is begun (RULES 8)."""
    rules, bargain, name = state.opening.rules, state.bargain, name_of(state, event.seat)
    if not rules.known or state.gap or (state.incomplete and bargain.contract is None):
        return NONE
    if state.phase == FINISHED:
        message = said("{player} offers to surrender, but the deal is over.", player=name)
        return (finding(seq, "wrong_phase", message, SURRENDER, event.seat),)
    of_declarer = bargain.declarer in (None, event.seat) or rules.ruleset.surrender is None
    why = why_not(state) if of_declarer else said("only Ombre may")
    if why is None:
        return NONE
    message = said("{player} offers to surrender, but {why}.", player=name, why=why)
    return (finding(seq, "abandon_not_allowed", message, SURRENDER, event.seat),)


def judge_surrender_answered(state: State, event: SurrenderAnswered, seq: Seq) -> Findings:
    """A surrender is answered by the opponents, while it is on the table (RULES 8)."""
    rules, offer, name = state.opening.rules, open_offer(state), name_of(state, event.seat)
    if not rules.known or state.gap:
        return NONE
    if offer is None or state.phase == FINISHED:
        message = said("{player} answers a surrender, but none is on the table.", player=name)
        return (finding(seq, "wrong_phase", message, SURRENDER, event.seat),)
    if offer.seat != event.seat:
        return NONE
    message = said("{player} answers his own surrender; it is for the others to answer.", player=name)
    return (finding(seq, "wrong_seat", message, SURRENDER, event.seat, (offer.seq,)),)


def judge_puesta_reserved(state: State, event: PuestaReserved, seq: Seq) -> Findings:
    """A puesta is set aside by its loser, where the table has not agreed on something else (RULES 8)."""
    rules, name, pool = state.opening.rules, name_of(state, event.seat), state.opening.opened
    terms, surrender = rules.ruleset.pool, forbidden(state)
    if not rules.known or state.gap:
        return NONE
    losers = (standing(state).declarer, None if surrender is None else surrender.seat)
    if terms is None:
        why = said("these rules have no pool")
    elif event.seat not in losers:
        why = said("it is for the loser to set it aside")
    elif _no_puesta(state):
        why = said("he has lost none in this deal")
    elif pool is not None and (pool.pool or 0) < terms.reserve_at:
        why = said("the table has agreed to do so from a pool of {chips} on", chips=terms.reserve_at)
    else:
        return NONE
    message = said("{player} sets a puesta aside, but {why}.", player=name, why=why)
    return (finding(seq, "reserve_not_allowed", message, "8. Reserved puestas", event.seat),)


def _no_puesta(state: State) -> bool:
    """Whether the deal has come out otherwise than as a puesta."""
    due = score(state)
    if not due.decided:
        return False
    return due.outcome not in (BETE, "abandoned") or due.slam is not None


def judge_result_recorded(state: State, event: ResultRecorded, seq: Seq) -> Findings:
    """A slip, against its own figures and against what the cards say."""
    earlier = state.ending.result
    after = state._replace(ending=state.ending._replace(result=event, result_seq=seq))
    found = (*_slip_against_itself(after, event, seq), *result_against_cards(after))
    if found or earlier is None or not _contradicts(earlier, event):
        return found
    message = said(
        "The slip tells another result than the one recorded before it; correct the one that is wrong."
    )
    return (finding(seq, "result_mismatch", message, RULE, None, (state.ending.result_seq,)),)


def _contradicts(first: ResultRecorded, second: ResultRecorded) -> bool:
    """Whether two slips say different things of the same."""
    pairs = ((getattr(first, field.name), getattr(second, field.name)) for field in fields(first))
    return any(one and other and one != other for one, other in pairs)


def _slip_against_itself(state: State, event: ResultRecorded, seq: Seq) -> Findings:
    found: list[Finding] = []
    rules = state.opening.rules
    if event.contract is not None and rules.known and event.contract not in rules.contracts:
        known = Listed(contract_called(state, one) for one in rules.contracts)
        message = said(
            "{contract!r} is no contract of these rules: {known}.", contract=event.contract, known=known
        )
        found.append(finding(seq, "contract_not_allowed", message, "3. Naming"))
    if event.slam is not None and rules.known and not slam_possible(state, standing(state).contract):
        message = said("The slip tells of all nine tricks, which these rules do not pay in this contract.")
        found.append(finding(seq, "slam_not_allowed", message, "6. All nine tricks"))
    counts = dict(event.tricks)
    if event.outcome == "passed_out" and (event.declarer is not None or event.contract or event.tricks):
        message = said("The slip says that all have passed, and tells of a game all the same.")
        found.append(finding(seq, "result_mismatch", message, RULE))
    if sum(counts.values()) > LAST_TRICK:
        message = said("The slip has {count} tricks; there are nine.", count=sum(counts.values()))
        found.append(finding(seq, "result_mismatch", message, RULE))
    stands = standing(state)
    made = outcome_by_slip(state, stands.declarer, stands.contract, counts)
    if made is not None and event.outcome in ("won", "bete", "codille") and made != event.outcome:
        message = said(
            "The slip says {outcome}, its tricks make {made}.",
            outcome=outcome_called(event.outcome),
            made=outcome_called(made),
        )
        found.append(finding(seq, "result_mismatch", message, RULE))
    contract = stands.contract
    if (
        event.outcome == "abandoned"
        and rules.known
        and contract is not None
        and _cannot_give_up(state, contract)
    ):
        message = said(
            "The slip says that {contract} was given up, which these rules do not allow.",
            contract=contract_called(state, contract.id),
        )
        found.append(finding(seq, "abandon_not_allowed", message, "6. Giving up"))
    if contract is not None and event.trump is not None and not _trump_possible(state, contract, event.trump):
        message = said(
            "The slip has {contract} in {suit}, which there is not.",
            contract=contract_called(state, contract.id),
            suit=suit_called(event.trump),
        )
        found.append(finding(seq, "contract_not_allowed", message, "3. Naming"))
    extras = _extras_excluded(state, event, None if stands.declarer is None else counts.get(stands.declarer))
    if extras and not any(one.code == "slam_not_allowed" for one in found):
        message = said("The slip tells of {extras}.", extras=extras)
        found.append(finding(seq, "result_mismatch", message, RULE))
    return tuple(found)


def _cannot_give_up(state: State, contract: Contract) -> bool:
    ruleset = state.opening.rules.ruleset
    if ruleset.surrender is not None:
        return False
    return ruleset.giving_up is None or least_on_giving_up(state, contract) is None


def _trump_possible(state: State, contract: Contract, trump: Suit) -> bool:
    return contract.trump == "turned" or trump in trumps_open(state.opening.rules, contract)


def _extras_excluded(state: State, event: ResultRecorded, mine: int | None) -> Said | None:
    """Extras of a slip that its tricks, or the rules, exclude; None where nothing speaks against them."""
    rules = state.opening.rules
    if rules.known and rules.ruleset.pool is None and (event.primeras or event.estuches):
        return said("primeras or estuches, which these rules do not know")
    contract, slam = standing(state).contract, rules.ruleset.slam
    if contract is not None and contract.aim == "nolo" and (event.primeras or event.estuches):
        named = contract_called(state, contract.id)
        return said("primeras or estuches, which {contract} does not pay", contract=named)
    if event.slam == "made" and event.outcome not in (None, WON):
        return said("all nine tricks made, and the outcome {outcome}", outcome=outcome_called(event.outcome))
    # Tried for before the game is won only where it may be announced, or was challenged in the auction.
    early = state.bargain.all_nine or (slam is not None and slam.announced == "until-sixth-lead")
    if event.slam == "failed" and event.outcome in (BETE, CODILLE) and not early:
        return said(
            "all nine tricks failed, and the outcome {outcome}", outcome=outcome_called(event.outcome)
        )
    if state.bargain.all_nine and event.outcome == CODILLE:
        return said("kodille, which there is none of where all nine tricks were challenged for")
    if mine is None:
        return None
    if event.slam == "made" and mine != LAST_TRICK:
        return said("all nine tricks made, and {count} tricks", count=mine)
    if event.slam == "failed" and (mine == LAST_TRICK or (mine < 5 and not early)):
        return said("all nine tricks failed, and {count} tricks", count=mine)
    if event.primeras and mine < 5:
        return said("the first five tricks won, and {count} tricks", count=mine)
    return None


def result_against_cards(state: State) -> Findings:
    """Where a slip and the cards tell different things of the same deal."""
    result, seq = state.ending.result, state.ending.result_seq
    if result is None:
        return NONE
    told: list[Said] = []
    bargain = state.bargain
    if bargain.named:
        if result.declarer is not None and result.declarer != bargain.declarer:
            told.append(_as_declarer(state, result.declarer))
        if result.contract is not None and result.contract != bargain.contract_id:
            told.append(_as_contract(state, result.contract))
        if result.trump is not None and bargain.trump is not None and result.trump != bargain.trump:
            told.append(said("another trump suit"))
    elif state.phase == CONTRACT and not state.gap:
        told += _told_of_another_auction(state, result)
    by_cards = score(state._replace(ending=state.ending._replace(result=None)))
    ruled = state.ending.ruling is not None
    if by_cards.decided and not ruled and result.outcome is not None and result.outcome != by_cards.outcome:
        outcome, due = outcome_called(result.outcome), outcome_called(by_cards.outcome)
        told.append(said("the outcome {outcome}, which by the cards is {due}", outcome=outcome, due=due))
    told += _tricks_told_otherwise(state, dict(result.tricks))
    primeras, counted = extras_by_cards(state)
    if result.primeras is not None and primeras is not None and result.primeras != primeras:
        told.append(said("primeras") if result.primeras else said("no primeras"))
    if result.estuches is not None and counted is not None and result.estuches != counted:
        told.append(said("{count} estuches, which are {due}", count=result.estuches, due=counted))
    if not told:
        return NONE
    message = said("The slip says {told}: the cards say otherwise.", told=Listed(told))
    return (finding(seq, "result_mismatch", message, RULE),)


def _told_of_another_auction(state: State, result: ResultRecorded) -> list[Said]:
    """What a slip tells that the auction excludes, where the contract itself is not recorded."""
    if result.outcome == "passed_out":
        return [said("that all have passed")]
    if result.declarer is not None and result.declarer != state.bargain.declarer:
        return [_as_declarer(state, result.declarer)]
    namings = namings_open(state)
    if result.contract is not None and namings and result.contract not in [n.contract for n in namings]:
        return [_as_contract(state, result.contract)]
    return []


def _as_declarer(state: State, seat: Seat) -> Said:
    return said("{player} as declarer", player=name_of(state, seat))


def _as_contract(state: State, contract: str) -> Said:
    return said("{contract} as the contract", contract=contract_called(state, contract))


def _tricks_told_otherwise(state: State, counts: dict[Seat, int]) -> list[Said]:
    """Trick counts of a slip that the tricks played exclude."""
    told = []
    whole = state.phase == FINISHED and len(state.play.tricks) == sum(state.play.won)
    for seat, count in counts.items():
        won = state.play.won[seat]
        if count < won or (
            whole and state.play.tricks and count != won and sum(counts.values()) <= sum(state.play.won)
        ):
            told.append(
                said(
                    "{count} tricks for {player}, who won {won}",
                    count=count,
                    player=name_of(state, seat),
                    won=won,
                )
            )
    return told


def judge_deal_settled(state: State, event: DealSettled | DealClosed, seq: Seq) -> Findings:
    """What was paid, against what the rules say."""
    return settled_against_score(state._replace(ending=state.ending._replace(settled=event, settled_seq=seq)))


def settled_against_score(state: State) -> Findings:
    """Where the payment recorded is not what the deal pays, or cannot be a payment of this deal at all."""
    settled, seq = state.ending.settled, state.ending.settled_seq
    if settled is None or not state.opening.rules.known:
        return NONE
    given, strange = given_by_seat(state, settled.payments)
    due = score(state)
    told = list(strange)
    pool_unknown = state.opening.rules.ruleset.pool is not None and due.pool is None
    if due.decided and due.payments is not None and not pool_unknown:
        owed = dict(due.payments)
        for name in dict.fromkeys((*owed, *given)):
            if given.get(name, 0) != owed.get(name, 0):
                told.append(
                    said(
                        "{player} {paid:+d} instead of {due:+d}",
                        player=_player(state, name),
                        paid=given.get(name, 0),
                        due=owed.get(name, 0),
                    )
                )
    elif sum(given.values()) and state.opening.rules.ruleset.pool is None:
        told.append(said("{chips:+d} in all, which nobody paid", chips=sum(given.values())))
    if not told:
        return NONE
    message = said("Paid: {told}.", told=Listed(told))
    return (finding(seq, "settlement_mismatch", message, "7. Payments"),)


def given_by_seat(state: State, payments: tuple[tuple[str, int], ...]) -> tuple[dict[str, int], list[Said]]:
    """What was paid, by seat or name of one sitting out; and what in it names nobody, or somebody twice."""
    names = seats_by_name(state)
    sitting_out = state.opening.players.sitting_out
    given: dict[str, int] = {}
    strange: list[Said] = []
    for name, chips in payments:
        key = name if name in SEAT_NAMES else names.get(name, name)
        if key not in SEAT_NAMES and key not in sitting_out:
            strange.append(said("{player}, who is not in this deal", player=name))
        elif key in given:
            strange.append(said("{player} named twice", player=_player(state, key)))
        given[key] = given.get(key, 0) + chips
    return given, strange


def _player(state: State, name: str) -> str:
    return name_of(state, SEATS[SEAT_NAMES.index(name)]) if name in SEAT_NAMES else name

"""Judging what ends a deal: claims, giving up, slips and what was paid (RULES 6, 7)."""

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial

from engine.core import events
from engine.core.cards import SEAT_NAMES, SEATS, Seat, Suit
from engine.core.field_types import Seq
from engine.core.message import Message, TextList, format_message
from engine.judging.game_terms import contract_term, outcome_term, suit_term
from engine.judging.turn_order import check_phase
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.giving_up import cheapest_giving_up_outcome, ways_to_give_up
from engine.play.outcomes import BETE, CODILLE, WON
from engine.play.phases import available_namings, trump_choices
from engine.play.slam import explain_slam_refusal, is_slam_possible
from engine.play.state import CONTRACT, FINISHED, PLAY, State
from engine.play.surrender import explain_surrender_refusal, forbidden_surrender, open_surrender_offer
from engine.play.tricks import LAST_TRICK
from engine.rulesets.model import Contract
from engine.scoring.payments import payment_section
from engine.scoring.result_slips import outcome_from_tricks
from engine.scoring.score import deal_standing, extras_from_cards, score, seats_by_name

RULE = "6. Outcome"


def judge_slam_announced(state: State, event: events.SlamAnnounced, seq: Seq) -> Findings:
    """The declarer of a game announces all nine tricks, at the latest on winning the fifth."""
    if not state.opening.rules.is_known or state.has_gap:
        return NO_FINDINGS
    name, why = player_or_seat(state, event.seat), explain_slam_refusal(state, event.seat)
    if why is None:
        return NO_FINDINGS
    message = format_message("{player} announces all nine tricks; {why}.", player=name, why=why)
    return (build_finding(seq, "slam_not_allowed", message, "6. All nine tricks", event.seat),)


def judge_tricks_claimed(state: State, event: events.TricksClaimed, seq: Seq) -> Findings:
    """A claim belongs to the play; it takes no trick back, and has nine tricks at most."""
    wrong = check_phase(state, PLAY, format_message("claims"), event.seat, seq, "9. Record")
    if wrong:
        return wrong
    counts = dict(event.tricks)
    total = sum(counts.values())
    fewer = [seat for seat in counts if counts[seat] < state.play.tricks_won[seat]]
    if total <= LAST_TRICK and not fewer:
        return NO_FINDINGS
    name = player_or_seat(state, event.seat)
    message = format_message(
        "{player} claims, but that makes {count} tricks; there are nine.", player=name, count=total
    )
    if fewer:
        message = format_message(
            "{player} claims, but {other} has {count} already.",
            player=name,
            other=player_or_seat(state, fewer[0]),
            count=state.play.tricks_won[fewer[0]],
        )
    return (build_finding(seq, "claim_not_possible", message, "9. Record", event.seat),)


def judge_claim_answered(state: State, event: events.ClaimAnswered, seq: Seq) -> Findings:
    """An opponent of the claimant answers a claim."""
    claim, name = state.ending.claim, player_or_seat(state, event.seat)
    if claim is None:
        message = format_message("{player} answers a claim, but nobody has claimed.", player=name)
        return (build_finding(seq, "wrong_phase", message, "9. Record", event.seat),)
    if claim.seat != event.seat:
        return NO_FINDINGS
    message = format_message(
        "{player} answers, but made the claim; the other players answer it.", player=name
    )
    return (build_finding(seq, "wrong_seat", message, "9. Record", event.seat, (claim.seq,)),)


def judge_deal_abandoned(state: State, event: events.DealAbandoned, seq: Seq) -> Findings:
    """The declarer may give up, in time, for what the rules allow."""
    rules, contract_state, name = state.opening.rules, state.contract_state, player_or_seat(state, event.seat)
    if not rules.is_known or state.has_gap or (state.is_incomplete and contract_state.contract is None):
        return NO_FINDINGS
    if state.phase == FINISHED:
        message = format_message("{player} gives up, but the deal is over.", player=name)
        return (build_finding(seq, "wrong_phase", message, _giving_up_section(state), event.seat),)
    if state.phase > CONTRACT and contract_state.declarer not in (None, event.seat):
        why = format_message("only the declarer may give up")
    elif rules.ruleset.giving_up is None:
        why = format_message("these rules do not allow it")
    elif contract_state.contract is None:
        why = format_message("the contract is not known yet")
    else:
        ways = ways_to_give_up(state)
        if ways and (event.pays is None or event.pays in ways):
            return NO_FINDINGS
        contract = contract_term(state, contract_state.contract.id)
        pays = format_message("codille") if event.pays == "codille" else format_message("bête")
        why = format_message("{contract} cannot be given up as {pays} now", contract=contract, pays=pays)
    message = format_message("{player} gives up, but {why}.", player=name, why=why)
    return (build_finding(seq, "abandon_not_allowed", message, _giving_up_section(state), event.seat),)


def judge_surrender_offered(state: State, event: events.SurrenderOffered, seq: Seq) -> Findings:
    """The declarer may offer to surrender, once, in a game, until the fourth trick has begun (RULES 8)."""
    rules, contract_state, name = state.opening.rules, state.contract_state, player_or_seat(state, event.seat)
    if not rules.is_known or state.has_gap or (state.is_incomplete and contract_state.contract is None):
        return NO_FINDINGS
    if state.phase == FINISHED:
        message = format_message("{player} offers to surrender, but the deal is over.", player=name)
        return (build_finding(seq, "wrong_phase", message, _giving_up_section(state), event.seat),)
    of_declarer = contract_state.declarer in (None, event.seat) or rules.ruleset.surrender is None
    why = explain_surrender_refusal(state) if of_declarer else format_message("only Ombre may")
    if why is None:
        return NO_FINDINGS
    message = format_message("{player} offers to surrender, but {why}.", player=name, why=why)
    return (build_finding(seq, "abandon_not_allowed", message, _giving_up_section(state), event.seat),)


def judge_surrender_answered(state: State, event: events.SurrenderAnswered, seq: Seq) -> Findings:
    """The opponents answer a surrender while it is on the table (RULES 8)."""
    rules, offer, name = state.opening.rules, open_surrender_offer(state), player_or_seat(state, event.seat)
    if not rules.is_known or state.has_gap:
        return NO_FINDINGS
    if offer is None or state.phase == FINISHED:
        message = format_message("{player} answers a surrender, but nobody has offered one.", player=name)
        return (build_finding(seq, "wrong_phase", message, _giving_up_section(state), event.seat),)
    if offer.seat != event.seat:
        return NO_FINDINGS
    message = format_message(
        "{player} answers, but offered the surrender; the other players answer it.", player=name
    )
    return (build_finding(seq, "wrong_seat", message, _giving_up_section(state), event.seat, (offer.seq,)),)


def judge_puesta_reserved(state: State, event: events.PuestaReserved, seq: Seq) -> Findings:
    """The loser may set a puesta aside, unless the table has agreed otherwise (RULES 8)."""
    rules, name, pool = state.opening.rules, player_or_seat(state, event.seat), state.opening.event
    terms, surrender = rules.ruleset.pool, forbidden_surrender(state)
    if not rules.is_known or state.has_gap:
        return NO_FINDINGS
    losers = (deal_standing(state).declarer, None if surrender is None else surrender.seat)
    if terms is None:
        why = format_message("these rules have no pool")
    elif event.seat not in losers:
        why = format_message("only the loser may do so")
    elif _has_no_puesta(state):
        why = format_message("no puesta was lost in this deal")
    elif pool is not None and (pool.pool or 0) < terms.reserve_at:
        why = format_message(
            "the table has agreed to do so only from a pool of {chips}", chips=terms.reserve_at
        )
    else:
        return NO_FINDINGS
    message = format_message("{player} sets a puesta aside, but {why}.", player=name, why=why)
    section = payment_section(rules.ruleset) if terms is None else "8. Reserved puestas"
    return (build_finding(seq, "reserve_not_allowed", message, section, event.seat),)


def _giving_up_section(state: State) -> str:
    """The section of the rules on how declarer gives up: by surrender, if they know it."""
    return "6. Giving up" if state.opening.rules.ruleset.surrender is None else "8. Surrender"


def _has_no_puesta(state: State) -> bool:
    """Whether the deal has an outcome other than a puesta."""
    computed = score(state)
    if not computed.decided:
        return False
    return computed.outcome not in (BETE, "abandoned") or computed.slam is not None


def judge_result_recorded(state: State, event: events.ResultRecorded, seq: Seq) -> Findings:
    """Check a slip against itself and against the cards."""
    earlier = state.ending.result
    after = replace(state, ending=state.ending._replace(result=event, result_seq=seq))
    found = (*_judge_slip_consistency(after, event, seq), *find_result_mismatch(after))
    if found or earlier is None or not _contradicts(earlier, event):
        return found
    message = format_message(
        "The slip gives a different result from the one recorded before it; correct the wrong one."
    )
    return (build_finding(seq, "result_mismatch", message, RULE, None, (state.ending.result_seq,)),)


def _contradicts(first: events.ResultRecorded, second: events.ResultRecorded) -> bool:
    """Whether two slips give different values for the same thing."""
    pairs = ((getattr(first, field.name), getattr(second, field.name)) for field in fields(first))
    return any(one and other and one != other for one, other in pairs)


def _judge_slip_consistency(state: State, event: events.ResultRecorded, seq: Seq) -> Iterator[Finding]:
    rules, standing, counts = state.opening.rules, deal_standing(state), dict(event.tricks)
    contract, total = standing.contract, sum(counts.values())
    mismatch = partial(build_finding, seq, "result_mismatch", rule=RULE)
    if event.contract is not None and rules.is_known and event.contract not in rules.contracts:
        known = TextList(contract_term(state, one) for one in rules.contracts)
        message = format_message(
            "{contract!r} is not a contract in these rules: {known}.", contract=event.contract, known=known
        )
        yield build_finding(seq, "contract_not_allowed", message, "3. Naming")
    is_slam_unknown = event.slam is not None and rules.is_known and not is_slam_possible(state, contract)
    if is_slam_unknown:
        message = format_message(
            "The slip has all nine tricks, for which these rules pay nothing in this contract."
        )
        yield build_finding(seq, "slam_not_allowed", message, "6. All nine tricks")
    if event.outcome == "passed_out" and (event.declarer is not None or event.contract or event.tricks):
        message = format_message("The slip says that all passed, but it also has a game.")
        yield mismatch(message=message)
    if total > LAST_TRICK:
        yield mismatch(message=format_message("The slip has {count} tricks; there are nine.", count=total))
    made = outcome_from_tricks(state, standing.declarer, contract, counts)
    if made is not None and event.outcome in ("won", "bete", "codille") and made != event.outcome:
        message = format_message(
            "The slip says {outcome}, but its tricks make {made}.",
            outcome=outcome_term(event.outcome),
            made=outcome_term(made),
        )
        yield mismatch(message=message)
    given_up = event.outcome == "abandoned" and rules.is_known
    if given_up and contract is not None and _cannot_give_up(state, contract):
        message = format_message(
            "The slip says that {contract} was given up, which these rules do not allow.",
            contract=contract_term(state, contract.id),
        )
        yield build_finding(seq, "abandon_not_allowed", message, "6. Giving up")
    if contract is not None and event.trump is not None and not _trump_possible(state, contract, event.trump):
        message = format_message(
            "The slip has {contract} in {suit}, which does not exist.",
            contract=contract_term(state, contract.id),
            suit=suit_term(event.trump),
        )
        yield build_finding(seq, "contract_not_allowed", message, "3. Naming")
    declarer_tricks = None if standing.declarer is None else counts.get(standing.declarer)
    extras = _extras_excluded(state, event, declarer_tricks)
    if extras and not is_slam_unknown:
        yield mismatch(message=format_message("The slip has {extras}.", extras=extras))


def _cannot_give_up(state: State, contract: Contract) -> bool:
    ruleset = state.opening.rules.ruleset
    if ruleset.surrender is not None:
        return False
    return ruleset.giving_up is None or cheapest_giving_up_outcome(state, contract) is None


def _trump_possible(state: State, contract: Contract, trump: Suit) -> bool:
    return contract.trump == "turned" or trump in trump_choices(state.opening.rules, contract)


def _extras_excluded(
    state: State, event: events.ResultRecorded, declarer_tricks: int | None
) -> Message | None:
    """Extras of a slip that its tricks, or the rules, exclude; None if they are all possible."""
    rules = state.opening.rules
    if rules.is_known and rules.ruleset.pool is None and (event.primeras or event.estuches):
        return format_message("primeras or estuches, which these rules do not have")
    contract, slam = deal_standing(state).contract, rules.ruleset.slam
    if contract is not None and contract.aim == "nolo" and (event.primeras or event.estuches):
        contract_name = contract_term(state, contract.id)
        return format_message("primeras or estuches, which {contract} does not pay", contract=contract_name)
    if event.slam == "made" and event.outcome not in (None, WON):
        return format_message(
            "all nine tricks made, and the outcome {outcome}", outcome=outcome_term(event.outcome)
        )
    # A try before the game is won is possible only if it may be announced, or was challenged in the auction.
    early = state.contract_state.is_vole_challenged or (
        slam is not None and slam.announced == "until-sixth-lead"
    )
    if event.slam == "failed" and event.outcome in (BETE, CODILLE) and not early:
        return format_message(
            "all nine tricks failed, and the outcome {outcome}", outcome=outcome_term(event.outcome)
        )
    if state.contract_state.is_vole_challenged and event.outcome == CODILLE:
        return format_message("codille, which is impossible after a challenge for all nine tricks")
    if declarer_tricks is None:
        return None
    if event.slam == "made" and declarer_tricks != LAST_TRICK:
        return format_message("all nine tricks made, and {count} tricks", count=declarer_tricks)
    if event.slam == "failed" and (declarer_tricks == LAST_TRICK or (declarer_tricks < 5 and not early)):
        return format_message("all nine tricks failed, and {count} tricks", count=declarer_tricks)
    if event.primeras and declarer_tricks < 5:
        return format_message("the first five tricks won, and {count} tricks", count=declarer_tricks)
    return None


def find_result_mismatch(state: State) -> Findings:
    """A finding if a slip and the cards disagree about the deal."""
    result, seq = state.ending.result, state.ending.result_seq
    if result is None:
        return NO_FINDINGS
    contradictions: list[Message] = []
    contract_state = state.contract_state
    if contract_state.is_named:
        if result.declarer is not None and result.declarer != contract_state.declarer:
            contradictions.append(_describe_declarer(state, result.declarer))
        if result.contract is not None and result.contract != contract_state.contract_id:
            contradictions.append(_describe_contract(state, result.contract))
        if (
            result.trump is not None
            and contract_state.trump is not None
            and result.trump != contract_state.trump
        ):
            contradictions.append(format_message("another trump suit"))
    elif state.phase == CONTRACT and not state.has_gap:
        contradictions += _auction_contradictions(state, result)
    by_cards = score(replace(state, ending=state.ending._replace(result=None)))
    ruled = state.ending.ruling is not None
    if by_cards.decided and not ruled and result.outcome is not None and result.outcome != by_cards.outcome:
        outcome, computed = outcome_term(result.outcome), outcome_term(by_cards.outcome)
        contradictions.append(
            format_message(
                "the outcome {outcome}, which by the cards is {due}", outcome=outcome, due=computed
            )
        )
    contradictions += _trick_contradictions(state, dict(result.tricks))
    primeras, counted = extras_from_cards(state)
    if result.primeras is not None and primeras is not None and result.primeras != primeras:
        contradictions.append(
            format_message("primeras") if result.primeras else format_message("no primeras")
        )
    if result.estuches is not None and counted is not None and result.estuches != counted:
        contradictions.append(
            format_message("{count} estuches, which are {due}", count=result.estuches, due=counted)
        )
    if not contradictions:
        return NO_FINDINGS
    message = format_message(
        "The slip says {told}, but the cards say otherwise.", told=TextList(contradictions)
    )
    return (build_finding(seq, "result_mismatch", message, RULE),)


def _auction_contradictions(state: State, result: events.ResultRecorded) -> list[Message]:
    """What a slip says that the auction excludes, if the contract itself is not recorded."""
    if result.outcome == "passed_out":
        return [format_message("that all have passed")]
    if result.declarer is not None and result.declarer != state.contract_state.declarer:
        return [_describe_declarer(state, result.declarer)]
    namings = available_namings(state)
    if result.contract is not None and namings and result.contract not in [n.contract for n in namings]:
        return [_describe_contract(state, result.contract)]
    return []


def _describe_declarer(state: State, seat: Seat) -> Message:
    return format_message("{player} as declarer", player=player_or_seat(state, seat))


def _describe_contract(state: State, contract: str) -> Message:
    return format_message("{contract} as the contract", contract=contract_term(state, contract))


def _trick_contradictions(state: State, counts: dict[Seat, int]) -> list[Message]:
    """Trick counts of a slip that the played tricks exclude."""
    contradictions = []
    whole = state.phase == FINISHED and len(state.play.tricks) == sum(state.play.tricks_won)
    for seat, count in counts.items():
        won = state.play.tricks_won[seat]
        if count < won or (
            whole
            and state.play.tricks
            and count != won
            and sum(counts.values()) <= sum(state.play.tricks_won)
        ):
            contradictions.append(
                format_message(
                    "{count} tricks for {player}, who won {won}",
                    count=count,
                    player=player_or_seat(state, seat),
                    won=won,
                )
            )
    return contradictions


def judge_deal_settled(state: State, event: events.DealSettled | events.DealClosed, seq: Seq) -> Findings:
    """Check what was paid against the rules."""
    return find_settlement_mismatch(
        replace(state, ending=state.ending._replace(settlement=event, settlement_seq=seq))
    )


def find_settlement_mismatch(state: State) -> Findings:
    """A finding if the recorded payment is not what the deal pays, or cannot be a payment of this deal."""
    settled, seq = state.ending.settlement, state.ending.settlement_seq
    if settled is None or not state.opening.rules.is_known:
        return NO_FINDINGS
    paid, problems = payments_by_seat(state, settled.payments)
    computed = score(state)
    differences = list(problems)
    pool_unknown = state.opening.rules.ruleset.pool is not None and computed.pool is None
    if computed.decided and computed.payments is not None and not pool_unknown:
        payments = dict(computed.payments)
        for name in dict.fromkeys((*payments, *paid)):
            if paid.get(name, 0) != payments.get(name, 0):
                differences.append(
                    format_message(
                        "{player} {paid:+d} instead of {due:+d}",
                        player=player_or_sitter(state, name),
                        paid=paid.get(name, 0),
                        due=payments.get(name, 0),
                    )
                )
    elif sum(paid.values()) and state.opening.rules.ruleset.pool is None:
        differences.append(format_message("{chips:+d} in all, which nobody paid", chips=sum(paid.values())))
    if not differences:
        return NO_FINDINGS
    message = format_message("Paid: {told}.", told=TextList(differences))
    return (build_finding(seq, "settlement_mismatch", message, payment_section(state.opening.rules.ruleset)),)


def payments_by_seat(
    state: State, payments: tuple[tuple[str, int], ...]
) -> tuple[dict[str, int], list[Message]]:
    """What was paid, by seat or name of a player sitting out; and the names that are unknown or repeated."""
    names = seats_by_name(state)
    sitting_out = state.opening.players.sitting_out
    paid: dict[str, int] = {}
    problems: list[Message] = []
    for name, chips in payments:
        key = name if name in SEAT_NAMES else names.get(name, name)
        if key not in SEAT_NAMES and key not in sitting_out:
            problems.append(format_message("{player}, who is not in this deal", player=name))
        elif key in paid:
            problems.append(format_message("{player} named twice", player=player_or_sitter(state, key)))
        paid[key] = paid.get(key, 0) + chips
    return paid, problems


def player_or_sitter(state: State, name: str) -> str:
    """The name of a player among payments, which have those at the table by seat."""
    return player_or_seat(state, SEATS[SEAT_NAMES.index(name)]) if name in SEAT_NAMES else name


def judge_ruling_made(state: State, event: events.RulingMade, seq: Seq) -> Findings:
    """Check the payments of a ruling: to players of this deal, and no more than is available."""
    if not event.payments or not state.opening.rules.is_known:
        return NO_FINDINGS
    paid, problems = payments_by_seat(state, event.payments)
    surplus, opening_event = sum(paid.values()), state.opening.event
    found: Findings = NO_FINDINGS
    if state.opening.rules.ruleset.pool is None:
        if surplus:
            problems.append(
                format_message(
                    "{chips:+d} in all, and there is no pool that gives or takes it", chips=surplus
                )
            )
    elif opening_event is not None and opening_event.pool is not None:
        pool_total = opening_event.pool + sum(opening_event.reserved)
        if surplus > pool_total:
            message = format_message(
                "The ruling takes {chips} out of the pool, which holds {lies}.",
                chips=surplus,
                lies=pool_total,
            )
            found = (build_finding(seq, "pool_mismatch", message, "9. Ruling"),)
    if problems:
        message = format_message("The ruling pays {payments}.", payments=TextList(problems))
        found = (build_finding(seq, "settlement_mismatch", message, "9. Ruling"), *found)
    return found

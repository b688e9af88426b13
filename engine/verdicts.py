"""The verdict of a report in one sentence: what was wrong, and what is paid."""

from collections.abc import Iterator, Sequence
from typing import Final

from engine.audit import Audit
from engine.audit_report import AuditReport, CorrectedDeal
from engine.core.events import BidMade, CardPlayed
from engine.core.message import Message, TextList, format_message
from engine.inference.called_revokes import EXCLUDED, PROVED, IrregularityAnswer
from engine.judging.ending import player_or_sitter
from engine.judging.game_terms import format_chips, outcome_term
from engine.play.findings import FAULT_SEVERITIES, Finding, player_or_seat
from engine.play.state import State
from engine.scoring.payments import Payments
from engine.tables.table_report import TableReport

ACCOUNT_FAULTS: Final = {
    "result_mismatch": format_message("the recorded result is wrong"),
    "settlement_mismatch": format_message("what was paid is wrong"),
    "pool_mismatch": format_message("the pool is wrong"),
}
"""By code: findings about what was written or paid, not about what was done."""
MAX_OFFENCES: Final = 3
"""More are only counted."""
OUT_OF_TURN: Final[dict[type, Message]] = {
    BidMade: format_message("bid out of turn"),
    CardPlayed: format_message("played out of turn"),
}
"""By type of event: what was done out of turn."""
OFFENCES: Final = {
    "abandon_not_allowed": format_message("gave the deal up against the rules"),
    "bid_not_allowed": format_message("made a bid that was not allowed"),
    "bid_too_low": format_message("bid too low"),
    "claim_not_possible": format_message("claimed tricks that are impossible"),
    "contract_not_allowed": format_message("named a game that was not allowed"),
    "exchange_count": format_message("exchanged too few or too many cards"),
    "exchange_mismatch": format_message("drew and discarded different numbers of cards"),
    "exchange_not_allowed": format_message("used the talon without a right to it"),
    "reserve_not_allowed": format_message("set a puesta aside against the rules"),
    "slam_not_allowed": format_message("announced all nine tricks against the rules"),
    "wrong_phase": format_message("acted at the wrong time"),
    "wrong_seat": format_message("acted out of turn"),
}
"""By code: what a player did against the rules, other than to revoke."""
OTHER_OFFENCE: Final = format_message("broke a rule")
RULES_UNKNOWN: Final = format_message("The rules are not known here, so nothing can be judged.")


def deal_verdict(report: AuditReport) -> Message:
    """The verdict on a deal; on the corrected one if a mistake in entering explains what was found."""
    verdict = _judge_deal(report)
    return verdict if report.corrected is None else _add_correction(verdict, report, report.corrected)


def _add_correction(verdict: Message, report: AuditReport, corrected: CorrectedDeal) -> Message:
    """The verdict, and which entries it takes as corrected."""
    seqs = [str(seq) for seq in corrected.corrected_seqs]
    if not any(one.severity == "impossible" for one in report.audit.findings):
        if len(seqs) == 1:
            return format_message(
                "{verdict} Entry {entry} is taken as corrected here; it is probably entered wrongly.",
                entry=seqs[0],
                verdict=verdict,
            )
        return format_message(
            "{verdict} Entries {entries} are taken as corrected here; they are probably entered wrongly.",
            entries=_join_with_and(seqs),
            verdict=verdict,
        )
    if len(seqs) == 1:
        return format_message(
            "{verdict} The record cannot be right as written: entry {entry} is probably wrong, and is taken "
            "as corrected here.",
            entry=seqs[0],
            verdict=verdict,
        )
    return format_message(
        "{verdict} The record cannot be right as written: entries {entries} are probably wrong, and are "
        "taken as corrected here.",
        entries=_join_with_and(seqs),
        verdict=verdict,
    )


def _join_with_and(texts: Sequence[str]) -> TextList:
    """Several texts as a list in a sentence: "1, 2 and 3"."""
    return TextList((TextList(texts[:-1]), texts[-1]), " and ")


def _judge_deal(report: AuditReport) -> Message:
    """The verdict on a deal as it probably went."""
    judged, answers = report.likeliest_audit, report.answers
    state, findings = judged.state, judged.findings
    if not state.opening.rules.is_known:
        return RULES_UNKNOWN
    impossible = [one for one in findings if one.severity == "impossible"]
    if impossible:
        return format_message(
            "The record contradicts itself {place}; it cannot be settled from it.",
            place=_describe_place(state, impossible[0]),
        )
    offences = list(_list_offences(judged, answers))
    codes = set() if state.ending.is_voided else {one.code for one in findings}
    accounts = [message for code, message in ACCOUNT_FAULTS.items() if code in codes]
    if offences:
        found = TextList((*offences, *accounts))
        money = _describe_calls_and_money(report, has_offence=True)
        # With alternatives, an offence may be a mistake in entering.
        if report.alternatives:
            return format_message("By the record as it is {offences}; {money}.", offences=found, money=money)
        return format_message("{offences}; {money}.", offences=found, money=money)
    return _judge_lawful_deal(report, [*accounts, *_list_possible_penalties(judged)])


def _judge_lawful_deal(report: AuditReport, reserves: list[Message]) -> Message:
    """The verdict on a deal without a proved offence, with ``reserves``, which are no offences."""
    judged, answers = report.likeliest_audit, report.answers
    doubtful = [one for one in answers if one.verdict not in (PROVED, EXCLUDED)]
    if doubtful:
        return _describe_doubt(judged.state, doubtful, _describe_calls_and_money(report))
    if reserves:
        money = _describe_calls_and_money(report)
        return format_message("No offence, but {faults}; {money}.", faults=TextList(reserves), money=money)
    money, excluded = _describe_money(judged), _describe_excluded_revokes(judged.state, answers)
    if excluded is not None:
        return format_message("No offence: {excluded}, and {money}.", excluded=excluded, money=money)
    if judged.score.payments is None and not judged.state.ending.is_voided:
        return format_message("Not decided: no offence was found, and {money}.", money=money)
    if report.corrected is not None:
        return format_message("No offence was found; {money}.", money=money)
    return format_message("No offence: the record is sound, and {money}.", money=money)


def _describe_calls_and_money(report: AuditReport, *, has_offence: bool = False) -> str:
    """Which revokes were called and are excluded, if any, and what is paid."""
    judged = report.likeliest_audit
    money = _describe_money(judged, has_offence=has_offence)
    excluded = _describe_excluded_revokes(judged.state, report.answers)
    return money if excluded is None else TextList((excluded, money), "; ")


def _describe_excluded_revokes(state: State, answers: tuple[IrregularityAnswer, ...]) -> Message | None:
    """That the revokes that were called and are none are excluded; None if there are none of these."""
    calls = ((one.seat, one.trick) for one in answers if one.is_revoke and one.verdict == EXCLUDED)
    excluded = dict.fromkeys(calls)
    if not excluded:
        return None
    if len(excluded) > 1:
        players = dict.fromkeys(player_or_seat(state, seat) for seat, _ in excluded)
        return format_message("the revokes called against {players} are excluded", players=TextList(players))
    ((seat, trick),) = excluded
    player = player_or_seat(state, seat)
    if trick is None:
        return format_message("the revoke called against {player} is excluded", player=player)
    return format_message(
        "the revoke called against {player} in trick {trick} is excluded", player=player, trick=trick
    )


def _describe_doubt(state: State, doubtful: list[IrregularityAnswer], money: str) -> Message:
    """What was called and is neither proved nor excluded."""
    players = TextList(dict.fromkeys(player_or_seat(state, one.seat) for one in doubtful))
    if all(one.is_revoke for one in doubtful):
        return format_message(
            "No offence is proved, but the revoke called against {player} is not excluded; {money}.",
            player=players,
            money=money,
        )
    return format_message(
        "No offence is proved, but what was called against {player} is not excluded; {money}.",
        player=players,
        money=money,
    )


def _describe_place(state: State, finding: Finding) -> Message:
    """Where something is found: the trick, else the entry."""
    trick = state.play.trick_number(finding.seq)
    if trick is None:
        return format_message("at entry {seq}", seq=str(finding.seq))
    return format_message("in trick {trick}", trick=trick)


def _list_offences(judged: Audit, answers: tuple[IrregularityAnswer, ...]) -> Iterator[Message]:
    """What was done against the rules; revokes by name first, then the rest."""
    found = [
        one for one in judged.findings if one.severity in FAULT_SEVERITIES and one.code not in ACCOUNT_FAULTS
    ]
    found.sort(key=lambda one: one.code != "revoke")
    if len(found) > MAX_OFFENCES:
        yield format_message(
            "{count} rules were broken, the first {place}",
            count=len(found),
            place=_describe_place(judged.state, found[0]),
        )
    else:
        yield from (_describe_offence(judged, one) for one in found)
    for answer in answers:
        if answer.is_revoke and answer.verdict == PROVED and not any(one.code == "revoke" for one in found):
            player = player_or_seat(judged.state, answer.seat)
            yield (
                format_message("{player} revoked and put it right", player=player)
                if answer.is_corrected
                else format_message("{player} revoked", player=player)
            )


def _describe_offence(judged: Audit, finding: Finding) -> Message:
    if finding.seat is None:
        return format_message("Entry {seq} is wrong", seq=str(finding.seq))
    player, place = player_or_seat(judged.state, finding.seat), _describe_place(judged.state, finding)
    if finding.code == "revoke":
        return format_message("{player} revoked {place}", player=player, place=place)
    offence = OFFENCES.get(finding.code, OTHER_OFFENCE)
    if finding.code == "wrong_seat":
        events = (event for seq, event, _ in judged.history.entries if seq == finding.seq)
        offence = OUT_OF_TURN.get(type(next(events, None)), offence)
    return format_message("{player} {offence} {place}", player=player, offence=offence, place=place)


def _list_possible_penalties(judged: Audit) -> Iterator[Message]:
    seats = [one.seat for one in judged.findings if one.code == "penalty_possible" and one.seat is not None]
    if seats:
        players = TextList(player_or_seat(judged.state, seat) for seat in dict.fromkeys(seats))
        yield format_message("a penalty is possible for {players}", players=players)


# --- What is paid ---------------------------------------------------------------------------------


def _describe_money(judged: Audit, *, has_offence: bool = False) -> Message:
    """What the deal pays, by a ruling if there is one; with an offence also that there is none."""
    ending, payments = judged.state.ending, judged.score.payments
    if ending.is_voided:
        return format_message("the deal does not count")
    if payments is None:
        return format_message("what the deal pays is open")
    paid = _describe_payments(judged.state, payments)
    if ending.ruling is not None and ending.ruling.outcome is not None:
        return format_message(
            "by the ruling ({outcome}) {paid}", outcome=outcome_term(ending.ruling.outcome), paid=paid
        )
    if ending.ruling is not None:
        return format_message("by the ruling {paid}", paid=paid)
    return format_message("without a ruling {paid}", paid=paid) if has_offence else paid


def _describe_payments(state: State, payments: Payments) -> Message:
    gains = [(name, chips) for name, chips in payments if chips > 0]
    losses = [(name, chips) for name, chips in payments if chips < 0]
    if not gains and not losses:
        return format_message("nobody pays anything")
    if sum(chips for _, chips in payments) == 0:
        if len(gains) == 1 and len(losses) > 1 and len({chips for _, chips in losses}) == 1:
            return format_message(
                "{player} wins {chips} from each",
                player=player_or_sitter(state, gains[0][0]),
                chips=format_chips(-losses[0][1]),
            )
        if len(losses) == 1 and len(gains) > 1 and len({chips for _, chips in gains}) == 1:
            return format_message(
                "{player} pays {chips} to each",
                player=player_or_sitter(state, losses[0][0]),
                chips=format_chips(gains[0][1]),
            )
    balances = [(player_or_sitter(state, name), chips) for name, chips in payments]
    return format_message("the deal pays {balances}", balances=_format_balances(balances))


def _format_balances(balances: list[tuple[str, int]]) -> TextList:
    """Chips by player: "Anna +4, Bo -4"."""
    return TextList(
        format_message("{player} {chips:+d}", player=player, chips=chips)
        for player, chips in balances
        if chips
    )


# --- A table --------------------------------------------------------------------------------------


def table_verdict(report: TableReport) -> Message:
    """The verdict on a table."""
    if not report.deals:
        return format_message("No deal was started, so there is nothing to judge.")
    faults = [one for one in report.faults if one.finding.severity in FAULT_SEVERITIES]
    money = _describe_table_money(report)
    if not faults:
        return format_message("No fault in {deals}; {money}.", deals=_count_deals(report), money=money)
    first = faults[0].number
    place = (
        format_message("in the table's own log")
        if first is None
        else format_message("in deal {number}", number=first)
    )
    if len(faults) == 1:
        return format_message("1 fault, {place}: {money}.", place=place, money=money)
    return format_message(
        "{count} faults, the first {place}: {money}.", count=len(faults), place=place, money=money
    )


def _count_deals(report: TableReport) -> Message:
    count = len(report.deals)
    return format_message("1 deal") if count == 1 else format_message("{count} deals", count=count)


def _describe_table_money(report: TableReport) -> Message:
    if report.difference:
        return format_message(
            "what was paid is not what is due, in all {balances}",
            balances=_format_balances(list(report.difference)),
        )
    if any(one.difference for one in report.deals):
        return format_message("single deals were paid wrongly, but in all it comes out even")
    if not any(one.settlements for one in report.deals):
        return format_message("no payment is noted")
    if any(one.due_chips is None or not one.settlements for one in report.deals):
        return format_message("what was paid is what is due, as far as the records show")
    return format_message("what was paid is what is due")

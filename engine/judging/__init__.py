"""``judge``: what one fact breaks, at the point where it stands. Pure, and apart from the fold."""

from collections.abc import Callable
from typing import Any, Final

from engine.core.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    DealAbandoned,
    DealClosed,
    DealOpened,
    DealSettled,
    Event,
    ExchangeYielded,
    GapNoted,
    HandDealt,
    HandHeld,
    PuestaReserved,
    ResultRecorded,
    RulingMade,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
    TalonLaid,
    TalonSeen,
    TalonTurned,
    TricksClaimed,
    TrumpNamed,
    type_name,
)
from engine.core.field_types import Seq
from engine.core.log import Entry
from engine.core.message import format_message
from engine.core.table_events import (
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    TableClosed,
    TableOpened,
)
from engine.fold import REOPENING_PHASES
from engine.judging.auction import judge_bid_made, judge_contract_named, judge_trump_named
from engine.judging.ending import (
    judge_claim_answered,
    judge_deal_abandoned,
    judge_deal_settled,
    judge_puesta_reserved,
    judge_result_recorded,
    judge_slam_announced,
    judge_surrender_answered,
    judge_surrender_offered,
    judge_tricks_claimed,
)
from engine.judging.exchange import (
    judge_cards_discarded,
    judge_cards_drawn,
    judge_exchange_yielded,
    judge_talon_turned,
)
from engine.judging.opening import judge_deal_opened, judge_gap_noted
from engine.judging.play import judge_card_played
from engine.judging.revealed_cards import (
    judge_cards_shown,
    judge_hand_dealt,
    judge_hand_held,
    judge_talon_laid,
    judge_talon_seen,
)
from engine.judging.ruling import judge_ruling_made
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding
from engine.play.phases import resume_after_slip
from engine.play.state import NO_ENDING, State


def judge(state: State, entry: Entry) -> Findings:
    """What ``entry`` breaks in ``state``, the state before it; also what it proves of earlier entries."""
    seq, event, _ = entry
    judgement = EVENT_JUDGES.get(type(event))
    if judgement is None:
        return NO_FINDINGS
    if state.ending is not NO_ENDING and state.ending.ended_by_slip and type(event) in REOPENING_PHASES:
        state = resume_after_slip(state, REOPENING_PHASES[type(event)])
    return judgement(state, event, seq)


def judge_table_event(state: State, event: Event, seq: Seq) -> tuple[Finding, ...]:
    """An evening's event has no place in a deal."""
    message = format_message("{event} belongs to a table, not to a deal.", event=type_name(type(event)))
    return (build_finding(seq, "wrong_phase", message, "9. Record"),)


EventJudge = Callable[[State, Any, Seq], Findings]
TABLE_ONLY_EVENTS: Final = (
    TableOpened,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    DealStarted,
    PaymentMade,
    PenaltyGiven,
    TableClosed,
)
EVENT_JUDGES: Final[dict[type[Event], EventJudge]] = {
    DealOpened: judge_deal_opened,
    GapNoted: judge_gap_noted,
    HandDealt: judge_hand_dealt,
    TalonLaid: judge_talon_laid,
    BidMade: judge_bid_made,
    CardsShown: judge_cards_shown,
    HandHeld: judge_hand_held,
    ContractNamed: judge_contract_named,
    TrumpNamed: judge_trump_named,
    TalonTurned: judge_talon_turned,
    ExchangeYielded: judge_exchange_yielded,
    TalonSeen: judge_talon_seen,
    CardsDiscarded: judge_cards_discarded,
    CardsDrawn: judge_cards_drawn,
    CardPlayed: judge_card_played,
    SlamAnnounced: judge_slam_announced,
    TricksClaimed: judge_tricks_claimed,
    ClaimAnswered: judge_claim_answered,
    DealAbandoned: judge_deal_abandoned,
    SurrenderOffered: judge_surrender_offered,
    SurrenderAnswered: judge_surrender_answered,
    PuestaReserved: judge_puesta_reserved,
    ResultRecorded: judge_result_recorded,
    RulingMade: judge_ruling_made,
    DealSettled: judge_deal_settled,
    DealClosed: judge_deal_settled,
    **dict.fromkeys(TABLE_ONLY_EVENTS, judge_table_event),
}
"""How each kind of fact is judged; a kind that is not here breaks nothing."""

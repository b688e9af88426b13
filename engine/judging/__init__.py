"""``judge``: what one fact breaks, at its place in the deal. Pure, and independent of the fold."""

from collections.abc import Callable
from typing import Any, Final

from engine.core import events
from engine.core.events import DEAL_EVENTS, Event, type_name
from engine.core.field_types import Seq
from engine.core.log import Entry
from engine.core.message import format_message
from engine.core.table_events import TABLE_EVENTS
from engine.fold import EVENT_FOLDS, REOPENING_PHASES, EventFold
from engine.judging import auction, ending, exchange, opening, play, revealed_cards
from engine.play.findings import NO_FINDINGS, Findings, build_finding
from engine.play.phases import resume_after_slip
from engine.play.state import NO_ENDING, State


def judge(state: State, entry: Entry) -> Findings:
    """The findings for ``entry`` in ``state``, the state before it; also what it proves of earlier
    entries."""
    event = entry.event
    judgement = EVENT_JUDGES.get(type(event))
    if judgement is None:
        return NO_FINDINGS
    if state.ending is not NO_ENDING and state.ending.ended_by_slip and type(event) in REOPENING_PHASES:
        state = resume_after_slip(state, REOPENING_PHASES[type(event)])
    return judgement(state, event, entry.seq)


def judge_table_event(state: State, event: Event, seq: Seq) -> Findings:
    """An event of a table has no place in a deal."""
    message = format_message("{event} belongs to a table, not to a deal.", event=type_name(type(event)))
    return (build_finding(seq, "wrong_phase", message, "9. Record"),)


EventJudge = Callable[[State, Any, Seq], Findings]
EVENT_JUDGES: Final[dict[type[Event], EventJudge]] = {
    events.DealOpened: opening.judge_deal_opened,
    events.GapNoted: opening.judge_gap_noted,
    events.HandDealt: revealed_cards.judge_hand_dealt,
    events.TalonLaid: revealed_cards.judge_talon_laid,
    events.BidMade: auction.judge_bid_made,
    events.CardsShown: revealed_cards.judge_cards_shown,
    events.HandHeld: revealed_cards.judge_hand_held,
    events.ContractNamed: auction.judge_contract_named,
    events.TrumpNamed: auction.judge_trump_named,
    events.TalonTurned: exchange.judge_talon_turned,
    events.ExchangeYielded: exchange.judge_exchange_yielded,
    events.TalonSeen: revealed_cards.judge_talon_seen,
    events.CardsDiscarded: exchange.judge_cards_discarded,
    events.CardsDrawn: exchange.judge_cards_drawn,
    events.CardPlayed: play.judge_card_played,
    events.SlamAnnounced: ending.judge_slam_announced,
    events.TricksClaimed: ending.judge_tricks_claimed,
    events.ClaimAnswered: ending.judge_claim_answered,
    events.DealAbandoned: ending.judge_deal_abandoned,
    events.SurrenderOffered: ending.judge_surrender_offered,
    events.SurrenderAnswered: ending.judge_surrender_answered,
    events.PuestaReserved: ending.judge_puesta_reserved,
    events.ResultRecorded: ending.judge_result_recorded,
    events.RulingMade: ending.judge_ruling_made,
    events.DealSettled: ending.judge_deal_settled,
    events.DealClosed: ending.judge_deal_settled,
    **dict.fromkeys(set(TABLE_EVENTS) - set(DEAL_EVENTS), judge_table_event),
}
"""How each kind of fact is judged; other kinds break nothing."""


def _find_nothing(state: State, event: Event, seq: Seq) -> Findings:
    return NO_FINDINGS


def _change_nothing(state: State, event: Event, seq: Seq) -> State:
    return state


EVENT_STEPS: Final[dict[type[Event], tuple[EventJudge, EventFold]]] = {
    kind: (EVENT_JUDGES.get(kind, _find_nothing), EVENT_FOLDS.get(kind, _change_nothing))
    for kind in (*DEAL_EVENTS, *TABLE_EVENTS)
}
"""How each kind of fact is judged and folded, for those who do both."""

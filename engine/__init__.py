"""The game: cards, rulesets, events, the fold, legality, judging and scoring. Pure.

``effective(log)`` applies corrections, ``evolve(state, entry)`` folds a fact, ``judge(state, entry)`` says
what it breaks, ``legal(state)`` and ``score(state)`` say what may happen next and what is paid, ``view(log,
viewer)`` reduces a log to what a viewer may know, and ``audit(log)`` runs them over a whole log.
"""

from engine.audit import Audit, audit
from engine.core.events import (
    ActionWithdrawn,
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    CorrectionMade,
    DealAbandoned,
    DealClosed,
    DealOpened,
    DealSettled,
    DealVoided,
    ExchangeYielded,
    GapNoted,
    HandDealt,
    HandHeld,
    HandTakenOver,
    IrregularityNoted,
    NoteAdded,
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
)
from engine.core.field_types import Players
from engine.core.log import Entry, EntryMetadata, Log, build_log
from engine.fold import evolve, fold_all
from engine.judging import judge
from engine.legality import LegalActions, legal
from engine.play.findings import Finding
from engine.play.history import History, effective
from engine.play.state import INITIAL_STATE, State, initial_state
from engine.scoring.score import Score, score
from engine.view import FULL_VIEWER, PUBLIC_VIEWER, Viewer, seat_viewer, view

__all__ = [
    "FULL_VIEWER",
    "INITIAL_STATE",
    "PUBLIC_VIEWER",
    "ActionWithdrawn",
    "Audit",
    "BidMade",
    "CardPlayed",
    "CardsDiscarded",
    "CardsDrawn",
    "CardsShown",
    "ClaimAnswered",
    "ContractNamed",
    "CorrectionMade",
    "DealAbandoned",
    "DealClosed",
    "DealOpened",
    "DealSettled",
    "DealVoided",
    "Entry",
    "EntryMetadata",
    "ExchangeYielded",
    "Finding",
    "GapNoted",
    "HandDealt",
    "HandHeld",
    "HandTakenOver",
    "History",
    "IrregularityNoted",
    "LegalActions",
    "Log",
    "NoteAdded",
    "Players",
    "PuestaReserved",
    "ResultRecorded",
    "RulingMade",
    "Score",
    "SlamAnnounced",
    "State",
    "SurrenderAnswered",
    "SurrenderOffered",
    "TalonLaid",
    "TalonSeen",
    "TalonTurned",
    "TricksClaimed",
    "TrumpNamed",
    "Viewer",
    "audit",
    "build_log",
    "effective",
    "evolve",
    "fold_all",
    "initial_state",
    "judge",
    "legal",
    "score",
    "seat_viewer",
    "view",
]

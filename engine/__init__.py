"""The game: cards, rulesets, events, the fold, legality, judging and scoring. Pure.

``effective(log)`` applies corrections, ``evolve(state, entry)`` folds a fact, ``judge(state, entry)`` says
what it breaks, ``legal(state)`` and ``score(state)`` say what may happen next and what is paid, ``view(log,
viewer)`` reduces a log to what a viewer may know, and ``audit(log)`` runs them over a whole log.
"""

from engine.audit import Audit, audit
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
    "Audit",
    "Entry",
    "EntryMetadata",
    "Finding",
    "History",
    "LegalActions",
    "Log",
    "Score",
    "State",
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

"""The game: cards, rulesets, events, the fold, legality, judging and scoring. Pure.

The verbs, all of them functions of their arguments and nothing else:

``effective(log)`` applies corrections and withdrawals; ``evolve(state, entry)`` folds one
fact; ``judge(state, entry)`` says what that fact breaks; ``legal(state)`` and
``score(state)`` say what may happen next and what is paid; ``view(log, viewer)`` cuts a log
to what a viewer may know. ``audit(log)`` runs them over a whole log.
"""

from engine.audit import Audit, audit
from engine.core.log import Entry, Log, Record, log_of
from engine.fold import evolve, fold_all
from engine.judging import judge
from engine.legality import Legal, legal
from engine.play.findings import Finding
from engine.play.history import History, effective
from engine.play.state import START, State, start
from engine.scoring.score import Score, score
from engine.view import EVERYTHING, PUBLIC, Viewer, in_seat, view

__all__ = [
    "EVERYTHING",
    "PUBLIC",
    "START",
    "Audit",
    "Entry",
    "Finding",
    "History",
    "Legal",
    "Log",
    "Record",
    "Score",
    "State",
    "Viewer",
    "audit",
    "effective",
    "evolve",
    "fold_all",
    "in_seat",
    "judge",
    "legal",
    "log_of",
    "score",
    "start",
    "view",
]

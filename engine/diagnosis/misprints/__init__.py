"""Misprints: the smallest corrections of a record that cannot be which make it possible (RULES 9).

Modules, each on those before it: one card of one entry put right (`card_changes`), the check whether a record
can be (`possibility_check`), the search (`correction_search`), and what is proposed, ranked and in words
(`proposals`).
"""

from engine.diagnosis.misprints.card_changes import ADDED, LEFT_OUT, REPLACED, CardChange
from engine.diagnosis.misprints.proposals import (
    MisprintProposals,
    Proposal,
    ProposalGroup,
    find_misprints,
    group_proposals,
)

__all__ = [
    "ADDED",
    "LEFT_OUT",
    "REPLACED",
    "CardChange",
    "MisprintProposals",
    "Proposal",
    "ProposalGroup",
    "find_misprints",
    "group_proposals",
]

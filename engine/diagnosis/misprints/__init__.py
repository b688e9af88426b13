"""Misprints: the smallest corrections of a record that cannot be which make it possible (RULES 9).

Modules, each on those before it: one card of one entry put right (`changes`), records asked whether they
can be (`looking`), the search (`search`), and what is proposed, ranked and in words (`proposals`).
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

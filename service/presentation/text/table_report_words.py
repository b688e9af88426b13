"""The words of the report on a table, in English and in Danish."""

from typing import Final

from service.presentation.text.shared_report_words import SHARED_REPORT_PHRASES

TABLE_REPORT_PHRASES: Final = {
    **SHARED_REPORT_PHRASES,
    "deals": "{count} deals",
    "deal": "1 deal",
    "faults": "What is wrong, each thing once",
    "own": "The table's own log",
    "follows": "This follows from it:",
    "follows_in": "deal {number}, entry {seq}: {what}",
    "follows_at": "entry {seq}: {what}",
    "like_it": "And {count} others like it, with {cards}.",
    "one_like_it": "And another like it, with {cards}.",
    "would_stand": "Proposed correction of entry {seq}: {what}",
    "taken_out": "it is taken out.",
    "put_right": "It would be put right by a correction of {entries}.",
    "settlements": "The settlements, counted again",
    "agree": "What was paid is what is due, as far as that can be said.",
    "first": "Deal {number} is the first to part from the rules: {apart}.",
    "pool": "opened with {recorded} in the pool instead of {due}",
    "apart": "Paid beside what is due, by deal:",
    "in_all": "in all",
    "on_condition": (
        "For deal {deals} this holds on the condition told there; where an entry was made wrongly, it is "
        "otherwise."
    ),
    "on_conditions": (
        "For deals {deals} this holds on the conditions told there; where an entry was made wrongly, it is "
        "otherwise."
    ),
    "undecided": "What {count} deals pay cannot be said from their records alone, so they are left out here.",
    "one_undecided": "What 1 deal pays cannot be said from its record alone, so it is left out here.",
    "not_here": "The records of {count} deals are not here; what they pay does not count.",
    "one_not_here": "The record of 1 deal is not here; what it pays does not count.",
    "rescored": "By other rules: {rules}",
    "player": "player",
    "was": "by its rules",
    "would": "by those",
    "difference": "difference",
    "the_same": "It pays the same by its own rules.",
    "no_such_game": "{rules} has no such game as {game}, so nothing can be paid by it.",
    "none_comparable": "By one of the two no deal can be paid, so there is nothing to compare: {deals}.",
    "changed": "Deals that pay otherwise:",
    "none_changed": "No deal that both can pay pays otherwise.",
    "open_there": "Left open by one of the two, and so not counted: {deals}.",
}
"""The headings and lines of ``audit`` for a table."""

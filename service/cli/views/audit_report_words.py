"""The words of the report on a deal in text, in English and in Danish."""

from typing import Final

AUDIT_REPORT_PHRASES: Final = {
    "course": "The course",
    "nothing": "Nothing was found.",
    "mended": "What was corrected or taken back",
    "penalties": "Penalty points, apart from the chips",
    "unseen_cards": "The hidden cards",
    "misprints": "What may be written wrongly",
    "no_proposal": "No one or two cards put right would make the record possible.",
    "more": "And {count} more.",
    "not_all": "Not everything was looked at; there may be more.",
    "by": "by {name}",
    "matters": "What was found, and how the deal stood",
    "rulings": "What was said and ruled",
    "likely": "What would have happened",
    "settled": "What was paid at the table",
    "entry": "Entry {seq}: {what}.",
    "open": "Open then: {what}.",
    "was": "It was: {what}.",
    "is": "It is now: {what}.",
    "right": "As it is due.",
    "undecided": "What is due cannot be said, so it is held to nothing.",
    "parted": "Beside what is due: {payments}.",
}
"""The headings and lines of ``audit``."""

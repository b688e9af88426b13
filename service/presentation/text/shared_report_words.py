"""What the reports on deals and tables say alike: in text, on paper and on the page."""

from typing import Final

SHARED_REPORT_PHRASES: Final = {
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
}
"""The headings and sentences that every report has."""

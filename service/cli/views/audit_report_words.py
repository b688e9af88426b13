"""The words of the report on a deal in text, in English and in Danish."""

from typing import Final

from service.presentation.text.shared_report_words import SHARED_REPORT_PHRASES

AUDIT_REPORT_PHRASES: Final = {
    **SHARED_REPORT_PHRASES,
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

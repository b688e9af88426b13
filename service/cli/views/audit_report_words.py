"""The words of the report on a deal in text, in English and in Danish."""

from typing import Final

from engine.rulesets.model import BilingualText
from service.presentation.text.shared_report_words import SHARED_REPORT_PHRASES

AUDIT_REPORT_PHRASES: Final = {
    **SHARED_REPORT_PHRASES,
    "matters": BilingualText(
        "What was found, and how the deal stood", "Hvad der er fundet, og hvordan spillet stod"
    ),
    "rulings": BilingualText("What was said and ruled", "Hvad der er sagt og afgjort"),
    "likely": BilingualText("What would have happened", "Hvad der ville være sket"),
    "settled": BilingualText("What was paid at the table", "Hvad der blev betalt ved bordet"),
    "entry": BilingualText("Entry {seq}: {what}.", "Post {seq}: {what}."),
    "open": BilingualText("Open then: {what}.", "Muligt da: {what}."),
    "was": BilingualText("It was: {what}.", "Der stod: {what}."),
    "is": BilingualText("It is now: {what}.", "Der står nu: {what}."),
    "right": BilingualText("As it is due.", "Som det skal være."),
    "undecided": BilingualText(
        "What is due cannot be said, so it is held to nothing.",
        "Hvad der skal betales, kan ikke siges, så det er ikke sammenholdt med noget.",
    ),
    "parted": BilingualText(
        "Beside what is due: {payments}.", "I forhold til hvad der skal betales: {payments}."
    ),
}
"""The headings and lines of ``audit``."""

"""The words of the report on a deal in text, in English and in Danish."""

from typing import Final

from engine.rulesets.model import Words
from service.presentation.text.report_words import ALIKE

REPORT: Final = {
    **ALIKE,
    "matters": Words("What was found, and how the deal stood", "Hvad der er fundet, og hvordan spillet stod"),
    "rulings": Words("What was said and ruled", "Hvad der er sagt og afgjort"),
    "likely": Words("What would have happened", "Hvad der ville være sket"),
    "settled": Words("What was paid at the table", "Hvad der blev betalt ved bordet"),
    "entry": Words("Entry {seq}: {what}.", "Post {seq}: {what}."),
    "open": Words("Open then: {what}.", "Muligt da: {what}."),
    "was": Words("It was: {what}.", "Der stod: {what}."),
    "is": Words("It is now: {what}.", "Der står nu: {what}."),
    "right": Words("As it is due.", "Som det skal være."),
    "undecided": Words(
        "What is due cannot be said, so it is held to nothing.",
        "Hvad der skal betales, kan ikke siges, så det er ikke sammenholdt med noget.",
    ),
    "parted": Words("Beside what is due: {payments}.", "I forhold til hvad der skal betales: {payments}."),
}
"""The headings and lines of ``audit``."""

"""The words of the report on a deal, in English and in Danish."""

from typing import Final

from engine.rulesets.model import Words

REPORT: Final = {
    "course": Words("The course", "Forløbet"),
    "matters": Words("What was found, and how the deal stood", "Hvad der er fundet, og hvordan spillet stod"),
    "nothing": Words("Nothing was found.", "Der er intet fundet."),
    "mendings": Words("What was corrected or taken back", "Hvad der er rettet eller taget tilbage"),
    "rulings": Words("What was said and ruled", "Hvad der er sagt og afgjort"),
    "penalties": Words("Penalty points, apart from the chips", "Strafpoint, ud over jetonerne"),
    "likely": Words("What would have happened", "Hvad der ville være sket"),
    "unseen": Words("The hidden cards", "De skjulte kort"),
    "misprints": Words("What may be written wrongly", "Hvad der kan være skrevet forkert"),
    "no_proposal": Words(
        "No one or two cards put right would make the record possible.",
        "Intet enkelt kort eller to rettet ville gøre optegnelsen mulig.",
    ),
    "more_proposals": Words("And {count} more.", "Og {count} til."),
    "not_all": Words(
        "Not everything was looked at; there may be more.", "Ikke alt er set efter; der kan være mere."
    ),
    "settled": Words("What was paid at the table", "Hvad der blev betalt ved bordet"),
    "entry": Words("Entry {seq}: {what}.", "Post {seq}: {what}."),
    "open": Words("Open then: {what}.", "Muligt da: {what}."),
    "was": Words("It was: {what}.", "Der stod: {what}."),
    "is": Words("It is now: {what}.", "Der står nu: {what}."),
    "by": Words("by {name}", "af {name}"),
    "right": Words("As it is due.", "Som det skal være."),
    "undecided": Words(
        "What is due cannot be said, so it is held to nothing.",
        "Hvad der skal betales, kan ikke siges, så det er ikke sammenholdt med noget.",
    ),
    "parted": Words("Beside what is due: {payments}.", "I forhold til hvad der skal betales: {payments}."),
}
"""The headings and lines of ``audit``."""

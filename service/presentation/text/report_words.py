"""What the reports on deals and tables say alike: in text, on paper and on the page."""

from typing import Final

from engine.rulesets.model import Words

ALIKE: Final = {
    "course": Words("The course", "Forløbet"),
    "nothing": Words("Nothing was found.", "Der er intet fundet."),
    "mended": Words("What was corrected or taken back", "Hvad der er rettet eller taget tilbage"),
    "penalties": Words("Penalty points, apart from the chips", "Strafpoint, ud over jetonerne"),
    "unseen_cards": Words("The hidden cards", "De skjulte kort"),
    "misprints": Words("What may be written wrongly", "Hvad der kan være skrevet forkert"),
    "no_proposal": Words(
        "No one or two cards put right would make the record possible.",
        "Intet enkelt kort eller to rettet ville gøre optegnelsen mulig.",
    ),
    "more": Words("And {count} more.", "Og {count} til."),
    "not_all": Words(
        "Not everything was looked at; there may be more.",
        "Ikke alt er set efter; der kan være mere.",
    ),
    "by": Words("by {name}", "af {name}"),
}
"""The headings and sentences that every report has."""

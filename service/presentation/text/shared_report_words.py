"""What the reports on deals and tables say alike: in text, on paper and on the page."""

from typing import Final

from engine.rulesets.model import BilingualText

SHARED_REPORT_PHRASES: Final = {
    "course": BilingualText("The course", "Forløbet"),
    "nothing": BilingualText("Nothing was found.", "Der er intet fundet."),
    "mended": BilingualText("What was corrected or taken back", "Hvad der er rettet eller taget tilbage"),
    "penalties": BilingualText("Penalty points, apart from the chips", "Strafpoint, ud over jetonerne"),
    "unseen_cards": BilingualText("The hidden cards", "De skjulte kort"),
    "misprints": BilingualText("What may be written wrongly", "Hvad der kan være skrevet forkert"),
    "no_proposal": BilingualText(
        "No one or two cards put right would make the record possible.",
        "Intet enkelt kort eller to rettet ville gøre optegnelsen mulig.",
    ),
    "more": BilingualText("And {count} more.", "Og {count} til."),
    "not_all": BilingualText(
        "Not everything was looked at; there may be more.",
        "Ikke alt er set efter; der kan være mere.",
    ),
    "by": BilingualText("by {name}", "af {name}"),
}
"""The headings and sentences that every report has."""

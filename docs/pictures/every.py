"""Takes every page, on a phone and on a desk, by day and by night: to be looked at, not kept.

``make screenshots`` puts them into the folder ``screenshots``; ``python -m docs.pictures.every slip record``
takes those of some endpoints. A test holds that no page is left out.
"""

import sys
from pathlib import Path
from typing import Final, Literal

from docs.pictures.take import PHONE, Picture, Shown, chromium, shown, take
from tests.support.engine.shorthand import bids, names, plays, swap
from tests.support.web.showing import BELINDA, PRINTED

FOLDER: Final = Path("screenshots")
WAYS: Final[tuple[tuple[str, tuple[int, int], Literal["light", "dark"], str], ...]] = (
    ("phone-light", PHONE, "light", "da"),
    ("phone-dark", PHONE, "dark", "en"),
    ("desk-light", (1280, 800), "light", "en"),
    ("desk-dark", (1280, 800), "dark", "da"),
)
NOT_DRAWN: Final = frozenset(
    {
        *(
            "contract_as_yaml",
            "enter",
            "manifest",
            "card_symbols",
            "script_texts",
            "service_worker",
            "shell",
            "static",
            "style_sheet",
        ),
        *("recorded_file", "replay_file"),
        *("embedded_deal", "deal_editor_of_deal", "printed_deal", "compare_recorded_readings"),
        *("choose_account_of_deal", "compare_recorded_accounts", "recorded_hidden_cards"),
    }
)
"""Endpoints that nobody looks at: files, data, pages that are gone as soon as they have come, and what looks
as a deal of the library does."""


LONG: Final = "api_reference"
"""As long as two hundred screens: the first is enough."""


def every_page(there: Shown) -> dict[str, str]:
    """The address of each page, by its endpoint."""
    club, table = there.club, there.table
    recording = club.begun(club.table(players=("Anna", "Bo", "Carl", "Dorthe")))
    acts = [*bids("F solo, M pass, B pass"), *names("F", "solo", "H")]
    acts += [*swap("M", "?? ?? ??", "?? ?? ??"), *swap("B", "?? ??", "?? ??")]
    acts += [*plays("F-SA M-H2 B-H3 F-H7 M-HJ B-H4 F-DK M-D2")]
    club.post(f"/deals/{recording}/events", acts, 1)
    return {
        "api_reference": "/api/docs",
        "blank": f"{table}/blank",
        "blank_alone": "/tables/blank",
        "deals": "/deals",
        "home": "/",
        "rulesets": "/rules",
        "ruleset": "/rules/dlu",
        "ruleset_differences": "/rules/dlu/compare/ombre",
        "deal_editor": "/write",
        "deal_editor_of_replay": f"{BELINDA}/write",
        "embedded_replay": f"{BELINDA}/embed",
        "printed_replay": f"{BELINDA}/print",
        "example_deals": "/examples",
        "game_guide": "/game",
        "library": "/library",
        "member": f"/members/{club.members['Finn']}",
        "members": "/members",
        "new_deal": "/deals/new",
        "new_table": "/tables/new",
        "slip_batch": f"{table}/slip-batch",
        "problem": "/problems/stale-version",
        "record": f"/deals/{recording}/record",
        "record_next": f"{table}/record",
        "recorded": there.recorded,
        "recorded_report": f"{there.recorded}/report",
        "replay_report": f"{PRINTED}/report",
        "replay_hidden_cards": f"{BELINDA}/hidden-cards",
        "choose_account_of_replay": f"{BELINDA}/compare",
        "compare_replay_accounts": f"{PRINTED}/compare/belinda",
        "compare_readings_page": f"{BELINDA}/readings/belinda-second-reading",
        "replay": BELINDA,
        "season": there.season,
        "seasons": "/seasons",
        "sheet": f"{table}/sheet",
        "slip": table,
        "table_report": f"{table}/report",
        "tables": "/tables",
        "verify": "/verify",
    }


def main(*wanted: str) -> None:
    """Takes all pages, or those of these endpoints."""
    FOLDER.mkdir(exist_ok=True)
    with shown() as there, chromium() as browser:
        for endpoint, address in every_page(there).items():
            if wanted and endpoint not in wanted:
                continue
            for way, size, colours, language in WAYS:
                asked = f"{address}?lang={language}"
                picture = Picture(f"{endpoint}-{way}", asked, size, colours)
                take(browser, picture, there.club.origin, FOLDER, whole=endpoint != LONG)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Takes the pictures of the pages that the documentation shows.

Run ``make screenshots``, or this file with the names of some; it needs Debian's Chromium. The deals are the
library's, and those of evenings that this script records, so that a picture stays the same until the pages
change.
"""

import logging
import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, expect, sync_playwright
from werkzeug.serving import make_server

from docs.pictures.palette import packed
from service.app import create_app
from service.auth.caller import OWNER_CALLER
from service.eventstore import MemoryStore
from tests.support.api.recording import recorded_deal
from tests.support.api.servers import free_port
from tests.support.engine.shorthand import names, plays, swap
from tests.support.web.club import Club, fill
from tests.support.web.devices import write
from tests.support.web.evening import bid, club_deal, where
from tests.support.web.showing import BELINDA, PRINTED, SECOND, at, events_of

CHROMIUM = "/usr/bin/chromium"
HERE = Path(__file__).parent
PHONE = (390, 844)

FOURTH_TRICK = where(events_of(BELINDA), card="SJ") + 1
REVOKE = where(club_deal(), card="S3")


@dataclass(frozen=True)
class Picture:
    """One picture: its file's name, the page, the window, the colours asked for, what is tapped before."""

    name: str
    address: str
    size: tuple[int, int] = (1280, 900)
    colours: Literal["light", "dark"] = "light"
    prepare: Callable[[Page], object] = lambda page: None


def pictures(recorded: str) -> list[Picture]:
    """Every picture; ``recorded`` is the address of the evening's deal."""
    return [
        Picture("library", "/library", size=(1280, 720)),
        Picture("replay-start", BELINDA),
        Picture("replay-trick-4", f"{BELINDA}#at={FOURTH_TRICK}"),
        Picture("replay-end", at(BELINDA, type="result_recorded"), colours="dark"),
        Picture("misprint", at(PRINTED, type="hand_held", seat="middlehand")),
        Picture("revoke", f"{recorded}?lang=en#at={REVOKE}", colours="dark"),
        Picture("phone-second-reading", at(SECOND, card="CJ", type="card_played"), PHONE),
        Picture("phone-danish", f"{recorded}?lang=da#at={REVOKE}", PHONE, "dark"),
        Picture("readings", f"{BELINDA}/readings/{SECOND.rpartition('/')[2]}?lang=en", size=(1280, 1330)),
        Picture("column", f"{BELINDA}/print?lang=en", size=(1280, 1080)),
        Picture("report", f"{BELINDA}-as-printed/report?lang=en", size=(1100, 1500)),
        Picture("preview", f"/api/v1{BELINDA}/state.png?at={FOURTH_TRICK}", size=(1200, 630)),
    ]


def evening(club: Club) -> str:
    """The id of a table at which some deals have been played, one of them corrected."""
    assert club.members
    table = club.table(title="Torsdagsklubben", plan={"deals": 24}, chip_value="0.25", currency="kr")
    f, m, b = "forehand", "middlehand", "backhand"
    deal = ""
    for declarer, contract, trump, outcome in (
        (f, "solo", "H", "won"), (b, "tourne", "D", "bete"), (m, "simple", "C", "won"),
        (f, "simple-nolo", None, "won"), (m, "spade-game", None, "codille"), (b, "solo", "C", "won"),
    ):  # fmt: skip
        suit = {"trump": trump} if trump else {}
        deal = club.deal(table, declarer=declarer, contract=contract, outcome=outcome, **suit)
    club.deal(table, outcome="passed_out")
    better = {"type": "result_recorded", "declarer": b, "contract": "solo", "trump": "C", "outcome": "bete"}
    correction = {"type": "correction_made", "replaces": [2], "reason": "Det var bet", "with": [better]}
    club.post(f"/deals/{deal}/events", correction, 2)
    return table


def season(club: Club) -> str:
    """The address of a season of nine evenings, with members and guests."""
    rng, members = random.Random(4), club.members
    company = [*members.values(), "Anna", "Bo", "Carl-Christian"]
    games = (("solo", "H"), ("simple", "C"), ("tourne", "D"), ("simple-nolo", None), ("spade-game", None))
    for day in ("08-28", "09-04", "09-11", "09-25", "10-09", "10-23", "11-06", "11-13", "11-27"):
        players = tuple(rng.sample(company, rng.choice([3, 4, 4])))
        table = club.table(
            players=players, recorded_at=f"2025-{day}T19:00:00Z", chip_value="0.25", currency="kr"
        )
        for _ in range(10):
            contract, trump = rng.choice(games)
            result = {"outcome": rng.choice(["won", "won", "won", "bete", "codille"]), "contract": contract}
            suit = {"trump": trump} if trump else {}
            club.deal(table, declarer=rng.choice(["forehand", "middlehand", "backhand"]), **result, **suit)
    return "/seasons/2025-26"


def pictures_of_club(season: str) -> list[Picture]:
    """The pages of many evenings, and what a device can choose."""

    def forget(page: Page) -> None:
        page.get_by_role("button", name="Glem Finn Friis").click()

    def spanish(page: Page) -> None:
        for name in ("Four colours", "Spanish terms"):
            page.get_by_role("button", name=name).click()
            expect(page.locator("main[data-waiting]")).to_have_count(0)
        expect(page.locator("body")).to_have_attribute("data-terms", "es")

    return [
        Picture("season", f"{season}?lang=da", size=(1280, 1500)),
        Picture("season-dark", f"{season}?lang=en&by=won", size=(1280, 1500), colours="dark"),
        Picture("phone-season", f"{season}?lang=da", PHONE),
        Picture("phone-members", "/members?lang=da", PHONE, prepare=forget),
        Picture("spanish", f"{BELINDA}?lang=en#at={FOURTH_TRICK}", prepare=spanish),
    ]


def pictures_of_evening(table: str) -> list[Picture]:
    """The pages of an evening, on phones and desks, by day and by night, in both languages."""

    def danish(page: Page) -> None:
        fill(page, "Anna", "solo", "hjerter", "Vundet")

    def english(page: Page) -> None:
        fill(page, "Anna", "solo", "hearts", "Won")

    def why(page: Page) -> None:
        page.locator(".deal-toggle").first.click()
        page.locator(".reason-row .payments").wait_for()

    def rules(page: Page) -> None:
        page.locator("summary").click()

    def slip_batch(page: Page) -> None:
        for line in ("so h C +5", "to s D bet", "pas", "bs C 5-2-2", "kn D 0", "so r An v"):
            page.locator(".batch-row").last.locator('[data-column="contract"]').fill(line)
            page.keyboard.press("Enter")
        expect(page.locator('.batch-row[data-state="ready"]')).to_have_count(6)
        page.locator('[data-column="paper"]').nth(1).fill("-3 1 -2 5")
        page.locator(".batch-row").last.locator('[data-column="contract"]').fill("so")
        expect(page.locator(".batch-first-difference button")).to_be_visible()

    def row(page: Page) -> None:
        slip_batch(page)
        page.locator('[data-column="declarer"]').nth(1).focus()

    slip, sheet = table, f"{table}/sheet"
    return [
        Picture("slip-batch", f"{table}/slip-batch?lang=da", size=(1280, 1000), prepare=slip_batch),
        Picture("phone-slip-batch", f"{table}/slip-batch?lang=da", PHONE, prepare=row),
        Picture("blank-sheet", f"{table}/blank?lang=da", size=(1280, 1420)),
        Picture("tables", "/tables?lang=da", size=(1280, 720)),
        Picture("phone-new-table", "/tables/new?lang=da", PHONE),
        Picture("new-table", "/tables/new?lang=en", size=(1280, 1100), colours="dark", prepare=rules),
        Picture("phone-slip", f"{slip}?lang=da", PHONE, prepare=danish),
        Picture("phone-slip-dark", f"{slip}?lang=en", PHONE, "dark", prepare=english),
        Picture("slip", f"{slip}?lang=en", prepare=english),
        Picture("slip-dark", f"{slip}?lang=da", colours="dark", prepare=danish),
        Picture("phone-sheet", f"{sheet}?lang=da", PHONE, prepare=why),
        Picture("sheet", f"{sheet}?lang=da", size=(1280, 1300)),
        Picture("sheet-dark", f"{sheet}?lang=en", size=(1280, 1300), colours="dark"),
    ]


def pictures_of_recorder(club: Club, table: str) -> list[Picture]:
    """A deal that is being recorded card by card, and another in its bidding."""
    played, bidding = club.begun(table), club.begun(table)
    f, m, b = "forehand", "middlehand", "backhand"
    acts = [bid(f, "solo"), bid(m, "pass"), bid(b, "pass"), *names("F", "solo", "H")]
    acts += [*swap("M", "?? ?? ??", "?? ?? ??"), *swap("B", "?? ??", "?? ??")]
    acts += [*plays("F-SA M-H2 B-H3 F-H7 M-HJ B-H4 F-CK M-C4 B-CQ F-DK M-D2")]
    club.post(f"/deals/{played}/events", acts, 1)
    club.post(f"/deals/{bidding}/events", [bid(f, "simple", "spil"), bid(m, "tourne")], 1)
    address = f"/deals/{played}/record?lang="
    return [
        Picture("phone-recorder", f"{address}da", PHONE),
        Picture("phone-recorder-auction", f"/deals/{bidding}/record?lang=da", PHONE, "dark"),
        Picture("recorder", f"{address}en", size=(1280, 860)),
    ]


def pictures_without_a_network(club: Club) -> list[Picture]:
    """A slip that goes on, with what waits; and the question where somebody else wrote first."""
    table = club.table(title="Torsdagsklubben", plan={"deals": 24})
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")

    def waits(page: Page) -> None:
        page.context.set_offline(True)
        write(page, "Bo", "tourné", "ruder", "Vundet")
        write(page, "Anna", "solo", "klør", "Bet")
        expect(page.locator(".queue-status")).to_have_text("2 ikke sendt endnu")
        expect(page.locator(".connection")).to_have_text("Intet net. 2 sendes, når det er tilbage.")
        page.evaluate("scrollTo(0, 0)")

    def conflict(page: Page) -> None:
        waits(page)
        club.deal(table, declarer="middlehand", contract="simple", trump="C", outcome="bete")
        page.context.set_offline(False)
        expect(page.locator(".decision li")).to_contain_text("bet")
        expect(page.locator(".connection")).to_be_empty()

    return [
        Picture("phone-offline", f"/tables/{table}?lang=da", PHONE, prepare=waits),
        Picture("phone-conflict", f"/tables/{table}?lang=da", PHONE, prepare=conflict),
    ]


def take(
    browser: Browser, picture: Picture, origin: str, folder: Path = HERE, *, whole: bool = False
) -> None:
    """Takes one picture into a folder, packed where it is kept; ``whole`` shows more than a window full."""
    width, height = picture.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=picture.colours,
        reduced_motion="reduce",
        device_scale_factor=2 if picture.size == PHONE else 1,
    )
    page = context.new_page()
    # A page that follows a table never stops asking: it is drawn once it no longer waits.
    page.goto(origin + picture.address)
    expect(page.locator("main[data-waiting]")).to_have_count(0)
    expect(page.locator("html[data-type]")).to_have_count(0)  # a first view comes without its type
    picture.prepare(page)
    if picture.size != PHONE:
        page.evaluate("scrollTo(0, 0)")
    page.evaluate("document.fonts.ready.then(() => new Promise((drawn) => setTimeout(drawn, 300)))")
    taken = page.screenshot(full_page=whole)
    (folder / f"{picture.name}.png").write_bytes(packed(taken) if folder == HERE else taken)
    print(f"{picture.name}.png")
    context.close()


@dataclass(frozen=True)
class Shown:
    """What there is to see: a running service, and the addresses of its evenings."""

    club: Club
    recorded: str
    season: str
    table: str


@contextmanager
def shown() -> Iterator[Shown]:
    """A service with an evening's deal, a season and a table."""
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    store, port = MemoryStore(), free_port()
    recorded = f"/deals/{recorded_deal(store, club_deal())}"
    app = create_app(store, fixed_caller=OWNER_CALLER, port=port)
    club = Club(app, f"http://127.0.0.1:{port}")
    there = Shown(club, recorded, season(club), f"/tables/{evening(club)}")
    server = make_server("127.0.0.1", port, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield there
    server.shutdown()


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


def main(*wanted: str) -> None:
    """Takes every picture, or those of these names."""
    with shown() as there, chromium() as browser:
        club = there.club
        for picture in (
            *pictures(there.recorded), *pictures_of_evening(there.table), *pictures_of_club(there.season),
        ):  # fmt: skip
            if not wanted or picture.name in wanted:
                take(browser, picture, club.origin)
        # Its table is opened when those that show all tables are taken.
        late = pictures_of_recorder(club, club.table(players=("Anna", "Bo", "Carl", "Dorthe")))
        for picture in (*late, *pictures_without_a_network(club)):
            if not wanted or picture.name in wanted:
                take(browser, picture, club.origin)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Deals of every contract of every ruleset, recorded by taps: ``python -m tests.web.rounds --rounds 3``.

Three hands are known; every tap is of something that the service says is legal, until the deal is over. Then
the page says what is paid, as the service does, and the deal is closed. pytest records a few of them.
"""

import argparse
import logging
import random
import threading
import time
from collections.abc import Iterator
from typing import NamedTuple

from playwright.sync_api import Page, expect, sync_playwright
from werkzeug.serving import make_server

from engine.core.cards import SUITS
from engine.rulesets import PUBLISHED
from service.app import create_app
from service.eventstore import MemoryStore
from tests.conftest import CHROMIUM
from tests.support.api.servers import free_port
from tests.support.web.club import Club, Json
from tests.support.web.recorder import alone, call, entered, finished, name, paid, recorder

HANDS = {
    "forehand": ["SA", "CA", "H7", "HA", "HK", "D4", "D3", "C2", "S5"],
    "middlehand": ["S2", "SK", "SQ", "C7", "C6", "C5", "DQ", "DK", "H2"],
    "backhand": ["SJ", "S7", "HQ", "HJ", "H3", "CK", "CQ", "D7", "D2"],
}
"""Hands in which forehand was dealt both black aces, so that every contract is open to him."""


class Game(NamedTuple):
    """A contract by some rules, the bid that it is come to by, and its trumps where they are chosen."""

    ruleset: str
    bid: str
    contract: str
    trump: str | None
    pool: int | None


def games() -> Iterator[Game]:
    """Every contract of every ruleset that a first bid may come to."""
    for rules in PUBLISHED:
        found: dict[str, Game] = {}
        pool = rules.ruleset.pool.stake * 3 if rules.ruleset.pool else None
        for bid, namings in rules.naming.items():
            said = rules.bids[bid]
            if said.only_over or said.extra or said.after_all_pass:
                continue
            for naming in namings:
                trump = SUITS[naming.trumps[0]] if naming.trumps else None
                game = Game(rules.ruleset.id, bid, naming.contract, trump, pool)
                found.setdefault(naming.contract, game)
        yield from found.values()


def recorded(page: Page, club: Club, game: Game, seed: int = 1) -> Json:
    """Records a deal of this contract to its end and closes it; its score. What is wrong is asserted."""
    dealt = [{"type": "hand_dealt", "seat": seat, "cards": cards} for seat, cards in HANDS.items()]
    deal = alone(club, game.ruleset, *dealt, **({"pool": game.pool} if game.pool else {}))
    recorder(page, club, deal, "en")
    call(page, club, deal, game.bid, "pass", "pass")
    name(page, club, deal, game.contract, game.trump)
    score = finished(page, club, deal, seed)
    assert score["decided"], score
    assert score["contract"] == game.contract
    expect(page.locator(".settlement .outcome")).to_be_visible()
    told = [int(text.replace("−", "-")) for text in paid(page)]
    assert told == list(score["payments"].values())
    entered(page, club, deal, page.get_by_role("button", name="Close the deal").click)
    expect(page.get_by_text("The deal is closed.")).to_be_visible()
    (closing,) = [event for event in club.events("deals", deal) if event["type"] == "deal_closed"]
    assert closing["payments"] == score["payments"]
    assert club.get(f"/deals/{deal}/findings")["ok"]
    return score


def main() -> None:
    """Records them all, so many times over, and tells how they ended."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rounds", type=int, default=1, help="how often each contract is recorded")
    asked.add_argument("--ruleset", action="append", help="only by these rules; may be said several times")
    options = asked.parse_args()
    rounds, wanted = options.rounds, options.ruleset
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    port = free_port()
    app = create_app(MemoryStore(), port=port)
    server = make_server("127.0.0.1", port, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    club, began, count = Club(app, f"http://127.0.0.1:{port}"), time.monotonic(), 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM))
        for seed in range(1, rounds + 1):
            for game in games():
                if wanted and game.ruleset not in wanted:
                    continue
                page = browser.new_page(viewport={"width": 390, "height": 844})
                score = recorded(page, club, game, random.Random(seed).randrange(10_000))
                print(f"{game.ruleset} {game.contract}: {score['outcome']} {score['payments']}")
                count += 1
                page.close()
        browser.close()
    server.shutdown()
    print(f"{count} deals recorded by taps in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()

"""Deals of every contract of every ruleset, recorded by taps: ``python -m tests.browser.rounds --rounds
3``."""

import argparse
import logging
import random
import time
from collections.abc import Iterator
from typing import NamedTuple

from playwright.sync_api import Page, expect, sync_playwright

from engine.core.cards import SUIT_LETTERS
from engine.rulesets import PUBLISHED_RULESETS
from service.eventstore import MemoryStore
from tests.conftest import CHROMIUM
from tests.support.web.club import Club, Json
from tests.support.web.recorder import DEALT, alone, call, chips_paid, entered, finished, name, recorder
from tests.support.web.serving import serving_store


class Game(NamedTuple):
    """A contract by some rules, the bid that it is come to by, and its trumps where they are chosen."""

    ruleset: str
    bid: str
    contract: str
    trump: str | None
    pool: int | None


def games() -> Iterator[Game]:
    """Every contract of every ruleset that a first bid may come to."""
    for rules in PUBLISHED_RULESETS:
        found: dict[str, Game] = {}
        pool = rules.ruleset.pool.stake * 3 if rules.ruleset.pool else None
        for bid, namings in rules.namings_by_bid.items():
            said = rules.bids[bid]
            if said.only_over or said.extra or said.after_all_pass:
                continue
            for naming in namings:
                trump = SUIT_LETTERS[naming.trumps[0]] if naming.trumps else None
                found.setdefault(naming.contract, Game(rules.ruleset.id, bid, naming.contract, trump, pool))
        yield from found.values()


def record_to_end(page: Page, club: Club, game: Game, seed: int = 1) -> Json:
    """Record a deal of this contract to its end, close it, and return its score."""
    deal = alone(club, game.ruleset, *DEALT, **({"pool": game.pool} if game.pool else {}))
    recorder(page, club, deal, "en")
    call(page, club, deal, game.bid, "pass", "pass")
    name(page, club, deal, game.contract, game.trump)
    score = finished(page, club, deal, seed)
    assert score["decided"], score
    assert score["contract"] == game.contract
    expect(page.locator(".settlement .outcome")).to_be_visible()
    assert [int(text.replace("−", "-")) for text in chips_paid(page)] == list(score["payments"].values())
    entered(page, club, deal, page.get_by_role("button", name="Close the deal").click)
    expect(page.get_by_text("The deal is closed.")).to_be_visible()
    (closing,) = [event for event in club.events("deals", deal) if event["type"] == "deal_closed"]
    assert closing["payments"] == score["payments"]
    assert club.get(f"/deals/{deal}/findings")["ok"]
    return score


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rounds", type=int, default=1, help="how often each contract is recorded")
    asked.add_argument("--ruleset", action="append", help="only by these rules; may be said several times")
    options = asked.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    began, count = time.monotonic(), 0
    with serving_store(MemoryStore()) as club, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM))
        for seed in range(1, options.rounds + 1):
            for game in games():
                if options.ruleset and game.ruleset not in options.ruleset:
                    continue
                page = browser.new_page(viewport={"width": 390, "height": 844})
                score = record_to_end(page, club, game, random.Random(seed).randrange(10_000))
                print(f"{game.ruleset} {game.contract}: {score['outcome']} {score['payments']}")
                count += 1
                page.close()
        browser.close()
    print(f"{count} deals recorded by taps in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()

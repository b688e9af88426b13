"""What the pages say in both languages, and what they know of events and rules."""

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine import audit
from engine.core.cards import CARD_CODES, NO_TRUMP, SUIT_BY_LETTER, Card, Seat
from engine.core.log import EVENT_TYPES
from engine.play.tricks import trick_winner
from engine.rulesets import CompiledRuleset, compile_ruleset
from schemas.wire.event_reader import read_entry
from service.http import web
from service.http.web.page_texts import format_result
from service.http.web.slip_choices import (
    build_recorder_choices,
    build_slip_batch_choices,
    build_slip_choices,
)
from tests.support.engine.shorthand import a_deal as deal_opened
from tests.support.schemas.slips import RULES
from tests.support.web.showing import CLUB, at, events_of, visit

SCRIPTS = Path(web.__file__).parent / "static" / "js"


def test_a_live_page_hears_every_type_of_event() -> None:
    script = (SCRIPTS / "core" / "event-types.js").read_text(encoding="utf-8")
    assert set(re.findall(r'"(\w+)"', script)) == set(EVENT_TYPES)


@pytest.mark.parametrize(("language", "outcome", "game", "expected"), [
    ("en", "won", "solo in hearts", "Solo in hearts: Bo won"),
    ("da", "codille", "solo i hjerter", "Solo i hjerter: Bo gik kruk"),
    ("da", "passed_out", "", "Alle meldte pas"),
    ("da", None, "", "Ikke færdigt"),
    ("en", "strange", "solo", "strange"),
])  # fmt: skip
def test_a_result_is_one_phrase(language: str, outcome: str | None, game: str, expected: str) -> None:
    assert format_result(language, outcome, name="Bo", game=game) == expected


def doubled(script: str) -> list[str]:
    """The names that stand twice in one object, as its lines are indented."""
    found: list[str] = []
    names: dict[int, Counter[str]] = {}
    for line in script.splitlines():
        indent = len(line) - len(line.lstrip())
        names = {depth: counted for depth, counted in names.items() if depth <= indent}
        if name := re.match(r'\s*"?([\w-]+)"?:', line):
            names.setdefault(indent, Counter())[name[1]] += 1
            found += [name[1]] * (names[indent][name[1]] == 2)
        for inner in re.findall(r"{ ([^{}]*) }", line):
            counted = Counter(re.findall(r'(?:^|, )"?([\w-]+)"?: ', inner))
            found += [name for name, times in counted.items() if times > 1]
    return found


def test_no_word_has_the_name_of_another() -> None:
    assert doubled('{\n  play: "x",\n  of: {\n    play: "x",\n  },\n  "play": "x",\n}') == ["play"]
    assert doubled("const A = { a: 1, b: { c: 1, c: 2 } };") == ["c"]
    for module in sorted((SCRIPTS / "messages").glob("*.js")):
        assert doubled(module.read_text(encoding="utf-8")) == [], module.name


def test_no_word_is_left_over() -> None:
    pages = (SCRIPTS / "messages" / "evening.js").read_text(encoding="utf-8")
    scripts = [one for one in SCRIPTS.rglob("*.js") if one.parent.name != "messages"]
    text = "".join(script.read_text(encoding="utf-8") for script in scripts)
    own = re.findall(r"^ {4}([a-zA-Z]+):", pages, re.MULTILINE)
    assert [name for name in own if f".{name}" not in text] == []


def test_the_page_speaks_danish_wherever_it_speaks_itself(page: Page, origin: str) -> None:
    """What the record says stays as it is, and is marked or quoted."""
    visit(page, origin + at(CLUB, lang="da"))
    page.locator(".hands summary").click()
    page.evaluate("document.activeElement.blur()")
    own = """() => {
        const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
        const said = [];
        while (texts.nextNode()) {
            const text = texts.currentNode;
            const others = text.parentElement.closest('noscript, [lang="en"], .source, .auction i');
            if (!others) said.push(text.data);
        }
        return said.join(" ");
    }"""
    english = re.compile(
        r"\b(the|of|and|is|has|tricks?|cards?|entry|won|from|each|rules?|play|plays|leads|forehand|middlehand|"
        r"backhand|hearts|spades|clubs|diamonds|bids?|pass(es)?|discard(s|ed)?|drew|shows|depends|record)\b",
        re.IGNORECASE,
    )
    for _ in range(len(events_of(CLUB))):
        text = page.evaluate(own)
        assert [text[found.start() - 20 : found.end() + 20] for found in english.finditer(text)] == []
        page.keyboard.press("ArrowRight")
    revoke = page.locator(".finding", has_text="kulørsvigt").first
    expect(revoke).to_contain_text("Imod reglerne. I stik 4 spillede Bo")


def audit_errors(rules: CompiledRuleset, **result: Any) -> list[str]:
    pool: dict[str, Any] = {"pool": 15} if rules.ruleset.pool else {}
    slip = {"type": "result_recorded", "declarer": "middlehand", **result}
    events = [*deal_opened(ruleset=rules.ruleset.id, **pool), slip]
    found = audit(tuple(read_entry(event, seq) for seq, event in enumerate(events, 1)))
    return [str(one.message) for one in found.findings if one.severity in ("error", "impossible")]


@pytest.mark.parametrize("name", RULES)
def test_every_choice_and_call_is_one_that_the_rules_know(name: str) -> None:
    rules = RULES[name]
    offered = build_slip_choices(rules, "en")
    assert [one["id"] for one in offered["contracts"]] == list(rules.contracts)
    for contract in offered["contracts"]:
        for outcome in contract["outcomes"]:
            for trump in contract["trumps"] or [None]:
                named = {"trump": trump} if trump else {}
                assert audit_errors(rules, contract=contract["id"], outcome=outcome, **named) == []
    for language in ("da", "en"):
        calls = build_recorder_choices(rules, language)["calls"]
        assert [one["id"] for one in calls[:2]] == ["pass", "self"]
        assert {one["id"] for one in calls[2:]} == set(rules.bids)
        assert all(one["name"] for one in calls[2:])


@pytest.mark.parametrize("name", RULES)
def test_the_ladders_of_a_page_say_who_takes_a_trick_as_the_engine_does(name: str) -> None:
    rules, rng = RULES[name], random.Random(3)
    cards = dict(zip(CARD_CODES[:40], map(Card, range(40)), strict=True))
    for letter, ladders in build_recorder_choices(rules, "en")["trick_ladders"].items():
        trump = NO_TRUMP if letter == "none" else SUIT_BY_LETTER[letter]
        for _ in range(300):
            played = rng.sample(sorted(cards), 3)
            ladder = next(one["wins"] for one in ladders if played[0] in one["led"])
            best = min((card for card in played if card in ladder), key=ladder.index)
            seats, codes = (Seat(0), Seat(1), Seat(2)), tuple(cards[card] for card in played)
            winner = trick_winner(seats, codes, (), rules.trick_rules(trump))
            assert winner is not None and played[winner] == best


@pytest.mark.parametrize("language", ["da", "en"])
def test_an_abbreviation_of_an_outcome_in_a_batch_means_one_outcome(language: str) -> None:
    outcomes = build_slip_batch_choices(RULES["dlu"], language)["outcome"]
    spellings = [text for one in outcomes for text in (one["name"], one["short"], *one["others"]) if text]
    assert [text for text, count in Counter(spellings).items() if count > 1] == []


def test_a_nolo_that_one_trick_makes_codille_is_never_bete() -> None:
    by_id = {one["id"]: one for one in build_slip_choices(RULES["dlu"], "da")["contracts"]}
    assert by_id["nolo-ouvert"]["outcomes"] == ["won", "codille"]
    assert by_id["nolo-ouvert"]["pays"] == {"won": 6, "bete": None, "codille": [7]}
    assert by_id["simple"]["trumps"] == ["C", "D", "H"]
    assert by_id["tourne"]["trumps"] == ["C", "D", "H", "S"]
    assert by_id["spade-game"]["trumps"] == by_id["simple-nolo"]["trumps"] == []


def test_what_a_table_agrees_on_is_offered() -> None:
    rules = RULES["ombre"]
    plain = {one["id"] for one in build_slip_choices(rules, "en")["contracts"]}
    agreed = build_slip_choices(compile_ruleset(rules.ruleset, (("gascarille", True),)), "en")
    assert {one["id"] for one in agreed["contracts"]} - plain == {"gascarille"}

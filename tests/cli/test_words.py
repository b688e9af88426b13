"""The words of the command line: both languages have all of them, and they ask for the same parts."""

import string

import pytest

from engine import legality, start
from engine.core.cards import CARD_OF, CODES, SUIT_OF
from engine.core.vocabulary import ALL_OUTCOMES
from engine.play.findings import CODES as FINDING_CODES
from engine.play.findings import SEVERITIES
from engine.play.state import Bargain
from engine.rulesets import DLU, rules_of
from engine.rulesets.model import Words
from service.cli.views import compare_words, odds, verdicts
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.i18n.findings_da import KINDS, RULES
from service.presentation.text import names, phrases, ruled, unseen_words, words
from service.presentation.text.fan import fanned, suits_of
from service.presentation.text.style import Style

MODULES = (words, phrases, unseen_words, odds, ruled, compare_words, verdicts)
ALL = [
    (f"{module.__name__}.{name}[{key}]", value)
    for module in MODULES
    for name, table in vars(module).items()
    if name.isupper() and isinstance(table, dict)
    for key, value in table.items()
    if isinstance(value, Words)
]
NO_WORDS = "service.presentation.text.unseen_words.UNSEEN[lead_is]"


def parts(template: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(template) if field is not None}


def test_both_languages_ask_for_the_same_parts(subtests: pytest.Subtests) -> None:
    for place, pair in ALL:
        with subtests.test(place):
            assert bool(pair.en) is bool(pair.da) is (place != NO_WORDS)
            assert parts(pair.en) == parts(pair.da)


def test_every_finding_has_its_name_in_danish() -> None:
    assert set(FINDING_CODES) == set(KINDS)
    assert set(SEVERITIES) == set(words.SEVERITIES)
    assert len(set(KINDS.values())) == len(KINDS)


def test_every_outcome_has_its_words() -> None:
    assert set(ALL_OUTCOMES) <= set(OUTCOMES)
    assert set(ALL_OUTCOMES) == set(words.RESULTS)


def test_every_section_of_the_rules_has_its_name_in_danish() -> None:
    """Those that a finding or a payment names, as the engine writes them."""
    import ast
    import re
    from pathlib import Path

    engine = Path(legality.__file__).parent
    named = {
        node.value
        for path in set(engine.rglob("*.py")) - set(engine.glob("rulesets/*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"\d\. [A-Z][a-z ]+", node.value)
    }
    assert len(named) > 8
    assert named - set(RULES) == set()


def test_cards_in_both_languages() -> None:
    english, danish = Style("en"), Style("da")
    assert [english.card(CARD_OF[code]) for code in ("SA", "HJ", "DQ", "C2", "??", "S?")] == [
        "♠A", "♥J", "♦Q", "♣2", "??", "♠?",
    ]  # fmt: skip
    assert [danish.card(CARD_OF[code]) for code in ("SA", "HJ", "DQ", "CK", "??", "H?")] == [
        "♠E", "♥Kn", "♦D", "♣K", "??", "♥?",
    ]  # fmt: skip
    state = start()
    assert names.card(state, CARD_OF["SK"], danish) == "spar konge"
    assert names.card(state, CARD_OF["D?"], english) == "one of the diamonds"
    assert len({names.card(state, CARD_OF[code], english) for code in CODES}) == 45


@pytest.mark.parametrize(
    ("trump", "hand"),
    [
        (None, "♠A ♠2   ♥A ♥4 ♥7   ♦Q ♦3   ♣A ♣K"),
        ("H", "♠A ♥7 ♣A ♥A ♥4   ♠2   ♦Q ♦3   ♣K"),
        ("S", "♠A ♠2 ♣A   ♥A ♥4 ♥7   ♦Q ♦3   ♣K"),
        ("nolo", "♠2 ♠A   ♥A ♥4 ♥7   ♦Q ♦3   ♣K ♣A"),
    ],
)
def test_a_hand_is_fanned_trumps_first(trump: str | None, hand: str) -> None:
    suit = None if trump is None else SUIT_OF.get(trump, 4)
    bargain = Bargain(None, "solo", None, suit, True, False)  # type: ignore[arg-type]
    state = start()._replace(bargain=bargain)
    state = state._replace(opening=state.opening._replace(rules=rules_of(DLU)))
    mask = sum(
        1 << CARD_OF[code] for code in "C A|C K|H A|H 7|H 4|S A|S 2|D Q|D 3".replace(" ", "").split("|")
    )
    assert fanned(mask, (), state, Style()) == hand
    assert sum(map(len, suits_of(mask, state))) == 9


def test_a_contract_says_its_suit_once() -> None:
    state = start()
    state = state._replace(opening=state.opening._replace(rules=rules_of(DLU)))
    english, danish = Style("en"), Style("da")
    assert names.game(state, "solo", SUIT_OF["H"], english) == "solo in hearts"
    assert names.game(state, "solo", SUIT_OF["H"], danish) == "solo i hjerter"
    assert names.game(state, "spade-solo", SUIT_OF["S"], danish) == "solo spar"
    assert names.game(state, "pure-nolo", None, english) == "pure nolo"
    assert names.game(state, "whist", SUIT_OF["D"], english) == "whist in diamonds"
    assert names.bid(state, "whist", english) == "whist"
    assert names.bid(state, "self", danish) == "kan selv"

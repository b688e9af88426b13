"""The drawing of a table: what lies where, what is written, what no name can break."""

import random
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.core.log import Log
from engine.rulesets import NO_RULES, PUBLISHED, find
from schemas.answers.states import state_object
from service.presentation.svg import LANGUAGES, SUIT_COLOURS, TERMS, THEMES, Manner, drawn
from service.presentation.svg.terms import Terms
from service.records.points import VIEWERS, audited
from tests.slow import generator
from tests.support.drawing.looking import (
    SLIP,
    SVG,
    caption,
    cards,
    drawing,
    replayed,
    rules_of,
    state_of,
    texts,
)
from tests.support.effort import examples
from tests.support.schemas.strategies import CHARACTERS, logs

MANNERS = st.builds(
    Manner,
    lang=st.sampled_from(LANGUAGES),
    theme=st.sampled_from(sorted(THEMES)),
    terms=st.sampled_from(TERMS),
    suits=st.sampled_from(SUIT_COLOURS),
    width=st.integers(320, 1600),
    height=st.none() | st.sampled_from([315, 630, 1080]),
    rules=st.just(NO_RULES),
    names=st.just({}),
)
ALLOWED = {"svg", "title", "desc", "defs", "g", "rect", "path", "use", "text"}


def sound(svg: str) -> ElementTree.Element:
    """The drawing, which is well formed, refers to nothing outside itself and holds nothing that runs."""
    root = ElementTree.fromstring(svg)
    for one in root.iter():
        assert one.tag.removeprefix(SVG) in ALLOWED
        for name, value in one.attrib.items():
            assert not name.startswith("on")
            assert name != "style", "the policy of our pages lets no style stand in an attribute"
            assert name != "href" or value.startswith("#")
            assert "url(" not in value
    return root


@settings(max_examples=examples(60))
@given(logs(), MANNERS, st.sampled_from(sorted(VIEWERS)))
def test_any_log_is_drawn_soundly(log: Log, manner: Manner, viewer: str) -> None:
    state = state_object(audited(log, viewer, None).state)
    root = sound(drawn(state, manner._replace(rules=rules_of(state))))
    assert root.get("width") == str(manner.width)
    assert manner.height is None or root.get("height") == str(manner.height)


@settings(max_examples=examples(60))
@given(st.text(CHARACTERS | st.characters(categories=["Cc"]), max_size=60), MANNERS)
@example("</text><script>alert(1)</script>", Manner(width=1600, rules=NO_RULES))
def test_any_name_is_drawn_soundly(name: str, manner: Manner) -> None:
    state = replayed("dlu-four-at-the-table")
    state["players"] = {**dict.fromkeys(("forehand", "middlehand", "backhand"), name), "sitting_out": [name]}
    sound(drawn(state, manner))


@pytest.mark.parametrize("size", [(320, None), (800, None), (1200, 630)])
@pytest.mark.parametrize("seed", range(12))
def test_every_card_of_a_state_is_drawn_where_it_lies(seed: int, size: tuple[int, int | None]) -> None:
    events = generator.random_deal(random.Random(seed), stop=random.Random(seed).randrange(4, 45))
    state = state_of(events)
    root = drawing(state, width=size[0], height=size[1])
    in_hands = [card for hand in state["hands"].values() for card in hand["cards"]]
    assert sorted(cards(root, "hand")) == sorted(in_hands)
    assert cards(root, "talon").count("??") + len(in_hands) == 40 - len(
        [card for zone in ("discard", "trick", "won", "aside") for card in cards(root, zone)]
        + [card for card in cards(root, "talon") if card != "??"]
    )
    assert sorted(cards(root, "trick")) == sorted(state["tricks"][-1]["cards"] if state["tricks"] else [])


def corners(one: ElementTree.Element) -> tuple[float, float]:
    """The middle of a card."""
    found = re.match(r"translate\((\S+) (\S+)\)", one.get("transform", ""))
    assert found
    return float(found[1]), float(found[2])


@pytest.mark.parametrize("width", [320, 480, 700, 1600])
@pytest.mark.parametrize("height", [None, 0.525, 1.0])
@pytest.mark.parametrize("name", ["belinda", "dlu-four-at-the-table", "clockwise-tourne-won"])
def test_nothing_lies_beside_the_table_and_no_text_runs_over_its_edge(
    width: int, height: float | None, name: str
) -> None:
    for at in (4, 10, 20, None):
        root = drawing(replayed(name, at), width=width, height=height and round(width * height), lang="da")
        _, _, wide, high = map(float, root.get("viewBox", "").split())
        for one in root.iter(f"{SVG}g"):
            if one.get("class") == "card":
                x, y = corners(one)
                assert 0 < x < wide
                assert 0 < y < high
        for text in (
            one for one in root.iter(f"{SVG}text") if one.get("font-size") in ("14", "15", "16", "17")
        ):
            long = float(text.get("textLength", "0"))
            begins = float(text.get("x", "0")) - {"end": long, "middle": long / 2}.get(
                text.get("text-anchor", ""), 0
            )
            assert begins >= 0
            assert begins + long <= wide


def spans(root: ElementTree.Element, y_most: float) -> list[tuple[float, float]]:
    """From where to where each text of the upper lines goes."""
    found = []
    for text in root.iter(f"{SVG}text"):
        if text.get("font-weight") and float(text.get("y", "0")) < y_most:
            x, long = float(text.get("x", "0")), float(text.get("textLength", "0"))
            found.append((x, x + long))
    return sorted(found)


@pytest.mark.parametrize("width", [320, 500, 800])
def test_long_names_leave_room_for_each_other(width: int) -> None:
    state = replayed("dlu-simple-won", 20)
    long = "Maximiliane Gräfin von Wittelsbach-Hohenzollern"
    state["players"] = dict.fromkeys(("forehand", "middlehand", "backhand"), long) | {"sitting_out": [long]}
    root = drawing(state, width=width)
    lines = [one for one in spans(root, 30) if one[1] - one[0] > 20]
    assert len(lines) == 2
    assert lines[0][1] < lines[1][0]
    assert "Maximiliane Gräfin von Wittelsbach-Hohenzollern" not in texts(root)
    assert sum(text.endswith("…") for text in texts(root)) >= 3


def test_belinda_s_fourth_trick_as_it_lies() -> None:
    root = drawing(replayed("belinda", 26))
    assert cards(root, "trick") == ["SK", "SJ", "??"]
    assert sorted(cards(root, "discard")) == ["C3", "D2", "D3", "H7"]
    assert len(cards(root, "won")) == 9
    assert set(cards(root, "won")) == {"??"}
    assert caption(root) == (
        "Trick 4: Sir Anonym plays an unseen card; Belinda takes the trick. Belinda is to lead."
    )


def test_a_hand_is_fanned_trumps_first_then_red_and_black_by_turns() -> None:
    state = replayed("belinda", 13)
    held = state["hands"]["forehand"]["cards"]
    fan = [card for card in cards(drawing(state), "hand") if card in held]
    assert fan == ["SA", "S2", "CA", "SK", "HK", "HQ", "CK", "D4", "D5"]
    assert [card for card in cards(drawing({**state, "trump": None}), "hand") if card in held][-2:] == [
        "D4",
        "D5",
    ]


def test_a_slip_shows_its_result_and_no_card_that_nobody_saw() -> None:
    root = drawing(state_of(SLIP), lang="da")
    assert cards(root, "hand") == []
    assert cards(root, "talon") == []
    assert len(cards(root, "won")) == 9
    assert "Bo vinder spillet." in texts(root)
    assert (
        caption(root) == "Bo havde meldingen: solo i hjerter. Bo vinder spillet. Stik: Anna 3, Bo 4, Carl 2."
    )


@pytest.mark.parametrize(
    ("look", "there", "not_there"),
    [
        ({"lang": "en"}, "KQJ", ""),
        ({"lang": "da"}, ["Kn", "E", "D", "K"], "QJ"),
        ({"terms": "es"}, "RCS", "KQJ"),
    ],
)
def test_index_letters_follow_the_language_and_the_terms(
    look: dict[str, str], there: str, not_there: str
) -> None:
    letters = set(texts(drawing(replayed("belinda", 26), **look)))
    assert letters >= set(there)
    assert not letters & set(not_there)


def test_who_sits_out_stands_clear_of_the_talon() -> None:
    root = drawing(replayed("dlu-four-at-the-table"), width=1200, height=630)
    (line,) = [one for one in root.iter(f"{SVG}text") if one.text == "Dora sits out"]
    talon = [one for one in root.iter(f"{SVG}g") if one.get("data-zone") == "talon"]
    tops = [corners(one)[1] - 0.62 * 1.42 * 54.5 / 2 for one in talon]
    assert float(line.get("y", "0")) < min(tops)
    assert {"Dora", "sidder over"} <= set(texts(drawing(replayed("dlu-four-at-the-table", 9), lang="da")))


@pytest.mark.parametrize(("name", "left"), [("dlu-simple-won", "Carl"), ("clockwise-simple-won", "Bo")])
def test_seats_lie_in_the_order_of_play(name: str, left: str) -> None:
    root = drawing(replayed(name, 5))
    first = next(one for one in root.iter(f"{SVG}text") if one.get("x") == "14" and one.get("y") == "29")
    assert first.text == left


def test_whose_turn_it_is_is_underlined() -> None:
    state = replayed("belinda", 26)
    inked = {"fill": THEMES["light"].cloth_ink, "height": "2"}

    def lines(root: ElementTree.Element) -> list[Any]:
        return [one for one in root.iter(f"{SVG}rect") if inked.items() <= one.attrib.items()]

    assert len(lines(drawing(state))) == 1
    assert lines(drawing({**state, "to_act": None})) == []


def test_names_of_members_stand_in_for_their_ids() -> None:
    state = state_of(SLIP)
    found = texts(drawing(state, names={"Anna": "Anna Ancher", "Bo": None}))
    assert "Anna Ancher" in found
    assert "Bo" not in found
    assert "middlehand" in found


def test_the_description_has_the_hands_in_words() -> None:
    told = drawing(replayed("belinda", 26)).findtext(f"{SVG}desc")
    assert told is not None
    assert "the Baron: the queen of spades" in told
    assert "Sir Anonym: 5 not known." in told


def test_a_drawing_in_four_colours() -> None:
    state = replayed("belinda", at=26)
    two, four = (
        {one.get("fill") for one in drawing(state, suits=suits).iter(f"{SVG}path")} for suits in SUIT_COLOURS
    )
    assert (four - two) == {"#1f55a3", "#2a6636"}


def test_cards_and_games_are_named_in_spanish() -> None:
    assert "entrada" in " ".join(texts(drawing(replayed("belinda", at=26), terms="es"))).lower()
    terms = Terms(replayed("belinda", at=26), Manner(rules=find(PUBLISHED, "ombre") or NO_RULES, terms="es"))
    assert [terms.card(card) for card in ("SA", "S2", "CA", "HK", "DJ", "C7")] == [
        "espada", "mala", "basto", "rey de copas", "sota de oros", "siete de bastos",
    ]  # fmt: skip
    assert (terms.bid("voltereta"), terms.bid("pass")) == ("vuelta", "pass")

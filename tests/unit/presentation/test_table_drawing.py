"""The drawing of a table: what lies where, what is written, what no name can break."""

import json
import random
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import orjson
import pytest
from fontTools.ttLib import TTFont
from hypothesis import example, given, settings
from hypothesis import strategies as st

import replays
from docs import fonts
from engine import view
from engine.core.events import CardPlayed
from engine.core.log import Log
from engine.rulesets import NO_RULES, PUBLISHED_RULESETS, find_ruleset
from schemas.answers.states import state_object
from service.presentation.svg import (
    DRAWING_LANGUAGES,
    SUIT_COLOURS,
    TERM_CHOICES,
    THEMES,
    DrawingOptions,
    draw_table,
)
from service.presentation.svg.caption import DrawingTerms, caption_sentences
from service.presentation.svg.card_symbols import card_symbols_document
from service.presentation.svg.elements import FontStyle, measure_text, truncate_to_width
from service.presentation.svg.placed_cards import PlacedCard
from service.presentation.svg.table_plan import build_table_plan, card_position
from service.records.deal_points import VIEWERS_BY_NAME, build_deal_point
from tests.properties.slow import generator
from tests.support.drawing.looking import SLIP, SVG, cards, drawing, replayed, rules_of, state_of, texts
from tests.support.effort import examples
from tests.support.engine.shorthand import Json, names, plays, stands
from tests.support.engine.shorthand import bids as said_of
from tests.support.schemas.strategies import CHARACTERS, logs

MANNERS = st.builds(
    DrawingOptions,
    lang=st.sampled_from(DRAWING_LANGUAGES),
    theme=st.sampled_from(sorted(THEMES)),
    terms=st.sampled_from(TERM_CHOICES),
    suits=st.sampled_from(SUIT_COLOURS),
    width=st.integers(320, 1600),
    height=st.none() | st.sampled_from([315, 630, 1080]),
    rules=st.just(NO_RULES),
    names=st.just({}),
)
ALLOWED = {"svg", "title", "desc", "defs", "symbol", "g", "rect", "path", "use", "text"}


def sound(svg: str) -> ElementTree.Element:
    """The drawing, which is well formed, refers to nothing outside itself and holds nothing that runs."""
    root = ElementTree.fromstring(svg)
    ids = {f"#{one.get('id')}" for one in root.iter()}
    for one in root.iter():
        assert one.tag.removeprefix(SVG) in ALLOWED
        for name, value in one.attrib.items():
            assert not name.startswith("on")
            assert name != "style", "the policy of our pages lets no style stand in an attribute"
            assert name != "href" or value in ids
            assert "url(" not in value
    return root


@settings(max_examples=examples(60, 8))
@given(logs(), MANNERS, st.sampled_from(sorted(VIEWERS_BY_NAME)))
def test_any_log_is_drawn_soundly(log: Log, manner: DrawingOptions, viewer: str) -> None:
    state = state_object(build_deal_point(view(log, VIEWERS_BY_NAME[viewer]), None).state)
    root = sound(draw_table(state, manner._replace(rules=rules_of(state))))
    assert root.get("width") == str(manner.width)
    assert manner.height is None or root.get("height") == str(manner.height)


@settings(max_examples=examples(60, 8))
@given(st.text(CHARACTERS | st.characters(categories=["Cc"]), max_size=60), MANNERS)
@example("</text><script>alert(1)</script>", DrawingOptions(width=1600, rules=NO_RULES))
def test_any_name_is_drawn_soundly(name: str, manner: DrawingOptions) -> None:
    state = replayed("dlu-four-at-the-table")
    state["players"] = {**dict.fromkeys(("forehand", "middlehand", "backhand"), name), "sitting_out": [name]}
    sound(draw_table(state, manner))


@pytest.mark.parametrize("seed", range(examples(12, 4)))
def test_every_card_of_a_state_is_drawn_where_it_lies(seed: int) -> None:
    state = state_of(generator.random_deal(random.Random(seed), stop=random.Random(seed).randrange(4, 45)))
    held = sorted(card for hand in state["hands"].values() for card in hand["cards"])
    for width, height in ((320, None), (800, None), (1200, 630)):
        root = drawing(state, width=width, height=height)
        assert sorted(cards(root, "hand")) == held
        lying = [card for zone in ("discard", "trick", "won", "aside", "talon") for card in cards(root, zone)]
        assert len(lying) + len(held) == 40
        assert sorted(cards(root, "trick")) == sorted(state["tricks"][-1]["cards"] if state["tricks"] else [])


def middle(card: ElementTree.Element) -> tuple[float, float]:
    found = re.match(r"translate\((\S+) (\S+)\)", card.get("transform", ""))
    assert found
    return float(found[1]), float(found[2])


def span(text: ElementTree.Element) -> tuple[float, float]:
    x, long = float(text.get("x", "0")), float(text.get("textLength", "0"))
    begins = x - {"end": long, "middle": long / 2}.get(text.get("text-anchor", ""), 0)
    return begins, begins + long


@pytest.mark.parametrize(("width", "height"), [(320, None), (320, 320), (480, 252), (1600, 840)])
@pytest.mark.parametrize("name", ["belinda", "dlu-four-at-the-table", "clockwise-tourne-won"])
def test_no_card_or_text_lies_outside_the_drawing(width: int, height: int | None, name: str) -> None:
    for at in (4, 10, 20, None):
        root = drawing(replayed(name, at), width=width, height=height, lang="da")
        _, _, wide, high = map(float, root.get("viewBox", "").split())
        for x, y in (middle(one) for one in root.iter(f"{SVG}g") if one.get("class") == "card"):
            assert 0 < x < wide
            assert 0 < y < high
        labels = [one for one in root.iter(f"{SVG}text") if one.get("font-size") in ("14", "15", "16", "17")]
        for begins, ends in map(span, labels):
            assert 0 <= begins <= ends <= wide


@pytest.mark.parametrize("width", [320, 500, 800])
def test_long_names_leave_room_for_each_other(width: int) -> None:
    state = replayed("dlu-simple-won", 20)
    long = "Maximiliane Gräfin von Wittelsbach-Hohenzollern"
    state["players"] = dict.fromkeys(("forehand", "middlehand", "backhand"), long) | {"sitting_out": [long]}
    root = drawing(state, width=width)
    upper = [one for one in root.iter(f"{SVG}text") if float(one.get("y", "0")) < 30]
    names = [span(one) for one in upper if one.get("font-weight")]
    left, right = sorted(one for one in names if one[1] - one[0] > 20)
    assert left[1] < right[0]
    assert long not in texts(root)
    assert sum(text.endswith("…") for text in texts(root)) >= 3


def test_belinda_s_fourth_trick_as_it_lies() -> None:
    """Its cards, the one to act, the hands in words, and the colours and letters that are asked for."""
    state = replayed("belinda", 26)
    root = drawing(state)
    assert cards(root, "trick") == ["SJ", "??", "SK"], "the nearest lies on top, and covers no index"
    assert sorted(cards(root, "discard")) == ["C3", "D2", "D3", "H7"]
    assert cards(root, "won") == ["??"] * 9
    below = "Trick 4: Sir Anonym plays an unseen card; Belinda takes the trick. Belinda leads next."
    assert texts(root)[-1] == below
    in_words = root.findtext(f"{SVG}desc") or ""
    assert "the Baron: the queen of spades" in in_words
    assert "Sir Anonym: 5 not known." in in_words

    def underlined(root: ElementTree.Element) -> int:
        inked = {"fill": THEMES["light"].cloth_ink, "height": "2"}
        return sum(inked.items() <= one.attrib.items() for one in root.iter(f"{SVG}rect"))

    assert underlined(root) == 1
    assert underlined(drawing({**state, "to_act": None})) == 0
    two, four = (
        {one.get("color") for one in drawing(state, suits=suits).iter(f"{SVG}use")} for suits in SUIT_COLOURS
    )
    assert (four - two) == {"#1f55a3", "#2a6636"}
    for look, there, not_there in (
        ({"lang": "en"}, "KQJ", ""),
        ({"lang": "da"}, ["Kn", "E", "D", "K"], "QJ"),
        ({"terms": "es"}, "RCS", "KQJ"),
    ):
        letters = set(texts(drawing(state, **look)))
        assert letters >= set(there), look
        assert not letters & set(not_there), look


def test_a_hand_is_fanned_trumps_first_then_red_and_black_by_turns() -> None:
    state = replayed("belinda", 13)
    held = state["hands"]["forehand"]["cards"]

    def fan(state: Json) -> list[str]:
        return [card for card in cards(drawing(state), "hand") if card in held]

    assert fan(state) == ["SA", "S2", "CA", "SK", "HK", "HQ", "CK", "D4", "D5"]
    assert fan({**state, "trump": "H"}) == ["SA", "CA", "HK", "HQ", "SK", "S2", "D4", "D5", "CK"]
    assert fan({**state, "trump": None})[-2:] == ["D4", "D5"]


def test_a_slip_shows_its_result_and_no_card_that_nobody_saw() -> None:
    root = drawing(state_of(SLIP), lang="da")
    assert cards(root, "hand") == cards(root, "talon") == []
    assert len(cards(root, "won")) == 9
    assert "Bo vinder spillet." in texts(root)
    result = "Bo havde meldingen: solo i hjerter. Bo vinder spillet. Stik: Anna 3, Bo 4, Carl 2."
    assert texts(root)[-1] == result
    called = texts(drawing(state_of(SLIP), names={"Anna": "Anna Ancher", "Bo": None}))
    assert {"Anna Ancher", "middlehand"} <= set(called), "a member is called by name, a forgotten one by seat"
    assert "Bo" not in called


def test_a_player_who_sits_out_stands_clear_of_the_talon() -> None:
    root = drawing(replayed("dlu-four-at-the-table"), width=1200, height=630)
    (line,) = [one for one in root.iter(f"{SVG}text") if one.text == "Dora sits out"]
    talon = [middle(one)[1] for one in root.iter(f"{SVG}g") if one.get("data-zone") == "talon"]
    assert float(line.get("y", "0")) < min(talon) - 20
    assert {"Dora", "sidder over"} <= set(texts(drawing(replayed("dlu-four-at-the-table", 9), lang="da")))


@pytest.mark.parametrize(("name", "left"), [("dlu-simple-won", "Carl"), ("clockwise-simple-won", "Bo")])
def test_seats_lie_in_the_order_of_play(name: str, left: str) -> None:
    root = drawing(replayed(name, 5))
    first = next(one for one in root.iter(f"{SVG}text") if one.get("x") == "14" and one.get("y") == "29")
    assert first.text == left


def test_cards_and_games_are_named_in_spanish() -> None:
    state = replayed("belinda", at=26)
    assert "entrada" in " ".join(texts(drawing(state, terms="es"))).lower()
    terms = DrawingTerms(
        state, DrawingOptions(rules=find_ruleset(PUBLISHED_RULESETS, "ombre") or NO_RULES, terms="es")
    )
    assert [terms.card_name(card) for card in ("SA", "S2", "CA", "HK", "DJ", "C7")] == [
        "espada", "mala", "basto", "rey de copas", "sota de oros", "siete de bastos",
    ]  # fmt: skip
    assert (terms.words.bid("voltereta"), terms.words.bid("pass")) == ("vuelta", "pass")


OPENING = SLIP[0]
PLAYED: list[Json] = [
    OPENING, *said_of("F solo, M pass, B pass"), *names("F", "solo", "H"), *stands("M B"),
    *plays("F-H7 M-D? B-CA"),
]  # fmt: skip
CLAIM = {"type": "tricks_claimed", "seat": "forehand", "tricks": {"forehand": 8}}
ALL_PASS = [OPENING, *said_of("F pass, M pass, B pass")]
VOID = [OPENING, {"type": "deal_voided", "reason": "a card too many"}]
LINES: list[tuple[list[Json], str, str]] = [
    (PLAYED[:1], "Anna is forehand, Bo middlehand, Carl backhand.",
     "Anna er forhånd, Bo mellemhånd, Carl baghånd."),
    (PLAYED[:2], "Anna bids solo. Bo bids next.", "Anna melder solo. Bo skal melde."),
    (PLAYED[:3], "Bo passes. Carl bids next.", "Bo melder pas. Carl skal melde."),
    (PLAYED[:4], "Anna has the bid. Anna names the game next.", "Anna har meldingen. Anna skal vælge spil."),
    (PLAYED[:5], "Anna has the bid: solo in hearts. Bo exchanges next.",
     "Anna har meldingen: solo i hjerter. Bo skal købe."),
    (PLAYED[:7], "Anna has the bid: solo in hearts. Anna leads next.",
     "Anna har meldingen: solo i hjerter. Anna skal spille ud."),
    (PLAYED[:8], "Trick 1: Anna leads manille. Bo plays next.",
     "Stik 1: Anna spiller manille ud. Bo skal spille."),
    (PLAYED[:9], "Trick 1: Bo plays one of the diamonds. Carl plays next.",
     "Stik 1: Bo lægger en ruder. Carl skal spille."),
    (PLAYED, "Trick 1: Carl plays basta; Anna takes the trick. Anna leads next.",
     "Stik 1: Carl lægger basta; Anna tager stikket. Anna skal spille ud."),
    ([*PLAYED, CLAIM], "Anna claims the rest. Trick 1: Carl plays basta; Anna takes the trick.",
     "Anna lægger op og tager resten. Stik 1: Carl lægger basta; Anna tager stikket."),
    (ALL_PASS, "All have passed.", "Alle har meldt pas."),
    (VOID, "The deal is over.", "Spillet er slut."),
    ([OPENING, {"type": "result_recorded"}], "The deal is over.", "Spillet er slut."),
]  # fmt: skip


def caption(state: Json, lang: str = "en") -> str:
    return " ".join(
        caption_sentences(state, DrawingTerms(state, DrawingOptions(lang=lang, rules=rules_of(state))))
    )


@pytest.mark.parametrize(("events", "english", "danish"), LINES, ids=[english for _, english, _ in LINES])
def test_each_phase_has_its_line(events: list[Json], english: str, danish: str) -> None:
    state = state_of(events)
    assert caption(state, "en").startswith(english)
    assert caption(state, "da").startswith(danish)


def test_the_deal_and_an_offer_to_surrender_have_a_line() -> None:
    dealt = {**replayed("belinda", 4), "phase": "auction"}
    assert caption(dealt) == "The cards are dealt. Belinda bids next."
    open_offer: dict[str, Any] = {"seat": "forehand", "accepted": [], "forbidden_by": None}
    offered = {**replayed("ombre-surrender-forbidden-won"), "phase": "play", "surrender": open_offer}
    assert re.match(r"[^.]+ offers to surrender\.", caption(offered)), "the offer is told first"


def test_a_caption_is_shortened_by_whole_sentences() -> None:
    whole = "Stik 4: Sir Anonym lægger et skjult kort; Belinda tager stikket. Belinda skal spille ud."
    shorter = (whole.removesuffix(" Belinda skal spille ud."), "Stik 4 til Belinda. Belinda skal spille ud.")
    lines = [texts(drawing(replayed("belinda", 26), width=wide, lang="da"))[-1] for wide in (320, 390, 1600)]
    assert set(lines) <= {whole, *shorter}
    assert lines[0] in shorter, "a narrow drawing has no room for both sentences"
    assert lines[-1] == whole


STATIC = Path(__file__).parents[3] / "service/http/web/static"


def tokens(css: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", css))


def test_colours_are_those_of_the_pages() -> None:
    css = (STATIC / "css/tokens.css").read_text(encoding="utf-8")
    light_css, dark_css = css.split("@media (prefers-color-scheme: dark)")[:2]
    light = tokens(light_css)
    dark = light | tokens(dark_css.split("\n}\n")[0])
    for theme, of_pages in (("light", light), ("dark", dark)):
        for name, colour in THEMES[theme]._asdict().items():
            assert colour == of_pages[name.replace("_", "-")], (theme, name)


@pytest.mark.parametrize(
    ("language", "letters"), [("en", "AKQJ"), ("da", ["E", "K", "D", "Kn"]), ("es", "ARCS")]
)
def test_the_symbols_of_pages_and_drawings_are_the_same(language: str, letters: list[str]) -> None:
    page = ElementTree.fromstring(card_symbols_document(language).replace(f' xmlns="{SVG[1:-1]}"', ""))
    of_page = {one.get("id"): ElementTree.tostring(one) for one in page.iter("symbol")}
    assert {
        f"{kind}-{suit}{rank}" for kind in ("card", "edge") for suit in "SHCD" for rank in "A234567JQKx"
    } == (of_page.keys() - {"card-back", *(f"pip-{suit}" for suit in "SHCD")})
    ids = {f"#{one.get('id')}" for one in page.iter()}
    assert {one.get("href") for one in page.iter("use")} <= ids
    for rank, letter in zip("AKQJ", letters, strict=True):
        (face,) = [one for one in page.iter("symbol") if one.get("id") == f"card-H{rank}"]
        assert {one.text for one in face.iter("text")} == {letter}
    svg = draw_table(
        replayed("belinda", 26),
        DrawingOptions(
            lang=language if language != "es" else "en", terms="es" if language == "es" else "own"
        ),
    )
    drawn = ElementTree.fromstring(svg.replace(f' xmlns="{SVG[1:-1]}"', ""))
    for one in drawn.iter("symbol"):
        one.tail = None
        assert ElementTree.tostring(one) == of_page[one.get("id")]


@pytest.mark.parametrize(
    ("width", "height", "wide"), [(390, 475, 76), (770, 636, 107), (844, 370, 70), (760, 363, 70)]
)
def test_hands_are_large_and_nothing_of_a_trick_lies_on_a_hand(width: int, height: int, wide: int) -> None:
    plan = build_table_plan(width, height, 41, "anticlockwise")
    assert plan.card_width >= wide
    hands = [
        [card_position(PlacedCard("hand", seat, "SA", order, 9), plan) for order in range(9)]
        for seat in ("forehand", "middlehand", "backhand")
    ]
    trick = [
        card_position(PlacedCard("trick", seat, "SA", order, 3, 1), plan)
        for order, seat in enumerate(("forehand", "middlehand", "backhand"))
    ]
    half = plan.card_height * plan.trick_scale / 2
    assert max(one.y for one in trick) + half <= min(one.y for one in hands[0]) - plan.card_height / 2
    across = plan.card_width * (1 + plan.trick_scale) / 2
    assert trick[1].x + across <= min(one.x for one in hands[1])
    assert trick[2].x - across >= max(one.x for one in hands[2])
    assert hands[1][-1].y + plan.card_height / 2 <= plan.column_bottom + 4
    # Of each card in a hand enough is seen to read its index.
    assert hands[0][1].x - hands[0][0].x > plan.card_width * 0.33
    assert hands[1][1].y - hands[1][0].y > plan.card_width * 0.27


@pytest.mark.property
def test_the_fonts_of_the_pages_are_those_of_pictures() -> None:
    assert fonts.out_of_step() == [], "run: python docs/fonts.py"


def test_widths_and_style_sheet_are_those_of_the_published_fonts() -> None:
    widths = json.loads((fonts.DRAWING / "widths.json").read_text("utf-8"))
    assert widths == {style: fonts.advances(style) for style in fonts.STYLES}, "run: python docs/fonts.py"
    assert fonts.TYPE.read_text("utf-8").endswith(f"\n{fonts.faces()}\n")


@pytest.mark.parametrize("style", fonts.STYLES)
def test_a_font_of_the_pages_has_its_own_name_and_the_widths_of_the_whole(style: str) -> None:
    whole = TTFont(fonts.published("latin", style))
    cut = TTFont(fonts.PAGES / fonts.file_name("latin", style))
    names = {record.nameID: str(record) for record in cut["name"].names}
    assert "Source" not in "".join(names[number] for number in (1, 4, 6))
    assert "Adobe" in names[0]
    for code, glyph in cut.getBestCmap().items():
        assert cut["hmtx"][glyph][0] == whole["hmtx"][whole.getBestCmap()[code]][0], chr(code)


def test_a_text_is_cut_to_its_room_and_between_letters() -> None:
    for type_ in (FontStyle(16, style) for style in ("regular", "italic", "bold")):
        assert truncate_to_width("Bo", type_, 100) == "Bo"
        assert truncate_to_width("Bo", type_, 3) == ""
        short = truncate_to_width("Carl-Christian af Skovgaard", type_, 100)
        assert short.endswith("…")
        assert 60 < measure_text(short, type_) <= 100
    accented = truncate_to_width("Zoe\u0301e\u0301e\u0301e\u0301", FontStyle(16), 40)
    assert accented.endswith("…")
    assert not accented.startswith("Zoe…"), "an accent stays with its letter"


RED_TRUMPS = Path(__file__).parents[2] / "golden" / "clockwise-hands.json"


def test_red_trumps_of_the_clockwise_game_are_drawn_in_their_order() -> None:
    """Each hand of its deals with red trumps, before the first lead, from left to right in the picture."""
    drawn = {}
    for deal in replays.list_examples():
        log = deal.read_log()
        lead = next((one.seq for one in log if isinstance(one.event, CardPlayed)), None)
        state = replayed(deal.name) if deal.name.startswith("clockwise-") else {"trump": None}
        if state["trump"] in ("H", "D") and isinstance(lead, int):
            state = replayed(deal.name, lead - 1)
            order = cards(drawing(state), "hand")
            drawn[f"{deal.name}, {state['trump']}"] = {
                seat: " ".join(card for card in order if card in hand["cards"])
                for seat, hand in (state["hands"] or {}).items()
            }
    assert drawn == orjson.loads(RED_TRUMPS.read_bytes())

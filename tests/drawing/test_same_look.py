"""A drawing looks as the pages do: the same colours, signs, letters and type."""

import json
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from docs import fonts
from service.presentation.i18n.card_words import RANKS, SEATS, SUITS
from service.presentation.svg.cards import LETTERS, PIPS
from service.presentation.svg.lettering import Type, cut, width_of
from service.presentation.svg.manner import THEMES

STATIC = Path(__file__).parents[2] / "service/http/web/static"


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


def test_signs_of_suits_are_those_of_the_pages() -> None:
    script = (STATIC / "js/replay/cards.js").read_text(encoding="utf-8")
    of_pages = dict(re.findall(r'^  ([SHCD]): "(M[^"]+)"', script, re.M))
    assert {suit: path.replace("10.900Z", "10.9Z") for suit, path in of_pages.items()} == dict(PIPS)


def test_danish_words_are_those_of_the_pages() -> None:
    script = (STATIC / "js/messages/words-da.js").read_text(encoding="utf-8")

    def table(name: str) -> dict[str, str]:
        (held,) = re.findall(rf"^const {name} = (?:terms\?\.\w+ \?\? )?\{{(.*)\}};", script, re.M)
        return dict(re.findall(r'(\w+): "([^"]+)"', held))

    assert table("SUITS") == {suit: words.da for suit, words in SUITS.items()}
    assert table("SEATS") == {seat: words.da for seat, words in SEATS.items()}
    assert table("RANKS") == {rank: words.da for rank, words in RANKS.items() if not words.da.isdigit()}
    assert {rank: letter for rank, letter in table("LETTERS").items() if rank != letter} == LETTERS["da"]


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
    for type_ in (Type(16, style) for style in ("regular", "italic", "bold")):
        assert cut("Bo", type_, 100) == "Bo"
        assert cut("Bo", type_, 3) == ""
        short = cut("Carl-Christian af Skovgaard", type_, 100)
        assert short.endswith("…")
        assert 60 < width_of(short, type_) <= 100
    accented = cut("Zoe\u0301e\u0301e\u0301e\u0301", Type(16), 40)
    assert accented.endswith("…")
    assert not accented.startswith("Zoe…"), "an accent stays with its letter"

"""Every word of a page has one name: where a name stands twice, the first of its words is never said."""

import re
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

import service.web

SCRIPTS = Path(service.web.__file__).parent / "static" / "js"
MODULES = sorted(path.stem for path in SCRIPTS.glob("*-??.js") if path.stem[-2:] in ("da", "en"))

PIECE = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    r"""|(?P<name>[\w$]+)"""
    r"""|(?P<pattern>(?<=[\[(,=:] )/(?:\\.|[^/\\\n])+/\w*|(?<=[\[(])/(?:\\.|[^/\\\n])+/\w*)"""
    r"""|(?P<sign>.)""",
    re.DOTALL,
)


Pieces = Generator[tuple[str, str], None, int]


def pieces(script: str, place: int = 0) -> Pieces:
    """The names, texts and signs of a script from a place on, to its end or a brace that closes none."""
    depth = 0
    while place < len(script):
        found = PIECE.match(script, place)
        assert found is not None
        kind, text, place = str(found.lastgroup), found[0], found.end()
        if text == "`":
            place = yield from _template(script, place)
        elif text == "}" and not depth:
            break
        elif kind != "skip":
            depth += {"{": 1, "}": -1}.get(text, 0)
            yield kind, text
    return place


def _template(script: str, place: int) -> Pieces:
    """What stands in the places of a template, each as if in parentheses."""
    while script[place] != "`":
        if script.startswith("${", place):
            yield "sign", "("
            place = yield from pieces(script, place + 2)
            yield "sign", ")"
        else:
            place += 2 if script[place] == "\\" else 1
    yield "text", "``"
    return place + 1


def doubled(script: str) -> list[str]:
    """The names that stand twice in one object."""
    found: list[str] = []
    open_: list[tuple[str, Counter[str]]] = []
    read = [*pieces(script), ("sign", "")]
    for place, (kind, text) in enumerate(read[:-1]):
        if kind == "sign" and text in "{([":
            open_.append((text, Counter()))
        elif kind == "sign" and text in "})]":
            open_.pop()
        elif kind in ("name", "text") and open_ and open_[-1][0] == "{":
            before, after = read[place - 1][1], read[place + 1][1]
            if before in ("{", ",") and after in (":", ",", "}"):
                name = text.strip("\"'")
                open_[-1][1][name] += 1
                found += [name] * (open_[-1][1][name] == 2)
    return found


@pytest.mark.parametrize("module", MODULES)
def test_no_word_has_the_name_of_another(module: str) -> None:
    script = (SCRIPTS / f"{module}.js").read_text(encoding="utf-8")
    assert len([*pieces(script)]) > 20
    assert doubled(script) == []


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ('export default { play: "Tricks", of: { play: "x" }, play: "Play" };', ["play"]),
        ('const A = { a: (n) => `${n ? `, a: ${n}` : { b: 1 }.b}`, "a": 2 };', ["a"]),
        ("const A = { a: f(x, a ? b : c), c: [/a: {/, 1], b };", []),
    ],
    ids=["twice", "in a template", "once"],
)
def test_a_name_that_stands_twice_is_found(script: str, names: list[str]) -> None:
    assert doubled(script) == names

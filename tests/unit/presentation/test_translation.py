"""What is found or cannot be read, told in Danish; and which clauses a report names."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

import engine
import schemas
import schemas.spreadsheet
import service
from engine import audit
from engine.core.cards import SEAT_NAMES, SUIT_LETTERS
from engine.core.field_types import ALL_OUTCOMES
from engine.core.message import LocalizedText, Message, Term
from engine.judging.game_terms import OUTCOME_SPELLINGS
from engine.play.findings import FINDING_CODES, SEVERITIES
from engine.rulesets import PUBLISHED_RULESETS, UNKNOWN_RULESET
from schemas.i18n.catalogs import LOCALE_FOLDER
from schemas.i18n.translate import TERMS_BY_KIND, translate
from service.http import web
from service.http.web.page_texts import list_script_texts
from tests.support.drawing.looking import log_called

SOURCES = sorted(
    source
    for package in (engine, schemas.spreadsheet)
    for source in Path(str(package.__file__)).parent.rglob("*.py")
)
SHEET_FORM_PLACES = {
    "CellValueError": 1,
    "add_fault": 1,
    "_parse_number": 2,
    "_parse_text": 2,
}
"""Functions that report what is wrong with a sheet, and the first of their arguments that are forms."""


def calls_of(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Each call of a function of that name in the engine and for sheets, with where it stands."""
    return ((where, call) for where, of, call in calls() if of == name)


@cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """Each call of a function in the engine and for sheets, with where it stands and its name."""
    return [
        (f"{source.name}:{node.lineno}", getattr(node.func, "id", getattr(node.func, "attr", "")), node)
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]


def forms() -> dict[str, str]:
    """Every form in the engine and for sheets, with a place where it stands."""
    found = {}
    for where, call in calls_of("format_message"):
        form = call.args[0]
        assert isinstance(form, ast.Constant), f"{where}: a form is written out, so that it can be found"
        assert isinstance(form.value, str)
        assert places(form.value) == {keyword.arg for keyword in call.keywords}, where
        found[form.value] = where
    for name, place in SHEET_FORM_PLACES.items():
        for where, call in calls_of(name):
            texts = {form for argument in call.args[place:] for form in texts_of(argument, "")}
            found |= dict.fromkeys((form for form in texts if " " in form), where)
    return found


def places(form: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(form) if name is not None}


def sections() -> set[str]:
    """The sections of the rules that a finding, a payment or a clause names."""
    rulesets = set(Path(engine.__file__).parent.glob("rulesets/*.py"))
    nodes = [
        node for source in {*SOURCES} - rulesets for node in ast.walk(ast.parse(source.read_text("utf-8")))
    ]
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    of_clauses = {clause.point for rules in PUBLISHED_RULESETS for clause in rules.ruleset.clauses}
    return of_clauses | {text for text in texts if re.fullmatch(r"\d\. [A-Z][a-z ]+", text)}


def separators() -> set[str]:
    parts = [part for _, call in calls_of("TextList") for part in call.args[1:]]
    used = {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return {one for one in used if one.strip(" ,;")}


def sources() -> set[str]:
    rulesets = [rules.ruleset for rules in PUBLISHED_RULESETS]
    return {one.source for one in rulesets} | {clause.source for one in rulesets for clause in one.clauses}


PACKAGES = [Path(package.__path__[0]) for package in (engine, schemas, service)]
TEMPLATES = Path(web.__file__).parent / "templates"
IN_TEMPLATE = re.compile(r"""\bt\((['"])(.*?)\1(?:, context=(['"])(.*?)\3)?\)""")


def template_texts() -> Iterator[tuple[str, str]]:
    for template in TEMPLATES.glob("*.html"):
        for _, text, _, context in IN_TEMPLATE.findall(template.read_text(encoding="utf-8")):
            yield context, text


def python_texts() -> Iterator[tuple[str, str]]:
    """What is asked of the catalogue, with its context: literals, and all texts of a table."""
    for package in PACKAGES:
        for source in package.rglob("*.py"):
            path = source.relative_to(package.parent).with_suffix("")
            module = ".".join(path.parts).removesuffix(".__init__")
            for node in ast.walk(ast.parse(source.read_text("utf-8"))):
                if isinstance(node, ast.Call) and node.args and asks_catalog(node.func):
                    place = 1 if isinstance(node.func, ast.Attribute) else 2
                    context = node.args[place] if len(node.args) > place else ast.Constant("")
                    if isinstance(context, ast.Name) and context.id == "event":
                        context = ast.Constant("")  # it is filled in
                    if isinstance(context, ast.Constant):
                        for text in texts_of(node.args[0], module):
                            yield str(context.value), text


def asks_catalog(function: ast.expr) -> bool:
    """Whether a call is of ``gettext``, of ``style.phrase``, or of what a view calls ``t``."""
    if isinstance(function, ast.Attribute):
        return function.attr == "phrase"
    if isinstance(function, ast.Call):  # page_texts(lang)("…")
        return isinstance(function.func, ast.Name) and function.func.id == "page_texts"
    return isinstance(function, ast.Name) and function.id in ("t", "gettext")


def texts_of(expression: ast.expr, module: str) -> Iterator[str]:
    match expression:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from texts_of(one, module)
            yield from texts_of(other, module)
        case ast.Subscript(value=table) | ast.Call(func=ast.Attribute(value=table, attr="get")):
            yield from texts_of(table, module)
        case ast.Name(id=name) if module:
            yield from leaves(vars(import_module(module)).get(name))


def leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if not isinstance(value, LocalizedText):  # brings its own translations
            yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from leaves(one)
    elif isinstance(value, tuple):
        for one in value:
            yield from leaves(one)


def ruleset_texts() -> Iterator[str]:
    """What published rulesets call themselves and what is theirs."""
    for ruleset in (*(rules.ruleset for rules in PUBLISHED_RULESETS), UNKNOWN_RULESET):
        yield from (ruleset.words, ruleset.chip, *(clause.text for clause in ruleset.clauses))
        for named in (ruleset.bids, ruleset.contracts, ruleset.switches):
            yield from (one.words for one in named)


@cache
def literals() -> frozenset[str]:
    """Every text in the sources."""
    return frozenset(
        node.value
        for package in PACKAGES
        for source in package.rglob("*.py")
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def catalog(lang: str) -> dict[str, dict[str, str]]:
    """The messages of a language, by their context."""
    found: dict[str, dict[str, str]] = {}
    with (LOCALE_FOLDER / f"{lang}.po").open("rb") as file:
        for message in read_po(file):
            if message.id:
                found.setdefault(message.context or "", {})[str(message.id)] = str(message.string)
    return found


LANGUAGES = sorted(file.stem for file in LOCALE_FOLDER.glob("*.po"))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_that_is_said_is_in_the_catalogue_and_nothing_is_left_over(lang: str) -> None:
    told, said, asked = catalog(lang), forms(), [*template_texts(), *python_texts(), *list_script_texts()]
    assert len(said) > 200 and len(asked) > 1000
    assert {form: where for form, where in said.items() if form not in told[""]} == {}
    assert sorted({one for one in asked if one[1] and one[1] not in told.get(one[0], ())}) == []
    assert sorted({*ruleset_texts(), *SEVERITIES} - told[""].keys()) == []
    wanted = literals() | {text for _, text in (*template_texts(), *list_script_texts())}
    kinds = {"finding", "section", "source", "between"}  # these are asked for by what they are
    left_over = {(kind, text) for kind in told.keys() - kinds for text in told[kind] if text not in wanted}
    assert sorted(left_over) == []
    pairs = [pair for kind in told.values() for pair in kind.items()]
    assert [form for form, other in pairs if places(form) != places(other)] == []
    assert told["finding"].keys() == {code.replace("_", " ") for code in FINDING_CODES}
    assert len(set(told["finding"].values())) == len(FINDING_CODES)
    assert sections() <= told["section"].keys()
    assert separators() == told["between"].keys()
    assert told["source"].keys() <= sources()


IN_PARENTHESES = re.compile(r"\([^)]*\)")
"""Other spellings that are read, and the names that a source uses."""


def test_no_text_uses_the_terms_of_the_other_language() -> None:
    messages = [pair for kind in catalog("da").values() for pair in kind.items()]
    english = {IN_PARENTHESES.sub("", text) for text, _ in messages}
    danish = {IN_PARENTHESES.sub("", text) for _, text in messages}
    in_english = re.compile(
        r"\b(kruk|kodille|bedre spil|købe-nolo|tourné respect|solo spar|ren nolo)\b", re.I
    )
    in_danish = re.compile(
        r"\b([ck]odill[eo]|(simple|spade) game|simple nolo|grand tourné|spade solo|pure nolo)\b", re.I
    )
    assert [text for text in english if in_english.search(text)] == []
    assert [text for text in danish if in_danish.search(text)] == []


def test_every_kind_of_term_has_its_danish_words() -> None:
    kinds = {call.args[0].value for _, call in calls_of("Term") if isinstance(call.args[0], ast.Constant)}
    assert kinds == {"game", *TERMS_BY_KIND}
    assert set(SEAT_NAMES) <= set(TERMS_BY_KIND["seat"])
    assert set(SUIT_LETTERS) <= set(TERMS_BY_KIND["suit"])
    assert {OUTCOME_SPELLINGS.get(one, one) for one in ALL_OUTCOMES} <= set(TERMS_BY_KIND["outcome"])
    assert {"pass", "self"} <= set(TERMS_BY_KIND["call"])


RECOGNISED = {
    ("bid-too-low", "da"): "Bo melder spil, men det er ikke højere end solo.",
    ("bid-too-low", "en"): "Bo says simple game, which does not outbid solo.",
    ("card-duplicated", "da"): "SA blev givet til Bo, men Anna (forhånd) har det.",
    ("contract-not-allowed", "en"): (
        "Anna names solo in hearts, but after simple game the choice is simple game in clubs, diamonds, "
        "hearts; spade game in spades; tourné; simple nolo."
    ),
    ("revoke", "da"): "Bo lægger D5 på H2 i stik 1, men har HJ, HK, HQ på hånden: kulørsvigt.",
    ("settlement-mismatch", "da"): (
        "Betalt: Anna +9 i stedet for +2, Bo +0 i stedet for -1, Carl +0 i stedet for -1."
    ),
}


@pytest.mark.parametrize(("fault", "lang", "sentence"), [(*key, one) for key, one in RECOGNISED.items()])
def test_what_a_player_would_recognise(fault: str, lang: str, sentence: str) -> None:
    findings = audit(log_called(f"findings-{fault}")).findings
    assert sentence in [translate(one.message, lang) for one in findings]


def test_what_has_no_danish_form_stays_as_it_is() -> None:
    assert translate("There is more.", "da") == "There is more."
    assert translate(Message("{player} hums.", {"player": Term("seat", "forehand")}), "da") == "Forhånd hums."
    ours = LocalizedText("our game", {"da": "vort spil"})
    assert translate(Term("game", "simple", ours), "da") == "Vort spil"
    assert translate(Term("game", "mars"), "da") == "Mars"

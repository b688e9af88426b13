"""What is found, told in Danish: every form of the engine's has a Danish one, and what they come to."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

import engine
from engine import audit
from engine.core.cards import SEAT_NAMES, SUITS
from engine.core.message import Said, Term
from engine.core.vocabulary import ALL_OUTCOMES
from engine.judging.called import WRITTEN
from replays import find
from service.presentation.i18n.findings_da import BETWEEN, FORMS
from service.presentation.i18n.translate import TERMS, told

SOURCES = sorted(Path(engine.__file__).parent.rglob("*.py"))


def calls_of(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Each call of a function of that name in the engine, with where it stands."""
    return ((where, call) for where, of, call in calls() if of == name)


@cache
def calls() -> list[tuple[str, str, ast.Call]]:
    """Each call of a function in the engine, with where it stands and its name."""
    return [
        (f"{source.name}:{node.lineno}", node.func.id, node)
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]


def forms() -> dict[str, str]:
    """Every form in the engine, with a place where it stands."""
    found = {}
    for where, call in calls_of("said"):
        form = call.args[0]
        assert isinstance(form, ast.Constant), f"{where}: a form is written out, so that it can be found"
        assert isinstance(form.value, str)
        assert places(form.value) == {keyword.arg for keyword in call.keywords}, where
        found[form.value] = where
    return found


def places(form: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(form) if name is not None}


def test_every_form_has_a_danish_one_and_none_is_left_over() -> None:
    english = forms()
    assert len(english) > 200
    assert {form: where for form, where in english.items() if form not in FORMS} == {}
    assert [form for form in FORMS if form not in english] == []
    assert [form for form, danish in FORMS.items() if places(danish) != places(form)] == []


def test_every_kind_of_term_has_its_danish_words() -> None:
    kinds = {call.args[0].value for _, call in calls_of("Term") if isinstance(call.args[0], ast.Constant)}
    assert kinds == {"game", *TERMS}
    assert set(SEAT_NAMES) <= set(TERMS["seat"])
    assert set(SUITS) <= set(TERMS["suit"])
    assert {WRITTEN.get(one, one) for one in ALL_OUTCOMES} <= set(TERMS["outcome"])
    assert {"pass", "self"} <= set(TERMS["call"])


def test_everything_between_two_texts_has_its_danish_words() -> None:
    used = {
        between.value
        for _, call in calls_of("Listed")
        for between in call.args[1:]
        if isinstance(between, ast.Constant)
    }
    assert used | {", "} == set(BETWEEN)


SENTENCES = {
    "bid-too-low": "Bo melder spil, men det er ikke højere end solo.",
    "card-duplicated": "SA blev givet til Bo, men Anna (forhånd) har det.",
    "revoke": "Bo lægger D5 på H2 i stik 1, men har HJ, HK, HQ på hånden: kulørsvigt.",
    "settlement-mismatch": "Betalt: Anna +9 i stedet for +2, Bo +0 i stedet for -1, Carl +0 i stedet for -1.",
}


@pytest.mark.parametrize(("fault", "sentence"), sorted(SENTENCES.items()))
def test_what_a_player_would_recognise(fault: str, sentence: str) -> None:
    deal = find(f"findings-{fault}")
    assert deal is not None
    findings = audit(deal.log()).findings
    assert sentence in [told(one.message, "da") for one in findings]
    assert {told(one.message, "en") for one in findings} == {str(one.message) for one in findings}


def test_what_has_no_danish_form_stays_as_it_is() -> None:
    assert told("There is more.", "da") == "There is more."
    assert told(Said("{player} hums.", {"player": Term("seat", "forehand")}), "da") == "Forhånd hums."
    assert told(Term("game", "simple", "spil"), "da") == "Spil"
    assert told(Term("game", "mars"), "da") == "Mars"

"""Nested messages and flat faults are two forms of one list."""

from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from schemas.wire.errors import nested, pointed, problem_errors
from schemas.wire.faults import Fault, WireError, escaped

TOKENS = st.text(min_size=1, max_size=4).filter(lambda token: token != "_schema")
POINTERS = st.lists(TOKENS, max_size=3).map(lambda tokens: "".join(f"/{escaped(token)}" for token in tokens))


def test_messages_are_walked_to_pointers() -> None:
    messages = {
        "cards": {3: ["no card"]},
        "players": {"_schema": ["no object"]},
        "a/b~c": ["odd name", "long name"],
        "_schema": ["no event"],
    }
    assert pointed(messages) == [
        {"pointer": "/cards/3", "detail": "no card"},
        {"pointer": "/players", "detail": "no object"},
        {"pointer": "/a~1b~0c", "detail": "odd name"},
        {"pointer": "/a~1b~0c", "detail": "long name"},
        {"pointer": "", "detail": "no event"},
    ]
    assert pointed(["alone"]) == [{"pointer": "", "detail": "alone"}]


def prefix_free(pointers: set[str]) -> set[str]:
    """No pointer leads through another: a value has faults itself, or its members have."""
    return {p for p in pointers if not any(q != p and (q + "/").startswith(p + "/") for q in pointers)}


@given(st.sets(POINTERS, min_size=1, max_size=5).map(prefix_free))
def test_faults_come_back_from_their_nested_form(pointers: set[str]) -> None:
    faults = [Fault(pointer, f'"{number}"', "better") for number, pointer in enumerate(sorted(pointers))]
    flat = problem_errors(WireError(faults))
    again = problem_errors(ValidationError(nested(faults)))
    assert sorted(again, key=lambda e: e["pointer"]) == sorted(flat, key=lambda e: e["pointer"])


def test_a_fault_of_the_whole_and_one_of_a_part_go_together() -> None:
    both = nested([Fault("", "1", "two"), Fault("/a", "3", "four")])
    assert {e["pointer"] for e in pointed(both)} == {"", "/a"}

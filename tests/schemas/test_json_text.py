"""JSON from outside nests no deeper than the bound, wherever it is read."""

import pytest

from schemas.rulesets.rulesets import read_ruleset_file
from schemas.wire.faults import WireError
from schemas.wire.json_text import DEEPEST, TooDeep, read_json
from schemas.wire.jsonlines import Unreadable, read_logs


def lists(levels: int) -> str:
    """A list inside a list, so many levels deep."""
    return "[" * levels + "]" * levels


def test_brackets_count_only_where_they_nest() -> None:
    flat = f'{{"text": "{"[{" * 300}\\"[", "cards": [{", ".join(["[]"] * 300)}]}}'
    assert read_json(flat.encode())["text"].endswith('"[')
    assert read_json(lists(DEEPEST).encode())


def test_the_place_of_the_first_level_too_many_is_named() -> None:
    with pytest.raises(TooDeep) as deep:
        read_json(f'"æ",\n{lists(DEEPEST + 1)}'.replace('"æ",', "  ").encode())
    assert (deep.value.lineno, deep.value.colno) == (2, DEEPEST + 1)
    assert f"more than {DEEPEST} levels" in str(deep.value)


@pytest.mark.parametrize("levels", [DEEPEST, 250, 1000])
def test_a_line_or_a_ruleset_that_nests_too_deep_is_a_fault_of_its_own(levels: int) -> None:
    line = f'{{"type": "note_added", "text": {lists(levels)}}}'.encode()
    (log,) = read_logs([b'{"type":"gap_noted"}\n', line], "deep.jsonl")
    assert isinstance(log, Unreadable)
    (problem,) = (one for one in log.problems if one.line == 2)
    assert (problem.column, problem.expected) == (31 + DEEPEST, f"at most {DEEPEST} levels")
    with pytest.raises(WireError, match=f"nest more than {DEEPEST} levels"):
        read_ruleset_file(line)

"""Logs in JSON Lines: what is read, and how each way of going wrong is told and survived."""

import codecs
import io
import json
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.events import DealOpened, GapNoted, NoteAdded
from engine.core.table_events import TableOpened
from schemas.rulesets.ruleset_json import parse_ruleset_file
from schemas.wire.json_text import (
    MAX_JSON_DEPTH,
    JsonTooDeep,
    find_nearest_column,
    find_pointer_columns,
    parse_json,
)
from schemas.wire.jsonlines import (
    MAX_ENTRIES_PER_LOG,
    MAX_LISTED_PROBLEMS,
    LineProblem,
    ParsedLog,
    UnreadableLog,
    read_json_lines_logs,
)
from schemas.wire.line_reader import CHUNK_BYTES, MAX_LINE_BYTES, iterate_lines
from schemas.wire.wire_faults import WireError, escape_pointer_token
from tests.support.schemas.jsonlines import GAP, OPENED, RUBBISH, TABLE


def read_logs(data: bytes | Iterable[bytes]) -> list[ParsedLog | UnreadableLog]:
    return list(read_json_lines_logs(io.BytesIO(data) if isinstance(data, bytes) else data, "evening.jsonl"))


def lines(*parts: bytes) -> bytes:
    return b"\n".join(parts) + b"\n"


def only_problem(*parts: bytes) -> LineProblem:
    """The one problem of a deal with these lines after its opening; the deal after it is whole."""
    bad, good = read_logs(lines(OPENED, *parts, OPENED, GAP))
    assert isinstance(bad, UnreadableLog) and bad.unlisted == 0
    assert isinstance(good, ParsedLog) and len(good.log) == 2 and good.line == len(parts) + 2
    (problem,) = bad.problems
    assert problem.file == "evening.jsonl"
    return problem


def problem_fields(problem: LineProblem) -> tuple[int, int, str, str]:
    return problem.line, problem.column, problem.pointer, problem.read


def test_deals_and_tables_begin_with_their_opening() -> None:
    first, table, second = read_logs(lines(OPENED, GAP, TABLE, GAP, GAP, OPENED))
    assert [(log.number, log.line, len(log.log)) for log in (first, table, second)] == [
        (1, 1, 2), (2, 3, 3), (3, 6, 1),
    ]  # fmt: skip
    assert all(isinstance(log, ParsedLog) and log.problems == () for log in (first, table, second))
    assert [entry.seq for entry in table.log] == [1, 2, 3]
    assert isinstance(first.log[0].event, DealOpened) and isinstance(table.log[0].event, TableOpened)


@pytest.mark.parametrize(
    "data",
    [
        lines(OPENED, GAP).replace(b"\n", b"\r\n"),
        lines(OPENED, GAP)[:-1],
        b"\n\n" + OPENED + b"\n \t \r\n" + codecs.BOM_UTF8 + b"\n" + GAP + b"\n\n",
        codecs.BOM_UTF8 + lines(OPENED, GAP),
        lines(b"  " + OPENED, GAP + b"  "),
        lines(OPENED, b'{"type":"gap_noted","seq":2.0,"id":null}'),
    ],
    ids=["crlf", "no last line end", "blank lines", "byte order mark", "indented", "with seq"],
)
def test_forms_that_are_fine(data: bytes) -> None:
    (deal,) = read_logs(data)
    assert isinstance(deal, ParsedLog)
    assert [(entry.seq, type(entry.event)) for entry in deal.log] == [(1, DealOpened), (2, GapNoted)]


def test_a_wrong_value_is_told_in_its_column() -> None:
    line = '{"type": "hand_dealt", "seat":"nord", "cards" : ["SA","S8"],"crads":0, "æ": 1}'
    bad, good = read_logs(lines(OPENED, GAP, line.encode(), GAP, OPENED))
    assert isinstance(bad, UnreadableLog) and isinstance(good, ParsedLog)
    assert [entry.seq for entry in bad.log] == [1, 2, 4]
    assert [problem_fields(problem) for problem in bad.problems] == [
        (3, line.index('"nord"') + 1, "/seat", '"nord"'),
        (3, line.index('"S8"') + 1, "/cards/1", '"S8"'),
        (3, line.index('"crads"') + 1, "/crads", '"crads"'),
        (3, line.index('"æ"') + 1, "/æ", '"æ"'),
    ]
    assert bad.problems[0].message == (
        'At /seat: In place of "nord", write a seat: forehand, middlehand or backhand.'
    )


@pytest.mark.parametrize(
    ("line", "column", "read_there", "message"),
    [
        (b'{"type":"gap_noted",}', 20, '",}"', "trailing comma"),
        ('{"text":"æøå", x}'.encode(), 16, '"x}"', "not JSON"),
        (b"1. e4 e5", 4, '"e4 e5"', "not JSON"),
        (b"{'type': 'gap_noted'}", 2, "\"'type': 'gap_noted'}\"", "not JSON"),
        (b'{"type":"gap_noted"} {"type":"gap_noted"}', 22, r'"{\"type\":\"gap_noted\"}"', "after document"),
        (b'{"type":"gap_noted"', 20, "nothing", "The line ends before the event does"),
        (b'{"a":' * 2000, 5122, r'"\"a\":{\"a\":{\"a\":{\"a\":{"', "depth limit"),
        (b"[" * 100_000, 1, "a list", "one event per line"),
        (b"  [" + GAP + b"]", 1, "a list", "one event per line"),
        (b"[]", 1, "a list", "one event per line"),
        (b'"gap_noted"', 1, '"gap_noted"', "write an event as one JSON object"),
        (b"null", 1, "null", "write an event as one JSON object"),
        (b'{"type":"note_added","text":"\xe6ble"}', 30, "the byte 0xE6", "save the file as UTF-8"),
        (b'{"\xc3\xa6":"\xff"}', 7, "the byte 0xFF", "save the file as UTF-8"),
        (b'{"type":\0}', 9, "a NUL byte", "damaged"),
        (b'{"type":"gap_noted","text":"\\ud800"}', 29, r'"\\ud800\"}"', "surrogate"),
        (codecs.BOM_UTF8 * 300_000, 1, '"' + "\ufeff" * 20 + '"', "byte order mark"),
        (b"x" * (1 << 20) + b"x", 1, "a line of more than 1048576 bytes", "at most 1048576 bytes"),
    ],
)
def test_a_line_that_is_no_event(line: bytes, column: int, read_there: str, message: str) -> None:
    problem = only_problem(line)
    assert (problem.line, problem.pointer) == (2, "")
    assert (problem.column, problem.read) == (column, read_there)
    assert message in problem.message and problem.message.endswith((".", "}."))
    assert len(problem.message) < 300


@pytest.mark.parametrize(
    ("line", "column", "pointer", "name"),
    [
        (b'{"type":"card_played","seat":"forehand","card":"SK","card":"SQ"}', 53, "/card", '"card"'),
        (b'{"type":"note_added","text":"a: b","text" : "c"}', 36, "/text", '"text"'),
        (b'{"type":"deal_opened","ruleset":"dlu","players":{"forehand":"A","forehand":"B"}}',
         65, "/players/forehand", '"forehand"'),
        (b'{"type":"gap_noted","t\\u0079pe":"gap_noted"}', 21, "/type", '"type"'),
        (b'{"type":"note_added","text":"\\u003a","text":"b"}', 38, "/text", '"text"'),
    ],
    ids=["card", "text with a colon", "within", "escaped", "an escaped colon"],
)  # fmt: skip
def test_a_name_that_stands_twice_is_told_where_it_stands_again(
    line: bytes, column: int, pointer: str, name: str
) -> None:
    (problem,) = read_logs(lines(OPENED, GAP, line))[-1].problems
    assert (problem.column, problem.pointer, problem.read) == (column, pointer, f"{name} twice")


def test_a_last_line_that_breaks_off() -> None:
    for end in (b'{"type":"note_added","text":"b', b'{"type":"gap', b"{", '{"text":"ø'.encode()[:-1]):
        (deal,) = read_logs(lines(OPENED, GAP) + end)
        assert isinstance(deal, UnreadableLog) and len(deal.log) == 2
        (problem,) = deal.problems
        assert problem.line == 3
        assert "ends in the middle" in problem.message or "continues on further lines" in problem.message


def test_a_seq_that_is_not_its_place_is_told_once_for_all_after_it() -> None:
    numbered = [b'{"type":"gap_noted","seq":%d}' % seq for seq in (2, 3, 5, 6, 7)]
    problem = only_problem(*numbered)
    assert problem_fields(problem) == (4, 27, "/seq", "5")
    assert problem.expected == "4, its place in this log, or leave out seq"
    (deal, _) = read_logs(lines(OPENED, *numbered, OPENED))
    assert [entry.seq for entry in deal.log] == [1, 2, 3, 4, 5, 6]


def test_a_deal_begins_with_its_opening() -> None:
    headless, whole = read_logs(lines(GAP, GAP, OPENED))
    assert isinstance(headless, UnreadableLog) and isinstance(whole, ParsedLog)
    (problem,) = headless.problems
    assert problem_fields(problem) == (1, 9, "/type", '"gap_noted"')
    assert problem.message.startswith("A deal begins with deal_opened")
    assert len(headless.log) == 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_named(encoding: str) -> None:
    (nothing,) = read_logs(lines(OPENED, GAP).decode().encode(encoding))
    assert isinstance(nothing, UnreadableLog)
    (problem,) = nothing.problems
    assert "UTF-16" in problem.message and "save it as UTF-8" in problem.message


def test_events_over_several_lines_are_one_problem() -> None:
    opening = json.loads(OPENED)
    (listed,) = read_logs(json.dumps([opening, json.loads(GAP)], indent=2).encode())
    spread, whole = read_logs(json.dumps(opening, indent=2).encode() + b"\n" + lines(OPENED))
    assert isinstance(listed, UnreadableLog) and isinstance(spread, UnreadableLog)
    assert isinstance(whole, ParsedLog)
    for log, advice in ((listed, "one event per line"), (spread, "write each event on one line")):
        (problem,) = log.problems
        assert log.unlisted > 5
        assert advice in problem.message
    assert problem_fields(listed.problems[0]) == (1, 1, "", "a list")


@pytest.fixture
def peak() -> Iterator[Callable[[], int]]:
    """The most bytes that were held at once so far."""
    tracemalloc.start()
    yield lambda: tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()


def test_a_line_of_100_mb_is_not_held(peak: Callable[[], int]) -> None:
    def pieces() -> Iterator[bytes]:
        yield OPENED + b"\n" + b'{"type":"note_added","text":"'
        yield from (b"x" * 65_536 for _ in range(1_600))
        yield b'"}\n' + GAP + b"\n"

    (deal,) = read_logs(pieces())
    assert isinstance(deal, UnreadableLog) and [entry.seq for entry in deal.log] == [1, 3]
    assert "1048576 bytes" in deal.problems[0].message
    assert peak() < 8 << 20


def test_rubbish_is_told_a_hundred_times_and_then_counted(peak: Callable[[], int]) -> None:
    many = 20_000
    rubbish, deal = read_logs(piece for piece in (RUBBISH * many, lines(OPENED, b"{")))
    assert isinstance(rubbish, UnreadableLog) and isinstance(deal, UnreadableLog)
    unlisted = many - MAX_LISTED_PROBLEMS + 1  # too many lines is one
    assert (len(rubbish.problems), rubbish.unlisted) == (MAX_LISTED_PROBLEMS, unlisted)
    assert deal.problems == () and deal.unlisted == 1
    assert peak() < 8 << 20
    wrong = b'{"type":"hand_dealt","seat":0,"cards":0}'
    (deal,) = read_logs(lines(OPENED, *[wrong] * 80))
    assert isinstance(deal, UnreadableLog)
    assert len(deal.problems) == MAX_LISTED_PROBLEMS and deal.unlisted == 60


def test_a_log_has_an_end() -> None:
    first, second = read_logs(lines(OPENED, *[GAP] * (MAX_ENTRIES_PER_LOG + 5), OPENED, GAP))
    assert isinstance(first, UnreadableLog) and isinstance(second, ParsedLog)
    assert len(first.log) == MAX_ENTRIES_PER_LOG
    (problem,) = first.problems
    assert problem.line == MAX_ENTRIES_PER_LOG + 1 and "at most 2000 entries" in problem.message
    note = b'{"type":"note_added","text":"' + b"x" * 19_990 + b'"' + b" " * 1_000_000 + b"}\n"
    (deal,) = read_logs(piece for piece in (OPENED + b"\n", *[note] * 70))
    assert isinstance(deal, UnreadableLog) and 60 < len(deal.log) < 70
    assert isinstance(deal.log[1].event, NoteAdded)
    assert "64 MiB" in deal.problems[0].message


def test_logs_come_before_the_file_is_at_its_end() -> None:
    seen: list[str] = []

    def pieces() -> Iterator[bytes]:
        for name in "abc":
            seen.append(name)
            yield lines(OPENED, GAP)

    stream = read_json_lines_logs(pieces(), "evening.jsonl")
    assert next(stream).number == 1
    assert seen == ["a", "b"]


def lists(levels: int) -> str:
    """A list inside a list, so many levels deep."""
    return "[" * levels + "]" * levels


def test_brackets_count_only_where_they_nest() -> None:
    flat = f'{{"text": "{"[{" * 300}\\"[", "cards": [{", ".join(["[]"] * 300)}]}}'
    assert parse_json(flat.encode())["text"].endswith('"[')
    assert parse_json(lists(MAX_JSON_DEPTH).encode())


def test_the_place_of_the_first_level_too_many_is_named() -> None:
    with pytest.raises(JsonTooDeep) as deep:
        parse_json(f'"æ",\n{lists(MAX_JSON_DEPTH + 1)}'.replace('"æ",', "  ").encode())
    assert (deep.value.lineno, deep.value.colno) == (2, MAX_JSON_DEPTH + 1)
    assert f"more than {MAX_JSON_DEPTH} levels" in str(deep.value)


@pytest.mark.parametrize("levels", [MAX_JSON_DEPTH, 250, 1000])
def test_a_line_or_a_ruleset_that_nests_too_deep_is_a_fault_of_its_own(levels: int) -> None:
    line = f'{{"type": "note_added", "text": {lists(levels)}}}'.encode()
    (log,) = read_json_lines_logs([b'{"type":"gap_noted"}\n', line], "deep.jsonl")
    assert isinstance(log, UnreadableLog)
    (problem,) = (one for one in log.problems if one.line == 2)
    assert (problem.column, problem.expected) == (31 + MAX_JSON_DEPTH, f"at most {MAX_JSON_DEPTH} levels")
    with pytest.raises(WireError, match=f"nest more than {MAX_JSON_DEPTH} levels"):
        parse_ruleset_file(line)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.just('},"[:\\'),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


def pointers_of(value: Any, pointer: str = "") -> list[tuple[str, Any]]:
    found = [(pointer, value)]
    members: Any = enumerate(value) if isinstance(value, list) else ()
    for key, member in value.items() if isinstance(value, dict) else members:
        found += pointers_of(member, f"{pointer}/{escape_pointer_token(key)}")
    return found


@given(JSON, st.booleans(), st.booleans())
def test_at_its_column_the_value_can_be_read(value: Any, ascii_only: bool, tight: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":") if tight else (" , ", " : "))
    wanted = pointers_of(value)
    found = find_pointer_columns(text, [pointer for pointer, _ in wanted])
    for pointer, member in wanted:
        read, _ = json.JSONDecoder().raw_decode(text, found[pointer].value - 1)
        assert read == member
        if pointer and text[found[pointer].name - 1] == '"' and found[pointer].name != found[pointer].value:
            name, _ = json.JSONDecoder().raw_decode(text, found[pointer].name - 1)
            assert escape_pointer_token(name) == pointer.rpartition("/")[2]


def test_what_is_not_there_is_looked_for_around_it() -> None:
    columns = find_pointer_columns('{"a": {"b": 1}}', ["/a/c/d"])
    assert find_nearest_column(columns, "/a/c/d") == 7
    assert find_nearest_column(columns, "/z") == 1
    assert find_nearest_column({}, "/z", at_name=True) == 1


def test_a_line_is_too_long_by_one_byte() -> None:
    longest = b"a" * MAX_LINE_BYTES
    data = b"\n".join([longest, longest + b"a", b"b", longest + b"a", longest])
    for size in (len(data), CHUNK_BYTES):
        stream = [data[at : at + size] for at in range(0, len(data), size)]
        assert list(iterate_lines(stream)) == [
            (longest, True), (None, True), (b"b", True), (None, True), (longest, False),
        ]  # fmt: skip
    assert list(iterate_lines([b"a" * (MAX_LINE_BYTES + 1)])) == [(None, False)]


def test_a_pipe_is_not_waited_for() -> None:
    parts = [b'{"a":', b"1}\n{", b"}\n"]

    class Pipe(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            part = parts.pop(0) if parts else b""
            buffer[: len(part)] = part
            return len(part)

    stream = iterate_lines(io.BufferedReader(Pipe()))
    assert next(stream) == (b'{"a":1}', True)
    assert parts == [b"}\n"]

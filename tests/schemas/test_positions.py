"""Columns of values in a line, and lines of a stream."""

import io
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from schemas.wire.faults import escaped
from schemas.wire.lines import CHUNK, LONGEST, lines_of
from schemas.wire.positions import columns_of, nearest_column

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.just('},"[:\\'),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


def pointers_of(value: Any, pointer: str = "") -> list[tuple[str, Any]]:
    found = [(pointer, value)]
    members: Any = enumerate(value) if isinstance(value, list) else ()
    for key, member in value.items() if isinstance(value, dict) else members:
        found += pointers_of(member, f"{pointer}/{escaped(key)}")
    return found


@given(JSON, st.booleans(), st.booleans())
def test_at_its_column_the_value_can_be_read(value: Any, ascii_only: bool, tight: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, separators=(",", ":") if tight else (" , ", " : "))
    wanted = pointers_of(value)
    found = columns_of(text, [pointer for pointer, _ in wanted])
    for pointer, member in wanted:
        read, _ = json.JSONDecoder().raw_decode(text, found[pointer].value - 1)
        assert read == member
        if pointer and text[found[pointer].name - 1] == '"' and found[pointer].name != found[pointer].value:
            name, _ = json.JSONDecoder().raw_decode(text, found[pointer].name - 1)
            assert escaped(name) == pointer.rpartition("/")[2]


def test_what_is_not_there_is_looked_for_around_it() -> None:
    text = '{"a": {"b": 1}}'
    columns = columns_of(text, ["/a/c/d"])
    assert nearest_column(columns, "/a/c/d") == 7
    assert nearest_column(columns, "/z") == 1
    assert nearest_column({}, "/z", of_name=True) == 1


def test_a_line_is_too_long_by_one_byte() -> None:
    for pieces in (1, 3):
        longest = b"a" * LONGEST
        data = b"\n".join([longest, longest + b"a", b"b", longest + b"a", longest])
        stream = [data] if pieces == 1 else [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)]
        assert list(lines_of(stream)) == [
            (longest, True), (None, True), (b"b", True), (None, True), (longest, False),
        ]  # fmt: skip
    assert list(lines_of([b"a" * (LONGEST + 1)])) == [(None, False)]


def test_a_pipe_is_not_waited_for() -> None:
    parts = [b'{"a":', b"1}\n{", b"}\n"]

    class Pipe(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            part = parts.pop(0) if parts else b""
            buffer[: len(part)] = part
            return len(part)

    lines = lines_of(io.BufferedReader(Pipe()))
    assert next(lines) == (b'{"a":1}', True)
    assert parts == [b"}\n"]

"""A file cut into pieces: what is read of them is what is read of the whole, wherever the cuts fall."""

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import notation
from schemas.logs import log_file
from schemas.logs.log_file import FilePiece, StreamedPiece, read_log_file, split_into_pieces
from schemas.wire import jsonlines, line_reader
from schemas.wire.jsonlines import NO_PROGRESS, ParsedLog, ReadProgress, UnreadableLog
from tests.support.effort import examples
from tests.support.schemas.jsonlines import GAP, OPENED, RUBBISH, TABLE

ESCAPED = OPENED.replace(b"deal_opened", b"deal\\u005fopened")
NESTED = b'{"type":"correction_made","reason":"deal_opened","with":[' + OPENED + b"]}"
FRAGMENTS = [
    OPENED, OPENED, TABLE, GAP, GAP, ESCAPED, NESTED, RUBBISH[:-1], b"", b"  \t", b"[", b"{",
    OPENED[:-1], OPENED + b"\r", codecs.BOM_UTF8 + OPENED, codecs.BOM_UTF8 + GAP, b'["deal_opened"]',
    b'{"type":"note_added","text":"\\"type\\":\\"deal_opened\\""}', b'{"type":["deal_opened"]}',
    b'{"type":"deal_opened","type":"gap_noted"}', b'{"type":"card_played","seat":"forehand","card":"S8"}',
    b'{"type":"gap_noted","seq":7}', b"\xff\xfe_opened", b"x" * 300 + b"_opened",
]  # fmt: skip

Read = list[ParsedLog | UnreadableLog]


def whole(data: bytes) -> Read:
    return list(read_log_file(io.BytesIO(data), "evening.jsonl"))


def by_pieces(data: bytes, size: int) -> tuple[Read, list[FilePiece | StreamedPiece]]:
    """The logs of each piece, read with nothing known of the others but what has passed."""
    read: Read = []
    passed = NO_PROGRESS
    cut: list[FilePiece | StreamedPiece] = []
    for piece in split_into_pieces(io.BytesIO(data), size):
        cut.append(piece)
        chunks = list(piece.chunks())
        read += (found := list(read_log_file(iter(chunks), "evening.jsonl", passed)))
        passed = ReadProgress(
            found[-1].number if found else passed.log_count,
            passed.line_count + b"".join(chunks).count(b"\n"),
            passed.listed_count + sum(len(log.problems) for log in found),
        )
    return read, cut


@contextmanager
def small() -> Iterator[None]:
    """Chunks, lines and pieces so small that short files have many."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (line_reader, jsonlines, notation.notation_reader):
            patch.setattr(module, "MAX_LINE_BYTES", 250)
        for module in (line_reader, log_file):
            patch.setattr(module, "CHUNK_BYTES", 40)
        patch.setattr(log_file, "MAX_UNCUT_BYTES", 900)
        yield


def test_what_cannot_be_cut_is_never_held_whole() -> None:
    data = OPENED + b"\n" + RUBBISH * 1_000 + OPENED + b"\n" + GAP + b"\n"
    with small():
        longest = 0
        for piece in split_into_pieces(io.BytesIO(data), 300):
            longest = max(longest, *map(len, piece.chunks()))
        read, cut = by_pieces(data, 300)
    assert longest <= 940
    assert any(isinstance(piece, StreamedPiece) for piece in cut)
    assert [type(log) for log in read] == [UnreadableLog, ParsedLog]


def test_a_file_in_utf_16_is_not_cut() -> None:
    data = codecs.BOM_UTF16_LE + b"x\n" + (OPENED + b"\n") * 50
    with small():
        (piece,) = split_into_pieces(io.BytesIO(data), 100)
        assert isinstance(piece, StreamedPiece)
        (log,) = read_log_file(piece.chunks(), "evening.jsonl")
    assert isinstance(log, UnreadableLog) and "UTF-16" in log.problems[0].message


def test_a_file_that_breaks_off_says_so_in_its_last_piece() -> None:
    def broken() -> Iterator[bytes]:
        yield (OPENED + b"\n") * 4
        raise OSError(5, "Input/output error")

    *pieces_before, last = split_into_pieces(broken(), 100)
    assert pieces_before
    assert isinstance(last, FilePiece) and last.error is not None
    with pytest.raises(OSError):
        list(last.chunks())


WRITTEN = [
    b"Deal: One", b"Deal:", b"Giv: To", b"DEAL : x", b"Evening: Club", b"aften:", "g\u0130v: x".encode(),
    codecs.BOM_UTF8 + b"Deal: Marked", b"Deal:\r", b"  Deal: indented", b"Dealer: F", b"Ideal: x",
    b"{ Deal: x", b"Rules: dlu", b"Forehand: Anna", b"Middlehand: Bo", b"Backhand: Carl", b"  and more",
    b"F passes; M passes", b"B passes", b"1. F SJ  M S6  B S7", b"Gap", b"{ a note that", b"  goes on }",
    b"", b"  \t", b"rubbish (",
    b'{"type":"deal_opened","ruleset":"dlu","players":{}}', b"\xff\xfe", b"x\0y", b"x" * 300 + b" Deal:",
]  # fmt: skip

BEFORE = [b"", b"\n" * 90, b" \n\xef\xbb\xbf", b"Deal: First\n", b"\n"]
JSON_LINES = st.tuples(st.just(b""), st.lists(st.sampled_from(FRAGMENTS), max_size=40))
NOTATION = st.tuples(st.sampled_from(BEFORE), st.lists(st.sampled_from(WRITTEN), max_size=40))


@settings(max_examples=examples(800))
@given(JSON_LINES | NOTATION, st.integers(1, 700), st.booleans())
def test_what_is_read_of_the_pieces_is_what_is_read_of_the_whole(
    text: tuple[bytes, list[bytes]], size: int, ended: bool
) -> None:
    before, parts = text
    data = before + b"\n".join(parts) + b"\n" * ended
    with small():
        assert by_pieces(data, size)[0] == whole(data)

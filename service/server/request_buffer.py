"""A request as it comes in, piece by piece, until there is all of it.

A server that gives a request a thread as soon as it begins lets whoever sends the rest slowly, or never, hold
that thread. So a request is gathered first. What is found here of its length is no verdict: the server reads
the same bytes again, by its own rules, and finds no more than these. What looks odd is not waited for any
further, and is the server's to refuse.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Final

HEAD_BYTES: Final = 32 << 10
"""A head of more is refused, as most servers do."""
BODY_METHODS: Final = frozenset({"POST", "PUT", "PATCH"})
SMALL_BODY: Final = 4 << 10
"""A body of more is refused where the method gives it no meaning: its answer may be one without end, and
nobody reads the body until then."""
CHUNK_LINE: Final = 1024
SLACK_BYTES: Final = 64 << 10
"""So much may the framing of a chunked body take, and an eighth of what it carries."""
END: Final = b"\r\n\r\n"

_lengths: Final = re.compile(rb"\r\ncontent-length:[ \t]*([^\r\n]*)", re.I).findall
_codings: Final = re.compile(rb"\r\ntransfer-encoding:[ \t]*([^\r\n]*)", re.I).findall
_expects: Final = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.I).search
_forwarded: Final = re.compile(rb"\r\nx-forwarded-for:[ \t]*([^\r\n]*)", re.I).findall
_method: Final = re.compile(rb"\s*([!-~]+) ").match
_bare: Final = re.compile(rb"(?<!\r)\n").search
_size: Final = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?", re.S).fullmatch


def most_of(method: str, most: int) -> int:
    """How many bytes the body of such a request may have, where one that has a meaning may have ``most``."""
    return most if method in BODY_METHODS else min(most, SMALL_BODY)


class Arrival:
    """What has come of a request whose body may have ``most`` bytes.

    ``most`` is less from when it shows that its method takes no body. ``complete`` is whether it can be
    answered, ``whole`` whether nothing of it is still to come. ``refused`` is the status of one that is too
    long to be waited for.
    """

    def __init__(self, most: int) -> None:
        self.held = bytearray()
        self.complete = False
        self.whole = True
        self.refused: HTTPStatus | None = None
        self.most = most
        self._head_end = 0
        self._searched = 0
        self._body_end: int | None = None
        self._chunk_at = 0
        self._carried = 0
        self._trailers_searched = 0
        self._expects = False
        self._told: list[bytes] | None = None

    @property
    def begun(self) -> bool:
        """Whether anything has come."""
        return bool(self.held)

    @property
    def body_bytes(self) -> int | None:
        """How much has come behind the head; None where the head has no end yet."""
        return len(self.held) - self._head_end if self._head_end else None

    @property
    def waits_for_leave(self) -> bool:
        """Whether its sender waits to be told that he may send the body."""
        return self._expects and not self.complete

    def forwarded_for(self, proxies: int) -> str:
        """The address for which the farthest of so many proxies asks; empty where none is told."""
        if self._told is None and self._head_end:
            self._told = b",".join(_forwarded(self._head())).split(b",")
        told = self._told or []
        return told[-proxies].strip().decode("latin-1") if len(told) >= proxies > 0 else ""

    def take(self, data: bytes) -> None:
        """Take what has come next."""
        self.held += data
        if not self._head_end and not self._found_head():
            return
        if self._body_end is not None:
            self.complete = len(self.held) >= self._body_end
        elif not self.complete and self.refused is None:
            self._walk_chunks()

    def break_off(self) -> None:
        """Nothing more is waited for: what there is has to do."""
        self.complete, self.whole = True, False

    def _head(self) -> bytes:
        return bytes(self.held[: max(0, self._head_end - 2)])

    def _found_head(self) -> bool:
        """Whether there is all of the head; then it is looked how long the body is."""
        searched, self._searched = self._searched, len(self.held)
        end = self.held.find(END, max(0, searched - 3), HEAD_BYTES)
        if end >= 0:
            self._head_end = end + len(END)
            self._frame()
        elif _bare(self.held, searched):
            self.break_off()  # lines that end so never end a head
        elif len(self.held) >= HEAD_BYTES:
            in_line = self.held.find(b"\r\n", 2) < 0
            self.refused = (
                HTTPStatus.REQUEST_URI_TOO_LONG if in_line else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            )
        return end >= 0

    def _frame(self) -> None:
        head = self._head()
        method = _method(head)
        self.most = most_of(method[1].decode("ascii") if method else "", self.most)
        lengths, codings = _lengths(head), _codings(head)
        self._expects = b" HTTP/1.1\r\n" in head and _expects(head) is not None
        if not lengths and not codings:
            self._body_end = self._head_end
        elif not codings and len(lengths) == 1 and re.fullmatch(rb"[0-9]{1,18}[ \t]*", lengths[0]):
            if int(lengths[0]) <= self.most:
                self._body_end = self._head_end + int(lengths[0])
            else:
                self._refuse_body()
        elif not lengths and [coding.strip().lower() for coding in codings] == [b"chunked"]:
            self._chunk_at = self._head_end
        else:
            self.break_off()

    def _refuse_body(self) -> None:
        self.refused = HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def _walk_chunks(self) -> None:
        """Goes on to the last chunk, as far as there are any."""
        while not self.complete and self._chunk_at <= len(self.held):
            end = self.held.find(b"\r\n", self._chunk_at, self._chunk_at + CHUNK_LINE)
            if end < 0:
                if len(self.held) - self._chunk_at >= CHUNK_LINE:
                    self.break_off()
                return
            size = _size(self.held, self._chunk_at, end)
            if size is None:
                self.break_off()
            elif length := int(size[1], 16):
                self._carried += length
                self._chunk_at = end + 2 + length + 2
                if self._carried > self.most:
                    self._refuse_body()
                    return
                if self._chunk_at - self._head_end > self._carried + self._carried // 8 + SLACK_BYTES:
                    self.break_off()
            else:
                self._find_end_of_trailers(end)
                return

    def _find_end_of_trailers(self, last: int) -> None:
        searched, self._trailers_searched = self._trailers_searched, len(self.held)
        if self.held.find(END, max(last, searched - 3)) >= 0:
            self.complete = True
        elif len(self.held) - last >= HEAD_BYTES:
            self.break_off()

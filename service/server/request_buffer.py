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

MAX_HEAD_BYTES: Final = 32 << 10
"""A head of more is refused, as most servers do."""
METHODS_WITH_BODY: Final = frozenset({"POST", "PUT", "PATCH"})
MAX_UNUSED_BODY_BYTES: Final = 4 << 10
"""A body of more is refused where the method gives it no meaning: its answer may be one without end, and
nobody reads the body until then."""
MAX_CHUNK_LINE_BYTES: Final = 1024
MAX_CHUNK_FRAMING_BYTES: Final = 64 << 10
"""So much may the framing of a chunked body take, and an eighth of what it carries."""
HEAD_END: Final = b"\r\n\r\n"

_find_content_lengths: Final = re.compile(rb"\r\ncontent-length:[ \t]*([^\r\n]*)", re.I).findall
_find_transfer_codings: Final = re.compile(rb"\r\ntransfer-encoding:[ \t]*([^\r\n]*)", re.I).findall
_search_expect_continue: Final = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.I).search
_find_forwarded_for: Final = re.compile(rb"\r\nx-forwarded-for:[ \t]*([^\r\n]*)", re.I).findall
_match_method: Final = re.compile(rb"\s*([!-~]+) ").match
_search_bare_line_feed: Final = re.compile(rb"(?<!\r)\n").search
_match_chunk_size: Final = re.compile(rb"([0-9a-fA-F]{1,8})[ \t]*(?:;.*)?", re.S).fullmatch


def max_body_bytes(method: str, max_bytes: int) -> int:
    """How many bytes the body of such a request may have, ``max_bytes`` being for one that has a meaning."""
    return max_bytes if method in METHODS_WITH_BODY else min(max_bytes, MAX_UNUSED_BODY_BYTES)


class RequestBuffer:
    """What has come of a request whose body may have ``body_limit`` bytes.

    ``body_limit`` is less from when it shows that its method takes no body. ``is_ready`` is whether it can be
    answered, ``is_whole`` whether nothing of it is still to come. ``refusal_status`` is the status of one
    that is too long to be waited for.
    """

    def __init__(self, body_limit: int) -> None:
        self.data = bytearray()
        self.is_ready = False
        self.is_whole = True
        self.refusal_status: HTTPStatus | None = None
        self.body_limit = body_limit
        self._head_end = 0
        self._searched = 0
        self._body_end: int | None = None
        self._next_chunk_start = 0
        self._chunk_data_bytes = 0
        self._trailers_searched = 0
        self._has_expect_header = False
        self._forwarded_addresses: list[bytes] | None = None

    @property
    def has_data(self) -> bool:
        """Whether anything has come."""
        return bool(self.data)

    @property
    def received_body_bytes(self) -> int | None:
        """How much has come behind the head; None where the head has no end yet."""
        return len(self.data) - self._head_end if self._head_end else None

    @property
    def expects_continue(self) -> bool:
        """Whether its sender waits to be told that he may send the body."""
        return self._has_expect_header and not self.is_ready

    def forwarded_address(self, proxy_count: int) -> str:
        """The address for which the farthest of so many proxies asks; empty where none is told."""
        if self._forwarded_addresses is None and self._head_end:
            self._forwarded_addresses = b",".join(_find_forwarded_for(self._head())).split(b",")
        addresses = self._forwarded_addresses or []
        return addresses[-proxy_count].strip().decode("latin-1") if len(addresses) >= proxy_count > 0 else ""

    def receive(self, data: bytes) -> None:
        """Take what has come next."""
        self.data += data
        if not self._head_end and not self._find_head_end():
            return
        if self._body_end is not None:
            self.is_ready = len(self.data) >= self._body_end
        elif not self.is_ready and self.refusal_status is None:
            self._parse_chunks()

    def truncate(self) -> None:
        """Nothing more is waited for: what there is has to do."""
        self.is_ready, self.is_whole = True, False

    def _head(self) -> bytes:
        return bytes(self.data[: max(0, self._head_end - 2)])

    def _find_head_end(self) -> bool:
        """Whether there is all of the head; then it is looked how long the body is."""
        searched, self._searched = self._searched, len(self.data)
        end = self.data.find(HEAD_END, max(0, searched - 3), MAX_HEAD_BYTES)
        if end >= 0:
            self._head_end = end + len(HEAD_END)
            self._parse_framing()
        elif _search_bare_line_feed(self.data, searched):
            self.truncate()  # lines that end so never end a head
        elif len(self.data) >= MAX_HEAD_BYTES:
            in_line = self.data.find(b"\r\n", 2) < 0
            self.refusal_status = (
                HTTPStatus.REQUEST_URI_TOO_LONG if in_line else HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE
            )
        return end >= 0

    def _parse_framing(self) -> None:
        head = self._head()
        method = _match_method(head)
        self.body_limit = max_body_bytes(method[1].decode("ascii") if method else "", self.body_limit)
        lengths, codings = _find_content_lengths(head), _find_transfer_codings(head)
        self._has_expect_header = b" HTTP/1.1\r\n" in head and _search_expect_continue(head) is not None
        if not lengths and not codings:
            self._body_end = self._head_end
        elif not codings and len(lengths) == 1 and re.fullmatch(rb"[0-9]{1,18}[ \t]*", lengths[0]):
            if int(lengths[0]) <= self.body_limit:
                self._body_end = self._head_end + int(lengths[0])
            else:
                self._refuse_body()
        elif not lengths and [coding.strip().lower() for coding in codings] == [b"chunked"]:
            self._next_chunk_start = self._head_end
        else:
            self.truncate()

    def _refuse_body(self) -> None:
        self.refusal_status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE

    def _parse_chunks(self) -> None:
        """Goes on to the last chunk, as far as there are any."""
        while not self.is_ready and self._next_chunk_start <= len(self.data):
            end = self.data.find(
                b"\r\n", self._next_chunk_start, self._next_chunk_start + MAX_CHUNK_LINE_BYTES
            )
            if end < 0:
                if len(self.data) - self._next_chunk_start >= MAX_CHUNK_LINE_BYTES:
                    self.truncate()
                return
            size = _match_chunk_size(self.data, self._next_chunk_start, end)
            if size is None:
                self.truncate()
            elif length := int(size[1], 16):
                self._chunk_data_bytes += length
                self._next_chunk_start = end + 2 + length + 2
                if self._chunk_data_bytes > self.body_limit:
                    self._refuse_body()
                    return
                if (
                    self._next_chunk_start - self._head_end
                    > self._chunk_data_bytes + self._chunk_data_bytes // 8 + MAX_CHUNK_FRAMING_BYTES
                ):
                    self.truncate()
            else:
                self._find_end_of_trailers(end)
                return

    def _find_end_of_trailers(self, last: int) -> None:
        searched, self._trailers_searched = self._trailers_searched, len(self.data)
        if self.data.find(HEAD_END, max(last, searched - 3)) >= 0:
            self.is_ready = True
        elif len(self.data) - last >= MAX_HEAD_BYTES:
            self.truncate()

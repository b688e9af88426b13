"""Entity tags, and the headers by which clients name them.

A tag begins with the record's version, which is what `If-Match` names. The log as it is stored has only that,
`"17"`. Every other answer about the record adds its form, or a hash of the other things it depends on:
`"17-jsonl"`, `"17-5f2a9c01d3e4"`. So answers that differ in a byte never share a tag.
"""

import re
import secrets
from hashlib import sha256
from typing import Final, NamedTuple

from flask import request

from engine import Viewer
from service.http.current_request import current_request
from service.http.problems import Problem

PROCESS_GENERATION: Final = secrets.token_hex(8)
"""Part of the tags of computed answers: another version of this program may compute others."""
HASH_LENGTH: Final = 12

VERSION_HINT: Final = 'Send If-Match with the version you have seen, such as "17".'
IF_MATCH_PATTERN: Final = r'^\s*(\*|(W/)?"[!#-~]*"(\s*,\s*(W/)?"[!#-~]*")*)\s*$'
"""The form of ``If-Match``: ``*``, or entity tags with commas between."""
_is_if_match: Final = re.compile(IF_MATCH_PATTERN).match
_strong_versions: Final = re.compile(r'(?<!W/)"([0-9]{1,10})(?:-[!#-~]*)?"').findall
"""The versions that strong tags begin with; what follows a hyphen names a form of the record."""


def build_etag(version: int, *parts: str, depends_on: tuple[object, ...] = ()) -> str:
    """The tag of a record at ``version``, in the form ``parts``, with a hash of what it ``depends_on``."""
    hashes = [sha256(repr(depends_on).encode()).hexdigest()[:HASH_LENGTH]] if depends_on else []
    return "-".join((str(version), *parts, *hashes))


def viewer_etag_parts(viewer: Viewer) -> tuple[object, ...]:
    """What a tag depends on for a viewer; nothing for a viewer who sees everything."""
    return () if viewer.sees_everything else (sorted(viewer.seats), sorted(viewer.own_names))


def matches_if_none_match(etag: str) -> bool:
    """Whether the client names this tag as what it has; ``*`` names none."""
    client_etags = request.if_none_match
    return not client_etags.star_tag and client_etags.contains_weak(etag)


class IfMatch(NamedTuple):
    """The header ``If-Match``: ``*``, or versions (not necessarily of the record)."""

    is_any: bool
    versions: tuple[int, ...] = ()


def read_if_match() -> IfMatch:
    """The header ``If-Match``. Raises the problem of one that is missing or cannot be read."""
    value = current_request().headers.get("If-Match")
    if value is None:
        raise Problem("version-required", f"The request has no If-Match. {VERSION_HINT}")
    if not _is_if_match(value):
        raise Problem(
            "malformed-header",
            'If-Match cannot be read: write the version you know in quotes, such as "17", or *.',
        )
    return IfMatch(value.strip() == "*", tuple(map(int, _strong_versions(value))))

"""Entity tags: what a client says that it has of a record, so that it is not sent twice.

Each begins with the record's version, which is what `If-Match` asks for. A log just as it is stored has
nothing behind it, `"17"`; whatever else is made of the record has its form, or a hash of all that it depends
on beside the version: `"17-jsonl"`, `"17-5f2a9c01d3e4"`. So no two answers share a tag that differ in a byte.
"""

import secrets
from hashlib import sha256
from typing import Final

from flask import request

from engine import Viewer

PROCESS_GENERATION: Final = secrets.token_hex(8)
"""Of what is computed: another version of this program may come to something else of the same record."""
HASH_LENGTH: Final = 12


def build_etag(version: int, *parts: str, depends_on: tuple[object, ...] = ()) -> str:
    """The tag of a record at ``version``, in the form ``parts``, with a hash of what it ``depends_on``."""
    hashes = [sha256(repr(depends_on).encode()).hexdigest()[:HASH_LENGTH]] if depends_on else []
    return "-".join((str(version), *parts, *hashes))


def viewer_etag_parts(viewer: Viewer) -> tuple[object, ...]:
    """What a tag depends on for a viewer: nothing, for one who may know everything."""
    return () if viewer.sees_everything else (sorted(viewer.seats), sorted(viewer.own_names))


def matches_if_none_match(etag: str) -> bool:
    """Whether the client says that he has just that; by ``*`` he does not say what he has."""
    client_etags = request.if_none_match
    return not client_etags.star_tag and client_etags.contains_weak(etag)

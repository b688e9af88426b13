"""The law: asking two worlds that differ only in what one may not know, one is answered alike.

To the byte, headers and the log's lines among them, but for what is random: salts, hashes over them,
signatures. Of those it is held that they are salted, and that no salt of a hidden event is told.
"""

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Collection
from hashlib import sha256
from typing import Any, Final, NamedTuple

from tests.support.api.recording import DEAL, TABLE
from tests.system.secrets.deals import Json
from tests.system.secrets.disclosure import cards_of, codes_in
from tests.system.secrets.questions import Question
from tests.system.secrets.worlds import ALL, API, OTHER, READERS, Pair, Told, as_text, salts_of

RANDOM: Final = re.compile(r"/checkpoint")
"""Whose answers are signatures and hashes."""
REPORTED: Final = re.compile(r"^/deals/[^/]+/report")
"""Whose answers have a signature and hashes in them, each an element of its own."""
LIKELY: Final = ("misprint_likely", "entry_missing")
AUDITED: Final = re.compile(r"/audit(\?|$)")
SUPPOSED: Final = re.compile(r"/(evidence|odds|hidden-cards)(\?|$)")
"""Whose answers name cards that may have been there."""
PROPOSED: Final = re.compile(
    r'<section class="report-(misprints|unseen|matter[^"]* is-mistake)".*?</section>', re.DOTALL
)
"""Where such an answer proposes corrections, or says what hidden cards can be."""
FILED: Final = re.compile(r"^/deals/[^/]+/file")
"""Whose answers hold the page's scripts, styles, texts and cards too."""
_PROGRAM: Final = re.compile(r"<(style|script)\b(?![^>]*deal)[^>]*>.*?</\1>|<symbol.*?</symbol>", re.DOTALL)
_HASHES: Final = re.compile(rb"(<(code|pre)>).*?(</\2>)", re.DOTALL)
COUNTED: Final = ("/metrics", "/readyz", "/healthz")
"""What is counted or measured, and differs from one moment to the next."""
LOG_OF_A_DEAL: Final = re.compile(r"/api/v1/(deals|tables)|^/deals")


class Leak(AssertionError):
    """Somebody could tell two worlds apart; the message says where, and how to try it again."""


class Case(NamedTuple):
    """Two worlds as they stand for one who asks, and how to come back here."""

    worlds: Pair
    who: str
    unseen: frozenset[str]
    log: list[Json]
    seats: Collection[str]
    name: str


def hold(case: Case, question: Question) -> None:
    """Holds one question to the law. Raises `Leak`."""
    one, other = (case.worlds.told(world, case.who, *question[1:]) for world in case.worlds[:2])
    where = f"{case.name}: {question.method} {question.path} {as_text(question.sent)}"
    require(one.status < 500, where, f"status {one.status}: {one.body[:300]!r}")
    require(one.logged == other.logged, where, f"logged {one.logged} and {other.logged}")
    require(not codes_in("".join(one.logged)), where, f"logged {one.logged}")
    if question.path.startswith(COUNTED):
        named = [name for name in (DEAL, OTHER, TABLE) if name.encode() in one.body]
        require(not named and not codes_in(one.body.decode()), where, f"counted by {named or 'cards'}")
    else:
        require_alike(steady(one, question.path), steady(other, question.path), where)
    if LOG_OF_A_DEAL.search(question.path):
        if OTHER not in question.path or READERS[case.who].seats(OTHER, case.log) is not ALL:
            require_kept_by_nobody(one, where)
        # A picture is no text: two bytes of it may look like a card.
        if "png" not in one.header("Content-Type") and "commitment" not in question.path:
            shown = steady(one, question.path) if REPORTED.search(question.path) else one
            text = without_proposals(shown.body.decode(), question.path)
            sent = codes_in(json.dumps(question.sent)) if one.status < 300 else set()
            betrayed = set() if SUPPOSED.search(question.path) else (codes_in(text) - sent) & case.unseen
            require(not betrayed or "/proof" in question.path, where, f"tells of {betrayed}")
            require_no_salt(case, text, where)


def without_proposals(text: str, path: str) -> str:
    """An answer without what may have been there: that this is alike in both worlds is held already."""
    if AUDITED.search(path) and text.startswith("{"):
        return json.dumps(_without(json.loads(text)))
    if FILED.search(path):
        return _PROGRAM.sub("", text)
    return PROPOSED.sub("", text) if REPORTED.search(path) else text


def _without(told: Any) -> Any:
    if isinstance(told, list):
        return [_without(one) for one in told if not (isinstance(one, dict) and one.get("code") in LIKELY)]
    if isinstance(told, dict):
        proposals = ["misprints", "corrections", "put_right"]
        if "findings" in told:
            proposals.append("state")  # of a matter, as it is after a proposal
        return {name: _without(one) for name, one in told.items() if name not in proposals}
    return told


def require(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise Leak(f"{where}\n{what}")


def require_alike(one: Told, other: Told, where: str) -> None:
    require(one.status == other.status, where, f"status {one.status} and {other.status}")
    require(one.headers == other.headers, where, f"{set(one.headers) ^ set(other.headers)}")
    if one.body != other.body:
        pairs = zip(one.body, other.body, strict=False)
        place = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(one.body), len(other.body)))
        at = slice(max(0, place - 60), place + 60)
        require(False, where, f"at byte {place}: {one.body[at]!r} and {other.body[at]!r}")


def require_kept_by_nobody(told: Told, where: str) -> None:
    """Raises `Leak` where a cache may keep what was cut, or answer another with it."""
    cache, vary = told.header("Cache-Control"), told.header("Vary").lower()
    require("no-store" in cache, where, f"Cache-Control: {cache}")
    require(told.status != 304, where, "304: it was said that he had it already")
    if told.status < 400:
        require("authorization" in vary and "cookie" in vary, where, f"Vary: {vary}")


def require_no_salt(case: Case, text: str, where: str) -> None:
    """Raises `Leak` where the salt of an event is told that is not shown as it is stored."""
    for seq, salt in salts_of(case.worlds.one, DEAL).items():
        if any(form in text for form in (b64encode(salt).decode(), salt.hex(), salt.hex().upper())):
            shown = seq > len(case.log) or not _hides_something(case, seq)
            require(shown and "/proof" in where, where, f"the salt of entry {seq} is told")


def _hides_something(case: Case, seq: int) -> bool:
    parts = (case.log[seq - 1], *case.log[seq - 1].get("with", ()))
    return any(card in case.unseen for part in parts for card in cards_of(part))


def steady(told: Told, path: str) -> Told:
    if RANDOM.search(path):
        lines = b"\n".join(b"?" * (line != b"") for line in told.body.splitlines())
        return told._replace(body=lines, headers=_but_length(told))
    if REPORTED.search(path):
        return told._replace(body=_HASHES.sub(rb"\1\3", told.body), headers=_but_length(told))
    if "/proof" in path and told.status == 200 and told.body:
        return told._replace(body=_proof_without_hashes(told.body), headers=_but_length(told))
    return told


def _but_length(told: Told) -> tuple[tuple[str, str], ...]:
    return tuple(one for one in told.headers if one[0] not in ("Content-Length", "ETag"))


def _proof_without_hashes(body: bytes) -> bytes:
    """A proof with all random things out: whether a salt is told stays, and what it opens."""
    proof = json.loads(body)
    del proof["checkpoint"]
    proof["hashes"] = len(proof["hashes"])
    for stream in proof["streams"]:
        for event in stream["events"]:
            for name in ("salt", "commitment"):
                if name in event:
                    event[name] = len(b64decode(event[name]))
    return json.dumps(proof).encode()


def hold_proof(case: Case) -> None:
    """Holds the proof that he is given to what he may know; what it hides is salted. Raises `Leak`."""
    for viewer in ("", "?viewer=public"):
        told = case.worlds.told(case.worlds.one, case.who, "GET", f"{API}/deals/{DEAL}/proof{viewer}", {})
        if told.status != 200:
            continue
        (stream,) = json.loads(told.body)["streams"]
        bodies = {event.seq: event.body for event in case.worlds.one.store.read_stream(DEAL)}
        salts = salts_of(case.worlds.one, DEAL)
        require(len(set(salts.values())) == len(salts), case.name, "two events have the same salt")
        for event in stream["events"]:
            where = f"{case.name}: proof of entry {event['seq']}"
            require(("salt" in event) == ("body" in event) != ("commitment" in event), where, as_text(event))
            require(not codes_in(event.get("body", "")) & case.unseen, where, as_text(event))
            if "commitment" in event:
                committed, body = b64decode(event["commitment"]), bodies[event["seq"]]
                require(committed == sha256(salts[event["seq"]] + body).digest(), where, "not its salt's")
                require(committed != sha256(body).digest(), where, "not salted")

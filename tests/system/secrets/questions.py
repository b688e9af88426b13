"""What may be asked of a record: every route that reads, in every way; and what somebody may try to write."""

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

from flask import Flask

from tests.support.api.recording import DEAL, TABLE
from tests.system.secrets.deals import PLAYERS, SEATS, Json
from tests.system.secrets.worlds import API, OTHER, WHAT_IF, id_of_entry

NOWHERE: Final = "018f5e2a-7b1c-7d3e-9f40-000000000000"
ACCEPTED: Final = (
    "application/json", "application/jsonl", "text/vnd.spadille.deal", "text/csv", "text/html",
    "image/svg+xml", "text/event-stream", "application/problem+json", "*/*",
)  # fmt: skip
PLACES: Final = {
    "deal": (DEAL, DEAL, DEAL, OTHER, WHAT_IF, WHAT_IF, NOWHERE),
    "table": (TABLE, TABLE, NOWHERE),
    "season": ("all", "all", "1999-00"),
    "other": (DEAL, OTHER, WHAT_IF, "belinda"),
}
OF_NO_RECORD: Final = ("name", "filename", "letters", "lang", "ruleset", "grant", "session", "member")
"""Parts of an address that lead to no record."""
SAME_FOR_ALL: Final = (f"{API}/openapi.json", "/api/docs", f"{API}/rulesets", f"{API}/replays")
"""Addresses of what is in the program itself, and long."""
PAINTED: Final = "/state.png"
"""Painting takes long: it is asked for seldom."""


class Question(NamedTuple):
    """A request: its route's template, method, address, and the rest."""

    rule: str
    method: str
    path: str
    sent: Json


def routes(app: Flask) -> list[tuple[str, list[str]]]:
    """The routes that read something that is recorded, or lists of it, with the parts of their addresses."""
    found = []
    for rule in app.url_map.iter_rules():
        other = set(rule.arguments) & set(OF_NO_RECORD) or rule.rule in SAME_FOR_ALL
        if "GET" in (rule.methods or ()) and not other:
            found.append((rule.rule, sorted(rule.arguments)))
    return sorted(found)


def readings(app: Flask, length: int, rng: random.Random, count: int) -> list[Question]:
    """So many questions at random; every route comes about equally often."""
    known = routes(app)
    asked: list[Question] = []
    while len(asked) < count:
        rule, parts = rng.choice(known)
        if rule.endswith(PAINTED) and rng.random() > 0.1:
            continue
        path = rule
        for part in parts:
            place = rng.choice(PLACES[part])
            path = path.replace(f"<stream:{part}>", place).replace(f"<{part}>", place)
        query = "&".join(rng.sample(queries(length, rng), rng.choice((0, 0, 1, 1, 2))))
        method = rng.choice(("GET", "GET", "GET", "HEAD"))
        address = f"{path}?{query}" if query else path
        asked.append(Question(rule, method, address, {"headers": headers(path, length, rng)}))
    return asked


def queries(length: int, rng: random.Random) -> list[str]:
    """Parameters, most of which most routes have."""
    at = rng.randint(1, length)
    return [
        f"at={at}", f"at={at}.1", f"at={length}", "at=999", f"known={rng.randint(1, length)}",
        f"known={length}", "viewer=public", "viewer=all", *(f"viewer={seat}" for seat in SEATS),
        f"after={at}", f"after={DEAL}", f"after={OTHER}", f"after={WHAT_IF}",
        "limit=3", "bookkeeping=all", "lang=en", "lang=da",
        f"table={TABLE}", "records=all", f"size={at}", "from=2", "theme=dark",
        "witness=lawful", f"of={at}", "deals=2",
    ]  # fmt: skip


def headers(path: str, length: int, rng: random.Random) -> Json:
    """Headers by which something may be told, or kept back."""
    some: list[Json] = [
        {},
        {},
        {"If-None-Match": f'"{length}"'},
        {"If-None-Match": f'W/"{rng.randint(1, length)}"'},
        {"If-None-Match": "*"},
        {"If-Modified-Since": "Fri, 20 Nov 2099 00:00:00 GMT"},
        {"Range": f"bytes=0-{rng.randint(0, 900)}"},
        {"If-Match": f'"{length}"', "If-Unmodified-Since": "Fri, 20 Nov 2020 00:00:00 GMT"},
        {"Accept": rng.choice(ACCEPTED)},
        {"Accept-Encoding": "gzip", "Accept-Language": "da"},
        {"X-Forwarded-For": "192.0.2.7", "Referer": "http://elsewhere.example/"},
    ]
    if path.endswith(("/live", "/events")):
        name = str(rng.randint(1, length))
        some += [{"Last-Event-ID": name, "Accept": "text/event-stream"}] * 2
        some += [{"Last-Event-ID": f"{rng.choice((DEAL, TABLE, OTHER))}:{name}"}] * 2
    return rng.choice(some)


def writings(log: list[Json], rng: random.Random) -> Iterator[Question]:
    """What somebody may try: what is recorded already, his own notes, what belongs to others."""
    length = len(log)
    here, there = f"{API}/deals/{DEAL}/events", f"{API}/tables/{TABLE}"
    version = {"headers": {"If-Match": f'"{length}"'}}
    for place in rng.sample(range(length), min(4, length)):
        # The very event that is there, under its id: would it be a repeat, or a conflict?
        again = {**log[place], "id": id_of_entry(DEAL, place) if place else DEAL}
        mode = rng.choice(("", "?mode=strict", "?mode=as_played"))
        yield Question(here, "POST", here + mode, {"json": again, **version})
        # The same to a deal that he may write into: ids are looked at in all of the table's logs.
        elsewhere = f"{API}/deals/{OTHER}/events"
        yield Question(elsewhere, "POST", elsewhere + mode, {"json": again, "headers": {"If-Match": "*"}})
        yield Question(elsewhere, "POST", elsewhere + mode, {"json": again, **version})
        taken = {"type": "note_added", "text": "Who has it?", "id": again["id"]}
        yield Question(here, "POST", here + mode, {"json": taken, "headers": {"If-Match": "*"}})
    for number in range(3):
        note = {"type": "note_added", "text": "Well played.", "id": id_of_entry(TABLE, number)}
        batch = rng.choice((note, [note], [note, {**note, "id": id_of_entry(TABLE, number + 10)}]))
        mode = rng.choice(("", "?mode=strict", "?mode=as_played"))
        yield Question(here, "POST", here + mode, {"json": batch, "headers": {"If-Match": "*"}})
        yield Question(here, "POST", f"{there}/events", {"json": note, "headers": {"If-Match": "*"}})
    closing = {"type": "deal_closed", "payments": {}, "engine": "0"}
    yield Question(here, "POST", here, {"json": closing, **version})
    yield Question(here, "POST", f"{there}/deals", {"json": {"players": PLAYERS}, **version})
    branch = {"type": "deal_opened", "ruleset": "dlu", "players": PLAYERS, "branch": {"deal": DEAL, "at": 3}}
    yield Question(here, "POST", f"{API}/deals", {"json": branch})
    yield Question(here, "POST", f"{API}/import", {"json": [branch]})
    yield Question(here, "POST", f"{API}/grants", {"json": {"role": "viewer", "deal": DEAL}})

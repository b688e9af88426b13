"""What every answer has to be, by the model."""

from __future__ import annotations

from typing import Any

import orjson

from engine import Log
from tests.system.clients import folding
from tests.system.clients.client import Client
from tests.system.clients.model import GIVE, ROLES, Grant, Json, Model, Outcome, Record
from tests.system.clients.writing import SEATS

PROBLEMS = {
    401: {"login-required", "invalid-token"},
    403: {"not-allowed"},
    404: {"unknown-deal", "unknown-table"},
    409: {"id-conflict"},
    412: {"stale-version"},
    422: {"wrong-stream", "invalid-event"},
    428: {"version-required"},
}


def check_problem(answer: Any, outcome: Outcome) -> None:
    """A refusal says why; of a version that has passed it says which one it is now."""
    told = answer.get_json()
    assert told["type"].removeprefix("/problems/") in PROBLEMS[outcome.status]
    if outcome.status == 412:
        assert told["version"] == outcome.version
        assert answer.headers["ETag"] == f'"{outcome.version}"'


def against_the_rules(answer: Any) -> None:
    """A refusal in strict mode names what the event breaks."""
    told = answer.get_json()
    if told["type"] != "/problems/wrong-stream":
        assert told["type"] == "/problems/against-the-rules"
        assert told["findings"]
        assert all(one["severity"] in ("impossible", "error") for one in told["findings"])


def _told(event: Json) -> Json:
    return {name: value for name, value in event.items() if value is not None}


def same_log(owner: Client, record: Record) -> None:
    """The record holds what the model has: numbered 1 to n, each event once, nothing else."""
    answer = owner.get(f"/{record.kind}s/{record.id}/events", {"Accept": "application/jsonl"})
    assert answer.status_code == 200, answer.get_data(as_text=True)
    told = [orjson.loads(line) for line in answer.data.splitlines()]
    assert [one["seq"] for one in told] == list(range(1, record.version + 1))
    assert len({one["id"] for one in told}) == len(told)
    for event, one in zip(record.events, told, strict=True):
        event.setdefault("stored_at", one["stored_at"])
        assert event == _told(one), (event, one)
    assert answer.headers["ETag"] == f'"{record.version}-jsonl"'


def appended(answer: Any, record: Record, outcome: Outcome, seats: folding.Seats, *, strict: bool) -> None:
    """What was sent is told as it is stored, with the version now and with what is found at it."""
    told = answer.get_json()
    assert told["version"] == outcome.version == record.version
    assert answer.headers["ETag"] == f'"{record.version}"'
    seqs = [place for event in outcome.events if (place := record.place_of(event["id"]))]
    assert [one["seq"] for one in told["events"]] == seqs
    assert [_told(one) for one in told["events"]] == [record.events[seq - 1] for seq in seqs]
    if record.kind == "deal" and not strict:
        expected = folding.found_at(folding.cut(record.events, seats), set(seqs))
        assert told["findings"] == expected, (seqs, seats, record.events)
    elif record.kind == "deal":
        assert all(int(str(one["seq"]).split(".")[0]) in seqs for one in told["findings"])


def check_started(
    owner: Client, table: Record, deal: Record, body: Json, due: Any, by: str
) -> tuple[Json, Json]:
    """The table's new entry and the deal's opening as stored, held to what was asked and what is due."""
    last = owner.get(f"/tables/{table.id}/events?after={table.version}").get_json()["events"]
    opened = owner.get(f"/deals/{deal.id}/events").get_json()["events"]
    assert (len(last), len(opened)) == (1, 1)
    noted, opening = _told(last[0]), _told(opened[0])
    assert (noted["type"], noted["deal"], noted["recorded_by"]) == ("deal_started", deal.id, by)
    assert (opening["table"], opening["number"]) == (table.id, noted["number"])
    assert opening == {**opening, **body, "recorded_by": by}
    if due is not None and "players" not in body:
        seating = due["seating"]
        assert opening["dealer"] == seating["dealer"]
        assert [opening["players"][seat] for seat in SEATS] == [seating[seat] for seat in SEATS]
        assert (opening.get("pool"), opening["number"]) == (due["pool"], due["number"])
    del noted["seq"], opening["seq"]
    return noted, opening


def check_reads(
    client: Client, record: Record, model: Model, at: int | None, known: int | None, viewer: str | None
) -> None:
    """Whatever is asked of a record is computed from the log as whoever asks may know it."""
    holder, own = client.holder, f"/{record.kind}s/{record.id}"
    status = model.access_status(holder, record.id, record.kind)
    if status is not None:
        assert [client.get(path).status_code for path in (own, f"{own}/events")] == [status] * 2
        return
    seats = model.seats(holder, record)
    knows_all = seats is None
    if viewer is not None:
        wanted = frozenset() if viewer == "public" else frozenset({viewer})
        if seats is not None and not wanted <= seats:
            assert client.get(f"{own}/events?viewer={viewer}").status_code == model.refused(holder)
            viewer = None
        else:
            seats = wanted
    asked = f"viewer={viewer}" if viewer else ""
    # As somebody else sees it, a player still reads notes of their own; a recorder does not.
    reads_own = viewer is None or (seats and not knows_all)
    log = folding.cut(record.events, seats, model.own(holder, record) if reads_own else frozenset())
    answer = client.get(f"{own}/events?{asked}")
    assert answer.get_json()["events"] == folding.as_told(log)
    whole = seats is None
    assert answer.headers["ETag"].partition("-")[0].strip('"') == str(record.version)
    assert (answer.headers["ETag"] == f'"{record.version}"') == whole
    assert (answer.headers["Cache-Control"] == "no-store") == (not whole)
    if record.kind == "table":
        ledger(client, record, model)
        return
    known = None if known is None else 1 + known % record.version
    at = None if at is None else 1 + at % (known or record.version)
    point = "&".join(filter(None, [asked, f"at={at}" if at else "", f"known={known}" if known else ""]))
    for name, expected in folding.at_point(log, at, known).items():
        assert client.get(f"{own}/{name}?{point}").get_json() == expected
    told = client.get(f"/deals/{record.id}").get_json()
    parts = [[part] if isinstance(part, str) else part for part in told["players"].values()]
    players = [name for part in parts for name in part]
    assert told["names"] == {name: model.members[name] for name in players if name in model.members}
    assert told["version"] == record.version


def ledger_of(table: Record, model: Model, client: Client | None) -> Json:
    """The ledger by the model's logs, as a client may know them."""

    def log(record: Record) -> Log:
        return folding.cut(record.events, None if client is None else model.seats(client.holder, record))

    deals = {one.id: log(one) for one in model.of_root(table.id) if one.kind == "deal"}
    return folding.ledger_told(log(table), deals)


def ledger(client: Client, table: Record, model: Model) -> None:
    """A table's ledger is the model's, and players and pools together have nothing after every line."""
    told = client.get(f"/tables/{table.id}/ledger").get_json()
    assert {name: value for name, value in told.items() if name != "names"} == ledger_of(table, model, client)
    lying: dict[int | None, int] = {}
    for line in told["lines"]:
        if line["after"] is not None:
            lying[line["game"]] = line["after"]["pool"] + sum(line["after"]["reserved"])
        assert sum(line["totals"].values()) == -sum(lying.values())
    pots = sum(pot["pool"] + sum(pot["reserved"]) for pot in told["pots"])
    assert sum(told["totals"].values()) == -pots


def conditional(client: Client, record: Record, model: Model) -> None:
    """Whoever may keep an answer is told that nothing changed only where nothing did, for him."""
    path = f"/{record.kind}s/{record.id}/events"
    if model.access_status(client.holder, record.id, record.kind) is not None:
        return
    fresh = client.get(path)
    if path in client.kept:
        etag, body = client.kept[path]
        answer = client.get(path, {"If-None-Match": etag})
        knows_all = model.seats(client.holder, record) is None
        assert (answer.status_code == 304) == (etag == f'"{record.version}"' and knows_all)
        assert (body if answer.status_code == 304 else answer.data) == fresh.data
    if fresh.headers["Cache-Control"] != "no-store":
        client.kept[path] = (fresh.headers["ETag"], fresh.data)


def listed(client: Client, model: Model) -> None:
    """A list has what somebody may read, and nothing else."""
    for kind in ("deal", "table"):
        answer = client.get(f"/{kind}s?limit=500")
        if model.turned_away(client.holder):
            assert answer.status_code == 401
            continue
        there = [one for one in model.records.values() if one.kind == kind]
        known = {one.id: one.version for one in there if model.roles(client.holder, one)}
        assert {one["id"]: one["version"] for one in answer.get_json()[f"{kind}s"]} == known


def granting(giver: Client, grant: Grant, record: Record | None, model: Model, answer: Any) -> Grant | None:
    """A grant is made where somebody has as much himself: the grant by which; None where it is refused."""
    holder = giver.holder
    held = model.held(holder)
    status = 201
    if model.turned_away(holder):
        status = 401
    elif not any(one.role in GIVE for one in held):
        status = model.refused(holder)
    elif grant.seat is None and grant.person is None and grant.role == "player":
        status = 422
    elif record is not None and (shut := model.access_status(holder, record.id, record.kind)):
        status = shut
    reaching = [one for one in held if (one.at is None if record is None else one.reaches(record))]
    makers = [one for one in reaching if one.role in GIVE[: ROLES.index(grant.role) + 1]]
    if status == 201 and not makers:
        status = 403
    assert answer.status_code == status, (giver, grant, answer.get_data(as_text=True))
    return makers[0] if status == 201 else None

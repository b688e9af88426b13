"""What the clients do to the records: opening, writing, sending again, at once, from files."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from werkzeug.test import TestResponse

from service.auth.grants import GrantTerms
from tests.system.clients import checks, folding
from tests.system.clients.client import FATES, Client, Fate, Follower
from tests.system.clients.house import House, moment
from tests.system.clients.model import ANY, GIVE, OPENINGS, WRITE, Grant, Holder, Json, Model, Outcome, Record
from tests.system.clients.writing import AT_A_TABLE, IN_A_DEAL, PEOPLE, SEATS, Hand, script_of

ANYONE = st.integers(0, 11)
"""Picks one of however many there are."""
SEED = st.integers(0, 999)
FATE = st.sampled_from(FATES)
CLIENTS, RECORDS, FOLLOWERS = 10, 7, 6
"""So many there are at most, so that they meet."""


class Writers(RuleBasedStateMachine):
    """People with devices, the service that they ask, and the model that knows what it has to answer."""

    on_disk = True

    @initialize()
    def begin(self) -> None:
        self.house, self.model, self.hand = House(self.on_disk), Model(), Hand()
        self.followers: list[Follower] = []
        self.touched: set[str] = set()
        made, token = self.house.register.create_grant(GrantTerms("owner"))  # on the computer itself
        self.boss = Grant("owner", id=made.id)
        self.model.grants.append(self.boss)
        self.owner = Client(self.house.app, "the owner", Holder([self.boss]), token)
        everybody = Client(self.house.app, "everybody", Holder())
        browser = Client(self.house.app, "a browser", Holder(browser=True))
        self.clients = [self.owner, browser, everybody]
        for role in ("recorder", "organiser"):
            self._grant(self.owner, Grant(role))
        self._set_the_table()

    def _set_the_table(self) -> None:
        """A table with a deal, a deal alone, and some who follow them."""
        self.open_table(0, False, False, 0)
        self.start_deal(0, 0, 0, 1, True, "delivered")
        self.open_deal(3, 4, 2, False, "delivered")
        (table, at_table, alone) = self.model.records.values()
        self._grant(self.owner, Grant("recorder", table.id), table)
        self._grant(self.owner, Grant("player", at_table.id, seat="forehand"), at_table)
        self._grant(self.owner, Grant("player", table.id, person="Anna"), table, to_browser=True)
        self._grant(self.owner, Grant("viewer", alone.id), alone)

    def _client(self, number: int) -> Client:
        return self.clients[number % len(self.clients)]

    def _writer(self, number: int, record: Record) -> Client:
        """Mostly somebody who may write there; sometimes anybody."""
        those = [one for one in self.clients if self.model.may(one.holder, WRITE, record)]
        return self._client(number) if number % 4 == 3 or not those else those[number % len(those)]

    def _record(self, number: int, kind: str | None = None) -> Record:
        found = [one for one in self.model.records.values() if kind in (None, one.kind)]
        return found[number % len(found)]

    @property
    def room(self) -> bool:
        return len(self.model.records) < RECORDS

    @precondition(lambda self: self.room)
    @rule(who=ANYONE, count=st.integers(1, 8), seed=SEED, strict=st.booleans(), fate=FATE)
    def open_deal(self, who: int, count: int, seed: int, strict: bool, fate: Fate) -> None:
        client, script = self._client(who), script_of(seed)
        first, *rest = [self.hand.signed(one, client.name) for one in script[:count]]
        record = Record(first["id"], first["id"], "deal", script=script, typed=count)
        kept = self.model.signed(client.holder, record, [first, *rest])
        outcome = self._may_open(client, WRITE) or self.model.storing(record, 0, kept)
        path = "/deals?mode=strict" if strict else "/deals"
        if fate == "request lost":
            return
        self._stored(client, record, outcome, client.post(path, [first, *rest]), strict=strict)
        if outcome.status < 300:
            again = self.model.storing(record, 0, kept)
            self._stored(client, record, again, client.post(path, [first, *rest]))

    @precondition(lambda self: self.room)
    @rule(who=ANYONE, strict=st.booleans(), pool=st.booleans(), member=ANYONE)
    def open_table(self, who: int, strict: bool, pool: bool, member: int) -> None:
        client = self._client(who)
        players = ["Anna", "Bo", "Carl"]
        if self.model.members:
            players[member % 3] = list(self.model.members)[member % len(self.model.members)]
        opening = {"type": "table_opened", "ruleset": "ombre" if pool else "dlu", "players": players}
        if strict:
            opening["mode"] = "strict"
        first = self.hand.signed(opening, client.name)
        record = Record(first["id"], first["id"], "table", strict=strict)
        for _ in range(2):
            kept = self.model.signed(client.holder, None, [first])
            outcome = self._may_open(client, GIVE) or self.model.storing(record, 0, kept)
            self._stored(client, record, outcome, client.post("/tables", first))

    def _may_open(self, client: Client, roles: tuple[str, ...]) -> Outcome | None:
        if self.model.turned_away(client.holder):
            return Outcome(401)
        return None if self.model.may(client.holder, roles) else Outcome(self.model.refused(client.holder))

    @precondition(lambda self: self.room)
    @rule(who=ANYONE, where=ANYONE, behind=st.integers(0, 1), seed=SEED, stated=st.booleans(), fate=FATE)
    def start_deal(self, who: int, where: int, behind: int, seed: int, stated: bool, fate: Fate) -> None:
        table = self._record(where, "table")
        if fate == "request lost":
            return
        client = self._writer(who, table)
        body = self.hand.signed({"title": f"Deal {seed}"}, client.name)
        if stated:
            body["players"] = dict(zip(SEATS, random.Random(seed).sample(PEOPLE, 3), strict=True))
        expected = max(0, table.version - behind)
        due = next(iter(checks.ledger_of(table, self.model, None)["following"]), None)
        nobody = due is None and not stated
        otherwise = 422 if nobody else 201 if expected == table.version else 412
        status = self._may_write(client, table) or otherwise
        for wanted in (status, 200):
            answer = client.post(f"/tables/{table.id}/deals", body, expected)
            assert answer.status_code == wanted, answer.get_data(as_text=True)
            if status != 201:
                checks.check_problem(answer, Outcome(status, table.version))
                return
            new = Record(body["id"], table.root, "deal", [], table.strict, script_of(seed), 1)
            deal = self.model.open(new)
            if wanted == 201:
                (by,) = self.model.signed(client.holder, table, [{}])
                noted, opening = checks.check_started(self.owner, table, deal, body, due, by["recorded_by"])
                self.model.append(table, [noted])
                self.model.append(deal, [opening])
                self.touched |= {table.id, deal.id}
            assert answer.get_json()["events"] == folding.as_told(folding.log_of(deal.events))[:1]
        changed = client.post(f"/tables/{table.id}/deals", {**body, "title": "Another"}, table.version)
        assert changed.status_code == 409

    def _may_write(self, client: Client, record: Record) -> int | None:
        status = self.model.access_status(client.holder, record.id, record.kind)
        if status is None and not self.model.may(client.holder, WRITE, record):
            return self.model.refused(client.holder)
        return status

    @rule(who=ANYONE, where=ANYONE, count=st.integers(1, 6), seed=SEED)
    def write(self, who: int, where: int, count: int, seed: int) -> None:
        """Somebody types; online it is sent at once, one event or a batch."""
        record = self._record(where)
        client = self._writer(who, record)
        self._type(client, record, count, seed)
        if not client.offline:
            self._flush(client, record, None, "delivered", seed % 5 == 0)

    @rule(who=ANYONE, where=st.lists(ANYONE, min_size=1, max_size=3), seed=SEED, count=st.integers(1, 4))
    def write_without_a_network(self, who: int, where: list[int], seed: int, count: int) -> None:
        """Somebody goes on where there is no network; it waits in the outbox."""
        client = self._writer(who, self._record(where[0]))
        client.offline = True
        for number, place in enumerate(where):
            self._type(client, self._record(place), count, (seed + 7 * number) % 1000)

    def _type(self, client: Client, record: Record, count: int, seed: int) -> None:
        rng = random.Random(seed)
        kinds = IN_A_DEAL if record.kind == "deal" else AT_A_TABLE
        kind = kinds[seed % len(kinds)]
        for _ in range(count if kind == "next" else 1 + seed % 2):
            client.want(record, self.hand.write(record, kind, rng, client.name))

    @rule(
        who=ANYONE, sizes=st.lists(st.tuples(st.integers(1, 4), FATE), max_size=4),
        drop=st.sampled_from([False, False, True]),
    )  # fmt: skip
    def come_back(self, who: int, sizes: list[tuple[int, Fate]], drop: bool) -> None:
        """The outbox is sent in its order: parts of it, some more than once; then all that is left."""
        waiting = [one for one in self.clients if one.outboxes]
        client = waiting[who % len(waiting)] if waiting else self._client(who)
        client.offline = False
        for name in list(client.outboxes):
            record = self.model.records[name]
            for size, fate in sizes:
                if name in client.outboxes:
                    self._flush(client, record, size, fate)
            for _ in range(3):
                # Refused for its version, a person has seen what came in between, and decides again.
                if name in client.outboxes and not drop:
                    self._flush(client, record, None, "delivered")
            if drop:
                client.outboxes.pop(name, None)

    @rule(who=ANYONE, size=st.integers(1, 6), fate=FATE)
    def have_a_moment_of_network(self, who: int, size: int, fate: Fate) -> None:
        """Something of an outbox goes out, and perhaps the answer comes back."""
        if waiting := [one for one in self.clients if one.outboxes]:
            client = waiting[who % len(waiting)]
            self._flush(client, self.model.records[next(iter(client.outboxes))], size, fate)

    def _flush(
        self, client: Client, record: Record, size: int | None, fate: Fate, any_version: bool = False
    ) -> None:
        box = client.outboxes[record.id]
        batch = box.events[:size]
        expected: int | str = ANY if any_version else box.decided_on
        if fate == "request lost":
            return
        outcome = self.model.appending(client.holder, record, expected, batch)
        body = batch[0] if len(batch) == 1 else batch
        answer = client.post(f"/{record.kind}s/{record.id}/events", body, expected)
        status = self._stored(client, record, outcome, answer)
        if fate == "answer lost":
            return
        if status in (200, 201):
            client.sent(record.id, len(batch), outcome.version)
        elif status == 412:
            box.decided_on = outcome.version
        else:
            del client.outboxes[record.id]

    def _stored(
        self, client: Client, record: Record, outcome: Outcome, answer: Any, strict: bool | None = None
    ) -> int:
        """Hold an answer to what it has to be, and take down what is stored by it; its status."""
        held_to_rules = record.strict if strict is None else strict
        lawful = not (held_to_rules and record.kind == "deal" and outcome.status in (201, 409, 412))
        if answer.status_code == 422 and not lawful and outcome.status != 412:
            if outcome.status == 201:
                assert not record.by_the_script(outcome.new), answer.get_data(as_text=True)
            checks.against_the_rules(answer)
            return 422
        assert answer.status_code == outcome.status, (client, outcome, answer.get_data(as_text=True))
        if outcome.status >= 300:
            checks.check_problem(answer, outcome)
            return outcome.status
        self.model.append(self.model.open(record), outcome.new)
        self.touched.add(record.id)
        checks.same_log(self.owner, record)
        seats = self.model.seats(client.holder, record)
        checks.appended(answer, record, outcome, seats, strict=held_to_rules and record.kind == "deal")
        return outcome.status

    @rule(
        who=ANYONE, where=ANYONE, first=st.integers(1, 30), count=st.integers(1, 3), more=st.integers(0, 2),
        expected=st.integers(-3, 2), seed=SEED,
        twist=st.sampled_from(["", "", "", "changed", "order", "again", "new first"]),
    )  # fmt: skip
    def send_again(
        self, who: int, where: int, first: int, count: int, more: int, expected: int, twist: str, seed: int
    ) -> None:
        """Somebody sends what is stored already, by whomever: as it was, or otherwise, and more behind it."""
        record = self._record(where)
        client = self._writer(who, record)
        rng = random.Random(seed)
        start = first % record.version
        given = ("seq", "stored_at")
        stored = record.events[start : start + count]
        sent = [{name: value for name, value in one.items() if name not in given} for one in stored]
        if any(one["type"] in OPENINGS for one in sent):
            return
        new = [self.hand.write(record, "note", rng, client.name) for _ in range(more)]
        if twist == "changed" and sent:
            sent[-1] = {**sent[-1], "accounts": ["somebody else"]}
        elif twist == "order":
            sent.reverse()
        elif twist == "again":
            sent += sent[:1]
        elif twist == "new first":
            sent, new = new + sent, []
        if not sent + new:
            return
        version = max(0, start if expected < -1 else record.version + expected)
        outcome = self.model.appending(client.holder, record, version, sent + new)
        answer = client.post(f"/{record.kind}s/{record.id}/events", sent + new, version)
        self._stored(client, record, outcome, answer)

    @rule(where=ANYONE, writers=st.integers(2, 4), seed=SEED, same=st.booleans())
    def write_at_once(self, where: int, writers: int, seed: int, same: bool) -> None:
        """Several decide on one version, and send at the same moment: exactly one wins, the others rebase."""
        record = self._record(where)
        those = [one for one in self.clients if self.model.may(one.holder, WRITE, record) and not one.offline]
        if len(those) < 2 or record.strict:
            return
        those = [those[number % len(those)] for number in range(writers)]
        rng = random.Random(seed)
        events = [self.hand.write(record, "note", rng, one.name) for one in those]
        if same:
            # Two devices of one person, or a second try while the first is on its way.
            events = [events[0]] * len(events)
        version = record.version
        path = f"/{record.kind}s/{record.id}/events"
        sent = [(one, path, event, version) for one, event in zip(those, events, strict=True)]
        answers = self._at_once(sent)
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses == ([200] * (writers - 1) + [201] if same else [201] + [412] * (writers - 1))
        winner = next(number for number, one in enumerate(answers) if one.status_code == 201)
        self.model.append(record, self.model.signed(those[winner].holder, record, [events[winner]]))
        self.touched.add(record.id)
        checks.same_log(self.owner, record)
        won_at = record.version
        for number, answer in enumerate(answers):
            if answer.status_code == 412:
                checks.check_problem(answer, Outcome(412, won_at))
                client = those[number]
                outcome = self.model.appending(client.holder, record, record.version, [events[number]])
                told = client.post(path, events[number], record.version)
                self._stored(client, record, outcome, told)

    def _at_once(self, wanted: Sequence[tuple[Client, str, Json, int]]) -> list[TestResponse]:
        """The answers to requests that are sent together, each by a thread of its own."""
        ready = threading.Barrier(len(wanted))

        def send(one: tuple[Client, str, Json, int]) -> TestResponse:
            client, path, body, version = one
            # A client in process is not made for two threads; this one shows the same of itself.
            other = client.on_another_line(self.house.app)
            ready.wait()
            return other.post(path, body, version)

        with ThreadPoolExecutor(len(wanted)) as threads:
            return list(threads.map(send, wanted))

    def _grant(
        self, giver: Client, grant: Grant, record: Record | None = None, to_browser: bool = False
    ) -> None:
        if len(self.clients) >= CLIENTS and not (to_browser or grant.public):
            return
        asked: Json = {"role": grant.role, "label": "a link"}
        asked |= {record.kind: record.id} if record else {}
        asked |= {"seat": grant.seat} if grant.seat else {}
        asked |= {"person": grant.person} if grant.person else {}
        asked |= {"public": True} if grant.public else {}
        asked |= {"expires_at": moment(grant.ends)} if grant.ends is not None else {}
        answer = giver.post("/grants", asked)
        made_by = checks.granting(giver, grant, record, self.model, answer)
        if made_by is None:
            return
        told = answer.get_json()
        grant.id, grant.made_by = told["id"], made_by
        ends = [one for one in (grant.ends, made_by.ends) if one is not None]
        grant.ends = min(ends, default=None)
        self.model.grants.append(grant)
        if grant.public:
            return
        if to_browser:
            browser = next(one for one in self.clients if one.holder.browser)
            browser.open_link(told["token"], grant, self.model.clashing(browser.holder, grant))
        else:
            name = f"{grant.role} {len(self.clients)}"
            self.clients.append(Client(self.house.app, name, Holder([grant]), told["token"]))

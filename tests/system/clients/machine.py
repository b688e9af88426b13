"""The machine: random doings of many clients, each compared with the model as it happens."""

from __future__ import annotations

import sys

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteReader
from service.transparency.store_verification import verify_store
from tests.support.api.asking import body_of
from tests.system.clients import checks, folding
from tests.system.clients.client import Follower
from tests.system.clients.model import ROLES, Grant
from tests.system.clients.writers import ANYONE, FOLLOWERS, Writers
from tests.system.clients.writing import PEOPLE, SEATS


class ManyClients(Writers):
    def _set_the_table(self) -> None:
        super()._set_the_table()
        table, at_table, alone = self.model.records.values()
        browser, viewer = self.clients[1], self.clients[-1]
        self.followers = [
            Follower(self.owner, table, True), Follower(browser, at_table, False),
            Follower(browser, table, True), Follower(viewer, alone, False),
        ]  # fmt: skip

    def teardown(self) -> None:
        if not hasattr(self, "house"):
            return
        try:
            if sys.exc_info()[1] is None:  # what went wrong before is what is to be told
                for follower in list(self.followers):
                    self._hear_all(follower)
                for record in self.model.records.values():
                    checks.same_log(self.owner, record)
                    if record.kind == "table":
                        checks.ledger(self.owner, record, self.model)
                self._verify()
        finally:
            self._cut_all_lines()
            self.house.close()

    @rule(who=ANYONE, where=ANYONE, with_deals=st.booleans())
    def follow(self, who: int, where: int, with_deals: bool) -> None:
        client, record = self._client(who), self._record(where)
        if len(self.followers) < FOLLOWERS:
            self.followers.append(Follower(client, record, with_deals and record.kind == "table"))
            self._hear_all(self.followers[-1])

    @rule(which=ANYONE, most=st.none() | st.integers(0, 4), lose=st.booleans())
    def hear(self, which: int, most: int | None, lose: bool) -> None:
        """Somebody hears what has come, all or some of it; the connection may be lost then."""
        if not self.followers:
            return
        follower = self.followers[which % len(self.followers)]
        if most is None:
            self._hear_all(follower)
        elif self._on_line(follower):
            follower.hear(self._wanted(follower), most)
        if lose:
            follower.disconnect()

    def _on_line(self, follower: Follower) -> bool:
        """Whether it is connected, as it may be; a stream of what somebody held and lost is at its end."""
        holder, record = follower.client.holder, follower.record
        holds = all(map(self.model.holds, follower.held)) and follower.login == holder.logins
        if follower.answer and not holds:
            assert follower.ends(), "told something to one who may not know it any more"
        if follower.answer:
            return True
        status = follower.connect(self.model.held(holder))
        assert status == (self.model.access_status(holder, record.id, record.kind) or 200)
        return status == 200

    def _wanted(self, follower: Follower) -> dict[str, int]:
        record = follower.record
        those = self.model.of_root(record.root) if follower.with_deals else [record]
        return {one.id: one.version for one in those}

    def _hear_all(self, follower: Follower) -> None:
        """Whatever was lost on the way, what it has in the end is what it may know."""
        if not self._on_line(follower):
            self.followers.remove(follower)
            return
        wanted = self._wanted(follower)
        assert follower.hear(wanted), "the stream ended for no reason"
        for name in wanted:
            record = self.model.records[name]
            seats = self.model.seats(follower.client.holder, record)
            own = self.model.own(follower.client.holder, record)
            told = folding.as_told(folding.cut(record.events, seats, own))
            assert follower.has.logs[name] == told, (follower.client, follower.with_deals, seats)

    def _cut_all_lines(self) -> None:
        for follower in self.followers:
            follower.disconnect()

    @rule(
        who=ANYONE, where=ANYONE, at=st.none() | st.integers(1, 40), known=st.none() | st.integers(1, 40),
        viewer=st.sampled_from([None, None, "public", *SEATS]),
    )  # fmt: skip
    def read(self, who: int, where: int, at: int | None, known: int | None, viewer: str | None) -> None:
        """Somebody reads a record at some point, asks whether it changed, and which records there are."""
        client, record = self._client(who), self._record(where)
        checks.check_reads(client, record, self.model, at, known, viewer)
        checks.conditional(client, record, self.model)
        checks.listed(client, self.model)

    @rule(
        who=ANYONE, role=st.sampled_from(ROLES[1:]), where=st.none() | ANYONE, person=ANYONE,
        ends=st.none() | st.integers(1, 50), use=st.booleans(), public=st.booleans(),
    )  # fmt: skip
    def give(
        self, who: int, role: str, where: int | None, person: int, ends: int | None, use: bool, public: bool
    ) -> None:
        """Somebody hands out a link: to a new client, to a browser, or to everybody."""
        record = None if where is None else self._record(where)
        grant = Grant(role, record.id if record else None, public=public and role == "viewer")
        grant.ends = None if ends is None else self.model.now + ends
        if role == "player":
            if record is not None and record.kind == "deal" and person % 2:
                grant.seat = SEATS[person % 3]
            else:
                grant.person = [*self.model.members, *PEOPLE][person % (len(self.model.members) + 5)]
        self._grant(self._client(who), grant, record, to_browser=use)

    @rule(which=ANYONE, seconds=st.none() | st.integers(1, 40))
    def lose_a_grant(self, which: int, seconds: int | None) -> None:
        """The owner ends a grant, at once; or time goes by, and some of what was granted ends by itself."""
        if seconds is not None:
            self.house.seconds += seconds
            self.model.now += seconds
            return
        those = [one for one in self.model.grants if one is not self.boss]
        grant = those[which % len(those)]
        assert not body_of(self.owner.http.delete(f"/api/v1/grants/{grant.id}"))["active"]
        self.model.revoke(grant)

    @rule(forget=st.booleans(), which=ANYONE)
    def keep_the_members(self, forget: bool, which: int) -> None:
        there = [one for one, name in self.model.members.items() if name is not None]
        if forget and there:
            member = there[which % len(there)]
            assert self.owner.http.delete(f"/api/v1/members/{member}").status_code == 204
            self.model.forget(member)
        elif len(self.model.members) < 3:
            name = f"Berta the {len(self.model.members)}."
            told = body_of(self.owner.post("/members", {"name": name}), 201)
            self.model.members[told["id"]] = name

    @precondition(lambda self: self.on_disk)
    @rule()
    def restart(self) -> None:
        self._cut_all_lines()
        self.house.stop()
        self._verify()
        self.house.open()
        self.touched |= set(self.model.records)

    def _verify(self) -> None:
        if self.on_disk:
            with SqliteReader(self.house.path / STORE_FILE_NAME) as reader:
                verdict = verify_store(reader.inspection())
            assert verdict.faults == ()
            assert verdict.event_count == len(self.model.order)

    @invariant()
    def nothing_else_is_there(self) -> None:
        """What was stored stands in its record once, in its place; nothing that was refused does."""
        if not hasattr(self, "house"):
            return
        for name in self.touched:
            checks.same_log(self.owner, self.model.records[name])
        self.touched = set()
        assert self.house.store.head() == len(self.model.order)
        followed = self.house.store.read_all(max(0, len(self.model.order) - 9))
        assert [(one.stream, one.seq) for one in followed] == self.model.order[-9:]


class InMemory(ManyClients):
    on_disk = False

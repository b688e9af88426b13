"""Whole evenings at a table: legal deals as they are due, each settled as it should be, some cards hidden."""

import random
from dataclasses import dataclass, field, replace

from engine import Log, audit
from engine.core.events import DealOpened
from engine.core.field_types import Players
from engine.core.log import build_log
from engine.core.table_events import DealStarted, TableOpened
from engine.diagnosis.explanations import filter_for_director
from engine.rulesets import PUBLISHED_RULESETS, find_ruleset
from engine.tables.seating import seat_players
from schemas.wire.event_writer import event_object
from tests.support.engine.evenings import NAMES
from tests.support.engine.evenings import Evening as Due
from tests.support.engine.selfplay import Table
from tests.support.engine.shorthand import Event, log_from
from tests.support.hidden.records import hidden_at_random, revoking


@dataclass
class Evening:
    """An evening as it is recorded: the deals as their events, in the order in which they were started.

    ``touched`` are those in which something is planted, so that nothing else is.
    """

    ruleset: str
    players: tuple[str, ...]
    deals: list[list[Event]] = field(default_factory=list)
    touched: set[int] = field(default_factory=set)

    def log(self) -> Log:
        started = (DealStarted(name, number) for number, name in enumerate(self.names(), 1))
        return build_log([TableOpened(self.ruleset, self.players), *started])

    def names(self) -> list[str]:
        return [f"deal-{number}" for number in range(1, len(self.deals) + 1)]

    def logs(self) -> dict[str, Log]:
        return {name: log_from(deal) for name, deal in zip(self.names(), self.deals, strict=True)}

    def plant(self, at: int, events: list[Event]) -> None:
        self.deals[at] = events
        self.touched.add(at)

    def untouched(self, rng: random.Random) -> list[int]:
        """The deals in which nothing is planted yet, in any order."""
        free = [at for at in range(len(self.deals)) if at not in self.touched]
        return rng.sample(free, len(free))


def evening(
    rng: random.Random,
    ruleset: str,
    *,
    count: int,
    players: int = 3,
    hidden: bool = False,
    revoke_in: int | None = None,
    out_of_turn: int | None = None,
) -> Evening:
    """An evening of so many deals in which nobody has done anything wrong.

    But in the deal ``revoke_in`` (from 0) somebody has revoked, and the deal ``out_of_turn`` is given by one
    whose turn it is not. A revoke is one that the record shows, whatever is hidden.
    """
    due, made = Due(ruleset, players), Evening(ruleset, NAMES[:players])
    for at in range(count):
        opened = due.opening()
        if at == out_of_turn:
            opened = given_by_another(rng, made.players, opened)
        events, true = recorded_and_whole_log(rng, ruleset, opened, hidden=hidden, revoke=at == revoke_in)
        due.play(*(entry.event for entry in log_from(true)[1:]), opening=opened)
        line = due.ledger().lines[-1]
        chips = dict(line.chips) if line.is_decided else {}  # what a slam of some rulesets pays is not stated
        if line.is_decided:
            events.append({"type": "deal_settled", "payments": chips})
        events.append({"type": "deal_closed", "payments": chips, "engine": "1"})
        made.deals.append(events)
    return made


def given_by_another(rng: random.Random, players: tuple[str, ...], opened: DealOpened) -> DealOpened:
    """The opening of a deal that another gives than whose turn it is, everybody sitting as that makes it."""
    rules = find_ruleset(PUBLISHED_RULESETS, opened.ruleset)
    assert rules is not None
    other = rng.choice([one for one in players if one != opened.dealer])
    seating = seat_players(players, other, rules.ruleset)
    assert seating is not None
    return replace(opened, dealer=seating.dealer, players=Players(*seating.active, seating.sitting_out))


def recorded_and_whole_log(
    rng: random.Random, ruleset: str, opened: DealOpened, *, hidden: bool, revoke: bool
) -> tuple[list[Event], list[Event]]:
    """A deal as the table leaves it, some of it hidden perhaps, and all of it as it was.

    Nothing is found in it that matters, but for the revoke where there is one: a deal in which a bid would be
    worth a penalty is dealt again, and cards are hidden only as far as the revoke shows.
    """
    fields = {name: value for name, value in event_object(opened).items() if name not in ("type", "ruleset")}
    while True:
        true, seq = revoking(Table(rng, ruleset, **fields), rng, revoke)
        events = hidden_at_random(rng, true) if hidden else list(true)
        found = filter_for_director(audit(log_from(events)).findings)
        if [(one.seq, one.code) for one in found] == ([(seq, "revoke")] if revoke else []):
            return events, true


def with_number(events: list[Event], number: int) -> list[Event]:
    return [{**events[0], "number": number}, *events[1:]]

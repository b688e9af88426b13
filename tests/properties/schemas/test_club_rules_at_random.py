"""Club rulesets altered at random: each is refused with a sentence, or can be played in every setting."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine import audit
from engine.core.field_types import ALL_OUTCOMES
from engine.core.log import build_log
from engine.rulesets import PUBLISHED_RULESETS, Ruleset, RulesetBook
from engine.rulesets.model import SwitchValue
from schemas.rulesets.rulebook import build_rulebook
from schemas.rulesets.ruleset_json import parse_ruleset_file, ruleset_object
from schemas.wire.event_reader import read_event
from schemas.wire.wire_faults import WireError, format_fault
from tests.support.engine.selfplay import Table
from tests.support.engine.shorthand import Event, Json, a_deal

EXPORTED = {rules.ruleset.id: json.dumps(ruleset_object(rules.ruleset)) for rules in PUBLISHED_RULESETS}
SOLID = ("id", "revision", "words", "source", "clauses", "chip")
STRANGE: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, 9, 10, -1, 10**6, 10**30, 1.5, "", "x", "solo", "none", "C", [], {},
)  # fmt: skip


def places(point: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a ruleset but those of its texts."""
    if way:
        yield way
    inner = point.items() if isinstance(point, dict) else enumerate(point) if isinstance(point, list) else ()
    for step, value in inner:
        if step not in SOLID[1:] and (*way, step) != ("id",):
            yield from places(value, (*way, step))


def at(point: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        point = point[step]
    return point


def altered(rng: random.Random, whole: Json) -> None:
    """One thing altered: put in place of another, left out, said twice, exchanged, or switched."""
    way = rng.choice(list(places(whole)))
    owner, step = at(whole, way[:-1]), way[-1]
    how = rng.randrange(5)
    if how == 0:
        owner[step] = rng.choice(STRANGE)
    elif how == 1:
        del owner[step]
    elif how == 2 and isinstance(owner, list):
        owner.append(copy.deepcopy(owner[step]))
    elif how == 3:
        same = [one for one in places(whole) if one[-1] == step]
        owner[step] = copy.deepcopy(at(whole, rng.choice(same)))
    else:
        whole.setdefault("switches", [])
        if isinstance(whole["switches"], list):
            whole["switches"].append(a_switch(rng, whole))


def a_switch(rng: random.Random, whole: Json) -> Json:
    """A switch on a place in the ruleset, by the names that its members have."""
    way = rng.choice(list(places(whole)))
    steps, point = [], whole
    for step in way:
        point = point[step]
        named = point if isinstance(step, int) and isinstance(point, dict) else {}
        steps.append(next((str(named[key]) for key in ("id", "contract", "bid") if key in named), str(step)))
    sets = ".".join(steps).removeprefix("policies.")
    values: list[Any] = rng.sample(STRANGE, 2)
    if rng.random() < 0.7:
        values = rng.choice(([False, True], [0, 9], [1, 2], ["C", "D"], ["dealer", "opposite-dealer"]))
    return {
        "id": f"switch-{rng.randrange(100)}",
        "words": {"en": "", "da": ""},
        "sets": rng.choice((sets, sets, "extras.favor", "sitter_pays", "__class__")),
        "values": values,
        "spans": rng.random() < 0.3,
    }


def parse_or_none(whole: Any) -> Ruleset | None:
    """The ruleset, or None where it is refused; a refusal says something."""
    try:
        return parse_ruleset_file(json.dumps(whole).encode()).ruleset
    except WireError as error:
        assert all(format_fault(fault) for fault in error.faults)
        return None


def settings(ruleset: Ruleset) -> Iterator[dict[str, SwitchValue]]:
    """Nothing set, then each switch at each value, then any of them together."""
    yield {}
    for switch in ruleset.switches:
        for value in switch.values:
            yield {switch.id: value}
    rng = random.Random(ruleset.id)
    for _ in range(3):
        yield {switch.id: rng.choice(switch.values) for switch in ruleset.switches}


class ClubTable(Table):
    """A table where trumps may also be named after the draw."""

    def step(self, due: Json) -> Event:
        event = super().step(due)
        if event["type"] == "contract_named" and self.state.contract_state.is_named:
            return {"type": "trump_named", "seat": event["seat"], "trump": event["trump"]}
        return event


def random_log(
    rng: random.Random, ruleset: Ruleset, book: RulesetBook, switches: dict[str, SwitchValue]
) -> list[Event]:
    """A random deal, round a pool if there is one."""
    table = ClubTable(rng, ruleset.id, book, switches=switches, pool=rng.randrange(30), reserved=[20])
    for number, _ in enumerate(table.points()):
        assert number < 200, f"a deal without end: {table.due()}"
    return table.events


def slips(rng: random.Random, ruleset: Ruleset, switches: dict[str, SwitchValue]) -> Iterator[list[Event]]:
    for contract in rng.sample(ruleset.contracts, min(2, len(ruleset.contracts))):
        deal = a_deal(ruleset=ruleset.id, switches=switches, pool=10)
        said: Event = {"type": "result_recorded", "declarer": "forehand", "contract": contract.id}
        counts = rng.choice(((9, 0, 0), (3, 4, 2), (0, 5, 4)))
        tricks = dict(zip(("forehand", "middlehand", "backhand"), counts, strict=True))
        yield [*deal, {**said, "outcome": rng.choice(ALL_OUTCOMES)}]
        yield [*deal, {**said, "tricks": tricks}]


@pytest.mark.parametrize("seed", range(6))
def test_what_is_read_can_be_played(seed: int) -> None:
    rng, accepted, refused = random.Random(seed), 0, 0
    for _ in range(20):
        whole = json.loads(EXPORTED[rng.choice(list(EXPORTED))]) | {"id": "ours"}
        for _ in range(rng.randint(1, 3)):
            altered(rng, whole)
        ruleset = parse_or_none(whole)
        refused += ruleset is None
        if ruleset is None or accepted > 2:
            continue
        accepted += 1
        book = (*PUBLISHED_RULESETS, parse_ruleset_file(json.dumps(whole).encode()))
        for lang in ("en", "da"):
            assert list(build_rulebook(ruleset, lang))
        for switches in settings(ruleset):
            audit(build_log([read_event(event) for event in random_log(rng, ruleset, book, switches)]), book)
            for slip in slips(rng, ruleset, switches):
                audit(build_log([read_event(event) for event in slip]), book)
    assert accepted
    assert refused

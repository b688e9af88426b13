"""Whether a club's ruleset holds together: its names lead somewhere, in every setting of its switches."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import chain, islice
from textwrap import shorten
from typing import Any, Final

from engine.play.all_pass import FORCED_SPADILLE
from engine.play.auction import PASS, SELF
from engine.rulesets.model import Ruleset, Switch, Value
from schemas.wire.faults import Fault, WireError, shown

NEVER_SET: Final = ("id", "revision", "words", "source", "chip", "switches", "clauses")
"""What a ruleset is called and where it is from: no switch sets that."""
SINGLE: Final = (bool, int, str, int | None)
"""The kinds of the points that a switch may set."""
MOST_VALUES: Final = 100
"""A switch can be so many things at most, a span of numbers apart."""

MOST_FAULTS: Final = 100
"""The most faults of a ruleset that are named."""
MOST_LETTERS: Final = 500
"""The most letters of the ids that a fault lists."""


def require_coherent(ruleset: Ruleset) -> None:
    """Raises `WireError` where a name is used twice, leads nowhere, or a limit is above another."""
    bases = () if ruleset.pool is None else ruleset.pool.bases
    faults = chain(
        _named_twice("/bids", [bid.id for bid in ruleset.bids]),
        _named_twice("/contracts", [contract.id for contract in ruleset.contracts]),
        _named_twice("/naming", [bid for bid, _ in ruleset.naming]),
        _named_twice("/tariff", [contract for contract, _ in ruleset.tariff]),
        _named_twice("/pool/bases", [contract for contract, _ in bases]),
        _named_twice("/switches", [switch.id for switch in ruleset.switches]),
        _bid_faults(ruleset),
        _contract_faults(ruleset),
        _naming_faults(ruleset),
        _penalty_faults(ruleset),
        _forced_bid_faults(ruleset),
    )
    if told := list(islice(faults, MOST_FAULTS)):
        raise WireError(told)


def _named_twice(at: str, ids: Iterable[str]) -> Iterator[Fault]:
    seen: set[str] = set()
    for number, one in enumerate(ids):
        if one in seen:
            yield Fault(f"{at}/{number}", shown(one), "each name once: it stands here a second time")
        seen.add(one)


def _bid_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """A bid needs a word of its own, something that its winner may name, and bids that there are."""
    bids = dict.fromkeys(bid.id for bid in ruleset.bids)
    named = {bid for bid, names in ruleset.naming if names}
    for number, bid in enumerate(ruleset.bids):
        at = f"/bids/{number}"
        if bid.id in (PASS, SELF):
            yield Fault(f"{at}/id", shown(bid.id), "another name: this word has a meaning in every auction")
        elif bid.id not in named:
            yield Fault(
                f"{at}/id", shown(bid.id), "the id of a bid for which /naming says what its winner may name"
            )
        for field in ("only_over", "as_self_over"):
            for place, other in enumerate(getattr(bid, field)):
                yield from _unless_among(bids, other, f"{at}/{field}/{place}", "bid")


def _contract_faults(ruleset: Ruleset) -> Iterator[Fault]:
    contracts = dict.fromkeys(contract.id for contract in ruleset.contracts)
    for number, contract in enumerate(ruleset.contracts):
        at, limits = f"/contracts/{number}", contract.declarer_exchange
        if limits is not None and limits[0] > limits[1]:
            yield Fault(
                f"{at}/declarer_exchange/min", str(limits[0]), f"a number up to max, which is {limits[1]}"
            )
        if contract.favoured_form:
            yield from _unless_among(contracts, contract.favoured_form, f"{at}/favoured_form", "contract")


def _naming_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Where trumps are chosen with the contract, there has to be something to choose from."""
    chosen = {contract.id for contract in ruleset.contracts if contract.trump == "chosen"}
    for number, (_, names) in enumerate(ruleset.naming):
        for place, naming in enumerate(names):
            if naming.contract in chosen and not naming.trumps:
                expected = f"a suit at least: in {naming.contract} trumps are chosen"
                yield Fault(f"/naming/{number}/names/{place}/trumps", "[]", expected)


def _penalty_faults(ruleset: Ruleset) -> Iterator[Fault]:
    bids = dict.fromkeys(bid.id for bid in ruleset.bids)
    for number, pair in enumerate(ruleset.penalties.needless if ruleset.penalties else ()):
        for name, bid in zip(("bid", "enough"), pair, strict=True):
            yield from _unless_among(bids, bid, f"/penalties/needless/{number}/{name}", "bid")


def _forced_bid_faults(ruleset: Ruleset) -> Iterator[Fault]:
    """Where spadille is forced to play, it plays by some bid."""
    bid, at = ruleset.forced_bid, "/forced_bid"
    if bid:
        yield from _unless_among(dict.fromkeys(one.id for one in ruleset.bids), bid, at, "bid")
    elif FORCED_SPADILLE in ruleset.extras:
        yield Fault(at, '""', f"the id of the bid by which spadille plays: the extra {FORCED_SPADILLE} is on")


def _unless_among(known: dict[str, None], name: str, at: str, kind: str) -> Iterator[Fault]:
    if name not in known:
        ids = shorten(", ".join(known), MOST_LETTERS, placeholder=" …")
        yield Fault(at, shown(name), f"the id of a {kind} of this ruleset ({ids})")


# --- Switches -------------------------------------------------------------------------------------


def require_switch(ruleset: Ruleset, switch: Switch, at: str) -> None:
    """Raises `WireError` where a switch cannot be said, sets no single point, or can be nothing."""
    if "_" in switch.id:
        raise WireError([Fault(f"{at}/id", shown(switch.id), 'a name with "-" in place of "_"')])
    if not _sets_a_point(ruleset, switch.sets):
        raise WireError([Fault(f"{at}/sets", shown(switch.sets), EXPECTED_POINT)])
    if not 1 <= len(switch.values) <= MOST_VALUES:
        raise WireError([Fault(f"{at}/values", f"{len(switch.values)} values", f"1 to {MOST_VALUES} values")])
    if switch.spans and not _spans(switch.values):
        read = shown(list(switch.values))
        expected = "two numbers, the least and the most: this switch spans what lies between"
        raise WireError([Fault(f"{at}/values", read, expected)])


EXPECTED_POINT: Final = (
    "the place of a single point of this ruleset: a flag, a number or a policy, such as sits_out, "
    "tariff.solo.won or extras.favor"
)


def _spans(values: tuple[Value, ...]) -> bool:
    numbers = [one for one in values if isinstance(one, int) and not isinstance(one, bool)]
    return len(values) == len(numbers) == 2 and numbers[0] <= numbers[1]


def _sets_a_point(ruleset: Ruleset, sets: str) -> bool:
    """Whether the steps of ``sets`` lead to a point that can be set by itself."""
    first, _, extra = sets.partition(".")
    if first == "extras":
        return extra in _extras(ruleset) and "." not in extra
    point: Any = ruleset
    kind: Any = None
    for step in sets.split("."):
        point, kind = _within(point, step)
    return kind in SINGLE


def _within(point: Any, step: str) -> tuple[Any, Any]:
    """What lies at ``step`` of a point, and of what kind it is; two times None where nothing does."""
    if is_dataclass(point) and not isinstance(point, type):
        kinds = {field.name: field.type for field in fields(point) if field.name not in NEVER_SET}
        return (getattr(point, step), kinds[step]) if step in kinds else (None, None)
    for one in point if isinstance(point, tuple) else ():
        if isinstance(one, tuple) and one[0] == step:
            return one[1], type(one[1])
        if is_dataclass(one) and getattr(one, "id", None) == step:
            return one, type(one)
    return None, None


def _extras(ruleset: Ruleset) -> set[str]:
    """The extras on which something in the ruleset depends."""
    extras = [*(bid.extra for bid in ruleset.bids), *(one.extra for one in ruleset.contracts)]
    return {FORCED_SPADILLE, *(extra for extra in extras if extra)}

"""Whether a club's ruleset holds together: its names lead somewhere, in every setting of its switches."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import chain, islice
from textwrap import shorten
from typing import Any, Final

from engine.play.all_pass import FORCED_SPADILLE
from engine.play.auction import PASS, SELF
from engine.rulesets.model import HouseSwitch, Ruleset, SwitchValue
from schemas.wire.wire_faults import WireError, WireFault, quote_value

UNSWITCHABLE_FIELDS: Final = ("id", "revision", "words", "source", "chip", "switches", "clauses")
"""What a ruleset is called and where it is from: no switch sets that."""
SWITCHABLE_TYPES: Final = (bool, int, str, int | None)
"""The kinds of the points that a switch may set."""
MAX_SWITCH_VALUES: Final = 100
"""The most values of a switch that spans no numbers."""

MAX_RULESET_FAULTS: Final = 100
"""The most faults of a ruleset that are named."""
MAX_LISTED_IDS_LENGTH: Final = 500
"""The most letters of the ids that a fault lists."""


def require_coherent_ruleset(ruleset: Ruleset) -> None:
    """Raises `WireError` where a name is used twice, leads nowhere, or a limit is above another."""
    bases = () if ruleset.pool is None else ruleset.pool.bases
    faults = chain(
        _duplicate_id_faults("/bids", [bid.id for bid in ruleset.bids]),
        _duplicate_id_faults("/contracts", [contract.id for contract in ruleset.contracts]),
        _duplicate_id_faults("/naming", [bid for bid, _ in ruleset.naming]),
        _duplicate_id_faults("/tariff", [contract for contract, _ in ruleset.tariff]),
        _duplicate_id_faults("/pool/bases", [contract for contract, _ in bases]),
        _duplicate_id_faults("/switches", [switch.id for switch in ruleset.switches]),
        _bid_faults(ruleset),
        _contract_faults(ruleset),
        _naming_faults(ruleset),
        _penalty_faults(ruleset),
        _forced_bid_faults(ruleset),
    )
    if listed := list(islice(faults, MAX_RULESET_FAULTS)):
        raise WireError(listed)


def _duplicate_id_faults(pointer: str, ids: Iterable[str]) -> Iterator[WireFault]:
    seen: set[str] = set()
    for number, one in enumerate(ids):
        if one in seen:
            yield WireFault(
                f"{pointer}/{number}", quote_value(one), "each name once: it appears here for the second time"
            )
        seen.add(one)


def _bid_faults(ruleset: Ruleset) -> Iterator[WireFault]:
    """A bid needs a word of its own, something that its winner may name, and bids that there are."""
    bids = dict.fromkeys(bid.id for bid in ruleset.bids)
    bids_with_contracts = {bid for bid, names in ruleset.naming if names}
    for number, bid in enumerate(ruleset.bids):
        at = f"/bids/{number}"
        if bid.id in (PASS, SELF):
            yield WireFault(
                f"{at}/id", quote_value(bid.id), "another name: this word has a meaning in every auction"
            )
        elif bid.id not in bids_with_contracts:
            yield WireFault(
                f"{at}/id",
                quote_value(bid.id),
                "the id of a bid for which /naming lists the contracts",
            )
        for field in ("only_over", "as_self_over"):
            for place, other in enumerate(getattr(bid, field)):
                yield from _unknown_id_faults(bids, other, f"{at}/{field}/{place}", "bid")


def _contract_faults(ruleset: Ruleset) -> Iterator[WireFault]:
    contracts = dict.fromkeys(contract.id for contract in ruleset.contracts)
    for number, contract in enumerate(ruleset.contracts):
        at, limits = f"/contracts/{number}", contract.declarer_exchange
        if limits is not None and limits[0] > limits[1]:
            yield WireFault(
                f"{at}/declarer_exchange/min", str(limits[0]), f"a number up to max, which is {limits[1]}"
            )
        if contract.favoured_form:
            yield from _unknown_id_faults(
                contracts, contract.favoured_form, f"{at}/favoured_form", "contract"
            )


def _naming_faults(ruleset: Ruleset) -> Iterator[WireFault]:
    """Where trumps are chosen with the contract, there has to be something to choose from."""
    chosen = {contract.id for contract in ruleset.contracts if contract.trump == "chosen"}
    for number, (_, names) in enumerate(ruleset.naming):
        for place, naming in enumerate(names):
            if naming.contract in chosen and not naming.trumps:
                expected = f"at least one suit: in {naming.contract} trumps are chosen"
                yield WireFault(f"/naming/{number}/names/{place}/trumps", "[]", expected)


def _penalty_faults(ruleset: Ruleset) -> Iterator[WireFault]:
    bids = dict.fromkeys(bid.id for bid in ruleset.bids)
    for number, pair in enumerate(ruleset.penalties.needless if ruleset.penalties else ()):
        for name, bid in zip(("bid", "enough"), pair, strict=True):
            yield from _unknown_id_faults(bids, bid, f"/penalties/needless/{number}/{name}", "bid")


def _forced_bid_faults(ruleset: Ruleset) -> Iterator[WireFault]:
    """Where spadille is forced to play, it plays by some bid."""
    bid, at = ruleset.forced_bid, "/forced_bid"
    if bid:
        yield from _unknown_id_faults(dict.fromkeys(one.id for one in ruleset.bids), bid, at, "bid")
    elif FORCED_SPADILLE in ruleset.extras:
        yield WireFault(at, '""', f"the id of the bid for spadille: the extra {FORCED_SPADILLE} is on")


def _unknown_id_faults(known_ids: dict[str, None], name: str, pointer: str, kind: str) -> Iterator[WireFault]:
    if name not in known_ids:
        ids = shorten(", ".join(known_ids), MAX_LISTED_IDS_LENGTH, placeholder=" …")
        yield WireFault(pointer, quote_value(name), f"the id of a {kind} of this ruleset ({ids})")


# --- Switches -------------------------------------------------------------------------------------


def require_valid_switch(ruleset: Ruleset, switch: HouseSwitch, pointer: str) -> None:
    """Raises `WireError` where a switch cannot be said, sets no single point, or can be nothing."""
    if "_" in switch.id:
        raise WireError.at(f"{pointer}/id", quote_value(switch.id), 'a name with "-" in place of "_"')
    if not _is_switchable_path(ruleset, switch.sets):
        raise WireError.at(f"{pointer}/sets", quote_value(switch.sets), EXPECTED_SWITCH_TARGET)
    if not 1 <= len(switch.values) <= MAX_SWITCH_VALUES:
        raise WireError.at(
            f"{pointer}/values", f"{len(switch.values)} values", f"1 to {MAX_SWITCH_VALUES} values"
        )
    if switch.spans and not _is_number_range(switch.values):
        read = quote_value(list(switch.values))
        expected = "two numbers, the least and the most: this switch takes every number between them"
        raise WireError.at(f"{pointer}/values", read, expected)


EXPECTED_SWITCH_TARGET: Final = (
    "the place of a single point of this ruleset: a flag, a number or a policy, such as sits_out, "
    "tariff.solo.won or extras.favor"
)


def _is_number_range(values: tuple[SwitchValue, ...]) -> bool:
    numbers = [one for one in values if isinstance(one, int) and not isinstance(one, bool)]
    return len(values) == len(numbers) == 2 and numbers[0] <= numbers[1]


def _is_switchable_path(ruleset: Ruleset, path: str) -> bool:
    """Whether the steps of ``path`` lead to a point that can be set on its own."""
    first, _, extra = path.partition(".")
    if first == "extras":
        return extra in _known_extras(ruleset) and "." not in extra
    point: Any = ruleset
    kind: Any = None
    for step in path.split("."):
        point, kind = _get_step(point, step)
    return kind in SWITCHABLE_TYPES


def _get_step(node: Any, step: str) -> tuple[Any, Any]:
    """What lies at ``step`` of a point, and of what kind it is; two times None where nothing does."""
    if is_dataclass(node) and not isinstance(node, type):
        kinds = {field.name: field.type for field in fields(node) if field.name not in UNSWITCHABLE_FIELDS}
        return (getattr(node, step), kinds[step]) if step in kinds else (None, None)
    for one in node if isinstance(node, tuple) else ():
        if isinstance(one, tuple) and one[0] == step:
            return one[1], type(one[1])
        if is_dataclass(one) and getattr(one, "id", None) == step:
            return one, type(one)
    return None, None


def _known_extras(ruleset: Ruleset) -> set[str]:
    """The extras on which something in the ruleset depends."""
    extras = [*(bid.extra for bid in ruleset.bids), *(one.extra for one in ruleset.contracts)]
    return {FORCED_SPADILLE, *(extra for extra in extras if extra)}

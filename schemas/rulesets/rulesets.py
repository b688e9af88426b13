"""Rulesets as JSON: told, and read again from a club's own file.

A club's ruleset is either whole, or says ``based_on``: then it states only what differs. Lists whose
members have a name (bids, contracts, naming, tariff, bases, switches) are bettered member by member,
clauses are added to, everything else takes the place of what was there.
"""

from dataclasses import asdict, fields
from typing import Any, Final

import orjson

from engine.core.cards import SUIT_OF, SUITS
from engine.rulesets import PUBLISHED, Book, Rules, find, rules_of
from engine.rulesets.model import (
    CONTRACT_POLICIES,
    POLICIES,
    Bid,
    Clause,
    Contract,
    GivingUp,
    Naming,
    Penalties,
    Pool,
    Ruleset,
    Slam,
    Surrender,
    Switch,
    Tariff,
)
from engine.rulesets.switches import changed, setting
from schemas.rulesets.coherence import require_coherent, require_switch
from schemas.rulesets.ruleset_values import (
    Json,
    choice,
    flag,
    list_of,
    made_of,
    maybe,
    object_in,
    plain,
    quoted,
    require_known,
    text_in,
    whole,
    words_in,
)
from schemas.wire.doubled_names import doubled_name
from schemas.wire.faults import Fault, WireError, shown, unfit
from schemas.wire.json_text import read_json

FLAGS: Final = ("sitter_pays", "may_yield", "talon_may_be_seen", "remis_en_quatre")
"""The points of a ruleset that are so or not, told among its policies."""
MOST_BYTES: Final = 128 << 10
"""The largest file that is read as a ruleset."""
SWITCH_VALUES: Final = 200
"""The most values of all switches of a ruleset: it is tried with each of them."""


# --- Told -----------------------------------------------------------------------------------------


def ruleset_object(ruleset: Ruleset) -> Json:
    """A ruleset as data; read back by `read_ruleset`."""
    return {
        "id": ruleset.id,
        "revision": ruleset.revision,
        "words": asdict(ruleset.words),
        "source": ruleset.source,
        "chip": asdict(ruleset.chip),
        "bids": [{**asdict(bid), "only_over": list(bid.only_over), "as_self_over": list(bid.as_self_over)}
                 for bid in ruleset.bids],
        "contracts": [_contract(contract) for contract in ruleset.contracts],
        "naming": [{"bid": bid, "names": [_naming(one) for one in names]} for bid, names in ruleset.naming],
        "tariff": [{"contract": name, **asdict(tariff), "codille": list(tariff.codille)}
                   for name, tariff in ruleset.tariff],
        "pool": ruleset.pool and _pool(ruleset.pool),
        "slam": ruleset.slam and asdict(ruleset.slam),
        "giving_up": ruleset.giving_up and asdict(ruleset.giving_up),
        "surrender": ruleset.surrender and asdict(ruleset.surrender),
        "penalties": ruleset.penalties and _penalties(ruleset.penalties),
        "forced_bid": ruleset.forced_bid,
        "extras": list(ruleset.extras),
        "policies": {name: getattr(ruleset, name) for name in (*POLICIES, *FLAGS)},
        "switches": [_switch(ruleset, switch) for switch in ruleset.switches],
        "clauses": [{**asdict(clause), "on": list(clause.on)} for clause in ruleset.clauses],
    }  # fmt: skip


def _contract(contract: Contract) -> Json:
    limits = contract.declarer_exchange
    told = None if limits is None else {"min": limits[0], "max": limits[1]}
    return {**asdict(contract), "declarer_exchange": told}


def _naming(naming: Naming) -> Json:
    return {"contract": naming.contract, "trumps": sorted(SUITS[trump] for trump in naming.trumps)}


def _pool(pool: Pool) -> Json:
    return {**asdict(pool), "bases": [{"contract": name, "worth": worth} for name, worth in pool.bases]}


def _penalties(penalties: Penalties) -> Json:
    needless = [{"bid": bid, "enough": enough} for bid, enough in penalties.needless]
    return {"points": penalties.points, "needless": needless, "suit_named": penalties.suit_named}


def _switch(ruleset: Ruleset, switch: Switch) -> Json:
    return {
        "id": switch.id,
        "words": asdict(switch.words),
        "sets": switch.sets,
        "values": list(switch.values),
        "spans": switch.spans,
        "stands": setting(ruleset, switch),
    }


# --- Read -----------------------------------------------------------------------------------------


def read_ruleset_file(text: bytes, book: Book = PUBLISHED) -> Rules:
    """A club's own ruleset, ready to fold with.

    Raises:
        WireError: it is no ruleset; the faults say where, what was read and what was expected.
    """
    if len(text) > MOST_BYTES:
        raise unfit(f"{len(text)} bytes", f"a ruleset of at most {MOST_BYTES} bytes")
    try:
        said = read_json(text)
    except orjson.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        raise WireError([Fault("", f"line {line}, column {column}", f"JSON ({error.msg})")]) from None
    doubled = doubled_name(text, said)
    if doubled is not None:
        raise WireError([Fault(doubled.pointer, "the same name twice", "each name once in an object")])
    return rules_of(read_ruleset(said, book))


def read_ruleset(said: Any, book: Book = PUBLISHED) -> Ruleset:
    """A ruleset as `ruleset_object` tells it, or based on one of ``book``. Raises `WireError`."""
    if not isinstance(said, dict):
        raise unfit(said, "a ruleset: an object with an id")
    if (size := len(orjson.dumps(said))) > MOST_BYTES:
        raise unfit(f"{size} bytes", f"a ruleset of at most {MOST_BYTES} bytes")
    named = text_in(said.get("id"), "/id", "an id of its own, such as our-club")
    if any(rules.ruleset.id == named for rules in PUBLISHED):
        raise WireError([Fault("/id", f'"{named}"', "an id of its own: this one is published")])
    ruleset = _coherent(_bettered(said, book) if "based_on" in said else said)
    for number, switch in enumerate(ruleset.switches):
        require_switch(ruleset, switch, f"/switches/{number}")
    values = sum(len(switch.values) for switch in ruleset.switches)
    if values > SWITCH_VALUES:
        expected = f"at most {SWITCH_VALUES} values of all switches together"
        raise WireError([Fault("/switches", f"{values} values", expected)])
    for number, switch in enumerate(ruleset.switches):
        _require_settable(ruleset, switch, f"/switches/{number}/values")
    return ruleset


def _coherent(said: Json) -> Ruleset:
    """A ruleset that is stated whole. Raises `WireError` where it does not hold together."""
    try:
        ruleset = _ruleset(said)
    except ValueError as error:
        if isinstance(error, WireError):
            raise
        raise WireError([Fault("", "this ruleset", f"one that holds together: {error}")]) from None
    require_coherent(ruleset)
    return ruleset


def _require_settable(ruleset: Ruleset, switch: Switch, at: str) -> None:
    """Raises `WireError` unless the ruleset could as well be stated with each value of the switch.

    Of a span the ends are looked at: what bounds a number bounds all between.
    """
    for number, value in enumerate(switch.values):
        try:
            _coherent(ruleset_object(changed(ruleset, switch.sets.split("."), value)))
        except WireError as error:
            expected = f"what {switch.sets} can be: {error.faults[0].expected}"
        except ValueError as error:
            expected = f"what {switch.sets} can be: {error}"
        else:
            continue
        raise WireError([Fault(f"{at}/{number}", shown(value), expected)])


KEYS: Final = {
    "bids": "id",
    "contracts": "id",
    "naming": "bid",
    "tariff": "contract",
    "switches": "id",
    "bases": "contract",
}
"""By what the members of a list are told apart."""


def _bettered(said: Json, book: Book) -> Json:
    """The ruleset that ``said`` is based on, with what it says in place of what was there."""
    base = find(book, str(said["based_on"]), said.get("based_on_revision"))
    if base is None:
        ids = ", ".join(dict.fromkeys(rules.ruleset.id for rules in book))
        raise WireError([Fault("/based_on", f'"{said["based_on"]}"', f"the id of a ruleset: {ids}")])
    whole = {**ruleset_object(base.ruleset), "revision": 1}
    for name, value in said.items():
        if name not in ("based_on", "based_on_revision"):
            whole[name] = _merged(name, whole.get(name), value)
    return whole


def _merged(name: str, was: Any, now: Any) -> Any:
    if name == "clauses" and isinstance(was, list) and isinstance(now, list):
        return [*was, *now]
    if name in KEYS and isinstance(was, list) and isinstance(now, list):
        key = KEYS[name]
        members = {one[key]: one for one in was}
        for one in now:
            if isinstance(one, dict) and isinstance(one.get(key), str):
                members[one[key]] = {**members.get(one[key], {}), **one}
            else:
                members[len(members)] = one
        return list(members.values())
    if isinstance(was, dict) and isinstance(now, dict):
        return {**was, **{inner: _merged(inner, was.get(inner), value) for inner, value in now.items()}}
    return now


def _ruleset(said: Json) -> Ruleset:
    known = (
        *(one.name for one in fields(Ruleset) if one.name not in (*POLICIES, *FLAGS)),
        "policies",
        "links",
    )
    require_known(said, known, "")
    policies = object_in(said.get("policies", {}), "/policies", (*POLICIES, *FLAGS))
    given: Json = {
        "id": text_in(said.get("id"), "/id", "an id"),
        "revision": whole(said.get("revision", 1), "/revision"),
        "words": words_in(said.get("words"), "/words"),
        "source": text_in(said.get("source"), "/source", "where the rules are written down"),
        "bids": list_of(said.get("bids"), "/bids", _bid),
        "contracts": list_of(said.get("contracts"), "/contracts", _read_contract),
        "naming": list_of(said.get("naming"), "/naming", _read_naming),
        "tariff": list_of(said.get("tariff", []), "/tariff", _tariff),
        "pool": maybe(said.get("pool"), "/pool", _read_pool),
        "slam": maybe(said.get("slam"), "/slam", lambda one, at: plain(Slam, one, at)),
        "giving_up": maybe(said.get("giving_up"), "/giving_up", lambda one, at: plain(GivingUp, one, at)),
        "surrender": maybe(said.get("surrender"), "/surrender", lambda one, at: plain(Surrender, one, at)),
        "penalties": maybe(said.get("penalties"), "/penalties", _read_penalties),
        "forced_bid": text_in(said.get("forced_bid", ""), "/forced_bid", "the id of a bid", empty=True),
        "extras": list_of(said.get("extras", []), "/extras", lambda one, at: text_in(one, at, "an extra")),
        "switches": list_of(said.get("switches", []), "/switches", _read_switch),
        "chip": words_in(said.get("chip", {"en": "chip", "da": "jeton"}), "/chip"),
        "clauses": list_of(said.get("clauses", []), "/clauses", lambda one, at: plain(Clause, one, at)),
    }
    for name, value in policies.items():
        at = f"/policies/{name}"
        given[name] = flag(value, at) if name in FLAGS else choice(value, at, POLICIES[name])
    return Ruleset(**given)


def _bid(said: Any, at: str) -> Bid:
    return plain(Bid, said, at)


def _read_contract(said: Any, at: str) -> Contract:
    told = object_in(said, at, tuple(one.name for one in fields(Contract)))
    limits = told.get("declarer_exchange")
    if limits is not None:
        pair = object_in(limits, f"{at}/declarer_exchange", ("min", "max"))
        told["declarer_exchange"] = tuple(
            whole(pair.get(end), f"{at}/declarer_exchange/{end}") for end in ("min", "max")
        )
    for point, known in CONTRACT_POLICIES.items():
        if point in told:
            choice(told[point], f"{at}/{point}", known)
    return made_of(Contract, told, at, skip=("declarer_exchange",))


def _read_naming(said: Any, at: str) -> tuple[str, tuple[Naming, ...]]:
    told = object_in(said, at, ("bid", "names"))
    return text_in(told.get("bid"), f"{at}/bid", "the id of a bid"), list_of(
        told.get("names"), f"{at}/names", _nameable
    )


def _nameable(said: Any, at: str) -> Naming:
    told = object_in(said, at, ("contract", "trumps"))
    suits = list_of(
        told.get("trumps", []), f"{at}/trumps", lambda one, there: SUIT_OF[choice(one, there, tuple(SUITS))]
    )
    return Naming(text_in(told.get("contract"), f"{at}/contract", "the id of a contract"), suits)


def _tariff(said: Any, at: str) -> tuple[str, Tariff]:
    told = object_in(said, at, ("contract", "won", "bete", "codille", "most"))
    chips = {
        name: None if told.get(name) is None else whole(told[name], f"{at}/{name}")
        for name in ("won", "bete")
    }
    codille = list_of(told.get("codille", []), f"{at}/codille", whole)
    most = whole(told.get("most", 0), f"{at}/most")
    name = text_in(told.get("contract"), f"{at}/contract", "the id of a contract")
    return name, Tariff(chips["won"], chips["bete"], codille, most)


def _read_pool(said: Any, at: str) -> Pool:
    told = object_in(said, at, tuple(one.name for one in fields(Pool)))
    told["bases"] = list_of(told.get("bases"), f"{at}/bases", _base)
    return made_of(Pool, told, at, skip=("bases",))


def _base(said: Any, at: str) -> tuple[str, int]:
    told = object_in(said, at, ("contract", "worth"))
    name = text_in(told.get("contract"), f"{at}/contract", "the id of a contract")
    return name, whole(told.get("worth"), f"{at}/worth")


def _read_penalties(said: Any, at: str) -> Penalties:
    told = object_in(said, at, ("points", "needless", "suit_named"))
    needless = list_of(told.get("needless", []), f"{at}/needless", _needless)
    points = whole(told.get("points", 1), f"{at}/points")
    return Penalties(points, needless, flag(told.get("suit_named", False), f"{at}/suit_named"))


def _needless(said: Any, at: str) -> tuple[str, str]:
    told = object_in(said, at, ("bid", "enough"))
    bid, enough = (text_in(told.get(name), f"{at}/{name}", "the id of a bid") for name in ("bid", "enough"))
    return bid, enough


def _read_switch(said: Any, at: str) -> Switch:
    told = object_in(said, at, ("id", "words", "sets", "values", "spans", "stands"))
    told.pop("stands", None)
    told["words"] = words_in(told.get("words"), f"{at}/words")
    told["values"] = list_of(told.get("values"), f"{at}/values", _value)
    return made_of(Switch, told, at, skip=("words", "values"))


def _value(said: Any, at: str) -> bool | int | str:
    if isinstance(said, (bool, int, str)):
        return said
    raise WireError([Fault(at, quoted(said), "a flag, a number or a word")])

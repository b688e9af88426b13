"""Rulesets as JSON: told, and read again from a club's own file.

A club's ruleset is either whole, or says ``based_on``: then it states only what differs. Lists whose
members have a name (bids, contracts, naming, tariff, bases, switches) are bettered member by member,
clauses are added to, everything else takes the place of what was there.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, asdict, fields
from typing import Any, Final, TypeVar

import orjson

from engine.cards import SUIT_OF, SUITS
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
    Words,
)
from engine.rulesets.switches import setting
from schemas.faults import Fault, WireError, unfit

Json = dict[str, Any]
Made = TypeVar("Made")

FLAGS: Final = ("sitter_pays", "may_yield", "talon_may_be_seen", "remis_en_quatre")
"""The points of a ruleset that are so or not, told among its policies."""
MOST_BYTES: Final = 1_000_000
"""The largest file that is read as a ruleset."""


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
        "clauses": [asdict(clause) for clause in ruleset.clauses],
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
        said = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        raise WireError([Fault("", f"line {line}, column {column}", f"JSON ({error.msg})")]) from None
    return rules_of(read_ruleset(said, book))


def read_ruleset(said: Any, book: Book = PUBLISHED) -> Ruleset:
    """A ruleset as `ruleset_object` tells it, or based on one of ``book``. Raises `WireError`."""
    if not isinstance(said, dict):
        raise unfit(said, "a ruleset: an object with an id")
    named = _text(said.get("id"), "/id", "an id of its own, such as our-club")
    if any(rules.ruleset.id == named for rules in PUBLISHED):
        raise WireError([Fault("/id", f'"{named}"', "an id of its own: this one is published")])
    whole = _bettered(said, book) if "based_on" in said else said
    try:
        return _ruleset(whole)
    except ValueError as error:
        if isinstance(error, WireError):
            raise
        raise WireError([Fault("", "this ruleset", f"one that holds together: {error}")]) from None


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
    _only(said, known, "")
    policies = _object(said.get("policies", {}), "/policies", (*POLICIES, *FLAGS))
    given: Json = {
        "id": _text(said.get("id"), "/id", "an id"),
        "revision": _whole(said.get("revision", 1), "/revision"),
        "words": _words(said.get("words"), "/words"),
        "source": _text(said.get("source"), "/source", "where the rules are written down"),
        "bids": _list(said.get("bids"), "/bids", _bid),
        "contracts": _list(said.get("contracts"), "/contracts", _read_contract),
        "naming": _list(said.get("naming"), "/naming", _read_naming),
        "tariff": _list(said.get("tariff", []), "/tariff", _tariff),
        "pool": _maybe(said.get("pool"), "/pool", _read_pool),
        "slam": _maybe(said.get("slam"), "/slam", lambda one, at: _plain(Slam, one, at)),
        "giving_up": _maybe(said.get("giving_up"), "/giving_up", lambda one, at: _plain(GivingUp, one, at)),
        "surrender": _maybe(said.get("surrender"), "/surrender", lambda one, at: _plain(Surrender, one, at)),
        "penalties": _maybe(said.get("penalties"), "/penalties", _read_penalties),
        "forced_bid": _text(said.get("forced_bid", ""), "/forced_bid", "the id of a bid", empty=True),
        "extras": _list(said.get("extras", []), "/extras", lambda one, at: _text(one, at, "an extra")),
        "switches": _list(said.get("switches", []), "/switches", _read_switch),
        "chip": _words(said.get("chip", {"en": "chip", "da": "jeton"}), "/chip"),
        "clauses": _list(said.get("clauses", []), "/clauses", lambda one, at: _plain(Clause, one, at)),
    }
    for name, value in policies.items():
        at = f"/policies/{name}"
        given[name] = _flag(value, at) if name in FLAGS else _choice(value, at, POLICIES[name])
    return Ruleset(**given)


def _bid(said: Any, at: str) -> Bid:
    return _plain(Bid, said, at)


def _read_contract(said: Any, at: str) -> Contract:
    told = _object(said, at, tuple(one.name for one in fields(Contract)))
    limits = told.get("declarer_exchange")
    if limits is not None:
        pair = _object(limits, f"{at}/declarer_exchange", ("min", "max"))
        told["declarer_exchange"] = tuple(
            _whole(pair.get(end), f"{at}/declarer_exchange/{end}") for end in ("min", "max")
        )
    for point, known in CONTRACT_POLICIES.items():
        if point in told:
            _choice(told[point], f"{at}/{point}", known)
    return _made(Contract, told, at, skip=("declarer_exchange",))


def _read_naming(said: Any, at: str) -> tuple[str, tuple[Naming, ...]]:
    told = _object(said, at, ("bid", "names"))
    return _text(told.get("bid"), f"{at}/bid", "the id of a bid"), _list(
        told.get("names"), f"{at}/names", _nameable
    )


def _nameable(said: Any, at: str) -> Naming:
    told = _object(said, at, ("contract", "trumps"))
    suits = _list(
        told.get("trumps", []), f"{at}/trumps", lambda one, there: SUIT_OF[_choice(one, there, SUITS)]
    )
    return Naming(_text(told.get("contract"), f"{at}/contract", "the id of a contract"), suits)


def _tariff(said: Any, at: str) -> tuple[str, Tariff]:
    told = _object(said, at, ("contract", "won", "bete", "codille", "most"))
    chips = {
        name: None if told.get(name) is None else _whole(told[name], f"{at}/{name}")
        for name in ("won", "bete")
    }
    codille = _list(told.get("codille", []), f"{at}/codille", _whole)
    most = _whole(told.get("most", 0), f"{at}/most")
    name = _text(told.get("contract"), f"{at}/contract", "the id of a contract")
    return name, Tariff(chips["won"], chips["bete"], codille, most)


def _read_pool(said: Any, at: str) -> Pool:
    told = _object(said, at, tuple(one.name for one in fields(Pool)))
    told["bases"] = _list(told.get("bases"), f"{at}/bases", _base)
    return _made(Pool, told, at, skip=("bases",))


def _base(said: Any, at: str) -> tuple[str, int]:
    told = _object(said, at, ("contract", "worth"))
    name = _text(told.get("contract"), f"{at}/contract", "the id of a contract")
    return name, _whole(told.get("worth"), f"{at}/worth")


def _read_penalties(said: Any, at: str) -> Penalties:
    told = _object(said, at, ("points", "needless", "suit_named"))
    needless = _list(told.get("needless", []), f"{at}/needless", _needless)
    points = _whole(told.get("points", 1), f"{at}/points")
    return Penalties(points, needless, _flag(told.get("suit_named", False), f"{at}/suit_named"))


def _needless(said: Any, at: str) -> tuple[str, str]:
    told = _object(said, at, ("bid", "enough"))
    bid, enough = (_text(told.get(name), f"{at}/{name}", "the id of a bid") for name in ("bid", "enough"))
    return bid, enough


def _read_switch(said: Any, at: str) -> Switch:
    told = _object(said, at, ("id", "words", "sets", "values", "spans", "stands"))
    told.pop("stands", None)
    told["words"] = _words(told.get("words"), f"{at}/words")
    told["values"] = _list(told.get("values"), f"{at}/values", _value)
    return _made(Switch, told, at, skip=("words", "values"))


def _value(said: Any, at: str) -> bool | int | str:
    if isinstance(said, (bool, int, str)):
        return said
    raise WireError([Fault(at, _shown(said), "a flag, a number or a word")])


def _words(said: Any, at: str) -> Words:
    return _plain(Words, said, at)


# --- The kinds of values --------------------------------------------------------------------------


def _plain(made: type[Made], said: Any, at: str) -> Made:
    """A dataclass whose fields are texts, numbers, flags, words, or lists of texts."""
    return _made(made, _object(said, at, tuple(one.name for one in fields(made))), at)  # type: ignore[arg-type]


def _made(made: type[Made], told: Json, at: str, skip: tuple[str, ...] = ()) -> Made:
    given: Json = {}
    for field in fields(made):  # type: ignore[arg-type]
        there = f"{at}/{field.name}"
        if field.name not in told:
            if field.default is MISSING and field.default_factory is MISSING:
                raise WireError([Fault(there, "nothing", "a value")])
        elif field.name in skip:
            given[field.name] = told[field.name]
        else:
            given[field.name] = _field(str(field.type), told[field.name], there)
    return made(**given)


def _field(kind: str, said: Any, at: str) -> Any:
    if said is None and "None" in kind:
        return None
    if "Words" in kind:
        return _words(said, at)
    if kind.startswith("<class 'bool'") or kind == "bool":
        return _flag(said, at)
    if "tuple[str" in kind:
        return _list(said, at, lambda one, there: _text(one, there, "a word"))
    if "int" in kind:
        return _whole(said, at)
    return _text(said, at, "a text", empty=True)


def _object(said: Any, at: str, known: Iterable[str]) -> Json:
    if not isinstance(said, dict):
        raise WireError([Fault(at, _shown(said), "an object")])
    _only(said, known, at)
    return dict(said)


def _only(said: Mapping[str, Any], known: Iterable[str], at: str) -> None:
    strange = [name for name in said if name not in set(known)]
    if strange:
        expected = f"one of {', '.join(known)}, or leave it out"
        raise WireError([Fault(f"{at}/{name}", f'"{name}"', expected, of_name=True) for name in strange[:5]])


def _list(said: Any, at: str, read: Callable[[Any, str], Any]) -> tuple[Any, ...]:
    if not isinstance(said, list):
        raise WireError([Fault(at, _shown(said), "a list")])
    return tuple(read(one, f"{at}/{number}") for number, one in enumerate(said))


def _maybe(said: Any, at: str, read: Callable[[Any, str], Any]) -> Any:
    return None if said is None else read(said, at)


def _text(said: Any, at: str, expected: str, *, empty: bool = False) -> str:
    if isinstance(said, str) and (said or empty) and len(said) <= 2000:
        return said
    raise WireError([Fault(at, _shown(said), expected)])


def _whole(said: Any, at: str) -> int:
    if isinstance(said, int) and not isinstance(said, bool) and 0 <= said <= 1_000_000:
        return said
    raise WireError([Fault(at, _shown(said), "a whole number from 0 on")])


def _flag(said: Any, at: str) -> bool:
    if isinstance(said, bool):
        return said
    raise WireError([Fault(at, _shown(said), "true or false")])


def _choice(said: Any, at: str, known: Iterable[str]) -> str:
    if isinstance(said, str) and said in known:
        return said
    raise WireError([Fault(at, _shown(said), f"one of {', '.join(known)}")])


def _shown(said: Any) -> str:
    return unfit(said, "").faults[0].read if said is not None else "nothing"

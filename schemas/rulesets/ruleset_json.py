"""Rulesets as JSON: written, and read from a club's own file.

A club's ruleset is either whole, or has ``based_on`` and states only what differs. Lists whose members have a
name (bids, contracts, naming, tariff, bases, switches) are merged member by member, clauses are added, and
everything else is replaced.
"""

from dataclasses import asdict, fields
from functools import partial
from typing import Any, Final

import orjson

from engine.core.cards import SUIT_BY_LETTER, SUIT_LETTERS
from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset, RulesetBook, compile_ruleset, find_ruleset
from engine.rulesets.model import (
    Bid,
    Clause,
    Contract,
    GivingUpTerms,
    HouseSwitch,
    Naming,
    PenaltyTerms,
    PoolTerms,
    Ruleset,
    SlamTerms,
    SurrenderTerms,
    Tariff,
)
from engine.rulesets.policies import CONTRACT_POLICIES, POLICIES
from engine.rulesets.switches import replace_at_path, switch_setting
from schemas.i18n.catalogs import MESSAGE_LANGUAGES, gettext
from schemas.rulesets.ruleset_validation import require_coherent_ruleset, require_valid_switch
from schemas.rulesets.ruleset_values import (
    Json,
    build_dataclass,
    field_names,
    quote_or_no_value,
    read_bilingual_text,
    read_choice,
    read_dataclass,
    read_flag,
    read_integer,
    read_list,
    read_object,
    read_optional,
    read_text,
    require_known_names,
)
from schemas.wire.json_text import find_duplicate_name, parse_json
from schemas.wire.wire_faults import WireError, quote_value, unexpected_value_error

FLAG_POLICIES: Final = ("sitter_pays", "may_yield", "talon_may_be_seen", "remis_en_quatre")
"""The flags of a ruleset, written among its policies."""
MAX_RULESET_BYTES: Final = 128 << 10
"""The largest file that is read as a ruleset."""
MAX_SWITCH_VALUES_IN_ALL: Final = 200
"""The most values of all switches of a ruleset: it is tried with each of them."""


# --- Write ----------------------------------------------------------------------------------------


def ruleset_object(ruleset: Ruleset) -> Json:
    """A ruleset as data; read back by `read_ruleset`."""
    return {
        "id": ruleset.id,
        "revision": ruleset.revision,
        "words": words_object(ruleset.words),
        "source": ruleset.source,
        "chip": words_object(ruleset.chip),
        "bids": [_bid_object(bid) for bid in ruleset.bids],
        "contracts": [_contract_object(contract) for contract in ruleset.contracts],
        "naming": [{"bid": bid, "names": [_naming_object(one) for one in names]}
                   for bid, names in ruleset.naming],
        "tariff": [{"contract": name, **asdict(tariff), "codille": list(tariff.codille)}
                   for name, tariff in ruleset.tariff],
        "pool": ruleset.pool and _pool_object(ruleset.pool),
        "slam": ruleset.slam and asdict(ruleset.slam),
        "giving_up": ruleset.giving_up and asdict(ruleset.giving_up),
        "surrender": ruleset.surrender and asdict(ruleset.surrender),
        "penalties": ruleset.penalties and _penalties_object(ruleset.penalties),
        "forced_bid": ruleset.forced_bid,
        "extras": list(ruleset.extras),
        "policies": {name: getattr(ruleset, name) for name in (*POLICIES, *FLAG_POLICIES)},
        "switches": [_switch_object(ruleset, switch) for switch in ruleset.switches],
        "clauses": [{**asdict(clause), "on": list(clause.on)} for clause in ruleset.clauses],
    }  # fmt: skip


def words_object(text: str) -> Json:
    """What a ruleset calls something, in each language; read back by `read_bilingual_text`."""
    return {lang: gettext(text, lang) for lang in MESSAGE_LANGUAGES}


def _bid_object(bid: Bid) -> Json:
    over = {"only_over": list(bid.only_over), "as_self_over": list(bid.as_self_over)}
    return {**asdict(bid), "words": words_object(bid.words), **over}


def _contract_object(contract: Contract) -> Json:
    limits = contract.declarer_exchange
    exchange = None if limits is None else {"min": limits[0], "max": limits[1]}
    return {**asdict(contract), "words": words_object(contract.words), "declarer_exchange": exchange}


def _naming_object(naming: Naming) -> Json:
    return {"contract": naming.contract, "trumps": sorted(SUIT_LETTERS[trump] for trump in naming.trumps)}


def _pool_object(pool: PoolTerms) -> Json:
    return {**asdict(pool), "bases": [{"contract": name, "worth": worth} for name, worth in pool.bases]}


def _penalties_object(penalties: PenaltyTerms) -> Json:
    needless_bids = [{"bid": bid, "enough": enough} for bid, enough in penalties.needless]
    return {"points": penalties.points, "needless": needless_bids, "suit_named": penalties.suit_named}


def _switch_object(ruleset: Ruleset, switch: HouseSwitch) -> Json:
    return {
        "id": switch.id,
        "words": words_object(switch.words),
        "sets": switch.sets,
        "values": list(switch.values),
        "spans": switch.spans,
        "stands": switch_setting(ruleset, switch),
    }


# --- Read -----------------------------------------------------------------------------------------


def parse_ruleset_file(text: bytes, book: RulesetBook = PUBLISHED_RULESETS) -> CompiledRuleset:
    """A club's own ruleset, ready to fold with. Raises `WireError`."""
    if len(text) > MAX_RULESET_BYTES:
        raise unexpected_value_error(f"{len(text)} bytes", f"a ruleset of at most {MAX_RULESET_BYTES} bytes")
    try:
        data = parse_json(text)
    except orjson.JSONDecodeError as error:
        line, column = error.lineno, error.colno
        raise WireError.at("", f"line {line}, column {column}", f"JSON ({error.msg})") from None
    doubled = find_duplicate_name(text, data)
    if doubled is not None:
        raise WireError.at(doubled.pointer, "each name once in an object", "each name once in an object")
    return compile_ruleset(read_ruleset(data, book))


def read_ruleset(data: Any, book: RulesetBook = PUBLISHED_RULESETS) -> Ruleset:
    """A ruleset as `ruleset_object` writes it, or based on one of ``book``. Raises `WireError`."""
    if not isinstance(data, dict):
        raise unexpected_value_error(data, "a ruleset: an object with an id")
    if (size := len(orjson.dumps(data))) > MAX_RULESET_BYTES:
        raise unexpected_value_error(f"{size} bytes", f"a ruleset of at most {MAX_RULESET_BYTES} bytes")
    ruleset_id = read_text(data.get("id"), "/id", "an unused id, such as our-club")
    if any(rules.ruleset.id == ruleset_id for rules in PUBLISHED_RULESETS):
        raise WireError.at("/id", f'"{ruleset_id}"', "another id: this one is published")
    ruleset = _read_coherent_ruleset(_merge_with_base(data, book) if "based_on" in data else data)
    for number, switch in enumerate(ruleset.switches):
        require_valid_switch(ruleset, switch, f"/switches/{number}")
    values = sum(len(switch.values) for switch in ruleset.switches)
    if values > MAX_SWITCH_VALUES_IN_ALL:
        expected = f"at most {MAX_SWITCH_VALUES_IN_ALL} values for all switches together"
        raise WireError.at("/switches", f"{values} values", expected)
    for number, switch in enumerate(ruleset.switches):
        _require_settable_values(ruleset, switch, f"/switches/{number}/values")
    return ruleset


def _read_coherent_ruleset(data: Json) -> Ruleset:
    """A ruleset that is stated whole. Raises `WireError` where it does not hold together."""
    try:
        ruleset = _read_whole_ruleset(data)
    except ValueError as error:
        if isinstance(error, WireError):
            raise
        raise WireError.at("", "this ruleset", f"a consistent ruleset: {error}") from None
    require_coherent_ruleset(ruleset)
    return ruleset


def _require_settable_values(ruleset: Ruleset, switch: HouseSwitch, pointer: str) -> None:
    """Raises `WireError` unless the ruleset could as well be stated with each value of the switch.

    Of a span the ends are looked at: what bounds a number bounds all between.
    """
    for number, value in enumerate(switch.values):
        try:
            _read_coherent_ruleset(ruleset_object(replace_at_path(ruleset, switch.sets.split("."), value)))
        except WireError as error:
            expected = f"a value of {switch.sets}: {error.faults[0].expected}"
        except ValueError as error:
            expected = f"a value of {switch.sets}: {error}"
        else:
            continue
        raise WireError.at(f"{pointer}/{number}", quote_value(value), expected)


MEMBER_ID_FIELDS: Final = {
    "bids": "id",
    "contracts": "id",
    "naming": "bid",
    "tariff": "contract",
    "switches": "id",
    "bases": "contract",
}
"""The field that identifies the members of a list."""


def _merge_with_base(data: Json, book: RulesetBook) -> Json:
    """The ruleset that ``data`` is based on, with what it says in place of what was there."""
    base = find_ruleset(book, str(data["based_on"]), data.get("based_on_revision"))
    if base is None:
        ids = ", ".join(dict.fromkeys(rules.ruleset.id for rules in book))
        raise WireError.at("/based_on", f'"{data["based_on"]}"', f"the id of a ruleset: {ids}")
    merged = {**ruleset_object(base.ruleset), "revision": 1}
    for name, value in data.items():
        if name not in ("based_on", "based_on_revision"):
            merged[name] = _merge_values(name, merged.get(name), value)
    return merged


def _merge_values(name: str, base_value: Any, new_value: Any) -> Any:
    if name == "clauses" and isinstance(base_value, list) and isinstance(new_value, list):
        return [*base_value, *new_value]
    if name in MEMBER_ID_FIELDS and isinstance(base_value, list) and isinstance(new_value, list):
        key = MEMBER_ID_FIELDS[name]
        members = {one[key]: one for one in base_value}
        for one in new_value:
            if isinstance(one, dict) and isinstance(one.get(key), str):
                members[one[key]] = {**members.get(one[key], {}), **one}
            else:
                members[len(members)] = one
        return list(members.values())
    if isinstance(base_value, dict) and isinstance(new_value, dict):
        merged = dict(base_value)
        for member, value in new_value.items():
            merged[member] = _merge_values(member, base_value.get(member), value)
        return merged
    return new_value


def _read_whole_ruleset(data: Json) -> Ruleset:
    policy_names = (*POLICIES, *FLAG_POLICIES)
    own_names = [one.name for one in fields(Ruleset) if one.name not in policy_names]
    require_known_names(data, (*own_names, "policies", "links"), "")
    policies = read_object(data.get("policies", {}), "/policies", policy_names)
    values: Json = {
        "id": read_text(data.get("id"), "/id", "an id"),
        "revision": read_integer(data.get("revision", 1), "/revision"),
        "words": read_bilingual_text(data.get("words"), "/words"),
        "source": read_text(data.get("source"), "/source", "the source of the rules"),
        "bids": read_list(data.get("bids"), "/bids", partial(read_dataclass, Bid)),
        "contracts": read_list(data.get("contracts"), "/contracts", _read_contract),
        "naming": read_list(data.get("naming"), "/naming", _read_naming),
        "tariff": read_list(data.get("tariff", []), "/tariff", _read_tariff),
        "pool": read_optional(data.get("pool"), "/pool", _read_pool),
        "slam": read_optional(data.get("slam"), "/slam", partial(read_dataclass, SlamTerms)),
        "giving_up": read_optional(
            data.get("giving_up"), "/giving_up", partial(read_dataclass, GivingUpTerms)
        ),
        "surrender": read_optional(
            data.get("surrender"), "/surrender", partial(read_dataclass, SurrenderTerms)
        ),
        "penalties": read_optional(data.get("penalties"), "/penalties", _read_penalties),
        "forced_bid": read_text(
            data.get("forced_bid", ""), "/forced_bid", "the id of a bid", allow_empty=True
        ),
        "extras": read_list(data.get("extras", []), "/extras", partial(read_text, expected="an extra")),
        "switches": read_list(data.get("switches", []), "/switches", _read_switch),
        "chip": read_bilingual_text(data.get("chip", {"en": "chip", "da": "jeton"}), "/chip"),
        "clauses": read_list(data.get("clauses", []), "/clauses", partial(read_dataclass, Clause)),
    }
    for name, value in policies.items():
        at = f"/policies/{name}"
        values[name] = (
            read_flag(value, at) if name in FLAG_POLICIES else read_choice(value, at, POLICIES[name])
        )
    return Ruleset(**values)


def _read_contract(data: Any, pointer: str) -> Contract:
    obj = read_object(data, pointer, field_names(Contract))
    limits = obj.get("declarer_exchange")
    if limits is not None:
        pair = read_object(limits, f"{pointer}/declarer_exchange", ("min", "max"))
        obj["declarer_exchange"] = tuple(
            read_integer(pair.get(end), f"{pointer}/declarer_exchange/{end}") for end in ("min", "max")
        )
    for point, known in CONTRACT_POLICIES.items():
        if point in obj:
            read_choice(obj[point], f"{pointer}/{point}", known)
    return build_dataclass(Contract, obj, pointer, already_read=("declarer_exchange",))


def _read_id(obj: Json, name: str, pointer: str, kind: str) -> str:
    """The member ``name`` of ``obj``, which is the id of a bid or a contract."""
    return read_text(obj.get(name), f"{pointer}/{name}", f"the id of a {kind}")


def _read_naming(data: Any, pointer: str) -> tuple[str, tuple[Naming, ...]]:
    obj = read_object(data, pointer, ("bid", "names"))
    bid = _read_id(obj, "bid", pointer, "bid")
    return bid, read_list(obj.get("names"), f"{pointer}/names", _read_nameable_contract)


def _read_nameable_contract(data: Any, pointer: str) -> Naming:
    obj = read_object(data, pointer, ("contract", "trumps"))
    suits = read_list(
        obj.get("trumps", []),
        f"{pointer}/trumps",
        lambda one, place: SUIT_BY_LETTER[read_choice(one, place, tuple(SUIT_LETTERS))],
    )
    return Naming(_read_id(obj, "contract", pointer, "contract"), suits)


def _read_tariff(data: Any, pointer: str) -> tuple[str, Tariff]:
    obj = read_object(data, pointer, ("contract", "won", "bete", "codille", "most"))
    won = read_optional(obj.get("won"), f"{pointer}/won", read_integer)
    bete = read_optional(obj.get("bete"), f"{pointer}/bete", read_integer)
    codille = read_list(obj.get("codille", []), f"{pointer}/codille", read_integer)
    max_chips = read_integer(obj.get("most", 0), f"{pointer}/most")
    name = _read_id(obj, "contract", pointer, "contract")
    return name, Tariff(won, bete, codille, max_chips)


def _read_pool(data: Any, pointer: str) -> PoolTerms:
    obj = read_object(data, pointer, field_names(PoolTerms))
    obj["bases"] = read_list(obj.get("bases"), f"{pointer}/bases", _read_base)
    return build_dataclass(PoolTerms, obj, pointer, already_read=("bases",))


def _read_base(data: Any, pointer: str) -> tuple[str, int]:
    obj = read_object(data, pointer, ("contract", "worth"))
    name = _read_id(obj, "contract", pointer, "contract")
    return name, read_integer(obj.get("worth"), f"{pointer}/worth")


def _read_penalties(data: Any, pointer: str) -> PenaltyTerms:
    obj = read_object(data, pointer, ("points", "needless", "suit_named"))
    needless_bids = read_list(obj.get("needless", []), f"{pointer}/needless", _read_needless_bid)
    points = read_integer(obj.get("points", 1), f"{pointer}/points")
    suit_named = read_flag(obj.get("suit_named", False), f"{pointer}/suit_named")
    return PenaltyTerms(points, needless_bids, suit_named)


def _read_needless_bid(data: Any, pointer: str) -> tuple[str, str]:
    obj = read_object(data, pointer, ("bid", "enough"))
    return _read_id(obj, "bid", pointer, "bid"), _read_id(obj, "enough", pointer, "bid")


def _read_switch(data: Any, pointer: str) -> HouseSwitch:
    obj = read_object(data, pointer, ("id", "words", "sets", "values", "spans", "stands"))
    obj.pop("stands", None)
    obj["values"] = read_list(obj.get("values"), f"{pointer}/values", _read_switch_value)
    return build_dataclass(HouseSwitch, obj, pointer, already_read=("values",))


def _read_switch_value(data: Any, pointer: str) -> bool | int | str:
    if isinstance(data, (bool, int, str)):
        return data
    raise WireError.at(pointer, quote_or_no_value(data), "a flag, a number or a word")

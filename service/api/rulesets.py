"""The API's doors to the rulesets: what is played by, as data, and where each clause was read."""

from dataclasses import asdict, fields
from typing import Any, Final

from flask import Response

from engine.cards import SUITS
from engine.rulesets import PUBLISHED, Ruleset, find
from engine.rulesets.model import Contract, Naming, Penalties, Pool, Switch
from engine.rulesets.switches import setting
from engine.vocabulary import MOST, Kind
from service.addresses import PREFIX
from service.api.answers import answer
from service.api.contract import Routes, may_fail, path_parameter
from service.api.shapes.fields import Parameter
from service.api.shapes.rulesets import PoliciesSchema, RulesetSchema, RulesetsSchema
from service.api.shapes.streams import Asked
from service.problems import Problem

routes = Routes(
    "rulesets", __name__, url_prefix=f"{PREFIX}/rulesets", description="The rules that are played by."
)

POLICIES: Final = tuple(
    name for name in (field.name for field in fields(Ruleset)) if name in PoliciesSchema().fields
)


class RevisionQuery(Asked):
    """Which revision of a ruleset."""

    revision = Parameter(
        Kind("integer", least=1, most=MOST), "The revision; unless told otherwise the newest."
    )


@routes.route("", methods=["GET"])
@routes.response(200, RulesetsSchema)
@may_fail()
def list_rulesets() -> Response:
    """List the published rulesets

    The newest revision of each.
    """
    newest = (find(PUBLISHED, ruleset_id) for ruleset_id in published_ids())
    return answer({"rulesets": [in_short(rules.ruleset) for rules in newest if rules is not None]})


@routes.route(
    "/<ruleset>", methods=["GET"], parameters=path_parameter("ruleset", "The ruleset's id, such as `dlu`.")
)
@routes.arguments(RevisionQuery, location="query")
@routes.response(200, RulesetSchema)
@may_fail(404, 422)
def show_ruleset(query: dict[str, Any], ruleset: str) -> Response:
    """Show a ruleset

    Its bids with their ranks, what their winners may name, exchange, tariff and policies, and each clause
    with its source; `ours` where the source is silent and we decided.
    """
    found = find(PUBLISHED, ruleset, query["revision"])
    if found is None:
        ids = ", ".join(published_ids())
        revision = f" revision {query['revision']} of" if query["revision"] else ""
        raise Problem(
            "unknown-ruleset", f"There is no{revision} ruleset “{ruleset[:60]}” here. Published are: {ids}."
        )
    return answer(in_full(found.ruleset))


def published_ids() -> list[str]:
    """The ids of the published rulesets, each once."""
    return list(dict.fromkeys(rules.ruleset.id for rules in PUBLISHED))


def in_short(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset in a list."""
    address = f"{PREFIX}/rulesets/{ruleset.id}"
    return {
        "id": ruleset.id,
        "revision": ruleset.revision,
        "words": asdict(ruleset.words),
        "source": ruleset.source,
        "links": {"self": f"{address}?revision={ruleset.revision}", "newest": address},
    }


def in_full(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as data."""
    return {
        **in_short(ruleset),
        "chip": asdict(ruleset.chip),
        "bids": [asdict(bid) for bid in ruleset.bids],
        "contracts": [_contract(contract) for contract in ruleset.contracts],
        "naming": [{"bid": bid, "names": [_naming(one) for one in names]} for bid, names in ruleset.naming],
        "tariff": [{"contract": name, **asdict(tariff)} for name, tariff in ruleset.tariff],
        "pool": ruleset.pool and _pool(ruleset.pool),
        "slam": ruleset.slam and asdict(ruleset.slam),
        "giving_up": ruleset.giving_up and asdict(ruleset.giving_up),
        "surrender": ruleset.surrender and asdict(ruleset.surrender),
        "penalties": ruleset.penalties and _penalties(ruleset.penalties),
        "forced_bid": ruleset.forced_bid,
        "extras": list(ruleset.extras),
        "switches": [_switch(ruleset, switch) for switch in ruleset.switches],
        "policies": {name: getattr(ruleset, name) for name in POLICIES},
        "clauses": [asdict(clause) for clause in ruleset.clauses],
    }


def _contract(contract: Contract) -> dict[str, Any]:
    limits = contract.declarer_exchange
    return {
        **asdict(contract),
        "declarer_exchange": None if limits is None else {"min": limits[0], "max": limits[1]},
    }


def _switch(ruleset: Ruleset, switch: Switch) -> dict[str, Any]:
    return {
        "id": switch.id,
        "words": asdict(switch.words),
        "values": list(switch.values),
        "stands": setting(ruleset, switch),
    }


def _penalties(penalties: Penalties) -> dict[str, Any]:
    needless = [{"bid": bid, "enough": enough} for bid, enough in penalties.needless]
    return {"points": penalties.points, "needless": needless, "suit_named": penalties.suit_named}


def _naming(naming: Naming) -> dict[str, Any]:
    return {"contract": naming.contract, "trumps": sorted(SUITS[trump] for trump in naming.trumps)}


def _pool(pool: Pool) -> dict[str, Any]:
    return {**asdict(pool), "bases": [{"contract": name, "worth": worth} for name, worth in pool.bases]}

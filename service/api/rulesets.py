"""The API's doors to the rulesets: what is played by, as data, and where each clause was read."""

from dataclasses import asdict
from typing import Any

from flask import Response

from engine.rulesets import Ruleset, find
from engine.vocabulary import MOST, Kind
from schemas.rulesets import ruleset_object
from service.addresses import PREFIX
from service.api.answers import answer
from service.api.contract import Routes, may_fail, path_parameter
from service.api.shapes.fields import Parameter
from service.api.shapes.rulesets import RulesetSchema, RulesetsSchema
from service.api.shapes.streams import Asked
from service.context import context
from service.problems import Problem

routes = Routes(
    "rulesets", __name__, url_prefix=f"{PREFIX}/rulesets", description="The rules that are played by."
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
    newest = (find(context().book, ruleset_id) for ruleset_id in known_ids())
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
    found = find(context().book, ruleset, query["revision"])
    if found is None:
        ids = ", ".join(known_ids())
        revision = f" revision {query['revision']} of" if query["revision"] else ""
        raise Problem(
            "unknown-ruleset", f"There is no{revision} ruleset “{ruleset[:60]}” here. Published are: {ids}."
        )
    return answer(in_full(found.ruleset))


def known_ids() -> list[str]:
    """The ids of the rulesets that are known here, each once."""
    return list(dict.fromkeys(rules.ruleset.id for rules in context().book))


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
    """A ruleset as data, as a club's own file may have it."""
    return {**ruleset_object(ruleset), "links": in_short(ruleset)["links"]}

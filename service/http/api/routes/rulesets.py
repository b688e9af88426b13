"""The API's doors to the rulesets: what is played by, as data, and where each clause was read."""

import re
from dataclasses import asdict, replace
from typing import Any, Final
from urllib.parse import quote

from flask import Response

from engine.core.vocabulary import MOST, Kind
from engine.rulesets import Ruleset, find
from schemas.rulesets.rulesets import read_ruleset, ruleset_object
from schemas.wire.errors import problem_errors
from schemas.wire.faults import Fault, WireError, shown
from service.config.urls import PREFIX
from service.http.api.openapi.contract import Routes, header, may_fail, path_parameter, takes, told_together
from service.http.api.request_bodies import one_object, require_plain_names
from service.http.api.responses import answer
from service.http.api.schemas.fields import Parameter
from service.http.api.schemas.rulesets import RulesetSchema, RulesetSentSchema, RulesetsSchema
from service.http.api.schemas.streams import Asked
from service.http.context import commands, context, queries
from service.http.problems import Problem
from service.records.club_rules import ids_in, is_own

routes = Routes(
    "rulesets", __name__, url_prefix=f"{PREFIX}/rulesets", description="The rules that are played by."
)

RULESET_ID = path_parameter("ruleset", "The ruleset's id, such as `dlu`, or `our-club`.")
TAG: Final = header("ETag", "Of what is answered: with `If-None-Match` it is not sent twice.", '"2c26b46b"')
OWN_ID: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,58}[a-z0-9])?")
ID_EXPECTED: Final = (
    "the id in the address, {}, in small letters and digits with hyphens between, at most 60 of them"
)
OUR_CLUB: Final = {
    "based_on": "dlu",
    "words": {"en": "The Tuesday club", "da": "Tirsdagsklubben"},
    "source": "Minutes of the club, 3 March 2026",
    "policies": {"sitter_pays": True},
    "tariff": [{"contract": "solo", "won": 4, "bete": 4, "codille": [6]}],
}


class RevisionQuery(Asked):
    """Which revision of a ruleset."""

    revision = Parameter(
        Kind("integer", least=1, most=MOST), "The revision; unless told otherwise the newest."
    )


@routes.route("", methods=["GET"])
@routes.response(200, RulesetsSchema, headers=TAG)
@may_fail()
def list_rulesets() -> Response:
    """List the rulesets

    The newest revision of each, and which there are: those that Spadille comes with, and the club's own.
    """
    book = context().book
    newest = (find(book, ruleset_id) for ruleset_id in ids_in(book))
    return answer({"rulesets": [in_short(rules.ruleset) for rules in newest if rules is not None]})


@routes.route("/<ruleset>", methods=["GET"], parameters=RULESET_ID)
@routes.arguments(RevisionQuery, location="query")
@routes.response(200, RulesetSchema, headers=TAG)
@may_fail(404, 422)
def show_ruleset(query: dict[str, Any], ruleset: str) -> Response:
    """Show a ruleset

    Its bids with their ranks, what their winners may name, exchange, tariff and policies, and each clause
    with its source; `ours` where the source is silent and we decided. What is answered can be sent again as
    a club's own, under another id.
    """
    found = find(context().book, ruleset, query["revision"])
    if found is None:
        ids = ", ".join(ids_in(context().book))
        revision = f" revision {query['revision']} of" if query["revision"] else ""
        raise Problem(
            "unknown-ruleset", f"There is no{revision} ruleset “{ruleset[:60]}” here. There are: {ids}."
        )
    return answer(in_full(found.ruleset))


@routes.route("/<ruleset>", methods=["PUT"], parameters=RULESET_ID)
@takes(RulesetSentSchema, "The ruleset, whole or with what differs.", {"our-club": OUR_CLUB})
@routes.response(
    201, RulesetSchema, headers=header("Location", "The revision.", "/api/v1/rulesets/our-club?revision=1")
)
@routes.alt_response(
    200, schema=RulesetSchema, description="The same had been published before.", success=True
)
@may_fail(400, 401, 403, 409, 413, 415, 422)
def publish_ruleset(ruleset: str) -> Response:
    """Publish a ruleset of the club's own

    Whole, or `based_on` another and then only what differs. It is looked through first: whatever does not
    hold together is refused, with its place. A published revision never changes, so a deal or a table that
    is opened by it keeps it, whatever is published later. Where `revision` is left out it is the next one,
    unless the newest says the same already.
    """
    queries().caller.require("publish_rules")
    body = one_object("a ruleset")
    require_plain_names([body])
    kept = commands().publish_rules(sent_ruleset(ruleset, body))
    made = answer(in_full(kept.ruleset), 201 if kept.new else 200)
    made.headers["Location"] = address_of(kept.ruleset)
    return made


def sent_ruleset(ruleset_id: str, body: dict[str, Any]) -> Ruleset:
    """The ruleset of a body that was sent under that id. Raises the problem of one that is none."""
    rules = context().club_rules
    newest = rules.newest(ruleset_id)
    said = {"id": ruleset_id, **body}
    try:
        if said["id"] != ruleset_id or not OWN_ID.fullmatch(ruleset_id):
            raise WireError([Fault("/id", shown(said["id"]), ID_EXPECTED.format(shown(ruleset_id)))])
        ruleset = read_ruleset(said, rules.book)
    except WireError as error:
        errors = problem_errors(error)
        raise Problem(
            "invalid-ruleset", told_together([dict(one) for one in errors]), errors=errors
        ) from None
    if "revision" in body or newest is None:
        return ruleset
    same = replace(ruleset, revision=newest.revision)
    return newest if same == newest else replace(ruleset, revision=newest.revision + 1)


def address_of(ruleset: Ruleset) -> str:
    """Where a revision of a ruleset is."""
    return f"{PREFIX}/rulesets/{quote(ruleset.id, safe='')}?revision={ruleset.revision}"


def in_short(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset in a list."""
    own = (rules.ruleset for rules in context().book if rules.ruleset.id == ruleset.id)
    return {
        "id": ruleset.id,
        "revision": ruleset.revision,
        "revisions": sorted(one.revision for one in own),
        "own": is_own(ruleset.id),
        "words": asdict(ruleset.words),
        "source": ruleset.source,
        "links": {"self": address_of(ruleset), "newest": address_of(ruleset).partition("?")[0]},
    }


def in_full(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as data, as a club's own file may have it."""
    short = in_short(ruleset)
    return {**ruleset_object(ruleset), **{name: short[name] for name in ("revisions", "own", "links")}}

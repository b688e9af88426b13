"""Routes for the rulesets: what is played by, as data, and where each clause was read."""

import re
from dataclasses import replace
from typing import Any, Final
from urllib.parse import quote

from flask import Response

from engine.rulesets import Ruleset, find_ruleset
from schemas.answers import fields
from schemas.answers.fields import QuerySchema
from schemas.rulesets.ruleset_json import read_ruleset, ruleset_object, words_object
from schemas.wire.problem_errors import build_problem_errors
from schemas.wire.wire_faults import WireError, quote_value
from service.config.urls import API_PREFIX
from service.http.api.blueprint import ApiBlueprint, response_header
from service.http.api.cache_policies import REVALIDATED_POLICY
from service.http.api.operation_permissions import ANYONE, RULES_PUBLISHERS
from service.http.api.request_bodies import read_json_object, require_no_hidden_characters
from service.http.api.responses import json_response
from service.http.api.schemas.rulesets import RulesetInputSchema, RulesetSchema, RulesetsSchema
from service.http.problems import Problem, faulty_request_problem
from service.http.service_context import commands, service_context
from service.records.club_rules import is_club_ruleset, list_ruleset_ids

routes = ApiBlueprint("rulesets", "/rulesets", "The rulesets.")

RULESET_ETAG_HEADER: Final = response_header(
    "ETag", "A hash of the answer: with `If-None-Match` it is not sent twice.", '"2c26b46b"'
)
CLUB_RULESET_ID_PATTERN: Final = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,58}[a-z0-9])?")
EXPECTED_ID_FORMAT: Final = (
    "the id in the address, {}, in small letters and digits with hyphens between, at most 60 of them"
)


class RevisionQuery(QuerySchema):
    """Which revision of a ruleset."""

    revision = fields.query_integer("The revision; by default the newest.", min_value=1)


@routes.get("", ANYONE, REVALIDATED_POLICY)
@routes.response(200, RulesetsSchema, headers=RULESET_ETAG_HEADER)
def list_rulesets() -> Response:
    """List the rulesets

    The newest revision of each, and its other revisions: those that come with Spadille, and the club's own.
    """
    book = service_context().book
    newest_revisions = (find_ruleset(book, ruleset_id) for ruleset_id in list_ruleset_ids(book))
    return json_response(
        {"rulesets": [ruleset_summary(rules.ruleset) for rules in newest_revisions if rules is not None]}
    )


@routes.get("/<ruleset>", ANYONE, REVALIDATED_POLICY, query=RevisionQuery)
@routes.response(200, RulesetSchema, headers=RULESET_ETAG_HEADER)
def show_ruleset(query: dict[str, Any], ruleset: str) -> Response:
    """Show a ruleset

    Its bids and ranks, what their winners may name, exchange, tariff and policies, and each clause with its
    source; `ours` where the source is silent and we decided. You can send the answer as a club's own ruleset,
    under another id.
    """
    rules = find_ruleset(service_context().book, ruleset, query["revision"])
    if rules is None:
        ids = ", ".join(list_ruleset_ids(service_context().book))
        revision = f" revision {query['revision']} of" if query["revision"] else ""
        raise Problem(
            "unknown-ruleset", f"There is no{revision} ruleset “{ruleset[:60]}” here. Rulesets: {ids}."
        )
    return json_response(full_ruleset_object(rules.ruleset))


@routes.put("/<ruleset>", RULES_PUBLISHERS, REVALIDATED_POLICY, may_fail=(409,))
@routes.accepts_body(RulesetInputSchema, "The whole ruleset, or its differences.")
@routes.creates(
    RulesetSchema,
    "It was already published.",
    headers=response_header("Location", "The revision.", "/api/v1/rulesets/our-club?revision=1"),
)
def publish_ruleset(ruleset: str) -> Response:
    """Publish one of the club's own rulesets

    The whole ruleset, or `based_on` another and only the differences. An inconsistent ruleset is refused,
    with the place of each fault. A published revision never changes, so deals and tables keep their revision.
    By default `revision` is the next one, unless the newest has the same contents.
    """
    body = read_json_object("a ruleset")
    require_no_hidden_characters({"": body})
    published = commands().publish_ruleset(parse_submitted_ruleset(ruleset, body))
    status, location = 201 if published.is_new else 200, ruleset_url(published.ruleset)
    return json_response(full_ruleset_object(published.ruleset), status, location=location)


def parse_submitted_ruleset(ruleset_id: str, body: dict[str, Any]) -> Ruleset:
    """The ruleset of a body sent under that id. Raises the problem of an invalid one."""
    club_rules = service_context().club_rules
    newest = club_rules.newest_revision(ruleset_id)
    ruleset_body = {"id": ruleset_id, **body}
    try:
        if ruleset_body["id"] != ruleset_id or not CLUB_RULESET_ID_PATTERN.fullmatch(ruleset_id):
            expected = EXPECTED_ID_FORMAT.format(quote_value(ruleset_id))
            raise WireError.at("/id", quote_value(ruleset_body["id"]), expected)
        ruleset = read_ruleset(ruleset_body, club_rules.book)
    except WireError as error:
        raise faulty_request_problem("invalid-ruleset", build_problem_errors(error)) from None
    if "revision" in body or newest is None:
        return ruleset
    candidate = replace(ruleset, revision=newest.revision)
    return newest if candidate == newest else replace(ruleset, revision=newest.revision + 1)


def ruleset_url(ruleset: Ruleset) -> str:
    """The address of a revision of a ruleset."""
    return f"{API_PREFIX}/rulesets/{quote(ruleset.id, safe='')}?revision={ruleset.revision}"


def ruleset_summary(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset in a list."""
    revisions = (rules.ruleset for rules in service_context().book if rules.ruleset.id == ruleset.id)
    return {
        "id": ruleset.id,
        "revision": ruleset.revision,
        "revisions": sorted(revision.revision for revision in revisions),
        "own": is_club_ruleset(ruleset.id),
        "words": words_object(ruleset.words),
        "source": ruleset.source,
        "links": {"self": ruleset_url(ruleset), "newest": ruleset_url(ruleset).partition("?")[0]},
    }


def full_ruleset_object(ruleset: Ruleset) -> dict[str, Any]:
    """A ruleset as data, in the form of a club's own file."""
    summary = ruleset_summary(ruleset)
    return {**ruleset_object(ruleset), **{name: summary[name] for name in ("revisions", "own", "links")}}

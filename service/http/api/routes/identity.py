"""The API's doors to identity: logging in and out, grants and links, sessions."""

from io import BytesIO
from typing import Any

import segno
from flask import Response, request
from marshmallow import Schema, ValidationError

from schemas.wire.errors import problem_errors
from service.auth.authorship import other_persons
from service.auth.caller import OWNER_ID, TAKES, Caller, NotAllowed
from service.auth.calling import called_among
from service.auth.credentials import drop, keep, shown_by
from service.auth.first_login import link
from service.auth.grants import Extent, Grant, Scope, Terms, UnknownGrant
from service.auth.reach import Grants
from service.config.urls import PREFIX
from service.eventstore.clock import utc_now
from service.http.api.openapi.contract import Routes, header, may_fail, path_parameter, takes, told_together
from service.http.api.request_bodies import one_object
from service.http.api.responses import NEVER_KEPT, answer
from service.http.api.schemas.identity import (
    CallerSchema,
    EnteringSchema,
    GrantingSchema,
    GrantSchema,
    GrantsSchema,
    MadeGrantSchema,
    RevokingQuery,
    SessionsSchema,
)
from service.http.context import context, queries
from service.http.problems import Problem
from service.records.records import UnknownRecord

routes = Routes("identity", __name__, url_prefix=PREFIX, description="Who may do what.")

GRANT_ID = path_parameter("grant", "The grant's id.")
SESSION_ID = path_parameter("session", "The session's id.")
SEAT_LINK = {
    "role": "player",
    "deal": "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f",
    "seat": "forehand",
    "label": "Anna",
}


@routes.route("/session", methods=["GET"])
@routes.response(200, CallerSchema)
@may_fail(401)
def show_session() -> Response:
    """Say who asks

    What the caller holds, by token or by session, and what he may do.
    """
    return answer(caller_object(queries().caller), cache=NEVER_KEPT)


@routes.route("/session", methods=["POST"])
@takes(EnteringSchema, "The token.", {"token": {"token": "spadille_t_…"}})
@routes.response(
    201, CallerSchema, headers=header("Set-Cookie", "The session.", "__Host-spadille=…; HttpOnly")
)
@may_fail(400, 401, 409, 413, 415, 422)
def log_in() -> Response:
    """Log a browser in

    Exchanges a token for a cookie that no script can read. A session that is there already goes on in the
    new one, with what it holds. Where it stands for another person in the same record, the token is exchanged
    only `instead` of that: `409`, and nothing has changed.
    """
    read = sent(EnteringSchema(), is_login=True)
    before = shown_by(request).session
    given_up = clashing(read["token"], before)
    if given_up and not read["instead"]:
        raise other_person(given_up, context().register.exchangeable(read["token"]))
    entered = context().register.enter(read["token"], before, [grant.id for grant in given_up])
    held = context().register.held_in(entered.secret)
    caller = Caller(held.grants if held else Grants(), known=True, session=entered.session)
    made = answer(caller_object(caller), 201, cache=NEVER_KEPT)
    keep(made, request, entered.secret)
    return made


def clashing(token: str, before: str | None) -> list[Grant]:
    """The grants of the session ``before`` that stand for another person than the token does.

    Raises `UnknownToken`.
    """
    register = context().register
    new = register.exchangeable(token)
    held = register.held_in(before) if before else None
    return other_persons(held.grants, new, queries().overlap) if held else []


def other_person(held: list[Grant], new: Grant) -> Problem:
    """The problem of a token for one person, shown by the session of another."""
    return Problem(
        "other-person",
        "The browser is logged in as somebody else in this record. Send `instead: true` to go on as the one "
        "whom the token is for, or go on as before.",
        here=[person_object(grant) for grant in held],
        asked=person_object(new),
    )


def person_object(grant: Grant) -> dict[str, Any]:
    """Whom a grant stands for, for people: the seat, and what the player or the grant is called."""
    terms = grant.terms
    called = (
        called_among(context().register, [terms.person], [terms.person], known=True) if terms.person else {}
    )
    name = called.get(terms.person or "") or terms.person or terms.label
    return {"role": terms.role, "seat": terms.seat, "name": name}


@routes.route("/session", methods=["DELETE"])
@routes.response(204)
@may_fail(401)
def log_out() -> Response:
    """Log a browser out

    Its session ends, and the cookie is taken away.
    """
    shown = shown_by(request)
    if shown.session is not None:
        context().register.leave(shown.session)
    made = done()
    drop(made, request)
    return made


@routes.route("/sessions", methods=["GET"])
@routes.response(200, SessionsSchema)
@may_fail(401, 403)
def list_sessions() -> Response:
    """List the browsers that are logged in

    For the owner.
    """
    caller = queries().caller
    caller.require("oversee")
    own = caller.session.id if caller.session else None
    sessions = [
        {**one._asdict(), "grants": list(one.grants), "this": one.id == own}
        for one in context().register.sessions()
    ]
    return answer({"sessions": sessions}, cache=NEVER_KEPT)


@routes.route("/sessions/<stream:session>", methods=["DELETE"], parameters=SESSION_ID)
@routes.response(204)
@may_fail(401, 403, 404)
def end_session(session: str) -> Response:
    """Log another browser out

    For the owner.
    """
    queries().caller.require("oversee")
    context().register.end_session(session)
    return done()


@routes.route("/grants", methods=["GET"])
@routes.response(200, GrantsSchema)
@may_fail(401, 403)
def list_grants() -> Response:
    """List grants

    Those that the caller could revoke, also those that hold no longer; never a token.
    """
    caller = queries().caller
    if not any("grant" in grant.powers for grant in caller.grants):
        raise NotAllowed(TAKES["grant"], known=caller.known)
    found = [grant for grant in context().register.grants() if manages(grant)]
    return answer({"grants": [grant_object(grant) for grant in found]}, cache=NEVER_KEPT)


@routes.route("/grants", methods=["POST"])
@takes(GrantingSchema, "Who may do what, where and how long.", {"seat": SEAT_LINK})
@routes.response(201, MadeGrantSchema)
@may_fail(400, 401, 403, 404, 413, 415, 422)
def make_grant() -> Response:
    """Make a grant, with its token and link

    Within the caller's own scope, of no higher a role than his, and no longer than his. The token is told
    in this answer and never again.
    """
    caller = queries().caller
    if not any("grant" in grant.powers for grant in caller.grants):
        raise NotAllowed(TAKES["grant"], known=caller.known)
    terms = terms_of(sent(GrantingSchema()))
    place = queries().place_of(terms.scope)
    giver = caller.may_give(terms, place)
    if giver is None:
        raise NotAllowed("You may hand out what you have, within its scope: no more than that.", known=True)
    ends = [moment for moment in (terms.expires_at, giver.terms.expires_at) if moment]
    made_by = None if giver.id == OWNER_ID else giver.id
    made = context().register.make(terms._replace(expires_at=min(ends, default=None)), made_by)
    leads_to = link(request.host_url, made.token, terms.scope.page) if made.token else None
    told = {**grant_object(made.grant), "token": made.token, "link": leads_to}
    return answer({**told, "qr": qr_of(leads_to) if leads_to else None}, 201, cache=NEVER_KEPT)


@routes.route("/grants/<stream:grant>", methods=["GET"], parameters=GRANT_ID)
@routes.response(200, GrantSchema)
@may_fail(401, 404)
def show_grant(grant: str) -> Response:
    """Show a grant

    What it allows, where, for whom and how long; never its token.
    """
    return answer(grant_object(managed(grant)), cache=NEVER_KEPT)


@routes.route("/grants/<stream:grant>", methods=["DELETE"], parameters=GRANT_ID)
@routes.arguments(RevokingQuery, location="query")
@routes.response(200, GrantSchema)
@may_fail(401, 404, 409, 422)
def revoke_grant(query: dict[str, Any], grant: str) -> Response:
    """Revoke a grant

    At once, for its token and every session, together with all grants that were made by it. The last grant of
    an owner is revoked only with `confirm=last-owner`.
    """
    register, found = context().register, managed(grant)
    if query["confirm"] is None and register.is_last_owner(found.id):
        raise Problem(
            "last-owner",
            "After that nobody is an owner here, and only spadille tokens make owner at the computer of the "
            "service makes one. Nothing was revoked. Make another owner first, or add ?confirm=last-owner.",
        )
    return answer(grant_object(register.revoke(found.id)), cache=NEVER_KEPT)


def managed(grant_id: str) -> Grant:
    """A grant that the caller may see and revoke. Raises `UnknownGrant`, `NotAllowed`."""
    caller = queries().caller
    if not caller.known:
        raise NotAllowed(TAKES["grant"], known=False)
    grant = context().register.grant(grant_id)
    if not manages(grant):
        raise UnknownGrant(grant_id)
    return grant


def manages(grant: Grant) -> bool:
    """Whether the caller might have made that grant."""
    try:
        place = queries().place_of(grant.terms.scope)
    except (UnknownRecord, NotAllowed):
        # Of a record that is not there, or not his to see: only who has everything.
        place = None
    return queries().caller.may_give(grant.terms, place) is not None


def terms_of(read: dict[str, Any]) -> Terms:
    """The terms that were sent. Raises the problem of what does not go together, or has passed."""
    kind: Extent = "table" if "table" in read else "deal" if "deal" in read else "everything"
    if read["expires_at"] is not None and read["expires_at"] <= utc_now():
        raise unread([{"pointer": "/expires_at", "detail": "It has passed; name a moment to come."}])
    terms = Terms(
        role=read["role"],
        scope=Scope(kind, read[kind].lower() if kind in read else None),
        seat=read.get("seat"),
        person=read["person"] or None,
        label=read["label"],
        expires_at=read["expires_at"],
        once=read["once"],
        public=read["public"],
        title=read.get("title"),
    )
    if fault := terms.fault():
        raise unread([{"pointer": "/role", "detail": f"This does not go together: {fault}."}])
    return terms


def qr_of(text: str) -> str:
    """A QR code of ``text``, as an SVG drawing of one path without colours or size of its own."""
    drawn = BytesIO()
    segno.make(text, error="m", boost_error=False).save(
        drawn, kind="svg", xmldecl=False, omitsize=True, svgclass=None, lineclass=None, nl=False
    )
    return drawn.getvalue().decode()


def grant_object(grant: Grant) -> dict[str, Any]:
    """A grant as it is told: everything but its token."""
    return grant.told(utc_now())


def caller_object(caller: Caller) -> dict[str, Any]:
    """Who somebody is."""
    return {
        "known": caller.known,
        "session": caller.session.id if caller.session else None,
        "grants": [grant_object(grant) for grant in caller.own],
        # What such a grant is called, and who made it, is for those who manage it.
        "published": [
            {"role": grant.terms.role, "scope": grant.terms.scope._asdict()}
            for grant in caller.public
            if queries().knows_of(grant.terms.scope)
        ],
        "may": sorted(caller.powers()),
    }


def sent(schema: Schema, *, is_login: bool = False) -> dict[str, Any]:
    """The body, read by a schema. Raises the problem of one that does not fit."""
    try:
        read: dict[str, Any] = schema.load(
            one_object("an object with the fields of this request", is_login=is_login)
        )
    except ValidationError as error:
        raise unread([dict(one) for one in problem_errors(error)]) from None
    return read


def unread(errors: list[dict[str, Any]]) -> Problem:
    """The problem of a body that is JSON and yet not what it should be."""
    return Problem("invalid-request", told_together(errors), errors=errors)


def done() -> Response:
    """An answer that has nothing to tell."""
    made = Response(status=204)
    made.headers["Cache-Control"] = NEVER_KEPT
    return made

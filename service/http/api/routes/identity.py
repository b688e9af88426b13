"""Routes for identity: logging in and out, grants and links, sessions."""

from io import BytesIO
from typing import Any

import segno
from flask import Response, request
from marshmallow import Schema, ValidationError

from schemas.wire.problem_errors import build_problem_errors
from service.auth.caller import (
    DENIAL_MESSAGES,
    OWNER_GRANT_ID,
    Caller,
    PermissionDenied,
    find_conflicting_grants,
)
from service.auth.display_names import grant_holder_name
from service.auth.grants import Grant, GrantSet, GrantTerms, Scope, ScopeKind, UnknownGrant
from service.auth.login_links import format_login_link
from service.auth.request_identity import delete_session_cookie, read_credentials, set_session_cookie
from service.config.urls import shareable_base_url
from service.eventstore.clock import utc_now
from service.http.api.blueprint import ApiBlueprint, response_header
from service.http.api.cache_policies import declared_cache_control
from service.http.api.operation_permissions import ANYONE_ABOUT_SELF, GRANT_KEEPERS, GRANT_MAKERS, OVERSEERS
from service.http.api.request_bodies import read_json_object
from service.http.api.responses import json_response
from service.http.api.schemas import identity
from service.http.problems import Problem, faulty_request_problem
from service.http.service_context import queries, service_context
from service.records.repository import UnknownRecord

routes = ApiBlueprint("identity", "", "Permissions, grants and sessions.")


@routes.get("/session", ANYONE_ABOUT_SELF)
@routes.response(200, identity.CallerSchema)
def show_session() -> Response:
    """Show the caller

    What the caller holds, by token or by session, and which permissions follow.
    """
    return json_response(caller_object(queries().caller))


@routes.post("/session", ANYONE_ABOUT_SELF, may_fail=(409,))
@routes.accepts_body(identity.LoginSchema, "The token.")
@routes.response(
    201,
    identity.CallerSchema,
    headers=response_header("Set-Cookie", "The session.", "__Host-spadille=…; HttpOnly"),
)
def log_in() -> Response:
    """Log a browser in

    Exchanges a token for a cookie that no script can read. An existing session continues in the new one, with
    its grants. If it is for another person in the same record, the exchange needs `instead`: without it the
    answer is `409`, and nothing changes.
    """
    body = read_body_as(identity.LoginSchema(), is_login=True)
    register, session_secret = service_context().register, read_credentials(request).session_secret
    token_grant = register.find_grant_by_token(body["token"])
    earlier = register.find_session_caller(session_secret) if session_secret else None
    held_grants = earlier.own_grants if earlier else ()
    clashing_grants = find_conflicting_grants(held_grants, token_grant, queries().do_scopes_overlap)
    if clashing_grants and not body["instead"]:
        raise Problem(
            "other-person",
            "The browser is logged in as somebody else in this record. Send `instead: true` to continue "
            "as the person of the token, or keep the current login.",
            here=[person_object(grant) for grant in clashing_grants],
            asked=person_object(token_grant),
        )
    login = register.create_session(body["token"], session_secret, [grant.id for grant in clashing_grants])
    entered = register.find_session_caller(login.secret)
    caller = Caller(
        entered.own_grants if entered else GrantSet(), is_authenticated=True, session=login.session
    )
    response = json_response(caller_object(caller), 201)
    set_session_cookie(response, request, login.secret)
    return response


def person_object(grant: Grant) -> dict[str, Any]:
    """The person whom a grant stands for: the seat, and a name to show."""
    terms = grant.terms
    name = grant_holder_name(service_context().register, terms)
    return {"role": terms.role, "seat": terms.seat, "name": name}


@routes.delete("/session", ANYONE_ABOUT_SELF)
@routes.response(204)
def log_out() -> Response:
    """Log a browser out

    Its session ends, and the cookie is deleted.
    """
    credentials = read_credentials(request)
    if credentials.session_secret is not None:
        service_context().register.end_session_by_secret(credentials.session_secret)
    response = no_content_response()
    delete_session_cookie(response, request)
    return response


@routes.get("/sessions", OVERSEERS)
@routes.response(200, identity.SessionsSchema)
def list_sessions() -> Response:
    """List the browsers that are logged in

    For the owner.
    """
    caller = queries().caller
    own_id = caller.session.id if caller.session else None
    sessions = [
        {**session._asdict(), "grants": list(session.grants), "this": session.id == own_id}
        for session in service_context().register.list_sessions()
    ]
    return json_response({"sessions": sessions})


@routes.delete("/sessions/<stream:session>", OVERSEERS)
@routes.response(204)
def end_session(session: str) -> Response:
    """Log another browser out

    For the owner.
    """
    service_context().register.end_session(session)
    return no_content_response()


@routes.get("/grants", GRANT_MAKERS)
@routes.response(200, identity.GrantsSchema)
def list_grants() -> Response:
    """List grants

    The grants that the caller may revoke, including invalid ones; never a token.
    """
    queries().caller.require_permission_anywhere("grant")
    grants = [grant for grant in service_context().register.list_grants() if can_manage(grant)]
    return json_response({"grants": [grant_object(grant) for grant in grants]})


@routes.post("/grants", GRANT_MAKERS, may_fail=(404,))
@routes.accepts_body(identity.NewGrantSchema, "The permissions, their scope and their end.")
@routes.response(201, identity.CreatedGrantSchema)
def make_grant() -> Response:
    """Make a grant, with its token and link

    Within the caller's own scope, with no higher role and no later end than the caller's. Only this answer
    has the token.
    """
    caller = queries().caller
    caller.require_permission_anywhere("grant")
    terms = parse_grant_terms(read_body_as(identity.NewGrantSchema()))
    scope_record = queries().find_scope_record(terms.scope)
    delegating_grant = caller.find_delegating_grant(terms, scope_record)
    if delegating_grant is None:
        raise PermissionDenied(
            "You can only grant permissions that you have, within their scope.", is_authenticated=True
        )
    expiry_times = filter(None, (terms.expires_at, delegating_grant.terms.expires_at))
    parent_id = None if delegating_grant.id == OWNER_GRANT_ID else delegating_grant.id
    created = service_context().register.create_grant(
        terms._replace(expires_at=min(expiry_times, default=None)), parent_id
    )
    base_url = shareable_base_url(request.host_url, service_context().host_names)
    link = format_login_link(base_url, created.token, terms.scope.page_path) if created.token else None
    link_members = {"token": created.token, "link": link, "qr": render_qr_code(link) if link else None}
    return json_response(grant_object(created.grant) | link_members, 201)


@routes.get("/grants/<stream:grant>", GRANT_KEEPERS)
@routes.response(200, identity.GrantSchema)
def show_grant(grant: str) -> Response:
    """Show a grant

    Its role, scope, person and end; never its token.
    """
    return json_response(grant_object(find_managed_grant(grant)))


@routes.delete("/grants/<stream:grant>", GRANT_KEEPERS, query=identity.RevokeGrantQuery, may_fail=(409,))
@routes.response(200, identity.GrantSchema)
def revoke_grant(query: dict[str, Any], grant: str) -> Response:
    """Revoke a grant

    Takes effect immediately, for its token and every session, and for all grants that were made with it. The
    last grant of an owner needs `confirm=last-owner`.
    """
    register, managed = service_context().register, find_managed_grant(grant)
    if query["confirm"] is None and register.is_last_owner(managed.id):
        raise Problem(
            "last-owner",
            "After that there is no owner, and only spadille tokens make owner on the computer of the "
            "service makes one. Nothing was revoked. Make another owner first, or add ?confirm=last-owner.",
        )
    return json_response(grant_object(register.revoke_grant(managed.id)))


def find_managed_grant(grant_id: str) -> Grant:
    """A grant that the caller may see and revoke. Raises `UnknownGrant`, `PermissionDenied`."""
    caller = queries().caller
    if not caller.is_authenticated:
        raise PermissionDenied(DENIAL_MESSAGES["grant"], is_authenticated=False)
    grant = service_context().register.find_grant(grant_id)
    if not can_manage(grant):
        raise UnknownGrant(grant_id)
    return grant


def can_manage(grant: Grant) -> bool:
    """Whether the caller could have made that grant."""
    try:
        scope_record = queries().find_scope_record(grant.terms.scope)
    except (UnknownRecord, PermissionDenied):
        # Only somebody with a grant on everything manages grants on unknown or hidden records.
        scope_record = None
    return queries().caller.find_delegating_grant(grant.terms, scope_record) is not None


def parse_grant_terms(body: dict[str, Any]) -> GrantTerms:
    """The terms of the body. Raises the problem of terms that contradict each other, or have expired."""
    kind: ScopeKind = "table" if "table" in body else "deal" if "deal" in body else "everything"
    if body["expires_at"] is not None and body["expires_at"] <= utc_now():
        raise faulty_request_problem(
            "invalid-request",
            [{"pointer": "/expires_at", "detail": ("It is in the past; give a time in the future.")}],
        )
    terms = GrantTerms(
        role=body["role"],
        scope=Scope(kind, body[kind].lower() if kind in body else None),
        seat=body.get("seat"),
        person=body["person"] or None,
        label=body["label"],
        expires_at=body["expires_at"],
        once=body["once"],
        public=body["public"],
        title=body.get("title"),
    )
    if fault := terms.find_fault():
        raise faulty_request_problem(
            "invalid-request", [{"pointer": "/role", "detail": f"These do not fit together: {fault}."}]
        )
    return terms


def render_qr_code(text: str) -> str:
    """A QR code of ``text``: an SVG drawing of one path, without colours or size."""
    svg = BytesIO()
    segno.make(text, error="m", boost_error=False).save(
        svg, kind="svg", xmldecl=False, omitsize=True, svgclass=None, lineclass=None, nl=False
    )
    return svg.getvalue().decode()


def grant_object(grant: Grant) -> dict[str, Any]:
    """A grant without its token."""
    return grant.to_json_object(utc_now())


def caller_object(caller: Caller) -> dict[str, Any]:
    """A caller with what they hold and may do."""
    return {
        "known": caller.is_authenticated,
        "session": caller.session.id if caller.session else None,
        "grants": [grant_object(grant) for grant in caller.own_grants],
        # Its label and its maker are for those who manage it.
        "published": [
            {"role": grant.terms.role, "scope": grant.terms.scope._asdict()}
            for grant in caller.public_grants
            if queries().can_know_of(grant.terms.scope)
        ],
        "may": sorted(caller.list_club_permissions()),
    }


def read_body_as(schema: Schema, *, is_login: bool = False) -> dict[str, Any]:
    """The body, read by a schema. Raises the problem of a body that does not fit."""
    try:
        body: dict[str, Any] = schema.load(
            read_json_object("an object with the fields of this request", is_login=is_login)
        )
    except ValidationError as error:
        raise faulty_request_problem("invalid-request", build_problem_errors(error)) from None
    return body


def no_content_response() -> Response:
    """An answer without a body."""
    response = Response(status=204)
    response.headers["Cache-Control"] = declared_cache_control()
    return response

"""Routes for the members of the club: names outside the events, which hold ids."""

from typing import Any

from flask import Response

from service.auth.display_names import find_lookalike
from service.auth.grants import Member, MemberIdTaken
from service.config.urls import API_PREFIX
from service.http.api.blueprint import ApiBlueprint, response_header
from service.http.api.operation_permissions import MEMBER_KEEPERS
from service.http.api.responses import json_response
from service.http.api.routes.identity import no_content_response, read_body_as
from service.http.api.schemas import identity
from service.http.problems import Problem
from service.http.service_context import service_context

routes = ApiBlueprint("members", "/members", "The members of the club.")


@routes.get("", MEMBER_KEEPERS)
@routes.response(200, identity.MembersSchema)
def list_members() -> Response:
    """List the members

    For organisers of the club.
    """
    members = [member_object(member) for member in service_context().register.list_members()]
    return json_response({"members": members})


@routes.post("", MEMBER_KEEPERS, query=identity.SaveMemberQuery, may_fail=(409,))
@routes.accepts_body(identity.NewMemberSchema, "The data of the member.")
@routes.creates(
    identity.MemberSchema,
    "The member was already added.",
    headers=response_header("Location", "The member.", "/api/v1/members/m-…"),
)
def enrol_member(query: dict[str, Any]) -> Response:
    """Add a member

    Use the id of the answer for players, so that records have no names. With your own `id` a repeated request
    is harmless: `200`, and no second member. A name that looks like another member's needs
    `confirm=similar-name`.
    """
    body = read_body_as(identity.NewMemberSchema())
    member, status = build_member(body.get("id", ""), body), 201
    _require_distinct(member, query)
    try:
        member = service_context().register.add_member(member)
    except MemberIdTaken as error:
        if error.member != member:
            raise
        status = 200
    return json_response(member_object(member), status, location=f"{API_PREFIX}/members/{member.id}")


@routes.get("/<member>", MEMBER_KEEPERS)
@routes.response(200, identity.MemberSchema)
def show_member(member: str) -> Response:
    """Show a member

    For organisers of the club.
    """
    return json_response(member_object(service_context().register.find_member(member)))


@routes.put("/<member>", MEMBER_KEEPERS, query=identity.SaveMemberQuery, may_fail=(409,))
@routes.accepts_body(identity.MemberInputSchema, "All data of the member.")
@routes.response(200, identity.MemberSchema)
def amend_member(query: dict[str, Any], member: str) -> Response:
    """Change a member

    Replaces all data: what is left out becomes empty. The id stays. A new name that looks like another
    member's needs `confirm=similar-name`.
    """
    register = service_context().register
    new_member = build_member(member, read_body_as(identity.MemberInputSchema()))
    if register.find_member(member).name != new_member.name:
        _require_distinct(new_member, query)
    return json_response(member_object(register.update_member(new_member)))


@routes.delete("/<member>", MEMBER_KEEPERS)
@routes.response(204)
def forget_member(member: str) -> Response:
    """Forget a member

    Erases the name and the remarks, and ends the member's grants. Records keep the id.
    """
    service_context().register.erase_member(member)
    return no_content_response()


def _require_distinct(member: Member, query: dict[str, Any]) -> None:
    """Raise the problem of a name that looks like another member's, unless it is confirmed."""
    if query["confirm"] is None and (
        lookalike := find_lookalike(member, service_context().register.list_members())
    ):
        raise Problem(
            "similar-name",
            f"The name looks like that of the member {lookalike.name}. Nothing was stored. Choose another "
            "name, or add ?confirm=similar-name if this is somebody else.",
            member=lookalike.name,
        )


def build_member(member_id: str, body: dict[str, Any]) -> Member:
    """The member described by a body."""
    joined = body["joined"].isoformat() if body["joined"] else None
    return Member(member_id, body["name"], body["short"], joined, body["note"])


def member_object(member: Member) -> dict[str, Any]:
    """A member as answered."""
    members = member._asdict()
    del members["forgotten_at"]
    return members

"""The API's doors to the members of the club: names outside the events, which hold ids."""

from typing import Any

from flask import Response

from service.auth.grants import Member, MemberIdTaken
from service.auth.similar_names import looks_like
from service.config.urls import PREFIX
from service.http.api.openapi.contract import Routes, header, may_fail, path_parameter, takes
from service.http.api.responses import NEVER_KEPT, answer
from service.http.api.routes.identity import done, sent
from service.http.api.schemas.identity import (
    MemberEnrolledSchema,
    MemberQuery,
    MemberSchema,
    MemberSentSchema,
    MembersSchema,
)
from service.http.context import context, queries
from service.http.problems import Problem

routes = Routes("members", __name__, url_prefix=f"{PREFIX}/members", description="The members of the club.")

MEMBER_ID = path_parameter("member", "The member's id, such as `m-abcdefgh234567ab`.")
ANNA = {"name": "Anna Andersen", "short": "Anna", "joined": "2019-09-01"}
NEW = {"id": "m-abcdefgh234567ab", **ANNA}


@routes.route("", methods=["GET"])
@routes.response(200, MembersSchema)
@may_fail(401, 403)
def list_members() -> Response:
    """List the members

    For organisers of the club.
    """
    queries().caller.require("members")
    members = [member_object(member) for member in context().register.members()]
    return answer({"members": members}, cache=NEVER_KEPT)


@routes.route("", methods=["POST"])
@routes.arguments(MemberQuery, location="query")
@takes(MemberEnrolledSchema, "What is known of the member.", {"anna": NEW})
@routes.response(201, MemberSchema, headers=header("Location", "The member.", "/api/v1/members/m-…"))
@routes.alt_response(200, schema=MemberSchema, description="It had been added before.", success=True)
@may_fail(400, 401, 403, 409, 413, 415, 422)
def enrol_member(query: dict[str, Any]) -> Response:
    """Add a member

    Name players by the id of the answer, and no name stands in a record. With an `id` of your own the same
    sent again is harmless: `200`, and no second member. A name that looks like another member's is taken only
    with `confirm=similar-name`.
    """
    queries().caller.require("members")
    read = sent(MemberEnrolledSchema())
    member, status = member_of(read.get("id", ""), read), 201
    _require_distinct(member, query)
    try:
        member = context().register.enrol(member)
    except MemberIdTaken as taken:
        if taken.member != member:
            raise
        status = 200
    made = answer(member_object(member), status, cache=NEVER_KEPT)
    made.headers["Location"] = f"{PREFIX}/members/{member.id}"
    return made


@routes.route("/<member>", methods=["GET"], parameters=MEMBER_ID)
@routes.response(200, MemberSchema)
@may_fail(401, 403, 404)
def show_member(member: str) -> Response:
    """Show a member

    For organisers of the club.
    """
    queries().caller.require("members")
    return answer(member_object(context().register.member(member)), cache=NEVER_KEPT)


@routes.route("/<member>", methods=["PUT"], parameters=MEMBER_ID)
@routes.arguments(MemberQuery, location="query")
@takes(MemberSentSchema, "What is known of the member, all of it.", {"anna": ANNA})
@routes.response(200, MemberSchema)
@may_fail(400, 401, 403, 404, 409, 413, 415, 422)
def amend_member(query: dict[str, Any], member: str) -> Response:
    """Change what is known of a member

    All of it at once: what is left out is empty afterwards. The id stays. A new name that looks like another
    member's is taken only with `confirm=similar-name`.
    """
    queries().caller.require("members")
    register, changed = context().register, member_of(member, sent(MemberSentSchema()))
    if register.member(member).name != changed.name:
        _require_distinct(changed, query)
    amended = register.amend(changed)
    return answer(member_object(amended), cache=NEVER_KEPT)


@routes.route("/<member>", methods=["DELETE"], parameters=MEMBER_ID)
@routes.response(204)
@may_fail(401, 403, 404)
def forget_member(member: str) -> Response:
    """Forget a member

    Name and remarks are erased, and the grants made out to the member end. Records keep the id.
    """
    queries().caller.require("members")
    context().register.forget(member)
    return done()


def _require_distinct(member: Member, query: dict[str, Any]) -> None:
    """Raises the problem of a name that people would take for another member's, unless it is confirmed."""
    if query["confirm"] is None and (other := looks_like(member, context().register.members())):
        raise Problem(
            "similar-name",
            f"The name looks like that of the member {other.name}. Nothing was stored. Choose another name, "
            "or add ?confirm=similar-name where this is somebody else.",
            member=other.name,
        )


def member_of(member_id: str, read: dict[str, Any]) -> Member:
    """The member whose data were sent."""
    joined = read["joined"].isoformat() if read["joined"] else None
    return Member(member_id, read["name"], read["short"], joined, read["note"])


def member_object(member: Member) -> dict[str, Any]:
    """A member as he is told."""
    told = member._asdict()
    del told["forgotten_at"]
    return told

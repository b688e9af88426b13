"""The requests and answers about grants, sessions and members."""

from datetime import datetime
from typing import Any, get_args

from marshmallow import ValidationError, validate, validates_schema
from marshmallow.fields import Boolean, Date, Field, String

from engine.core.cards import SEAT_NAMES
from schemas.answers import fields
from schemas.answers.fields import QuerySchema, RequestSchema
from schemas.answers.response_schema import ResponseSchema
from service.auth.grants import MEMBER_ID_PATTERN, ROLES, Permission, ScopeKind
from service.auth.timestamps import format_timestamp
from service.records.hidden_characters import find_name_fault

MAX_NAME_LENGTH, MAX_NOTE_LENGTH, MAX_LABEL_LENGTH = 100, 2000, 200


class TimestampField(Field[Any]):
    """A moment with its zone, read into the form in which the store writes them."""

    def __init__(self, description: str) -> None:
        super().__init__(
            load_default=None,
            allow_none=True,
            metadata={"type": "string", "format": "date-time", "description": description},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> str:
        try:
            moment = datetime.fromisoformat(value) if isinstance(value, str) and len(value) <= 40 else None
            if moment is not None and moment.tzinfo is not None:
                return format_timestamp(moment)
        except (ValueError, OverflowError):
            pass
        raise ValidationError("write a time with its zone, such as 2026-12-31T23:00:00Z.")


class StrictBooleanField(Boolean):
    """True or false, and no other way of saying it."""

    def __init__(self, description: str) -> None:
        super().__init__(
            truthy={True}, falsy={False}, load_default=False, metadata={"description": description}
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class RevokeGrantQuery(QuerySchema):
    """Confirmation for revoking a grant."""

    confirm = fields.query_choice(("last-owner",), "Also revoke the last grant of an owner.")


class SaveMemberQuery(QuerySchema):
    """Confirmation for adding or renaming a member."""

    confirm = fields.query_choice(("similar-name",), "Accept a name that looks like another's.")


def one_line_field(
    description: str, max_length: int, *, min_length: int = 0, required: bool = False
) -> String:
    """A text of one line."""
    default = {} if required else {"load_default": ""}
    one_line = [validate.Length(min=min_length, max=max_length), validate_one_line]
    return fields.string(description, validate=one_line, **default)


def validate_title(value: str) -> None:
    """Raise ``ValidationError`` for an empty title."""
    if not value:
        raise ValidationError("write a title, or leave it out.")


def validate_one_line(value: str) -> None:
    """Raise ``ValidationError`` for control or invisible characters, or a text of spaces only."""
    if fault := find_name_fault(value):
        raise ValidationError(fault)


class LoginSchema(RequestSchema):
    """A token to log in with."""

    token = fields.string("The token, as in a link after `#token=`.", validate=validate.Length(max=200))
    instead = StrictBooleanField(
        "Whether the session gives up grants for another person in the same record. Otherwise the answer "
        "to such a token is `409`."
    )


class NewGrantSchema(RequestSchema):
    """A new grant."""

    role = fields.string("The role; `docs/identity.md` has a table of what it allows.", choices=ROLES)
    table = fields.uuid("Only for this table and its deals.", required=False)
    deal = fields.uuid("Only for this deal.", required=False)
    seat = fields.string(
        "A player's seat; only with `deal`, because seats change between deals.",
        required=False,
        choices=SEAT_NAMES,
    )
    person = one_line_field(
        "A player's name in the record, or a member's id: the holder sees what that player's seats knew.", 200
    )
    label = one_line_field("What the grant is called in lists.", MAX_LABEL_LENGTH)
    expires_at = TimestampField("When it expires; by default, or with null, never.")
    once = StrictBooleanField("Whether its token can only be exchanged for a session, once.")
    public = StrictBooleanField(
        "Whether it is for everybody, without a token: the record is published. Viewers only."
    )
    title = fields.string(
        "The title of a published deal in the library; without a title it is not listed there.",
        required=False,
        validate=[validate.Length(max=200), validate_one_line, validate_title],
        minLength=1,
    )

    @validates_schema
    def validate_single_scope(self, data: dict[str, Any], **_: Any) -> None:
        """Raise ``ValidationError`` for two scopes."""
        if "table" in data and "deal" in data:
            raise ValidationError("name a table or a deal, not both.", "deal")


class ScopeSchema(ResponseSchema):
    """The scope of a grant."""

    kind = fields.string("Everything, one table with its deals, or one deal.", choices=get_args(ScopeKind))
    id = fields.uuid("The id of the table or deal; null for everything.", allow_none=True)


class GrantSchema(ResponseSchema):
    """A grant: a role within a scope."""

    id = fields.uuid()
    role = fields.string("The role.", choices=ROLES)
    scope = fields.nested(ScopeSchema)
    seat = fields.string("A player's seat in the deal; null without one.", allow_none=True)
    person = fields.string("A player's name, or a member's id; null without one.", allow_none=True)
    label = fields.string("A label for lists.")
    made_at = fields.string("When it was made.")
    made_by = fields.string(
        "The grant that made it; null if it was made on the command line.", allow_none=True
    )
    expires_at = fields.string("When it expires; null for never.", allow_none=True)
    used_on = fields.string("The day of its last use; null for never.", allow_none=True)
    once = fields.boolean("Whether its token can be exchanged only once.")
    spent = fields.boolean("Whether the token was exchanged.")
    public = fields.boolean("Whether it is for everybody.")
    title = fields.string("The title of a published deal in the library; null without one.", allow_none=True)
    active = fields.boolean("Whether it is valid: neither revoked nor expired.")


class CreatedGrantSchema(GrantSchema):
    """A new grant. Only this answer has its token."""

    token = fields.string(
        "For the header `Authorization: Bearer …`; null for a public grant.", allow_none=True
    )
    link = fields.string("A link that logs a browser in; null for a public grant.", allow_none=True)
    qr = fields.string("The link as a QR code: an SVG drawing; null without a link.", allow_none=True)


class GrantsSchema(ResponseSchema):
    """The grants that the caller may manage."""

    grants = fields.list_of(GrantSchema)


class PublicGrantSchema(ResponseSchema):
    """A published record, or all records, which everybody may see."""

    role = fields.string("What everybody may do.", choices=ROLES)
    scope = fields.nested(ScopeSchema)


class CallerSchema(ResponseSchema):
    """The caller."""

    known = fields.boolean("Whether the request had a token or a session.")
    session = fields.string("The session's id; null for a token, or no login.", allow_none=True)
    grants = fields.list_of(GrantSchema, "The grants of the caller's token or session.")
    published = fields.list_of(PublicGrantSchema, "The grants of everybody, and so of the caller.")
    may = fields.list_of(
        fields.string(choices=get_args(Permission)), "What the caller may do besides single records."
    )


class SessionSchema(ResponseSchema):
    """A browser that is logged in."""

    id = fields.uuid()
    made_at = fields.string("The time of the login.")
    expires_at = fields.string("When the session ends.")
    used_on = fields.string("The day of its last use; null for never.", allow_none=True)
    grants = fields.list_of(fields.uuid(), "Its grants.")
    this = fields.boolean("Whether it is the session of this request.")


class SessionsSchema(ResponseSchema):
    """The valid sessions."""

    sessions = fields.list_of(SessionSchema)


class MemberInputSchema(RequestSchema):
    """The data of a member."""

    name = one_line_field("The full name.", MAX_NAME_LENGTH, min_length=1, required=True)
    short = one_line_field("The name that everybody sees.", MAX_NAME_LENGTH)
    joined = Date(
        load_default=None,
        allow_none=True,
        metadata={"description": "The day the member joined; null if unknown."},
    )
    note = one_line_field("A remark for the organisers.", MAX_NOTE_LENGTH)


class NewMemberSchema(MemberInputSchema):
    """The data of a new member, with an optional id."""

    id = fields.string(
        "The member's id: `m-` and sixteen random characters of a-z and 2-7. With an id the request can "
        "be repeated safely. By default the service makes one.",
        required=False,
        validate=validate.Regexp(rf"\A{MEMBER_ID_PATTERN}\Z", error="write m- and sixteen of a-z and 2-7."),
        pattern=rf"^{MEMBER_ID_PATTERN}$",
    )


class MemberSchema(ResponseSchema):
    """A member of the club; records use the id."""

    id = fields.string("The id in records: `m-` and sixteen letters and digits.")
    name = fields.string("The full name.")
    short = fields.string("The name shown at the table; empty if it is the full one.")
    joined = fields.string("The day the member joined; null if unknown.", allow_none=True)
    note = fields.string("The club's remark about the member.")


class MembersSchema(ResponseSchema):
    """The members, by name."""

    members = fields.list_of(MemberSchema)

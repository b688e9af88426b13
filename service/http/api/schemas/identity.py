"""The requests and answers about grants, sessions and members."""

from datetime import datetime
from typing import Any, get_args

from marshmallow import ValidationError, validate, validates_schema
from marshmallow.fields import Boolean, Date, Field, String

from engine.core.cards import SEAT_NAMES
from service.auth.grants import MEMBER_ID_PATTERN, ROLES, Permission
from service.auth.timestamps import format_timestamp
from service.http.api.schemas import fields
from service.http.api.schemas.fields import QuerySchema, RequestSchema, ResponseSchema
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
        raise ValidationError("write a moment with its zone, such as 2026-12-31T23:00:00Z.")


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
    """What is confirmed where a grant is revoked."""

    confirm = fields.query_choice(("last-owner",), "Revoke also the last grant of an owner.")


class SaveMemberQuery(QuerySchema):
    """What is confirmed where a member is added or renamed."""

    confirm = fields.query_choice(("similar-name",), "Take also a name that looks like another's.")


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
        raise ValidationError("write a title, or leave it out where there is none.")


def validate_one_line(value: str) -> None:
    """Raise ``ValidationError`` for control or invisible characters, or a text of spaces only."""
    if fault := find_name_fault(value):
        raise ValidationError(fault)


class LoginSchema(RequestSchema):
    """A token to log in with."""

    token = fields.string("The token, as a link has it behind `#token=`.", validate=validate.Length(max=200))
    instead = StrictBooleanField(
        "Whether the session gives up the grants that stand for another person in the same record. Without "
        "it such a token is not exchanged: `409`."
    )


class NewGrantSchema(RequestSchema):
    """What a new grant is to say."""

    role = fields.string("What its holder may do; `docs/identity.md` has the table.", choices=ROLES)
    table = fields.uuid("Only at this table and in its deals.", required=False)
    deal = fields.uuid("Only in this deal.", required=False)
    seat = fields.string(
        "A player's seat; with `deal` only, as seats change from deal to deal.",
        required=False,
        choices=SEAT_NAMES,
    )
    person = one_line_field(
        "A player's name in the record, or a member's id: he sees what his seats knew.", 200
    )
    label = one_line_field("What the grant is called in lists.", MAX_LABEL_LENGTH)
    expires_at = TimestampField("When it ends; unless told otherwise, or null, never.")
    once = StrictBooleanField(
        "Whether its token can be exchanged for a session once, and is good for nothing else."
    )
    public = StrictBooleanField(
        "Whether everybody has it, without a token: the record is published. Viewers only."
    )
    title = fields.string(
        "The title under which a published deal stands in the library; without one it does not.",
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
    """Where a grant holds."""

    kind = fields.string(
        "Everywhere, at one table and in its deals, or in one deal.", choices=("everything", "table", "deal")
    )
    id = fields.uuid("The table's id, or the deal's; null for everything.", allow_none=True)


class GrantSchema(ResponseSchema):
    """A grant: a role within a scope."""

    id = fields.uuid()
    role = fields.string("What its holder may do.", choices=ROLES)
    scope = fields.nested(ScopeSchema)
    seat = fields.string("A player's seat in the deal; null for whoever is not given one.", allow_none=True)
    person = fields.string(
        "A player's name, or a member's id; null for whoever is not named.", allow_none=True
    )
    label = fields.string("A label for lists.")
    made_at = fields.string("When it was made.")
    made_by = fields.string("The grant that made it; null for one made on the command line.", allow_none=True)
    expires_at = fields.string("When it ends; null where it does not.", allow_none=True)
    used_on = fields.string("The day it was last used; null where it never was.", allow_none=True)
    once = fields.boolean("Whether its token can be exchanged once only.")
    spent = fields.boolean("Whether that was done.")
    public = fields.boolean("Whether everybody has it.")
    title = fields.string(
        "The title under which a published deal stands in the library; null without one.", allow_none=True
    )
    active = fields.boolean("Whether it holds now: it was not revoked and has not ended.")


class CreatedGrantSchema(GrantSchema):
    """A grant that was made. Its token is told here, and never again."""

    token = fields.string(
        "For the header `Authorization: Bearer …`; null for a public grant.", allow_none=True
    )
    link = fields.string("A link that logs a browser in; null for a public grant.", allow_none=True)
    qr = fields.string("The link as a QR code: an SVG drawing; null where there is no link.", allow_none=True)


class GrantsSchema(ResponseSchema):
    """The grants that the caller may manage."""

    grants = fields.list_of(GrantSchema)


class PublicGrantSchema(ResponseSchema):
    """What everybody holds: a record, or all of them, that was published."""

    role = fields.string("What everybody may do.", choices=ROLES)
    scope = fields.nested(ScopeSchema)


class CallerSchema(ResponseSchema):
    """Who asks."""

    known = fields.boolean("Whether a token or a session was shown.")
    session = fields.string(
        "The session's id; null where the caller shows a token, or nothing.", allow_none=True
    )
    grants = fields.list_of(GrantSchema, "What the caller holds by what he shows.")
    published = fields.list_of(PublicGrantSchema, "What everybody holds, and so the caller too.")
    may = fields.list_of(
        fields.string(choices=get_args(Permission)), "What the caller may do beside single records."
    )


class SessionSchema(ResponseSchema):
    """A browser that is logged in."""

    id = fields.uuid()
    made_at = fields.string("When it logged in.")
    expires_at = fields.string("When it has to log in again.")
    used_on = fields.string("The day it was last used; null where it never was.", allow_none=True)
    grants = fields.list_of(fields.uuid(), "What it holds.")
    this = fields.boolean("Whether it is the one that asks.")


class SessionsSchema(ResponseSchema):
    """The sessions that go on."""

    sessions = fields.list_of(SessionSchema)


class MemberInputSchema(RequestSchema):
    """What is known of a member."""

    name = one_line_field("The name in full.", MAX_NAME_LENGTH, min_length=1, required=True)
    short = one_line_field("What the member is called where everybody reads it.", MAX_NAME_LENGTH)
    joined = Date(
        load_default=None,
        allow_none=True,
        metadata={"description": "Since when a member; null where that is not known."},
    )
    note = one_line_field("A remark for the organisers.", MAX_NOTE_LENGTH)


class NewMemberSchema(MemberInputSchema):
    """What is known of a new member, with the id that he is to have."""

    id = fields.string(
        "The member's id: `m-` and sixteen of a-z and 2-7, by chance. With it the same "
        "may be sent again. Where none is sent, one is made.",
        required=False,
        validate=validate.Regexp(rf"\A{MEMBER_ID_PATTERN}\Z", error="write m- and sixteen of a-z and 2-7."),
        pattern=rf"^{MEMBER_ID_PATTERN}$",
    )


class MemberSchema(ResponseSchema):
    """A member of the club; records name him by the id."""

    id = fields.string("What records name the member by: `m-` and sixteen letters and digits.")
    name = fields.string("The whole name.")
    short = fields.string("The name that is shown at the table; empty where that is the whole one.")
    joined = fields.string("The day the member joined; null where that is not known.", allow_none=True)
    note = fields.string("What the club keeps in mind of the member.")


class MembersSchema(ResponseSchema):
    """The members, by name."""

    members = fields.list_of(MemberSchema)

"""What is asked and answered of grants, sessions and members."""

from datetime import datetime
from typing import Any, get_args

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate, validates_schema

from engine.core.cards import SEAT_NAMES
from engine.core.field_types import FieldKind
from service.auth.grants import MEMBER_ID_PATTERN, ROLES, Permission
from service.auth.timestamps import format_timestamp
from service.http.api.schemas.fields import (
    QueryParameter,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    list_field,
    nested_field,
    string_field,
)
from service.http.api.schemas.records import QuerySchema
from service.records.hidden_characters import find_name_fault

UUID_KIND = FieldKind("uuid")
MAX_NAME_LENGTH, MAX_NOTE_LENGTH, MAX_LABEL_LENGTH = 100, 2000, 200


class TimestampField(fields.Field[Any]):
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


class StrictBooleanField(fields.Boolean):
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

    confirm = QueryParameter(
        FieldKind("choice", choices=("last-owner",)), "Revoke also the last grant of an owner.", default=None
    )


class SaveMemberQuery(QuerySchema):
    """What is confirmed where a member is added or renamed."""

    confirm = QueryParameter(
        FieldKind("choice", choices=("similar-name",)),
        "Take also a name that looks like another's.",
        default=None,
    )


class RequestSchema(Schema):
    """The body of a request; what it does not know is refused."""

    class Meta:
        unknown = RAISE
        register = False


def one_line_field(
    description: str, max_length: int, *, min_length: int = 0, required: bool = False
) -> fields.String:
    """A text of one line."""
    return fields.String(
        required=required,
        load_default=missing if required else "",
        validate=[validate.Length(min=min_length, max=max_length), validate_one_line],
        metadata={"description": description},
    )


def validate_title(value: str) -> None:
    """Raises ``ValidationError`` for a title that says nothing."""
    if not value:
        raise ValidationError("write a title, or leave it out where there is none.")


def validate_one_line(value: str) -> None:
    """Raises ``ValidationError`` for a text with control or invisible characters, or of nothing but space."""
    if fault := find_name_fault(value):
        raise ValidationError(fault)


class LoginSchema(RequestSchema):
    """A token to log in with."""

    token = fields.String(
        required=True,
        validate=validate.Length(max=200),
        metadata={"description": "The token, as a link has it behind `#token=`."},
    )
    instead = StrictBooleanField(
        "Whether the session gives up the grants that stand for another person in the same record. Without "
        "it such a token is not exchanged: `409`."
    )


class NewGrantSchema(RequestSchema):
    """What a new grant is to say."""

    role = fields.String(
        required=True,
        validate=validate.OneOf(ROLES),
        metadata={"description": "What its holder may do; `docs/identity.md` has the table."},
    )
    table = VocabularyField(UUID_KIND, "Only at this table and in its deals.", required=False)
    deal = VocabularyField(UUID_KIND, "Only in this deal.", required=False)
    seat = fields.String(
        validate=validate.OneOf(SEAT_NAMES),
        metadata={"description": "A player's seat; with `deal` only, as seats change from deal to deal."},
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
    title = fields.String(
        validate=[validate.Length(max=200), validate_one_line, validate_title],
        metadata={
            "description": "The title under which a published deal stands in the library; "
            "without one it does not.",
            "minLength": 1,
        },
    )

    @validates_schema
    def validate_single_scope(self, data: dict[str, Any], **_: Any) -> None:
        """Raises ``ValidationError`` where two places are named."""
        if "table" in data and "deal" in data:
            raise ValidationError("name a table or a deal, not both.", "deal")


class ScopeSchema(ResponseSchema):
    """Where a grant holds."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(("everything", "table", "deal")),
        metadata={"description": "Everywhere, at one table and in its deals, or in one deal."},
    )
    id = VocabularyField(UUID_KIND, "The table's id, or the deal's; null for everything.", allow_none=True)


class GrantSchema(ResponseSchema):
    """A grant: a role within a scope."""

    id = VocabularyField(UUID_KIND)
    role = fields.String(
        required=True,
        validate=validate.OneOf(ROLES),
        metadata={"description": "What its holder may do."},
    )
    scope = nested_field(ScopeSchema)
    seat = string_field("A player's seat in the deal; null for whoever is not given one.", allow_none=True)
    person = string_field(
        "A player's name, or a member's id; null for whoever is not named.", allow_none=True
    )
    label = string_field("What it is called in lists.")
    made_at = string_field("When it was made.")
    made_by = string_field("The grant that made it; null for one made on the command line.", allow_none=True)
    expires_at = string_field("When it ends; null where it does not.", allow_none=True)
    used_on = string_field("The day it was last used; null where it never was.", allow_none=True)
    once = boolean_field("Whether its token can be exchanged once only.")
    spent = boolean_field("Whether that was done.")
    public = boolean_field("Whether everybody has it.")
    title = string_field(
        "The title under which a published deal stands in the library; null without one.", allow_none=True
    )
    active = boolean_field("Whether it holds now: it was not revoked and has not ended.")


class CreatedGrantSchema(GrantSchema):
    """A grant that was made. Its token is told here, and never again."""

    token = string_field(
        "For the header `Authorization: Bearer …`; null for a public grant.", allow_none=True
    )
    link = string_field("A link that logs a browser in; null for a public grant.", allow_none=True)
    qr = string_field("The link as a QR code: an SVG drawing; null where there is no link.", allow_none=True)


class GrantsSchema(ResponseSchema):
    """The grants that the caller may manage."""

    grants = list_field(GrantSchema)


class PublicGrantSchema(ResponseSchema):
    """What everybody holds: a record, or all of them, that was published."""

    role = fields.String(
        required=True,
        validate=validate.OneOf(ROLES),
        metadata={"description": "What everybody may do."},
    )
    scope = nested_field(ScopeSchema)


class CallerSchema(ResponseSchema):
    """Who asks."""

    known = boolean_field("Whether a token or a session was shown.")
    session = string_field(
        "The session's id; null where the caller shows a token, or nothing.", allow_none=True
    )
    grants = list_field(GrantSchema, "What the caller holds by what he shows.")
    published = list_field(PublicGrantSchema, "What everybody holds, and so the caller too.")
    may = list_field(
        fields.String(validate=validate.OneOf(get_args(Permission))),
        "What the caller may do beside single records.",
    )


class SessionSchema(ResponseSchema):
    """A browser that is logged in."""

    id = VocabularyField(UUID_KIND)
    made_at = string_field("When it logged in.")
    expires_at = string_field("When it has to log in again.")
    used_on = string_field("The day it was last used; null where it never was.", allow_none=True)
    grants = list_field(VocabularyField(UUID_KIND), "What it holds.")
    this = boolean_field("Whether it is the one that asks.")


class SessionsSchema(ResponseSchema):
    """The sessions that go on."""

    sessions = list_field(SessionSchema)


class MemberInputSchema(RequestSchema):
    """What is known of a member."""

    name = one_line_field("The name in full.", MAX_NAME_LENGTH, min_length=1, required=True)
    short = one_line_field("What the member is called where everybody reads it.", MAX_NAME_LENGTH)
    joined = fields.Date(
        load_default=None,
        allow_none=True,
        metadata={"description": "Since when a member; null where that is not known."},
    )
    note = one_line_field("A remark for the organisers.", MAX_NOTE_LENGTH)


class NewMemberSchema(MemberInputSchema):
    """What is known of a new member, with the id that he is to have."""

    id = fields.String(
        validate=validate.Regexp(rf"\A{MEMBER_ID_PATTERN}\Z", error="write m- and sixteen of a-z and 2-7."),
        metadata={
            "description": "The member's id: `m-` and sixteen of a-z and 2-7, by chance. With it the same "
            "may be sent again. Where none is sent, one is made.",
            "pattern": rf"^{MEMBER_ID_PATTERN}$",
        },
    )


class MemberSchema(ResponseSchema):
    """A member of the club; records name him by the id."""

    id = string_field("What records name the member by: `m-` and sixteen letters and digits.")
    name = string_field("The whole name.")
    short = string_field("The name that is shown at the table; empty where that is the whole one.")
    joined = string_field("The day the member joined; null where that is not known.", allow_none=True)
    note = string_field("What the club keeps in mind of the member.")


class MembersSchema(ResponseSchema):
    """The members, by name."""

    members = list_field(MemberSchema)

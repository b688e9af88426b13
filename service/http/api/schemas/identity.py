"""What is asked and answered of grants, sessions and members."""

from datetime import datetime
from typing import Any, get_args

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate, validates_schema

from engine.core.cards import SEAT_NAMES
from engine.core.vocabulary import Kind
from service.auth.grants import MEMBER_ID, ROLES, Power
from service.auth.moments import as_stored
from service.http.api.schemas.fields import Answer, Parameter, Vocabulary, flag, list_of, nested_in, said
from service.http.api.schemas.streams import Asked
from service.records.hidden_characters import fault_in_name

ID = Kind("uuid")
NAME_LENGTH, NOTE_LENGTH, LABEL_LENGTH = 100, 2000, 200


class Moment(fields.Field[Any]):
    """A moment with its zone, read into the form in which the store writes them."""

    def __init__(self, means: str) -> None:
        super().__init__(
            load_default=None,
            allow_none=True,
            metadata={"type": "string", "format": "date-time", "description": means},
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_: Any) -> str:
        try:
            moment = datetime.fromisoformat(value) if isinstance(value, str) and len(value) <= 40 else None
            if moment is not None and moment.tzinfo is not None:
                return as_stored(moment)
        except (ValueError, OverflowError):
            pass
        raise ValidationError("write a moment with its zone, such as 2026-12-31T23:00:00Z.")


class StrictFlag(fields.Boolean):
    """True or false, and no other way of saying it."""

    def __init__(self, means: str) -> None:
        super().__init__(truthy={True}, falsy={False}, load_default=False, metadata={"description": means})

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class RevokingQuery(Asked):
    """What is confirmed where a grant is revoked."""

    confirm = Parameter(
        Kind("choice", choices=("last-owner",)), "Revoke also the last grant of an owner.", default=None
    )


class MemberQuery(Asked):
    """What is confirmed where a member is added or renamed."""

    confirm = Parameter(
        Kind("choice", choices=("similar-name",)), "Take also a name that looks like another's.", default=None
    )


class Sent(Schema):
    """The body of a request; what it does not know is refused."""

    class Meta:
        unknown = RAISE
        register = False


def text(means: str, most: int, *, least: int = 0, required: bool = False) -> fields.String:
    """A text of one line."""
    return fields.String(
        required=required,
        load_default=missing if required else "",
        validate=[validate.Length(min=least, max=most), one_line],
        metadata={"description": means},
    )


def a_title(value: str) -> None:
    """Raises ``ValidationError`` for a title that says nothing."""
    if not value:
        raise ValidationError("write a title, or leave it out where there is none.")


def one_line(value: str) -> None:
    """Raises ``ValidationError`` for a text with control or invisible characters, or of nothing but space."""
    if fault := fault_in_name(value):
        raise ValidationError(fault)


class EnteringSchema(Sent):
    """A token to log in with."""

    token = fields.String(
        required=True,
        validate=validate.Length(max=200),
        metadata={"description": "The token, as a link has it behind `#token=`."},
    )
    instead = StrictFlag(
        "Whether the session gives up the grants that stand for another person in the same record. Without "
        "it such a token is not exchanged: `409`."
    )


class GrantingSchema(Sent):
    """What a new grant is to say."""

    role = fields.String(
        required=True,
        validate=validate.OneOf(ROLES),
        metadata={"description": "What its holder may do; `docs/identity.md` has the table."},
    )
    table = Vocabulary(ID, "Only at this table and in its deals.", required=False)
    deal = Vocabulary(ID, "Only in this deal.", required=False)
    seat = fields.String(
        validate=validate.OneOf(SEAT_NAMES),
        metadata={"description": "A player's seat; with `deal` only, as seats change from deal to deal."},
    )
    person = text("A player's name in the record, or a member's id: he sees what his seats knew.", 200)
    label = text("What the grant is called in lists.", LABEL_LENGTH)
    expires_at = Moment("When it ends; unless told otherwise, or null, never.")
    once = StrictFlag("Whether its token can be exchanged for a session once, and is good for nothing else.")
    public = StrictFlag("Whether everybody has it, without a token: the record is published. Viewers only.")
    title = fields.String(
        validate=[validate.Length(max=200), one_line, a_title],
        metadata={
            "description": "The title under which a published deal stands in the library; "
            "without one it does not.",
            "minLength": 1,
        },
    )

    @validates_schema
    def names_one_place(self, data: dict[str, Any], **_: Any) -> None:
        """Raises ``ValidationError`` where two places are named."""
        if "table" in data and "deal" in data:
            raise ValidationError("name a table or a deal, not both.", "deal")


class ScopeSchema(Answer):
    """Where a grant holds."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf(("everything", "table", "deal")),
        metadata={"description": "Everywhere, at one table and in its deals, or in one deal."},
    )
    id = Vocabulary(ID, "The table's id, or the deal's; null for everything.", null=True)


class GrantSchema(Answer):
    """A grant: a role within a scope."""

    id = Vocabulary(ID)
    role = fields.String(
        required=True,
        validate=validate.OneOf(ROLES),
        metadata={"description": "What its holder may do."},
    )
    scope = nested_in(ScopeSchema)
    seat = said("A player's seat in the deal; null for whoever is not given one.", null=True)
    person = said("A player's name, or a member's id; null for whoever is not named.", null=True)
    label = said("What it is called in lists.")
    made_at = said("When it was made.")
    made_by = said("The grant that made it; null for one made on the command line.", null=True)
    expires_at = said("When it ends; null where it does not.", null=True)
    used_on = said("The day it was last used; null where it never was.", null=True)
    once = flag("Whether its token can be exchanged once only.")
    spent = flag("Whether that was done.")
    public = flag("Whether everybody has it.")
    title = said("The title under which a published deal stands in the library; null without one.", null=True)
    active = flag("Whether it holds now: it was not revoked and has not ended.")


class MadeGrantSchema(GrantSchema):
    """A grant that was made. Its token is told here, and never again."""

    token = said("For the header `Authorization: Bearer …`; null for a public grant.", null=True)
    link = said("A link that logs a browser in; null for a public grant.", null=True)
    qr = said("The link as a QR code: an SVG drawing; null where there is no link.", null=True)


class GrantsSchema(Answer):
    """The grants that the caller may manage."""

    grants = list_of(GrantSchema)


class PublishedSchema(Answer):
    """What everybody holds: a record, or all of them, that was published."""

    role = fields.String(
        required=True,
        validate=validate.OneOf(ROLES),
        metadata={"description": "What everybody may do."},
    )
    scope = nested_in(ScopeSchema)


class CallerSchema(Answer):
    """Who asks."""

    known = flag("Whether a token or a session was shown.")
    session = said("The session's id; null where the caller shows a token, or nothing.", null=True)
    grants = list_of(GrantSchema, "What the caller holds by what he shows.")
    published = list_of(PublishedSchema, "What everybody holds, and so the caller too.")
    may = list_of(
        fields.String(validate=validate.OneOf(get_args(Power))),
        "What the caller may do beside single records.",
    )


class SessionSchema(Answer):
    """A browser that is logged in."""

    id = Vocabulary(ID)
    made_at = said("When it logged in.")
    expires_at = said("When it has to log in again.")
    used_on = said("The day it was last used; null where it never was.", null=True)
    grants = list_of(Vocabulary(ID), "What it holds.")
    this = flag("Whether it is the one that asks.")


class SessionsSchema(Answer):
    """The sessions that go on."""

    sessions = list_of(SessionSchema)


class MemberSentSchema(Sent):
    """What is known of a member."""

    name = text("The name in full.", NAME_LENGTH, least=1, required=True)
    short = text("What the member is called where everybody reads it.", NAME_LENGTH)
    joined = fields.Date(
        load_default=None,
        allow_none=True,
        metadata={"description": "Since when a member; null where that is not known."},
    )
    note = text("A remark for the organisers.", NOTE_LENGTH)


class MemberEnrolledSchema(MemberSentSchema):
    """What is known of a new member, with the id that he is to have."""

    id = fields.String(
        validate=validate.Regexp(rf"\A{MEMBER_ID}\Z", error="write m- and sixteen of a-z and 2-7."),
        metadata={
            "description": "The member's id: `m-` and sixteen of a-z and 2-7, by chance. With it the same "
            "may be sent again. Where none is sent, one is made.",
            "pattern": rf"^{MEMBER_ID}$",
        },
    )


class MemberSchema(Answer):
    """A member of the club; records name him by the id."""

    id = said("What records name the member by: `m-` and sixteen letters and digits.")
    name = said("The whole name.")
    short = said("The name that is shown at the table; empty where that is the whole one.")
    joined = said("The day the member joined; null where that is not known.", null=True)
    note = said("What the club keeps in mind of the member.")


class MembersSchema(Answer):
    """The members, by name."""

    members = list_of(MemberSchema)

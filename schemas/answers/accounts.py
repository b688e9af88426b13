"""Two accounts of one deal side by side, as a JSON object."""

from collections.abc import Mapping
from typing import Final

from engine.core.field_types import Seq
from engine.play.history import effective
from engine.reconcile import CONFLICTING, MORE_DETAIL, ONLY_ONE, AccountComparison, DealAccount
from schemas.answers import fields
from schemas.answers.response_schema import Json, ResponseSchema
from schemas.answers.states import FindingSchema, finding_objects
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.wire.event_schemas import EventSchema

ACCOUNT_NUMBERS: Final = ("1", "2")
"""What a choice calls the accounts, the first and the second."""


OWN_WORDING_FIELDS: Final = frozenset(("title", "source", "text", "reason", "why"))
"""Fields in the writer's own words: two accounts that differ in them can both be right."""


class InvalidAccountChoice(ValueError):
    """A text that chooses nothing: not of the form, or for an entry in which there is nothing to choose."""


def parse_account_choice(text: str) -> tuple[Seq, int]:
    """An entry of the merged record, and the account that it is to follow there (0 or 1): ``"11:2"``.

    Raises:
        InvalidAccountChoice: it is not of that form.
    """
    entry, _, side = text.strip().partition(":")
    if not (entry.isascii() and entry.isdigit() and len(entry) < 5) or side not in ACCOUNT_NUMBERS:
        raise InvalidAccountChoice(
            f"{text[:40]!r} is not a choice: write an entry and the account it follows, as in 11:2."
        )
    return int(entry), ACCOUNT_NUMBERS.index(side)


def require_choosable(comparison: AccountComparison, choices: Mapping[Seq, int]) -> None:
    """Raises `InvalidAccountChoice` for an entry on which the accounts do not conflict."""
    open_to_choice = {one.seq for one in comparison.differences if one.kind == CONFLICTING}
    for seq in choices:
        if seq not in open_to_choice:
            raise InvalidAccountChoice(
                f"Entry {seq} of the merged record is the same in both accounts, so there is nothing to "
                "choose."
            )


def are_accounts_compatible(comparison: AccountComparison) -> bool:
    """Whether the accounts can both be right: they conflict on nothing that happened."""
    return all(
        one.kind != CONFLICTING or set(one.fields) <= OWN_WORDING_FIELDS for one in comparison.differences
    )


class AccountSchema(ResponseSchema):
    """An account of the deal."""

    name = fields.string("The name of the account.")
    entries = fields.integer(
        "Its number of entries, with corrections applied.",
        get=lambda account: len(effective(account.log).entries),
    )
    contradicting = fields.list_of(FindingSchema)


class EntryPairSchema(ResponseSchema):
    """Entries for the same act, or an entry of one account alone."""

    first = fields.nested(EventSchema, "Null if only the second account has it.", allow_none=True)
    second = fields.nested(EventSchema, "Null if only the first account has it.", allow_none=True)


class AccountDifferenceSchema(ResponseSchema):
    """A point in which the accounts differ."""

    seq = fields.integer(
        "Its entry in the merged record; null if that leaves it out.", min_value=1, allow_none=True
    )
    kind = fields.string(
        "`only` one account has it; they `otherwise` differ; one says `more` than the other.",
        choices=(ONLY_ONE, CONFLICTING, MORE_DETAIL),
    )
    first = fields.nested(EventSchema, "Null if only the second account has it.", allow_none=True)
    second = fields.nested(EventSchema, "Null if only the first account has it.", allow_none=True)
    differs_in = fields.list_of(
        fields.string(),
        "The fields in which they differ.",
        get=lambda difference: [field.rstrip("_") for field in difference.fields],
    )
    taken = fields.integer(
        "The account that the merged record follows, 1 or 2; null: both, or neither.",
        get="followed_account",
        write=lambda place: place + 1,
        allow_none=True,
    )


class ComparisonSchema(ResponseSchema):
    """Two accounts of one deal, aligned, and one merged record."""

    accounts = fields.list_of(AccountSchema)
    agree = fields.boolean("Whether they can both be right.", get=are_accounts_compatible)
    pairs = fields.list_of(EntryPairSchema, "Aligned, in an order that keeps the order of both.")
    differences = fields.list_of(AccountDifferenceSchema)
    merged = fields.list_of(EventSchema, "The merged entries, each with its `accounts`.", get="merged_log")


def comparison_object(
    first_account: DealAccount,
    second_account: DealAccount,
    comparison: AccountComparison,
    lang: str = SOURCE_LANGUAGE,
) -> Json:
    """The accounts side by side: contradictions within each, every difference, and one record of both."""
    accounts = zip((first_account, second_account), comparison.impossible_findings, strict=True)
    return ComparisonSchema.write(
        comparison,
        lang,
        accounts=[
            AccountSchema.write(account, contradicting=finding_objects(findings, lang))
            for account, findings in accounts
        ],
    )

"""Two accounts of one deal side by side, as a JSON object."""

from collections.abc import Mapping
from typing import Final

from engine.core.field_types import Seq
from engine.play.history import effective
from engine.reconcile import CONFLICTING, AccountComparison, AccountDifference, DealAccount
from schemas.answers.states import Json, finding_objects, optional
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.wire.event_writer import entry_object

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


def comparison_object(
    first_account: DealAccount,
    second_account: DealAccount,
    comparison: AccountComparison,
    lang: str = SOURCE_LANGUAGE,
) -> Json:
    """The accounts side by side: contradictions within each, every difference, and one record of both."""
    accounts = zip((first_account, second_account), comparison.impossible_findings, strict=True)
    return {
        "accounts": [
            {
                "name": account.name,
                "entries": len(effective(account.log).entries),
                "contradicting": finding_objects(findings, lang),
            }
            for account, findings in accounts
        ],
        "agree": are_accounts_compatible(comparison),
        "pairs": [
            {"first": optional(entry_object, one.first), "second": optional(entry_object, one.second)}
            for one in comparison.pairs
        ],
        "differences": [_difference_object(one) for one in comparison.differences],
        "merged": [entry_object(entry) for entry in comparison.merged_log],
    }


def _difference_object(difference: AccountDifference) -> Json:
    return {
        "seq": difference.seq,
        "kind": difference.kind,
        "first": optional(entry_object, difference.first),
        "second": optional(entry_object, difference.second),
        "differs_in": [field.rstrip("_") for field in difference.fields],
        "taken": None if difference.followed_account is None else difference.followed_account + 1,
    }

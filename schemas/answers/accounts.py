"""Two accounts of one deal side by side, as a JSON object."""

from collections.abc import Mapping
from typing import Any, Final

from engine.core.log import Entry
from engine.core.vocabulary import Seq
from engine.play.history import effective
from engine.reconcile import OTHERWISE, Account, Compared, Difference
from schemas.answers.states import Told, finding_objects
from schemas.wire.writer import entry_object

Json = dict[str, Any]

SIDES: Final = ("1", "2")
"""What a choice calls the accounts, the first and the second."""


OWN_WORDS: Final = frozenset(("title", "source", "text", "reason", "why"))
"""Fields in which everybody has words of his own: two accounts that differ in them can both be right."""


class NoChoice(ValueError):
    """A text that chooses nothing: not of the form, or for an entry in which there is nothing to choose."""


def read_choice(text: str) -> tuple[Seq, int]:
    """An entry of the merged record, and the account that it is to follow there (0 or 1): ``"11:2"``.

    Raises:
        NoChoice: it is not of that form.
    """
    entry, _, side = text.strip().partition(":")
    if not (entry.isascii() and entry.isdigit() and len(entry) < 5) or side not in SIDES:
        raise NoChoice(f"{text[:40]!r} is no choice: write an entry and the account it follows, as in 11:2.")
    return int(entry), SIDES.index(side)


def require_open(found: Compared, choices: Mapping[Seq, int]) -> None:
    """Raises `NoChoice` where the accounts do not tell otherwise of an entry for which one was chosen."""
    open_to_choice = {one.seq for one in found.differences if one.kind == OTHERWISE}
    for seq in choices:
        if seq not in open_to_choice:
            raise NoChoice(
                f"There is nothing to choose for entry {seq} of the merged record: nobody tells it otherwise."
            )


def agree(found: Compared) -> bool:
    """Whether the accounts can both be right: of nothing that happened one tells otherwise than the other."""
    return all(one.kind != OTHERWISE or set(one.fields) <= OWN_WORDS for one in found.differences)


def comparison_object(first: Account, second: Account, found: Compared, told: Told = str) -> Json:
    """The accounts side by side: who contradicts himself, every difference, and one record of both."""
    accounts = zip((first, second), found.contradicting, strict=True)
    return {
        "accounts": [
            {
                "name": account.name,
                "entries": len(effective(account.log).entries),
                "contradicting": finding_objects(findings, told),
            }
            for account, findings in accounts
        ],
        "agree": agree(found),
        "pairs": [{"first": _entry(one.first), "second": _entry(one.second)} for one in found.pairs],
        "differences": [_difference(one) for one in found.differences],
        "merged": [entry_object(entry) for entry in found.merged],
    }


def _difference(one: Difference) -> Json:
    return {
        "seq": one.seq,
        "kind": one.kind,
        "first": _entry(one.first),
        "second": _entry(one.second),
        "differs_in": [field.rstrip("_") for field in one.fields],
        "taken": None if one.taken is None else one.taken + 1,
    }


def _entry(entry: Entry | None) -> Json | None:
    return None if entry is None else entry_object(entry)

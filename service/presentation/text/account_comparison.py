"""Two accounts of one deal, and what differs between them, in words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import orjson

from engine import effective, initial_state
from engine.core.events import DealOpened, NoteAdded
from engine.core.field_types import Seq
from engine.core.log import Entry
from engine.reconcile import (
    CONFLICTING,
    MORE_DETAIL,
    ONLY_ONE,
    AccountComparison,
    AccountDifference,
    DealAccount,
)
from engine.rulesets import RulesetBook
from schemas.answers.accounts import are_accounts_compatible
from schemas.wire.event_writer import event_object
from service.presentation.text.sentences import successive_sentences
from service.presentation.text.style import TextStyle

DIFFERENCE_PHRASES: Final = {
    ONLY_ONE: "{place}: only {name} has it.",
    "filled": "Left out: {name} notes that entries are missing, and {other} has them.",
    CONFLICTING: "{place}: the accounts differ ({fields}); the merged record follows {name}.",
    MORE_DETAIL: "{place}: one gives what the other leaves open ({fields}).",
}
COUNT_PHRASES: Final = {
    ONLY_ONE: "In one account only: {count}.",
    MORE_DETAIL: "More detail in one account: {count}.",
    CONFLICTING: "Different: {count}.",
}
EVENT_FIELD_WORDS: Final = {
    "after": "after which entry",
    "answer": "the answer",
    "at_fault": "who is at fault",
    "author": "who says so",
    "bid": "the call",
    "board": "the board",
    "branch": "where it branches from another deal",
    "by_seat": "who calls it",
    "card": "the card",
    "cards": "the cards",
    "contract": "the contract",
    "date": "the date",
    "dealer": "the dealer",
    "declarer": "the declarer",
    "engine": "which program",
    "estuches": "the estuches",
    "kind": "what kind",
    "mark": "the mark",
    "number": "the deal's number",
    "of": "which entry",
    "on": "on which entry",
    "outcome": "the outcome",
    "payments": "the payments",
    "pays": "what it is paid as",
    "penalty": "the penalty points",
    "player": "the player",
    "players": "the players",
    "pool": "the pool",
    "primeras": "the primeras",
    "reason": "the reason",
    "replaces": "which entries",
    "reserved": "the reserved puestas",
    "revision": "the revision of the rules",
    "ruleset": "the rules",
    "said": "the words spoken",
    "seat": "the seat",
    "seats": "the seats",
    "slam": "all nine tricks",
    "source": "the source",
    "switches": "the house rules",
    "table": "the table",
    "text": "the text",
    "title": "the title",
    "trick": "which trick",
    "tricks": "the tricks",
    "trump": "the trumps",
    "why": "what for",
    "with_": "the replacement",
}
"""What a field of an event is called where two accounts differ in it."""


class NarratedAccount(NamedTuple):
    """The name of an account, and each of its entries in words."""

    name: str
    sentences: dict[Seq, str]


def narrate_account(account: DealAccount, book: RulesetBook, style: TextStyle) -> NarratedAccount:
    """Put the entries of an account into words."""
    entries = effective(account.log).entries
    sentences = successive_sentences(initial_state(book), entries, style)
    return NarratedAccount(account.name, dict(zip((one.seq for one in entries), sentences, strict=True)))


def account_sentence(number: int, side: NarratedAccount, found: AccountComparison, style: TextStyle) -> str:
    """The length of the account with this number, from 0, and whether it contradicts itself."""
    account = style.phrase(
        "{number}. {name}: {count} entries",
        "account",
        number=number + 1,
        name=side.name,
        count=len(side.sentences),
    )
    return style.phrase(
        "{account}, which cannot all be true:"
        if found.impossible_findings[number]
        else "{account}, which do not contradict each other.",
        "account",
        account=account,
    )


def verdict_sentence(found: AccountComparison, sides: Sequence[NarratedAccount], style: TextStyle) -> str:
    """Whether both accounts can be right."""
    faulty = [side.name for side, faults in zip(sides, found.impossible_findings, strict=True) if faults]
    if len(faulty) == len(sides):
        return style.phrase(
            "Neither account can be right as it stands. Where they differ, the merged record follows "
            "{name}; read both before you keep it.",
            "account",
            name=sides[0].name,
        )
    if not are_accounts_compatible(found):
        return style.phrase("They cannot both be right.", "account")
    if faulty:
        return style.phrase(
            "The accounts do not differ, but what {name} says cannot all be true.",
            "account",
            name=faulty[0],
        )
    return style.phrase("Both can be right.", "account")


def count_sentences(found: AccountComparison, style: TextStyle) -> Iterator[str]:
    """How many entries are alike, and how many differences of each kind there are."""
    kinds = Counter(one.kind for one in found.differences)
    pair_count = sum(pair.merged is not None for pair in found.pairs)
    equal_count = pair_count - kinds[MORE_DETAIL] - kinds[CONFLICTING]
    yield style.phrase("The same in both: {count}.", "account", count=equal_count)
    for kind in COUNT_PHRASES:
        if kinds[kind]:
            yield style.phrase(COUNT_PHRASES[kind], "account", count=kinds[kind])


def difference_sentence(one: AccountDifference, sides: Sequence[NarratedAccount], style: TextStyle) -> str:
    """What kind of difference it is, at which entry, and in which fields."""
    place = "" if one.seq is None else style.phrase("Entry {seq} of both together", "account", seq=one.seq)
    owner = 0 if one.second is None else 1
    kind, name = one.kind, sides[owner].name
    if kind == ONLY_ONE and one.seq is None:
        kind = "filled"
    elif kind == CONFLICTING:
        name = sides[one.followed_account or 0].name
    parts = {"place": place, "name": name, "other": sides[1 - owner].name}
    fields = field_words(one.fields, style)
    return style.phrase(DIFFERENCE_PHRASES[kind], "account", **parts, fields=fields)


def field_words(fields: Sequence[str], style: TextStyle) -> str:
    """The fields in which entries differ."""
    return ", ".join(style.phrase(EVENT_FIELD_WORDS[field], "account") for field in fields)


def describe_entry(entry: Entry, fields: tuple[str, ...], side: NarratedAccount, style: TextStyle) -> str:
    """An entry in a sentence; of an opening only the fields in which it differs."""
    if not isinstance(entry.event, DealOpened) or not fields:
        return side.sentences[entry.seq]
    values = event_object(entry.event)
    texts = {}
    for field in fields:
        value = values.get(field)
        texts[field] = value if isinstance(value, str) else orjson.dumps(value).decode()
    return "; ".join(
        f"{style.phrase(EVENT_FIELD_WORDS[field], 'account')}: {text}" for field, text in texts.items()
    )


def is_unmatched_note(one: AccountDifference) -> bool:
    """Whether it is a note that one account has alone."""
    entry = one.first or one.second
    return one.kind == ONLY_ONE and entry is not None and isinstance(entry.event, NoteAdded)

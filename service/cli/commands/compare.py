"""``spadille compare``: two accounts of one deal side by side, and one record of both."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

import click
import orjson

from engine import effective, initial_state
from engine.core.events import DealOpened, NoteAdded
from engine.core.field_types import Seq
from engine.core.log import Entry
from engine.fold import fold_all
from engine.reconcile import (
    CONFLICTING,
    MORE_DETAIL,
    ONLY_ONE,
    AccountComparison,
    AccountDifference,
    AccountTooLong,
    DealAccount,
    compare_accounts,
)
from engine.rulesets import RulesetBook
from schemas.answers.accounts import (
    InvalidAccountChoice,
    are_accounts_compatible,
    comparison_object,
    parse_account_choice,
    require_choosable,
)
from schemas.wire.event_writer import entry_bytes, event_object
from service.cli.io import options
from service.cli.io.deals import deal_title_lines, expand_deals
from service.cli.io.inputs import STDIN_NAME, InputLog, Inputs, input_display_name, quote_file_name
from service.cli.io.output import (
    print_json_line,
    print_lines,
    require_not_an_input,
    write_output,
)
from service.cli.io.safe_group import EXIT_FAULTY, EXIT_SOUND, EXIT_UNREADABLE, CommandFailed, print_to_stderr
from service.cli.io.terminal_text import sanitize_line
from service.cli.views.deal_lines import sentence_lines
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import INDENT, wrap_text
from service.presentation.text.sentences import capitalize_first, successive_sentences
from service.presentation.text.style import TextStyle
from service.records.deal_points import VIEWERS_BY_NAME

UNRESTRICTED_VIEWER: Final = next(iter(VIEWERS_BY_NAME))

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


def _parse_choice(value: str) -> tuple[Seq, int]:
    """An entry of the merged record and the account that it follows: ``11:2``."""
    try:
        return parse_account_choice(value)
    except InvalidAccountChoice as error:
        raise click.BadParameter(str(error)) from None


@click.command(epilog="Example: spadille compare phone.jsonl book.deal --names phone book")
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.option(
    "--names", nargs=2, metavar="NAME NAME", help="Names for the two accounts.  [default: the file names]"
)
@click.option(
    "--take", type=_parse_choice, metavar="ENTRY:ACCOUNT", multiple=True,
    help="Follow account 1 or 2 at this entry, as in 11:2. Repeatable.",
)  # fmt: skip
@click.option("--merged", is_flag=True, help="Write only the merged record, as JSON Lines.")
@options.into_file
@options.output_format
@options.rules
@options.style
@click.pass_context
def compare(
    ctx: click.Context,
    first: str,
    second: str,
    names: tuple[str, str] | None,
    take: tuple[tuple[Seq, int], ...],
    merged: bool,
    into: str | None,
    output: str,
    rules_files: tuple[str, ...],
    style: TextStyle,
) -> None:
    """Compare two accounts of one deal, entry by entry.

    FIRST and SECOND are logs (JSON Lines or the notation), names of library deals, or - for standard input.
    In a file with several deals, FILE:DEAL picks one. The exit status is 0 if both can be right, 1 if not,
    and 2 if one cannot be read.
    """
    book, plain = options.load_rule_book(rules_files), output == "text" and not merged
    if into is not None and not merged:
        raise click.UsageError("-o needs --merged.")
    references = [_parse_deal_reference(first), _parse_deal_reference(second)]
    require_not_an_input(into, (*(one.file for one in references), *rules_files))
    if first == second == STDIN_NAME:
        raise CommandFailed("Standard input can be read only once; name a file for one of the accounts.")
    deals = [_read_single_deal(one, plain) for one in references]
    one, other = deals
    if one is None or other is None:
        ctx.exit(EXIT_UNREADABLE)
    first_name, second_name = names or (input_display_name(one.file), input_display_name(other.file))
    accounts = (_build_account(first_name, one, plain), _build_account(second_name, other, plain))
    found = _compare_accounts(accounts, dict(take), book)
    if merged:
        write_output(b"".join(entry_bytes(entry) + b"\n" for entry in found.merged_log), into)
    elif plain:
        print_lines(_comparison_lines(one, accounts, found, book, style), style)
    else:
        print_json_line(comparison_object(*accounts, found))
    ctx.exit(EXIT_SOUND if are_accounts_compatible(found) else EXIT_FAULTY)


def _parse_deal_reference(name: str) -> options.DealReference:
    """The input and the number of the deal there, 0 where none is named; a file goes before a number."""
    file, _, number = name.rpartition(":")
    if not os.path.exists(name) and file and number.isascii() and number.isdigit() and len(number) < 10:
        return options.DealReference(file, int(number))
    return options.DealReference(name, 0)


def _read_single_deal(reference: options.DealReference, for_terminal: bool) -> InputLog | None:
    """Read the deal that an argument names, with the beginning of a variation; report what is missing."""
    name, number = reference
    inputs = Inputs((name,))
    deals = expand_deals(inputs.read_deals(), UNRESTRICTED_VIEWER, for_terminal)
    found = [deal._replace(log=course) for deal, course in islice(deals, number + 2)]
    if inputs.has_unreadable:
        return None
    matching = [deal for deal in found if number in (0, deal.number)]
    if len(matching) == 1:
        return matching[0]
    if number:
        problem = f"has no deal {number}."
    elif not found:
        problem = "has no deal."
    elif name == STDIN_NAME:
        problem = "has several deals; name a file with one deal."
    else:
        problem = f"has several deals; pick one, as in {sanitize_line(name)}:1."
    print_to_stderr(f"{'Standard input' if name == STDIN_NAME else quote_file_name(name)} {problem}")
    return None


def _build_account(name: str, deal: InputLog, for_terminal: bool) -> DealAccount:
    return DealAccount(sanitize_line(name) if for_terminal else name, deal.log)


def _compare_accounts(
    accounts: tuple[DealAccount, DealAccount], choices: Mapping[Seq, int], book: RulesetBook
) -> AccountComparison:
    try:
        found = compare_accounts(*accounts, choices, book)
        require_choosable(found, choices)
    except (AccountTooLong, InvalidAccountChoice) as error:
        raise CommandFailed(f"{capitalize_first(str(error)).removesuffix('.')}.") from None
    return found


# --- For people -----------------------------------------------------------------------------------


class _NarratedAccount(NamedTuple):
    """The name of an account, and each of its entries in words."""

    name: str
    sentences: dict[Seq, str]


def _comparison_lines(
    deal: InputLog,
    accounts: tuple[DealAccount, DealAccount],
    comparison: AccountComparison,
    book: RulesetBook,
    style: TextStyle,
) -> Iterator[str]:
    """Describe the accounts, then each difference with the entries of both."""
    state = fold_all(comparison.merged_log, initial_state(book))
    yield from deal_title_lines(deal, state, style)
    sides = [_narrate_account(account, book, style) for account in accounts]
    for number, side in enumerate(sides):
        yield from _account_lines(number, side, comparison, style)
    yield ""
    yield from sentence_lines(_verdict_sentence(comparison, sides, style), style, "")
    yield from wrap_text(" ".join(_count_sentences(comparison, style)), style.width)
    for one in comparison.differences:
        if not _is_unmatched_note(one):
            yield ""
            yield from _difference_lines(one, sides, style)
    yield from _unmatched_note_lines(comparison, sides, style)


def _narrate_account(account: DealAccount, book: RulesetBook, style: TextStyle) -> _NarratedAccount:
    entries = effective(account.log).entries
    sentences = successive_sentences(initial_state(book), entries, style)
    return _NarratedAccount(account.name, dict(zip((one.seq for one in entries), sentences, strict=True)))


def _account_lines(
    number: int, side: _NarratedAccount, found: AccountComparison, style: TextStyle
) -> Iterator[str]:
    """The length of an account, and what is impossible in it."""
    faults = found.impossible_findings[number]
    account = style.phrase(
        "{number}. {name}: {count} entries",
        "account",
        number=number + 1,
        name=side.name,
        count=len(side.sentences),
    )
    sentence = style.phrase(
        "{account}, which cannot all be true:"
        if faults
        else "{account}, which do not contradict each other.",
        "account",
        account=account,
    )
    yield from sentence_lines(sentence, style, "")
    yield from finding_lines(faults, style, INDENT * 2)


def _verdict_sentence(found: AccountComparison, sides: list[_NarratedAccount], style: TextStyle) -> str:
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


def _count_sentences(found: AccountComparison, style: TextStyle) -> Iterator[str]:
    """How many entries are alike, and how many differences of each kind there are."""
    kinds = Counter(one.kind for one in found.differences)
    pair_count = sum(pair.merged is not None for pair in found.pairs)
    equal_count = pair_count - kinds[MORE_DETAIL] - kinds[CONFLICTING]
    yield style.phrase("The same in both: {count}.", "account", count=equal_count)
    for kind in COUNT_PHRASES:
        if kinds[kind]:
            yield style.phrase(COUNT_PHRASES[kind], "account", count=kinds[kind])


def _difference_lines(
    one: AccountDifference, sides: list[_NarratedAccount], style: TextStyle
) -> Iterator[str]:
    """A difference, and the entries of the accounts that it is about."""
    place = "" if one.seq is None else style.phrase("Entry {seq} of both together", "account", seq=one.seq)
    owner = 0 if one.second is None else 1
    kind, name = one.kind, sides[owner].name
    if kind == ONLY_ONE and one.seq is None:
        kind = "filled"
    elif kind == CONFLICTING:
        name = sides[one.followed_account or 0].name
    fields = ", ".join(style.phrase(EVENT_FIELD_WORDS[field], "account") for field in one.fields)
    parts = {"place": place, "name": name, "other": sides[1 - owner].name, "fields": fields}
    yield from sentence_lines(style.phrase(DIFFERENCE_PHRASES[kind], "account", **parts), style, "")
    for side, entry in zip(sides, (one.first, one.second), strict=True):
        if entry is not None:
            what = _describe_entry(entry, one.fields, side, style)
            sentence = style.phrase(
                "{name}, entry {seq}: {what}.", "account", name=side.name, seq=entry.seq, what=what
            )
            yield from sentence_lines(sentence, style, INDENT, INDENT * 2)


def _describe_entry(entry: Entry, fields: tuple[str, ...], side: _NarratedAccount, style: TextStyle) -> str:
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


def _is_unmatched_note(one: AccountDifference) -> bool:
    entry = one.first or one.second
    return one.kind == ONLY_ONE and entry is not None and isinstance(entry.event, NoteAdded)


def _unmatched_note_lines(
    found: AccountComparison, sides: list[_NarratedAccount], style: TextStyle
) -> Iterator[str]:
    """The notes that only one account has; the merged record keeps all of them."""
    unmatched = [one for one in found.differences if _is_unmatched_note(one)]
    for number, side in enumerate(sides):
        notes = [entry for one in unmatched if (entry := (one.first, one.second)[number]) is not None]
        if notes:
            seqs = ", ".join(str(note.seq) for note in notes)
            yield ""
            sentence = style.phrase(
                "Notes that only {name} has; all are kept: {seqs}.", "account", name=side.name, seqs=seqs
            )
            yield from sentence_lines(sentence, style, "")

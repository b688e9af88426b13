"""``spadille compare``: two accounts of one deal side by side, and one record of both."""

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

import click

from engine import initial_state
from engine.core.field_types import Seq
from engine.fold import fold_all
from engine.reconcile import (
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
from schemas.wire.event_writer import entry_bytes
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
from service.presentation.text.account_comparison import (
    NarratedAccount,
    account_sentence,
    count_sentences,
    describe_entry,
    difference_sentence,
    is_unmatched_note,
    narrate_account,
    verdict_sentence,
)
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import INDENT, wrap_text
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle
from service.records.deal_points import VIEWERS_BY_NAME

UNRESTRICTED_VIEWER: Final = next(iter(VIEWERS_BY_NAME))


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
    sides = [narrate_account(account, book, style) for account in accounts]
    for number, side in enumerate(sides):
        yield from _account_lines(number, side, comparison, style)
    yield ""
    yield from sentence_lines(verdict_sentence(comparison, sides, style), style, "")
    yield from wrap_text(" ".join(count_sentences(comparison, style)), style.width)
    for one in comparison.differences:
        if not is_unmatched_note(one):
            yield ""
            yield from _difference_lines(one, sides, style)
    yield from _unmatched_note_lines(comparison, sides, style)


def _account_lines(
    number: int, side: NarratedAccount, found: AccountComparison, style: TextStyle
) -> Iterator[str]:
    """The length of an account, and what is impossible in it."""
    yield from sentence_lines(account_sentence(number, side, found, style), style, "")
    yield from finding_lines(found.impossible_findings[number], style, INDENT * 2)


def _difference_lines(
    one: AccountDifference, sides: list[NarratedAccount], style: TextStyle
) -> Iterator[str]:
    """A difference, and the entries of the accounts that it is about."""
    yield from sentence_lines(difference_sentence(one, sides, style), style, "")
    for side, entry in zip(sides, (one.first, one.second), strict=True):
        if entry is not None:
            what = describe_entry(entry, one.fields, side, style)
            sentence = style.phrase(
                "{name}, entry {seq}: {what}.", "account", name=side.name, seq=entry.seq, what=what
            )
            yield from sentence_lines(sentence, style, INDENT, INDENT * 2)


def _unmatched_note_lines(
    found: AccountComparison, sides: list[NarratedAccount], style: TextStyle
) -> Iterator[str]:
    """The notes that only one account has; the merged record keeps all of them."""
    unmatched = [one for one in found.differences if is_unmatched_note(one)]
    for number, side in enumerate(sides):
        notes = [entry for one in unmatched if (entry := (one.first, one.second)[number]) is not None]
        if notes:
            seqs = ", ".join(str(note.seq) for note in notes)
            yield ""
            sentence = style.phrase(
                "Notes that only {name} has; all are kept: {seqs}.", "account", name=side.name, seqs=seqs
            )
            yield from sentence_lines(sentence, style, "")

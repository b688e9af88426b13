"""``spadille compare``: two accounts of one deal side by side, and one record of both."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate, islice, pairwise
from typing import Final, NamedTuple

import click
import orjson

from engine import effective, evolve, initial_state
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
from schemas.i18n.catalogs import gettext
from schemas.wire.event_writer import entry_bytes, event_object
from service.cli.io import options
from service.cli.io.bulk_run import InputSource
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
from service.cli.views.compare_words import COMPARISON_PHRASES, EVENT_FIELD_WORDS
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import wrap_text
from service.presentation.text.sentences import SentenceContext, capitalize_first, entry_sentence
from service.presentation.text.style import TextStyle
from service.records.deal_points import VIEWERS_BY_NAME

INDENT: Final = "  "
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
    "--names", nargs=2, metavar="NAME NAME", help="What the accounts are called.  [default: as the files]"
)
@click.option(
    "--take", type=_parse_choice, metavar="ENTRY:ACCOUNT", multiple=True,
    help="Follow account 1 or 2 there, as in 11:2; may be given again.",
)  # fmt: skip
@click.option("--merged", is_flag=True, help="Write the merged record as JSON Lines, and nothing else.")
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
    """Lay two accounts of one deal side by side.

    FIRST and SECOND are logs (JSON Lines or the notation), - for standard input, or deals of the library;
    where a file has several deals, FILE:DEAL says which. The exit status is 0 if they can both be right,
    1 if not, 2 if one cannot be read.
    """
    book, plain = options.load_rule_book(rules_files), output == "text" and not merged
    if into is not None and not merged:
        raise click.UsageError("-o is for what --merged writes.")
    require_not_an_input(
        into, (_parse_deal_reference(first).name, _parse_deal_reference(second).name, *rules_files)
    )
    if first == second == STDIN_NAME:
        raise CommandFailed("Standard input can be read once; name a file for one of the accounts.")
    one, other = _read_single_deal(first, plain), _read_single_deal(second, plain)
    if one is None or other is None:
        ctx.exit(EXIT_UNREADABLE)
    account_names = names or (input_display_name(one.file), input_display_name(other.file))
    accounts = (
        DealAccount(_account_name(account_names[0], plain), one.log),
        DealAccount(_account_name(account_names[1], plain), other.log),
    )
    found = _compare_accounts(accounts, dict(take), book)
    if merged:
        write_output(b"".join(entry_bytes(entry) + b"\n" for entry in found.merged_log), into)
    elif output == "text":
        print_lines(_comparison_lines(one, accounts, found, book, style), style)
    else:
        print_json_line(comparison_object(*accounts, found))
    ctx.exit(EXIT_SOUND if are_accounts_compatible(found) else EXIT_FAULTY)


def _read_single_deal(name: str, for_terminal: bool) -> InputLog | None:
    """The deal that an argument names; None where there is none, or it does not say which, as is told."""
    reference = _parse_deal_reference(name)
    inputs = Inputs((reference.name,))
    found = list(islice(_read_expanded_deals(inputs, for_terminal), reference.skip_count + 2))
    if inputs.has_unreadable:
        return None
    matching = [deal for deal in found if reference.skip_count in (0, deal.number)]
    if len(matching) == 1:
        return matching[0]
    if reference.skip_count:
        problem = f"has no deal {reference.skip_count}."
    elif not found:
        problem = "has no deal."
    elif name == STDIN_NAME:
        problem = "has several deals; put one alone there."
    else:
        problem = f"has several deals; say which, as in {sanitize_line(name)}:1."
    display_name = "Standard input" if name == STDIN_NAME else quote_file_name(reference.name)
    print_to_stderr(f"{display_name} {problem}")
    return None


def _read_expanded_deals(inputs: Inputs, for_terminal: bool) -> Iterator[InputLog]:
    """The deals of an input, each with its whole course: a variation behind its beginning."""
    for deal, course in expand_deals(inputs.read_deals(), UNRESTRICTED_VIEWER, for_terminal):
        yield deal._replace(log=course)


def _parse_deal_reference(name: str) -> InputSource:
    """The input and the number of the deal there, 0 where none is named; a file goes before a number."""
    file, _, number = name.rpartition(":")
    if not os.path.exists(name) and file and number.isascii() and number.isdigit() and len(number) < 10:
        return InputSource(file, int(number))
    return InputSource(name)


def _account_name(name: str, for_terminal: bool) -> str:
    return sanitize_line(name) if for_terminal else name


def _compare_accounts(
    accounts: tuple[DealAccount, DealAccount], choices: Mapping[Seq, int], book: RulesetBook
) -> AccountComparison:
    """The comparison; the command ends where there is none to be had."""
    try:
        found = compare_accounts(*accounts, choices, book)
        require_choosable(found, choices)
    except (AccountTooLong, InvalidAccountChoice) as error:
        raise CommandFailed(f"{capitalize_first(str(error)).removesuffix('.')}.") from None
    return found


# --- For people -----------------------------------------------------------------------------------


class _NarratedAccount(NamedTuple):
    """An account as it is told: its name, and how to say each of its entries."""

    name: str
    sentences: dict[Seq, str]


def _comparison_lines(
    deal: InputLog,
    accounts: tuple[DealAccount, DealAccount],
    comparison: AccountComparison,
    book: RulesetBook,
    style: TextStyle,
) -> Iterator[str]:
    """What is told of the accounts, and each difference with the entries of both."""
    state = fold_all(comparison.merged_log, initial_state(book))
    yield from deal_title_lines(deal, state, style)
    sides = tuple(_narrate_account(account, book, style) for account in accounts)
    for number, side in enumerate(sides):
        yield from _account_lines(number, side, comparison, style)
    yield ""
    yield from _verdict_phrase_lines(comparison, sides, style)
    yield from _count_lines(comparison, style)
    for one in comparison.differences:
        if not _is_unmatched_note(one):
            yield ""
            yield from _difference_lines(one, sides, style)
    yield from _unmatched_note_lines(comparison, sides, style)


def _narrate_account(account: DealAccount, book: RulesetBook, style: TextStyle) -> _NarratedAccount:
    entries = effective(account.log).entries
    states = list(accumulate(entries, evolve, initial=initial_state(book)))
    sentences = (
        entry_sentence(entry, SentenceContext(before, after, style))
        for entry, (before, after) in zip(entries, pairwise(states), strict=True)
    )
    return _NarratedAccount(account.name, dict(zip((entry.seq for entry in entries), sentences, strict=True)))


def _account_lines(
    number: int, side: _NarratedAccount, found: AccountComparison, style: TextStyle
) -> Iterator[str]:
    """How long an account is, and what in it cannot be."""
    faults = found.impossible_findings[number]
    account = gettext(COMPARISON_PHRASES["account"], style.lang, "account").format(
        number=number + 1, name=side.name, count=len(side.sentences)
    )
    yield from _phrase_lines("contradicting" if faults else "sound", style, "", account=account)
    yield from finding_lines(faults, style, INDENT * 2)


def _verdict_phrase_lines(
    found: AccountComparison, sides: tuple[_NarratedAccount, ...], style: TextStyle
) -> list[str]:
    """Whether both accounts can be right."""
    faulty = [side.name for side, faults in zip(sides, found.impossible_findings, strict=True) if faults]
    if len(faulty) == len(sides):
        return _phrase_lines("neither_can", style, "", name=sides[0].name)
    if not are_accounts_compatible(found):
        return _phrase_lines("disagree", style, "")
    return (
        _phrase_lines("one_cannot", style, "", name=faulty[0])
        if faulty
        else _phrase_lines("agree", style, "")
    )


def _count_lines(found: AccountComparison, style: TextStyle) -> list[str]:
    """How many entries are told alike, and in how many of each kind the accounts differ."""
    kinds = Counter(one.kind for one in found.differences)
    equal_count = (
        sum(pair.merged is not None for pair in found.pairs) - kinds[MORE_DETAIL] - kinds[CONFLICTING]
    )
    counts = [
        ("alike", equal_count),
        *((f"count_{kind}", kinds[kind]) for kind in (ONLY_ONE, MORE_DETAIL, CONFLICTING)),
    ]
    sentences = (
        gettext(COMPARISON_PHRASES[line], style.lang, "account").format(count=count)
        for line, count in counts
        if count or line == "alike"
    )
    return wrap_text(" ".join(sentences), style.width)


def _difference_lines(
    one: AccountDifference, sides: tuple[_NarratedAccount, ...], style: TextStyle
) -> Iterator[str]:
    """A difference, and the entries of the accounts that it is about."""
    place = (
        ""
        if one.seq is None
        else gettext(COMPARISON_PHRASES["place"], style.lang, "account").format(seq=one.seq)
    )
    owner = 0 if one.second is None else 1
    kind, name = one.kind, sides[owner].name
    if kind == ONLY_ONE and one.seq is None:
        kind = "filled"
    elif kind == CONFLICTING:
        name = sides[one.followed_account or 0].name
    fields = ", ".join(gettext(EVENT_FIELD_WORDS[field], style.lang, "account") for field in one.fields)
    yield from _phrase_lines(
        kind, style, "", place=place, name=name, other=sides[1 - owner].name, fields=fields
    )
    for side, entry in zip(sides, (one.first, one.second), strict=True):
        if entry is not None:
            yield from _phrase_lines(
                "entry",
                style,
                INDENT,
                name=side.name,
                seq=entry.seq,
                what=_describe_entry(entry, one.fields, side, style),
            )


def _describe_entry(entry: Entry, fields: tuple[str, ...], side: _NarratedAccount, style: TextStyle) -> str:
    """An entry in a sentence; of an opening what it has in the fields in which it differs."""
    if not isinstance(entry.event, DealOpened) or not fields:
        return side.sentences[entry.seq]
    obj = event_object(entry.event)
    values = (obj.get(field) for field in fields)
    texts = (one if isinstance(one, str) else orjson.dumps(one).decode() for one in values)
    return "; ".join(
        f"{gettext(EVENT_FIELD_WORDS[field], style.lang, 'account')}: {one}"
        for field, one in zip(fields, texts, strict=True)
    )


def _is_unmatched_note(one: AccountDifference) -> bool:
    entry = one.first or one.second
    return one.kind == ONLY_ONE and entry is not None and isinstance(entry.event, NoteAdded)


def _unmatched_note_lines(
    found: AccountComparison, sides: tuple[_NarratedAccount, ...], style: TextStyle
) -> Iterator[str]:
    """Which notes stand in one account alone: all of them are kept."""
    unmatched = [one for one in found.differences if _is_unmatched_note(one)]
    for number, side in enumerate(sides):
        notes = [entry for one in unmatched if (entry := (one.first, one.second)[number]) is not None]
        if notes:
            seqs = ", ".join(str(note.seq) for note in notes)
            yield ""
            yield from _phrase_lines("notes", style, "", name=side.name, seqs=seqs)


def _phrase_lines(key: str, style: TextStyle, indent: str, **parts: object) -> list[str]:
    phrase = gettext(COMPARISON_PHRASES[key], style.lang, "account").format(**parts)
    if phrase.endswith("..") and not phrase.endswith("..."):
        phrase = phrase[:-1]
    return wrap_text(phrase, style.width, indent, INDENT * 2 if indent else "")

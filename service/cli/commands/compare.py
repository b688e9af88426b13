"""``spadille compare``: two accounts of one deal side by side, and one record of both."""

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

import click
import orjson

from engine import effective, evolve, start
from engine.core.events import DealOpened, NoteAdded
from engine.core.log import Entry
from engine.core.vocabulary import Seq
from engine.fold import fold_all
from engine.reconcile import MORE, ONLY, OTHERWISE, Account, Compared, Difference, compared
from engine.reconcile.aligning import TooLong
from engine.rulesets import Book
from schemas.answers.accounts import NoChoice, agree, comparison_object, read_choice, require_open
from schemas.wire.writer import entry_bytes, event_fields
from service.cli.io import options
from service.cli.io.bulk import Source
from service.cli.io.deal_titles import heading
from service.cli.io.inputs import STANDARD_INPUT, Deal, Inputs, quoted, shown_name
from service.cli.io.output import emit, into, say, write
from service.cli.io.points import courses
from service.cli.io.safe_group import FAULTY, SOUND, UNREADABLE, tell
from service.cli.io.targets import refuse_what_is_read
from service.cli.io.terminal_text import printable
from service.cli.views.compare_words import COMPARED, FIELDS
from service.presentation.text.findings import finding_lines
from service.presentation.text.layout import wrapped
from service.presentation.text.sentences import Telling, sentence, upper
from service.presentation.text.style import Style, style_here
from service.records.points import VIEWERS

INDENT: Final = "  "
ALL: Final = next(iter(VIEWERS))


class ChoiceType(click.ParamType[tuple[Seq, int]]):
    """An entry of the merged record and the account that it follows: ``11:2``."""

    name = "choice"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Seq, int]:
        """Reads the entry and the account."""
        if isinstance(value, tuple):
            return value
        try:
            return read_choice(str(value))
        except NoChoice as error:
            self.fail(str(error), param, ctx)


@click.command(epilog="Example: spadille compare phone.jsonl book.deal --names phone book")
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.option(
    "--names", nargs=2, metavar="NAME NAME", help="What the accounts are called.  [default: as the files]"
)
@click.option(
    "--take", type=ChoiceType(), metavar="ENTRY:ACCOUNT", multiple=True,
    help="Follow account 1 or 2 there, as in 11:2; may be given again.",
)  # fmt: skip
@click.option("--merged", is_flag=True, help="Write the merged record as JSON Lines, and nothing else.")
@into
@options.output_format
@options.rules
@options.lang
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
    lang: str | None,
) -> None:
    """Lay two accounts of one deal side by side.

    FIRST and SECOND are logs (JSON Lines or the notation), - for standard input, or deals of the library;
    where a file has several deals, FILE:DEAL says which. The exit status is 0 if they can both be right,
    1 if not, 2 if one cannot be read.
    """
    book, plain = options.book_from(ctx, rules_files), output == "text" and not merged
    if into is not None and not merged:
        raise click.UsageError("-o is for what --merged writes.")
    refuse_what_is_read(into, (_asked(first).name, _asked(second).name, *rules_files))
    if first == second == STANDARD_INPUT:
        tell("Standard input can be read once; name a file for one of the accounts.")
        ctx.exit(UNREADABLE)
    one, other = _deal(first, plain), _deal(second, plain)
    if one is None or other is None:
        ctx.exit(UNREADABLE)
    called = names or (shown_name(one.file), shown_name(other.file))
    accounts = Account(_name(called[0], plain), one.log), Account(_name(called[1], plain), other.log)
    found = _compared(accounts, dict(take), book)
    if found is None:
        ctx.exit(UNREADABLE)
    if merged:
        write(ctx, b"".join(entry_bytes(entry) + b"\n" for entry in found.merged), into)
    elif output == "text":
        say(_lines(one, accounts, found, book, style_here(lang)), style_here(lang))
    else:
        emit(comparison_object(*accounts, found))
    ctx.exit(SOUND if agree(found) else FAULTY)


def _deal(name: str, plain: bool) -> Deal | None:
    """The deal that an argument names; None where there is none, or it does not say which, as is told."""
    asked = _asked(name)
    inputs = Inputs((asked.name,))
    found = [deal for deal, _ in zip(_read(inputs, plain), range(asked.skipped + 2), strict=False)]
    if inputs.unreadable:
        return None
    shown = "Standard input" if name == STANDARD_INPUT else quoted(asked.name)
    if asked.skipped:
        chosen = [deal for deal in found if deal.number == asked.skipped]
        if not chosen:
            tell(f"{shown} has no deal {asked.skipped}.")
        return chosen[0] if chosen else None
    if len(found) == 1:
        return found[0]
    if found:
        which = "put one alone there" if name == STANDARD_INPUT else f"say which, as in {printable(name)}:1"
        tell(f"{shown} has several deals; {which}.")
    else:
        tell(f"{shown} has no deal.")
    return None


def _read(inputs: Inputs, plain: bool) -> Iterator[Deal]:
    """The deals of an input, each with its whole course: a variation behind its beginning."""
    for deal, course in courses(inputs.deals(), ALL, plain):
        yield deal._replace(log=course)


def _asked(name: str) -> Source:
    """The input and the number of the deal there, 0 where none is named; a file goes before a number."""
    file, _, number = name.rpartition(":")
    if not os.path.exists(name) and file and number.isascii() and number.isdigit() and len(number) < 10:
        return Source(file, int(number))
    return Source(name)


def _name(called: str, plain: bool) -> str:
    return printable(called) if plain else called


def _compared(accounts: tuple[Account, Account], choices: Mapping[Seq, int], book: Book) -> Compared | None:
    """The comparison; None where there is none to be had, as is told."""
    try:
        found = compared(*accounts, choices, book)
        require_open(found, choices)
    except (TooLong, NoChoice) as error:
        tell(f"{upper(str(error)).removesuffix('.')}.")
        return None
    return found


# --- For people -----------------------------------------------------------------------------------


class _Side(NamedTuple):
    """An account as it is told: its name, and how to say each of its entries."""

    name: str
    sentences: dict[Seq, str]


def _lines(
    deal: Deal, accounts: tuple[Account, Account], found: Compared, book: Book, style: Style
) -> Iterator[str]:
    """What is told of the accounts, and each difference with the entries of both."""
    state = fold_all(found.merged, start(book))
    yield from heading(deal, state, style)
    sides = tuple(_side(account, book, style) for account in accounts)
    for number, side in enumerate(sides):
        yield from _of_account(number, side, found, style)
    yield ""
    yield from _verdict(found, sides, style)
    yield from _counts(found, style)
    for one in found.differences:
        if not _is_note_alone(one):
            yield ""
            yield from _difference(one, sides, style)
    yield from _notes(found, sides, style)


def _side(account: Account, book: Book, style: Style) -> _Side:
    entries = effective(account.log).entries
    states = list(accumulate(entries, evolve, initial=start(book)))
    told = (
        sentence(entry, Telling(before, after, style))
        for entry, (before, after) in zip(entries, pairwise(states), strict=True)
    )
    return _Side(account.name, dict(zip((entry.seq for entry in entries), told, strict=True)))


def _of_account(number: int, side: _Side, found: Compared, style: Style) -> Iterator[str]:
    """How long an account is, and what in it cannot be."""
    faults = found.contradicting[number]
    account = COMPARED["account"][style.lang].format(
        number=number + 1, name=side.name, count=len(side.sentences)
    )
    yield from _told("contradicting" if faults else "sound", style, "", account=account)
    yield from finding_lines(faults, style, INDENT * 2)


def _verdict(found: Compared, sides: tuple[_Side, ...], style: Style) -> list[str]:
    """Whether both accounts can be right."""
    faulty = [side.name for side, faults in zip(sides, found.contradicting, strict=True) if faults]
    if len(faulty) == len(sides):
        return _told("neither_can", style, "", name=sides[0].name)
    if not agree(found):
        return _told("disagree", style, "")
    return _told("one_cannot", style, "", name=faulty[0]) if faulty else _told("agree", style, "")


def _counts(found: Compared, style: Style) -> list[str]:
    """How many entries are told alike, and in how many of each kind the accounts differ."""
    kinds = Counter(one.kind for one in found.differences)
    alike = sum(pair.both is not None for pair in found.pairs) - kinds[MORE] - kinds[OTHERWISE]
    counts = [("alike", alike), *((f"count_{kind}", kinds[kind]) for kind in (ONLY, MORE, OTHERWISE))]
    told = (
        COMPARED[line][style.lang].format(count=count) for line, count in counts if count or line == "alike"
    )
    return wrapped(" ".join(told), style.width)


def _difference(one: Difference, sides: tuple[_Side, ...], style: Style) -> Iterator[str]:
    """A difference, and the entries of the accounts that it is about."""
    place = "" if one.seq is None else COMPARED["place"][style.lang].format(seq=one.seq)
    owner = 0 if one.second is None else 1
    kind, name = one.kind, sides[owner].name
    if kind == ONLY and one.seq is None:
        kind = "filled"
    elif kind == OTHERWISE:
        name = sides[one.taken or 0].name
    fields = ", ".join(FIELDS[field][style.lang] for field in one.fields)
    yield from _told(kind, style, "", place=place, name=name, other=sides[1 - owner].name, fields=fields)
    for side, entry in zip(sides, (one.first, one.second), strict=True):
        if entry is not None:
            yield from _told(
                "entry",
                style,
                INDENT,
                name=side.name,
                seq=entry.seq,
                what=_what(entry, one.fields, side, style),
            )


def _what(entry: Entry, fields: tuple[str, ...], side: _Side, style: Style) -> str:
    """An entry in a sentence; of an opening what it has in the fields in which it differs."""
    if not isinstance(entry.event, DealOpened) or not fields:
        return side.sentences[entry.seq]
    obj = event_fields(entry.event)
    values = (obj.get(field) for field in fields)
    told = (one if isinstance(one, str) else orjson.dumps(one).decode() for one in values)
    return "; ".join(f"{FIELDS[field][style.lang]}: {one}" for field, one in zip(fields, told, strict=True))


def _is_note_alone(one: Difference) -> bool:
    entry = one.first or one.second
    return one.kind == ONLY and entry is not None and isinstance(entry.event, NoteAdded)


def _notes(found: Compared, sides: tuple[_Side, ...], style: Style) -> Iterator[str]:
    """Which notes stand in one account alone: all of them are kept."""
    alone = [one for one in found.differences if _is_note_alone(one)]
    for number, side in enumerate(sides):
        notes = [entry for one in alone if (entry := (one.first, one.second)[number]) is not None]
        if notes:
            seqs = ", ".join(str(note.seq) for note in notes)
            yield ""
            yield from _told("notes", style, "", name=side.name, seqs=seqs)


def _told(line: str, style: Style, indent: str, **parts: object) -> list[str]:
    told = COMPARED[line][style.lang].format(**parts)
    if told.endswith("..") and not told.endswith("..."):
        told = told[:-1]
    return wrapped(told, style.width, indent, INDENT * 2 if indent else "")

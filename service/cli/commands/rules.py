"""``spadille rules``: the rulesets, as tables that a player can check."""

from collections.abc import Iterator
from itertools import zip_longest

import click

from engine.rulesets import Book, find
from engine.rulesets.model import Ruleset
from engine.rulesets.switches import switched, typed_value, values_told
from schemas.rulesets.rulebook import Table, rulebook
from schemas.rulesets.rulesets import ruleset_object
from service.cli.io import options
from service.cli.io.inputs import quoted
from service.cli.io.output import emit, say
from service.cli.io.safe_group import SOUND, UNREADABLE, tell
from service.presentation.text.layout import GAP, cells, columns, padded, wrapped
from service.presentation.text.style import Style, style_here


@click.command(epilog="Example: spadille rules dlu --set matadors=absolute")
@click.argument("name", metavar="[ID]", required=False)
@options.output_format
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Show the ruleset with this house switch set; may be given again.",
)
@options.rules
@options.lang
@click.pass_context
def rules(
    ctx: click.Context,
    name: str | None,
    output: str,
    settings: tuple[str, ...],
    rules_files: tuple[str, ...],
    lang: str | None,
) -> None:
    """Say what is played by: bids, contracts, exchange, payments, policies, decisions.

    Without an ID it lists the rulesets; with one it sets that ruleset out in tables, each clause
    with its source, and our own decisions marked as ours.
    """
    style, book = style_here(lang), options.book_from(ctx, rules_files)
    if name is None:
        _list(book, output, style)
        ctx.exit(SOUND)
    found = find(book, name) or find(book, name.lower())
    if found is None:
        ids = ", ".join(dict.fromkeys(one.ruleset.id for one in book))
        tell(f"There is no ruleset {quoted(name)}; there are {ids}.")
        ctx.exit(UNREADABLE)
    ruleset = _as_set(ctx, found.ruleset, settings)
    if output == "json":
        emit(ruleset_object(ruleset))
    else:
        say(_lines(ruleset, style), style)


def _list(book: Book, output: str, style: Style) -> None:
    newest = {one.ruleset.id: one.ruleset for one in book}
    if output == "json":
        for ruleset in newest.values():
            emit({"id": ruleset.id, "revision": ruleset.revision, "title": ruleset.words.en})
    else:
        say(columns([(one.id, one.words[style.lang]) for one in newest.values()]), style)


def _as_set(ctx: click.Context, ruleset: Ruleset, settings: tuple[str, ...]) -> Ruleset:
    """The ruleset with the switches of the command line; one that it does not know ends the command."""
    pairs = []
    for setting in settings:
        name, _, value = setting.partition("=")
        pairs.append((name, typed_value(value)))
    as_switched = switched(ruleset, pairs)
    for name, _ in as_switched.unknown:
        known = {one.id: one for one in ruleset.switches}
        switch = known.get(name.replace("_", "-"))
        can_be = f"it can be {values_told(switch)}" if switch else f"there are {', '.join(known)}"
        tell(f"{ruleset.id} cannot set {quoted(name)} so; {can_be}.")
        ctx.exit(UNREADABLE)
    return as_switched.ruleset


def _lines(ruleset: Ruleset, style: Style) -> Iterator[str]:
    yield style.bold(ruleset.words[style.lang])
    for line in wrapped(f"{ruleset.id}, revision {ruleset.revision}. {ruleset.source}", style.width):
        yield style.dim(line)
    for table in rulebook(ruleset, style.lang):
        yield ""
        yield style.bold(table.title)
        yield style.dim(style.sign("─", "-") * style.width)
        yield from _table(table, style)


def _table(table: Table, style: Style) -> Iterator[str]:
    """A table whose widest columns are wrapped, so that it fits on a line."""
    widths = [max(map(cells, column)) for column in zip(table.head, *table.rows, strict=True)]
    while sum(widths) + len(GAP) * (len(widths) - 1) > style.width:
        widths[widths.index(max(widths))] -= 1
    for number, row in enumerate((table.head, *table.rows)):
        for line in _row(row, widths):
            yield style.dim(line) if number == 0 else line


def _row(row: tuple[str, ...], widths: list[int]) -> Iterator[str]:
    parts = [wrapped(text, width) for text, width in zip(row, widths, strict=True)]
    for line in zip_longest(*parts, fillvalue=""):
        yield GAP.join(padded(text, width) for text, width in zip(line, widths, strict=True)).rstrip()

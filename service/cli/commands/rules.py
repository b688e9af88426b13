"""``spadille rules``: the rulesets, as tables that a player can check."""

from collections.abc import Iterator
from itertools import zip_longest

import click

from engine.rulesets import RulesetBook, find_ruleset
from engine.rulesets.model import Ruleset
from engine.rulesets.switches import apply_switches, describe_switch_values, parse_switch_value
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import ruleset_source
from schemas.rulesets.rulebook import RulebookTable, build_rulebook
from schemas.rulesets.ruleset_json import ruleset_object
from service.cli.io import options
from service.cli.io.inputs import quote_file_name
from service.cli.io.output import print_json_line, print_lines
from service.cli.io.safe_group import CommandFailed
from service.presentation.text.layout import COLUMN_GAP, align_columns, display_width, pad_text, wrap_text
from service.presentation.text.style import TextStyle


@click.command(epilog="Example: spadille rules dlu --set matadors=absolute")
@click.argument("name", metavar="[ID]", required=False)
@options.output_format
@click.option(
    "--set",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Show the ruleset with this house switch set. Repeatable.",
)
@options.rules
@options.style
def rules(
    name: str | None,
    output: str,
    settings: tuple[str, ...],
    rules_files: tuple[str, ...],
    style: TextStyle,
) -> None:
    """Show a ruleset: bids, contracts, exchange, payments.

    Without an ID it lists the rulesets. With one it shows that ruleset in tables. A clause names its source
    where that is not the source of the whole ruleset; our own decisions are marked as ours.
    """
    book = options.load_rule_book(rules_files)
    if name is None:
        _print_rulesets(book, output, style)
        return
    found = find_ruleset(book, name) or find_ruleset(book, name.lower())
    if found is None:
        ids = ", ".join(dict.fromkeys(one.ruleset.id for one in book))
        raise CommandFailed(f"There is no ruleset {quote_file_name(name)}. Rulesets: {ids}.")
    ruleset = _apply_switches(found.ruleset, settings)
    if output == "json":
        print_json_line(ruleset_object(ruleset))
    else:
        print_lines(_ruleset_lines(ruleset, style), style)


def _print_rulesets(book: RulesetBook, output: str, style: TextStyle) -> None:
    newest = {one.ruleset.id: one.ruleset for one in book}
    if output == "json":
        for ruleset in newest.values():
            print_json_line({"id": ruleset.id, "revision": ruleset.revision, "title": ruleset.words})
    else:
        print_lines(
            align_columns([(one.id, gettext(one.words, style.lang)) for one in newest.values()]), style
        )


def _apply_switches(ruleset: Ruleset, settings: tuple[str, ...]) -> Ruleset:
    """The ruleset with the switches of the command line; an unknown one ends the command."""
    pairs = []
    for setting in settings:
        name, _, value = setting.partition("=")
        pairs.append((name, parse_switch_value(value)))
    result = apply_switches(ruleset, pairs)
    for name, wanted in result.unknown:
        known = {one.id: one for one in ruleset.switches}
        switch = known.get(name.replace("_", "-"))
        if switch is None:
            switches = ", ".join(known)
            raise CommandFailed(f"{ruleset.id} has no switch {quote_file_name(name)}; it has {switches}.")
        values = describe_switch_values(switch)
        raise CommandFailed(f"{name} cannot be {quote_file_name(str(wanted))}; it can be {values}.")
    return result.ruleset


def _ruleset_lines(ruleset: Ruleset, style: TextStyle) -> Iterator[str]:
    yield style.bold(gettext(ruleset.words, style.lang))
    revision = style.phrase("revision {n}", n=ruleset.revision)
    source = ruleset_source(ruleset.source, style.lang)
    for line in wrap_text(f"{ruleset.id}, {revision}. {source}", style.width):
        yield style.dim(line)
    for table in build_rulebook(ruleset, style.lang):
        yield ""
        yield style.bold(table.title)
        yield style.dim(style.sign("─", "-") * style.width)
        yield from _table_lines(table, style)


def _table_lines(table: RulebookTable, style: TextStyle) -> Iterator[str]:
    """A table with its widest columns wrapped to fit the width."""
    widths = [max(map(display_width, column)) for column in zip(table.headings, *table.rows, strict=True)]
    while sum(widths) + len(COLUMN_GAP) * (len(widths) - 1) > style.width:
        widths[widths.index(max(widths))] -= 1
    for number, row in enumerate((table.headings, *table.rows)):
        for line in _row_lines(row, widths):
            yield style.dim(line) if number == 0 else line


def _row_lines(row: tuple[str, ...], widths: list[int]) -> Iterator[str]:
    parts = [wrap_text(text, width) for text, width in zip(row, widths, strict=True)]
    for line in zip_longest(*parts, fillvalue=""):
        yield COLUMN_GAP.join(
            pad_text(text, width) for text, width in zip(line, widths, strict=True)
        ).rstrip()

"""``spadille library``: the library of deals."""

import click

import replays as library
from service.cli.io import options
from service.cli.io.inputs import nearest_in_library, quoted
from service.cli.io.output import emit, say
from service.cli.io.safe_group import UNREADABLE, tell
from service.cli.io.terminal_text import printable
from service.presentation.text.layout import columns
from service.presentation.text.style import style_here


@click.command("library", epilog="Example: spadille library belinda > belinda.jsonl")
@click.argument("name", required=False)
@options.output_format
@click.pass_context
def list_library(ctx: click.Context, name: str | None, output: str) -> None:
    """List the library, or print one of its deals.

    Without NAME it lists the deals by name and title, and the folders of made-up examples; with
    the name of a folder it lists that; with a deal's it prints its log as JSON Lines. Such a
    name stands for the deal wherever a command takes a file.
    """
    if name in library.folders():
        listed = tuple(one for one in library.examples() if one.folder == name)
        _list(listed, output)
    elif name is not None:
        found = library.find(name)
        if found is None:
            tell(f"No deal of the library is called {quoted(name)}.{nearest_in_library(name)}")
            ctx.exit(UNREADABLE)
        click.echo(found.lines(), nl=False)
    elif library.library() or output == "json":
        _list(library.library(), output)
        if output != "json" and library.folders():
            _tell_folders()
    else:
        click.echo("The library has no deals yet.")


def _list(deals: tuple[library.Replay, ...], output: str) -> None:
    if output == "json":
        for one in deals:
            emit({"name": one.name, "title": one.title})
    else:
        say(columns([(one.name, printable(one.title)) for one in deals]), style_here("en"))


def _tell_folders() -> None:
    """The folders of examples, and how many each has."""
    found = [one.folder for one in library.examples()]
    rows = [(folder, f"{found.count(folder)} made-up examples") for folder in library.folders()]
    click.echo("\nExamples of every contract, outcome and finding (spadille library FOLDER):\n")
    say(columns(rows), style_here("en"))

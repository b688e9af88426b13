"""``spadille replays``: the library of deals."""

import click

import replays as library
from service.cli import options
from service.cli.endings import UNREADABLE, tell
from service.cli.inputs import nearest_in_library, quoted
from service.cli.layout import columns
from service.cli.output import emit, say
from service.cli.printable import printable
from service.cli.style import style_here


@click.command(epilog="Example: spadille replays belinda > belinda.jsonl")
@click.argument("name", required=False)
@options.output_format
@click.pass_context
def replays(ctx: click.Context, name: str | None, output: str) -> None:
    """List the library, or print one of its deals.

    Without NAME it lists the deals by name and title; with it, it prints that deal's log as
    JSON Lines. Such a name stands for the deal wherever a command takes a file.
    """
    if name is not None:
        found = library.find(name)
        if found is None:
            tell(f"No deal of the library is called {quoted(name)}.{nearest_in_library(name)}")
            ctx.exit(UNREADABLE)
        click.echo(found.lines(), nl=False)
    elif output == "json":
        for one in library.library():
            emit({"name": one.name, "title": one.title})
    elif library.library():
        say(columns([(one.name, printable(one.title)) for one in library.library()]), style_here("en"))
    else:
        click.echo("The library has no deals yet.")

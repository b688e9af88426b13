"""``spadille serve``: the service on this computer."""

from pathlib import Path

import click

from service.cli import options

PORT = 8240


@click.command(epilog="Example: spadille serve --data ~/club")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where the records are kept.  [default: this computer's place for such data]",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    default=PORT,
    show_default=True,
    help="The port to listen on.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@options.rules
@click.pass_context
def serve(
    ctx: click.Context, data: Path | None, port: int, no_browser: bool, rules_files: tuple[str, ...]
) -> None:
    """Start the pages and the API on this computer.

    It says at which address, opens the browser there, and runs until you press Ctrl-C.
    """
    book = options.book_from(ctx, rules_files)
    # The web's libraries take a while to load; the other commands do without them.
    from service.serve import run

    run(data, port, not no_browser, book)

"""``spadille serve``: the service on this computer."""

from pathlib import Path

import click

from service.cli.io import options
from service.config.settings import (
    LOG_FORMATS,
    MAX_STREAMS,
    load_settings,
)


@click.command(epilog="Example: spadille serve --data ~/club")
@options.data
@options.store
@click.option(
    "--key",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file of the key that signs checkpoints.  [default: the one in the folder]",
)
@click.option("--host", metavar="ADDRESS", help="The address to listen on.  [default: 127.0.0.1]")
@click.option(
    "--port", type=click.IntRange(1, 65535), metavar="PORT", help="The port to listen on.  [default: 8240]"
)
@click.option(
    "--streams",
    type=click.IntRange(0, MAX_STREAMS),
    metavar="N",
    help="How many live streams may be open at the same time.  [default: 500]",
)
@click.option(
    "--log-format",
    type=click.Choice(LOG_FORMATS),
    help="Text logs only problems; JSON logs every request.  [default: text]",
)
@click.option("--no-browser", is_flag=True, help="Do not open the browser.")
@click.option("--login-link", is_flag=True, help="Print a login link even if the output is not a terminal.")
@options.rules
def serve(
    data: Path | None,
    store: str | None,
    key: Path | None,
    host: str | None,
    port: int | None,
    streams: int | None,
    log_format: str | None,
    no_browser: bool,
    login_link: bool,
    rules_files: tuple[str, ...],
) -> None:
    """Start the pages and the API on this computer.

    The command prints the address, opens it in the browser, and runs until you press Ctrl-C. Environment
    variables can set the same options: SPADILLE_DATA, SPADILLE_PORT and so on.
    """
    book = options.load_rule_book(rules_files)
    settings = load_settings(
        data=data, store=store, key=key, host=host, port=port, streams=streams, log_format=log_format
    )
    # The web's libraries take a while to load; the other commands do without them.
    from service.server.run import run_service

    run_service(settings, not no_browser, book, prints_login_link=login_link)

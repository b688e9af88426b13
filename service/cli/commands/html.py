"""``spadille html``: a deal as one file that replays in a browser, without a service or a network."""

import click

from schemas.logs.deal_size import DealTooLarge
from service.cli.io import options
from service.cli.io.deals import expand_deals
from service.cli.io.inputs import Inputs
from service.cli.io.output import require_not_an_input, write_output
from service.cli.io.safe_group import EXIT_SOUND, EXIT_UNREADABLE, CommandFailed
from service.records.deal_points import UnknownPoint, first_known_entries


@click.command("html", epilog="Example: spadille html belinda -o belinda.html")
@click.option(
    "--deal",
    "number",
    type=click.IntRange(min=1),
    help="The number of the deal, if there are several.",
)
@options.as_of
@options.viewer
@options.rules
@options.style
@options.into_file
@options.deal_run
def write_html(run: options.DealRun, number: int | None, into: str | None) -> int:
    """Write a deal as one HTML file that replays it.

    FILE is a log (JSON Lines or the notation), the name of a library deal, or - for standard input. The HTML
    file holds the replayer, the deal and its text; it opens from disk and loads nothing.
    """
    # What draws pages takes a while to load; most commands do without it.
    from service.http.web.standalone_file import build_standalone_file

    require_not_an_input(into, (*run.files, *run.rules_files))
    inputs, book = Inputs(run.files), run.load_book()
    deals = list(expand_deals(inputs.read_deals(), run.viewer, for_terminal=False))
    if inputs.has_unreadable:
        return EXIT_UNREADABLE
    if not deals or (number is None and len(deals) > 1) or (number or 1) > len(deals):
        raise CommandFailed(f"The input has {len(deals)} deals, and a file shows one. Pick it with --deal.")
    _, course = deals[(number or 1) - 1]
    try:
        log = first_known_entries(course, run.as_of)
        file = build_standalone_file(log, run.style.lang, book)
    except (UnknownPoint, DealTooLarge) as error:
        raise CommandFailed(str(error)) from None
    write_output(file.html.encode(), into)
    return EXIT_SOUND

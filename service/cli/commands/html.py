"""``spadille html``: a deal as one file that replays in a browser, without a service or a network."""

import click

from schemas.logs.deal_size import DealTooLarge
from service.cli.io import options
from service.cli.io.inputs import Inputs
from service.cli.io.output import into as into_file
from service.cli.io.output import write
from service.cli.io.points import courses
from service.cli.io.safe_group import SOUND, UNREADABLE, tell
from service.cli.io.targets import refuse_what_is_read
from service.presentation.text.style import style_here
from service.records.points import UnknownPoint, known_part


@click.command("html", epilog="Example: spadille html belinda -o belinda.html")
@options.inputs
@click.option(
    "--deal",
    "number",
    type=click.IntRange(min=1),
    help="Which deal, where there are several: its number among them.",
)
@options.as_of
@options.viewer
@options.rules
@options.lang
@into_file
@click.pass_context
def write_html(
    ctx: click.Context,
    files: tuple[str, ...],
    number: int | None,
    as_of: int | None,
    viewer: str,
    rules_files: tuple[str, ...],
    lang: str | None,
    into: str | None,
) -> None:
    """Write a deal as one file of HTML that replays itself.

    FILE is a log (JSON Lines or the notation), - for standard input, or a deal of the library.
    The file holds the replayer, the deal and its text; it opens from a disk and loads nothing.
    """
    # What draws pages takes a while to load; most commands do without it.
    from service.http.web.standalone import standalone

    refuse_what_is_read(into, (*files, *rules_files))
    inputs, book = Inputs(files), options.book_from(ctx, rules_files)
    deals = list(courses(inputs.deals(), viewer, plain=False))
    if inputs.unreadable:
        ctx.exit(UNREADABLE)
    if not deals or (number is None and len(deals) > 1) or (number or 1) > len(deals):
        tell(f"One deal makes a file, and here are {len(deals)}. Say which with --deal.")
        ctx.exit(UNREADABLE)
    _, course = deals[(number or 1) - 1]
    try:
        log = known_part(course, as_of)
    except UnknownPoint as error:
        tell(str(error))
        ctx.exit(UNREADABLE)
    try:
        file = standalone(log, style_here(lang).lang, book)
    except DealTooLarge as error:
        tell(str(error))
        ctx.exit(UNREADABLE)
    write(ctx, file.html.encode(), into)
    ctx.exit(SOUND)

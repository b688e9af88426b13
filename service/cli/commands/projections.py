"""``spadille projections``: keep the results of every evening ready, from any position of the log."""

from pathlib import Path
from typing import Final

import click

from engine.rulesets.model import Words
from service.cli.io import options
from service.cli.io.inputs import quoted
from service.cli.io.output import say
from service.cli.io.safe_group import UNREADABLE, Ended
from service.cli.io.stores import place_named
from service.cli.io.terminal_text import printable
from service.presentation.text.layout import wrapped
from service.presentation.text.style import style_here

FIGURES: Final = {
    "made": Words(
        "Evenings counted: {made}; kept: {kept}, up to event {position}.",
        "Aftener talt op: {made}; gemt: {kept}, til og med hændelse {position}.",
    ),
    "busy": Words(
        "Another process is making the figures of this store, from event {position} on.",
        "En anden proces er ved at lave tallene for dette lager, fra hændelse {position}.",
    ),
    "superseded": Words(
        "Another version of Spadille keeps the figures of this store, up to event {position}. Is that one "
        "gone, this one makes them: --from 0.",
        "En anden version af Spadille gemmer tallene for dette lager, til og med hændelse {position}. Er den "
        "væk, laver denne dem: --from 0.",
    ),
}


@click.group(epilog="Example: spadille projections refresh ~/club")
def projections() -> None:
    """Keep what seasons and members need ready in a store."""


@projections.command(epilog="Example: spadille projections refresh ~/club --from 0")
@click.argument("named", metavar="[STORE]", required=False)
@click.option(
    "--from",
    "position",
    type=click.IntRange(min=0),
    metavar="N",
    help="Make them anew of all evenings with an event behind the Nth; 0 means all.",
)
@options.data
@options.store
@options.lang
@click.pass_context
def refresh(
    ctx: click.Context,
    named: str | None,
    position: int | None,
    data: Path | None,
    store: str | None,
    lang: str | None,
) -> None:
    """Have the figures of all evenings ready, for seasons and members.

    STORE is the service's store or its folder, the usual one if you name none, or the address of one on
    PostgreSQL. The service does this itself while it runs; a file is made ready while it is stopped. What
    is kept comes from the records alone, and is the same however often it is made.
    """
    # What a store needs takes a while to load; the other commands do without it.
    from service.eventstore import StoreError
    from service.eventstore.projecting import Refused
    from service.projections.beside import PROJECTIONS
    from service.projections.evenings import NAME
    from service.projections.projector import Projector
    from service.records.club_rules import ClubRules

    place = place_named(ctx, named, data, store)
    try:
        if place.address is None and not place.file.is_file():
            raise Ended(f"There is no store {quoted(str(place.file))}.", UNREADABLE)
        with place.writer() as opened:
            rules = ClubRules(opened)
            projectors = [Projector(opened, rules, one) for one in PROJECTIONS]
            refused = [None if one.caught_up(position) else one.refused for one in projectors]
            progress, kept = opened.projections.places(NAME)
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None
    style = style_here(lang)
    reason = "busy" if Refused.BUSY in refused else "superseded" if any(refused) else "made"
    said = FIGURES[reason][style.lang].format(
        made=f"{projectors[0].made:,}",
        kept=f"{len(kept):,}",
        position=f"{progress.position if progress else 0:,}",
    )
    say(wrapped(said, style.width), style)

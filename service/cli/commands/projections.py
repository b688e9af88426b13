"""``spadille projections``: keep the results of every evening ready, from any position of the log."""

from pathlib import Path
from typing import Final

import click

from service.cli.io import options
from service.cli.io.output import print_lines
from service.cli.io.store_location import resolve_store_location
from service.presentation.text.layout import wrap_text
from service.presentation.text.style import TextStyle

PROJECTIONS_REFRESHED: Final = "Evenings counted: {made}; already stored: {kept}, up to event {position}."


@click.group(epilog="Example: spadille projections refresh ~/club")
def projections() -> None:
    """Keep what seasons and members need ready in a store."""


@projections.command(epilog="Example: spadille projections refresh ~/club --from 0")
@click.argument("store_name", metavar="[STORE]", required=False)
@click.option(
    "--from",
    "position",
    type=click.IntRange(min=0),
    metavar="N",
    help="Calculate again all evenings with an event after number N; 0 means all.",
)
@options.data
@options.store
@options.style
def refresh(
    store_name: str | None,
    position: int | None,
    data: Path | None,
    store: str | None,
    style: TextStyle,
) -> None:
    """Calculate the figures of all evenings, for seasons and members.

    STORE is the service's store, its folder or its PostgreSQL URL; the default is the usual folder. A running
    service does this by itself; for a store in a file, stop the service first. The figures depend only on the
    records, so the result is always the same.
    """
    # What a store needs takes a while to load; the other commands do without it.
    from service.projections.evenings_projection import EVENINGS_NAME
    from service.projections.projector import ALL_PROJECTIONS, Projector
    from service.records.club_rules import ClubRules

    place = resolve_store_location(store_name, data, store)
    place.require_store_file()
    with place.open_writer() as store_writer:
        rules = ClubRules(store_writer)
        folded_counts = {
            one.name: Projector(store_writer, rules, one).catch_up(position) for one in ALL_PROJECTIONS
        }
        progress, keys = store_writer.projections.list_sort_keys(EVENINGS_NAME)
    text = style.phrase(
        PROJECTIONS_REFRESHED,
        made=f"{folded_counts[EVENINGS_NAME]:,}",
        kept=f"{len(keys):,}",
        position=f"{progress.position if progress else 0:,}",
    )
    print_lines(wrap_text(text, style.width), style)

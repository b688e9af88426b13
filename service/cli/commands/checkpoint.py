"""``spadille checkpoint``: what somebody keeps elsewhere, so that a store can be proved by it later."""

from collections.abc import Iterator
from pathlib import Path

import click

from service.cli.io import options
from service.cli.io.locations import key_file
from service.cli.io.output import into as into_file
from service.cli.io.output import written_into
from service.cli.io.safe_group import UNREADABLE, Ended
from service.cli.io.stores import place_named, require_folder
from service.cli.io.targets import refuse_what_is_read
from service.cli.io.terminal_text import printable


@click.command(epilog="Example: spadille checkpoint ~/club --leaves -o kept.txt")
@click.argument("named", metavar="[STORE]", required=False)
@click.option("--leaves", is_flag=True, help="With the hash of each event, by which a change is named.")
@click.option("--public-key", is_flag=True, help="The key by which its signature is checked, instead.")
@into_file
@options.data
@options.store
@click.pass_context
def checkpoint(
    ctx: click.Context,
    named: str | None,
    leaves: bool,
    public_key: bool,
    into: str | None,
    data: Path | None,
    store: str | None,
) -> None:
    """Sign what a store comes to now, to be kept elsewhere.

    STORE is the service's store or its folder, the usual one if you name none, or the address of one on
    PostgreSQL, whose key lies in the folder; the service may be running. The checkpoint is three lines
    and a signature: it tells nothing of what is recorded.
    """
    # What evidence needs takes a while to load; the other commands do without it.
    from service.eventstore import StoreError
    from service.transparency.keys import KeyUnusable
    from service.transparency.opening import open_notary

    place = place_named(ctx, named, data, store)
    require_folder(place)
    refuse_what_is_read(into, options.kept_files(place.file))
    try:
        with place.reader() as reader:
            notary = open_notary(place.folder, key_file(), place.address)
            if public_key:
                said: Iterator[str] = (f"{key}\n" for key in notary.verifiers)
            else:
                said = notary.to_keep(reader, leaves)
            with written_into(ctx, into) as out:
                for text in said:
                    out.write(text.encode())
    except (StoreError, KeyUnusable) as error:
        raise Ended(printable(str(error)), UNREADABLE) from None

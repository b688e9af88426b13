"""``spadille checkpoint``: what somebody keeps elsewhere, so that a store can be proved by it later."""

from collections.abc import Iterator
from pathlib import Path

import click

from service.cli.io import options
from service.cli.io.output import open_output, require_not_an_input
from service.cli.io.store_location import require_location_folder, resolve_store_location
from service.config.settings import load_settings


@click.command(epilog="Example: spadille checkpoint ~/club --leaves -o kept.txt")
@click.argument("store_name", metavar="[STORE]", required=False)
@click.option(
    "--leaves", is_flag=True, help="Add the hash of each event, so that verify can name a changed event."
)
@click.option("--public-key", is_flag=True, help="Print the public key that checks the signature instead.")
@options.into_file
@options.data
@options.store
def checkpoint(
    store_name: str | None,
    leaves: bool,
    public_key: bool,
    into: str | None,
    data: Path | None,
    store: str | None,
) -> None:
    """Sign the current state of a store, for you to keep elsewhere.

    STORE is the service's store, its folder or its PostgreSQL URL; the default is the usual folder. The
    signing key is in the folder. The service can be running. A checkpoint is three lines and a signature; it
    reveals nothing of what is recorded.
    """
    # Checkpoints and proofs take a while to load; the other commands do without them.
    from service.transparency.notary import open_notary

    place = resolve_store_location(store_name, data, store)
    require_location_folder(place)
    require_not_an_input(into, options.data_file_names(place.file))
    with place.open_reader() as reader:
        notary = open_notary(place.folder, load_settings().key, place.address)
        if public_key:
            texts: Iterator[str] = (f"{key}\n" for key in notary.verifiers)
        else:
            texts = notary.format_checkpoint_file(reader, leaves)
        with open_output(into) as out:
            for text in texts:
                out.write(text.encode())

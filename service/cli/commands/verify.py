"""``spadille verify``: whether a store, an export or a proof is as it was recorded."""

from pathlib import Path

import click

from service.cli.io import options
from service.cli.io.output import print_json_line, print_lines
from service.cli.io.safe_group import EXIT_FAULTY, EXIT_SOUND
from service.cli.io.store_location import resolve_store_location
from service.cli.io.terminal_text import decode_file_name, sanitize_line
from service.presentation.text.layout import wrap_text
from service.presentation.text.style import TextStyle


@click.command(epilog="Example: spadille verify ~/club --checkpoint kept.txt")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--checkpoint", metavar="FILE", help="A file of checkpoints that you kept elsewhere.")
@click.option(
    "--key", metavar="FILE", help="A file of public keys; one of them must have signed the checkpoints."
)
@click.option("--proof", metavar="FILE", help="The proof of an export.  [default: its name and .proof]")
@click.option("--verbose", is_flag=True, help="List every missing safeguard and every erased event.")
@options.data
@options.store
@options.output_format
@options.style
@click.pass_context
def verify(
    ctx: click.Context,
    file: str | None,
    checkpoint: str | None,
    key: str | None,
    proof: str | None,
    verbose: bool,
    data: Path | None,
    store: str | None,
    output: str,
    style: TextStyle,
) -> None:
    """Check that records are unchanged, and name each changed event.

    FILE is the service's store, its folder or its PostgreSQL URL (the default is the usual folder), a proof,
    a consistency file, or an export as JSON Lines. Nothing else is needed. A store can also be checked
    without a checkpoint.
    """
    # Checkpoints and proofs take a while to load; the other commands do without them.
    from service.cli.io.transparency_files import detect_file_kind, verify_input
    from service.cli.views.verdicts import verdict_lines, verdict_object

    place = resolve_store_location(file, data, store)
    if file is None or place.address is not None:
        file = str(place.folder)
    kind = "store" if place.address is not None else detect_file_kind(file)
    if kind != "store" and not checkpoint and not key:
        raise click.UsageError(
            "A proof needs something to be checked against: --checkpoint FILE, or --key FILE."
        )
    if kind == "consistency" and not checkpoint:
        raise click.UsageError("Name the earlier checkpoint that you kept: --checkpoint FILE.")
    if kind != "export" and proof:
        raise click.UsageError("--proof needs an export as JSON Lines.")
    verdict = verify_input(file, place, kind, checkpoint, key, proof)
    name = decode_file_name(file) if place.address is None else place.display_name
    if output == "json":
        print_json_line(verdict_object(name, kind, verdict))
    else:
        print_lines(
            _wrap_hanging(verdict_lines(sanitize_line(name), verdict, style, verbose), style.width), style
        )
    ctx.exit(EXIT_FAULTY if verdict.faults else EXIT_SOUND)


def _wrap_hanging(lines: list[str], width: int) -> list[str]:
    """The lines wrapped, with a hanging indent."""
    found = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()))
        found += wrap_text(line.lstrip(), width, indent, f"{indent}  ")
    return found

"""``spadille library``: the library of deals."""

import click

import replays as library
from service.cli.io import options
from service.cli.io.inputs import library_suggestion, quote_file_name
from service.cli.io.output import print_json_line, print_lines
from service.cli.io.safe_group import CommandFailed
from service.cli.io.terminal_text import sanitize_line
from service.presentation.text.layout import align_columns
from service.presentation.text.style import detect_text_style


@click.command("library", epilog="Example: spadille library belinda > belinda.jsonl")
@click.argument("name", required=False)
@options.output_format
def list_library(name: str | None, output: str) -> None:
    """List the library, or print one of its deals.

    Without NAME it lists the deals by name and title, and the folders of made-up examples. The name of a
    folder lists its deals. The name of a deal prints its log as JSON Lines; every command also accepts that
    name as a file.
    """
    if name in library.list_example_folders():
        listed = tuple(one for one in library.list_examples() if one.folder == name)
        _print_library(listed, output)
    elif name is not None:
        found = library.find_library_deal(name)
        if found is None:
            raise CommandFailed(
                f"The library has no deal called {quote_file_name(name)}.{library_suggestion(name)}"
            )
        click.echo(found.jsonl, nl=False)
    elif library.list_library() or output == "json":
        _print_library(library.list_library(), output)
        if output != "json" and library.list_example_folders():
            _print_folders()
    else:
        click.echo("The library has no deals yet.")


def _print_library(deals: tuple[library.Replay, ...], output: str) -> None:
    if output == "json":
        for one in deals:
            print_json_line({"name": one.name, "title": one.title})
    else:
        print_lines(
            align_columns([(one.name, sanitize_line(one.title)) for one in deals]), detect_text_style("en")
        )


def _print_folders() -> None:
    """The folders of examples, and how many each has."""
    found = [one.folder for one in library.list_examples()]
    rows = [(folder, f"{found.count(folder)} made-up examples") for folder in library.list_example_folders()]
    click.echo("\nExamples of every contract, outcome and finding (spadille library FOLDER):\n")
    print_lines(align_columns(rows), detect_text_style("en"))

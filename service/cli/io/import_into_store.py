"""Logs imported into the service's store from the command line, while the service is stopped."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from engine.rulesets import Book, Ruleset
from schemas.logs.logs import read_logs
from schemas.notation import SUFFIX
from schemas.rulesets.published import Misread, told_in
from service.cli.io.inputs import Deal, Inputs
from service.cli.io.safe_group import UNREADABLE, Ended, tell
from service.cli.io.stores import Place, made_ready
from service.cli.io.terminal_text import file_name, printable

if TYPE_CHECKING:
    from service.records.club_rules import ClubRules

SUFFIXES = (".jsonl", ".ndjson", ".json", SUFFIX)
"""How the names of files of logs end."""
MADE_OF_SLIPS = "the slips"


def is_of_logs(name: str) -> bool:
    """Whether a file of that name has logs, not slips."""
    return name.lower().endswith(SUFFIXES)


def import_into(place: Place, names: Sequence[str], lines: bytes, book: Book) -> bool:
    """Imports the logs of files, and ``lines`` that were made of slips; whether all of it could be.

    Ends the command where the store cannot be written.
    """
    # The store's libraries take a while to load; the other commands do without them.
    from service.eventstore import StoreError
    from service.records.club_rules import ClubRules, RevisionTaken
    from service.records.importing import import_logs

    inputs = Inputs(names)
    records, new = 0, 0
    try:
        with made_ready(place).writer() as store:
            rules = ClubRules(store, book)
            all_of_it = _publish(rules, names)
            for one in import_logs(store, (*inputs.logs(), *_made_of_slips(lines)), rules.book):
                if one.why_not:
                    all_of_it = False
                    tell(printable(f"{one.log.file}, log {one.log.number}: {one.why_not}"))
                else:
                    records, new = records + 1, new + one.new
    except (StoreError, RevisionTaken) as error:
        raise Ended(printable(str(error)), UNREADABLE) from None
    tell(f"Records: {records}; entries that were not there before: {new}.")
    return all_of_it and not inputs.unreadable


def _publish(rules: "ClubRules", names: Sequence[str]) -> bool:
    """Publishes the rulesets that stand between the logs of files; whether all of them could be."""
    from service.records.club_rules import RevisionTaken, TooManyRevisions

    all_of_them = True
    for name in names:
        for told in _rulesets_in(name, rules.book):
            try:
                if isinstance(told, Misread):
                    raise ValueError(f"line {told.line}, column {told.column}: {told.message}")
                kept = rules.keep(told)
            except (ValueError, RevisionTaken, TooManyRevisions) as error:
                all_of_them = False
                tell(printable(f"{file_name(name)}, {error}"))
            else:
                tell(f"{told.id}, revision {told.revision}: {'published.' if kept.new else 'there already.'}")
    return all_of_them


def _rulesets_in(name: str, book: Book) -> Iterator[Ruleset | Misread]:
    """The rulesets that a file of JSON Lines tells; one that cannot be read is told with its logs."""
    try:
        with open(name, "rb") as file:
            yield from told_in(file, book)
    except OSError:
        return


def _made_of_slips(lines: bytes) -> Iterator[Deal]:
    for one in read_logs(BytesIO(lines), MADE_OF_SLIPS) if lines else ():
        yield Deal(MADE_OF_SLIPS, one.number, one.log, one.line)

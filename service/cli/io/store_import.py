"""Import logs and sheets into the service's store, also while the service runs."""

from collections.abc import Iterator, Sequence
from itertools import chain

from engine.rulesets import Ruleset, RulesetBook
from schemas.i18n.catalogs import gettext
from schemas.notation import NOTATION_SUFFIX
from schemas.rulesets.published_rulesets import read_published_rulesets
from schemas.wire.jsonlines import LineProblem
from service.auth.display_names import MemberLookup
from service.cli.io.import_target import ImportTarget, open_import_target
from service.cli.io.inputs import Inputs
from service.cli.io.safe_group import EXIT_FAULTY, EXIT_SOUND, EXIT_UNREADABLE, print_to_stderr
from service.cli.io.sheet_import import SheetImport, SheetTable
from service.cli.io.store_location import StoreLocation, prepare_store_location
from service.cli.io.terminal_text import decode_file_name, sanitize_line

LOG_FILE_SUFFIXES = (".jsonl", ".ndjson", ".json", NOTATION_SUFFIX)
"""The suffixes of files of logs."""


def is_log_file_name(name: str) -> bool:
    """Whether a file of that name holds logs, not slips."""
    return name.lower().endswith(LOG_FILE_SUFFIXES)


def import_files_into_store(
    location: StoreLocation,
    file_names: Sequence[str],
    sheets: Sequence[SheetTable],
    book: RulesetBook,
    again: str | None,
    lang: str,
) -> int:
    """Import the logs of files and the tables of sheets; return the exit status."""
    location, inputs = prepare_store_location(location), Inputs(file_names)
    records, new = 0, 0
    with open_import_target(location, book) as target:
        is_complete = _publish_rulesets(target, file_names)
        members = MemberLookup(location.list_members() if sheets else ())
        sheet_import = SheetImport(target, members, again, lang)
        log_groups = chain([inputs.read_all_logs()], map(sheet_import.prepare_logs, sheets))
        for one in chain.from_iterable(map(target.import_logs, log_groups)):
            if one.failure_reason:
                is_complete = False
                print_to_stderr(sanitize_line(f"{one.log.file}, log {one.log.number}: {one.failure_reason}"))
            else:
                records, new = records + 1, new + one.new_entries
    print_to_stderr(
        gettext("Records: {records}; new entries: {entries}.", lang).format(records=records, entries=new)
    )
    if not is_complete or inputs.has_unreadable:
        return EXIT_UNREADABLE
    return EXIT_FAULTY if sheet_import.has_refused else EXIT_SOUND


def _publish_rulesets(target: ImportTarget, names: Sequence[str]) -> bool:
    """Publish the rulesets between the logs of files; return whether all could be published."""
    from service.records.club_rules import RevisionTaken, TooManyRevisions

    all_published = True
    for name in names:
        for ruleset in _read_rulesets(name, target.book):
            try:
                if isinstance(ruleset, LineProblem):
                    raise ValueError(f"line {ruleset.line}, column {ruleset.column}: {ruleset.message}")
                is_new = target.publish_ruleset(ruleset)
            except (ValueError, RevisionTaken, TooManyRevisions) as error:
                all_published = False
                print_to_stderr(sanitize_line(f"{decode_file_name(name)}, {error}"))
            else:
                print_to_stderr(
                    f"{ruleset.id}, revision {ruleset.revision}: "
                    f"{'published.' if is_new else 'already published.'}"
                )
    return all_published


def _read_rulesets(name: str, book: RulesetBook) -> Iterator[Ruleset | LineProblem]:
    """The rulesets in a file of JSON Lines; the import of its logs reports an unreadable file."""
    try:
        with open(name, "rb") as file:
            yield from read_published_rulesets(file, name, book)
    except OSError:
        return

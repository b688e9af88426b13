"""Import logs into the service's store while the service is stopped."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from engine.rulesets import Ruleset, RulesetBook
from schemas.logs.log_file import read_log_file
from schemas.notation import NOTATION_SUFFIX
from schemas.rulesets.published_rulesets import read_published_rulesets
from schemas.wire.jsonlines import LineProblem
from service.cli.io.inputs import InputLog, Inputs
from service.cli.io.safe_group import print_to_stderr
from service.cli.io.store_location import StoreLocation, prepare_store_location
from service.cli.io.terminal_text import decode_file_name, sanitize_line

if TYPE_CHECKING:
    from service.records.club_rules import ClubRules

LOG_FILE_SUFFIXES = (".jsonl", ".ndjson", ".json", NOTATION_SUFFIX)
"""The suffixes of files of logs."""
SLIPS_SOURCE_NAME = "the slips"


def is_log_file_name(name: str) -> bool:
    """Whether a file of that name holds logs, not slips."""
    return name.lower().endswith(LOG_FILE_SUFFIXES)


def import_files_into_store(
    location: StoreLocation, file_names: Sequence[str], slip_lines: bytes, book: RulesetBook
) -> bool:
    """Import the logs of files, and ``slip_lines`` made of slips; return whether all could be imported."""
    # The store's libraries take a while to load; the other commands do without them.
    from service.records.club_rules import ClubRules
    from service.records.log_import import import_logs

    inputs = Inputs(file_names)
    records, new = 0, 0
    with prepare_store_location(location).open_writer() as store:
        rules = ClubRules(store, book)
        is_complete = _publish_rulesets(rules, file_names)
        for one in import_logs(store, (*inputs.read_all_logs(), *_read_slip_logs(slip_lines)), rules.book):
            if one.failure_reason:
                is_complete = False
                print_to_stderr(sanitize_line(f"{one.log.file}, log {one.log.number}: {one.failure_reason}"))
            else:
                records, new = records + 1, new + one.new_entries
    print_to_stderr(f"Records: {records}; new entries: {new}.")
    return is_complete and not inputs.has_unreadable


def _publish_rulesets(rules: "ClubRules", names: Sequence[str]) -> bool:
    """Publish the rulesets between the logs of files; return whether all could be published."""
    from service.records.club_rules import RevisionTaken, TooManyRevisions

    all_published = True
    for name in names:
        for ruleset in _read_rulesets(name, rules.book):
            try:
                if isinstance(ruleset, LineProblem):
                    raise ValueError(f"line {ruleset.line}, column {ruleset.column}: {ruleset.message}")
                result = rules.publish_revision(ruleset)
            except (ValueError, RevisionTaken, TooManyRevisions) as error:
                all_published = False
                print_to_stderr(sanitize_line(f"{decode_file_name(name)}, {error}"))
            else:
                print_to_stderr(
                    f"{ruleset.id}, revision {ruleset.revision}: "
                    f"{'published.' if result.is_new else 'already published.'}"
                )
    return all_published


def _read_rulesets(name: str, book: RulesetBook) -> Iterator[Ruleset | LineProblem]:
    """The rulesets in a file of JSON Lines; the import of its logs reports an unreadable file."""
    try:
        with open(name, "rb") as file:
            yield from read_published_rulesets(file, name, book)
    except OSError:
        return


def _read_slip_logs(lines: bytes) -> Iterator[InputLog]:
    for one in read_log_file(BytesIO(lines), SLIPS_SOURCE_NAME) if lines else ():
        yield InputLog(SLIPS_SOURCE_NAME, one.number, one.log, one.line)

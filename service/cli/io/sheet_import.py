"""Import the tables of a sheet: one that is there already is compared, and only corrected if asked."""

from __future__ import annotations

import sys
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import click

from engine.core.table_events import TableOpened
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.evening_correction import EveningCorrection, correct_evening
from schemas.spreadsheet.slip import SlipTable
from schemas.spreadsheet.slip_logs import EveningLogs, build_evening_logs, list_evening_players
from service.auth.display_names import MemberLookup, fold_name
from service.auth.grants import replace_member_ids
from service.cli.io.inputs import InputLog
from service.cli.io.safe_group import print_to_stderr
from service.cli.io.terminal_text import sanitize_line

if TYPE_CHECKING:
    from service.cli.io.import_target import ImportTarget
    from service.records.recorded_evenings import RecordedEvenings

CORRECT, ADD = "correct", "add"
"""What can be done with an evening that is there already."""


class SheetTable(NamedTuple):
    """A table of a sheet, and the file of the sheet."""

    file: str
    table: SlipTable


class SheetImport:
    """Says which logs to import for the tables of sheets; ``again`` is for evenings that are there already.

    ``has_refused`` is True once an evening was there already, with other slips, and nothing was done.
    """

    def __init__(self, target: ImportTarget, members: MemberLookup, again: str | None, lang: str) -> None:
        self._target, self._members, self._again, self._lang = target, members, again, lang
        self._member_ids: dict[str, str] = {}
        self.has_refused = False

    def prepare_logs(self, sheet: SheetTable) -> list[InputLog]:
        """The logs to import for a table; none for one that stays as it is."""
        self._find_members(sheet)
        table = sheet.table.rename_players(self._member_ids)
        recorded = list(self._recorded_evenings.find(table.terms.opening, self._identify))
        corrections = [self._correct(one.logs, table) for one in recorded if not one.is_set_aside]
        evening = _describe_evening(table.terms.opening)
        if not corrections and recorded and self._again != ADD:
            self.has_refused = True
            self._print(
                "{evening} is there already, but set aside. Let the table count again on its page, or add "
                "the sheet as another evening with --again add.",
                evening=evening,
            )
            return []
        if not corrections:
            return _number_logs(sheet.file, build_evening_logs([table] * (len(recorded) + 1))[-1])
        correction = min(corrections, key=lambda one: len(one.changes))
        if not correction.changes:
            self._print("{evening} is there already, with the same slips: nothing is added.", evening=evening)
            return []
        self._print("{evening} is there already. This sheet says something else:", evening=evening)
        for change in correction.changes:
            print_to_stderr(f"  {sanitize_line(self._name_members(change))}")
        again = self._again or self._ask_what_to_do()
        if again == CORRECT:
            return _number_logs(sheet.file, correction.logs)
        if again == ADD:  # another one even if these slips were there before the evening was corrected
            return _number_logs(sheet.file, build_evening_logs([table] * (len(recorded) + 1))[-1])
        self.has_refused = True
        self._print(
            "Nothing is changed. Correct the evening with --again correct, or add the sheet as another "
            "evening with --again add."
        )
        return []

    @cached_property
    def _recorded_evenings(self) -> RecordedEvenings:
        from service.records.recorded_evenings import RecordedEvenings

        return RecordedEvenings(self._target.reader, self._target.book)

    def _correct(self, evening: EveningLogs, table: SlipTable) -> EveningCorrection:
        # Not by the answers just given: they are what changes.
        recorded_names = {self._identify_by_list(name): name for name in list_evening_players(evening)}
        new_names = {name: recorded_names.get(self._identify_by_list(name), name) for name in table.players}
        return correct_evening(evening, table.rename_players(new_names), self._target.book, self._lang)

    def _identify(self, name: str) -> str:
        """The same for all names of a player: the member's id, or the name without case and spaces."""
        return self._member_ids.get(name) or self._identify_by_list(name)

    def _identify_by_list(self, name: str) -> str:
        member = self._members.find(name)
        return member.id if member else fold_name(name)

    def _find_members(self, sheet: SheetTable) -> None:
        """Find out which players are members; ask about, or print, those who may be."""
        for name in sheet.table.players if self._members.members else ():
            if name in self._member_ids:
                continue
            member = self._members.find(name)
            similar = [] if member else self._members.find_similar(name)
            if member is None and len(similar) == 1 and is_terminal():
                text = gettext("Is {name} the member {member}?", self._lang)
                question = sanitize_line(text.format(name=name, member=similar[0].name))
                member = similar[0] if self._confirm(question) else None
            elif similar:
                self._print(
                    "{name} is not in the list of members. Is that {members}? Then write the name as it "
                    "stands there.",
                    name=name,
                    members=" / ".join(one.name for one in similar),
                )
            if member is not None and fold_name(member.name) != fold_name(name):
                self._print("{name} is the member {member}.", name=name, member=member.name)
            self._member_ids[name] = name if member is None else member.id

    def _ask_what_to_do(self) -> str | None:
        if not is_terminal():
            return None
        choices = {
            gettext("correct", self._lang, "evening"): CORRECT,
            gettext("add", self._lang, "evening"): ADD,
            gettext("leave", self._lang, "evening"): None,
        }
        answer: str = click.prompt(
            gettext("Correct the evening, add another one, or leave it?", self._lang),
            type=click.Choice([*choices]),
            default=[*choices][-1],
            err=True,
        )
        return choices[answer]

    def _confirm(self, question: str) -> bool:
        yes, no = gettext("yes", self._lang), gettext("no", self._lang)
        prompt = f"{question} [{yes[0]}/{no[0].upper()}]"
        answer: str = click.prompt(prompt, default="", show_default=False, err=True)
        return answer[:1].lower() in (yes[0], "y")

    def _name_members(self, text: str) -> str:
        return replace_member_ids(text, {one.id: one.name for one in self._members.members})

    def _print(self, text: str, **parts: str) -> None:
        print_to_stderr(sanitize_line(self._name_members(gettext(text, self._lang).format(**parts))))


def is_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty()


def _describe_evening(opening: TableOpened) -> str:
    """The title, the date if the title lacks it, and the players."""
    title, date = opening.title or "", opening.date or ""
    return ", ".join(filter(None, (title, date if date not in title else "", *opening.players)))


def _number_logs(file: str, evening: EveningLogs) -> list[InputLog]:
    return [InputLog(file, number, log) for number, log in enumerate((evening.table, *evening.deals), 1)]

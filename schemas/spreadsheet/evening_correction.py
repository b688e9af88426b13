"""What a sheet says otherwise than the record of the same evening, and the entries that correct it.

An empty cell of the sheet changes nothing. Nothing is overwritten: a correction has the events of the sheet
in place of those that were wrong, and a deal that the sheet lacks is taken back from its table.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final, NamedTuple

from engine.core.events import CorrectionMade, DealOpened, DealSettled, Event, NoteAdded
from engine.core.field_types import Seq
from engine.core.log import Entry, EntryMetadata, Log
from engine.core.table_events import (
    DealStarted,
    PenaltyGiven,
    PlayerJoined,
    PlayerLeft,
    SeatsSet,
    TableClosed,
    TableOpened,
)
from engine.play.history import effective
from engine.rulesets import RulesetBook, find_ruleset
from engine.tables import fold_table
from schemas.i18n.catalogs import gettext
from schemas.spreadsheet.sheet_writer import list_setting_cells, list_slip_cells
from schemas.spreadsheet.slip import Slip, SlipTable
from schemas.spreadsheet.slip_logs import EveningLogs, build_evening_logs, build_slips

SETTINGS_TO_COMPARE: Final = ("plan", "chip_value", "currency")
CELLS_TO_COMPARE: Final = (
    "players", "board", "dealer", "result", "pool", "reserved", "payments", "penalties", "new_seating",
    "note",
)  # fmt: skip
"""What a slip says, but for its date and table, by which the evening was recognised."""
RULES_FIELDS: Final = frozenset({"ruleset", "revision", "switches"})
EMPTY: Final = (None, (), "")
SEATING_EVENTS: Final = (SeatsSet, PlayerJoined, PlayerLeft)
DealKey = tuple[int, int]
"""A deal's number, and how many deals with that number there are up to it."""


class EveningCorrection(NamedTuple):
    """What changes, a line for each deal, and the logs with the new entries: the table's and some deals'."""

    changes: tuple[str, ...]
    logs: EveningLogs


def correct_evening(
    recorded: EveningLogs, sheet: SlipTable, book: RulesetBook, lang: str
) -> EveningCorrection:
    """Compare a recorded evening with a sheet that names the players as the record does."""
    return _EveningCorrector(recorded, sheet, book, lang).correct()


class _Row(NamedTuple):
    """A deal at its table: its name there, and its slip; None for one whose record is missing."""

    deal: str
    slip: Slip | None


class _Evening:
    """The logs of an evening, read as slips."""

    def __init__(self, logs: EveningLogs, book: RulesetBook) -> None:
        table, self.log_by_deal = fold_table(logs.table, book), _log_by_id(logs.deals)
        found = build_slips(logs.table, self.log_by_deal, book)
        assert table is not None and found is not None, "the log of a table opens it"
        self.rules, self.terms, self.first_slip = table.rules, found.table.terms, found.table.slips[:1]
        self.entries = effective(logs.table).entries
        slip_by_deal = dict(zip(found.deals, found.table.slips, strict=True))
        counts: Counter[int] = Counter()
        self.rows: dict[DealKey, _Row] = {}
        for started in table.deals:
            counts[started.number] += 1
            key = (started.number, counts[started.number])
            self.rows[key] = _Row(started.deal, slip_by_deal.get(started.deal))

    @property
    def first_dealer(self) -> str | None:
        """Who deals first, if that is said."""
        return self.terms.first_dealer or next((slip.dealer for slip in self.first_slip), None)

    def find_start(self, deal: str) -> int:
        """The place of the entry with which the table started a deal."""
        starts = (
            place
            for place, entry in enumerate(self.entries)
            if isinstance(entry.event, DealStarted) and entry.event.deal == deal
        )
        return next(starts)

    def list_seatings(self, start: int) -> list[Entry]:
        """The entries since the deal before that say who sits at the table."""
        found: list[Entry] = []
        for entry in self.entries[:start]:
            if isinstance(entry.event, DealStarted):
                found = []
            elif isinstance(entry.event, SEATING_EVENTS):
                found.append(entry)
        return found

    def list_penalties(self, deal: str) -> list[Entry]:
        """The entries that give penalty points for a deal."""
        return [one for one in self.entries if isinstance(one.event, PenaltyGiven) and one.event.deal == deal]


class _EveningCorrector:
    def __init__(self, recorded: EveningLogs, sheet: SlipTable, book: RulesetBook, lang: str) -> None:
        (sheet_logs,) = build_evening_logs([sheet])
        self.table_log, self.lang, self.book = recorded.table, lang, book
        self.recorded, self.sheet = _Evening(recorded, book), _Evening(sheet_logs, book)
        self.new_terms = self._list_new_terms(self.recorded.terms.opening, self.sheet.terms.opening)
        self.setting_changes: list[str] = []
        self.deal_changes: list[tuple[int, str]] = []
        self.table_events: list[Event] = []
        self.deal_logs: list[Log] = []

    def correct(self) -> EveningCorrection:
        self._correct_terms()
        for key, row in self.sheet.rows.items():
            recorded_row = self.recorded.rows.get(key)
            if row.slip is None:
                continue  # a row that could not be read says nothing
            if recorded_row is None or recorded_row.slip is None:
                self._add_deal(key, row.deal, row.slip, recorded_row)
            else:
                self._correct_deal(recorded_row.deal, recorded_row.slip, row.deal, row.slip)
        for key, recorded_row in self.recorded.rows.items():
            if key not in self.sheet.rows:
                self._take_back_deal(key, recorded_row.deal)
        if self.sheet.terms.is_closed and not self.recorded.terms.is_closed:
            self.table_events.append(TableClosed())
        table_log = _append_events(self.table_log, self.table_events)
        changes = (*self.setting_changes, *(text for _, text in sorted(self.deal_changes)))
        return EveningCorrection(changes, EveningLogs(table_log, tuple(self.deal_logs)))

    def _list_new_terms(self, recorded: TableOpened, sheet: TableOpened) -> dict[str, Any]:
        """The fields of the opening that the sheet states otherwise."""
        stated = {name: getattr(sheet, name) for name in SETTINGS_TO_COMPARE}
        found = {name: value for name, value in stated.items() if value is not None}
        if not _is_rotation(recorded.players, sheet.players):
            found["players"] = sheet.players
        if (
            sheet.ruleset != recorded.ruleset
            or sheet.revision not in (None, recorded.revision)
            or (sheet.switches and sheet.switches != recorded.switches)
        ):
            rules = find_ruleset(self.book, sheet.ruleset, sheet.revision, sheet.switches)
            revision = sheet.revision if rules is None else rules.ruleset.revision
            found |= {"ruleset": sheet.ruleset, "revision": revision, "switches": sheet.switches}
        return {name: value for name, value in found.items() if value != getattr(recorded, name)}

    def _correct_terms(self) -> None:
        terms = self.recorded.terms._replace(
            opening=replace(self.recorded.terms.opening, **self.new_terms),
            first_dealer=self.sheet.terms.first_dealer or self.recorded.terms.first_dealer,
            is_closed=self.recorded.terms.is_closed or self.sheet.terms.is_closed,
        )
        before, after = (list_setting_cells(one, self.lang) for one in (self.recorded.terms, terms))
        self.setting_changes += _list_changed_cells(before, after, self.lang)
        if self.new_terms:
            (entry, *_) = (one for one in self.recorded.entries if isinstance(one.event, TableOpened))
            self.table_events.append(self._replace_entries([entry], [replace(entry.event, **self.new_terms)]))

    def _correct_deal(self, deal: str, recorded: Slip, sheet_deal: str, sheet: Slip) -> None:
        stated = {name: getattr(sheet, name) for name in CELLS_TO_COMPARE}
        slip = recorded._replace(**{name: value for name, value in stated.items() if value not in EMPTY})
        if slip.note in recorded.note.split("\n"):
            slip = slip._replace(note=recorded.note)
        rules = self.recorded.rules
        before, after = (list_slip_cells(one, self.lang, rules) for one in (recorded, slip))
        if changes := list(_list_changed_cells(before, after, self.lang)):
            self._report_deal(recorded.number, ", ".join(changes))
        self._correct_seating(deal, recorded, sheet_deal, slip)
        if slip.penalties != recorded.penalties:
            start = self.recorded.entries[self.recorded.find_start(deal)]
            penalties = [PenaltyGiven(player, points, deal) for player, points in slip.penalties]
            wrong_entries = self.recorded.list_penalties(deal)
            self.table_events.append(self._replace_entries(wrong_entries, penalties, after=start.seq))
        log = self.recorded.log_by_deal[deal]
        if corrections := list(self._list_deal_corrections(effective(log).entries, recorded, slip)):
            self.deal_logs.append(_append_events(log, corrections))

    def _correct_seating(self, deal: str, recorded: Slip, sheet_deal: str, slip: Slip) -> None:
        """Correct who sits at the table from a deal on; before the first one also who deals first."""
        is_first_changed = recorded in self.recorded.first_slip and (
            "players" in self.new_terms or self.sheet.first_dealer not in (None, self.recorded.first_dealer)
        )
        if is_first_changed or slip.new_seating != recorded.new_seating:
            seatings = self.sheet.list_seatings(self.sheet.find_start(sheet_deal))
            start = self.recorded.find_start(deal)
            before = self.recorded.entries[start - 1]
            wrong_entries = self.recorded.list_seatings(start)
            events = [entry.event for entry in seatings]
            if events or wrong_entries:
                self.table_events.append(self._replace_entries(wrong_entries, events, after=before.seq))

    def _list_deal_corrections(self, entries: Log, recorded: Slip, slip: Slip) -> Iterator[CorrectionMade]:
        for entry in entries:
            if isinstance(entry.event, DealOpened):
                opening = self._correct_deal_opening(entry.event, recorded, slip)
                if opening != entry.event:
                    yield self._replace_entries([entry], [opening])
        notes = (NoteAdded(text) for text in [slip.note] if text != recorded.note)
        results = (result for result in [slip.result] if result != recorded.result)
        payments = (DealSettled(chips) for chips in [slip.payments] if chips != recorded.payments)
        for event in (*filter(None, results), *payments, *notes):
            wrong_entries = [
                entry
                for entry in entries
                if type(entry.event) is type(event) and getattr(entry.event, "on", None) is None
            ]
            yield self._replace_entries(wrong_entries, [event], after=entries[-1].seq)

    def _correct_deal_opening(self, opening: DealOpened, recorded: Slip, slip: Slip) -> DealOpened:
        rules = {name: value for name, value in self.new_terms.items() if name in RULES_FIELDS}
        if slip.players is not None and slip.players != recorded.players:
            opening = replace(opening, players=slip.players)
        return replace(
            opening, dealer=slip.dealer, pool=slip.pool, reserved=slip.reserved, board=slip.board, **rules
        )

    def _add_deal(self, key: DealKey, deal: str, slip: Slip, recorded_row: _Row | None) -> None:
        self._report_deal(key[0], gettext("new", self.lang, "deal"))
        log = self.sheet.log_by_deal[deal]
        if recorded_row is not None:  # the table started it, and its record is missing
            opening = log[0]._replace(metadata=EntryMetadata(id=recorded_row.deal))
            self.deal_logs.append((opening, *log[1:]))
            return
        self.deal_logs.append(log)
        seatings = self.sheet.list_seatings(self.sheet.find_start(deal))
        entries = [
            *(seatings if slip.new_seating or not self.recorded.rows else ()),
            self.sheet.entries[self.sheet.find_start(deal)],
            *self.sheet.list_penalties(deal),
        ]
        self._add_to_table([entry.event for entry in entries])

    def _add_to_table(self, events: Sequence[Event]) -> None:
        """Add events at the end of the table, or before its closing."""
        for before, entry in pairwise(self.recorded.entries):
            if isinstance(entry.event, TableClosed):
                self.table_events.append(self._replace_entries([], events, after=before.seq))
                return
        self.table_events += events

    def _take_back_deal(self, key: DealKey, deal: str) -> None:
        self._report_deal(key[0], gettext("not in the sheet any more", self.lang))
        start = self.recorded.entries[self.recorded.find_start(deal)]
        self.table_events.append(self._replace_entries([start, *self.recorded.list_penalties(deal)], []))

    def _report_deal(self, number: int, changes: str) -> None:
        text = gettext("deal {number}: {changes}", self.lang)
        self.deal_changes.append((number, text.format(number=number, changes=changes)))

    def _replace_entries(
        self, wrong_entries: Sequence[Entry], events: Iterable[Event], after: Seq | None = None
    ) -> CorrectionMade:
        """Put events in place of entries or, if there are none, after an entry."""
        replaced = tuple(entry.seq for entry in wrong_entries)
        reason = gettext("The sheet of slips was corrected.", self.lang)
        return CorrectionMade(reason, replaced, None if replaced else after, tuple(events))


def _is_rotation(recorded: Sequence[str], players: Sequence[str]) -> bool:
    """Whether the same players sit in the same order, from any first one."""
    rotations = ((*recorded[place:], *recorded[:place]) for place in range(len(recorded)))
    return tuple(players) in rotations


def _list_changed_cells(before: dict[str, str], after: dict[str, str], lang: str) -> Iterator[str]:
    for heading in dict.fromkeys((*before, *after)):
        old, new = before.get(heading, ""), after.get(heading, "")
        if old != new:
            nothing = gettext("nothing", lang, "cell")
            yield f"{heading} {old or nothing} → {new or nothing}".replace("\n", " / ")


def _append_events(log: Log, events: Iterable[Event]) -> Log:
    return (*log, *(Entry(seq, event) for seq, event in enumerate(events, len(log) + 1)))


def _log_by_id(logs: Iterable[Log]) -> dict[str, Log]:
    return {str(log[0].metadata.id): log for log in logs}

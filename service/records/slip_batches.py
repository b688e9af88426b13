"""Slip batches: reading and judging rows that are typed from paper. Storing them starts deals."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Final, NamedTuple

from engine import Audit, Finding, Log, audit, build_log
from engine.core.events import DealOpened, Event, NoteAdded
from engine.core.field_types import Players
from engine.core.table_events import DealStarted
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from engine.tables import EveningPreview, PreviewedDeal, Seating, fold_evening_deal, split_into_games
from engine.tables.ledger import NextDeal, parse_chip_value
from schemas.spreadsheet.row_reader import RowContext, build_row_context
from schemas.spreadsheet.sheet_messages import CellValueError, SheetLanguages
from schemas.spreadsheet.typed_row import CellFault, TypedRowReader, TypedSlip, build_cell_fault
from service.records.tables import fold_table_deals, table_from_log

MAX_BATCH_ROWS: Final = 200
"""More rows than anybody plays in an evening."""
DRAFT_DEAL_ID_FORMAT: Final = "00000000-0000-7000-8000-{:012}"
"""The ids of deals that are read but not stored."""


class SlipRowReading(NamedTuple):
    """A row as it was read, its events (none while it is incomplete), and their results.

    ``differences`` are the players and numbers on the paper that differ from the rules' results.
    """

    typed: TypedSlip
    events: tuple[Event, ...]
    audit: Audit
    previewed_deal: PreviewedDeal
    findings: tuple[Finding, ...]
    faults: tuple[CellFault, ...]
    differences: tuple[tuple[str, str], ...]


class SlipBatchReading(NamedTuple):
    """The rows of a slip batch, and all players with chips in the order of the paper."""

    players: tuple[str, ...]
    rows: tuple[SlipRowReading, ...]


def build_table_continuation(
    log: Log, read_deal_log: Callable[[str], Log], book: RulesetBook = PUBLISHED_RULESETS
) -> EveningPreview:
    """The evening of a table, to which further deals can be added."""
    return EveningPreview(log, fold_table_deals(read_deal_log, table_from_log(log, book), book), book)


def read_slip_batch(
    preview: EveningPreview,
    rows: Sequence[Mapping[str, str]],
    player_names: Mapping[str, Sequence[str]],
    *,
    lang: str,
    paper_shows: str,
    book: RulesetBook = PUBLISHED_RULESETS,
) -> SlipBatchReading:
    """Read rows one after another on top of the table's deals; an empty row keeps its place.

    ``player_names`` has each player's names, the displayed one first. ``paper_shows``: whether the cell
    ``paper`` has running ``totals`` or the ``chips`` of its deal. If nobody is due to play, no row is read.
    """
    frame = build_row_context(preview.table.rules, SheetLanguages(lang, lang), player_names)
    paper = PaperTotals(frame, rows, paper_shows, parse_chip_value(preview.table.opening_event.chip_value))
    found: list[SlipRowReading] = []
    for place, row in enumerate(rows, 1):
        next_deal = _select_next_deal(preview, row, frame)
        if next_deal is None:
            break
        found.append(_read_row(preview, place, row, next_deal, frame, paper, book))
    return SlipBatchReading(tuple(name for name, _ in preview.totals), tuple(found))


def plan_next_deals(
    preview: EveningPreview, count: int, book: RulesetBook = PUBLISHED_RULESETS
) -> list[tuple[int, Seating]]:
    """The numbers and seatings of the next deals while nobody joins or leaves."""
    found = []
    for place in range(1, count + 1):
        if not (next_deals := preview.next_deals()):
            break
        next_deal = next_deals[0]
        log = build_log([build_next_opening(preview, next_deal.seating, next_deal.number, next_deal)])
        preview.add_deal(
            DealStarted(DRAFT_DEAL_ID_FORMAT.format(place), next_deal.number), fold_evening_deal(log, book)
        )
        found.append((next_deal.number, next_deal.seating))
    return found


def _select_next_deal(preview: EveningPreview, row: Mapping[str, str], frame: RowContext) -> NextDeal | None:
    """The next deal of the game whose players the row names, else the next of all."""
    next_deals = preview.next_deals()
    named_players = [row.get(column, "") for column in ("dealer", "declarer")]
    for next_deal in next_deals:
        for text in filter(None, named_players):
            if any(frame.names.has_name(one, text) for one in _game_players(preview, next_deal)):
                return next_deal
    return next_deals[0] if next_deals else None


def _game_players(preview: EveningPreview, next_deal: NextDeal) -> tuple[str, ...]:
    return split_into_games(preview.table.players)[next_deal.game]


def _read_row(
    preview: EveningPreview,
    place: int,
    row: Mapping[str, str],
    next_deal: NextDeal,
    frame: RowContext,
    paper: "PaperTotals",
    book: RulesetBook,
) -> SlipRowReading:
    numbers = frozenset(deal.number for deal in preview.table.deals)
    typed = TypedRowReader(row, frame).read_typed_slip(
        next_deal.number,
        lambda number: preview.find_seating(number, next_deal),
        _game_players(preview, next_deal),
        numbers,
    )
    opening = build_next_opening(preview, typed.seating, typed.number, next_deal)
    events: list[Event] = [opening]
    if typed.result is not None:
        events += [typed.result, *([NoteAdded(typed.note)] if typed.note else [])]
    log = build_log(events)
    audited = audit(log, book)
    previewed_deal = preview.add_deal(
        DealStarted(DRAFT_DEAL_ID_FORMAT.format(place), typed.number), fold_evening_deal(log, book)
    )
    slip_findings = () if typed.result is None else audited.findings
    found = (*slip_findings, *(one.finding for one in previewed_deal.findings))
    faults, differences = paper.find_differences(row.get("paper", ""), previewed_deal)
    return SlipRowReading(
        typed,
        tuple(events) if typed.result is not None else (),
        audited,
        previewed_deal,
        found,
        (*typed.faults, *faults),
        differences,
    )


def build_next_opening(
    preview: EveningPreview, seating: Seating, number: int, next_deal: NextDeal
) -> DealOpened:
    """The opening of the next deal of the table."""
    table_opening = preview.table.opening_event
    return DealOpened(
        ruleset=table_opening.ruleset,
        players=Players(*seating.active, seating.sitting_out),
        revision=table_opening.revision
        if table_opening.revision is not None
        else preview.table.rules.ruleset.revision,
        switches=table_opening.switches,
        dealer=seating.dealer,
        number=number,
        pool=next_deal.pool,
        reserved=() if next_deal.pool is None else next_deal.reserved,
    )


class PaperTotals:
    """The numbers on the paper, in chips or money, to compare with the results."""

    def __init__(
        self,
        frame: RowContext,
        rows: Sequence[Mapping[str, str]],
        shows: str,
        money_per_chip: Decimal | None,
    ) -> None:
        self.frame, self.shows = frame, shows
        paper_numbers = [
            number for row in rows for number in _parse_numbers(row.get("paper", "")) or () if number
        ]
        self.money_per_chip = (
            money_per_chip if money_per_chip and any(number % 1 for number in paper_numbers) else Decimal(1)
        )

    def find_differences(
        self, text: str, previewed_deal: PreviewedDeal
    ) -> tuple[tuple[CellFault, ...], tuple[tuple[str, str], ...]]:
        """Faults of the cell, and the players whose numbers differ, with what the paper says."""
        if not text.strip():
            return (), ()
        line, numbers = previewed_deal.line, _parse_numbers(text)
        expected_chips: dict[str, int] = dict(line.totals)
        players = tuple(expected_chips)
        if self.shows == "chips":
            expected_chips = dict.fromkeys(players, 0)
            for player, chips in (*line.stake, *line.chips):
                expected_chips[player] = expected_chips.get(player, 0) + chips
        if numbers is None or len(numbers) > len(players):
            fault = CellValueError(
                text,
                "the numbers on the paper, separated by spaces, in this order: {players}; ? for a missing "
                "number",
                players=self.frame.names.format_names(players),
            )
            return (build_cell_fault("paper", fault, self.frame.languages),), ()
        return (), tuple(
            (player, _format_number(number))
            for player, number in zip(players, numbers, strict=False)
            if number is not None and number != expected_chips[player] * self.money_per_chip
        )


def _parse_numbers(text: str) -> list[Decimal | None] | None:
    """Parse numbers between spaces, also with decimal commas, "?" for a missing one; None for other text."""
    found: list[Decimal | None] = []
    for part in text.replace("−", "-").replace("–", "-").replace(";", " ").replace("/", " ").split():
        try:
            number = None if part == "?" else Decimal(part.rstrip(",.").replace(",", "."))
        except InvalidOperation:
            return None
        if number is not None and not (number.is_finite() and abs(number) < 10**9):
            return None
        found.append(number)
    return found


def _format_number(number: Decimal) -> str:
    return format(number, "f")

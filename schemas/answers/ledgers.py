"""Ledgers of tables as JSON objects, and as rows for a spreadsheet (DESIGN 6)."""

import csv
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from io import StringIO
from typing import Final

from engine.core.cards import SEAT_NAMES
from engine.scoring.payments import add_by_name
from engine.tables import Ledger, LedgerLine, PlayerFigures, count_player_figures
from engine.tables.ledger import NextDeal, TableFinding
from schemas.answers.states import Json, finding_object, members_object, optional, trump_letter
from schemas.i18n.catalogs import SOURCE_LANGUAGE

PLAYER_FIGURES: Final = (
    "player", "chips", "played", "sat_out", "declared", "won", "bete", "codille",
)  # fmt: skip
"""What is counted of a player, in the order of an answer."""


def ledger_object(ledger: Ledger, lang: str = SOURCE_LANGUAGE) -> Json:
    """A ledger: a line for every deal and payment, totals, standings, who owes whom, what is next.

    ``translate`` sets the language of its findings.
    """
    return {
        "players": list(ledger.players),
        "lines": [_line_object(line) for line in ledger.lines],
        "totals": dict(ledger.totals),
        "standings": [
            {"place": place, "player": player, "chips": chips, "money": _money(ledger, chips)}
            for place, player, chips in ledger.standings
        ],
        "figures": [figures_object(one) for one in count_player_figures(ledger)],
        "penalties": dict(ledger.penalties),
        "pots": [members_object(pot) for pot in ledger.pots],
        "shares": dict(ledger.shares),
        "owes": [{**members_object(debt), "money": _money(ledger, debt.chips)} for debt in ledger.debts],
        "following": [_next_deal_object(next_deal) for next_deal in ledger.next_deals],
        "deals_left": ledger.deals_left,
        "chip_value": optional(str, ledger.chip_value),
        "currency": ledger.currency,
        "closed": ledger.is_closed,
        "findings": [table_finding_object(one, lang) for one in ledger.findings],
    }


def table_finding_object(one: TableFinding, lang: str) -> Json:
    """A finding, with the deal that it is about."""
    return {"deal": one.deal, **finding_object(one.finding, lang)}


def _money(ledger: Ledger, chips: int) -> str | None:
    """What chips are worth, as a decimal number in text: money is never rounded."""
    money: Decimal | None = ledger.money_value(chips)
    return None if money is None else format(money, "f")


def figures_object(player_figures: PlayerFigures) -> Json:
    """What a player did."""
    figures = {name: getattr(player_figures, name) for name in PLAYER_FIGURES}
    return {**figures, "contracts": [members_object(games) for games in player_figures.contracts]}


def _line_object(line: LedgerLine) -> Json:
    return {
        "seq": line.seq,
        "deal": line.deal,
        "number": line.number,
        "game": None if line.game is None else line.game + 1,
        "seating": optional(members_object, line.seating),
        "taken_over": dict(line.taken_over),
        "declarer": line.declarer,
        "contract": line.contract,
        "trump": trump_letter(line.trump),
        "outcome": line.outcome,
        "decided": line.is_decided,
        "chips": dict(line.chips),
        "stake": dict(line.stake),
        "before": optional(members_object, line.pot_before),
        "after": optional(members_object, line.pot_after),
        "totals": dict(line.totals),
        "text": line.text,
    }


def _next_deal_object(next_deal: NextDeal) -> Json:
    return {
        "game": next_deal.game + 1,
        "number": next_deal.number,
        "seating": members_object(next_deal.seating),
        "pool": next_deal.pool,
        "reserved": list(next_deal.reserved),
        "then": [members_object(seating) for seating in next_deal.later_seatings],
        "dealt_again": list(next_deal.redeal_outcomes),
    }


LEDGER_COLUMNS: Final = (
    "number", "deal", "game", "dealer", "forehand", "middlehand", "backhand", "sitting out", "declarer",
    "contract", "trump", "outcome", "decided", "stake", "pool before", "pool", "reserved", "note",
)  # fmt: skip
"""The columns of a ledger in rows; then each player's chips, stake and all, then each one's running total."""


def format_ledger_csv(
    ledger: Ledger, line_end: str = "\r\n", format_cell: Callable[[str], str] = lambda cell: cell
) -> str:
    """A ledger as comma-separated values, fit for a spreadsheet.

    ``format_cell`` says how a cell is to read: it may put names in place of ids.
    """
    rows = ([format_cell(cell) for cell in row] for row in ledger_rows(ledger))
    return format_csv(rows, line_end)


def format_csv(rows: Iterable[list[str]], line_end: str = "\r\n", separator: str = ",") -> str:
    """Rows as comma-separated values, in which no cell is taken for a formula."""
    output = StringIO()
    csv.writer(output, delimiter=separator, lineterminator=line_end).writerows(map(_guard_formulas, rows))
    return output.getvalue()


def ledger_rows(ledger: Ledger) -> Iterator[list[str]]:
    """A ledger as rows, the first with the names of the columns; payments by hand have no number."""
    players = [name for name, _ in ledger.totals]
    yield [*LEDGER_COLUMNS, *players, *(f"{name}, total" for name in players)]
    for line in ledger.lines:
        chips = add_by_name((*line.chips, *line.stake))
        totals = dict(line.totals)
        yield [
            *_cells_before_players(line),
            *(str(chips.get(name, 0)) for name in players),
            *(str(totals.get(name, 0)) for name in players),
        ]


def _cells_before_players(line: LedgerLine) -> Iterator[str]:
    """A line's cells before the players'."""
    yield "" if line.number is None else str(line.number)
    yield line.deal or ""
    yield "" if line.game is None else str(line.game + 1)
    if line.seating is None:
        yield from [""] * 5
    else:
        taken_over = dict(line.taken_over)
        yield line.seating.dealer
        for seat, player in zip(SEAT_NAMES, line.seating.active, strict=True):
            yield taken_over.get(seat, player)
        yield ", ".join(line.seating.sitting_out)
    yield from (line.declarer or "", line.contract or "", trump_letter(line.trump) or "", line.outcome or "")
    yield "yes" if line.is_decided else "no"
    yield str(-sum(chips for _, chips in line.stake)) if line.stake else ""
    yield "" if line.pot_before is None else str(line.pot_before.pool)
    yield "" if line.pot_after is None else str(line.pot_after.pool)
    yield "" if line.pot_after is None else ", ".join(map(str, line.pot_after.reserved))
    yield line.text or ""


def _guard_formulas(row: list[str]) -> list[str]:
    """A row in which no name can be taken for a formula by a spreadsheet."""
    return [f"'{cell}" if cell[:1] in tuple("=@\t\r") or _is_signed_word(cell) else cell for cell in row]


def _is_signed_word(cell: str) -> bool:
    """Whether a cell begins with a sign and is no number."""
    return cell[:1] in ("+", "-") and not cell[1:].isdigit()

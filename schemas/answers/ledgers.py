"""Ledgers of tables as JSON objects, and as rows for a spreadsheet (DESIGN 6)."""

import csv
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from io import StringIO
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from engine.tables import Figures, Games, Ledger, Line, Seating, figures_of
from engine.tables.ledger import NextDeal, Pot
from schemas.answers.states import Told, finding_object, suit_letter

Json = dict[str, Any]


def ledger_object(ledger: Ledger, told: Told = str) -> Json:
    """A ledger: a line for every deal and payment, totals, standings, who owes whom, what is next.

    ``told`` says in which language its findings are told.
    """
    return {
        "players": list(ledger.players),
        "lines": [_line(line) for line in ledger.lines],
        "totals": dict(ledger.totals),
        "standings": [
            {"place": place, "player": player, "chips": chips, "money": _money(ledger, chips)}
            for place, player, chips in ledger.standings
        ],
        "figures": [figures_object(one) for one in figures_of(ledger)],
        "penalties": dict(ledger.penalties),
        "pots": [_pot(pot) for pot in ledger.pots],
        "shares": dict(ledger.shares),
        "owes": [
            {
                "debtor": debt.debtor,
                "creditor": debt.creditor,
                "chips": debt.chips,
                "money": _money(ledger, debt.chips),
            }
            for debt in ledger.owes
        ],
        "following": [_next(due) for due in ledger.following],
        "deals_left": ledger.deals_left,
        "chip_value": None if ledger.chip_value is None else str(ledger.chip_value),
        "currency": ledger.currency,
        "closed": ledger.closed,
        "findings": [{"deal": one.deal, **finding_object(one.finding, told)} for one in ledger.findings],
    }


def _money(ledger: Ledger, chips: int) -> str | None:
    """What chips are worth, as a decimal number in text: money is never rounded."""
    worth: Decimal | None = ledger.money(chips)
    return None if worth is None else format(worth, "f")


def figures_object(one: Figures) -> Json:
    """What a player did."""
    return {
        "player": one.player,
        "chips": one.chips,
        "played": one.played,
        "sat_out": one.sat_out,
        "declared": one.declared,
        "won": one.won,
        "bete": one.bete,
        "codille": one.codille,
        "contracts": [_games(games) for games in one.contracts],
    }


def _games(games: Games) -> Json:
    return games._asdict()


def _line(line: Line) -> Json:
    return {
        "seq": line.seq,
        "deal": line.deal,
        "number": line.number,
        "game": None if line.game is None else line.game + 1,
        "seating": None if line.seating is None else _seating(line.seating),
        "taken_over": dict(line.taken_over),
        "declarer": line.declarer,
        "contract": line.contract,
        "trump": suit_letter(line.trump),
        "outcome": line.outcome,
        "decided": line.decided,
        "chips": dict(line.chips),
        "stake": dict(line.stake),
        "before": None if line.before is None else _pot(line.before),
        "after": None if line.after is None else _pot(line.after),
        "totals": dict(line.totals),
        "text": line.text,
    }


def _seating(seating: Seating) -> Json:
    return {
        "dealer": seating.dealer,
        "forehand": seating.forehand,
        "middlehand": seating.middlehand,
        "backhand": seating.backhand,
        "sitting_out": list(seating.sitting_out),
    }


def _pot(pot: Pot) -> Json:
    return {"pool": pot.pool, "reserved": list(pot.reserved)}


def _next(due: NextDeal) -> Json:
    return {
        "game": due.game + 1,
        "number": due.number,
        "seating": _seating(due.seating),
        "pool": due.pool,
        "reserved": list(due.reserved),
        "then": [_seating(seating) for seating in due.then],
        "dealt_again": list(due.dealt_again),
    }


COLUMNS: Final = (
    "number", "deal", "game", "dealer", "forehand", "middlehand", "backhand", "sitting out", "declarer",
    "contract", "trump", "outcome", "decided", "stake", "pool before", "pool", "reserved", "note",
)  # fmt: skip
"""The columns of a ledger in rows; then each player's chips, stake and all, then each one's running total."""


def ledger_csv(ledger: Ledger, end: str = "\r\n", spoken: Callable[[str], str] = lambda cell: cell) -> str:
    """A ledger as comma-separated values, fit for a spreadsheet.

    ``spoken`` says how a cell is to read: it may put names in place of ids.
    """
    rows = ([spoken(cell) for cell in row] for row in ledger_rows(ledger))
    return csv_of(rows, end)


def csv_of(rows: Iterable[list[str]], end: str = "\r\n", separator: str = ",") -> str:
    """Rows as comma-separated values, in which no cell is taken for a formula."""
    written = StringIO()
    csv.writer(written, delimiter=separator, lineterminator=end).writerows(map(_safe, rows))
    return written.getvalue()


def ledger_rows(ledger: Ledger) -> Iterator[list[str]]:
    """A ledger as rows, the first with the names of the columns; payments by hand have no number."""
    players = [name for name, _ in ledger.totals]
    yield [*COLUMNS, *players, *(f"{name}, total" for name in players)]
    for line in ledger.lines:
        chips = dict(line.chips)
        for name, stake in line.stake:
            chips[name] = chips.get(name, 0) + stake
        totals = dict(line.totals)
        yield [
            *_about(line),
            *(str(chips.get(name, 0)) for name in players),
            *(str(totals.get(name, 0)) for name in players),
        ]


def _about(line: Line) -> Iterator[str]:
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
    yield from (line.declarer or "", line.contract or "", suit_letter(line.trump) or "", line.outcome or "")
    yield "yes" if line.decided else "no"
    yield str(-sum(chips for _, chips in line.stake)) if line.stake else ""
    yield "" if line.before is None else str(line.before.pool)
    yield "" if line.after is None else str(line.after.pool)
    yield "" if line.after is None else ", ".join(map(str, line.after.reserved))
    yield line.text or ""


def _safe(row: list[str]) -> list[str]:
    """A row in which no name can be taken for a formula by a spreadsheet."""
    return [f"'{cell}" if cell[:1] in tuple("=@\t\r") or _signed_word(cell) else cell for cell in row]


def _signed_word(cell: str) -> bool:
    """Whether a cell begins with a sign and is no number."""
    return cell[:1] in ("+", "-") and not cell[1:].isdigit()

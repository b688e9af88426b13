"""Ledgers of tables as JSON objects, and as rows for a spreadsheet (DESIGN 6)."""

import csv
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from io import StringIO
from typing import Final

from engine.core.cards import (
    SEAT_NAMES,
    trump_letter,
)
from engine.scoring.payments import add_by_name
from engine.tables import Ledger, count_player_figures
from engine.tables.ledger import LedgerLine, TableFinding
from schemas.answers import fields
from schemas.answers.response_schema import Json, ResponseSchema
from schemas.answers.states import FindingSchema, nullable_trump


class SeatingSchema(ResponseSchema):
    """The players by seat."""

    dealer = fields.name()
    forehand = fields.name()
    middlehand = fields.name()
    backhand = fields.name()
    sitting_out = fields.list_of(fields.name())


class PotSchema(ResponseSchema):
    """The pool, and the puestas set aside."""

    pool = fields.chips()
    reserved = fields.list_of(fields.chips())


class LedgerLineSchema(ResponseSchema):
    """A deal, or a payment by hand."""

    seq = fields.seq("The entry of the table's log.")
    deal = fields.name("The deal; null for a payment by hand.", allow_none=True)
    number = fields.integer("The deal's number; null for a payment by hand.", allow_none=True)
    game = fields.integer(
        "The game at the table: 1, or 1 or 2 with six players; null for a payment.",
        get=lambda line: None if line.game is None else line.game + 1,
        min_value=1,
        allow_none=True,
    )
    seating = fields.nested(SeatingSchema, "Null for a payment by hand.", allow_none=True)
    taken_over = fields.dict_of(
        fields.name(), "By seat, the player who took over the hand.", keys=fields.string(choices=SEAT_NAMES)
    )
    declarer = fields.name(
        "The player; null if nobody plays alone, or the player is unknown.", allow_none=True
    )
    contract = fields.name("Null if there is none, or it is unknown.", allow_none=True)
    trump = nullable_trump("Null in nolo, while unknown, and for a payment by hand.")
    outcome = fields.outcome(
        "The outcome; null while it is open, and for a payment by hand.", allow_none=True
    )
    decided = fields.boolean("Whether the payment is known; an open deal counts nothing.", get="is_decided")
    chips = fields.chips_by_player()
    stake = fields.chips_by_player()
    before = fields.nested(
        PotSchema,
        "The pool before, with the stake; null without a pool, and for a payment.",
        get="pot_before",
        allow_none=True,
    )
    after = fields.nested(
        PotSchema, "The pool after; null without a pool, and for a payment.", get="pot_after", allow_none=True
    )
    totals = fields.chips_by_player()
    text = fields.string("The note on a payment; null without one, and for a deal.", allow_none=True)


class LedgerStandingSchema(ResponseSchema):
    """A player's place."""

    place = fields.integer("The place; players with equal chips share one.", get=0, min_value=1)
    player = fields.name(get=1)
    chips = fields.chips(get=2)
    money = fields.string(
        "The chips in money, as a decimal number; null without a chip value.", allow_none=True
    )


class ContractFiguresSchema(ResponseSchema):
    """The games of one contract that a player declared."""

    contract = fields.name()
    played = fields.integer(
        "The number of games; those that did not end as below were given up, forfeited, or are not finished."
    )
    won = fields.integer("The number won.")
    bete = fields.integer("The number of bêtes.")
    codille = fields.integer("The number of codilles lost.")
    chips = fields.chips("The player's chips from them in total.")


class PlayerFiguresSchema(ResponseSchema):
    """The results of a player."""

    player = fields.name()
    chips = fields.chips("The player's chips won (+) or lost (−) in total.")
    played = fields.integer("Deals played, without void ones.")
    sat_out = fields.integer("Deals sat out.")
    declared = fields.integer("Games declared.")
    won = fields.integer("Games won, of those.")
    bete = fields.integer("Games bête.")
    codille = fields.integer("Games lost by codille.")
    contracts = fields.list_of(ContractFiguresSchema, "By contract, the most frequent first.")


figures_object: Final = PlayerFiguresSchema.write


class DebtSchema(ResponseSchema):
    """A payment due."""

    debtor = fields.name()
    creditor = fields.name()
    chips = fields.integer("The number of chips owed.")
    money = fields.string(
        "The chips in money, as a decimal number; null without a chip value.", allow_none=True
    )


class NextDealSchema(ResponseSchema):
    """The opening of the next deal of a game."""

    game = fields.integer(
        "The game at the table, from 1.", get=lambda next_deal: next_deal.game + 1, min_value=1
    )
    number = fields.integer("The deal's number.", min_value=1)
    seating = fields.nested(SeatingSchema)
    pool = fields.chips("With the stake; null without a pool.", allow_none=True)
    reserved = fields.list_of(fields.chips())
    then = fields.list_of(
        SeatingSchema,
        "The seats of the deals after it while the same people play, until they repeat.",
        get="later_seatings",
    )
    dealt_again = fields.list_of(
        fields.outcome(),
        "The outcomes after which the same dealer deals again.",
        get="redeal_outcomes",
    )


class FindingPlaceSchema(ResponseSchema):
    """The log of a finding."""

    deal = fields.name("The deal; null for the table's own log.", allow_none=True)


class TableFindingSchema(FindingSchema, FindingPlaceSchema):
    """A problem at an entry of the table's log or of a deal's log."""


def table_finding_objects(findings: Iterable[TableFinding], lang: str) -> list[Json]:
    """Findings, each with the deal that it is about."""
    return [TableFindingSchema.write(one.finding, lang, deal=one.deal) for one in findings]


def _money(ledger: Ledger, chips: int) -> str | None:
    """What chips are worth, as a decimal number in text: money is never rounded."""
    money: Decimal | None = ledger.money_value(chips)
    return None if money is None else format(money, "f")


class BaseLedgerSchema(ResponseSchema):
    """A table's ledger."""

    players = fields.list_of(fields.name(), "The players at the table, in the order of play.")
    lines = fields.list_of(LedgerLineSchema)
    totals = fields.chips_by_player()
    standings = fields.list_of(
        LedgerStandingSchema,
        "The highest first.",
        get=lambda ledger: [
            LedgerStandingSchema.write(one, money=_money(ledger, one[2])) for one in ledger.standings
        ],
        write=None,
    )
    figures = fields.list_of(
        PlayerFiguresSchema,
        "The results of each player, including those who have left.",
        get=count_player_figures,
    )
    penalties = fields.chips_by_player()
    pots = fields.list_of(PotSchema, "The pool of each game.")
    shares = fields.chips_by_player()
    owes = fields.list_of(
        DebtSchema,
        "The fewest payments that settle all debts, with the pool divided.",
        get=lambda ledger: [DebtSchema.write(one, money=_money(ledger, one.chips)) for one in ledger.debts],
        write=None,
    )
    following = fields.list_of(NextDealSchema, get="next_deals")
    deals_left = fields.integer("The deals left of the agreed plan; null without a plan.", allow_none=True)
    chip_value = fields.string(
        "The value of a chip, as a decimal number; null if none is agreed.", write=str, allow_none=True
    )
    currency = fields.string("The currency, such as `DKK`; null if none is agreed.", allow_none=True)
    closed = fields.boolean("Whether the evening is over.", get="is_closed")
    voided = fields.set_aside()
    findings = fields.list_of(TableFindingSchema, translate=table_finding_objects)


ledger_object: Final = BaseLedgerSchema.write


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

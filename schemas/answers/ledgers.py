"""Ledgers of tables as JSON objects, and as rows for a spreadsheet (DESIGN 6)."""

import csv
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from io import StringIO
from typing import Final

from engine.core.cards import SEAT_NAMES
from engine.scoring.payments import add_by_name
from engine.tables import Ledger, PlayerFigures, count_player_figures
from engine.tables.evening_audit import Settlement
from engine.tables.evening_faults import EveningFault
from engine.tables.ledger import LedgerLine, NextDeal, TableFinding
from engine.tables.rescoring import EveningRescoring, OtherRules
from engine.tables.table_report import DealReport, FirstDifference, TableReport
from engine.verdicts import table_verdict
from schemas.answers.audits import correction_object, mistake_objects
from schemas.answers.states import Json, finding_object, members_object, optional, trump_letter
from schemas.i18n.catalogs import SOURCE_LANGUAGE
from schemas.i18n.translate import translate

PLAYER_FIGURES: Final = (
    "player", "chips", "played", "sat_out", "declared", "won", "bete", "codille",
)  # fmt: skip
"""What is counted of a player, in the order of an answer."""


def ledger_object(ledger: Ledger, lang: str = SOURCE_LANGUAGE) -> Json:
    """A ledger: a line for every deal and payment, totals, standings, debts, the next deals."""
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
        "voided": ledger.voided,
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


def table_audit_object(
    table_report: TableReport,
    lang: str = SOURCE_LANGUAGE,
    other_rules: OtherRules | None = None,
    rescoring: EveningRescoring | None = None,
) -> Json:
    """The report on a table: its faults, each with what follows from it, and every settlement counted again.

    ``rescoring``: the same evening under ``other_rules``, where they were asked for.
    """
    opening_event = table_report.table.opening_event
    return {
        "title": opening_event.title,
        "ruleset": opening_event.ruleset,
        "voided": table_report.table.voided,
        "verdict": translate(table_verdict(table_report), lang),
        "ok": table_report.ok,
        "faults": [_fault(one, lang) for one in table_report.faults],
        "first": optional(_first_difference_object, table_report.first_difference),
        "deals": [_deal(one) for one in table_report.deals],
        "totals": dict(table_report.ledger.totals),
        "due": dict(table_report.corrected_ledger.totals),
        "apart": dict(table_report.difference),
        "changes": [
            {"deal": one.deal, "number": one.number, "seq": one.seq, "told": translate(one.message, lang)}
            for one in table_report.changes
        ],
        "rescored": None
        if other_rules is None or rescoring is None
        else _rescoring_object(other_rules, rescoring),
    }


def _fault(fault: EveningFault, lang: str) -> Json:
    return {
        "deal": fault.deal,
        "number": fault.number,
        **finding_object(fault.finding, lang),
        "follows": [table_finding_object(one, lang) for one in fault.consequences],
        "instead": mistake_objects(fault.alternatives, lang),
        "corrections": [correction_object(one, lang) for one in fault.corrections],
    }


def _first_difference_object(first_difference: FirstDifference) -> Json:
    line = first_difference.line
    return {
        "deal": line.deal,
        "number": line.number,
        "seq": first_difference.fault.finding.seq,
        "apart": dict(first_difference.difference),
        "recorded": optional(members_object, first_difference.recorded_pot),
        "before": optional(members_object, line.pot_before),
    }


def _deal(deal_report: DealReport) -> Json:
    line = deal_report.line
    return {
        "deal": line.deal,
        "number": line.number,
        "dealer": None if line.seating is None else line.seating.dealer,
        "contract": line.contract,
        "declarer": line.declarer,
        "outcome": line.outcome,
        "here": deal_report.audit is not None,
        "ok": deal_report.audit is None or deal_report.audit.ok,
        "due": optional(dict, deal_report.due_chips),
        "settlements": [_settlement(paid) for paid in deal_report.settlements],
        "apart": dict(deal_report.difference),
        "running": dict(deal_report.running_difference),
    }


def _settlement(settlement: Settlement) -> Json:
    return {
        "seq": settlement.seq,
        "paid": dict(settlement.payments),
        "apart": optional(dict, settlement.difference),
        "engine": settlement.engine_version,
    }


def _rescoring_object(other_rules: OtherRules, rescoring: EveningRescoring) -> Json:
    return {
        "ruleset": other_rules.ruleset,
        "revision": other_rules.revision,
        "switches": dict(other_rules.switches),
        "deals": [
            {
                "deal": one.before.deal,
                "number": one.before.number,
                "before": _deal_payments(one.before),
                "after": _deal_payments(one.after),
                "difference": optional(dict, one.difference),
            }
            for one in rescoring.deals
        ],
        "before": dict(rescoring.before.totals),
        "after": dict(rescoring.after.totals),
        "difference": dict(rescoring.difference),
    }


def _deal_payments(line: LedgerLine) -> Json | None:
    """What a deal brings each, the stake in it; None where the rules leave it open."""
    return add_by_name((*line.stake, *line.chips)) if line.is_decided else None

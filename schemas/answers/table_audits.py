"""The report on a table as a JSON object."""

from __future__ import annotations

from typing import Any

from engine.tables.faults import Fault
from engine.tables.ledger import Line, Pot, TableFinding
from engine.tables.recount import Settlement
from engine.tables.report import Parting, Reported, TableReport
from engine.tables.rescoring import Other, Rescoring
from schemas.answers.audits import correction_object, mistake_objects
from schemas.answers.states import Told, finding_object

Json = dict[str, Any]


def table_audit_object(
    made: TableReport, told: Told = str, other: Other | None = None, rescoring: Rescoring | None = None
) -> Json:
    """The report on a table: its faults, each with what follows from it, and every settlement counted again.

    ``rescoring``: the same evening under the ``other`` rules, where they were asked for.
    """
    opened = made.table.opened
    return {
        "title": opened.title,
        "ruleset": opened.ruleset,
        "ok": made.ok,
        "faults": [_fault(one, told) for one in made.faults],
        "first": None if made.first is None else _parting(made.first),
        "deals": [_deal(one) for one in made.deals],
        "totals": dict(made.ledger.totals),
        "due": dict(made.right.totals),
        "apart": dict(made.apart),
        "rescored": None if other is None or rescoring is None else _rescored(other, rescoring),
    }


def _fault(fault: Fault, told: Told) -> Json:
    return {
        "deal": fault.deal,
        "number": fault.number,
        **finding_object(fault.finding, told),
        "follows": [_finding(one, told) for one in fault.follows],
        "instead": mistake_objects(fault.instead, told),
        "corrections": [correction_object(one, told) for one in fault.corrections],
    }


def _finding(one: TableFinding, told: Told) -> Json:
    return {"deal": one.deal, **finding_object(one.finding, told)}


def _parting(first: Parting) -> Json:
    before = first.line.before
    return {
        "deal": first.line.deal,
        "number": first.line.number,
        "seq": first.fault.finding.seq,
        "apart": dict(first.apart),
        "recorded": None if first.recorded is None else _pot(first.recorded),
        "before": None if before is None else _pot(before),
    }


def _deal(one: Reported) -> Json:
    line = one.line
    return {
        "deal": line.deal,
        "number": line.number,
        "dealer": None if line.seating is None else line.seating.dealer,
        "contract": line.contract,
        "declarer": line.declarer,
        "outcome": line.outcome,
        "here": one.judged is not None,
        "ok": one.judged is None or one.judged.ok,
        "due": None if one.due is None else dict(one.due),
        "settlements": [_settlement(paid) for paid in one.settlements],
        "apart": dict(one.apart),
        "running": dict(one.running),
    }


def _settlement(one: Settlement) -> Json:
    return {
        "seq": one.seq,
        "paid": dict(one.paid),
        "apart": None if one.apart is None else dict(one.apart),
        "engine": one.engine,
    }


def _rescored(other: Other, rescoring: Rescoring) -> Json:
    return {
        "ruleset": other.ruleset,
        "revision": other.revision,
        "switches": dict(other.switches),
        "deals": [
            {
                "deal": one.before.deal,
                "number": one.before.number,
                "before": _pays(one.before),
                "after": _pays(one.after),
                "difference": None if one.difference is None else dict(one.difference),
            }
            for one in rescoring.deals
        ],
        "before": dict(rescoring.before.totals),
        "after": dict(rescoring.after.totals),
        "difference": dict(rescoring.difference),
    }


def _pays(line: Line) -> Json | None:
    """What a deal brings each, the stake in it; None where the rules leave it open."""
    if not line.decided:
        return None
    chips: dict[str, int] = {}
    for player, count in (*line.stake, *line.chips):
        chips[player] = chips.get(player, 0) + count
    return chips


def _pot(pot: Pot) -> Json:
    return {"pool": pot.pool, "reserved": list(pot.reserved)}

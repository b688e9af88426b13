"""What a deal pays, and what was paid at the table, as the template takes it."""

from typing import Any

from engine import Score, State
from engine.audit_report import SettlementCheck
from engine.scoring.payments import Payments
from service.presentation.reports.clauses import ClauseCitations
from service.presentation.text import names, score_lines
from service.presentation.text.style import TextStyle


def build_article_settlement(
    score: Score,
    state: State,
    recorded_settlements: tuple[SettlementCheck, ...],
    style: TextStyle,
    clauses: ClauseCitations,
) -> dict[str, Any]:
    """What a deal pays and what was paid; adds the sections that give the reasons to ``clauses``."""
    rows = _build_balance_rows(score, state, recorded_settlements, style)
    return {
        "tricks": score_lines.trick_counts_phrase(state, score, style),
        "is_decided": score.payments is not None,
        "transfers": score_lines.payment_cells(state, score, style),
        "no_transfers_note": score_lines.nobody_pays_phrase(score, style),
        "reasons": [
            (score_lines.reason_cells(item, style), clauses.cite_section(item.rule)) for item in score.items
        ],
        "rows": rows,
        "has_differences": any(row["difference"] for row in rows),
        "pool": [] if score.payments is None else score_lines.pool_sentences(score, style),
        "prospects": score_lines.open_outcome_cells(score, style),
        "players": [names.chip_owner(state, name, style) for name in score_lines.open_outcome_owners(score)],
    }


def _build_balance_rows(
    score: Score, state: State, settled: tuple[SettlementCheck, ...], style: TextStyle
) -> list[dict[str, Any]]:
    """A row for everybody who is due something, or who paid or was paid.

    It holds what is due (empty while that is open), what was paid each time, and what is too much (empty
    where it is right).
    """

    def by_owner(payments: Payments | None) -> dict[str, int]:
        return {names.chip_owner(state, name, style): chips for name, chips in payments or ()}

    due, paid = by_owner(score.payments), [by_owner(one.payments) for one in settled]
    differences = by_owner(settled[-1].differences) if settled else {}
    return [
        {
            "name": name,
            "expected": "" if score.payments is None else style.chips(due.get(name, 0)),
            "paid": [style.chips(one.get(name, 0)) for one in paid],
            "difference": style.chips(differences[name]) if name in differences else "",
        }
        for name in dict.fromkeys((*due, *(name for one in paid for name in one)))
    ]

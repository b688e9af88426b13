"""What a deal pays, line by line: who pays whom and why, beside what was paid at the table."""

from typing import Any

from engine import Score, State
from engine.audit_report import SettlementCheck
from engine.core.cards import SEAT_BY_NAME, SEATS
from engine.scoring.payments import Payments
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.catalogs import gettext
from service.presentation.reports.clauses import ClauseCitations
from service.presentation.text import names
from service.presentation.text.score_lines import (
    POOL_PLAYER,
    chip_plural,
    list_player_payments,
    payment_reason,
    payment_receiver_name,
    payment_unit,
)
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES


def build_article_settlement(
    score: Score,
    state: State,
    recorded_settlements: tuple[SettlementCheck, ...],
    style: TextStyle,
    clauses: ClauseCitations,
) -> dict[str, Any]:
    """What a deal pays, beside what was paid; the sections that its reasons name are named to ``clauses``."""
    paid = list_player_payments(score) if score.payments is not None else None
    counts = ", ".join(f"{names.player_label(state, seat, style)} {score.tricks[seat]}" for seat in SEATS)
    rows = _build_balance_rows(score, state, recorded_settlements, style)
    outcome_order = list(OUTCOME_TERMS)
    return {
        "result": names.result_phrase(state, score, style),
        "tricks": gettext(LABEL_PHRASES["tricks"], style.lang).format(counts=counts)
        if any(score.tricks)
        else "",
        "is_decided": score.payments is not None,
        "transfers": [_build_transfer(one, score, state, style) for one in paid or ()],
        "no_transfers_note": gettext(LABEL_PHRASES["nobody_pays"], style.lang) if paid == [] else "",
        "reasons": [
            {
                "chips": str(abs(item.each)) if item.each else "",
                "unit": payment_unit(item, style),
                "description": payment_reason(item, style),
                "section": clauses.cite_section(item.rule),
            }
            for item in score.items
        ],
        "rows": rows,
        "has_differences": any(row["difference"] for row in rows),
        "pool": _pool_sentences(score, style),
        "prospects": [
            (
                gettext(OUTCOME_TERMS[outcome], style.lang),
                [_format_chips(chips, style) for _, chips in payments],
            )
            for outcome, payments in sorted(score.reachable, key=lambda one: outcome_order.index(one[0]))
        ],
        "players": [chip_owner_name(name, state, style) for name, _ in score.reachable[0][1]]
        if score.reachable
        else [],
    }


def chip_owner_name(name: str, state: State, style: TextStyle) -> str:
    """Who has the chips: the player in a seat, one who sits out, or the pool."""
    if name == POOL_PLAYER:
        return gettext(LABEL_PHRASES["the_pool"], style.lang)
    seat = SEAT_BY_NAME.get(name)
    return name if seat is None else names.player_label(state, seat, style)


def _build_transfer(
    one: tuple[str, str, int], score: Score, state: State, style: TextStyle
) -> tuple[str, str, str]:
    """Who pays, to whom (or into what), and what."""
    payer, receiver, chips = one
    return (
        chip_owner_name(payer, state, style),
        payment_receiver_name(state, score, receiver, style),
        f"{chips} {chip_plural(state, chips, style)}",
    )


def _build_balance_rows(
    score: Score, state: State, settled: tuple[SettlementCheck, ...], style: TextStyle
) -> list[dict[str, Any]]:
    """A row for everybody to whom something is due, or who paid or was paid.

    It says what is due (empty where that is open), what was paid each time, and what is too much (empty
    where it is right).
    """
    expected_chips = _group_by_owner(score.payments or (), state, style)
    payments_by_settlement = [_group_by_owner(one.payments, state, style) for one in settled]
    differences = _group_by_owner(settled[-1].differences or (), state, style) if settled else {}
    owner_names = dict.fromkeys((*expected_chips, *(name for one in payments_by_settlement for name in one)))
    return [
        {
            "name": name,
            "expected": _format_chips(expected_chips.get(name, 0), style)
            if score.payments is not None
            else "",
            "paid": [_format_chips(one.get(name, 0), style) for one in payments_by_settlement],
            "difference": style.chips(differences[name]) if name in differences else "",
        }
        for name in owner_names
    ]


def _group_by_owner(payments: Payments, state: State, style: TextStyle) -> dict[str, int]:
    return {chip_owner_name(name, state, style): chips for name, chips in payments}


def _format_chips(chips: int | None, style: TextStyle) -> str:
    return "?" if chips is None else style.chips(chips)


def _pool_sentences(score: Score, style: TextStyle) -> list[str]:
    if score.payments is None or score.pool is None:
        return []
    lines = [
        gettext(LABEL_PHRASES["pool_was"], style.lang).format(
            before=score.pool.before, after=score.pool.after
        )
    ]
    if score.pool.reserved:
        puestas = ", ".join(map(str, score.pool.reserved))
        lines.append(gettext(LABEL_PHRASES["reserved"], style.lang).format(puestas=puestas))
    return lines

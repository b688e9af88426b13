"""What a deal pays, line by line: who pays whom and why, beside what was paid at the table."""

from typing import NamedTuple

from engine import Score, State
from engine.core.cards import SEAT_OF, SEATS
from engine.report import Settled
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.reports.clauses import Clauses, Section
from service.presentation.text import names
from service.presentation.text.accounts import POOL, chips_word, paid_to, reason, transfers, unit
from service.presentation.text.style import Style
from service.presentation.text.words import LABELS


class Transfer(NamedTuple):
    """Somebody pays somebody, or into the pool."""

    payer: str
    receiver: str
    chips: str


class Reason(NamedTuple):
    """A reason for chips: how many, from or to whom, why, and by which section of the rules."""

    chips: str
    unit: str
    why: str
    section: Section


class Row(NamedTuple):
    """A player: what is due to him (empty where that is open), what was paid each time, and what is too much.

    ``parted`` is empty where it is right.
    """

    name: str
    due: str
    paid: tuple[str, ...]
    parted: str


class Prospect(NamedTuple):
    """An outcome that is still open, and what it would bring each player."""

    outcome: str
    chips: tuple[str, ...]


class Settlement(NamedTuple):
    """All of it; ``decided`` tells whether it is known what is due."""

    result: str
    tricks: str
    decided: bool
    transfers: tuple[Transfer, ...]
    nobody: str
    reasons: tuple[Reason, ...]
    rows: tuple[Row, ...]
    parts: bool
    pool: tuple[str, ...]
    prospects: tuple[Prospect, ...]
    players: tuple[str, ...]


def settlement_of(
    score: Score, state: State, settled: tuple[Settled, ...], style: Style, clauses: Clauses
) -> Settlement:
    """What a deal pays, beside what was paid; the sections that its reasons name are named to ``clauses``."""
    paid = transfers(score) if score.payments is not None else None
    counts = ", ".join(f"{names.player(state, seat, style)} {score.tricks[seat]}" for seat in SEATS)
    rows = tuple(_rows(score, state, settled, style))
    return Settlement(
        names.result(state, score, style),
        LABELS["tricks"][style.lang].format(counts=counts) if any(score.tricks) else "",
        score.payments is not None,
        tuple(_transfer(one, score, state, style) for one in paid or ()),
        LABELS["nobody_pays"][style.lang] if paid == [] else "",
        tuple(
            Reason(
                str(abs(item.each)) if item.each else "",
                unit(item, style),
                reason(state, item, style),
                clauses.section(item.rule),
            )
            for item in score.items
        ),
        rows,
        any(row.parted for row in rows),
        tuple(_pool(score, style)),
        tuple(
            Prospect(OUTCOMES[outcome][style.lang], tuple(_chips(chips, style) for _, chips in payments))
            for outcome, payments in sorted(score.reachable, key=lambda one: list(OUTCOMES).index(one[0]))
        ),
        tuple(owner(name, state, style) for name, _ in score.reachable[0][1]) if score.reachable else (),
    )


def owner(name: str, state: State, style: Style) -> str:
    """Who has the chips: the player in a seat, one who sits out, or the pool."""
    if name == POOL:
        return LABELS["the_pool"][style.lang]
    seat = SEAT_OF.get(name)
    return name if seat is None else names.player(state, seat, style)


def _transfer(one: tuple[str, str, int], score: Score, state: State, style: Style) -> Transfer:
    payer, receiver, chips = one
    return Transfer(
        owner(payer, state, style),
        paid_to(state, score, receiver, style),
        f"{chips} {chips_word(state, chips, style)}",
    )


def _rows(score: Score, state: State, settled: tuple[Settled, ...], style: Style) -> list[Row]:
    """A row for everybody to whom something is due, or who paid or was paid."""
    due = dict(score.payments or ())
    given = [_by_owner(one.paid, state, style) for one in settled]
    called = {owner(name, state, style): chips for name, chips in due.items()}
    parted = _by_owner(settled[-1].parted or (), state, style) if settled else {}
    everybody = dict.fromkeys((*called, *(name for one in given for name in one)))
    return [
        Row(
            name,
            _chips(called.get(name, 0), style) if score.payments is not None else "",
            tuple(_chips(one.get(name, 0), style) for one in given),
            style.chips(parted[name]) if name in parted else "",
        )
        for name in everybody
    ]


def _by_owner(payments: tuple[tuple[str, int], ...], state: State, style: Style) -> dict[str, int]:
    return {owner(name, state, style): chips for name, chips in payments}


def _chips(chips: int | None, style: Style) -> str:
    return "?" if chips is None else style.chips(chips)


def _pool(score: Score, style: Style) -> list[str]:
    if score.payments is None or score.pool is None:
        return []
    lines = [LABELS["pool_was"][style.lang].format(before=score.pool.before, after=score.pool.after)]
    if score.pool.reserved:
        puestas = ", ".join(map(str, score.pool.reserved))
        lines.append(LABELS["reserved"][style.lang].format(puestas=puestas))
    return lines

"""The score for people: who pays whom, and the reason for every chip, in columns that line up."""

from typing import Final

from engine import Score, State
from engine.core.cards import SEAT_BY_NAME, SEATS
from engine.scoring.payments import PaymentItem
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import rule_section_name, translate_phrase
from service.presentation.text import names
from service.presentation.text.layout import COLUMN_GAP, align_columns, clip_text, display_width, wrap_text
from service.presentation.text.style import TextStyle
from service.presentation.text.words import (
    CHIP_PLURALS,
    LABEL_PHRASES,
)

INDENT: Final = "  "

MAX_OUTCOME_WIDTH: Final = 24
"""So much of a line is left for an outcome in words."""

POOL_PLAYER: Final = ""
"""The pool among those who pay; no player is called so."""

PlayerPayment = tuple[str, str, int]
"""Who pays whom how much."""


def score_lines(state: State, score: Score, style: TextStyle, with_tricks: bool = False) -> list[str]:
    """The result, who pays whom and why; while it is open, what each outcome would pay.

    With ``with_tricks`` it also says how these fell, for where nothing else does.
    """
    lines = wrap_text(names.result_phrase(state, score, style), style.width, INDENT)
    if with_tricks and any(score.tricks):
        lines += wrap_text(_trick_counts_phrase(state, score, style), style.width, INDENT)
    if score.payments is None:
        payment_lines = _open_outcome_lines(state, score, style)
    else:
        payment_lines = [
            *_payment_lines(state, score, style),
            *_balance_lines(state, score, style),
            *_reason_lines(state, score, style),
        ]
    return lines + [INDENT + line if line else line for line in payment_lines]


def _trick_counts_phrase(state: State, score: Score, style: TextStyle) -> str:
    counts = (f"{names.player_label(state, seat, style)} {score.tricks[seat]}" for seat in SEATS)
    return style.phrase(LABEL_PHRASES["tricks"], counts=", ".join(counts))


def list_player_payments(score: Score) -> list[PlayerPayment] | None:
    """Who pays whom; None where several pay and several receive, so that nobody can say.

    What the players' payments leave over comes from the pool or goes into it.
    """
    owed = list(score.payments or ())
    owed.append((POOL_PLAYER, -sum(chips for _, chips in owed)))
    payers = [(name, -chips) for name, chips in owed if chips < 0]
    receivers = [(name, chips) for name, chips in owed if chips > 0]
    if len(receivers) == 1:
        return [(payer, receivers[0][0], chips) for payer, chips in payers]
    if len(payers) == 1:
        return [(payers[0][0], receiver, chips) for receiver, chips in receivers]
    return None if payers else []


def _payment_lines(state: State, score: Score, style: TextStyle) -> list[str]:
    paid = list_player_payments(score)
    if paid == []:
        return [style.phrase(LABEL_PHRASES["nobody_pays"])]
    rows = [
        (
            chip_owner(state, payer, style),
            payment_receiver_name(state, score, receiver, style),
            str(chips),
            chip_plural(state, chips, style),
        )
        for payer, receiver, chips in paid or ()
    ]
    return align_columns(rows, right_aligned=(2,)) if rows else []


def payment_receiver_name(state: State, score: Score, receiver: str, style: TextStyle) -> str:
    """To whom something is paid; a puesta may be set aside in place of going into the pool."""
    if receiver == POOL_PLAYER and score.pool is not None and score.pool.before == score.pool.after:
        return style.phrase("sets aside")
    return style.phrase(LABEL_PHRASES["pays"], name=chip_owner(state, receiver, style))


def chip_plural(state: State, count: int, style: TextStyle) -> str:
    """What so many of the ruleset's chips are called."""
    chip = state.opening.rules.ruleset.chip
    one = gettext(chip, style.lang)
    if count == 1 or one != gettext(str(chip), style.lang):  # a club's own word stays as it is
        return one
    return gettext(CHIP_PLURALS.get(chip, chip), style.lang)


def _balance_lines(state: State, score: Score, style: TextStyle) -> list[str]:
    """What everybody has more or less after the deal, and what the pool holds."""
    if score.payments is None or not any(chips for _, chips in score.payments):
        return []
    rows = [(chip_owner(state, name, style), style.chips(chips)) for name, chips in score.payments]
    lines = ["", *align_columns(rows, right_aligned=(1,))]
    if score.pool is not None:
        counts = style.phrase(LABEL_PHRASES["pool_was"], before=score.pool.before, after=score.pool.after)
        lines.append(counts)
        if score.pool.reserved:
            puestas = ", ".join(map(str, score.pool.reserved))
            lines.append(style.phrase(LABEL_PHRASES["reserved"], puestas=puestas))
    return lines


def _reason_lines(state: State, score: Score, style: TextStyle) -> list[str]:
    rows = [
        (
            str(abs(item.each)) if item.each else "",
            payment_unit(item, style),
            payment_reason(item, style),
        )
        for item in score.items
    ]
    if not rows:
        return []
    rules = [_rule_reference(item, style) for item in score.items]
    lines = align_columns([(*row, rule) for row, rule in zip(rows, rules, strict=True)], right_aligned=(0,))
    if any(display_width(INDENT + line) > style.width for line in lines):
        # There is no room for the rule at the side, so it stands below.
        lines = [
            line
            for row, rule in zip(align_columns(rows, right_aligned=(0,)), rules, strict=True)
            for line in (*_wrap_if_long(row, style), INDENT + rule)
        ]
    return ["", *lines]


def _wrap_if_long(line: str, style: TextStyle) -> list[str]:
    """A row of a table, wrapped only where it is too wide for a line."""
    room = style.width - len(INDENT)
    return [line] if display_width(line) <= room else wrap_text(line, room, "", INDENT)


def payment_unit(item: PaymentItem, style: TextStyle) -> str:
    """Whether an item is paid by each opponent, to each, or once in all."""
    if not item.each:
        return ""
    return style.phrase("in all" if item.pool else "from each" if item.each > 0 else "to each")


def payment_reason(item: PaymentItem, style: TextStyle) -> str:
    """An item's label in the language."""
    return translate_phrase(item.label, style.lang)


def _rule_reference(item: PaymentItem, style: TextStyle) -> str:
    rule = rule_section_name(item.rule, style.lang)
    return style.dim(rule)


def _open_outcome_lines(state: State, score: Score, style: TextStyle) -> list[str]:
    """What each outcome that is still open would pay."""
    if not score.reachable:
        return []
    owners = [name for name, _ in score.reachable[0][1]]
    room = (style.width - MAX_OUTCOME_WIDTH) // len(owners) - len(COLUMN_GAP)
    head = ("", *(clip_text(chip_owner(state, name, style), max(room, 1)) for name in owners))
    rows = [
        (
            gettext(OUTCOME_TERMS[outcome], style.lang),
            *(_format_prospect(dict(payments).get(name, 0), style) for name in owners),
        )
        for outcome, payments in sorted(score.reachable, key=lambda one: list(OUTCOME_TERMS).index(one[0]))
    ]
    return [
        "",
        style.phrase("Still possible"),
        *align_columns([head, *rows], right_aligned=range(1, len(head))),
    ]


def _format_prospect(chips: int | None, style: TextStyle) -> str:
    """What an outcome would pay; "?" where that depends on how it comes about."""
    return "?" if chips is None else style.chips(chips)


def chip_owner(state: State, name: str, style: TextStyle) -> str:
    """Who has the chips: the player in a seat, one who sits out, or the pool."""
    if name == POOL_PLAYER:
        return style.phrase(LABEL_PHRASES["the_pool"])
    seat = SEAT_BY_NAME.get(name)
    return clip_text(name, style.width // 4) if seat is None else names.short_player_label(state, seat, style)

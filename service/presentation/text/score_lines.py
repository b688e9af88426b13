"""The score: who pays whom, the reason for every chip, and what other rules would pay, in columns."""

from collections.abc import Iterator
from typing import Final

from engine import Audit, Score, State
from engine.core.cards import SEATS
from engine.scoring.payments import PaymentItem, Payments
from engine.scoring.score import score as compute_score
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.translate import chip_name, rule_section_name, translate_phrase
from service.presentation.text import names
from service.presentation.text.layout import (
    COLUMN_GAP,
    INDENT,
    align_columns,
    clip_text,
    display_width,
    wrap_text,
)
from service.presentation.text.names import POOL_PLAYER, chip_owner
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES

MAX_OUTCOME_WIDTH: Final = 24
"""The columns of a line that are left for an outcome in words."""


def score_lines(state: State, score: Score, style: TextStyle, with_tricks: bool = False) -> list[str]:
    """The result, who pays whom and why; while it is open, what each outcome would pay.

    ``with_tricks`` adds the number of tricks of each player.
    """
    lines = wrap_text(names.result_phrase(state, score, style), style.width, INDENT)
    if with_tricks and (counts := trick_counts_phrase(state, score, style)):
        lines += wrap_text(counts, style.width, INDENT)
    if score.payments is None:
        payment_lines = _open_outcome_lines(state, score, style)
    else:
        payment_lines = [
            *_payment_lines(state, score, style),
            *_balance_lines(state, score, style),
            *_reason_lines(score, style),
        ]
    return lines + [INDENT + line if line else line for line in payment_lines]


def trick_counts_phrase(state: State, score: Score, style: TextStyle) -> str:
    """The number of tricks of each player; empty where nobody took one."""
    if not any(score.tricks):
        return ""
    counts = (f"{names.player_label(state, seat, style)} {score.tricks[seat]}" for seat in SEATS)
    return style.phrase("tricks: {counts}", counts=", ".join(counts))


def list_player_payments(score: Score) -> list[tuple[str, str, int]] | None:
    """Who pays whom how much; None where several pay and several receive, so that it is not determined.

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


def payment_cells(state: State, score: Score, style: TextStyle) -> list[tuple[str, str, str, str]]:
    """Each payment in words: payer, receiver, number of chips, and what these are called."""
    return [
        (
            _short_owner(state, payer, style),
            _receiver_phrase(state, score, receiver, style),
            str(chips),
            chip_name(state.opening.rules.ruleset.chip, chips, style.lang),
        )
        for payer, receiver, chips in list_player_payments(score) or ()
    ]


def _receiver_phrase(state: State, score: Score, receiver: str, style: TextStyle) -> str:
    """Who is paid; a puesta may be set aside in place of going into the pool."""
    if receiver == POOL_PLAYER and score.pool is not None and score.pool.before == score.pool.after:
        return style.phrase("sets aside")
    return style.phrase(LABEL_PHRASES["pays"], name=_short_owner(state, receiver, style))


def nobody_pays_phrase(score: Score, style: TextStyle) -> str:
    """That nobody pays anything; empty where somebody does."""
    is_settled = score.payments is not None and list_player_payments(score) == []
    return style.phrase("Nobody pays anything.") if is_settled else ""


def _payment_lines(state: State, score: Score, style: TextStyle) -> list[str]:
    if nobody_pays := nobody_pays_phrase(score, style):
        return [nobody_pays]
    rows = payment_cells(state, score, style)
    return align_columns(rows, right_aligned=(2,)) if rows else []


def _balance_lines(state: State, score: Score, style: TextStyle) -> list[str]:
    """What everybody has more or less after the deal, and what the pool holds."""
    if score.payments is None or not any(chips for _, chips in score.payments):
        return []
    rows = [(_short_owner(state, name, style), style.chips(chips)) for name, chips in score.payments]
    return ["", *align_columns(rows, right_aligned=(1,)), *pool_sentences(score, style)]


def pool_sentences(score: Score, style: TextStyle) -> list[str]:
    """What the pool held and holds, and the puestas set aside; none where it is not played for one."""
    if score.pool is None:
        return []
    lines = [
        style.phrase(
            "The pool held {before} and now holds {after}.", before=score.pool.before, after=score.pool.after
        )
    ]
    if score.pool.reserved:
        lines.append(style.phrase("Set aside: {puestas}.", puestas=", ".join(map(str, score.pool.reserved))))
    return lines


def reason_cells(item: PaymentItem, style: TextStyle) -> tuple[str, str, str]:
    """An item of the score: chips (empty for none), from or to whom, and the reason."""
    unit = "in all" if item.pool else "from each" if item.each > 0 else "to each"
    reason = translate_phrase(item.label, style.lang)
    return (str(abs(item.each)), style.phrase(unit), reason) if item.each else ("", "", reason)


def _reason_lines(score: Score, style: TextStyle) -> list[str]:
    rows = [reason_cells(item, style) for item in score.items]
    if not rows:
        return []
    rules = [style.dim(rule_section_name(item.rule, style.lang)) for item in score.items]
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
    room = style.width - len(INDENT)
    return [line] if display_width(line) <= room else wrap_text(line, room, "", INDENT)


def open_outcome_cells(score: Score, style: TextStyle) -> list[tuple[str, list[str]]]:
    """Each outcome that is still possible, with the chips of each owner; "?" where they are not known."""
    owners, outcomes = open_outcome_owners(score), {name: dict(chips) for name, chips in score.reachable}
    return [
        (
            style.phrase(words),
            ["?" if chips is None else style.chips(chips) for chips in map(outcomes[outcome].get, owners)],
        )
        for outcome, words in OUTCOME_TERMS.items()
        if outcome in outcomes
    ]


def open_outcome_owners(score: Score) -> list[str]:
    """Whose chips depend on how the deal ends, in the order of `open_outcome_cells`."""
    return [name for name, _ in score.reachable[0][1]] if score.reachable else []


def _open_outcome_lines(state: State, score: Score, style: TextStyle) -> list[str]:
    if not score.reachable:
        return []
    owners = open_outcome_owners(score)
    room = (style.width - MAX_OUTCOME_WIDTH) // len(owners) - len(COLUMN_GAP)
    head = ("", *(clip_text(_short_owner(state, name, style), max(room, 1)) for name in owners))
    rows = [(outcome, *chips) for outcome, chips in open_outcome_cells(score, style)]
    return [
        "",
        style.phrase("Still possible"),
        *align_columns([head, *rows], right_aligned=range(1, len(head))),
    ]


def _short_owner(state: State, name: str, style: TextStyle) -> str:
    return clip_text(chip_owner(state, name, style), style.width // 4)


# --- By other rules -------------------------------------------------------------------------------


def rescored_deal_lines(audited: Audit, state: State, style: TextStyle) -> Iterator[str]:
    """What the deal pays by the rules of ``state``, compared with its own rules, as in ``audited``.

    If the rules of ``state`` have no such game, only that: nothing can be paid then.
    """
    own, other = audited.score, compute_score(state)
    contract = own.contract
    if contract is not None and not other.decided and contract not in state.opening.rules.contracts:
        game = names.game_words(audited.state, style).contract(contract)
        text = style.phrase(
            "{rules} does not have the game {game}, so it cannot say what it pays.",
            rules=names.ruleset_name(state, style),
            game=game,
        )
        yield from wrap_text(text, style.width, INDENT)
        return
    yield from score_lines(state, other, style)
    if own.payments is None or other.payments is None:
        return
    yield ""
    if dict(own.payments) == dict(other.payments):
        yield INDENT + style.phrase("It pays the same by its own rules.")
    else:
        yield from (INDENT + line for line in _comparison_rows(own.payments, state, other.payments, style))


def _comparison_rows(own: Payments, state: State, other: Payments, style: TextStyle) -> list[str]:
    """Each player's chips by its own rules and by the others, and the difference."""
    before, after = dict(own), dict(other)
    rows = [
        (_short_owner(state, name, style), *(style.chips(chips) for chips in counted))
        for name in dict.fromkeys((*before, *after))
        for own_chips, other_chips in [(before.get(name, 0), after.get(name, 0))]
        for counted in [(own_chips, other_chips, other_chips - own_chips)]
    ]
    return align_columns([comparison_head(style), *rows], right_aligned=(1, 2, 3))


def comparison_head(style: TextStyle) -> tuple[str, ...]:
    """The column heads of a comparison."""
    return "", style.phrase("by its rules"), style.phrase("by those"), style.phrase("difference")

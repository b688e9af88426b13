"""The score for people: who pays whom, and the reason for every chip, in columns that line up."""

from typing import Final

from engine import Score, State
from engine.core.cards import SEAT_OF, SEATS
from engine.scoring.payments import Item
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.i18n.translate import rule_called
from service.presentation.text import names
from service.presentation.text.layout import GAP, cells, clipped, columns, wrapped
from service.presentation.text.style import Style
from service.presentation.text.words import CHIPS, ENDS, HEADINGS, LABELS, REASONS

INDENT: Final = "  "

WIDEST_OUTCOME: Final = 24
"""So much of a line is left for an outcome in words."""

POOL: Final = ""
"""The pool among those who pay; no player is called so."""

Payment = tuple[str, str, int]
"""Who pays whom how much."""


def score_lines(state: State, score: Score, style: Style, tricks: bool = False) -> list[str]:
    """The result, who pays whom and why; while it is open, what each outcome would pay.

    With ``tricks`` it also says how these fell, for where nothing else does.
    """
    lines = wrapped(names.result(state, score, style), style.width, INDENT)
    if tricks and any(score.tricks):
        lines += wrapped(_tricks(state, score, style), style.width, INDENT)
    if score.payments is None:
        told = _possible(state, score, style)
    else:
        told = [*_paid(state, score, style), *_balance(state, score, style), *_why(state, score, style)]
    return lines + [INDENT + line if line else line for line in told]


def _tricks(state: State, score: Score, style: Style) -> str:
    counts = (f"{names.player(state, seat, style)} {score.tricks[seat]}" for seat in SEATS)
    return LABELS["tricks"][style.lang].format(counts=", ".join(counts))


def transfers(score: Score) -> list[Payment] | None:
    """Who pays whom; None where several pay and several receive, so that nobody can say.

    What the players' payments leave over comes from the pool or goes into it.
    """
    owed = list(score.payments or ())
    owed.append((POOL, -sum(chips for _, chips in owed)))
    payers = [(name, -chips) for name, chips in owed if chips < 0]
    receivers = [(name, chips) for name, chips in owed if chips > 0]
    if len(receivers) == 1:
        return [(payer, receivers[0][0], chips) for payer, chips in payers]
    if len(payers) == 1:
        return [(payers[0][0], receiver, chips) for receiver, chips in receivers]
    return None if payers else []


def _paid(state: State, score: Score, style: Style) -> list[str]:
    paid = transfers(score)
    if paid == []:
        return [LABELS["nobody_pays"][style.lang]]
    rows = [
        (
            owner(state, payer, style),
            paid_to(state, score, receiver, style),
            str(chips),
            chips_word(state, chips, style),
        )
        for payer, receiver, chips in paid or ()
    ]
    return columns(rows, right=(2,)) if rows else []


def paid_to(state: State, score: Score, receiver: str, style: Style) -> str:
    """To whom something is paid; a puesta may be set aside in place of going into the pool."""
    if receiver == POOL and score.pool is not None and score.pool.before == score.pool.after:
        return LABELS["sets_aside"][style.lang]
    return LABELS["pays"][style.lang].format(name=owner(state, receiver, style))


def chips_word(state: State, count: int, style: Style) -> str:
    """What so many of the ruleset's chips are called."""
    one = state.opening.rules.ruleset.chip[style.lang]
    return one if count == 1 else CHIPS.get(one, one)


def _balance(state: State, score: Score, style: Style) -> list[str]:
    """What everybody has more or less after the deal, and what the pool holds."""
    if score.payments is None or not any(chips for _, chips in score.payments):
        return []
    rows = [(owner(state, name, style), style.chips(chips)) for name, chips in score.payments]
    lines = ["", *columns(rows, right=(1,))]
    if score.pool is not None:
        counts = LABELS["pool_was"][style.lang].format(before=score.pool.before, after=score.pool.after)
        lines.append(counts)
        if score.pool.reserved:
            puestas = ", ".join(map(str, score.pool.reserved))
            lines.append(LABELS["reserved"][style.lang].format(puestas=puestas))
    return lines


def _why(state: State, score: Score, style: Style) -> list[str]:
    rows = [
        (
            str(abs(item.each)) if item.each else "",
            unit(item, style),
            reason(state, item, style),
        )
        for item in score.items
    ]
    if not rows:
        return []
    rules = [_rule(item, style) for item in score.items]
    lines = columns([(*row, rule) for row, rule in zip(rows, rules, strict=True)], right=(0,))
    if any(cells(INDENT + line) > style.width for line in lines):
        # There is no room for the rule at the side, so it stands below.
        lines = [
            line
            for told, rule in zip(columns(rows, right=(0,)), rules, strict=True)
            for line in (*_fitting(told, style), INDENT + rule)
        ]
    return ["", *lines]


def _fitting(line: str, style: Style) -> list[str]:
    """A row of a table, wrapped only where it is too wide for a line."""
    room = style.width - len(INDENT)
    return [line] if cells(line) <= room else wrapped(line, room, "", INDENT)


def unit(item: Item, style: Style) -> str:
    """Whether an item is paid by each opponent, to each, or once in all."""
    if not item.each:
        return ""
    key = "in_all" if item.pool else "from_each" if item.each > 0 else "to_each"
    return LABELS[key][style.lang]


def reason(state: State, item: Item, style: Style) -> str:
    """An item's label in the language; in English it is the engine's own."""
    if style.lang == "en":
        return item.label
    for pattern, danish in REASONS:
        found = pattern.fullmatch(item.label)
        if found is not None:
            parts = {name: ENDS.get(text, text) for name, text in found.groupdict().items()}
            if "game" in parts:
                parts["game"] = _game(state, parts["game"], style)
            return danish.format(**parts)
    return item.label


def _game(state: State, english: str, style: Style) -> str:
    contracts = state.opening.rules.ruleset.contracts
    return next((one.words[style.lang] for one in contracts if one.words.en == english), english)


def _rule(item: Item, style: Style) -> str:
    rule = rule_called(item.rule, style.lang)
    return style.dim(rule)


def _possible(state: State, score: Score, style: Style) -> list[str]:
    """What each outcome that is still open would pay."""
    if not score.reachable:
        return []
    owners = [name for name, _ in score.reachable[0][1]]
    room = (style.width - WIDEST_OUTCOME) // len(owners) - len(GAP)
    head = ("", *(clipped(owner(state, name, style), max(room, 1)) for name in owners))
    rows = [
        (OUTCOMES[outcome][style.lang], *(_prospect(dict(payments).get(name, 0), style) for name in owners))
        for outcome, payments in sorted(score.reachable, key=lambda one: list(OUTCOMES).index(one[0]))
    ]
    return ["", HEADINGS["possible"][style.lang], *columns([head, *rows], right=range(1, len(head)))]


def _prospect(chips: int | None, style: Style) -> str:
    """What an outcome would pay; "?" where that depends on how it comes about."""
    return "?" if chips is None else style.chips(chips)


def owner(state: State, name: str, style: Style) -> str:
    """Who has the chips: the player in a seat, one who sits out, or the pool."""
    if name == POOL:
        return LABELS["the_pool"][style.lang]
    seat = SEAT_OF.get(name)
    return clipped(name, style.width // 4) if seat is None else names.short(state, seat, style)

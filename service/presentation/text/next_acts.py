"""Whose turn it is at a point of a deal, and what he may do there, in words."""

from engine import Legal, State, legal
from engine.core.cards import CARD_OF, mask_of
from service.presentation.text import names
from service.presentation.text.fan import suits_of
from service.presentation.text.layout import wrapped
from service.presentation.text.phrases import PHRASES
from service.presentation.text.sentences import upper
from service.presentation.text.sheet import INDENT, Line, Section
from service.presentation.text.style import Style
from service.presentation.text.words import HEADINGS, NEXT


def next_section(state: State, style: Style) -> Section:
    """Whose turn it is and what he may do, where the deal is not over."""
    due = legal(state)
    if due is None:
        return Section("", [])
    text = "\n".join(wrapped(upper(next_act(due, state, style)), style.width, INDENT))
    return Section(HEADINGS["next"][style.lang], [Line(text)])


def next_act(due: Legal, state: State, style: Style) -> str:
    """Who may do what, in a phrase without a full stop."""
    who, what = names.player(state, due.seat, style), _open(due, state, style)
    told = NEXT[due.action][style.lang].format(name=who, what=what, least=due.least, most=due.most)
    # Of a hand that is not known, or empty by a mistake in the record, no card can be named.
    return told.removesuffix(": ")


def _open(due: Legal, state: State, style: Style) -> str:
    """What may be called, named or played: the lowest bid first, the cards as in a hand."""
    rules = state.opening.rules
    if due.action == "bid":
        ranks = {bid.id: bid.rank for bid in rules.bids.values()}
        calls = sorted(due.calls, key=lambda call: (ranks.get(call, 0), call))
        return ", ".join(names.bid(state, call, style) for call in calls)
    if due.action == "name":
        choices = dict(due.contracts)
        return ", ".join(
            _choice(name, choices[name], state, style) for name in rules.contracts if name in choices
        )
    mask = mask_of(tuple(CARD_OF[code] for code in due.cards))
    known = " ".join(style.cards(group) for group in suits_of(mask, state))
    if not due.hidden:
        return known
    hidden = PHRASES["hidden_card"][style.lang]
    return f"{known}, {hidden}" if known else hidden


def _choice(contract: str, trumps: tuple[str, ...], state: State, style: Style) -> str:
    """A contract that may be named, with the suits to choose from."""
    name = names.game(state, contract, None, style)
    return f"{name} ({' '.join(style.suit(suit) for suit in trumps)})" if len(trumps) > 1 else name

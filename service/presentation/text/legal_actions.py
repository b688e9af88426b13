"""Whose turn it is at a point of a deal, and what he may do there, in words."""

from engine import LegalActions, State, legal
from engine.core.cards import CARD_BY_CODE, mask_of_cards
from schemas.i18n.catalogs import gettext
from service.presentation.text import names
from service.presentation.text.hands import sort_into_suits
from service.presentation.text.layout import wrap_text
from service.presentation.text.sentences import capitalize_first
from service.presentation.text.style import TextStyle
from service.presentation.text.text_sections import INDENT, TextLine, TextSection
from service.presentation.text.words import NEXT_ACTION_PHRASES, SECTION_HEADINGS


def next_action_section(state: State, style: TextStyle) -> TextSection:
    """Whose turn it is and what he may do, where the deal is not over."""
    next_action = legal(state)
    if next_action is None:
        return TextSection("", [])
    text = "\n".join(
        wrap_text(capitalize_first(next_action_phrase(next_action, state, style)), style.width, INDENT)
    )
    return TextSection(style.phrase(SECTION_HEADINGS["next"]), [TextLine(text)])


def next_action_phrase(legal: LegalActions, state: State, style: TextStyle) -> str:
    """Who may do what, in a phrase without a full stop."""
    player, options = names.player_label(state, legal.seat, style), _options_phrase(legal, state, style)
    phrase = gettext(NEXT_ACTION_PHRASES[legal.action], style.lang).format(
        name=player, what=options, least=legal.min_count, most=legal.max_count
    )
    # Of a hand that is not known, or empty by a mistake in the record, no card can be named.
    return phrase.removesuffix(": ")


def _options_phrase(legal: LegalActions, state: State, style: TextStyle) -> str:
    """What may be called, named or played: the lowest bid first, the cards as in a hand."""
    rules = state.opening.rules
    if legal.action == "bid":
        ranks = {bid.id: bid.rank for bid in rules.bids.values()}
        calls = sorted(legal.calls, key=lambda call: (ranks.get(call, 0), call))
        return ", ".join(names.game_words(state, style).bid(call) for call in calls)
    if legal.action == "name":
        choices = dict(legal.contracts)
        return ", ".join(
            _contract_choice_phrase(name, choices[name], state, style)
            for name in rules.contracts
            if name in choices
        )
    mask = mask_of_cards(tuple(CARD_BY_CODE[code] for code in legal.cards))
    known = " ".join(style.cards(group) for group in sort_into_suits(mask, state))
    if not legal.hidden:
        return known
    hidden = gettext("an unseen card", style.lang)
    return f"{known}, {hidden}" if known else hidden


def _contract_choice_phrase(contract: str, trumps: tuple[str, ...], state: State, style: TextStyle) -> str:
    """A contract that may be named, with the suits to choose from."""
    name = names.game_name(state, contract, None, style)
    return f"{name} ({' '.join(style.suit(suit) for suit in trumps)})" if len(trumps) > 1 else name

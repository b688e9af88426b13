"""The names of players, calls, contracts and cards at a point of a deal."""

from collections.abc import Iterable
from typing import Final

from engine import Score, State
from engine.core.cards import (
    CARD_CODES,
    HIDDEN_CARD,
    SEAT_BY_NAME,
    SEAT_NAMES,
    SUIT_LETTERS,
    Card,
    Seat,
    Suit,
    trump_letter,
)
from engine.core.message import Message, MessageArgument, Term
from engine.play.state import known_trump
from schemas.i18n.card_words import SEAT_TERMS
from schemas.i18n.catalogs import gettext
from service.presentation.i18n.game_words import GameWords
from service.presentation.text.layout import clip_text
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES, RESULT_PHRASES, SOMEBODY

POOL_PLAYER: Final = ""
"""The name of the pool among those who pay; no player has it."""


def seat_name(seat: Seat, style: TextStyle) -> str:
    """The name of a seat."""
    return gettext(SEAT_TERMS[SEAT_NAMES[seat]], style.lang)


def player_label(state: State, seat: Seat | None, style: TextStyle) -> str:
    """The player at ``seat`` by name, else by the seat."""
    if seat is None:
        return gettext(SOMEBODY, style.lang)
    return state.ending.substitutes[seat] or state.opening.players.at(seat) or seat_name(seat, style)


def short_player_label(state: State, seat: Seat, style: TextStyle) -> str:
    """The player at ``seat``, clipped to a quarter of a line."""
    return clip_text(player_label(state, seat, style), style.width // 4)


def chip_owner(state: State, name: str, style: TextStyle) -> str:
    """Whose chips these are: the player in a seat, one who sits out, or the pool."""
    if name == POOL_PLAYER:
        return style.phrase("the pool")
    return player_label(state, SEAT_BY_NAME[name], style) if name in SEAT_BY_NAME else name


def join_names(names: Iterable[str], style: TextStyle) -> str:
    """Names as a list in words: "Anna, Bo and Carl"."""
    *others, last = names
    return f"{', '.join(others)} {style.phrase('and')} {last}" if others else last


def game_words(state: State, style: TextStyle) -> GameWords:
    """The words of the rules in force."""
    return GameWords(style.lang, state.opening.rules)


def suit_name(trump: Suit, style: TextStyle) -> str:
    """A suit in words."""
    return GameWords(style.lang).suit(SUIT_LETTERS[trump])


def game_name(state: State, contract_id: str | None, trump: Suit | None, style: TextStyle) -> str:
    """A contract with its trumps: "solo in hearts"; without them where its name says them."""
    if contract_id is None:
        return style.phrase(LABEL_PHRASES["unrecorded"])
    return game_words(state, style).game(contract_id, trump_letter(trump))


def card_name(state: State, card: Card, style: TextStyle) -> str:
    """A card in words: "the king of spades", "manille (♥7)", "an unseen card"."""
    words = game_words(state, style)
    matador = words.matador(CARD_CODES[card], [CARD_CODES[one] for one in state.play.trick_rules.ladder])
    if matador is None:
        return words.card(CARD_CODES[card])
    return style.phrase("{name} ({card})", name=matador, card=style.card(card))


def format_cards(cards: tuple[Card, ...], style: TextStyle) -> str:
    """Some cards: the known ones as symbols, and the number of the others."""
    known = [one for one in cards if one != HIDDEN_CARD]
    unseen = len(cards) - len(known)
    parts = [style.cards(tuple(known))] if known else []
    if unseen:
        parts.append(style.phrase("one unseen card" if unseen == 1 else "{count} unseen cards", count=unseen))
    return join_names(parts, style) if parts else style.phrase("no cards")


def result_phrase(state: State, score: Score, style: TextStyle) -> str:
    """How the deal ended, or that it is open, in one phrase."""
    played = game_name(state, score.contract, known_trump(state), style)
    if score.outcome is None:
        still_open = style.phrase("as the director ruled" if score.decided else LABEL_PHRASES["open"])
        return still_open if score.contract is None else f"{played}: {still_open}"
    name = player_label(state, score.declarer, style)
    return style.phrase(RESULT_PHRASES[score.outcome], game=played, name=name)


def ruleset_name(state: State, style: TextStyle) -> str:
    """The rules in force, by their name."""
    opening_event, rules = state.opening.event, state.opening.rules
    if rules.is_known or opening_event is None:
        return gettext(rules.ruleset.words, style.lang)
    return f"{gettext(rules.ruleset.words, style.lang)} {opening_event.ruleset}"


def replace_seats_with_names(message: Message, state: State) -> Message:
    """The sentence with the name of the player in place of each seat, where it is recorded."""
    return Message(
        message.template,
        {place: _replace_in_value(argument, state) for place, argument in message.arguments.items()},
    )


def _replace_in_value(argument: MessageArgument, state: State) -> MessageArgument:
    if isinstance(argument, Message):
        return replace_seats_with_names(argument, state)
    if isinstance(argument, Term) and argument.kind == "seat":
        return state.opening.players.at(SEAT_BY_NAME[argument]) or argument
    return argument

"""What players, calls, contracts and cards are called at a point of a deal."""

from collections.abc import Iterable

from engine import Score, State
from engine.core.cards import (
    CARD_CODES,
    HIDDEN_CARD,
    NO_TRUMP,
    SEAT_NAMES,
    SEATS,
    SUIT_LETTERS,
    Card,
    Seat,
    Suit,
)
from engine.core.field_types import Seq
from engine.play.state import known_trump
from engine.rulesets import CompiledRuleset
from schemas.i18n.catalogs import gettext
from service.presentation.i18n.card_words import CALL_TERMS, MATADOR_NAMES, OUTCOME_TERMS, RANK_TERMS
from service.presentation.i18n.card_words import SEAT_TERMS as SEAT_WORDS
from service.presentation.i18n.card_words import SUIT_TERMS as SUIT_WORDS
from service.presentation.text.layout import clip_text
from service.presentation.text.phrases import EVENT_PHRASES
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES, RESULT_PHRASES, SOMEBODY


def player_label(state: State, seat: Seat | None, style: TextStyle) -> str:
    """Who plays at ``seat``: by name, else by the seat."""
    if seat is None:
        return gettext(SOMEBODY, style.lang)
    substitute = state.ending.substitutes[seat]
    return substitute or state.opening.players.at(seat) or gettext(SEAT_WORDS[SEAT_NAMES[seat]], style.lang)


def short_player_label(state: State, seat: Seat, style: TextStyle) -> str:
    """Who plays at ``seat``, cut off where it would take more than a quarter of a line."""
    return clip_text(player_label(state, seat, style), style.width // 4)


def join_names(names: Iterable[str], style: TextStyle) -> str:
    """Names as a list in words: "Anna, Bo and Carl"."""
    *others, last = names
    return f"{', '.join(others)} {gettext(LABEL_PHRASES['and'], style.lang)} {last}" if others else last


def bid_name(state: State, bid_id: str, style: TextStyle) -> str:
    """What a call is called by the rules in force."""
    known = state.opening.rules.bids.get(bid_id)
    words = CALL_TERMS.get(bid_id) or (known.words if known else None)
    return gettext(words, style.lang) if words else bid_id


def suit_name(trump: Suit, style: TextStyle) -> str:
    """A suit in words."""
    return gettext(SUIT_WORDS[SUIT_LETTERS[trump]], style.lang)


def game_name(state: State, contract_id: str | None, trump: Suit | None, style: TextStyle) -> str:
    """A contract with its trumps: "solo in hearts"; without them where its name says them."""
    if contract_id is None:
        return gettext(LABEL_PHRASES["unrecorded"], style.lang)
    return game_name_in_rules(state.opening.rules, contract_id, trump, style)


def game_name_in_rules(rules: CompiledRuleset, contract_id: str, trump: Suit | None, style: TextStyle) -> str:
    """A contract with its trumps, called as these rules call it."""
    known = rules.contracts.get(contract_id)
    name = gettext(known.words, style.lang) if known else contract_id
    if trump is None or trump >= NO_TRUMP or _is_suit_implied(rules, contract_id):
        return name
    return gettext(EVENT_PHRASES["game_in"], style.lang).format(game=name, suit=suit_name(trump, style))


def _is_suit_implied(rules: CompiledRuleset, contract_id: str) -> bool:
    """Whether a contract has but one trump suit by the rules, whoever names it."""
    namings = [one for _, open_to in rules.ruleset.naming for one in open_to]
    trumps = [one.trumps for one in namings if one.contract == contract_id]
    return bool(trumps) and all(len(choice) == 1 for choice in trumps)


def card_name(state: State, card: Card, style: TextStyle) -> str:
    """A card in words: "the king of spades", "manille (♥7)", "an unseen card"."""
    phrases = EVENT_PHRASES
    if card == HIDDEN_CARD:
        return gettext(phrases["hidden_card"], style.lang)
    letter, rank = CARD_CODES[card][0], CARD_CODES[card][1]
    if rank == "?":
        return gettext(phrases["suit_card"], style.lang).format(suit=gettext(SUIT_WORDS[letter], style.lang))
    matadors = state.play.trick_rules.ladder[: len(MATADOR_NAMES)]
    if card in matadors:
        name = MATADOR_NAMES[matadors.index(card)]
        return gettext(phrases["matador"], style.lang).format(name=name, card=style.card(card))
    return gettext(phrases["card"], style.lang).format(
        rank=gettext(RANK_TERMS[rank], style.lang), suit=gettext(SUIT_WORDS[letter], style.lang)
    )


def format_cards(cards: tuple[Card, ...], style: TextStyle) -> str:
    """Some cards: the known ones as symbols, of the others how many there are."""
    known = [one for one in cards if one != HIDDEN_CARD]
    unseen = len(cards) - len(known)
    parts = [style.cards(tuple(known))] if known else []
    if unseen:
        key = "one_unseen" if unseen == 1 else "unseen"
        parts.append(gettext(EVENT_PHRASES[key], style.lang).format(count=unseen))
    return join_names(parts, style) if parts else gettext(EVENT_PHRASES["no_cards"], style.lang)


def result_phrase(state: State, score: Score, style: TextStyle) -> str:
    """How the deal ended, in one phrase; that it is open, where it has not."""
    played = game_name(state, score.contract, known_trump(state), style)
    if score.outcome is None:
        still_open = gettext(LABEL_PHRASES["ruled" if score.decided else "open"], style.lang)
        return still_open if score.contract is None else f"{played}: {still_open}"
    words = RESULT_PHRASES.get(score.outcome, OUTCOME_TERMS.get(score.outcome))
    phrase = gettext(words, style.lang) if words else score.outcome
    return phrase.format(game=played, name=player_label(state, score.declarer, style))


def ruleset_name(state: State, style: TextStyle) -> str:
    """The rules in force, by their name."""
    opening_event, rules = state.opening.event, state.opening.rules
    if rules.is_known or opening_event is None:
        return gettext(rules.ruleset.words, style.lang)
    return f"{gettext(rules.ruleset.words, style.lang)} {opening_event.ruleset}"


def location_label(key: str, style: TextStyle, **parts: Seq) -> str:
    """A place in a file or a log: "deal 2", "entry 31"."""
    return gettext(LABEL_PHRASES[key], style.lang).format(**parts)


def translated_seat_names(style: TextStyle) -> tuple[str, ...]:
    """The three seats, forehand first."""
    return tuple(gettext(SEAT_WORDS[SEAT_NAMES[seat]], style.lang) for seat in SEATS)

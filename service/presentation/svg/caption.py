"""What a drawing says: players, games and cards in one language, and the caption below the table."""

from typing import Any, Final

from engine.core.cards import CARD_CODES, SEAT_NAMES
from schemas.i18n.card_words import SEAT_TERMS
from schemas.i18n.catalogs import gettext
from service.presentation.i18n.game_words import GameWords
from service.presentation.svg.drawing_options import DrawingOptions
from service.presentation.svg.elements import clean_xml_text
from service.presentation.svg.placed_cards import (
    StateObject,
    count_tricks_won,
    has_result_only,
    order_hand_cards,
    shown_trump_ladder,
)
from service.presentation.text.sentences import capitalize_first

OUTCOME_SENTENCES: Final = {
    "won": "{name} wins the game.",
    "bete": "{name} is bête.",
    "codille": "{name} loses by codille.",
    "passed_out": "All have passed.",
    "abandoned": "{name} gave up.",
    "forfeited": "The game is forfeited.",
    "voided": "The deal is void.",
}
"""How a deal ended, if that is recorded."""


class DrawingTerms:
    """The words for one state, by its rules."""

    def __init__(self, state: StateObject, drawing_options: DrawingOptions) -> None:
        self._state, self._rules, self.lang = state, drawing_options.rules, drawing_options.lang
        self._names = drawing_options.names
        self.words = GameWords(self.lang, self._rules, drawing_options.is_spanish)

    def phrase(self, text: str, *, seat: str | None = None, **parts: object) -> str:
        """An English text in the language, with its parts; ``name`` is the player in ``seat``.

        A sentence begins with a capital.
        """
        text = gettext(text, self.lang).format(name=self.player_label(seat), **parts)
        return capitalize_first(text) if text.endswith(".") else text

    def player_label(self, seat: str | None) -> str:
        """The player at a seat by name, else by the seat."""
        if seat is None:
            return gettext("somebody", self.lang)
        return self.member_name(self._state["players"].get(seat)) or gettext(SEAT_TERMS[seat], self.lang)

    def member_name(self, player: str | None) -> str:
        """The name of a player; empty if it was erased."""
        return clean_xml_text(self._names.get(player, player) or "") if player else ""

    def contract_name(self) -> str | None:
        """The name of the contract by the rules in force; None while there is none."""
        contract = self._state["contract"]
        return contract and self.words.contract(contract)

    def game_name(self) -> str | None:
        """The contract with its trumps, "solo in hearts"; None while there is none."""
        contract = self._state["contract"]
        return contract and self.words.game(contract, self._state["trump"])

    def card_name(self, card: str) -> str:
        """A card in words: "the king of spades", "manille", "an unseen card"."""
        ladder = [CARD_CODES[one] for one in shown_trump_ladder(self._state, self._rules)]
        return self.words.matador(card, ladder) or self.words.card(card)

    def outcome_sentence(self) -> str | None:
        """How the deal ended, as a sentence; None if that is not recorded."""
        text = OUTCOME_SENTENCES.get((self._state["result"] or {}).get("outcome", ""))
        return text and self.phrase(text, seat=self._state["declarer"])


def caption_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """What the caption says of a state, the most important first; never empty."""
    return [*_open_question_sentences(state, terms), *_phase_sentences(state, terms)] or [
        _seated_sentence(terms)
    ]


def short_caption(state: StateObject, terms: DrawingTerms) -> str | None:
    """The first sentence in fewer words, where there is little room; None where it has no short form."""
    if state["phase"] == "dealing":
        return terms.phrase("{forehand} is forehand.", forehand=terms.player_label("forehand"))
    if state["phase"] == "play" and state["tricks"]:
        trick = state["tricks"][-1]
        number, winner = trick["number"], trick["winner"]
        if winner is None:
            card = terms.card_name(trick["cards"][-1])
            return terms.phrase("Trick {number}: {card}.", number=number, card=card)
        return terms.phrase("Trick {number} to {winner}.", number=number, winner=terms.player_label(winner))
    game = terms.game_name()
    if state["declarer"] is None or game is None:
        return None
    return terms.phrase("{name}: {game}.", seat=state["declarer"], game=game)


def _open_question_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """What was put to the others and is not answered yet."""
    claim, surrender = state["claim"], state["surrender"]
    if state["phase"] == "finished":
        return []
    sentences = [terms.phrase("{name} claims the rest.", seat=claim["seat"])] if claim else []
    if surrender and surrender["forbidden_by"] is None:
        sentences.append(terms.phrase("{name} offers to surrender.", seat=surrender["seat"]))
    return sentences


def _phase_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    match state["phase"]:
        case "dealing":
            return [_seated_sentence(terms)]
        case "auction":
            return [_call_sentence(state, terms), *_turn_sentences("{name} bids next.", state, terms)]
        case "contract":
            turn = _turn_sentences("{name} names the game next.", state, terms)
            return [*_standing_bid_sentences(state, terms), *turn]
        case "turn":
            return [*_standing_bid_sentences(state, terms), terms.phrase("The talon is turned next.")]
        case "exchange":
            turn = _turn_sentences("{name} exchanges next.", state, terms)
            return [*_standing_bid_sentences(state, terms), *turn]
        case "play":
            return _play_sentences(state, terms)
        case _:
            return _result_sentences(state, terms)


def _seated_sentence(terms: DrawingTerms) -> str:
    seats = {seat: terms.player_label(seat) for seat in SEAT_NAMES}
    return terms.phrase("{forehand} is forehand, {middlehand} middlehand, {backhand} backhand.", **seats)


def _call_sentence(state: StateObject, terms: DrawingTerms) -> str:
    if not state["calls"]:
        return terms.phrase("The cards are dealt.")
    call = state["calls"][-1]
    text = {"pass": "{name} passes.", "self": "{name} takes the same bid: self."}.get(call["bid"])
    return terms.phrase(text or "{name} bids {bid}.", seat=call["seat"], bid=terms.words.bid(call["bid"]))


def _standing_bid_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    """Who has the bid."""
    if state["declarer"] is None:
        return []
    game = terms.game_name()
    text = "{name} has the bid: {game}." if game else "{name} has the bid."
    return [terms.phrase(text, seat=state["declarer"], game=game)]


def _turn_sentences(text: str, state: StateObject, terms: DrawingTerms) -> list[str]:
    """Whose turn it is, and for what."""
    return [terms.phrase(text, seat=state["to_act"])] if state["to_act"] else []


def _play_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    lead = "{name} leads next."
    if not state["tricks"]:
        return [*_standing_bid_sentences(state, terms), *_turn_sentences(lead, state, terms)]
    trick = state["tricks"][-1]
    is_full = len(trick["cards"]) == 3
    turn = _turn_sentences(lead if is_full else "{name} plays next.", state, terms)
    return [_trick_sentence(trick, terms), *turn]


def _trick_sentence(trick: dict[str, Any], terms: DrawingTerms) -> str:
    seat, winner = trick["seats"][-1], trick["winner"]
    if len(trick["cards"]) == 1:
        text = "Trick {number}: {name} leads {card}."
    elif winner is None:
        text = "Trick {number}: {name} plays {card}."
    elif winner == seat:
        text = "Trick {number}: {name} plays {card} and takes the trick."
    else:
        text = "Trick {number}: {name} plays {card}; {winner} takes the trick."
    card = terms.card_name(trick["cards"][-1])
    return terms.phrase(text, seat=seat, number=trick["number"], card=card, winner=terms.player_label(winner))


def _result_sentences(state: StateObject, terms: DrawingTerms) -> list[str]:
    outcome, game, counts = terms.outcome_sentence(), terms.game_name(), count_tricks_won(state)
    if state["declarer"] is not None:
        had_bid = terms.phrase(
            "{name} had the bid: {game}." if game else "The deal is over.", seat=state["declarer"], game=game
        )
        sentences = [had_bid, outcome] if outcome else [had_bid]
    else:
        is_passed_out = bool(state["calls"]) and all(call["bid"] == "pass" for call in state["calls"])
        sentences = [outcome or terms.phrase("All have passed." if is_passed_out else "The deal is over.")]
    if any(counts.values()):
        tricks = ", ".join(f"{terms.player_label(seat)} {counts[seat]}" for seat in SEAT_NAMES)
        sentences.append(terms.phrase("Tricks: {counts}.", counts=tricks))
    return sentences


def table_description(state: StateObject, terms: DrawingTerms, drawing_options: DrawingOptions) -> str:
    """The whole table in words, for readers who do not see the drawing."""
    sentences = caption_sentences(state, terms)
    if not has_result_only(state):
        sentences += [_hand_description(state, seat, terms, drawing_options) for seat in SEAT_NAMES]
    return " ".join(sentences)


def _hand_description(
    state: StateObject, seat: str, terms: DrawingTerms, drawing_options: DrawingOptions
) -> str:
    cards = order_hand_cards(state, seat, drawing_options.rules)
    unseen = cards.count("??")
    card_names = [terms.card_name(card) for card in cards if card != "??"]
    if unseen:
        card_names.append(terms.phrase("1 not known" if unseen == 1 else "{count} not known", count=unseen))
    return f"{terms.player_label(seat)}: {', '.join(card_names) or terms.phrase('no cards')}."

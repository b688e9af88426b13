"""What players, games and cards are called at a point of a deal, in one language."""

from collections.abc import Iterable
from typing import Any

from engine.core.cards import CARD_CODES
from schemas.i18n.card_words import SEAT_TERMS
from schemas.i18n.catalogs import gettext
from service.presentation.i18n.game_words import GameWords
from service.presentation.svg.drawing_options import DrawingOptions
from service.presentation.svg.drawing_words import DRAWING_OUTCOME_PHRASES, DRAWING_PHRASES
from service.presentation.svg.elements import clean_xml_text
from service.presentation.svg.hand_order import shown_trump_ladder
from service.presentation.text.sentences import capitalize_first


class DrawingTerms:
    """The terms of one state, by its rules."""

    def __init__(self, state: dict[str, Any], drawing_options: DrawingOptions) -> None:
        self._state, self._rules, self.lang = state, drawing_options.rules, drawing_options.lang
        self._names = drawing_options.names
        self.words = GameWords(self.lang, self._rules, drawing_options.is_spanish)

    def format_phrase(self, phrase: str, **parts: object) -> str:
        """A phrase with its parts filled in, beginning with a capital where it is a sentence."""
        text = gettext(DRAWING_PHRASES[phrase], self.lang).format(**parts)
        return capitalize_first(text) if text.endswith(".") else text

    def player_phrase(self, phrase: str, seat: str, **parts: object) -> str:
        """A phrase about the player in a seat, who is its ``name``."""
        return self.format_phrase(phrase, name=self.player_label(seat), **parts)

    def player_label(self, seat: str | None) -> str:
        """Who plays there: by name, else by the seat."""
        if seat is None:
            return self.format_phrase("somebody")
        return self.member_name(self._state["players"].get(seat)) or gettext(SEAT_TERMS[seat], self.lang)

    def member_name(self, player: str | None) -> str:
        """What a player is called; nothing where nobody knows it any more."""
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

    def outcome_sentence(self, outcome: str) -> str | None:
        """How the deal ended, as a sentence."""
        words = DRAWING_OUTCOME_PHRASES.get(outcome)
        if words is None:
            return None
        return capitalize_first(
            gettext(words, self.lang).format(name=self.player_label(self._state["declarer"]))
        )

    def join_names(self, names: Iterable[str]) -> str:
        """Names as a list in words: "Anna, Bo and Carl"."""
        *others, last = names
        return f"{', '.join(others)} {self.format_phrase('and')} {last}" if others else last

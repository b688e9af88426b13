"""What players, games and cards are called at a point of a deal, in one language."""

from collections.abc import Iterable
from typing import Any

from engine.core.cards import CODES, SEAT_NAMES
from service.presentation.i18n.card_words import (
    MATADORS,
    RANKS,
    SEATS,
    SPANISH_GAMES,
    SPANISH_MATADORS,
    SPANISH_RANKS,
    SPANISH_SUITS,
    SUITS,
)
from service.presentation.svg.elements import clean
from service.presentation.svg.fan import ladder_of_trumps
from service.presentation.svg.manner import Manner
from service.presentation.svg.words import OUTCOMES, PHRASES


class Terms:
    """The terms of one state, by its rules."""

    def __init__(self, state: dict[str, Any], manner: Manner) -> None:
        self._state, self._rules, self._lang = state, manner.rules, manner.lang
        self._names, self._spanish = manner.names, manner.spanish

    def say(self, phrase: str, **parts: object) -> str:
        """A phrase with its parts filled in, beginning with a capital where it is a sentence."""
        told = PHRASES[phrase][self._lang].format(**parts)
        return upper(told) if told.endswith(".") else told

    def player(self, seat: str | None) -> str:
        """Who plays there: by name, else by the seat."""
        if seat is None:
            return self.say("somebody")
        return self.name(self._state["players"].get(seat)) or SEATS[seat][self._lang]

    def name(self, player: str | None) -> str:
        """What a player is called; nothing where nobody knows it any more."""
        return clean(self._names.get(player, player) or "") if player else ""

    def seat(self, seat: str) -> str:
        """What a seat is called."""
        return SEATS[seat][self._lang]

    def tricks(self, count: int) -> str:
        """So many tricks."""
        return self.say("trick" if count == 1 else "tricks", count=count)

    def contract(self) -> str | None:
        """The name of the contract by the rules in force; None while there is none."""
        contract = self._state["contract"]
        known = self._rules.contracts.get(contract)
        if self._spanish and contract in SPANISH_GAMES:
            return SPANISH_GAMES[contract]
        return known.words[self._lang] if known else contract

    def game(self) -> str | None:
        """The contract with its trumps, "solo in hearts"; without them where its name says them."""
        name, trump = self.contract(), self._state["trump"]
        if name is None or trump is None or self.says_its_suit():
            return name
        return self.say("game_in", game=name, suit=self.suit(trump))

    def says_its_suit(self) -> bool:
        """Whether the contract has but one trump suit by the rules, whoever names it."""
        namings = [one for _, open_to in self._rules.ruleset.naming for one in open_to]
        trumps = [one.trumps for one in namings if one.contract == self._state["contract"]]
        return bool(trumps) and all(len(choice) == 1 for choice in trumps)

    def bid(self, bid: str) -> str:
        """What a bid is called by the rules in force."""
        known = self._rules.bids.get(bid)
        if self._spanish and bid in SPANISH_GAMES:
            return SPANISH_GAMES[bid]
        return known.words[self._lang] if known else bid

    def suit(self, suit: str) -> str:
        """What a suit is called."""
        return SPANISH_SUITS[suit] if self._spanish else SUITS[suit][self._lang]

    def card(self, card: str) -> str:
        """A card in words: "the king of spades", "manille", "an unseen card"."""
        suit, rank = card[0], card[1]
        if suit == "?":
            return self.say("hidden_card")
        if rank == "?":
            return self.say("suit_card", suit=self.suit(suit))
        highest = [CODES[one] for one in ladder_of_trumps(self._state, self._rules)[:3]]
        if card in highest:
            return (SPANISH_MATADORS if self._spanish else MATADORS)[highest.index(card)]
        if self._spanish:
            return f"{SPANISH_RANKS[rank]} de {SPANISH_SUITS[suit]}"
        return self.say("card", rank=RANKS[rank][self._lang], suit=self.suit(suit))

    def outcome(self, outcome: str) -> str | None:
        """How the deal ended, as a sentence."""
        words = OUTCOMES.get(outcome)
        if words is None:
            return None
        return upper(words[self._lang].format(name=self.player(self._state["declarer"])))

    def counts(self, counts: dict[str, int]) -> str:
        """Tricks by player: "Anna 3, Bo 4, Carl 2"."""
        return ", ".join(f"{self.player(seat)} {counts[seat]}" for seat in SEAT_NAMES)

    def listed(self, names: Iterable[str]) -> str:
        """Names as a list in words: "Anna, Bo and Carl"."""
        *others, last = names
        return f"{', '.join(others)} {self.say('and')} {last}" if others else last


def upper(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]

"""The names of suits, cards, bids and games by the rules of a deal, in a language or in Spanish terms."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.play.phases import FIXED_TRUMPS
from engine.rulesets import NO_RULES, CompiledRuleset
from schemas.i18n.card_words import (
    CALL_TERMS,
    MATADOR_NAMES,
    RANK_TERMS,
    SPANISH_GAMES,
    SPANISH_MATADORS,
    SPANISH_RANKS,
    SPANISH_SUITS,
    SUIT_TERMS,
)
from schemas.i18n.catalogs import gettext


class GameWords(NamedTuple):
    """The words of one deal; suits, ranks and cards are codes of the record."""

    lang: str
    rules: CompiledRuleset = NO_RULES
    spanish: bool = False

    def suit(self, suit: str) -> str:
        """A suit in words."""
        return SPANISH_SUITS[suit] if self.spanish else gettext(SUIT_TERMS[suit], self.lang)

    def card(self, card: str) -> str:
        """A card in words: "the king of spades", "one of the diamonds", "an unseen card"."""
        suit, rank = card[0], card[1]
        if suit == "?":
            return gettext("an unseen card", self.lang)
        if rank == "?":
            return gettext("one of the {suit}", self.lang).format(suit=self.suit(suit))
        if self.spanish:
            return f"{SPANISH_RANKS[rank]} de {SPANISH_SUITS[suit]}"
        rank_name = gettext(RANK_TERMS[rank], self.lang)
        return gettext("the {rank} of {suit}", self.lang).format(rank=rank_name, suit=self.suit(suit))

    def matador(self, card: str, ladder: Sequence[str]) -> str | None:
        """The name of one of the three highest of the trumps in ``ladder``; None for any other card."""
        names = SPANISH_MATADORS if self.spanish else MATADOR_NAMES
        return next((name for name, one in zip(names, ladder, strict=False) if one == card), None)

    def bid(self, bid: str) -> str:
        """The name of a call; one that the rules do not know is returned as it is."""
        known = self.rules.bids.get(bid)
        return self._game_name(bid, CALL_TERMS.get(bid) or (known.words if known else bid))

    def contract(self, contract: str) -> str:
        """The name of a contract; one that the rules do not know is returned as it is."""
        known = self.rules.contracts.get(contract)
        return self._game_name(contract, known.words if known else contract)

    def game(self, contract: str, trump: str | None) -> str:
        """A contract with its trumps, "solo in hearts"; without them if they are fixed."""
        name, known = self.contract(contract), self.rules.contracts.get(contract)
        if trump is None or (known and known.trump in FIXED_TRUMPS):
            return name
        return gettext("{game} in {suit}", self.lang).format(game=name, suit=self.suit(trump))

    def _game_name(self, game: str, words: str) -> str:
        return SPANISH_GAMES[game] if self.spanish and game in SPANISH_GAMES else gettext(words, self.lang)

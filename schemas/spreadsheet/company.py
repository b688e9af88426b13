"""Who sits at a table, to be found by what somebody typed: a name, its beginning, its initials."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from schemas.spreadsheet.phrases import Expected, Misfit
from schemas.spreadsheet.words import folded


class Company(NamedTuple):
    """The players of a table in the order of play, each with what he is called; the first name is shown."""

    called: Mapping[str, Sequence[str]]

    def shown(self, players: Sequence[str]) -> str:
        """Players as a list for people."""
        return ", ".join(self.called[player][0] for player in players)

    def find(self, text: str, among: Sequence[str], phrase: str = "player", **parts: object) -> str:
        """The one of ``among`` who is meant: by the whole name, else by its beginning or its initials.

        Raises `Misfit`, with ``phrase`` as what was expected, where it is nobody, or more than one.
        """
        word = folded(text)
        whole = [one for one in among if self.is_called(one, text)]
        found = whole or [one for one in among if word and self.begins(one, word)]
        if len(found) == 1:
            return found[0]
        if found:
            raise Misfit(text, "which_player", players=self.shown(found))
        raise Misfit(text, phrase, players=self.shown(among), meant=self._meant(word, among), **parts)

    def is_called(self, player: str, text: str) -> bool:
        """Whether a text is a player's name, or one of them."""
        word = folded(text)
        return bool(word) and word in map(folded, (player, *self.called[player]))

    def begins(self, player: str, word: str) -> bool:
        """Whether a player's name begins so, or has these initials; ``word`` is folded."""
        return any(folded(name).startswith(word) or _initials(name) == word for name in self.called[player])

    def _meant(self, word: str, among: Sequence[str]) -> Expected | str:
        names = {folded(name): self.called[one][0] for one in among for name in self.called[one]}
        near = get_close_matches(word, names, n=1, cutoff=0.6)
        return Expected("meant", {"meant": names[near[0]]}) if near else ""


def _initials(name: str) -> str:
    parts = [folded(part) for part in name.replace("-", " ").split()]
    return "".join(part[:1] for part in parts)

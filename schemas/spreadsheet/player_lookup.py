"""Who sits at a table, to be found by what somebody typed: a name, its beginning, its initials."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from schemas.spreadsheet.sheet_messages import CellValueError, ExpectedPhrase
from schemas.spreadsheet.sheet_words import fold_word


class PlayerNames(NamedTuple):
    """The players of a table in the order of play, each with what he is called; the first name is shown."""

    names_by_player: Mapping[str, Sequence[str]]

    def format_names(self, players: Sequence[str]) -> str:
        """Players as a list for people."""
        return ", ".join(self.names_by_player[player][0] for player in players)

    def find(self, text: str, candidates: Sequence[str], phrase: str = "player", **parts: object) -> str:
        """The one of ``candidates`` who is meant: by the whole name, else by its beginning or its initials.

        Raises `CellValueError`, with ``phrase`` as what was expected, where it is nobody, or more than one.
        """
        word = fold_word(text)
        exact_matches = [one for one in candidates if self.has_name(one, text)]
        found = exact_matches or [
            one for one in candidates if word and self.matches_start_or_initials(one, word)
        ]
        if len(found) == 1:
            return found[0]
        if found:
            raise CellValueError(text, "which_player", players=self.format_names(found))
        raise CellValueError(
            text,
            phrase,
            players=self.format_names(candidates),
            meant=self._suggest(word, candidates),
            **parts,
        )

    def has_name(self, player: str, text: str) -> bool:
        """Whether a text is a player's name, or one of them."""
        word = fold_word(text)
        return bool(word) and word in map(fold_word, (player, *self.names_by_player[player]))

    def matches_start_or_initials(self, player: str, folded_text: str) -> bool:
        """Whether a player's name begins so, or has these initials."""
        return any(
            fold_word(name).startswith(folded_text) or _initials(name) == folded_text
            for name in self.names_by_player[player]
        )

    def _suggest(self, word: str, candidates: Sequence[str]) -> ExpectedPhrase | str:
        names = {
            fold_word(name): self.names_by_player[one][0]
            for one in candidates
            for name in self.names_by_player[one]
        }
        nearest = get_close_matches(word, names, n=1, cutoff=0.6)
        return ExpectedPhrase("meant", {"meant": names[nearest[0]]}) if nearest else ""


def _initials(name: str) -> str:
    parts = [fold_word(part) for part in name.replace("-", " ").split()]
    return "".join(part[:1] for part in parts)

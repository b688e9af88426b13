"""Players found by what stands in a cell: a name however it is spelled, its beginning, its initials."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, NamedTuple

from schemas.spreadsheet.sheet_messages import SEAT_CHOICES, CellValueError, suggest
from schemas.spreadsheet.sheet_words import fold_by_sound, fold_word


class PlayerRoster:
    """The players that a sheet names, found again whatever their capitals and spaces."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = dict.fromkeys(names)
        self._name_by_folded: dict[str, str | None] = {}
        self._name_by_sound: dict[str, str] = {}
        for one in self.names:
            call = _fold_name(one)
            self._name_by_folded[call] = None if call in self._name_by_folded else one
            self._name_by_sound.setdefault(fold_by_sound(one), one)

    def find(self, text: str) -> str | None:
        """The player of that name; None if there is none, or more than one."""
        return text if text in self.names else self._name_by_folded.get(_fold_name(text))

    def find_by_sound(self, text: str) -> str | None:
        """The first player whose name sounds the same: Karl Åge for "Karl Aage"."""
        return self._name_by_sound.get(fold_by_sound(text))


NOBODY: Final = PlayerRoster(())


def _fold_name(name: str) -> str:
    return " ".join(name.casefold().split())


class PlayerNames(NamedTuple):
    """The names of each player of a table, in the order of play; the first name is shown."""

    names_by_player: Mapping[str, Sequence[str]]

    def format_names(self, players: Sequence[str]) -> str:
        """Format players as a list."""
        return ", ".join(self.names_by_player[player][0] for player in players)

    def find(
        self, text: str, candidates: Sequence[str] = (), expected: str = "one of {players}{meant}"
    ) -> str:
        """Find one of ``candidates``, by default all, by a whole name, else by its beginning or its initials.

        Raises:
            CellValueError: nobody fits, where one was ``expected``, or several do.
        """
        candidates = candidates or tuple(self.names_by_player)
        found = self.list_matches(text, candidates)
        if len(found) == 1:
            return found[0]
        if found:
            raise CellValueError(text, "which of them: {players}", players=self.format_names(found))
        names = {
            fold_word(name): self.names_by_player[one][0]
            for one in candidates
            for name in self.names_by_player[one]
        }
        nearest = get_close_matches(fold_word(text), names, n=1, cutoff=0.6)
        meant = suggest(names[nearest[0]] if nearest else None)
        raise CellValueError(
            text, expected, players=self.format_names(candidates), seats=SEAT_CHOICES, meant=meant
        )

    def list_matches(self, text: str, candidates: Sequence[str]) -> list[str]:
        """Those of that name; if nobody at the table has it, those whose name begins so."""
        named = [one for one in self.names_by_player if self.has_name(one, text)]
        named = [one for one in named if text in self.names_by_player[one]] or named
        word = fold_word(text)
        return [
            player
            for player in candidates
            if player in named or (word and not named and self._begins_with(player, word))
        ]

    def has_name(self, player: str, text: str) -> bool:
        """Whether a text is one of a player's names."""
        names, word = (player, *self.names_by_player[player]), fold_word(text)
        return text in names or (bool(word) and word in map(fold_word, names))

    def _begins_with(self, player: str, word: str) -> bool:
        """Whether a player's name begins with a folded word, or has these initials."""
        names = self.names_by_player[player]
        return any(fold_word(name).startswith(word) or _initials(name) == word for name in names)


def _initials(name: str) -> str:
    parts = [fold_word(part) for part in name.replace("-", " ").split()]
    return "".join(part[:1] for part in parts)

"""What a mistake of the pen is, and where in a deal one may have been made (RULES 9)."""

from itertools import accumulate
from typing import Final, NamedTuple

from engine.audit import Audit
from engine.core.cards import BIT, SEATS
from engine.core.events import CardPlayed, CorrectionMade
from engine.core.log import Log
from engine.core.vocabulary import Seq
from engine.fold import evolve
from engine.play.findings import Finding
from engine.play.state import State, start

RULE: Final = "9. Record"
OUT_OF_PLACE: Final = frozenset(
    (
        "wrong_seat",
        "revoke",
        "bid_not_allowed",
        "card_not_held",
        "card_duplicated",
        "exchange_not_allowed",
        "exchange_mismatch",
    )
)
"""What is found of an act that stands for another seat, or behind one that is missing."""
TOGETHER: Final = 2
"""So many findings a mistake must explain at once, where one alone may well be the fault that it says."""
ALL_PLAYED: Final = 27
"""So many cards are played in a deal at most; where so many are recorded, none is missing."""


class Mistake(NamedTuple):
    """A mistake of the pen: the finding at the entry that is wrong, and the entries that put it right."""

    finding: Finding
    corrections: tuple[CorrectionMade, ...]


class Suspected(NamedTuple):
    """A mistake that can have been made.

    ``explains``: so many findings at least must fall away with it; ``clears``: so many seats must have
    nothing grave against them any more, or an act out of turn must fall away. ``unseen``: the same with what
    is missing left open, for where several cards or places would do as well; these share ``among``.
    ``of_the_play``: nobody may be found any more to have revoked or acted out of turn, and either of both
    kinds has to fall away, or something grave of so many seats.
    """

    mistake: Mistake
    explains: int = 1
    clears: int = 1
    unseen: Mistake | None = None
    among: tuple[Seq, ...] = ()
    of_the_play: bool = False


class Course:
    """The course of a deal with the places in it at which somebody seems to act out of place."""

    def __init__(self, judged: Audit) -> None:
        self.entries = judged.history.entries
        self.found: dict[Seq, list[Finding]] = {}
        for one in judged.findings:
            if one.code in OUT_OF_PLACE:
                self.found.setdefault(one.seq, []).append(one)
        self.faulty = [at for at, entry in enumerate(self.entries) if entry.seq in self.found]
        # A revoke is shown by cards that come later, which may be those of another seat.
        self.acting = [at for at in self.faulty if self.codes(at) - {"revoke"}]
        hasty = {one.seq for one in judged.findings if one.code == "wrong_phase"}
        self.hasty = [at for at, entry in enumerate(self.entries) if entry.seq in hasty]
        self.played = played_by(self.entries)
        first = max((at[0] for at in (self.faulty, self.acting, self.hasty) if at), default=None)
        self.states: list[State] = []
        if first is not None:
            begun = start(judged.state.opening.book)
            self.states = list(accumulate(self.entries[:first], evolve, initial=begun))

    def codes(self, at: int) -> set[str]:
        """The codes of what is found at a place, of an act out of place."""
        return {one.code for one in self.found[self.entries[at].seq]}


def all_played(entries: Log) -> bool:
    """Whether so many cards were played that none of them can be missing."""
    return sum(played_by(entries)) >= ALL_PLAYED


def played_by(entries: Log) -> list[int]:
    """By seat how many cards are recorded as played."""
    seats = [entry.event.seat for entry in entries if isinstance(entry.event, CardPlayed)]
    return [seats.count(seat) for seat in SEATS]


def played_from(entries: Log) -> int:
    """The known cards that are played in these entries, as a mask."""
    cards = (BIT[entry.event.card] for entry in entries if isinstance(entry.event, CardPlayed))
    return sum(set(cards))

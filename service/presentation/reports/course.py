"""The course of a deal, set as a column: the hands, the calls, the exchange, the tricks."""

from collections.abc import Mapping
from typing import NamedTuple

from engine import History, State, evolve, start
from engine.core.cards import SEATS, Seat
from engine.core.events import BidMade, CardPlayed, ContractNamed, TalonTurned, TrumpNamed
from engine.core.vocabulary import Seq
from engine.play.state import Trick
from service.presentation.reports.diagrams import Diagram, Marks, at_a_point, known_later, of_hands
from service.presentation.text import hands, names
from service.presentation.text.bidding import exchanges
from service.presentation.text.phrases import PHRASES
from service.presentation.text.sentences import Telling, sentence
from service.presentation.text.style import Style
from service.presentation.text.words import LABELS

Marked = Mapping[Seq, int]
"""The number of the matter that an entry is; a small figure stands there."""


class Cell(NamedTuple):
    """What somebody called or played, with the number of the matter that it is; None where it is none."""

    text: str
    mark: int | None = None
    leads: bool = False
    wins: bool = False


Line = tuple[tuple[Cell, ...], ...]
"""A line of a table: what stands there of forehand, middlehand and backhand."""


class Exchanged(NamedTuple):
    """What somebody sold and bought, each in words; empty where the record does not say."""

    name: str
    sold: str
    bought: str
    mark: int | None


class Tricks(NamedTuple):
    """The tricks by their numbers, how many each took in the end, and what was played beyond it."""

    lines: tuple[tuple[int, Line], ...]
    won: tuple[int, ...]
    beyond: str


class Course(NamedTuple):
    """A deal from the hands to the last trick; None or empty where the record has nothing of it."""

    players: tuple[str, ...]
    dealt: Diagram | None
    calls: tuple[Line, ...]
    named: tuple[str, ...]
    exchange: tuple[Exchanged, ...]
    held: Diagram | None
    tricks: Tricks | None

    @property
    def told(self) -> bool:
        """Whether the record has anything of it."""
        return bool(self.dealt or self.calls or self.named or self.exchange or self.held or self.tricks)


def course_of(history: History, state: State, style: Style, marked: Marked) -> Course:
    """The course of a whole deal."""
    dealt, played = hands.dealt(history, state), hands.played(history, state)
    changed = played is not None and any(
        one.mask != before.mask for one, before in zip(played, dealt, strict=True)
    )
    return Course(
        tuple(names.player(state, seat, style) for seat in SEATS),
        of_hands(dealt, state, style) if hands.any_known(dealt) else None,
        tuple(_calls(history, state, style, marked)),
        tuple(_named(history, state, style)),
        tuple(_exchange(history, state, style, marked)),
        _held(history, state, style) if changed else None,
        _tricks(state, style, marked),
    )


def _held(history: History, state: State, style: Style) -> Diagram | None:
    """The hands before the first card was led; what only the play showed of them leans."""
    before = start(state.opening.book)
    for place, entry in enumerate(history.entries):
        if isinstance(entry.event, CardPlayed):
            later = known_later(before, history.entries[place:], state)
            return at_a_point(before, style, Marks(later=later))
        before = evolve(before, entry)
    return at_a_point(state, style)


def _calls(history: History, state: State, style: Style, marked: Marked) -> list[Line]:
    """The calls as they fell: a line ends where the next call is not of a seat farther on."""
    lines: list[list[tuple[Cell, ...]]] = []
    last = len(SEATS)
    for entry in history.entries:
        event = entry.event
        if not isinstance(event, BidMade):
            continue
        if event.seat <= last or not lines:
            lines.append([(), (), ()])
        last = event.seat
        lines[-1][event.seat] = (Cell(_call(event, state, style), marked.get(entry.seq)),)
    return [tuple(line) for line in lines]


def _call(event: BidMade, state: State, style: Style) -> str:
    told = names.bid(state, event.bid, style)
    if event.trump is not None:
        told += PHRASES["too_early"][style.lang].format(suit=names.suit(event.trump, style))
    return (
        told if event.said is None else told + PHRASES["in_these_words"][style.lang].format(said=event.said)
    )


def _named(history: History, state: State, style: Style) -> list[str]:
    """What is played, and how trumps were found, in sentences."""
    return [
        sentence(entry, Telling(state, state, style))
        for entry in history.entries
        if isinstance(entry.event, ContractNamed | TrumpNamed | TalonTurned)
    ]


def _exchange(history: History, state: State, style: Style, marked: Marked) -> list[Exchanged]:
    found = []
    for one in exchanges(history):
        sold = bought = ""
        if one.discarded is not None:
            key = "discards" if one.discarded else "stands"
            sold = LABELS[key][style.lang].format(cards=names.cards(one.discarded, style))
        if one.drawn is not None:
            bought = LABELS["draws"][style.lang].format(cards=names.cards(one.drawn, style))
        mark = next((marked[seq] for seq in one.seqs if seq in marked), None)
        found.append(Exchanged(names.player(state, one.seat, style), sold, bought, mark))
    return found


def _tricks(state: State, style: Style, marked: Marked) -> Tricks | None:
    play = state.play
    tricks = list(play.tricks)
    if play.cards:
        tricks.append(Trick(len(tricks) + 1, play.seats, play.cards, play.seqs, None))
    if not tricks:
        return None
    beyond = ", ".join(
        f"{names.player(state, seat, style)} {style.card(card)}" for _, seat, card in state.ending.beyond
    )
    lines = tuple(
        (trick.number, tuple(_cells(trick, seat, style, marked) for seat in SEATS)) for trick in tricks
    )
    return Tricks(lines, tuple(play.won), beyond)


def _cells(trick: Trick, seat: Seat, style: Style, marked: Marked) -> tuple[Cell, ...]:
    """What a seat played to a trick: one card, whatever else it claims to have played."""
    return tuple(
        Cell(style.card(card), marked.get(seq), leads=place == 0, wins=seat == trick.winner)
        for place, (whose, card, seq) in enumerate(zip(trick.seats, trick.cards, trick.seqs, strict=True))
        if whose == seat
    )

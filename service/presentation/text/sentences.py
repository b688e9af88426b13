"""An entry of a log in words: one sentence for each type of event, chosen from a table."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from engine import Entry, State
from engine.core.cards import SEAT_OF, Card, Seat, Suit
from engine.core.events import (
    ActionWithdrawn,
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    CorrectionMade,
    DealAbandoned,
    DealClosed,
    DealOpened,
    DealSettled,
    DealVoided,
    Event,
    ExchangeYielded,
    GapNoted,
    HandDealt,
    HandHeld,
    HandTakenOver,
    IrregularityNoted,
    NoteAdded,
    PuestaReserved,
    ResultRecorded,
    RulingMade,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
    TalonLaid,
    TalonSeen,
    TalonTurned,
    TricksClaimed,
    TrumpNamed,
    type_name,
)
from engine.play.state import Trick
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.i18n.translate import kind_called
from service.presentation.text import names
from service.presentation.text.phrases import PHRASES
from service.presentation.text.style import Style


class Telling(NamedTuple):
    """What a sentence about an entry needs: the state before and after it, and how it looks."""

    before: State
    after: State
    style: Style

    def say(self, phrase: str, **parts: object) -> str:
        """A phrase of the language with its parts filled in."""
        return PHRASES[phrase][self.style.lang].format(**parts)

    def name(self, seat: Seat | None) -> str:
        """Who plays at ``seat``."""
        return names.player(self.after, seat, self.style)

    def suit(self, suit: Suit) -> str:
        """A suit in words."""
        return names.suit(suit, self.style)

    def cards(self, cards: tuple[Card, ...]) -> str:
        """Some cards, the hidden ones counted."""
        return names.cards(cards, self.style)

    def card(self, card: Card) -> str:
        """A card in words."""
        return names.card(self.after, card, self.style)

    def chips(self, payments: Iterable[tuple[str, int]]) -> str:
        """Chips by seat or name: "Anna +2, Bo −4, Carl +2"."""
        return ", ".join(f"{self._owner(name)} {self.style.chips(amount)}" for name, amount in payments)

    def counts(self, counts: Iterable[tuple[Seat, int]]) -> str:
        """A number for some seats: "Anna 5, Bo 4"."""
        return ", ".join(f"{self.name(seat)} {count}" for seat, count in counts)

    def _owner(self, name: str) -> str:
        seat = SEAT_OF.get(name)
        return name if seat is None else self.name(seat)


def sentence(entry: Entry, telling: Telling) -> str:
    """What ``entry`` says, in one sentence without a full stop."""
    saying = SAYINGS.get(type(entry.event))
    if saying is None:
        said = telling.say("of_a_table", name=type_name(type(entry.event)).replace("_", " "))
    else:
        said = saying(entry.event, telling)
    return upper(said)


def upper(text: str) -> str:
    """``text`` with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def _who(phrase: str) -> "Saying":
    """The sentence of an event that only says whose it is."""
    return lambda event, telling: telling.say(phrase, who=telling.name(event.seat))


def _opened(event: DealOpened, telling: Telling) -> str:
    return telling.say(
        "opened",
        forehand=telling.name(SEAT_OF["forehand"]),
        middlehand=telling.name(SEAT_OF["middlehand"]),
        backhand=telling.name(SEAT_OF["backhand"]),
    )


def _with_cards(phrase: str) -> "Saying":
    return lambda event, telling: telling.say(
        phrase, who=telling.name(event.seat), cards=telling.cards(event.cards)
    )


def _bid(event: BidMade, telling: Telling) -> str:
    phrase = {"pass": "passes", "self": "says_self"}.get(event.bid, "bids")
    told = telling.say(
        phrase, who=telling.name(event.seat), bid=names.bid(telling.after, event.bid, telling.style)
    )
    if event.trump is not None:
        told += telling.say("too_early", suit=telling.suit(event.trump))
    return told if event.said is None else told + telling.say("in_these_words", said=event.said)


def _shown(event: CardsShown, telling: Telling) -> str:
    return _after_colon(_with_cards("shows")(event, telling), event.why)


def _named(event: ContractNamed, telling: Telling) -> str:
    trump = event.trump if event.trump is not None else telling.after.bargain.trump
    contract = names.game(telling.after, event.contract, trump, telling.style)
    return telling.say("has_the_contract", who=telling.name(event.seat), contract=contract)


def _trump(event: TrumpNamed, telling: Telling) -> str:
    return telling.say("names_trumps", who=telling.name(event.seat), suit=telling.suit(event.trump))


def _turned(event: TalonTurned, telling: Telling) -> str:
    trump = telling.after.bargain.trump
    if trump is None or not 0 <= trump < 4:
        return telling.say("turned_hidden")
    return telling.say("turned", card=telling.style.card(event.card), suit=telling.suit(trump))


def _talon_seen(event: TalonSeen, telling: Telling) -> str:
    who = names.listed([telling.name(seat) for seat in event.seats] or [telling.name(None)], telling.style)
    return telling.say("talon_seen", names=who, cards=telling.cards(event.cards))


def _discarded(event: CardsDiscarded, telling: Telling) -> str:
    return _with_cards("discards" if event.cards else "stands")(event, telling)


def _taken_over(event: HandTakenOver, telling: Telling) -> str:
    before = names.player(telling.before, event.seat, telling.style)
    return telling.say("takes_over", player=event.player, who=before)


def _played(event: CardPlayed, telling: Telling) -> str:
    before, after = telling.before.play, telling.after.play
    who, card = telling.name(event.seat), telling.card(event.card)
    if len(telling.after.ending.beyond) > len(telling.before.ending.beyond):
        return telling.say("plays_on", who=who, card=card)
    told = telling.say("leads" if not before.cards else "plays", who=who, card=card)
    if len(after.tricks) == len(before.tricks):
        return told
    return told + _trick_won(after.tricks[-1], event.seat, telling)


def _trick_won(trick: Trick, last: Seat, telling: Telling) -> str:
    if trick.winner is None:
        return telling.say("nobody_wins", number=trick.number)
    if trick.winner == last:
        return telling.say("wins", number=trick.number)
    return telling.say("other_wins", winner=telling.name(trick.winner), number=trick.number)


def _claimed(event: TricksClaimed, telling: Telling) -> str:
    return telling.say("claims", who=telling.name(event.seat), tricks=telling.counts(event.tricks))


def _abandoned(event: DealAbandoned, telling: Telling) -> str:
    if event.pays is None:
        return telling.say("gives_up", who=telling.name(event.seat))
    outcome = OUTCOMES[event.pays][telling.style.lang]
    return telling.say("gives_up_as", who=telling.name(event.seat), outcome=outcome)


def _surrender_answered(event: SurrenderAnswered, telling: Telling) -> str:
    return _who(f"{event.answer}_surrender")(event, telling)


def _withdrawn(event: ActionWithdrawn, telling: Telling) -> str:
    return _after_colon(telling.say("withdrawn", of=event.of), event.text)


def _result(event: ResultRecorded, telling: Telling) -> str:
    style, parts = telling.style, []
    if event.declarer is not None:
        parts.append(telling.name(event.declarer))
    if event.contract is not None:
        parts.append(names.game(telling.after, event.contract, event.trump, style))
    if event.tricks:
        parts.append(telling.say("tricks", counts=telling.counts(event.tricks)))
    if event.outcome is not None:
        parts.append(OUTCOMES[event.outcome][style.lang])
    if event.slam is not None:
        parts.append(OUTCOMES[f"slam_{event.slam}"][style.lang])
    if event.primeras:
        parts.append("primeras")
    if event.estuches:
        parts.append(f"{event.estuches} estuches")
    return telling.say("result", result=", ".join(parts)) if parts else telling.say("result_empty")


def _irregularity(event: IrregularityNoted, telling: Telling) -> str:
    kind = kind_called(event.kind, telling.style.lang)
    told = telling.say("irregularity", who=telling.name(event.seat), kind=kind)
    if event.by_seat is not None:
        told += telling.say("called_by", by=telling.name(event.by_seat))
    return _after_colon(told, event.text)


def _ruling(event: RulingMade, telling: Telling) -> str:
    parts = []
    if event.outcome is not None:
        parts.append(OUTCOMES[event.outcome][telling.style.lang])
    if event.at_fault is not None:
        parts.append(telling.say("at_fault", name=telling.name(event.at_fault)))
    if event.payments:
        parts.append(telling.chips(event.payments))
    if event.penalty:
        parts.append(telling.say("penalty", points=telling.counts(event.penalty)))
    # The words may end in a stop of their own; the sentence goes on.
    text = event.text if not parts or event.text.endswith("..") else event.text.removesuffix(".")
    return "; ".join((telling.say("ruling", text=text), *parts))


def _note(event: NoteAdded, telling: Telling) -> str:
    text = " ".join((f"{event.mark} " if event.mark else "").split() + event.text.split())
    told = telling.say("note", text=text)
    if event.on is not None:
        told = telling.say("note_on", text=text, on=names.place_label("entry", telling.style, seq=event.on))
    return f"{told} — {event.author}" if event.author else told


def _closed(event: DealClosed, telling: Telling) -> str:
    return f"{telling.say('closed', payments=telling.chips(event.payments))} ({event.engine})"


def _after_colon(told: str, text: str | None) -> str:
    return f"{told}: {text}" if text else told


Saying = Callable[[Any, Telling], str]
SAYINGS: Final[dict[type[Event], Saying]] = {
    DealOpened: _opened,
    HandDealt: _with_cards("dealt"),
    TalonLaid: lambda event, telling: telling.say("talon", cards=telling.cards(event.cards)),
    BidMade: _bid,
    CardsShown: _shown,
    HandHeld: _with_cards("holds"),
    ContractNamed: _named,
    TrumpNamed: _trump,
    TalonTurned: _turned,
    ExchangeYielded: _who("yields"),
    TalonSeen: _talon_seen,
    CardsDiscarded: _discarded,
    CardsDrawn: _with_cards("draws"),
    HandTakenOver: _taken_over,
    CardPlayed: _played,
    SlamAnnounced: _who("slam"),
    TricksClaimed: _claimed,
    ClaimAnswered: lambda event, telling: telling.say(event.answer, who=telling.name(event.seat)),
    DealAbandoned: _abandoned,
    SurrenderOffered: _who("offers"),
    SurrenderAnswered: _surrender_answered,
    ActionWithdrawn: _withdrawn,
    ResultRecorded: _result,
    IrregularityNoted: _irregularity,
    RulingMade: _ruling,
    DealVoided: lambda event, telling: telling.say("voided", reason=event.reason),
    PuestaReserved: _who("reserves"),
    CorrectionMade: lambda event, telling: _after_colon(telling.say("corrects"), event.reason),
    GapNoted: lambda event, telling: _after_colon(telling.say("gap"), event.text),
    NoteAdded: _note,
    DealSettled: lambda event, telling: telling.say("settled", payments=telling.chips(event.payments)),
    DealClosed: _closed,
}
"""What is said of each type of event; of one that is not here, that it belongs to a table."""

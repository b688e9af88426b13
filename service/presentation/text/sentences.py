"""An entry of a log in words: one sentence for each type of event, chosen from a table."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from engine import Entry, State
from engine.core.cards import SEAT_BY_NAME, Card, Seat, Suit
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
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import finding_kind_name
from service.presentation.text import names
from service.presentation.text.phrases import EVENT_PHRASES
from service.presentation.text.style import TextStyle


class SentenceContext(NamedTuple):
    """What a sentence about an entry needs: the state before and after it, and how it looks."""

    state_before: State
    state_after: State
    style: TextStyle

    def format_phrase(self, phrase: str, **parts: object) -> str:
        """A phrase of the language with its parts filled in."""
        return gettext(EVENT_PHRASES[phrase], self.style.lang).format(**parts)

    def player_label(self, seat: Seat | None) -> str:
        """Who plays at ``seat``."""
        return names.player_label(self.state_after, seat, self.style)

    def suit_name(self, suit: Suit) -> str:
        """A suit in words."""
        return names.suit_name(suit, self.style)

    def format_cards(self, cards: tuple[Card, ...]) -> str:
        """Some cards, the hidden ones counted."""
        return names.format_cards(cards, self.style)

    def card_name(self, card: Card) -> str:
        """A card in words."""
        return names.card_name(self.state_after, card, self.style)

    def format_chips(self, payments: Iterable[tuple[str, int]]) -> str:
        """Chips by seat or name: "Anna +2, Bo −4, Carl +2"."""
        return ", ".join(f"{self._chip_owner(name)} {self.style.chips(amount)}" for name, amount in payments)

    def format_counts(self, counts: Iterable[tuple[Seat, int]]) -> str:
        """A number for some seats: "Anna 5, Bo 4"."""
        return ", ".join(f"{self.player_label(seat)} {count}" for seat, count in counts)

    def _chip_owner(self, name: str) -> str:
        seat = SEAT_BY_NAME.get(name)
        return name if seat is None else self.player_label(seat)


def entry_sentence(entry: Entry, context: SentenceContext) -> str:
    """What ``entry`` says, in one sentence without a full stop."""
    build_sentence = SENTENCE_BUILDERS.get(type(entry.event))
    if build_sentence is None:
        sentence = context.format_phrase("of_a_table", name=type_name(type(entry.event)).replace("_", " "))
    else:
        sentence = build_sentence(entry.event, context)
    return capitalize_first(sentence)


def capitalize_first(text: str) -> str:
    """``text`` with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def _build_seat_sentence(phrase: str) -> "SentenceBuilder":
    """The sentence of an event that only says whose it is."""
    return lambda event, context: context.format_phrase(phrase, who=context.player_label(event.seat))


def _opening_sentence(event: DealOpened, context: SentenceContext) -> str:
    return context.format_phrase(
        "opened",
        forehand=context.player_label(SEAT_BY_NAME["forehand"]),
        middlehand=context.player_label(SEAT_BY_NAME["middlehand"]),
        backhand=context.player_label(SEAT_BY_NAME["backhand"]),
    )


def _build_cards_sentence(phrase: str) -> "SentenceBuilder":
    return lambda event, context: context.format_phrase(
        phrase, who=context.player_label(event.seat), cards=context.format_cards(event.cards)
    )


def _bid_sentence(event: BidMade, context: SentenceContext) -> str:
    phrase = {"pass": "passes", "self": "says_self"}.get(event.bid, "bids")
    sentence = context.format_phrase(
        phrase,
        who=context.player_label(event.seat),
        bid=names.game_words(context.state_after, context.style).bid(event.bid),
    )
    if event.trump is not None:
        sentence += context.format_phrase("too_early", suit=context.suit_name(event.trump))
    return (
        sentence
        if event.said is None
        else sentence + context.format_phrase("in_these_words", said=event.said)
    )


def _cards_shown_sentence(event: CardsShown, context: SentenceContext) -> str:
    return _append_after_colon(_build_cards_sentence("shows")(event, context), event.why)


def _contract_sentence(event: ContractNamed, context: SentenceContext) -> str:
    trump = event.trump if event.trump is not None else context.state_after.contract_state.trump
    contract = names.game_name(context.state_after, event.contract, trump, context.style)
    return context.format_phrase("has_the_contract", who=context.player_label(event.seat), contract=contract)


def _trump_sentence(event: TrumpNamed, context: SentenceContext) -> str:
    return context.format_phrase(
        "names_trumps", who=context.player_label(event.seat), suit=context.suit_name(event.trump)
    )


def _talon_turned_sentence(event: TalonTurned, context: SentenceContext) -> str:
    trump = context.state_after.contract_state.trump
    if trump is None or not 0 <= trump < 4:
        return context.format_phrase("turned_hidden")
    return context.format_phrase("turned", card=context.style.card(event.card), suit=context.suit_name(trump))


def _talon_seen_sentence(event: TalonSeen, context: SentenceContext) -> str:
    player_names = names.join_names(
        [context.player_label(seat) for seat in event.seats] or [context.player_label(None)], context.style
    )
    return context.format_phrase("talon_seen", names=player_names, cards=context.format_cards(event.cards))


def _discard_sentence(event: CardsDiscarded, context: SentenceContext) -> str:
    return _build_cards_sentence("discards" if event.cards else "stands")(event, context)


def _takeover_sentence(event: HandTakenOver, context: SentenceContext) -> str:
    previous_player = names.player_label(context.state_before, event.seat, context.style)
    return context.format_phrase("takes_over", player=event.player, who=previous_player)


def _play_sentence(event: CardPlayed, context: SentenceContext) -> str:
    before, after = context.state_before.play, context.state_after.play
    player, card = context.player_label(event.seat), context.card_name(event.card)
    if len(context.state_after.ending.uncounted_plays) > len(context.state_before.ending.uncounted_plays):
        return context.format_phrase("plays_on", who=player, card=card)
    sentence = context.format_phrase("leads" if not before.cards else "plays", who=player, card=card)
    if len(after.tricks) == len(before.tricks):
        return sentence
    return sentence + _trick_won_ending(after.tricks[-1], event.seat, context)


def _trick_won_ending(trick: Trick, last: Seat, context: SentenceContext) -> str:
    if trick.winner is None:
        return context.format_phrase("nobody_wins", number=trick.number)
    if trick.winner == last:
        return context.format_phrase("wins", number=trick.number)
    return context.format_phrase("other_wins", winner=context.player_label(trick.winner), number=trick.number)


def _claim_sentence(event: TricksClaimed, context: SentenceContext) -> str:
    return context.format_phrase(
        "claims", who=context.player_label(event.seat), tricks=context.format_counts(event.tricks)
    )


def _abandonment_sentence(event: DealAbandoned, context: SentenceContext) -> str:
    if event.pays is None:
        return context.format_phrase("gives_up", who=context.player_label(event.seat))
    outcome = gettext(OUTCOME_TERMS[event.pays], context.style.lang)
    return context.format_phrase("gives_up_as", who=context.player_label(event.seat), outcome=outcome)


def _surrender_answer_sentence(event: SurrenderAnswered, context: SentenceContext) -> str:
    return _build_seat_sentence(f"{event.answer}_surrender")(event, context)


def _withdrawal_sentence(event: ActionWithdrawn, context: SentenceContext) -> str:
    return _append_after_colon(context.format_phrase("withdrawn", of=event.of), event.text)


def _result_sentence(event: ResultRecorded, context: SentenceContext) -> str:
    style, parts = context.style, []
    if event.declarer is not None:
        parts.append(context.player_label(event.declarer))
    if event.contract is not None:
        parts.append(names.game_name(context.state_after, event.contract, event.trump, style))
    if event.tricks:
        parts.append(context.format_phrase("tricks", counts=context.format_counts(event.tricks)))
    if event.outcome is not None:
        parts.append(gettext(OUTCOME_TERMS[event.outcome], style.lang))
    if event.slam is not None:
        parts.append(gettext(OUTCOME_TERMS[f"slam_{event.slam}"], style.lang))
    if event.primeras:
        parts.append("primeras")
    if event.estuches:
        parts.append(f"{event.estuches} estuches")
    return (
        context.format_phrase("result", result=", ".join(parts))
        if parts
        else context.format_phrase("result_empty")
    )


def _irregularity_sentence(event: IrregularityNoted, context: SentenceContext) -> str:
    kind = finding_kind_name(event.kind, context.style.lang)
    sentence = context.format_phrase("irregularity", who=context.player_label(event.seat), kind=kind)
    if event.by_seat is not None:
        sentence += context.format_phrase("called_by", by=context.player_label(event.by_seat))
    return _append_after_colon(sentence, event.text)


def _ruling_sentence(event: RulingMade, context: SentenceContext) -> str:
    parts = []
    if event.outcome is not None:
        parts.append(gettext(OUTCOME_TERMS[event.outcome], context.style.lang))
    if event.at_fault is not None:
        parts.append(context.format_phrase("at_fault", name=context.player_label(event.at_fault)))
    if event.payments:
        parts.append(context.format_chips(event.payments))
    if event.penalty:
        parts.append(context.format_phrase("penalty", points=context.format_counts(event.penalty)))
    # The words may end in a stop of their own; the sentence goes on.
    text = event.text if not parts or event.text.endswith("..") else event.text.removesuffix(".")
    return "; ".join((context.format_phrase("ruling", text=text), *parts))


def _note_sentence(event: NoteAdded, context: SentenceContext) -> str:
    text = " ".join((f"{event.mark} " if event.mark else "").split() + event.text.split())
    sentence = context.format_phrase("note", text=text)
    if event.on is not None:
        sentence = context.format_phrase(
            "note_on", text=text, on=names.location_label("entry", context.style, seq=event.on)
        )
    return f"{sentence} — {event.author}" if event.author else sentence


def _closing_sentence(event: DealClosed, context: SentenceContext) -> str:
    return (
        f"{context.format_phrase('closed', payments=context.format_chips(event.payments))} ({event.engine})"
    )


def _append_after_colon(sentence: str, text: str | None) -> str:
    return f"{sentence}: {text}" if text else sentence


SentenceBuilder = Callable[[Any, SentenceContext], str]
SENTENCE_BUILDERS: Final[dict[type[Event], SentenceBuilder]] = {
    DealOpened: _opening_sentence,
    HandDealt: _build_cards_sentence("dealt"),
    TalonLaid: lambda event, context: context.format_phrase("talon", cards=context.format_cards(event.cards)),
    BidMade: _bid_sentence,
    CardsShown: _cards_shown_sentence,
    HandHeld: _build_cards_sentence("holds"),
    ContractNamed: _contract_sentence,
    TrumpNamed: _trump_sentence,
    TalonTurned: _talon_turned_sentence,
    ExchangeYielded: _build_seat_sentence("yields"),
    TalonSeen: _talon_seen_sentence,
    CardsDiscarded: _discard_sentence,
    CardsDrawn: _build_cards_sentence("draws"),
    HandTakenOver: _takeover_sentence,
    CardPlayed: _play_sentence,
    SlamAnnounced: _build_seat_sentence("slam"),
    TricksClaimed: _claim_sentence,
    ClaimAnswered: lambda event, context: context.format_phrase(
        event.answer, who=context.player_label(event.seat)
    ),
    DealAbandoned: _abandonment_sentence,
    SurrenderOffered: _build_seat_sentence("offers"),
    SurrenderAnswered: _surrender_answer_sentence,
    ActionWithdrawn: _withdrawal_sentence,
    ResultRecorded: _result_sentence,
    IrregularityNoted: _irregularity_sentence,
    RulingMade: _ruling_sentence,
    DealVoided: lambda event, context: context.format_phrase("voided", reason=event.reason),
    PuestaReserved: _build_seat_sentence("reserves"),
    CorrectionMade: lambda event, context: _append_after_colon(
        context.format_phrase("corrects"), event.reason
    ),
    GapNoted: lambda event, context: _append_after_colon(context.format_phrase("gap"), event.text),
    NoteAdded: _note_sentence,
    DealSettled: lambda event, context: context.format_phrase(
        "settled", payments=context.format_chips(event.payments)
    ),
    DealClosed: _closing_sentence,
}
"""What is said of each type of event; of one that is not here, that it belongs to a table."""

"""An entry of a log in words: one sentence for each type of event; the effects of rulings."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from engine import Entry, State, evolve
from engine.core.cards import SEAT_BY_NAME, Seat
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
from engine.play.state import FINISHED
from engine.rulings import RulingEffect, SeatPenalty
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import finding_kind_name
from service.presentation.text import names
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES


class SentenceContext(NamedTuple):
    """What a sentence about an entry needs: the state before and after it, and the style."""

    state_before: State
    state_after: State
    style: TextStyle

    def phrase(self, text: str, event: Event, /, **parts: object) -> str:
        """An English text in the language, with ``parts`` and `EVENT_PARTS` of ``event`` filled in."""
        for part, (field, format_part) in EVENT_PARTS.items():
            if f"{{{part}}}" in text and part not in parts:
                parts[part] = format_part(self, getattr(event, field))
        return self.style.phrase(text, **parts)

    def player_label(self, seat: Seat | None) -> str:
        """Who plays at ``seat``."""
        return names.player_label(self.state_after, seat, self.style)

    def format_chips(self, payments: Iterable[tuple[str, int]]) -> str:
        """Chips by seat or name: "Anna +2, Bo −4, Carl +2"."""
        return ", ".join(
            f"{names.chip_owner(self.state_after, name, self.style)} {self.style.chips(amount)}"
            for name, amount in payments
        )

    def format_counts(self, counts: Iterable[tuple[Seat, int]]) -> str:
        """A number for some seats: "Anna 5, Bo 4"."""
        return ", ".join(f"{self.player_label(seat)} {count}" for seat, count in counts)


EVENT_PARTS: Final[dict[str, tuple[str, Callable[[SentenceContext, Any], str]]]] = {
    "who": ("seat", SentenceContext.player_label),
    "cards": ("cards", lambda context, cards: names.format_cards(cards, context.style)),
    "card": ("card", lambda context, card: names.card_name(context.state_after, card, context.style)),
    "suit": ("trump", lambda context, trump: names.suit_name(trump, context.style)),
    "tricks": ("tricks", SentenceContext.format_counts),
    "payments": ("payments", SentenceContext.format_chips),
    "reason": ("reason", lambda _, reason: reason),
}
"""By a part of a phrase: the field of the event that it shows, and how this is formatted."""


def entry_sentence(entry: Entry, context: SentenceContext) -> str:
    """An entry as a sentence without a full stop."""
    event = entry.event
    if type(event) in PLAIN_SENTENCES:
        sentence = context.phrase(PLAIN_SENTENCES[type(event)], event)
    elif build_sentence := SENTENCE_BUILDERS.get(type(event)):
        sentence = build_sentence(event, context)
    else:
        name = type_name(type(event)).replace("_", " ")
        sentence = context.phrase("{name}, which belongs to a table", event, name=name)
    return capitalize_first(sentence)


def successive_sentences(before: State, entries: Iterable[Entry], style: TextStyle) -> Iterator[str]:
    """The sentences of entries that follow the state ``before``."""
    for entry in entries:
        after = evolve(before, entry)
        yield entry_sentence(entry, SentenceContext(before, after, style))
        before = after


def capitalize_first(text: str) -> str:
    """``text`` with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def seating_phrase(state: State, style: TextStyle) -> str:
    """Who sits where."""
    seats = {name: names.player_label(state, seat, style) for name, seat in SEAT_BY_NAME.items()}
    return style.phrase("{forehand} is forehand, {middlehand} middlehand, {backhand} backhand", **seats)


def bid_remarks(event: BidMade, style: TextStyle) -> str:
    """What was said besides a bid: trumps, and the words."""
    remarks = ""
    if event.trump is not None:
        remarks += style.phrase(", naming {suit} already", suit=names.suit_name(event.trump, style))
    if event.said is not None:
        remarks += style.phrase(": “{said}”", said=event.said)
    return remarks


def _bid_sentence(event: BidMade, context: SentenceContext) -> str:
    if event.bid == "pass":
        sentence = context.phrase("{who} passes", event)
    elif event.bid == "self":
        sentence = context.phrase("{who} says self and takes over the bid", event)
    else:
        bid = names.game_words(context.state_after, context.style).bid(event.bid)
        sentence = context.phrase("{who} bids {bid}", event, bid=bid)
    return sentence + bid_remarks(event, context.style)


def _contract_sentence(event: ContractNamed, context: SentenceContext) -> str:
    trump = event.trump if event.trump is not None else context.state_after.contract_state.trump
    contract = names.game_name(context.state_after, event.contract, trump, context.style)
    return context.phrase("{who} has the contract: {contract}", event, contract=contract)


def _talon_turned_sentence(event: TalonTurned, context: SentenceContext) -> str:
    trump = context.state_after.contract_state.trump
    if trump is None or not 0 <= trump < 4:
        return context.phrase("a card is turned", event)
    card, suit = context.style.card(event.card), names.suit_name(trump, context.style)
    return context.phrase("{card} is turned: {suit} are trumps", event, card=card, suit=suit)


def _talon_seen_sentence(event: TalonSeen, context: SentenceContext) -> str:
    players = [context.player_label(seat) for seat in event.seats or (None,)]
    listed = names.join_names(players, context.style)
    return context.phrase("the rest of the talon is seen by {names}: {cards}", event, names=listed)


def _discard_sentence(event: CardsDiscarded, context: SentenceContext) -> str:
    return context.phrase("{who} discards {cards}" if event.cards else "{who} discards nothing", event)


def _takeover_sentence(event: HandTakenOver, context: SentenceContext) -> str:
    previous_player = names.player_label(context.state_before, event.seat, context.style)
    return context.phrase(
        "{player} takes over the hand of {who}", event, player=event.player, who=previous_player
    )


def _play_sentence(event: CardPlayed, context: SentenceContext) -> str:
    before, after = context.state_before.play, context.state_after.play
    if len(context.state_after.ending.uncounted_plays) > len(context.state_before.ending.uncounted_plays):
        if context.state_before.phase == FINISHED:
            number = context.state_after.ending.tricks_played_on[-1].number
            return context.phrase("{who} plays {card} — trick {number}, played on", event, number=number)
        return context.phrase("{who} plays {card}, which does not count", event)
    sentence = context.phrase("{who} plays {card}" if before.cards else "{who} leads {card}", event)
    if len(after.tricks) == len(before.tricks):
        return sentence
    trick = after.tricks[-1]
    number = trick.number
    if trick.winner is None:
        return sentence + context.style.phrase(" — who wins trick {number} is not known", number=number)
    if trick.winner == event.seat:
        return sentence + context.style.phrase(" — wins trick {number}", number=number)
    winner = context.player_label(trick.winner)
    return sentence + context.style.phrase(" — {winner} wins trick {number}", winner=winner, number=number)


def _abandonment_sentence(event: DealAbandoned, context: SentenceContext) -> str:
    if event.pays is None:
        return context.phrase("{who} gives up", event)
    outcome = gettext(OUTCOME_TERMS[event.pays], context.style.lang)
    return context.phrase("{who} gives up, to pay as {outcome}", event, outcome=outcome)


def _result_sentence(event: ResultRecorded, context: SentenceContext) -> str:
    style, parts = context.style, []
    if event.declarer is not None:
        parts.append(context.player_label(event.declarer))
    if event.contract is not None:
        parts.append(names.game_name(context.state_after, event.contract, event.trump, style))
    if event.tricks:
        parts.append(style.phrase("tricks {counts}", counts=context.format_counts(event.tricks)))
    if event.outcome is not None:
        parts.append(gettext(OUTCOME_TERMS[event.outcome], style.lang))
    if event.slam is not None:
        parts.append(gettext(OUTCOME_TERMS[f"slam_{event.slam}"], style.lang))
    if event.primeras:
        parts.append("primeras")
    if event.estuches:
        parts.append(f"{event.estuches} estuches")
    if not parts:
        return style.phrase("the slip says nothing")
    return style.phrase("the slip says: {result}", result=", ".join(parts))


def _irregularity_sentence(event: IrregularityNoted, context: SentenceContext) -> str:
    kind = finding_kind_name(event.kind, context.style.lang)
    sentence = context.phrase("{kind} is called against {who}", event, kind=kind)
    if event.by_seat is not None:
        sentence += context.style.phrase(" by {by}", by=context.player_label(event.by_seat))
    return _append_after_colon(sentence, event.text)


def _ruling_sentence(event: RulingMade, context: SentenceContext) -> str:
    style, parts = context.style, []
    if event.outcome is not None:
        parts.append(gettext(OUTCOME_TERMS[event.outcome], style.lang))
    if event.at_fault is not None:
        parts.append(style.phrase("at fault: {name}", name=context.player_label(event.at_fault)))
    if event.payments:
        parts.append(context.format_chips(event.payments))
    if event.penalty:
        parts.append(style.phrase("penalty: {points}", points=context.format_counts(event.penalty)))
    # The words may end in a stop of their own; the sentence goes on.
    text = event.text if not parts or event.text.endswith("..") else event.text.removesuffix(".")
    return "; ".join((style.phrase("the director rules: {text}", text=text), *parts))


def _note_sentence(event: NoteAdded, context: SentenceContext) -> str:
    text = " ".join((f"{event.mark} " if event.mark else "").split() + event.text.split())
    if event.on is None:
        sentence = context.style.phrase("note: “{text}”", text=text)
    else:
        place = context.style.phrase(LABEL_PHRASES["entry"], seq=event.on)
        sentence = context.style.phrase("note on {on}: “{text}”", text=text, on=place)
    return f"{sentence} — {event.author}" if event.author else sentence


def _append_after_colon(sentence: str, text: str | None) -> str:
    return f"{sentence}: {text}" if text else sentence


PLAIN_SENTENCES: Final[dict[type[Event], str]] = {
    HandDealt: "{who} is dealt {cards}",
    TalonLaid: "the talon is laid, top first: {cards}",
    HandHeld: "{who} has now {cards}",
    TrumpNamed: "{who} names trumps: {suit}",
    ExchangeYielded: "{who} yields the first choice of the talon",
    CardsDrawn: "{who} draws {cards}",
    SlamAnnounced: "{who} goes for all nine tricks",
    TricksClaimed: "{who} claims: {tricks}",
    SurrenderOffered: "{who} offers to surrender",
    DealVoided: "the deal is void: {reason}",
    PuestaReserved: "{who} sets the puesta aside",
    DealSettled: "paid at the table: {payments}",
}
"""The sentences that take only fields of their event."""

SENTENCE_BUILDERS: Final[dict[type[Event], Callable[[Any, SentenceContext], str]]] = {
    DealOpened: lambda _, context: seating_phrase(context.state_after, context.style),
    BidMade: _bid_sentence,
    CardsShown: lambda event, context: _append_after_colon(
        context.phrase("{who} shows {cards}", event), event.why
    ),
    ContractNamed: _contract_sentence,
    TalonTurned: _talon_turned_sentence,
    TalonSeen: _talon_seen_sentence,
    CardsDiscarded: _discard_sentence,
    HandTakenOver: _takeover_sentence,
    CardPlayed: _play_sentence,
    ClaimAnswered: lambda event, context: context.phrase(
        "{who} accepts the claim" if event.answer == "accept" else "{who} contests the claim", event
    ),
    DealAbandoned: _abandonment_sentence,
    SurrenderAnswered: lambda event, context: context.phrase(
        "{who} accepts the surrender"
        if event.answer == "accept"
        else "{who} forbids the surrender and plays on alone",
        event,
    ),
    ActionWithdrawn: lambda event, context: _append_after_colon(
        context.phrase("entry {of} is taken back", event, of=event.of), event.text
    ),
    ResultRecorded: _result_sentence,
    IrregularityNoted: _irregularity_sentence,
    RulingMade: _ruling_sentence,
    CorrectionMade: lambda event, context: _append_after_colon(
        context.phrase("the record is corrected", event), event.reason
    ),
    GapNoted: lambda event, context: _append_after_colon(
        context.phrase("entries are missing here", event), event.text
    ),
    NoteAdded: _note_sentence,
    DealClosed: lambda event, context: (
        f"{context.phrase('the record is closed: {payments}', event)} ({event.engine})"
    ),
}
"""The functions that build other sentences; an event without any belongs to a table."""


def ruling_lines(ruling: RulingEffect, context: SentenceContext) -> Iterator[str]:
    """How a ruling changes the payments of a deal, in sentences."""
    style = context.style
    if not ruling.is_in_force:
        yield style.phrase("The deal is not paid by it: a later decision applies.")
        return
    if ruling.payments_without is None:
        yield style.phrase("Without it the record leaves open what is paid.")
    else:
        payments = context.format_chips(ruling.payments_without)
        yield style.phrase("Without it: {payments}.", payments=payments)
    if ruling.payments is None:
        yield style.phrase("The rules do not say what that pays.")
    elif ruling.differences:
        payments = context.format_chips(ruling.differences)
        yield style.phrase("What it changes: {payments}.", payments=payments)
    elif ruling.differences is not None:
        yield style.phrase("It changes no payment.")


def penalty_lines(penalties: Iterable[SeatPenalty], context: SentenceContext) -> Iterator[str]:
    """The penalty points that are possible and that were given, a line for each seat."""
    style = context.style
    for one in penalties:
        seqs = one.offence_seqs or one.ruling_seqs
        listed = ", ".join(map(str, seqs))
        yield style.phrase(
            "{name}: {points} possible, for {entries}; {given} given"
            if one.offence_seqs
            else "{name}: {given} given in {entries}",
            name=context.player_label(one.seat),
            points=one.possible_points,
            given=one.given_points,
            entries=style.phrase("entry {seqs}" if len(seqs) == 1 else "entries {seqs}", seqs=listed),
        )

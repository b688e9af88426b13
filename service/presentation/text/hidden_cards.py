"""What the hidden cards of a deal can be, in words, hand by hand."""

from collections.abc import Iterator, Mapping
from math import log10
from typing import Final, NamedTuple

from engine import Audit, State, initial_state
from engine.core.cards import CARD_BITS, SEATS, Card, Seat, mask_of_cards
from engine.core.events import (
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    Event,
    HandDealt,
    HandHeld,
    TalonLaid,
    TalonSeen,
    TalonTurned,
)
from engine.core.field_types import Seq
from engine.inference.consistent_deals import CompleteDeal, DealCount
from engine.inference.unseen_cards import HiddenCard, UnseenCards, count_deals_by_card
from engine.play.state import PLAY
from schemas.i18n.catalogs import gettext, group_thousands
from service.presentation.text import names
from service.presentation.text.hands import sort_hand_mask
from service.presentation.text.sentences import capitalize_first, successive_sentences
from service.presentation.text.style import TextStyle
from service.presentation.text.words import LABEL_PHRASES

CARD_EVENT_KEYS: Final[dict[type[Event], str]] = {
    HandDealt: "dealt",
    CardsDiscarded: "discarded",
    CardsDrawn: "drawn",
    CardsShown: "shown",
    HandHeld: "held",
    TalonLaid: "talon",
    TalonSeen: "left",
    TalonTurned: "turned",
}
"""By the type of an event, the phrase for its cards."""

HIDDEN_CARD_PHRASES: Final = {
    "trick": "trick {tricks}",
    "tricks": "tricks {tricks}",
    "played": "played on (entry {seq})",
    "dealt": "dealt",
    "discarded": "discarded",
    "drawn": "drawn",
    "shown": "shown (entry {seq})",
    "held": "held (entry {seq})",
    "talon": "the talon",
    "left": "left in the talon",
    "turned": "turned",
    "now": "in the hand now",
    "is": "{what}: {cards}, and nothing else",
    "are": "{what}: {cards}, {all}",
    "one": "{what}: exactly {cards}",
    "some": "{what}: {count} of {cards}",
    "at_most": "{what}: nothing but {cards}, perhaps not each of these",
    "none": "{what}: no card fits",
    "many": "{what}: {lead}",
    "lead_many_one": "any of {total} cards",
    "lead_many_some": "{count} of {total} cards",
    "lead_many_at_most": "{count} of at most {total} cards",
    "lead_is": "",
    "lead_are": "all of",
    "lead_one": "exactly one of",
    "lead_some": "{count} of",
    "lead_at_most": "{count} of, perhaps not each,",
    "lead_none": "no card fits",
    "also": "{phrase}; {cards} only if somebody broke a rule of play",
    "also_many": "{phrase}; other cards only if somebody broke a rule of play",
    "certain": "{phrase}; certainly {cards}",
    "or": "or",
    "lawful": "{count} complete deals agree with the record if everybody followed suit when required.",
    "excepting": (
        "{count} complete deals agree with the record if everybody followed suit when required "
        "except at {seqs}, where the cards as written prove a revoke."
    ),
    "physical": "{count} agree if only the cards count.",
    "between": "{least} to {most}",
    "at_least": "at least {least}",
    "millions": "about {count} million",
    "billions": "more than a billion (about {power})",
    "uncounted": "How many complete deals agree takes longer to count.",
    "these": "these {count}: {cards}",
    "share": "{what} in {deals}",
    "shares_uncounted": "In how many deals entry {seq} is which card takes longer to count.",
    "shares": "In how many lawful deals entry {seq} is which card: {shares}.",
    "no_shares": "Entry {seq} plays no hidden card, so nothing is counted of it.",
    "undecided": "Not everything could be tried: everything possible is named, and perhaps more.",
    "revoked": (
        "No complete deal agrees if everybody followed suit when required: somebody revoked, and "
        "the cards do not say who. What is named here is possible as far as the cards alone "
        "decide."
    ),
    "impossible": "No complete deal agrees with the record. These entries cannot all be true:",
    "impossible_alone": ("No complete deal agrees with the record. This entry contradicts the others:"),
    "impossible_somewhere": (
        "No complete deal agrees with the record; which entries contradict each other takes longer to find."
    ),
    "nothing": "No card is hidden.",
    "witness": "One complete deal that agrees",
    "no_witness": "None was found in the time allowed.",
}
"""The phrases; ``{what}`` says which cards of a player these are, ``{count}`` how many."""

AS_RECORDED: Final[Mapping[Seq, Seq]] = {}
"""Each entry has its own number."""
MAX_CARDS_IN_SENTENCE: Final = 10
"""Longer lists of cards have no commas."""
MAX_LISTED_CARDS: Final = 15
"""A report does not list more cards that a hidden card can be: they tell nothing."""
MILLION, BILLION = 10**6, 10**9
SUPERSCRIPTS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class PossibleCards(NamedTuple):
    """Hidden cards of which the same is known: whose they are, what was done with them, how many there are.

    ``possible_mask`` is what they can be, ``physical_only_mask`` what else if a rule of play was broken,
    ``certain_mask`` what is certainly among them. ``is_exact``: nothing else is possible, and each of it is.
    """

    seat: Seat | None
    label: str
    size: int
    possible_mask: int
    physical_only_mask: int
    is_exact: bool
    certain_mask: int = 0


def hidden_card_phrase(key: str, style: TextStyle, **parts: object) -> str:
    """One of `HIDDEN_CARD_PHRASES` in the language, with its parts filled in."""
    return style.phrase(HIDDEN_CARD_PHRASES[key], "hidden card", **parts)


def has_hidden_cards(audit: Audit) -> bool:
    """Whether a card is hidden in an entry, or in a hand during the play."""
    state = audit.state
    if any(not CARD_BITS[card] for entry in audit.history.entries for card in _event_cards(entry.event)):
        return True
    playing = state.phase == PLAY and (state.play.tricks or state.play.cards)
    return bool(playing and any(state.play.hidden_slots))


def _event_cards(event: Event) -> tuple[Card, ...]:
    if isinstance(event, CardPlayed | TalonTurned):
        return (event.card,)
    return getattr(event, "cards", ()) if type(event) in CARD_EVENT_KEYS else ()


def list_possible_cards(
    unseen_cards: UnseenCards,
    audit: Audit,
    style: TextStyle,
    only_seat: Seat | None = None,
    original_seqs: Mapping[Seq, Seq] = AS_RECORDED,
) -> list[PossibleCards]:
    """List what the hidden cards can be, forehand's first and the talon last; or only those of one seat.

    ``original_seqs`` maps entries that are not in the record to those they are reported as.
    """
    found = list(_possible_cards_of_entries(unseen_cards, audit, style, original_seqs))
    if not audit.state.is_incomplete:
        # Missing entries may have played any of the cards in a hand.
        found += _possible_cards_of_hands(unseen_cards, style)
    shown = [one for one in found if only_seat is None or one.seat == only_seat]
    return sorted(shown, key=lambda one: len(SEATS) if one.seat is None else one.seat)


def _possible_cards_of_entries(
    unseen_cards: UnseenCards, audit: Audit, style: TextStyle, original_seqs: Mapping[Seq, Seq]
) -> Iterator[PossibleCards]:
    entries = {entry.seq: entry.event for entry in audit.history.entries}
    tricks = _trick_numbers_by_seq(audit.state)
    groups: dict[tuple[object, ...], list[HiddenCard]] = {}
    for card in unseen_cards.cards:
        event = entries[card.seq]
        # Played cards of a seat are grouped, others stand entry by entry.
        group_key = getattr(event, "seat", None) if card.seq in tricks else card.seq
        groups.setdefault((type(event), group_key, card.physical, card.lawful), []).append(card)
    for cards in groups.values():
        first = cards[0]
        event = entries[first.seq]
        known = [tricks[one.seq] for one in cards if one.seq in tricks]
        levels = _split_by_level(unseen_cards, first.physical, first.lawful)
        what = _hidden_card_label(event, original_seqs.get(first.seq, first.seq), known, style)
        yield PossibleCards(getattr(event, "seat", None), what, len(cards), *levels)


def _possible_cards_of_hands(unseen_cards: UnseenCards, style: TextStyle) -> Iterator[PossibleCards]:
    """The current hands that are not fully known."""
    is_lawful = unseen_cards.evidence.lawful.is_consistent is not False
    what = hidden_card_phrase("now", style)
    for one in unseen_cards.hands:
        levels = _split_by_level(unseen_cards, one.physical, one.lawful)
        possible_mask, _, is_exact = levels
        if possible_mask.bit_count() > one.size or (possible_mask and not is_exact):
            certain_mask = one.certain_lawful if is_lawful else one.certain_physical
            yield PossibleCards(one.seat, what, one.size, *levels, certain_mask)


def _split_by_level(unseen_cards: UnseenCards, physical: int, lawful: int) -> tuple[int, int, bool]:
    """What is possible, what else if a rule of play was broken, and whether this is exact."""
    if unseen_cards.evidence.lawful.is_consistent is False:
        return physical, 0, unseen_cards.evidence.physical.is_exact
    return lawful, physical & ~lawful, unseen_cards.evidence.lawful.is_exact


def _trick_numbers_by_seq(state: State) -> dict[Seq, int]:
    """The trick of each card played, by its entry."""
    play = state.play
    of_tricks = {seq: trick.number for trick in play.tricks for seq in trick.seqs}
    return of_tricks | dict.fromkeys(play.seqs, len(play.tricks) + 1)


def _hidden_card_label(event: Event, seq: Seq, tricks: list[int], style: TextStyle) -> str:
    if tricks:
        key = "tricks" if len(tricks) > 1 else "trick"
        listed = names.join_names(map(str, tricks), style)
        return hidden_card_phrase(key, style, tricks=listed)
    key = "played" if isinstance(event, CardPlayed) else CARD_EVENT_KEYS[type(event)]
    return hidden_card_phrase(key, style, seq=seq)


# --- In sentences ---------------------------------------------------------------------------------


def all_of_phrase(size: int, lang: str) -> str:
    """The phrase for all of ``size`` cards; Danish has "both" for two, and the number up to thirteen."""
    return gettext("all of them", lang, f"{min(size, 14)} cards")


def is_proved(possible_cards: PossibleCards) -> bool:
    """Whether it is certain which cards these are, even if a rule of play was broken."""
    only_these = possible_cards.possible_mask.bit_count() == possible_cards.size
    return only_these and not possible_cards.physical_only_mask


def has_many_cards(possible_cards: PossibleCards, max_cards: int = MAX_LISTED_CARDS) -> bool:
    """Whether too many cards are possible to list them; then only their number is stated."""
    return possible_cards.possible_mask.bit_count() > max(possible_cards.size, max_cards)


def listed_physical_cards(possible_cards: PossibleCards, max_cards: int = MAX_LISTED_CARDS) -> int:
    """What hidden cards can be only if a rule was broken; none where these are too many to list."""
    cards = possible_cards.possible_mask | possible_cards.physical_only_mask
    return possible_cards.physical_only_mask if cards.bit_count() <= max_cards else 0


def possible_cards_phrase(
    possible_cards: PossibleCards, state: State, style: TextStyle, max_cards: int = MAX_LISTED_CARDS
) -> str:
    """What some hidden cards can be: "trick 6: exactly ♦6, ♥J, ♥2, ♥3, ♥4 or ♥6"; of many the number."""
    if has_many_cards(possible_cards, max_cards):
        lead = quantity_phrase(possible_cards, style, max_cards)
        phrase = hidden_card_phrase("many", style, what=possible_cards.label, lead=lead)
        if not possible_cards.certain_mask:
            return phrase
        cards = _join_cards(possible_cards.certain_mask, state, style)
        return hidden_card_phrase("certain", style, phrase=phrase, cards=cards)
    phrase = hidden_card_phrase(
        _quantity_key(possible_cards),
        style,
        what=possible_cards.label,
        count=possible_cards.size,
        cards=_join_cards(possible_cards.possible_mask, state, style, is_choice=possible_cards.size == 1),
        all=all_of_phrase(possible_cards.size, style.lang),
    )
    if possible_cards.certain_mask and possible_cards.certain_mask != possible_cards.possible_mask:
        cards = _join_cards(possible_cards.certain_mask, state, style)
        phrase = hidden_card_phrase("certain", style, phrase=phrase, cards=cards)
    if possible_cards.physical_only_mask and possible_cards.possible_mask:
        cards = _join_cards(listed_physical_cards(possible_cards, max_cards), state, style)
        phrase = hidden_card_phrase("also" if cards else "also_many", style, phrase=phrase, cards=cards)
    return phrase


def quantity_phrase(
    possible_cards: PossibleCards, style: TextStyle, max_cards: int = MAX_LISTED_CARDS
) -> str:
    """The words before the cards of a diagram: "exactly", "3 of"; of many cards "3 of 24 cards"."""
    key, count = _quantity_key(possible_cards), possible_cards.size
    if not has_many_cards(possible_cards, max_cards):
        return hidden_card_phrase(f"lead_{key}", style, count=count)
    total = possible_cards.possible_mask.bit_count()
    return hidden_card_phrase(f"lead_many_{key}", style, count=count, total=total)


def _quantity_key(one: PossibleCards) -> str:
    size = one.possible_mask.bit_count()
    if not size:
        return "none"
    if size == one.size:
        return "is" if size == 1 else "are"
    if not one.is_exact:
        return "at_most"
    return "one" if one.size == 1 else "some"


def _join_cards(mask: int, state: State, style: TextStyle, is_choice: bool = False) -> str:
    """A list of cards; with ``is_choice`` the last one follows "or"."""
    cards = [style.card(card) for card in sort_hand_mask(mask, state)]
    if len(cards) > MAX_CARDS_IN_SENTENCE:
        return hidden_card_phrase("these", style, count=len(cards), cards=" ".join(cards))
    if not is_choice or len(cards) < 2:
        return names.join_names(cards, style) if cards else ""
    *others, last = cards
    return f"{', '.join(others)} {hidden_card_phrase('or', style)} {last}"


def deal_count_sentences(
    unseen_cards: UnseenCards, style: TextStyle, original_seqs: Mapping[Seq, Seq] = AS_RECORDED
) -> Iterator[str]:
    """How many deals agree with the record, and whether all was tried.

    ``original_seqs`` is as in `list_possible_cards`.
    """
    found = unseen_cards.evidence
    if found.physical.is_consistent is False:
        return
    lawful, physical = (
        _format_deal_count(one, style) for one in (unseen_cards.lawful_count, unseen_cards.physical_count)
    )
    if found.lawful.is_consistent is False:
        yield hidden_card_phrase("revoked", style)
    elif unseen_cards.lawful_count == (0, None):
        yield hidden_card_phrase("uncounted", style)
    else:
        key = "excepting" if found.revokes else "lawful"
        offences = dict.fromkeys(original_seqs.get(seq, seq) for seq in found.revokes)
        seqs = names.join_names(map(str, offences), style) if offences else ""
        yield capitalize_first(hidden_card_phrase(key, style, count=lawful, seqs=seqs))
    if physical != lawful:
        yield capitalize_first(hidden_card_phrase("physical", style, count=physical))
    if not (found.physical.is_exact and (found.lawful.is_exact or found.lawful.is_consistent is False)):
        yield hidden_card_phrase("undecided", style)


def _format_deal_count(count: DealCount, style: TextStyle) -> str:
    least = _format_large_number(count.minimum, style)
    if count.is_exact:
        return least
    if count.maximum is None:
        return hidden_card_phrase("at_least", style, least=least)
    most = _format_large_number(count.maximum, style)
    return hidden_card_phrase("between", style, least=least, most=most)


def _format_large_number(number: int, style: TextStyle) -> str:
    """A number as people say it: exact below a million, a power of ten above a billion."""
    if number < MILLION:
        return group_thousands(number, style.lang)
    if number < BILLION:
        return hidden_card_phrase("millions", style, count=round(number / MILLION))
    exponent = str(round(log10(number)))
    power = style.sign(f"10{exponent.translate(SUPERSCRIPTS)}", f"10^{exponent}")
    return hidden_card_phrase("billions", style, power=power)


def card_shares_sentence(unseen_cards: UnseenCards, seq: Seq, state: State, style: TextStyle) -> str:
    """The number of deals for each card that the hidden card played at an entry can be."""
    found = dict(count_deals_by_card(unseen_cards, seq) or ())
    if not found:
        return hidden_card_phrase("no_shares", style, seq=seq)
    parts = []
    for card in sort_hand_mask(mask_of_cards(tuple(found)), state):
        number = found[card]
        if number is None:
            return hidden_card_phrase("shares_uncounted", style, seq=seq)
        deals = group_thousands(number, style.lang)
        parts.append(hidden_card_phrase("share", style, what=style.card(card), deals=deals))
    return hidden_card_phrase("shares", style, seq=seq, shares=names.join_names(parts, style))


def contradiction_sentences(unseen_cards: UnseenCards, audit: Audit, style: TextStyle) -> Iterator[str]:
    """The entries that cannot all be true, each in a sentence; nothing where a deal agrees."""
    if unseen_cards.evidence.physical.is_consistent is not False:
        return
    seqs = unseen_cards.contradicting_entries or ()
    key = "impossible_somewhere" if not seqs else "impossible_alone" if len(seqs) == 1 else "impossible"
    yield hidden_card_phrase(key, style)
    entries = audit.history.entries
    sentences = successive_sentences(initial_state(audit.state.opening.book), entries, style)
    for entry, sentence in zip(entries, sentences, strict=True):
        if entry.seq in seqs:
            yield f"{capitalize_first(style.phrase(LABEL_PHRASES['entry'], seq=entry.seq))}: {sentence}."


# --- One complete deal ----------------------------------------------------------------------------


def witness_deal_lines(
    deal: CompleteDeal | None, unseen_cards: UnseenCards, state: State, style: TextStyle
) -> Iterator[str]:
    """A complete deal: what each player was dealt, discarded, drew and played unseen, and what is left."""
    if deal is None:
        yield hidden_card_phrase("no_witness", style)
        return
    for seat in SEATS:
        masks = {"dealt": deal.dealt_hands[seat], "discarded": deal.discards[seat], "drawn": deal.draws[seat]}
        parts = [
            f"{hidden_card_phrase(key, style)} {style.cards(sort_hand_mask(mask, state))}"
            for key, mask in masks.items()
            if mask
        ]
        parts += _witness_play_lines(deal, unseen_cards, seat, style)
        yield f"{names.player_label(state, seat, style)}: {'; '.join(parts)}"
    if deal.talon_rest:
        talon_phrase = capitalize_first(hidden_card_phrase("left", style))
        yield f"{talon_phrase}: {style.cards(sort_hand_mask(deal.talon_rest, state))}"


def _witness_play_lines(
    deal: CompleteDeal, unseen_cards: UnseenCards, seat: Seat, style: TextStyle
) -> Iterator[str]:
    hidden = {(slot.seat, slot.trick) for slot in unseen_cards.evidence.case.hidden_plays}
    for play in deal.plays:
        if play.seat == seat and (seat, play.trick) in hidden:
            what = hidden_card_phrase("trick", style, tricks=play.trick)
            yield f"{what} {style.card(play.card)}"

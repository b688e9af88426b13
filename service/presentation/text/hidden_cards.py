"""What the hidden cards of a deal can be, in lines: by hands, as a player would say it."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine import Audit, Entry, State, evolve, initial_state
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
from engine.inference.unseen_cards import HiddenCard, PossibleHand, UnseenCards, count_deals_by_card
from engine.play.state import PLAY
from schemas.i18n.catalogs import gettext, group_thousands
from service.presentation.text import names
from service.presentation.text.hand_format import sort_into_suits
from service.presentation.text.sentences import SentenceContext, capitalize_first, entry_sentence
from service.presentation.text.style import TextStyle

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
"""By the type of an entry, what it tells of its cards."""

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
    "lead_is": "",
    "lead_are": "all of",
    "lead_one": "exactly one of",
    "lead_some": "{count} of",
    "lead_at_most": "{count} of, perhaps not each,",
    "lead_none": "no card fits",
    "also": "{phrase}; {cards} only if somebody broke a rule of play",
    "certain": "{phrase}; certainly {cards}",
    "or": "or",
    "lawful": "{count} complete deals agree with the record if every duty to follow was kept.",
    "excepting": (
        "{count} complete deals agree with the record if every duty to follow was kept but at {seqs}, where "
        "the cards as written prove a revoke."
    ),
    "physical": "{count} agree if only the cards themselves count.",
    "between": "{least} to {most}",
    "at_least": "At least {least}",
    "uncounted": "How many complete deals agree takes longer to count.",
    "these": "these {count}: {cards}",
    "share": "{what} in {deals}",
    "shares_uncounted": "In how many deals entry {seq} is which card takes longer to count.",
    "shares": "In how many lawful deals entry {seq} is which card: {shares}.",
    "no_shares": "Entry {seq} plays no hidden card, so nothing is counted of it.",
    "undecided": "Not everything could be tried out: all that is possible is named, and perhaps more.",
    "revoked": (
        "No complete deal agrees if every duty to follow was kept: somebody revoked, and the cards do not "
        "say who. What is named here can be all the same, as far as the cards themselves count."
    ),
    "impossible": "No complete deal agrees with the record. These entries cannot be true together:",
    "impossible_alone": (
        "No complete deal agrees with the record. This entry cannot be true beside all others:"
    ),
    "impossible_somewhere": (
        "No complete deal agrees with the record; which entries contradict each other takes longer to find."
    ),
    "nothing": "No card is hidden.",
    "witness": "One complete deal that agrees",
    "no_witness": "None was found in the time given to it.",
}
"""The lines; ``{what}`` says which card of a player it is, ``{count}`` how many."""

AS_RECORDED: Final[Mapping[Seq, Seq]] = {}
"""Each entry by its own number."""
MAX_CARDS_IN_SENTENCE: Final = 10
"""So many cards are told with commas between."""


class PossibleCards(NamedTuple):
    """Hidden cards of which the same is known: whose, what was done with them, and how many they are.

    ``possible_mask`` is what they can be, ``physical_only_mask`` what more as matter alone, ``certain_mask``
    what is among them for certain. ``is_exact``: nothing else, and each of it.
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
    """Whether a card is hidden in a record that tells of cards: in an entry, or in a hand in the play."""
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
        # Of what is missing nobody knows how much of a hand it played.
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
        # Cards that were played can be told together, others entry by entry.
        group_key = getattr(event, "seat", None) if card.seq in tricks else card.seq
        groups.setdefault((type(event), group_key, card.physical, card.lawful), []).append(card)
    for cards in groups.values():
        first = cards[0]
        event = entries[first.seq]
        known = [tricks[one.seq] for one in cards if one.seq in tricks]
        possible_mask, physical_only_mask, is_exact = _split_by_level(
            unseen_cards, first.physical, first.lawful
        )
        what = _hidden_card_label(event, original_seqs.get(first.seq, first.seq), known, style)
        yield PossibleCards(
            getattr(event, "seat", None), what, len(cards), possible_mask, physical_only_mask, is_exact
        )


def _possible_cards_of_hands(unseen_cards: UnseenCards, style: TextStyle) -> Iterator[PossibleCards]:
    """The hands as they stand, where they are not wholly known."""
    for one in unseen_cards.hands:
        possible_mask, physical_only_mask, is_exact = _split_by_level(unseen_cards, one.physical, one.lawful)
        certain_mask = _certain_cards(unseen_cards, one)
        if possible_mask.bit_count() > one.size or (possible_mask and not is_exact):
            what = hidden_card_phrase("now", style)
            yield PossibleCards(
                one.seat, what, one.size, possible_mask, physical_only_mask, is_exact, certain_mask
            )


def _certain_cards(unseen_cards: UnseenCards, one: PossibleHand) -> int:
    return one.certain_physical if unseen_cards.evidence.lawful.is_consistent is False else one.certain_lawful


def _split_by_level(unseen_cards: UnseenCards, physical: int, lawful: int) -> tuple[int, int, bool]:
    """What is told as possible, what more as matter alone, and whether that is exact."""
    if unseen_cards.evidence.lawful.is_consistent is False:
        return physical, 0, unseen_cards.evidence.physical.is_exact
    return lawful, physical & ~lawful, unseen_cards.evidence.lawful.is_exact


def _trick_numbers_by_seq(state: State) -> dict[Seq, int]:
    """By the entries of cards played to which trick they were."""
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
    """That all of ``size`` cards are there; Danish says "both" of two, and the number up to thirteen."""
    return gettext("all of them", lang, f"{min(size, 14)} cards")


def possible_cards_phrase(possible_cards: PossibleCards, state: State, style: TextStyle) -> str:
    """What some hidden cards can be: "trick 6: exactly ♦6, ♥J, ♥2, ♥3, ♥4 or ♥6"."""
    phrase = hidden_card_phrase(
        _quantity_key(possible_cards),
        style,
        what=possible_cards.label,
        count=possible_cards.size,
        cards=_join_cards(possible_cards.possible_mask, possible_cards, state, style)
        if possible_cards.possible_mask
        else "",
        all=all_of_phrase(possible_cards.size, style.lang),
    )
    if possible_cards.certain_mask and possible_cards.certain_mask != possible_cards.possible_mask:
        cards = _join_cards(possible_cards.certain_mask, None, state, style)
        phrase = hidden_card_phrase("certain", style, phrase=phrase, cards=cards)
    if possible_cards.physical_only_mask and possible_cards.possible_mask:
        phrase = hidden_card_phrase(
            "also",
            style,
            phrase=phrase,
            cards=_join_cards(possible_cards.physical_only_mask, None, state, style),
        )
    return phrase


def quantity_phrase(possible_cards: PossibleCards, style: TextStyle) -> str:
    """What stands before the cards where they are drawn: "exactly", "3 of"."""
    key = f"lead_{_quantity_key(possible_cards)}"
    return hidden_card_phrase(key, style, count=possible_cards.size)


def _quantity_key(one: PossibleCards) -> str:
    size = one.possible_mask.bit_count()
    if not size:
        return "none"
    if size == one.size:
        # Nowhere else do all of them find room.
        return "is" if size == 1 else "are"
    if not one.is_exact:
        return "at_most"
    return "one" if one.size == 1 else "some"


def sort_hand_mask(mask: int, state: State) -> tuple[Card, ...]:
    """The cards of a mask as a hand is sorted."""
    return tuple(card for group in sort_into_suits(mask, state) for card in group)


def _join_cards(mask: int, possible_cards: PossibleCards | None, state: State, style: TextStyle) -> str:
    """Cards one after another: the last with "or" where one of them it is."""
    cards = [style.card(card) for card in sort_hand_mask(mask, state)]
    if len(cards) > MAX_CARDS_IN_SENTENCE:
        return hidden_card_phrase("these", style, count=len(cards), cards=" ".join(cards))
    if possible_cards is None or possible_cards.size > 1 or len(cards) == 1:
        return names.join_names(cards, style)
    *others, last = cards
    return f"{', '.join(others)} {hidden_card_phrase('or', style)} {last}"


def deal_count_sentences(
    unseen_cards: UnseenCards, style: TextStyle, original_seqs: Mapping[Seq, Seq] = AS_RECORDED
) -> Iterator[str]:
    """How many deals agree, and by what; whether all was tried. ``original_seqs`` as in
    `list_possible_cards`."""
    found = unseen_cards.evidence
    if found.physical.is_consistent is False:
        return
    if found.lawful.is_consistent is False:
        yield hidden_card_phrase("revoked", style)
    elif unseen_cards.lawful_count == (0, None):
        yield hidden_card_phrase("uncounted", style)
    else:
        key = "excepting" if found.revokes else "lawful"
        offences = dict.fromkeys(original_seqs.get(seq, seq) for seq in found.revokes)
        seqs = names.join_names(map(str, offences), style) if offences else ""
        yield hidden_card_phrase(
            key, style, count=_format_deal_count(unseen_cards.lawful_count, style), seqs=seqs
        )
    if unseen_cards.physical_count != unseen_cards.lawful_count:
        yield hidden_card_phrase(
            "physical", style, count=_format_deal_count(unseen_cards.physical_count, style)
        )
    if not (found.physical.is_exact and (found.lawful.is_exact or found.lawful.is_consistent is False)):
        yield hidden_card_phrase("undecided", style)


def _format_deal_count(count: DealCount, style: TextStyle) -> str:
    lang = style.lang
    if count.is_exact:
        return group_thousands(count.minimum, lang)
    if count.maximum is None:
        return hidden_card_phrase("at_least", style, least=group_thousands(count.minimum, lang))
    return hidden_card_phrase(
        "between",
        style,
        least=group_thousands(count.minimum, lang),
        most=group_thousands(count.maximum, lang),
    )


def card_shares_sentence(unseen_cards: UnseenCards, seq: Seq, state: State, style: TextStyle) -> str:
    """In how many deals the hidden card played at an entry is each of those that it can be."""
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
    """Where no deal agrees: what cannot be true, each entry in a sentence."""
    if unseen_cards.evidence.physical.is_consistent is not False:
        return
    seqs = unseen_cards.contradicting_entries or ()
    key = "impossible_somewhere" if not seqs else "impossible_alone" if len(seqs) == 1 else "impossible"
    yield hidden_card_phrase(key, style)
    before = initial_state(audit.state.opening.book)
    for entry in audit.history.entries:
        after = evolve(before, entry)
        if entry.seq in seqs:
            yield _numbered_sentence(entry, SentenceContext(before, after, style))
        before = after


def _numbered_sentence(entry: Entry, context: SentenceContext) -> str:
    place = names.location_label("entry", context.style, seq=entry.seq)
    return f"{capitalize_first(place)}: {entry_sentence(entry, context)}."


# --- One complete deal ----------------------------------------------------------------------------


def witness_deal_lines(
    deal: CompleteDeal | None, unseen_cards: UnseenCards, state: State, style: TextStyle
) -> Iterator[str]:
    """A complete deal: what each was dealt, sold and bought, what is left, and the hidden cards played."""
    if deal is None:
        yield hidden_card_phrase("no_witness", style)
        return
    for seat in SEATS:
        masks = {"dealt": deal.dealt_hands[seat], "discarded": deal.discards[seat], "drawn": deal.draws[seat]}
        parts = [
            f"{hidden_card_phrase(key, style)} {_join_sorted_cards(mask, state, style)}"
            for key, mask in masks.items()
            if mask
        ]
        parts += _witness_play_lines(deal, unseen_cards, seat, style)
        yield f"{names.player_label(state, seat, style)}: {'; '.join(parts)}"
    if deal.talon_rest:
        talon_phrase = capitalize_first(hidden_card_phrase("left", style))
        yield f"{talon_phrase}: {_join_sorted_cards(deal.talon_rest, state, style)}"


def _witness_play_lines(
    deal: CompleteDeal, unseen_cards: UnseenCards, seat: Seat, style: TextStyle
) -> Iterator[str]:
    hidden = {(slot.seat, slot.trick) for slot in unseen_cards.evidence.case.hidden_plays}
    for play in deal.plays:
        if play.seat == seat and (seat, play.trick) in hidden:
            what = hidden_card_phrase("trick", style, tricks=play.trick)
            yield f"{what} {style.card(play.card)}"


def _join_sorted_cards(mask: int, state: State, style: TextStyle) -> str:
    return style.cards(sort_hand_mask(mask, state))

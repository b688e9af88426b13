"""What the hidden cards of a deal can be, in lines: by hands, as a player would say it."""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from engine import Audit, Entry, State, evolve, start
from engine.core.cards import BIT, SEATS, Card, Seat, mask_of
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
from engine.core.vocabulary import Seq
from engine.inference.answer import HiddenCard
from engine.inference.deals import Count, Deal
from engine.inference.unseen import Holding, Unseen, shares
from engine.play.state import PLAY
from engine.rulesets.model import Words
from service.presentation.text import names
from service.presentation.text.fan import suits_of
from service.presentation.text.sentences import Telling, sentence, upper
from service.presentation.text.style import Style
from service.presentation.text.unseen_words import ALL, UNSEEN

PLACES: Final[dict[type[Event], str]] = {
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

AS_RECORDED: Final[Mapping[Seq, Seq]] = {}
"""Each entry by its own number."""
IN_A_SENTENCE: Final = 10
"""So many cards are told with commas between."""


class Possible(NamedTuple):
    """Hidden cards of which the same is known: whose, what was done with them, and how many they are.

    ``cards`` is what they can be, ``also`` what more as matter alone, ``certain`` what is among them for
    certain, all as masks. ``exact``: nothing else, and each of it.
    """

    seat: Seat | None
    what: str
    size: int
    cards: int
    also: int
    exact: bool
    certain: int = 0


def hides_cards(audit: Audit) -> bool:
    """Whether a card is hidden in a record that tells of cards: in an entry, or in a hand in the play."""
    state = audit.state
    if any(not BIT[card] for entry in audit.history.entries for card in _cards_told(entry.event)):
        return True
    playing = state.phase == PLAY and (state.play.tricks or state.play.cards)
    return bool(playing and any(state.play.slots))


def _cards_told(event: Event) -> tuple[Card, ...]:
    if isinstance(event, CardPlayed | TalonTurned):
        return (event.card,)
    return getattr(event, "cards", ()) if type(event) in PLACES else ()


def possibilities(
    made: Unseen,
    audit: Audit,
    style: Style,
    whose: Seat | None = None,
    called: Mapping[Seq, Seq] = AS_RECORDED,
) -> list[Possible]:
    """What the hidden cards can be, forehand's first and the talon last; or those of one seat alone.

    ``called``: by entries that are none of the record, those that they are told as.
    """
    found = list(_of_entries(made, audit, style, called))
    if not audit.state.incomplete:
        # Of what is missing nobody knows how much of a hand it played.
        found += _of_hands(made, style)
    shown = [one for one in found if whose is None or one.seat == whose]
    return sorted(shown, key=lambda one: len(SEATS) if one.seat is None else one.seat)


def _of_entries(made: Unseen, audit: Audit, style: Style, called: Mapping[Seq, Seq]) -> Iterator[Possible]:
    entries = {entry.seq: entry.event for entry in audit.history.entries}
    tricks = _trick_of(audit.state)
    groups: dict[tuple[object, ...], list[HiddenCard]] = {}
    for card in made.cards:
        event = entries[card.seq]
        # Cards that were played can be told together, others entry by entry.
        of = getattr(event, "seat", None) if card.seq in tricks else card.seq
        groups.setdefault((type(event), of, card.physical, card.lawful), []).append(card)
    for cards in groups.values():
        first = cards[0]
        event = entries[first.seq]
        known = [tricks[one.seq] for one in cards if one.seq in tricks]
        can, also, exact = _by_level(made, first.physical, first.lawful)
        what = _what(event, called.get(first.seq, first.seq), known, style)
        yield Possible(getattr(event, "seat", None), what, len(cards), can, also, exact)


def _of_hands(made: Unseen, style: Style) -> Iterator[Possible]:
    """The hands as they stand, where they are not wholly known."""
    for one in made.holdings:
        can, also, exact = _by_level(made, one.physical, one.lawful)
        certain = _certain(made, one)
        if can.bit_count() > one.size or (can and not exact):
            what = UNSEEN["now"][style.lang]
            yield Possible(one.seat, what, one.size, can, also, exact, certain)


def _certain(made: Unseen, one: Holding) -> int:
    return one.certain_physical if made.found.lawful.agrees is False else one.certain_lawful


def _by_level(made: Unseen, physical: int, lawful: int) -> tuple[int, int, bool]:
    """What is told as possible, what more as matter alone, and whether that is exact."""
    if made.found.lawful.agrees is False:
        return physical, 0, made.found.physical.decided
    return lawful, physical & ~lawful, made.found.lawful.decided


def _trick_of(state: State) -> dict[Seq, int]:
    """By the entries of cards played to which trick they were."""
    play = state.play
    of_tricks = {seq: trick.number for trick in play.tricks for seq in trick.seqs}
    return of_tricks | dict.fromkeys(play.seqs, len(play.tricks) + 1)


def _what(event: Event, seq: Seq, tricks: list[int], style: Style) -> str:
    if tricks:
        key = "tricks" if len(tricks) > 1 else "trick"
        listed = names.listed(map(str, tricks), style)
        return UNSEEN[key][style.lang].format(tricks=listed)
    key = "played" if isinstance(event, CardPlayed) else PLACES[type(event)]
    return UNSEEN[key][style.lang].format(seq=seq)


# --- In sentences ---------------------------------------------------------------------------------


def all_of(size: int) -> Words:
    """That all of so many cards are there. More than a hand holds can be entered for one all the same."""
    return ALL.get(size) or Words("all of them", f"alle {size}")


def possible_told(one: Possible, state: State, style: Style) -> str:
    """What some hidden cards can be: "trick 6: exactly ♦6, ♥J, ♥2, ♥3, ♥4 or ♥6"."""
    told = UNSEEN[_manner(one)][style.lang].format(
        what=one.what,
        count=one.size,
        cards=_listed(one.cards, one, state, style) if one.cards else "",
        all=all_of(one.size)[style.lang],
    )
    if one.certain and one.certain != one.cards:
        cards = _listed(one.certain, None, state, style)
        told = UNSEEN["certain"][style.lang].format(told=told, cards=cards)
    if one.also and one.cards:
        told = UNSEEN["also"][style.lang].format(told=told, cards=_listed(one.also, None, state, style))
    return told


def lead_of(one: Possible, style: Style) -> str:
    """What stands before the cards where they are drawn: "exactly", "3 of"."""
    return UNSEEN[f"lead_{_manner(one)}"][style.lang].format(count=one.size)


def _manner(one: Possible) -> str:
    size = one.cards.bit_count()
    if not size:
        return "none"
    if size == one.size:
        # Nowhere else do all of them find room.
        return "is" if size == 1 else "are"
    if not one.exact:
        return "at_most"
    return "one" if one.size == 1 else "some"


def fanned_cards(mask: int, state: State) -> tuple[Card, ...]:
    """The cards of a mask as a hand is sorted."""
    return tuple(card for group in suits_of(mask, state) for card in group)


def _listed(mask: int, of: Possible | None, state: State, style: Style) -> str:
    """Cards one after another: the last with "or" where one of them it is."""
    cards = [style.card(card) for card in fanned_cards(mask, state)]
    if len(cards) > IN_A_SENTENCE:
        return UNSEEN["these"][style.lang].format(count=len(cards), cards=" ".join(cards))
    if of is None or of.size > 1 or len(cards) == 1:
        return names.listed(cards, style)
    *others, last = cards
    return f"{', '.join(others)} {UNSEEN['or'][style.lang]} {last}"


def levels_told(made: Unseen, style: Style, called: Mapping[Seq, Seq] = AS_RECORDED) -> Iterator[str]:
    """How many deals agree, and by what; whether all was tried. ``called`` as in `possibilities`."""
    lang, found = style.lang, made.found
    if found.physical.agrees is False:
        return
    if found.lawful.agrees is False:
        yield UNSEEN["revoked"][lang]
    elif made.lawful == (0, None):
        yield UNSEEN["uncounted"][lang]
    else:
        key = "excepting" if found.offences else "lawful"
        offences = dict.fromkeys(called.get(seq, seq) for seq in found.offences)
        seqs = names.listed(map(str, offences), style) if offences else ""
        yield UNSEEN[key][lang].format(count=_count(made.lawful, style), seqs=seqs)
    if made.physical != made.lawful:
        yield UNSEEN["physical"][lang].format(count=_count(made.physical, style))
    if not (found.physical.decided and (found.lawful.decided or found.lawful.agrees is False)):
        yield UNSEEN["undecided"][lang]


def _count(count: Count, style: Style) -> str:
    lang = style.lang
    if count.exact:
        return grouped(count.least, lang)
    if count.most is None:
        return UNSEEN["at_least"][lang].format(least=grouped(count.least, lang))
    return UNSEEN["between"][lang].format(least=grouped(count.least, lang), most=grouped(count.most, lang))


def grouped(number: int, lang: str) -> str:
    """A number with its thousands apart."""
    told = f"{number:,}"
    return told.replace(",", ".") if lang == "da" else told


def shares_told(made: Unseen, seq: Seq, state: State, style: Style) -> str:
    """In how many deals the hidden card played at an entry is each of those that it can be."""
    found = dict(shares(made, seq) or ())
    if not found:
        return UNSEEN["no_shares"][style.lang].format(seq=seq)
    parts = []
    for card in fanned_cards(mask_of(tuple(found)), state):
        number = found[card]
        if number is None:
            return UNSEEN["shares_uncounted"][style.lang].format(seq=seq)
        share = UNSEEN["share"][style.lang]
        parts.append(share.format(what=style.card(card), deals=grouped(number, style.lang)))
    return UNSEEN["shares"][style.lang].format(seq=seq, shares=names.listed(parts, style))


def contradiction_told(made: Unseen, audit: Audit, style: Style) -> Iterator[str]:
    """Where no deal agrees: what cannot be true, each entry in a sentence."""
    if made.found.physical.agrees is not False:
        return
    seqs = made.contradicting or ()
    key = "impossible_somewhere" if not seqs else "impossible_alone" if len(seqs) == 1 else "impossible"
    yield UNSEEN[key][style.lang]
    before = start(audit.state.opening.book)
    for entry in audit.history.entries:
        after = evolve(before, entry)
        if entry.seq in seqs:
            yield _entry(entry, Telling(before, after, style))
        before = after


def _entry(entry: Entry, telling: Telling) -> str:
    place = names.place_label("entry", telling.style, seq=entry.seq)
    return f"{upper(place)}: {sentence(entry, telling)}."


# --- One complete deal ----------------------------------------------------------------------------


def witness_told(deal: Deal | None, made: Unseen, state: State, style: Style) -> Iterator[str]:
    """A complete deal: what each was dealt, sold and bought, what is left, and the hidden cards played."""
    if deal is None:
        yield UNSEEN["no_witness"][style.lang]
        return
    for seat in SEATS:
        parts = {"dealt": deal.dealt[seat], "discarded": deal.away[seat], "drawn": deal.drawn[seat]}
        told = [
            f"{UNSEEN[key][style.lang]} {_fan(mask, state, style)}" for key, mask in parts.items() if mask
        ]
        told += _plays_told(deal, made, seat, style)
        yield f"{names.player(state, seat, style)}: {'; '.join(told)}"
    if deal.left:
        yield f"{upper(UNSEEN['left'][style.lang])}: {_fan(deal.left, state, style)}"


def _plays_told(deal: Deal, made: Unseen, seat: Seat, style: Style) -> Iterator[str]:
    hidden = {(slot.seat, slot.trick) for slot in made.found.case.slots}
    for play in deal.plays:
        if play.seat == seat and (seat, play.trick) in hidden:
            what = UNSEEN["trick"][style.lang].format(tricks=play.trick)
            yield f"{what} {style.card(play.card)}"


def _fan(mask: int, state: State, style: Style) -> str:
    return style.cards(fanned_cards(mask, state))

"""Descriptions of a revoke: its course, the matador privilege, its deadline (RULES 5, 9)."""

from collections.abc import Iterator

from engine.core.cards import CARD_BITS, CARD_CODES, HIDDEN_CARD, Card, Seat, cards_in_mask, codes_in_mask
from engine.core.field_types import Seq
from engine.core.message import Message, TextList, format_message
from engine.core.ranking import TrickRules
from engine.play.exchange import seats_that_may_exchange
from engine.play.findings import player_or_seat
from engine.play.state import Play, State, Trick, is_deal_over


def describe_revoke(state: State, seat: Seat, trick: int, cards: int) -> tuple[Message, ...]:
    """What was led and played at ``trick``, and how the hand is known to have held ``cards`` then.

    ``state`` is one that includes that trick and the evidence for the cards.
    """
    return (_describe_trick(state, seat, trick), *_describe_shown_cards(state, seat, trick, cards))


def _describe_trick(state: State, seat: Seat, trick: int) -> Message:
    play = state.play
    played = play.tricks[trick - 1] if trick <= len(play.tricks) else play
    return format_message(
        "At trick {trick} {leader} led {lead}; {player} played {card}.",
        trick=trick,
        leader=player_or_seat(state, played.seats[0]),
        lead=card_term(played.cards[0]),
        player=player_or_seat(state, seat),
        card=card_term(played.cards[played.seats.index(seat)]),
    )


def card_term(card: Card) -> str:
    """A card in the description; it may be one that nobody saw."""
    return CARD_CODES[card] if card != HIDDEN_CARD else format_message("an unseen card")


def _describe_shown_cards(state: State, seat: Seat, trick: int, cards: int) -> Iterator[Message]:
    """The cards played since, each at its trick; then those known from other evidence."""
    for number, card, _ in plays_after_trick(state, seat, trick):
        if CARD_BITS[card] & cards:
            cards ^= CARD_BITS[card]
            yield _describe_later_play(state, seat, number, card)
    if cards:
        yield format_message(
            "{player} held {cards} then.",
            player=player_or_seat(state, seat),
            cards=TextList(codes_in_mask(cards)),
        )


def plays_after_trick(state: State, seat: Seat, trick: int) -> Iterator[tuple[int, Card, Seq]]:
    """What a seat played after ``trick``: trick, card and entry."""
    play = state.play
    tricks: list[Trick | Play] = [*play.tricks, play]
    for number, played in enumerate(tricks, 1):
        if number > trick and seat in played.seats:
            place = played.seats.index(seat)
            yield number, played.cards[place], played.seqs[place]


def _describe_later_play(state: State, seat: Seat, trick: int, card: Card) -> Message:
    if state.knowledge.dealt_cards[seat] & CARD_BITS[card] or _has_drawn_nothing(state, seat):
        return format_message(
            "At trick {trick} {player} played {card}, held since the deal.",
            trick=trick,
            player=player_or_seat(state, seat),
            card=CARD_CODES[card],
        )
    return format_message(
        "At trick {trick} {player} played {card}, held since the exchange.",
        trick=trick,
        player=player_or_seat(state, seat),
        card=CARD_CODES[card],
    )


def _has_drawn_nothing(state: State, seat: Seat) -> bool:
    """Whether a seat certainly played with the nine cards dealt to it."""
    discarded, drawn = state.exchange.discards[seat], state.exchange.draws[seat]
    if discarded is None and drawn is None:
        return seat not in seats_that_may_exchange(state)
    return not drawn and not discarded


def is_matador_privilege_relevant(trick_rules: TrickRules, lead: Card, cards: int) -> bool:
    """Whether the matador privilege might excuse a hand with ``cards``; empty if they are unknown."""
    return bool(CARD_BITS[lead] & trick_rules.trumps) and (not cards or bool(cards & trick_rules.matadors))


def explain_privilege_refusal(state: State, seat: Seat, lead: Card, cards: int) -> Message:
    """Why the matador privilege does not excuse a revoke (RULES 5).

    ``cards``: the cards known to have been held that follow the lead; empty if only counting shows one.
    """
    trick_rules = state.play.trick_rules
    if CARD_BITS[lead] and not CARD_BITS[lead] & trick_rules.trumps:
        return format_message("No trump was led, so the matador privilege does not apply.")
    low, compelled = cards & ~trick_rules.matadors, cards & trick_rules.compelling[lead]
    if low:
        return format_message(
            "The matador privilege does not excuse it: {card} is not a matador.", card=_first_card_code(low)
        )
    if compelled:
        return format_message(
            "The matador privilege does not excuse it: {lead} was led, and {card} must follow it.",
            lead=card_term(lead),
            card=_first_card_code(compelled),
        )
    if cards:
        return format_message(
            "The matador privilege does not excuse it: {card} does not beat {lead}, and {player} held no "
            "matador that does.",
            card=_first_card_code(cards),
            lead=card_term(lead),
            player=player_or_seat(state, seat),
        )
    return format_message(
        "The matador privilege does not excuse it: the hand also held cards that had to follow."
    )


def _first_card_code(cards: int) -> str:
    return CARD_CODES[cards_in_mask(cards)[0]]


def has_revoke_deadline(state: State) -> bool:
    """Whether the rules in force state how long a revoke can be corrected."""
    return state.opening.rules.ruleset.revoke != "not-stated"


def describe_revoke_deadline(state: State, trick: int) -> Message:
    """Whether a revoke at ``trick`` can still be corrected in this state, and until when (RULES 9)."""
    tricks, play = state.play.tricks, state.play
    if not has_revoke_deadline(state):
        return format_message(
            "The rules in force do not say how long a revoke can be corrected: the table decides."
        )
    folded = len(tricks) > trick or (len(tricks) == trick and (play.cards or is_deal_over(state)))
    if folded:
        return format_message("Trick {trick} has been folded since: the revoke is established.", trick=trick)
    return format_message("Until trick {trick} is folded, the revoke can be corrected.", trick=trick)


def add_revoke_deadline(state: State, trick: int, message: Message) -> Message:
    """The message on a revoke, with its deadline if the rules state one."""
    if not has_revoke_deadline(state):
        return message
    return format_message("{found} {remedy}", found=message, remedy=describe_revoke_deadline(state, trick))

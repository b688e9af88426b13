"""A card that did not follow, in words: the course of it, the matador privilege, the mending (RULES 5, 9).

Told alike of what judging finds where it stands (`engine.judging.play`) and of what only the whole record
proves (`engine.inference.revokes`). Nothing is decided here.
"""

from collections.abc import Iterator

from engine.core.cards import BIT, CODES, HIDDEN, Card, Seat, cards_in, codes_in
from engine.core.message import Listed, Said, said
from engine.core.ranking import Following
from engine.core.vocabulary import Seq
from engine.play.exchange import may_have_exchanged
from engine.play.findings import name_of
from engine.play.state import Play, State, Trick, is_over


def story(state: State, seat: Seat, trick: int, held: int) -> tuple[Said, ...]:
    """What was led and played at ``trick``, and how the cards that were ``held`` then came to be known.

    ``state`` is one in which that trick stands, and what shows the cards.
    """
    return (_opening(state, seat, trick), *_shown(state, seat, trick, held))


def _opening(state: State, seat: Seat, trick: int) -> Said:
    play = state.play
    laid = play.tricks[trick - 1] if trick <= len(play.tricks) else play
    return said(
        "At trick {trick} {leader} led {lead}; {player} played {card}.",
        trick=trick,
        leader=name_of(state, laid.seats[0]),
        lead=called(laid.cards[0]),
        player=name_of(state, seat),
        card=called(laid.cards[laid.seats.index(seat)]),
    )


def called(card: Card) -> str:
    """A card of the story, which may be one that nobody saw."""
    return CODES[card] if card != HIDDEN else said("an unseen card")


def _shown(state: State, seat: Seat, trick: int, held: int) -> Iterator[Said]:
    """The cards played since, each at its trick; then those that are known in another way."""
    for number, card, _ in played_since(state, seat, trick):
        if BIT[card] & held:
            held ^= BIT[card]
            yield _played_later(state, seat, number, card)
    if held:
        yield said("{player} held {cards} then.", player=name_of(state, seat), cards=Listed(codes_in(held)))


def played_since(state: State, seat: Seat, trick: int) -> Iterator[tuple[int, Card, Seq]]:
    """What a seat played after ``trick``: to which trick, which card, at which entry."""
    play = state.play
    tricks: list[Trick | Play] = [*play.tricks, play]
    for number, laid in enumerate(tricks, 1):
        if number > trick and seat in laid.seats:
            at = laid.seats.index(seat)
            yield number, laid.cards[at], laid.seqs[at]


def _played_later(state: State, seat: Seat, trick: int, card: Card) -> Said:
    if state.knowledge.dealt[seat] & BIT[card] or _drew_nothing(state, seat):
        return said(
            "At trick {trick} {player} played {card}, held since the deal.",
            trick=trick,
            player=name_of(state, seat),
            card=CODES[card],
        )
    return said(
        "At trick {trick} {player} played {card}, held since the exchange.",
        trick=trick,
        player=name_of(state, seat),
        card=CODES[card],
    )


def _drew_nothing(state: State, seat: Seat) -> bool:
    """Whether a seat certainly played with the nine cards dealt to it."""
    discarded, drawn = state.exchange.discards[seat], state.exchange.draws[seat]
    if discarded is None and drawn is None:
        return seat not in may_have_exchanged(state)
    return not drawn and not discarded


def matador_in_question(table: Following, lead: Card, held: int) -> bool:
    """Whether the matador privilege might excuse who ``held`` these cards; none where they are not known."""
    return bool(BIT[lead] & table.trumps) and (not held or bool(held & table.matadors))


def privilege_refused(state: State, seat: Seat, lead: Card, held: int) -> Said:
    """Why the matador privilege does not excuse a revoke (RULES 5).

    ``held``: the cards known to have been held that follow the lead; none where only counting shows one.
    """
    table = state.play.table
    if BIT[lead] and not BIT[lead] & table.trumps:
        return said("No trump was led: the matador privilege does not come into it.")
    low, compelled = held & ~table.matadors, held & table.compelling[lead]
    if low:
        return said("The matador privilege does not excuse it: {card} is no matador.", card=_first(low))
    if compelled:
        return said(
            "The matador privilege does not excuse it: {lead} was led, and {card} has to follow that.",
            lead=called(lead),
            card=_first(compelled),
        )
    if held:
        return said(
            "The matador privilege does not excuse it: {card} does not beat {lead}, and {player} held no "
            "matador that does.",
            card=_first(held),
            lead=called(lead),
            player=name_of(state, seat),
        )
    return said("The matador privilege does not excuse it: the hand held more than free matadors.")


def _first(cards: int) -> str:
    return CODES[cards_in(cards)[0]]


def mending_stated(state: State) -> bool:
    """Whether the rules in force say how long a revoke can be mended."""
    return state.opening.rules.ruleset.revoke != "not-stated"


def mending(state: State, trick: int) -> Said:
    """Whether a revoke at ``trick`` could still be mended as the deal stands, and until when (RULES 9)."""
    tricks, play = state.play.tricks, state.play
    if not mending_stated(state):
        return said("The rules in force do not state how long a revoke can be mended: the table rules.")
    folded = len(tricks) > trick or (len(tricks) == trick and (play.cards or is_over(state)))
    if folded:
        return said("Trick {trick} has been folded since: the revoke is established.", trick=trick)
    return said("Until trick {trick} is folded the revoke can be mended.", trick=trick)


def with_mending(state: State, trick: int, message: Said) -> Said:
    """What is said of a revoke, and whether it could still be mended where the rules say so."""
    if not mending_stated(state):
        return message
    return said("{found} {mending}", found=message, mending=mending(state, trick))

"""Whether a called revoke was one, over every complete deal that agrees with the cards of a record (RULES 5).

It is proved if the hand had to follow in all of these deals, excluded if in none, else neither.
"""

from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, PACK_MASK, Card, Seat, codes_in_mask
from engine.core.field_types import Seq
from engine.core.message import Message, TextList, format_message
from engine.core.work_budget import WorkBudget
from engine.inference.claims import HAND_PLACES
from engine.inference.consistent_deals import (
    MAX_FILLING_STEPS,
    MAX_STEPS_PER_COUNT,
    count_by_search,
    count_deals,
)
from engine.inference.evidence import Evidence
from engine.inference.hidden_play_search import has_consistent_deal
from engine.inference.inference_case import AssumedRules
from engine.inference.suit_constraints import exclusion_by_lead, is_lead_known
from engine.judging.revoke_messages import describe_revoke
from engine.play.findings import player_or_seat
from engine.play.state import State, Trick

PROVED, EXCLUDED, UNDECIDED = "proved", "excluded", "neither"
UNFINISHED: Final = format_message("Working it out from the hidden cards takes too long here.")
VERDICTS: Final = (PROVED, EXCLUDED, UNDECIDED)
MAX_LISTED_CARDS: Final = 10
"""More cards that would prove a revoke are not listed."""
MAX_EXACT_DEALS: Final = 10_000
"""Of more possible deals, a share is stated as a percentage."""


class IrregularityAnswer(NamedTuple):
    """The answer to what is called at an entry.

    ``evidence``: the entries that show it. ``is_revoke``: whether a revoke was called. ``is_corrected``:
    whether the card was taken back for one that follows. In ``revoke_count`` of the ``deal_count`` deals that
    fit the record it was a revoke; None if that takes too long to count. ``trick``: the one that the call of
    a revoke names.
    """

    seq: Seq
    seat: Seat
    is_revoke: bool
    verdict: str
    message: Message
    evidence: tuple[Seq, ...] = ()
    is_corrected: bool = False
    revoke_count: int | None = None
    deal_count: int | None = None
    trick: int | None = None


def followers_of(state: State, lead: Card) -> int:
    """The cards that follow a lead; all of them if it is unseen."""
    return state.play.trick_rules.followers[lead] if CARD_BITS[lead] else PACK_MASK


class RevokeQuestion:
    """Whether a seat revoked at any of these tricks, in the deals that agree with the cards of the record."""

    def __init__(self, state: State, evidence: Evidence, seat: Seat, tricks: list[Trick]) -> None:
        self.state, self.evidence, self.seat, self.tricks = state, evidence, seat, tricks
        plays = frozenset(trick.seqs[trick.seats.index(seat)] for trick in tricks)
        self.rules = AssumedRules(binding_plays=plays, must_winner_lead=False)

    def answer(self, answer: IrregularityAnswer, excuse: Message | None) -> IrregularityAnswer:
        """The answer with its verdict; ``excuse`` is why a play was lawful. Raises `BudgetExceeded`."""
        open_tricks = [trick for trick in self.tricks if self._may_be_revoke(trick)]
        case, excluded = self.evidence.case, answer._replace(verdict=EXCLUDED)
        if not open_tricks:
            return excluded._replace(message=self._describe_exclusion())
        if self.evidence.is_outline:
            return answer
        total = count_deals(self.evidence, lawful=False)
        lawful = count_by_search(case, self.rules, MAX_STEPS_PER_COUNT, MAX_FILLING_STEPS)
        if total.is_exact and lawful is not None:
            answer = answer._replace(revoke_count=total.minimum - lawful, deal_count=total.minimum)
        if answer.revoke_count == 0:
            return excluded._replace(
                message=excuse or self._describe_exclusion(), revoke_count=0, deal_count=total.minimum
            )
        is_certain = (
            not lawful
            if answer.deal_count is not None
            else has_consistent_deal(case, self.rules, WorkBudget(MAX_STEPS_PER_COUNT)) is False
        )
        if is_certain:
            message = format_message(
                "{course} No hand that {player} can have held allowed it: it was a revoke.",
                course=self._describe_tricks(open_tricks),
                player=self._player,
            )
            return answer._replace(verdict=PROVED, message=message)
        return answer._replace(message=self._describe_doubt(open_tricks, answer))

    @property
    def _player(self) -> str:
        return player_or_seat(self.state, self.seat)

    def _may_be_revoke(self, trick: Trick) -> bool:
        """Whether the play to a trick did not follow, or is unseen, and a card that had to may have been
        held."""
        if not self._is_seen(trick) or not is_lead_known(self.evidence.claims.tricks, trick.number - 1):
            return True
        card, lead = trick.cards[trick.seats.index(self.seat)], trick.cards[0]
        is_off_suit = not CARD_BITS[card] & followers_of(self.state, lead)
        return is_off_suit and bool(self._possible_compelling_cards(trick))

    def _is_seen(self, trick: Trick) -> bool:
        """Whether both the lead to a trick and the card played to it are seen."""
        return bool(CARD_BITS[trick.cards[0]] and CARD_BITS[trick.cards[trick.seats.index(self.seat)]])

    def _possible_compelling_cards(self, trick: Trick) -> int:
        """The cards that had to follow a seen lead and that the hand can have held then."""
        lead = trick.cards[0]
        ban = exclusion_by_lead(lead, self.state.play.trick_rules)
        played = 0
        for card, play in self.evidence.case.plays_by_card.items():
            if play.seat == self.seat and not play.was_held_after(trick.number):
                played |= CARD_BITS[card]
        in_hand = self.evidence.physical.cards_in(HAND_PLACES[self.seat])
        return (ban.excluded | ban.conditional) & in_hand & ~played

    # In words

    def _describe_tricks(self, tricks: list[Trick]) -> TextList:
        courses = (describe_revoke(self.state, self.seat, trick.number, 0)[0] for trick in tricks)
        return TextList(courses, " ")

    def _describe_exclusion(self) -> Message:
        if len(self.tricks) > 1:
            return format_message(
                "To every trick on record {player} followed, or can have held no card that had to follow.",
                player=self._player,
            )
        (trick,) = self.tricks
        course = self._describe_tricks(self.tricks)
        if CARD_BITS[trick.cards[trick.seats.index(self.seat)]] & followers_of(self.state, trick.cards[0]):
            return format_message("{course} That follows.", course=course)
        return format_message(
            "{course} {player} can have held no card that had to follow.", course=course, player=self._player
        )

    def _describe_doubt(self, tricks: list[Trick], answer: IrregularityAnswer) -> Message:
        """In how many deals it was a revoke, and what would prove it."""
        sentences = [self._describe_tricks(tricks), _describe_share(answer)]
        cards = self._possible_compelling_cards(tricks[0]) if len(tricks) == 1 else 0
        if 0 < cards.bit_count() <= MAX_LISTED_CARDS and self._is_seen(tricks[0]):
            message = format_message(
                "It is proved if {player} turns out to have held {cards} then.",
                player=self._player,
                cards=TextList(codes_in_mask(cards), " or "),
            )
        else:
            message = format_message(
                "It is proved if {player} turns out to have held a card that had to follow.",
                player=self._player,
            )
        sentences.append(message)
        if places := self._list_unseen_places(tricks):
            sentences.append(format_message("It would show in: {places}.", places=TextList(places)))
        return format_message("{sentences}", sentences=TextList(sentences, " "))

    def _list_unseen_places(self, tricks: list[Trick]) -> list[Message]:
        """The unseen cards of these tricks and, of the player, of the later ones and of the hand."""
        places = []
        for trick in tricks:
            if not CARD_BITS[trick.cards[0]]:
                places.append(format_message("the lead to trick {trick}", trick=trick.number))
        first = min(trick.number for trick in tricks)
        for play in self.evidence.case.hidden_plays:
            if play.seat == self.seat and play.trick >= first:
                places.append(
                    format_message(
                        "what {player} played to trick {trick}", player=self._player, trick=play.trick
                    )
                )
        if self.state.play.hidden_slots[self.seat]:
            places.append(format_message("the cards left in {player}'s hand", player=self._player))
        return places


def _describe_share(answer: IrregularityAnswer) -> Message:
    """In how many of the possible deals it was a revoke; of very many as a percentage."""
    revoked, total = answer.revoke_count, answer.deal_count
    if revoked is None or total is None:
        return format_message(
            "In how many of the deals that fit the record it was a revoke takes too long to count."
        )
    share = format_message("{count} of {total}", count=revoked, total=total)
    if total > MAX_EXACT_DEALS:
        percent = round(100 * revoked / total)
        share = format_message("about {percent} %", percent=percent)
        if not 0 < percent < 100:
            share = format_message("more than 99 %") if percent else format_message("fewer than 1 %")
    return format_message(
        "In {share} of the deals that fit the record it was a revoke; that is not a probability.", share=share
    )

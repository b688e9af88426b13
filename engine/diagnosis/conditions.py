"""Under what condition a finding of the play is so, and what may have been instead (RULES 5, 9).

A revoke is proved by the cards of its trick and by those that come later; an act out of turn by who won the
trick before. Where an entry is missing, stands in another's place or has a card that is easily taken for
another, neither is proved. So a finding that hangs on the entries says so; and where one slip of the pen
would make it fall away, that slip is told beside it, as what may have been instead. Nobody is accused whom a
slip may have made to seem at fault, and no fault is lost, since the finding stays.
"""

from functools import reduce
from typing import Final

from engine.audit import Audit
from engine.core.cards import BIT, HAND_SIZE, SEATS, Seat
from engine.core.events import CardPlayed
from engine.core.log import Log
from engine.core.vocabulary import Seq
from engine.diagnosis.alternatives import fault_of, otherwise, trick_of
from engine.diagnosis.input_slips import ACTS
from engine.diagnosis.mistakes import all_played, played_by
from engine.judging.caveats import Condition, all_there, exchange_whole, in_order, not_over, trumps_right
from engine.judging.revokes import played_since
from engine.play.findings import Finding, Findings
from engine.play.state import hand_count
from engine.play.tricks import may_end_with

BY_TURN: Final = frozenset(
    (
        "wrong_seat",
        "revoke",
        "claim_not_possible",
        "slam_not_allowed",
        "result_mismatch",
        "settlement_mismatch",
        "exchange_not_allowed",
        "exchange_mismatch",
        "wrong_phase",
    )
)
"""What hangs on who played to which trick, and so on whether an entry is missing before it."""
EXCHANGE: Final = ("exchange_count", "exchange_mismatch", "exchange_not_allowed")
"""What is found of an exchange that may not be entered wholly."""
PLAYED_ON: Final = 2
"""So many whole tricks after one show that the deal did not end with it."""


def with_conditions(judged: Audit) -> Findings:
    """The findings of a deal; those say so that hold only if the entries are all there and in their order.

    Somebody plays out of turn, or an entry is missing, or two stand in each other's place: from there on
    nobody can tell who played to which trick, nor what that shows of the tricks before. Where all cards were
    played, none is missing.
    """
    if not any(one.code in BY_TURN for one in judged.findings):
        return judged.findings
    unsure, instead = _Unsure(judged), otherwise(judged)
    told = []
    for one in judged.findings:
        slips = dict.fromkeys(other.unless for other in instead if fault_of(one) in other.explains)
        unless = unsure.conditions(one, slips)
        told.append(one._replace(message=reduce(lambda found, on: on(found), unless, one.message)))
    return tuple(told)


class _Unsure:
    """What is not sure of a deal: the entries behind an act out of turn, and the hands of some seats."""

    def __init__(self, judged: Audit) -> None:
        self.judged = judged
        unsure = _unsure(judged)
        self.behind = {entry.seq for entry in unsure}
        acts = (entry.event for entry in unsure if isinstance(entry.event, ACTS))
        self.whole = all_played(judged.history.entries) and all(isinstance(one, CardPlayed) for one in acts)
        self.in_turn = in_order if self.whole else all_there
        self.hands = _with_hands_in_doubt(judged)

    def conditions(self, one: Finding, slips: dict[Condition, None]) -> tuple[Condition, ...]:
        """The conditions of a finding; ``slips``: those that no slip was made that would explain it."""
        unless = tuple(slips) or self._of_the_entries(one)
        if one.code == "wrong_seat" and unless == (trumps_right,) and one.seq in self.behind:
            unless = (trumps_right, self.in_turn)
        if one.code == "revoke" and (last := may_be_behind(self.judged, one.seq)) is not None:
            unless = (*unless, not_over(last))
        return unless

    def _of_the_entries(self, one: Finding) -> tuple[Condition, ...]:
        """That the entries which a finding hangs on are all there, and in their order."""
        if one.code in BY_TURN and {one.seq, *one.evidence} & self.behind:
            return (self.in_turn,)
        if one.code != "revoke":
            return ()
        if not self.whole and not _proved(self.judged, one):
            return (all_there,)
        return (exchange_whole,) if one.seat in self.hands else ()


def _unsure(judged: Audit) -> Log:
    """The first act out of turn and all that comes behind it."""
    entries = judged.history.entries
    out = {one.seq for one in judged.findings if one.code == "wrong_seat"}
    acts = (at for at, entry in enumerate(entries) if isinstance(entry.event, ACTS))
    first = next((at for at in acts if entries[at].seq in out), len(entries))
    return entries[first:]


def _with_hands_in_doubt(judged: Audit) -> frozenset[Seat | None]:
    """The seats whose hands, as the record has them, cannot have been those that they played with.

    They had more cards than there are tricks, or their exchange is amiss, or a card cannot have been theirs.
    """
    entries, state = judged.history.entries, judged.state
    amiss = (one.seat for one in judged.findings if one.code in EXCHANGE or one.severity == "impossible")
    played = played_by(entries)
    many = (seat for seat in SEATS if hand_count(state, seat) + played[seat] > HAND_SIZE)
    return frozenset((*amiss, *many))


def _proved(judged: Audit, one: Finding) -> bool:
    """Whether no trick that is missing can have taken the cards that he had to follow with.

    He plays one of them later on, and so did not play it before; or he has two of them left.
    """
    play = judged.state.play
    trick = trick_of(judged, one.seq)
    number, lead = (len(play.tricks) + 1, play) if trick is None else (trick.number, trick)
    if one.seq not in lead.seqs or one.seat is None:
        return False
    compelled = play.table.compelling[lead.cards[0]]
    later = played_since(judged.state, one.seat, number)
    left = play.held[one.seat] & compelled
    return left.bit_count() > 1 or any(BIT[card] & compelled for _, card, _ in later)


def may_be_behind(judged: Audit, seq: Seq) -> int | None:
    """The trick with which the deal may have been over before a card was played; None where it was not.

    Nobody has to follow when all is over, and nobody plays two whole tricks more then.
    """
    trick, whole = trick_of(judged, seq), len(judged.state.play.tricks)
    at = whole + 1 if trick is None else trick.number
    last = max((one for one in may_end_with(judged.state) if one < at), default=None)
    return None if last is None or whole >= last + PLAYED_ON else last

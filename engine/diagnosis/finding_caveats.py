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
from engine.core.cards import CARD_BITS, HAND_SIZE, SEATS, Seat
from engine.core.events import CardPlayed
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.diagnosis.alternatives import find_alternatives, find_trick
from engine.diagnosis.input_slips import TURN_ACTS
from engine.diagnosis.mistakes import are_all_cards_played, count_plays_by_seat, fault_key
from engine.judging.caveats import (
    Caveat,
    add_completeness_caveat,
    add_exchange_caveat,
    add_order_caveat,
    add_trump_caveat,
    build_continuation_caveat,
)
from engine.judging.revoke_messages import plays_after_trick
from engine.play.findings import Finding, Findings
from engine.play.state import hand_size
from engine.play.tricks import possible_final_tricks

TURN_DEPENDENT_CODES: Final = frozenset(
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
EXCHANGE_CODES: Final = ("exchange_count", "exchange_mismatch", "exchange_not_allowed")
"""What is found of an exchange that may not be entered wholly."""
MIN_TRICKS_PLAYED_ON: Final = 2
"""So many whole tricks after one show that the deal did not end with it."""


def add_caveats(deal_audit: Audit) -> Findings:
    """The findings of a deal; those say so that hold only if the entries are all there and in their order.

    Somebody plays out of turn, or an entry is missing, or two stand in each other's place: from there on
    nobody can tell who played to which trick, nor what that shows of the tricks before. Where all cards were
    played, none is missing.
    """
    if not any(one.code in TURN_DEPENDENT_CODES for one in deal_audit.findings):
        return deal_audit.findings
    uncertainty, alternatives = _Uncertainty(deal_audit), find_alternatives(deal_audit)
    findings = []
    for one in deal_audit.findings:
        slips = dict.fromkeys(
            other.caveat for other in alternatives if fault_key(one) in other.explained_faults
        )
        caveats = uncertainty.caveats_of(one, slips)
        findings.append(
            one._replace(message=reduce(lambda found, add_caveat: add_caveat(found), caveats, one.message))
        )
    return tuple(findings)


class _Uncertainty:
    """What is not sure of a deal: the entries behind an act out of turn, and the hands of some seats."""

    def __init__(self, deal_audit: Audit) -> None:
        self.deal_audit = deal_audit
        unsure = _list_unsure_entries(deal_audit)
        self.unsure_entries = {entry.seq for entry in unsure}
        acts = (entry.event for entry in unsure if isinstance(entry.event, TURN_ACTS))
        self.are_all_cards_played = are_all_cards_played(deal_audit.history.entries) and all(
            isinstance(one, CardPlayed) for one in acts
        )
        self.turn_caveat = add_order_caveat if self.are_all_cards_played else add_completeness_caveat
        self.doubtful_seats = _find_doubtful_seats(deal_audit)

    def caveats_of(self, one: Finding, slips: dict[Caveat, None]) -> tuple[Caveat, ...]:
        """The conditions of a finding; ``slips``: those that no slip was made that would explain it."""
        caveats = tuple(slips) or self._entry_caveats(one)
        if one.code == "wrong_seat" and caveats == (add_trump_caveat,) and one.seq in self.unsure_entries:
            caveats = (add_trump_caveat, self.turn_caveat)
        if one.code == "revoke" and (last := find_possible_last_trick(self.deal_audit, one.seq)) is not None:
            caveats = (*caveats, build_continuation_caveat(last))
        return caveats

    def _entry_caveats(self, one: Finding) -> tuple[Caveat, ...]:
        """That the entries which a finding hangs on are all there, and in their order."""
        if one.code in TURN_DEPENDENT_CODES and {one.seq, *one.evidence} & self.unsure_entries:
            return (self.turn_caveat,)
        if one.code != "revoke":
            return ()
        if not self.are_all_cards_played and not _is_proved(self.deal_audit, one):
            return (add_completeness_caveat,)
        return (add_exchange_caveat,) if one.seat in self.doubtful_seats else ()


def _list_unsure_entries(judged: Audit) -> Log:
    """The first act out of turn and all that comes behind it."""
    entries = judged.history.entries
    out_of_turn = {one.seq for one in judged.findings if one.code == "wrong_seat"}
    acts = (index for index, entry in enumerate(entries) if isinstance(entry.event, TURN_ACTS))
    first = next((index for index in acts if entries[index].seq in out_of_turn), len(entries))
    return entries[first:]


def _find_doubtful_seats(judged: Audit) -> frozenset[Seat | None]:
    """The seats whose hands, as the record has them, cannot have been those that they played with.

    They had more cards than there are tricks, or their exchange is amiss, or a card cannot have been theirs.
    """
    entries, state = judged.history.entries, judged.state
    seats_at_fault = (
        one.seat for one in judged.findings if one.code in EXCHANGE_CODES or one.severity == "impossible"
    )
    played = count_plays_by_seat(entries)
    seats_with_too_many = (seat for seat in SEATS if hand_size(state, seat) + played[seat] > HAND_SIZE)
    return frozenset((*seats_at_fault, *seats_with_too_many))


def _is_proved(judged: Audit, one: Finding) -> bool:
    """Whether no trick that is missing can have taken the cards that he had to follow with.

    He plays one of them later on, and so did not play it before; or he has two of them left.
    """
    play = judged.state.play
    trick = find_trick(judged, one.seq)
    number, lead = (len(play.tricks) + 1, play) if trick is None else (trick.number, trick)
    if one.seq not in lead.seqs or one.seat is None:
        return False
    compelled = play.trick_rules.compelling[lead.cards[0]]
    later = plays_after_trick(judged.state, one.seat, number)
    held = play.known_cards[one.seat] & compelled
    return held.bit_count() > 1 or any(CARD_BITS[card] & compelled for _, card, _ in later)


def find_possible_last_trick(deal_audit: Audit, seq: Seq) -> int | None:
    """The trick with which the deal may have been over before a card was played; None where it was not.

    Nobody has to follow when all is over, and nobody plays two whole tricks more then.
    """
    trick, whole = find_trick(deal_audit, seq), len(deal_audit.state.play.tricks)
    number = whole + 1 if trick is None else trick.number
    last = max((one for one in possible_final_tricks(deal_audit.state) if one < number), default=None)
    return None if last is None or whole >= last + MIN_TRICKS_PLAYED_ON else last

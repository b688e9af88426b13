"""What only the whole record shows of its hidden cards, as findings of the audit (RULES 5, 9).

Judging sees what the cards on the table and in the known hands show. What follows from counting, or from
what cannot lie anywhere else, is found here: revokes that are proved with no card of the offender shown, and
entries whose cards cannot all be true. Nothing is asked where nothing is hidden. What is found follows from
the entries alone: who may know less gives entries that tell less (`engine.view`).
"""

from collections.abc import Iterable
from typing import Final

from engine.core.cards import CARD_BITS
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.message import Message, TextList, format_message
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.inference.claims import collect_claims
from engine.inference.evidence import Evidence, find_further_revokes, find_physical_level
from engine.inference.hidden_cards import cards_in_places
from engine.inference.hidden_play_search import has_consistent_deal
from engine.inference.inference_case import PHYSICAL_ONLY, AssumedRules, InferenceCase, build_case
from engine.inference.minimal_conflict import find_minimal_conflict
from engine.inference.places import ALL_PLACES, HAND_PLACES, hand_cards
from engine.inference.suit_constraints import OffSuitPlay
from engine.inference.withheld_matadors import find_withheld_matadors
from engine.judging.revoke_messages import (
    add_revoke_deadline,
    describe_revoke,
    explain_privilege_refusal,
    is_matador_privilege_relevant,
)
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.state import State

ALL_HANDS_DEALT: Final = 0b111
MAX_STEPS_PER_QUESTION: Final = 150
"""So many steps each question takes at most where plays are hidden: an audit is made after every entry."""
MAX_TOTAL_STEPS: Final = 600
"""So many all questions about single plays together."""
UNRELIABLE_CODES: Final = frozenset(
    ("exchange_count", "exchange_mismatch", "exchange_not_allowed", "wrong_phase", "wrong_seat")
)
"""Codes of findings after which numbers and turns in the record are not to be relied upon."""
OUT_OF_TURN_PLAY: Final = ("wrong_seat", "5. Play")
"""A card laid out of turn is read as it was laid: all the same it has left its hand."""


DEFAULT_JUDGING_WORK: Final = UNITS_PER_SECOND // 5
"""So much work is done in all, whatever is hidden."""


def judge_hidden_cards(
    entries: Log, state: State, known_findings: Iterable[Finding], work: WorkBudget | None = None
) -> Findings:
    """What the entries prove of hidden cards, besides the ``known_findings`` made where they stand.

    And matadors that were withheld by right and called a revoke, which is only worth knowing. ``entries``:
    those of an effective history, all of them; ``state``: the fold of just these. A play that was found to be
    a revoke is not told again, nor is anything proved from a record that was found to be impossible: whose
    entry is wrong decides what the others prove. What takes more than `DEFAULT_JUDGING_WORK` is not found.

    Raises:
        BudgetExceeded: it takes more than the ``work`` that was given instead.
    """
    known_findings = tuple(known_findings)
    if not state.opening.rules.is_known or any(one.severity == "impossible" for one in known_findings):
        return NO_FINDINGS
    known_revokes = frozenset(one.seq for one in known_findings if one.code == "revoke")
    try:
        budget = WorkBudget(DEFAULT_JUDGING_WORK) if work is None else work
        proved = _find_proved(entries, state, known_findings, known_revokes, budget)
    except BudgetExceeded:
        if work is not None:
            raise
        proved = NO_FINDINGS
    if any(one.code == "contradiction" for one in proved):
        return proved
    return (*proved, *find_withheld_matadors(entries, state, known_revokes.union(one.seq for one in proved)))


def _find_proved(
    entries: Log, state: State, known_findings: Findings, known_revokes: frozenset[Seq], work: WorkBudget
) -> Findings:
    """What is proved of hidden cards; the revokes that were found already are not told again."""
    if not _has_card_claims(state) or not _has_hidden_cards(state):
        return NO_FINDINGS
    if any(
        (one.code, one.rule) != OUT_OF_TURN_PLAY and one.code in UNRELIABLE_CODES for one in known_findings
    ):
        return NO_FINDINGS
    case = build_case(collect_claims(entries, state), work)
    if has_consistent_deal(case, PHYSICAL_ONLY, WorkBudget(MAX_STEPS_PER_QUESTION)) is False:
        return _find_contradiction(case)
    return _find_revokes(case, state, known_revokes)


def _has_card_claims(state: State) -> bool:
    """Whether the record tells of any card: a slip has nothing that could prove anything."""
    return bool(state.play.tricks or state.play.seats or any(state.knowledge.sources))


def _has_hidden_cards(state: State) -> bool:
    """Whether a card is hidden of which the cards seen may prove something."""
    exchange, play = state.exchange, state.play
    if (
        state.knowledge.fully_known_seats != ALL_HANDS_DEALT
        or play.pending_revokes
        or state.is_incomplete
        or any(play.hidden_slots)
    ):
        return True
    return not all(
        CARD_BITS[card] for cards in (*exchange.discards, *exchange.draws) if cards for card in cards
    )


def _find_revokes(case: InferenceCase, state: State, known_revokes: frozenset[Seq]) -> Findings:
    """Revokes that are proved, besides ``known_revokes``."""
    if not (state.play.pending_revokes or state.is_incomplete or case.hidden_plays):
        return NO_FINDINGS
    revokes = find_further_revokes(case, MAX_STEPS_PER_QUESTION, known_revokes, MAX_TOTAL_STEPS)
    if not revokes:
        return NO_FINDINGS
    physical = find_physical_level(case, WorkBudget(MAX_STEPS_PER_QUESTION))
    evidence = Evidence(case, physical, physical, revokes, MAX_STEPS_PER_QUESTION)
    return build_revoke_findings(evidence, state)


def _find_contradiction(case: InferenceCase) -> Findings:
    """Entries whose cards cannot all be true: found at the last of them, with all of them as evidence.

    One entry alone contradicts none: whether it can be said there at all is judged where it stands.
    """
    entries = sorted(
        find_minimal_conflict(case.claims, PHYSICAL_ONLY, MAX_STEPS_PER_QUESTION, case.work), key=seq_key
    )
    if len(entries) < 2:
        return NO_FINDINGS
    message = format_message(
        "The cards of the entries {entries} cannot all be as recorded: one of them at least is wrong.",
        entries=TextList(str(seq) for seq in entries),
    )
    return (build_finding(entries[-1], "contradiction", message, "9. Record", evidence=tuple(entries)),)


# --- Revokes, in words ------------------------------------------------------------------------------


PLAY_RULE: Final = "5. Play"


def build_revoke_findings(evidence: Evidence, state: State) -> Findings:
    """The revokes that the record proves, whatever its hidden cards are; ``state`` is its fold."""
    return tuple(
        _build_finding(evidence, state, _find_off_suit_play(evidence, seq)) for seq in evidence.revokes
    )


def _find_off_suit_play(evidence: Evidence, seq: Seq) -> OffSuitPlay:
    """The play at ``seq`` with the card led to it; either may be one that nobody saw."""
    trick = next(trick for trick in evidence.claims.tricks if seq in trick.seqs)
    place = trick.seqs.index(seq)
    return OffSuitPlay(
        seq, trick.seqs[0], trick.seats[place], trick.number, trick.cards[0], trick.cards[place]
    )


def _build_finding(evidence: Evidence, state: State, play: OffSuitPlay) -> Finding:
    rules = AssumedRules(binding_plays=frozenset((play.seq,)), must_winner_lead=False)
    conflict = find_minimal_conflict(evidence.claims, rules, work=evidence.case.work)
    proof_seqs = tuple(sorted({*conflict, play.lead_seq, play.seq}, key=seq_key))
    held_cards = _proved_holding(evidence, play, proof_seqs)
    sentences = list(describe_revoke(state, play.seat, play.trick, held_cards))
    if not held_cards:
        sentences.append(_describe_count(state, play, proof_seqs))
    compelling = _compelling_cards(evidence, play, held_cards)
    if is_matador_privilege_relevant(evidence.claims.trick_rules, play.lead, compelling):
        sentences.append(explain_privilege_refusal(state, play.seat, play.lead, compelling))
    message = format_message(
        "{course} No hand that {player} can have had allowed it: a revoke.",
        course=TextList(sentences, " "),
        player=player_or_seat(state, play.seat),
    )
    message = add_revoke_deadline(state, play.trick, message)
    return build_finding(play.seq, "revoke", message, PLAY_RULE, play.seat, proof_seqs, "revoke")


def _describe_count(state: State, play: OffSuitPlay, proof_seqs: tuple[Seq, ...]) -> Message:
    """What shows that the hand held better where none of its cards is known."""
    return format_message(
        "Entries {entries} leave no other place for all cards that had to follow: {player} held one.",
        entries=TextList(str(seq) for seq in proof_seqs if seq not in (play.seq, play.lead_seq)),
        player=player_or_seat(state, play.seat),
    )


def _proved_holding(evidence: Evidence, off_suit_play: OffSuitPlay, proof_seqs: tuple[Seq, ...]) -> int:
    """The cards that the evidence itself shows in the hand, and that compelled it."""
    seat, lead = off_suit_play.seat, off_suit_play.lead
    mask = 0
    for trick in evidence.claims.tricks:
        for player, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if player == seat and trick.number > off_suit_play.trick and seq in proof_seqs:
                mask |= CARD_BITS[card]
    elsewhere = cards_in_places(evidence.physical, ALL_PLACES & ~HAND_PLACES[seat])
    for claim in evidence.claims.card_claims:
        for card in claim.cards if claim.seq in proof_seqs and claim.seat == seat else ():
            play = evidence.case.plays_by_card.get(card)
            was_played = play and play.seat == seat and not play.was_held_after(off_suit_play.trick)
            mask |= 0 if was_played else CARD_BITS[card] & ~elsewhere
    return mask & evidence.claims.trick_rules.followers[lead] if CARD_BITS[lead] else 0


def _compelling_cards(evidence: Evidence, play: OffSuitPlay, held_cards: int) -> int:
    """``held_cards``, where these cards alone prove it; none where the hand may have held what frees them."""
    trick_rules = evidence.claims.trick_rules
    if held_cards & trick_rules.compelling[play.lead]:
        return held_cards
    in_hand = hand_cards(evidence.physical.cards_by_place, play.seat)
    return 0 if in_hand & trick_rules.freeing[play.lead] else held_cards

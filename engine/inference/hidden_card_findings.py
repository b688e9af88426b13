"""Findings about hidden cards that only the whole record shows (RULES 5, 9).

Judging sees what the cards on the table and in the known hands show. Here is found what follows from
counting, or from what cannot lie anywhere else: revokes that are proved without a card of the offender, and
entries whose cards cannot all be true. If nothing is hidden, nothing is searched. The findings follow from
the entries alone, so a redacted log (`engine.view`) gives fewer.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.core.cards import CARD_BITS, SEATS, Card, Seat, codes_in_mask
from engine.core.events import IrregularityNoted
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.message import Message, TextList, format_message
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.inference.claims import ALL_PLACES, HAND_PLACES, collect_claims, hand_cards
from engine.inference.evidence import (
    Evidence,
    find_further_revokes,
    find_minimal_conflict,
    find_physical_level,
)
from engine.inference.hidden_play_search import has_consistent_deal
from engine.inference.inference_case import PHYSICAL_ONLY, AssumedRules, InferenceCase, build_case
from engine.inference.suit_constraints import OffSuitPlay, is_lead_known
from engine.judging.revoke_messages import (
    add_revoke_deadline,
    card_term,
    describe_revoke,
    explain_privilege_refusal,
    is_matador_privilege_relevant,
    plays_after_trick,
)
from engine.play.findings import NO_FINDINGS, Finding, Findings, build_finding, player_or_seat
from engine.play.revoke_calls import may_mean_trick, mentions_revoke
from engine.play.state import State, Trick

ALL_HANDS_DEALT: Final = 0b111
MAX_STEPS_PER_QUESTION: Final = 150
"""Limit on the steps of each question about hidden plays: an audit is made after every entry."""
MAX_TOTAL_STEPS: Final = 600
"""Limit on the steps of all questions about single plays."""
UNRELIABLE_CODES: Final = frozenset(
    ("exchange_count", "exchange_mismatch", "exchange_not_allowed", "wrong_phase", "wrong_seat")
)
"""Codes of findings after which numbers and turns in the record are not reliable."""
OUT_OF_TURN_PLAY: Final = ("wrong_seat", "5. Play")
"""Except this: a card laid out of turn has left its hand anyway."""
DEFAULT_JUDGING_WORK: Final = UNITS_PER_SECOND // 5
"""The work of all searches together, if no other budget is given."""
PLAY_RULE: Final = "5. Play"


def judge_hidden_cards(
    entries: Log, state: State, known_findings: Iterable[Finding], work: WorkBudget | None = None
) -> Findings:
    """What the entries prove of hidden cards, besides ``known_findings``.

    Also matadors that were rightly withheld but called a revoke. ``entries`` are those of a whole effective
    history, ``state`` is their fold. Known revokes are not reported again. Nothing is proved from a record
    known to be impossible, as that depends on which entry is wrong. What takes more than
    `DEFAULT_JUDGING_WORK` is not found.

    Raises:
        BudgetExceeded: it takes more than ``work``, if that is given.
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
    """What is proved of hidden cards, without known revokes."""
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
    """Whether the record has any card; a slip has none."""
    return bool(state.play.tricks or state.play.seats or any(state.knowledge.sources))


def _has_hidden_cards(state: State) -> bool:
    """Whether a card is hidden of which the known cards may prove something."""
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
    if not (state.play.pending_revokes or state.is_incomplete or case.hidden_plays):
        return NO_FINDINGS
    revokes = find_further_revokes(case, MAX_STEPS_PER_QUESTION, known_revokes, MAX_TOTAL_STEPS)
    if not revokes:
        return NO_FINDINGS
    physical = find_physical_level(case, WorkBudget(MAX_STEPS_PER_QUESTION))
    evidence = Evidence(case, physical, physical, revokes, MAX_STEPS_PER_QUESTION)
    return build_revoke_findings(evidence, state)


def _find_contradiction(case: InferenceCase) -> Findings:
    """Entries whose cards cannot all be true, as a finding at the last of them.

    One entry alone contradicts none; what is wrong with it by itself is found by its judge.
    """
    entries = sorted(
        find_minimal_conflict(case.claims, PHYSICAL_ONLY, MAX_STEPS_PER_QUESTION, case.work), key=seq_key
    )
    if len(entries) < 2:
        return NO_FINDINGS
    message = format_message(
        "The cards of the entries {entries} cannot all be as recorded: at least one is wrong.",
        entries=TextList(str(seq) for seq in entries),
    )
    return (build_finding(entries[-1], "contradiction", message, "9. Record", evidence=tuple(entries)),)


# --- Revokes, in words ------------------------------------------------------------------------------


def build_revoke_findings(evidence: Evidence, state: State) -> Findings:
    """The revokes that the record proves whatever its hidden cards are; ``state`` is its fold."""
    return tuple(
        _build_finding(evidence, state, _find_off_suit_play(evidence, seq)) for seq in evidence.revokes
    )


def _find_off_suit_play(evidence: Evidence, seq: Seq) -> OffSuitPlay:
    """The play at ``seq`` with the card led to it; either may be hidden."""
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
        "{course} No hand that {player} can have held allowed it: it was a revoke.",
        course=TextList(sentences, " "),
        player=player_or_seat(state, play.seat),
    )
    message = add_revoke_deadline(state, play.trick, message)
    return build_finding(play.seq, "revoke", message, PLAY_RULE, play.seat, proof_seqs, "revoke")


def _describe_count(state: State, play: OffSuitPlay, proof_seqs: tuple[Seq, ...]) -> Message:
    """What shows that the hand held a compelling card, if none of its cards is known."""
    return format_message(
        "Entries {entries} leave no other place for all the cards that had to follow: {player} "
        "held one of them.",
        entries=TextList(str(seq) for seq in proof_seqs if seq not in (play.seq, play.lead_seq)),
        player=player_or_seat(state, play.seat),
    )


def _proved_holding(evidence: Evidence, off_suit_play: OffSuitPlay, proof_seqs: tuple[Seq, ...]) -> int:
    """The cards of the suit led that the proof itself shows in the hand."""
    seat, lead = off_suit_play.seat, off_suit_play.lead
    mask = 0
    for trick in evidence.claims.tricks:
        for player, card, seq in zip(trick.seats, trick.cards, trick.seqs, strict=True):
            if player == seat and trick.number > off_suit_play.trick and seq in proof_seqs:
                mask |= CARD_BITS[card]
    elsewhere = evidence.physical.cards_in(ALL_PLACES & ~HAND_PLACES[seat])
    for claim in evidence.claims.card_claims:
        for card in claim.cards if claim.seq in proof_seqs and claim.seat == seat else ():
            play = evidence.case.plays_by_card.get(card)
            was_played = play and play.seat == seat and not play.was_held_after(off_suit_play.trick)
            mask |= 0 if was_played else CARD_BITS[card] & ~elsewhere
    return mask & evidence.claims.trick_rules.followers[lead] if CARD_BITS[lead] else 0


def _compelling_cards(evidence: Evidence, play: OffSuitPlay, held_cards: int) -> int:
    """``held_cards`` if they alone prove the revoke; none if a card held may free them."""
    trick_rules = evidence.claims.trick_rules
    if held_cards & trick_rules.compelling[play.lead]:
        return held_cards
    in_hand = hand_cards(evidence.physical.cards_by_place, play.seat)
    return 0 if in_hand & trick_rules.freeing[play.lead] else held_cards


# --- Matadors withheld by right ----------------------------------------------------------------------


def find_withheld_matadors(entries: Log, state: State, revokes: frozenset[Seq]) -> Findings:
    """Matadors that were rightly not played to a trump lead, where somebody called it a revoke.

    Excused play is no fault and is reported only to answer the call. ``entries`` and ``state`` are those of
    the whole record; ``revokes`` are the plays that were revokes. Nothing is reported if entries are missing,
    as the card led depends on them.
    """
    calls = [
        (entry.seq, entry.event)
        for entry in entries
        if isinstance(entry.event, IrregularityNoted) and mentions_revoke(entry.event)
    ]
    if not calls or not state.play.trick_rules.matadors or state.is_incomplete:
        return NO_FINDINGS
    found = []
    for trick, seat, seq, held_matadors in _list_withholding_plays(state):
        later_calls = (one for one in calls if seq_key(one[0]) > seq_key(seq))
        call = next(
            (
                call_seq
                for call_seq, event in later_calls
                if event.seat == seat and may_mean_trick(event, trick.number)
            ),
            None,
        )
        if call is not None and seq not in revokes:
            found.append(_build_withheld_finding(state, trick, seat, seq, held_matadors, call))
    return tuple(found)


def _list_withholding_plays(state: State) -> Iterator[tuple[Trick, Seat, Seq, int]]:
    """Plays that did not follow a trump: the trick, the seat, the entry, the matadors held then.

    From the last to the first, as cards played later were held before.
    """
    play, trick_rules = state.play, state.play.trick_rules
    tricks = play.tricks
    if play.seats:
        tricks = (*tricks, Trick(len(tricks) + 1, play.seats, play.cards, play.seqs, None))
    held_matadors = [play.known_cards[seat] & trick_rules.matadors for seat in SEATS]
    for number in range(len(tricks) - 1, -1, -1):
        trick = tricks[number]
        compelling = trick_rules.compelling[trick.cards[0]]
        if CARD_BITS[trick.cards[0]] & trick_rules.trumps and is_lead_known(tricks, number):
            for seat, card, seq in zip(trick.seats[1:], trick.cards[1:], trick.seqs[1:], strict=True):
                if (
                    CARD_BITS[card] & ~trick_rules.trumps
                    and held_matadors[seat]
                    and not held_matadors[seat] & compelling
                ):
                    yield trick, seat, seq, held_matadors[seat]
        for seat, card in zip(trick.seats, trick.cards, strict=True):
            held_matadors[seat] |= CARD_BITS[card] & trick_rules.matadors


def _build_withheld_finding(
    state: State, trick: Trick, seat: Seat, seq: Seq, held_matadors: int, call: Seq
) -> Finding:
    story = describe_revoke(state, seat, trick.number, held_matadors)
    message = format_message(
        "{course} {excuse}",
        course=TextList(story, " "),
        excuse=_describe_excuse(state, seat, trick.cards[0], held_matadors),
    )
    shown = (
        later
        for _, card, later in plays_after_trick(state, seat, trick.number)
        if CARD_BITS[card] & held_matadors
    )
    return build_finding(seq, "matador_withheld", message, PLAY_RULE, seat, (trick.seqs[0], *shown, call))


def _describe_excuse(state: State, seat: Seat, lead: Card, held_matadors: int) -> Message:
    trick_rules = state.play.trick_rules
    freeing = trick_rules.freeing[lead]
    if held_matadors & freeing:
        return format_message(
            "The matador privilege excuses it: {lead} does not compel {cards}.",
            lead=card_term(lead),
            cards=TextList(codes_in_mask(held_matadors)),
        )
    return format_message(
        "The matador privilege excuses it only if {player} held {cards} too.",
        player=player_or_seat(state, seat),
        cards=TextList(codes_in_mask(freeing & trick_rules.trumps)),
    )

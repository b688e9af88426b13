"""Conditions under which a finding of the play holds, and alternatives to it (RULES 5, 9).

A revoke is proved by the cards of its trick and by later ones; an act out of turn by the winner of the trick
before. Neither is proved if an entry is missing, stands in another's place, or has a card easily taken for
another. So a finding that depends on the entries says so; and if one slip of the pen would remove it, that
slip is reported as an alternative, with its correction. Nobody is accused of what a slip may explain, and no
fault is lost, since the finding stays.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from itertools import accumulate, islice
from typing import Final, NamedTuple

from engine.audit import Audit, judge_history, review_record
from engine.core.cards import CARD_BITS, CARD_CODES, HAND_SIZE, PACK_MASK, SEATS, Card, Seat, cards_in_mask
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, CorrectionMade, Event, HandDealt
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.core.message import Message, format_message
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.diagnosis.correction_search import are_easily_confused
from engine.diagnosis.input_slips import (
    TURN_ACTS,
    build_swapped_entries_mistake,
    describe_possible_swap,
    list_other_namings,
)
from engine.diagnosis.mistakes import (
    MIN_EXPLAINED,
    PLAY_FAULT_CODES,
    FaultKey,
    Mistake,
    are_all_cards_played,
    build_mistake,
    count_plays_by_seat,
    describe_substitution,
    fault_key,
    grave_faults,
)
from engine.diagnosis.omissions import list_trick_omissions
from engine.fold import evolve, folding_cost
from engine.inference.hidden_card_findings import judge_hidden_cards
from engine.judging.caveats import (
    Caveat,
    add_card_caveat,
    add_completeness_caveat,
    add_exchange_caveat,
    add_order_caveat,
    add_trump_caveat,
    build_continuation_caveat,
)
from engine.judging.revoke_messages import plays_after_trick
from engine.play.findings import Finding, Findings
from engine.play.hands import impossible_cards
from engine.play.revoke_calls import called_revokes
from engine.play.state import Trick, hand_size, initial_state
from engine.play.tricks import possible_final_tricks
from engine.scoring.score import score

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
"""Codes of findings that depend on who played to which trick, and so on missing entries."""
EXCHANGE_CODES: Final = ("exchange_count", "exchange_mismatch", "exchange_not_allowed")
"""Codes of findings on an exchange that may be incomplete."""
MIN_TRICKS_PLAYED_ON: Final = 2
"""How many whole tricks after a trick show that the deal did not end with it."""
ALTERNATIVES_WORK: Final = UNITS_PER_SECOND // 10
"""The work of a search for alternatives."""
MAX_TRICKS_TRIED: Final = 3
"""For how many tricks with a revoke alternatives are searched, from the first."""


class Alternative(NamedTuple):
    """A mistake of the pen, as a warning, that may explain findings.

    ``explained_faults``: the findings that it removes; ``caveat`` adds to one of them that it holds only if
    the mistake was not made.
    """

    mistake: Mistake
    explained_faults: frozenset[FaultKey]
    caveat: Caveat


def find_trick(deal_audit: Audit, seq: Seq) -> Trick | None:
    """The whole trick that an entry belongs to."""
    return next((trick for trick in deal_audit.state.play.tricks if seq in trick.seqs), None)


def find_alternatives(deal_audit: Audit) -> tuple[Alternative, ...]:
    """Alternatives to revokes, at most one of each kind for each trick with a revoke.

    A card that shows the revoke and is easily taken for another; two cards in each other's place; a missing
    trick; if none of these fits, a card of the hand. Other trumps may explain all findings of the play.
    Nothing is offered for a revoke that people at the table called, or ruled on.
    """
    if not any(one.code in PLAY_FAULT_CODES for one in deal_audit.findings):
        return ()
    called = called_revokes(deal_audit.history.entries, deal_audit.state, deal_audit.findings)
    revokes = [one for one in deal_audit.findings if one.code == "revoke" and one.seq not in called]
    found_tricks = (find_trick(deal_audit, one.seq) for one in revokes)
    tricks = {trick.number: trick for trick in found_tricks if trick is not None}
    search = _AlternativeSearch(deal_audit)
    found: list[Alternative] = []
    try:
        for trick in list(tricks.values())[:MAX_TRICKS_TRIED]:
            found += search.find_at_trick(trick)
        found += search.find_wrong_contract()
    except BudgetExceeded:
        pass  # what was found by then counts
    alternatives = tuple(dict.fromkeys(found))
    return tuple(
        one for one in alternatives if not any(_is_more_specific(other, one) for other in alternatives)
    )


def _is_more_specific(one: Alternative, other: Alternative) -> bool:
    """Whether one wrong card explains all that another does, and more."""
    return one.caveat == other.caveat == add_card_caveat and other.explained_faults < one.explained_faults


class _AlternativeSearch:
    """Searches slips with whose correction a trick with a revoke is in order."""

    def __init__(self, deal_audit: Audit) -> None:
        self.deal_audit, self.entries = deal_audit, deal_audit.history.entries
        self.budget = WorkBudget(ALTERNATIVES_WORK)
        self.positions = {entry.seq: index for index, entry in enumerate(self.entries)}
        self.book = deal_audit.state.opening.book
        self.states = list(accumulate(self.entries, evolve, initial=initial_state(self.book)))
        self.grave_faults = grave_faults(deal_audit.findings)

    def _filter_clearing(
        self, slips: Iterator[Mistake], trick: Trick, caveat: Caveat
    ) -> Iterator[Alternative]:
        """The slips with whose correction nobody revoked at this trick, and nothing new is wrong."""
        revokes = {one for one in self.grave_faults if one[1] == "revoke" and one[0] in trick.seqs}
        for slip in slips:
            remaining = grave_faults(self._rejudge(slip))
            if not remaining & revokes and remaining <= self.grave_faults:
                yield Alternative(slip, frozenset(self.grave_faults - remaining), caveat)

    def find_at_trick(self, trick: Trick) -> Iterator[Alternative]:
        """Alternatives to the revokes at a trick; a card held only if nothing else fits."""
        kinds = (
            (self._list_misread_plays, add_card_caveat),
            (self._list_swapped_plays, add_order_caveat),
            (self._list_omitted_tricks, add_completeness_caveat),
        )
        first = (islice(self._filter_clearing(kind(trick), trick, unless), 1) for kind, unless in kinds)
        found = [one for slips in first for one in slips]
        yield from found or islice(
            self._filter_clearing(self._list_misread_holdings(trick), trick, add_card_caveat), 1
        )

    def find_wrong_contract(self) -> Iterator[Alternative]:
        """The other trumps or contract with which the least is wrong in the play, and nothing new is.

        If faults of the play remain, it must explain two of them.
        """
        if called_revokes(self.entries, self.deal_audit.state, self.deal_audit.findings):
            return
        best = None
        for slip in self._list_single_entry_namings():
            remaining = grave_faults(self._rejudge(slip))
            cleared = frozenset(self.grave_faults - remaining)
            is_partial = any(code in PLAY_FAULT_CODES for _, code, _ in remaining)
            explained = sum(code in PLAY_FAULT_CODES for _, code, _ in cleared)
            enough = remaining <= self.grave_faults and explained >= (MIN_EXPLAINED if is_partial else 1)
            if enough and (best is None or len(cleared) > len(best.explained_faults)):
                naming = slip.as_warning(_describe_possible_naming(slip, is_partial=is_partial))
                best = Alternative(naming, cleared, add_trump_caveat)
        if best is not None:
            yield best

    def _list_single_entry_namings(self) -> Iterator[Mistake]:
        """Other trumps, and other contracts by the same bid: one revoke does not show another bid."""
        for _, slip in list_other_namings(self.entries, self.states):
            if all(len(one.replaces) == 1 for one in slip.corrections):
                yield slip

    def _rejudge(self, slip: Mistake) -> Findings:
        """The findings of the deal with a slip corrected. Raises `BudgetExceeded`."""
        self.budget.spend(folding_cost(len(self.entries)))
        (correction,) = slip.corrections
        first, count = self.positions[correction.replaces[0]], len(correction.replaces)
        corrected = _corrected_entries(correction, self.entries[first : first + count])
        entries = (*self.entries[:first], *corrected, *self.entries[first + count :])
        state, found = judge_history(
            self.deal_audit.history._replace(entries=entries), initial_state(self.book)
        )
        found += judge_hidden_cards(entries, state, found, self.budget)
        return (*found, *review_record(state, score(state), entries))

    def _list_misread_plays(self, trick: Trick) -> Iterator[Mistake]:
        """A card that shows the revoke, misread for one like it: the lead, or a later card.

        Any card of the trick, if the next lead is wrong too.
        """
        for seq in (*self._suspect_plays_of_trick(trick), *self._later_evidence(trick)):
            entry = self.entries[self.positions[seq]]
            if isinstance(entry.event, CardPlayed) and CARD_BITS[entry.event.card]:
                for card in cards_in_mask(self._possible_plays(entry.event.seat)):
                    if are_easily_confused(entry.event.card, card):
                        corrected = replace(entry.event, card=card)
                        yield _build_misprint(entry, entry.event.card, card, corrected)

    def _list_misread_holdings(self, trick: Trick) -> Iterator[Mistake]:
        """The one held card that shows the revoke, misread where it was dealt, drawn or not discarded."""
        for one in self._revokes_at(trick):
            if one.seat is None:
                continue
            before = self.states[self.positions[one.seq]].play
            held_cards = before.known_cards[one.seat] & before.trick_rules.followers[trick.cards[0]]
            if held_cards.bit_count() == 1:
                yield from self._list_misread_hand_entries(one.seat, cards_in_mask(held_cards)[0])

    def _list_misread_hand_entries(self, seat: Seat, held_card: Card) -> Iterator[Mistake]:
        """Each entry of a seat with that card for another, or that discards another card for it."""
        unknown = self._possible_plays(seat) & ~self.deal_audit.state.play.known_cards[seat]
        for entry in self.entries:
            event = entry.event
            if not isinstance(event, (HandDealt, CardsDrawn, CardsDiscarded)) or event.seat != seat:
                continue
            if isinstance(event, CardsDiscarded):
                laid_away = () if held_card in event.cards else event.cards
                pairs = [(card, held_card) for card in laid_away if CARD_BITS[card]]
            else:
                pairs = [(held_card, card) for card in cards_in_mask(unknown) if held_card in event.cards]
            for wrong, right in pairs:
                if are_easily_confused(wrong, right):
                    cards = tuple(right if card == wrong else card for card in event.cards)
                    yield _build_misprint(entry, wrong, right, replace(event, cards=cards))

    def _suspect_plays_of_trick(self, trick: Trick) -> tuple[Seq, ...]:
        """The lead; all cards of the trick if the next leader cannot have won it."""
        next_lead = self.entries[self.positions[trick.seqs[-1]] + 1 :][:1]
        wrong_seqs = {seq for seq, code, _ in self.grave_faults if code == "wrong_seat"}
        return trick.seqs if any(entry.seq in wrong_seqs for entry in next_lead) else trick.seqs[:1]

    def _later_evidence(self, trick: Trick) -> tuple[Seq, ...]:
        """The later cards that show a revoke; a matador among them alone shows none."""
        shown = dict.fromkeys(seq for one in self._revokes_at(trick) for seq in one.evidence)
        return tuple(seq for seq in shown if self.positions[seq] > self.positions[trick.seqs[-1]])

    def _revokes_at(self, trick: Trick) -> Findings:
        return tuple(
            one for one in self.deal_audit.findings if one.code == "revoke" and one.seq in trick.seqs
        )

    def _possible_plays(self, seat: Seat) -> int:
        """A mask of the cards that this seat may have played."""
        state = self.deal_audit.state
        played = (CARD_BITS[one.event.card] for one in self.entries if isinstance(one.event, CardPlayed))
        return PACK_MASK & ~(impossible_cards(state.knowledge, state.play, seat) | sum(set(played)))

    def _list_swapped_plays(self, trick: Trick) -> Iterator[Mistake]:
        """The last card of a trick and the first of the next, by one seat, in each other's place."""
        for first in (self.positions[trick.seqs[-1]], self.positions[trick.seqs[0]] - 1):
            pair = self.entries[first : first + 2]
            if [type(one.event) for one in pair] == [CardPlayed, CardPlayed]:
                slip = build_swapped_entries_mistake(*pair)
                yield slip.as_warning(describe_possible_swap(slip))

    def _list_omitted_tricks(self, trick: Trick) -> Iterator[Mistake]:
        """A whole trick that is missing before the revoke."""
        for slip in list_trick_omissions(self.entries, self.states[: self.positions[trick.seqs[0]] + 1]):
            message = format_message(
                "A whole trick may be missing before entry {entry}: {cards}.",
                entry=slip.finding.seq,
                cards=slip.finding.message.arguments["cards"],
            )
            yield slip.as_warning(message)


def _corrected_entries(correction: CorrectionMade, replaced: Log) -> Iterator[Entry]:
    """The entries that a correction puts in, numbered like the entries that they repeat or replace."""
    recorded = {entry.event: entry.seq for entry in replaced}
    for number, event in enumerate(correction.with_, 1):
        seq = correction.replaces[0] if len(correction.with_) == 1 else f"{correction.replaces[0]}.{number}"
        yield Entry(recorded.get(event, seq), event)


def _describe_possible_naming(slip: Mistake, *, is_partial: bool) -> Message:
    """The other trumps as a possibility; ``is_partial``: some faults of the play remain."""
    wrong = slip.finding.message
    if is_partial:
        return format_message("Perhaps this: {wrong} Then less is wrong in the play.", wrong=wrong)
    return format_message("Perhaps this: {wrong} Then the play is in order.", wrong=wrong)


def _build_misprint(entry: Entry, wrong_card: Card, right_card: Card, corrected: Event) -> Mistake:
    wrong, right = CARD_CODES[wrong_card], CARD_CODES[right_card]
    reason = describe_substitution(entry.seq, wrong, right)
    message = format_message(
        "Entry {entry} may have {wrong} instead of {right}: with that card, or another that "
        "fits, the trick is in order.",
        entry=entry.seq,
        wrong=wrong,
        right=right,
    )
    return build_mistake("misprint_likely", reason, (entry,), corrected).as_warning(message)


# --- Conditions -------------------------------------------------------------------------------------


def add_caveats(deal_audit: Audit) -> Findings:
    """The findings of a deal, each with its conditions, such as that no entry is missing.

    After an act out of turn nobody can tell who played to which trick, nor what that shows of the tricks
    before. If all cards were played, none is missing.
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
    """What is uncertain in a deal: the entries from an act out of turn on, and the hands of some seats."""

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
        """The conditions of a finding; ``slips``: those of the alternatives that explain it."""
        caveats = tuple(slips) or self._entry_caveats(one)
        if one.code == "wrong_seat" and caveats == (add_trump_caveat,) and one.seq in self.unsure_entries:
            caveats = (add_trump_caveat, self.turn_caveat)
        if one.code == "revoke" and (last := find_possible_last_trick(self.deal_audit, one.seq)) is not None:
            caveats = (*caveats, build_continuation_caveat(last))
        return caveats

    def _entry_caveats(self, one: Finding) -> tuple[Caveat, ...]:
        """The conditions on the entries that a finding depends on."""
        if one.code in TURN_DEPENDENT_CODES and {one.seq, *one.evidence} & self.unsure_entries:
            return (self.turn_caveat,)
        if one.code != "revoke":
            return ()
        if not self.are_all_cards_played and not _is_proved(self.deal_audit, one):
            return (add_completeness_caveat,)
        return (add_exchange_caveat,) if one.seat in self.doubtful_seats else ()


def _list_unsure_entries(judged: Audit) -> Log:
    """The entries from the first act out of turn on."""
    entries = judged.history.entries
    out_of_turn = {one.seq for one in judged.findings if one.code == "wrong_seat"}
    acts = (index for index, entry in enumerate(entries) if isinstance(entry.event, TURN_ACTS))
    first = next((index for index in acts if entries[index].seq in out_of_turn), len(entries))
    return entries[first:]


def _find_doubtful_seats(judged: Audit) -> frozenset[Seat | None]:
    """The seats that cannot have played with the hands recorded.

    They had more cards than there are tricks, or their exchange is wrong, or a card cannot have been theirs.
    """
    entries, state = judged.history.entries, judged.state
    seats_at_fault = (
        one.seat for one in judged.findings if one.code in EXCHANGE_CODES or one.severity == "impossible"
    )
    played = count_plays_by_seat(entries)
    seats_with_too_many = (seat for seat in SEATS if hand_size(state, seat) + played[seat] > HAND_SIZE)
    return frozenset((*seats_at_fault, *seats_with_too_many))


def _is_proved(judged: Audit, one: Finding) -> bool:
    """Whether no missing trick can have taken the cards that compelled the seat.

    It plays one of them later, or has two of them left.
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
    """The trick with which the deal may have ended before a card was played; None if it did not.

    Nobody has to follow after the end, and nobody plays two more whole tricks then.
    """
    trick, whole = find_trick(deal_audit, seq), len(deal_audit.state.play.tricks)
    number = whole + 1 if trick is None else trick.number
    last = max((one for one in possible_final_tricks(deal_audit.state) if one < number), default=None)
    return None if last is None or whole >= last + MIN_TRICKS_PLAYED_ON else last

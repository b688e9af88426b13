"""What may have been instead of a revoke, or of what other trumps would explain: one slip (RULES 9).

Told beside the finding as a warning, with its correction; the finding stays, on that condition
(`engine.diagnosis.finding_caveats`).
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, islice
from typing import Final, NamedTuple

from engine.audit import Audit, judge_history, review_record
from engine.core.cards import CARD_BITS, CARD_CODES, PACK_MASK, Card, Seat, cards_in_mask
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, CorrectionMade, Event, HandDealt
from engine.core.field_types import Seq
from engine.core.log import Entry, Log
from engine.core.message import Message, format_message
from engine.core.work_budget import UNITS_PER_SECOND, BudgetExceeded, WorkBudget
from engine.diagnosis.correction_search import are_easily_confused
from engine.diagnosis.input_slips import build_swapped_entries_mistake, describe_possible_swap
from engine.diagnosis.mistakes import (
    MIN_EXPLAINED,
    FaultKey,
    Mistake,
    build_mistake,
    grave_faults,
)
from engine.diagnosis.omissions import list_trick_omissions
from engine.diagnosis.wrong_contract import PLAY_FAULT_CODES, list_other_namings
from engine.fold import evolve, folding_cost
from engine.inference.hidden_card_findings import judge_hidden_cards
from engine.judging.caveats import (
    Caveat,
    add_card_caveat,
    add_completeness_caveat,
    add_order_caveat,
    add_trump_caveat,
)
from engine.play.findings import Findings
from engine.play.hands import impossible_cards
from engine.play.revoke_calls import seats_accused_of_revoke
from engine.play.state import Trick, initial_state
from engine.scoring.score import score

ALTERNATIVES_WORK: Final = UNITS_PER_SECOND // 10
"""So much it may cost to look for it, whatever the record is like (`engine.core.work_budget`)."""
MAX_TRICKS_TRIED: Final = 3
"""In so many tricks with a revoke, the first, it is tried what may have been instead."""


class Alternative(NamedTuple):
    """What may have been instead of what is found: a mistake of the pen, told as a warning.

    ``explained_faults``: the findings that would fall away with it; ``caveat`` says of one of them that it
    holds only if that mistake was not made.
    """

    mistake: Mistake
    explained_faults: frozenset[FaultKey]
    caveat: Caveat


def find_trick(deal_audit: Audit, seq: Seq) -> Trick | None:
    """The whole trick that an entry belongs to."""
    return next((trick for trick in deal_audit.state.play.tricks if seq in trick.seqs), None)


def find_alternatives(deal_audit: Audit) -> tuple[Alternative, ...]:
    """What may have been instead of a revoke, one thing of a kind for each trick with one.

    A card that shows it, and is easily taken for another; two cards in each other's place; a whole trick that
    is missing; where it is none of these, a card of his hand. Other trumps may have been instead of all that
    is found in the play. Nothing is offered for a revoke that people at the table called, or ruled upon.
    """
    if not any(one.code in PLAY_FAULT_CODES for one in deal_audit.findings):
        return ()
    called = seats_accused_of_revoke(deal_audit.history.entries)
    revokes = [one for one in deal_audit.findings if one.code == "revoke" and one.seat not in called]
    tricks = dict.fromkeys(trick for one in revokes if (trick := find_trick(deal_audit, one.seq)) is not None)
    search = _AlternativeSearch(deal_audit)
    found: list[Alternative] = []
    try:
        for trick in list(tricks)[:MAX_TRICKS_TRIED]:
            found += search.find_at_trick(trick)
        found += search.find_wrong_contract()
    except BudgetExceeded:
        pass  # what was found by then may have been
    alternatives = tuple(dict.fromkeys(found))
    return tuple(
        one for one in alternatives if not any(_is_more_specific(other, one) for other in alternatives)
    )


def _is_more_specific(one: Alternative, other: Alternative) -> bool:
    """Whether a card written wrongly explains all that another does, and more."""
    return one.caveat == other.caveat == add_card_caveat and other.explained_faults < one.explained_faults


class _AlternativeSearch:
    """The slips by which a trick with a revoke may be in order after all."""

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
        """Those slips without which nobody revoked at this trick, and nothing else is wrong."""
        revokes = {one for one in self.grave_faults if one[1] == "revoke" and one[0] in trick.seqs}
        for slip in slips:
            remaining = grave_faults(self._rejudge(slip))
            if not remaining & revokes and remaining <= self.grave_faults:
                yield Alternative(slip, frozenset(self.grave_faults - remaining), caveat)

    def find_at_trick(self, trick: Trick) -> Iterator[Alternative]:
        """What may have been instead of the revokes at a trick; a card held, where it is nothing else."""
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
        """The other trumps, or contract, with which the least is wrong in the play, and nothing else is.

        Where something is left of the play, it has to explain two things at once.
        """
        called = seats_accused_of_revoke(self.entries)
        if any(code == "revoke" and seat in called for _, code, seat in self.grave_faults):
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
        """Other trumps and contracts by the same bid: one revoke does not show that another was bid."""
        for _, slip in list_other_namings(self.entries, self.states):
            if all(len(one.replaces) == 1 for one in slip.corrections):
                yield slip

    def _rejudge(self, slip: Mistake) -> Findings:
        """What is found in the deal once a slip is put right. Raises `BudgetExceeded`."""
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
        """A card that shows the revoke, misread as one like it: the one led, or the one that came later.

        Any of the trick, where the next lead is amiss too.
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
        """Each entry of a seat's with that card for another, or with another that was laid away for it."""
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
        """The lead; all cards of the trick, where whoever leads next cannot have won it."""
        next_lead = self.entries[self.positions[trick.seqs[-1]] + 1 :][:1]
        wrong_seqs = {seq for seq, code, _ in self.grave_faults if code == "wrong_seat"}
        return trick.seqs if any(entry.seq in wrong_seqs for entry in next_lead) else trick.seqs[:1]

    def _later_evidence(self, trick: Trick) -> tuple[Seq, ...]:
        """The cards that showed a revoke later on: a matador may be among them, which alone shows none."""
        shown = dict.fromkeys(seq for one in self._revokes_at(trick) for seq in one.evidence)
        return tuple(seq for seq in shown if self.positions[seq] > self.positions[trick.seqs[-1]])

    def _revokes_at(self, trick: Trick) -> Findings:
        return tuple(
            one for one in self.deal_audit.findings if one.code == "revoke" and one.seq in trick.seqs
        )

    def _possible_plays(self, seat: Seat) -> int:
        """The cards of which nothing says that this seat did not play them, as a mask."""
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
    """What a correction puts in, by the numbers of the entries that say the same or stand there."""
    recorded = {entry.event: entry.seq for entry in replaced}
    for number, event in enumerate(correction.with_, 1):
        seq = correction.replaces[0] if len(correction.with_) == 1 else f"{correction.replaces[0]}.{number}"
        yield Entry(recorded.get(event, seq), event)


def _describe_possible_naming(slip: Mistake, *, is_partial: bool) -> Message:
    """The other trumps as what may have been; ``is_partial``: some faults of the play remain then."""
    wrong = slip.finding.message
    if is_partial:
        return format_message(
            "Perhaps it is this: {wrong} With that, less is wrong in the play.", wrong=wrong
        )
    return format_message("Perhaps it is this: {wrong} With that, the play is in order.", wrong=wrong)


def _build_misprint(entry: Entry, wrong_card: Card, right_card: Card, corrected: Event) -> Mistake:
    wrong, right = CARD_CODES[wrong_card], CARD_CODES[right_card]
    reason = format_message(
        "Entry {entry} has {wrong} in place of {right}.", entry=entry.seq, wrong=wrong, right=right
    )
    message = format_message(
        "Entry {entry} may have {wrong} in place of {right}: with that card, or another that fits, "
        "the trick is in order.",
        entry=entry.seq,
        wrong=wrong,
        right=right,
    )
    return build_mistake("misprint_likely", reason, (entry,), corrected).as_warning(message)

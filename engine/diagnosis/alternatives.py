"""What may have been instead of a revoke, or of what other trumps would explain: one slip (RULES 9).

Told beside the finding as a warning, with its correction; the finding stays, on that condition
(`engine.diagnosis.conditions`).
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, islice
from typing import Final, NamedTuple

from engine.audit import Audit, review
from engine.audit import judged as judged_entries
from engine.core.cards import BIT, CODES, PACK, Card, Seat, cards_in
from engine.core.events import CardPlayed, CardsDiscarded, CardsDrawn, CorrectionMade, Event, HandDealt
from engine.core.log import Entry, Log
from engine.core.message import Said, said
from engine.core.vocabulary import Seq
from engine.core.work_budget import SECOND, Spent, Work
from engine.diagnosis.input_slips import exchanged
from engine.diagnosis.misprints.search import alike
from engine.diagnosis.mistakes import RULE, TOGETHER, Mistake
from engine.diagnosis.omissions import tricks_missing
from engine.diagnosis.wrong_contract import AT_PLAY, namings
from engine.fold import cost_of, evolve
from engine.inference.afterwards import found_afterwards
from engine.judging.caveats import Condition, all_there, as_written, in_order, trumps_right
from engine.play.calls import called_to_have_revoked
from engine.play.findings import GRAVE, Finding, Findings, finding
from engine.play.hands import elsewhere
from engine.play.state import Trick, start
from engine.scoring.score import score

BUDGET: Final = SECOND // 10
"""So much it may cost to look for it, whatever the record is like (`engine.core.work_budget`)."""
TRICKS_TRIED: Final = 3
"""In so many tricks with a revoke, the first, it is tried what may have been instead."""

Fault = tuple[Seq, str, Seat | None]
"""What tells faults apart: the entry, the code and the seat."""


class Otherwise(NamedTuple):
    """What may have been instead of what is found: a mistake of the pen, told as a warning.

    ``explains``: the findings that would fall away with it; ``unless`` says of one of them that it is so if
    that mistake was not made.
    """

    mistake: Mistake
    explains: frozenset[Fault]
    unless: Condition


def fault_of(one: Finding) -> Fault:
    """What tells a finding apart from others."""
    return one.seq, one.code, one.seat


def trick_of(judged: Audit, seq: Seq) -> Trick | None:
    """The whole trick that an entry belongs to."""
    return next((trick for trick in judged.state.play.tricks if seq in trick.seqs), None)


def otherwise(judged: Audit) -> tuple[Otherwise, ...]:
    """What may have been instead of a revoke, one thing of a kind for each trick with one.

    A card that shows it, and is easily taken for another; two cards in each other's place; a whole trick that
    is missing; where it is none of these, a card of his hand. Other trumps may have been instead of all that
    is found in the play. Nothing is offered for a revoke that people at the table called, or ruled upon.
    """
    if not any(one.code in AT_PLAY for one in judged.findings):
        return ()
    called = called_to_have_revoked(judged.history.entries)
    revokes = [one for one in judged.findings if one.code == "revoke" and one.seat not in called]
    tricks = dict.fromkeys(trick for one in revokes if (trick := trick_of(judged, one.seq)) is not None)
    looking = _Looking(judged)
    found: list[Otherwise] = []
    try:
        for trick in list(tricks)[:TRICKS_TRIED]:
            found += looking.at_trick(trick)
        found += looking.misnamed()
    except Spent:
        pass  # what was found by then may have been
    told = tuple(dict.fromkeys(found))
    return tuple(one for one in told if not any(_goes_before(other, one) for other in told))


def _goes_before(one: Otherwise, other: Otherwise) -> bool:
    """Whether a card written wrongly explains all that another does, and more."""
    return one.unless == other.unless == as_written and other.explains < one.explains


class _Looking:
    """The slips by which a trick with a revoke may be in order after all."""

    def __init__(self, judged: Audit) -> None:
        self.judged, self.entries = judged, judged.history.entries
        self.budget = Work(BUDGET)
        self.at = {entry.seq: at for at, entry in enumerate(self.entries)}
        self.book = judged.state.opening.book
        self.states = list(accumulate(self.entries, evolve, initial=start(self.book)))
        self.grave = {fault_of(one) for one in judged.findings if one.severity in GRAVE}

    def clearing(self, slips: Iterator[Mistake], trick: Trick, unless: Condition) -> Iterator[Otherwise]:
        """Those slips without which nobody revoked at this trick, and nothing else is wrong."""
        revokes = {one for one in self.grave if one[1] == "revoke" and one[0] in trick.seqs}
        for slip in slips:
            left = {fault_of(one) for one in self._rejudged(slip) if one.severity in GRAVE}
            if not left & revokes and left <= self.grave:
                yield Otherwise(slip, frozenset(self.grave - left), unless)

    def at_trick(self, trick: Trick) -> Iterator[Otherwise]:
        """What may have been instead of the revokes at a trick; a card held, where it is nothing else."""
        kinds = ((self.misread, as_written), (self.exchanged, in_order), (self.missing, all_there))
        first = (islice(self.clearing(kind(trick), trick, unless), 1) for kind, unless in kinds)
        found = [one for there in first for one in there]
        yield from found or islice(self.clearing(self.misheld(trick), trick, as_written), 1)

    def misnamed(self) -> Iterator[Otherwise]:
        """The other trumps, or contract, with which the least is wrong in the play, and nothing else is.

        Where something is left of the play, it has to explain two things at once.
        """
        called = called_to_have_revoked(self.entries)
        if any(code == "revoke" and seat in called for _, code, seat in self.grave):
            return
        best = None
        for slip in self._of_one_entry():
            left = {fault_of(one) for one in self._rejudged(slip) if one.severity in GRAVE}
            gone = frozenset(self.grave - left)
            still = any(code in AT_PLAY for _, code, _ in left)
            explained = sum(code in AT_PLAY for _, code, _ in gone)
            enough = left <= self.grave and explained >= (TOGETHER if still else 1)
            if enough and (best is None or len(gone) > len(best.explains)):
                best = Otherwise(_perhaps_named(slip, still=still), gone, trumps_right)
        if best is not None:
            yield best

    def _of_one_entry(self) -> Iterator[Mistake]:
        """Other trumps and contracts by the same bid: one revoke does not show that another was bid."""
        for _, slip in namings(self.entries, self.states):
            if all(len(one.replaces) == 1 for one in slip.corrections):
                yield slip

    def _rejudged(self, slip: Mistake) -> Findings:
        """What is found in the deal once a slip is put right. Raises `Spent`."""
        self.budget.spend(cost_of(len(self.entries)))
        (correction,) = slip.corrections
        first, count = self.at[correction.replaces[0]], len(correction.replaces)
        put = _called_as_now(correction, self.entries[first : first + count])
        entries = (*self.entries[:first], *put, *self.entries[first + count :])
        state, found = judged_entries(self.judged.history._replace(entries=entries), start(self.book))
        found += found_afterwards(entries, state, found, self.budget)
        return (*found, *review(state, score(state), entries))

    def misread(self, trick: Trick) -> Iterator[Mistake]:
        """A card that shows the revoke, misread as one like it: the one led, or the one that came later.

        Any of the trick, where the next lead is amiss too.
        """
        for seq in (*self._of_the_trick(trick), *self._later(trick)):
            entry = self.entries[self.at[seq]]
            if isinstance(entry.event, CardPlayed) and BIT[entry.event.card]:
                for card in cards_in(self._may_have_played(entry.event.seat)):
                    if alike(entry.event.card, card):
                        yield _misread(entry, entry.event, card)

    def misheld(self, trick: Trick) -> Iterator[Mistake]:
        """The one held card that shows the revoke, misread where it was dealt, drawn or not discarded."""
        revokes = [one for one in self.judged.findings if one.code == "revoke" and one.seq in trick.seqs]
        for one in revokes:
            if one.seat is None:
                continue
            before = self.states[self.at[one.seq]].play
            held = before.held[one.seat] & before.table.suit[trick.cards[0]]
            if held.bit_count() == 1:
                yield from self._held_otherwise(one.seat, cards_in(held)[0])

    def _held_otherwise(self, seat: Seat, held: Card) -> Iterator[Mistake]:
        """Each entry of a seat's with that card for another, or with another that was laid away for it."""
        unknown = self._may_have_played(seat) & ~self.judged.state.play.held[seat]
        for entry in self.entries:
            event = entry.event
            if not isinstance(event, (HandDealt, CardsDrawn, CardsDiscarded)) or event.seat != seat:
                continue
            if isinstance(event, CardsDiscarded):
                pairs = [(card, held) for card in event.cards if BIT[card] and held not in event.cards]
            else:
                pairs = [(held, card) for card in cards_in(unknown) if held in event.cards]
            for wrong, right in pairs:
                if alike(wrong, right):
                    yield _misheld(entry, event, wrong, right)

    def _of_the_trick(self, trick: Trick) -> tuple[Seq, ...]:
        """The lead; all cards of the trick, where whoever leads next cannot have won it."""
        next_lead = self.entries[self.at[trick.seqs[-1]] + 1 :][:1]
        astray = any((entry.seq, "wrong_seat") in {one[:2] for one in self.grave} for entry in next_lead)
        return trick.seqs if astray else trick.seqs[:1]

    def _later(self, trick: Trick) -> tuple[Seq, ...]:
        """The cards that showed a revoke later on: a matador may be among them, which alone shows none."""
        shown = (
            one.evidence for one in self.judged.findings if one.code == "revoke" and one.seq in trick.seqs
        )
        later = (seq for evidence in shown for seq in evidence if self.at[seq] > self.at[trick.seqs[-1]])
        return tuple(dict.fromkeys(later))

    def _may_have_played(self, seat: Seat) -> int:
        """The cards of which nothing says that this seat did not play them, as a mask."""
        state = self.judged.state
        told = (BIT[one.event.card] for one in self.entries if isinstance(one.event, CardPlayed))
        return PACK & ~(elsewhere(state.knowledge, state.play, seat) | sum(set(told)))

    def exchanged(self, trick: Trick) -> Iterator[Mistake]:
        """The last card of a trick and the first of the next, by one seat, in each other's place."""
        for first in (self.at[trick.seqs[-1]], self.at[trick.seqs[0]] - 1):
            pair = self.entries[first : first + 2]
            if [type(one.event) for one in pair] == [CardPlayed, CardPlayed]:
                one, other = pair
                message = said(
                    "Entries {first} and {second} may be in each other's place.",
                    first=one.seq,
                    second=other.seq,
                )
                yield _possible(exchanged(one, other), message)

    def missing(self, trick: Trick) -> Iterator[Mistake]:
        """A whole trick that is missing before the revoke."""
        for slip in tricks_missing(self.entries, self.states[: self.at[trick.seqs[0]] + 1]):
            (correction,) = slip.corrections
            cards = slip.finding.message.given["cards"]
            message = said(
                "A whole trick may be missing before entry {entry}: {cards}.",
                entry=correction.replaces[0],
                cards=cards,
            )
            yield _possible(slip, message)


def _called_as_now(correction: CorrectionMade, replaced: Log) -> Iterator[Entry]:
    """What a correction puts in, by the numbers of the entries that say the same or stand there."""
    recorded = {entry.event: entry.seq for entry in replaced}
    for number, event in enumerate(correction.with_, 1):
        alone = correction.replaces[0] if len(correction.with_) == 1 else f"{correction.replaces[0]}.{number}"
        yield Entry(recorded.get(event, alone), event)


def _possible(slip: Mistake, message: Said) -> Mistake:
    """The mistake as one that may have been made."""
    return slip._replace(finding=slip.finding._replace(message=message, severity="warning"))


def _perhaps_named(slip: Mistake, *, still: bool) -> Mistake:
    """The other trumps as what may have been; ``still``: some of what is found in the play is left then."""
    wrong = slip.finding.message
    if still:
        message = said("Perhaps it is this: {wrong} With that, less is wrong in the play.", wrong=wrong)
    else:
        message = said("Perhaps it is this: {wrong} With that, the play is in order.", wrong=wrong)
    return _possible(slip, message)


def _misheld(
    entry: Entry, event: HandDealt | CardsDrawn | CardsDiscarded, wrong: Card, right: Card
) -> Mistake:
    put = replace(event, cards=tuple(right if card == wrong else card for card in event.cards))
    return _written(entry, wrong, right, put)


def _misread(entry: Entry, event: CardPlayed, card: Card) -> Mistake:
    return _written(entry, event.card, card, replace(event, card=card))


def _written(entry: Entry, was: Card, card: Card, put: Event) -> Mistake:
    wrong, right = CODES[was], CODES[card]
    reason = said("Entry {entry} has {wrong} in place of {right}.", entry=entry.seq, wrong=wrong, right=right)
    told = said(
        "Entry {entry} may have {wrong} in place of {right}: with that card, or another that fits, "
        "the trick is in order.",
        entry=entry.seq,
        wrong=wrong,
        right=right,
    )
    one = finding(entry.seq, "misprint_likely", told, RULE)
    correction = CorrectionMade(reason, (entry.seq,), None, (put,))
    return Mistake(one._replace(severity="warning"), (correction,))

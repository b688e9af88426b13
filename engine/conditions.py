"""Under what condition a finding of the play is so, and what may have been instead (RULES 5, 9).

A revoke is proved by the cards of its trick and by those that come later; an act out of turn by who won the
trick before. Where an entry is missing, stands in another's place or has a card that is easily taken for
another, neither is proved. So a finding that hangs on the entries says so; and where one slip of the pen
would make it fall away, that slip is told beside it, as what may have been instead. Nobody is accused whom a
slip may have made to seem at fault, and no fault is lost, since the finding stays.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import reduce
from itertools import accumulate
from typing import Final, NamedTuple

from engine.audit import Audit, review
from engine.audit import judged as judged_entries
from engine.calls import called_to_have_revoked
from engine.cards import BIT, CODES, HAND_SIZE, PACK, SEATS, Card, Seat, cards_in
from engine.entered import ACTS, exchanged
from engine.events import CardPlayed, CardsDiscarded, CardsDrawn, CorrectionMade, Event, HandDealt
from engine.findings import GRAVE, Finding, Findings, finding
from engine.fold import evolve
from engine.hands import elsewhere
from engine.hidden.afterwards import found_afterwards
from engine.left_out import tricks_missing
from engine.log import Entry, Log
from engine.misnamed import AT_PLAY, namings
from engine.misprints.search import alike
from engine.mistakes import RULE, TOGETHER, Mistake, all_played, played_by
from engine.revokes import played_since
from engine.said import Said, said
from engine.score import score
from engine.state import Trick, hand_count, start
from engine.tricks import may_end_with
from engine.vocabulary import Seq

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
TRICKS_TRIED: Final = 3
"""In so many tricks with a revoke, the first, it is tried what may have been instead."""

Fault = tuple[Seq, str, Seat | None]
"""What tells faults apart: the entry, the code and the seat."""
Condition = Callable[[Said], Said]
"""Says of a finding under what condition it is so."""


class Otherwise(NamedTuple):
    """What may have been instead of what is found: a mistake of the pen, told as a warning.

    ``explains``: the findings that would fall away with it; ``unless`` says of one of them that it is so if
    that mistake was not made.
    """

    mistake: Mistake
    explains: frozenset[Fault]
    unless: Condition


def all_there(found: Said) -> Said:
    """A finding that is so where no entry is missing, nor stands in another's place."""
    return said("{found} That is so if no entry is missing and all are in their order.", found=found)


def in_order(found: Said) -> Said:
    """A finding that is so where no entry stands in another's place."""
    return said("{found} That is so if the entries are in their order.", found=found)


def as_written(found: Said) -> Said:
    """A finding that is so where no card of its evidence was taken for another."""
    return said("{found} That is so if the cards that show it are written rightly.", found=found)


def exchange_whole(found: Said) -> Said:
    """A finding that is so where the hand, as the exchange has it, is the one that was played."""
    return said("{found} That is so if the exchange is entered wholly.", found=found)


def trumps_right(found: Said) -> Said:
    """A finding that is so where the trumps are those that were played."""
    return said("{found} That is so if the trump suit is written rightly.", found=found)


def not_over(trick: int) -> Condition:
    """A revoke that is one where the deal went on after a trick."""
    return lambda found: said(
        "{found} It is none if the deal was over with trick {trick}.", found=found, trick=trick
    )


def is_conditional(one: Finding) -> bool:
    """Whether a finding, as it is told, is so only on a condition."""
    return one.message.form.startswith(("{found} That is so if ", "{found} It is none if "))


def with_conditions(judged: Audit) -> Findings:
    """The findings of a deal; those say so that hold only if the entries are all there and in their order.

    Somebody plays out of turn, or an entry is missing, or two stand in each other's place: from there on
    nobody can tell who played to which trick, nor what that shows of the tricks before. Where all cards were
    played, none is missing.
    """
    if not any(one.code in BY_TURN for one in judged.findings):
        return judged.findings
    unsure = _unsure(judged)
    cards_only = all(not isinstance(one.event, ACTS) or isinstance(one.event, CardPlayed) for one in unsure)
    whole = all_played(judged.history.entries) and cards_only
    behind = {entry.seq for entry in unsure}
    unsure_of_hand = _with_hands_in_doubt(judged)
    instead = otherwise(judged)
    told = []
    for one in judged.findings:
        unless = dict.fromkeys(other.unless for other in instead if _fault(one) in other.explains)
        if not unless and one.code in BY_TURN and {one.seq, *one.evidence} & behind:
            unless = {in_order if whole else all_there: None}
        elif one.code == "wrong_seat" and set(unless) == {trumps_right} and one.seq in behind:
            unless |= {in_order if whole else all_there: None}
        elif not unless and one.code == "revoke" and not whole and not _proved(judged, one):
            unless = {all_there: None}
        if not unless and one.code == "revoke" and one.seat in unsure_of_hand:
            unless = {exchange_whole: None}
        if one.code == "revoke" and (last := may_be_behind(judged, one.seq)) is not None:
            unless |= {not_over(last): None}
        told.append(one._replace(message=reduce(lambda found, on: on(found), unless, one.message)))
    return tuple(told)


def _fault(one: Finding) -> Fault:
    return one.seq, one.code, one.seat


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
    trick = _trick_of(judged, one.seq)
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
    trick, whole = _trick_of(judged, seq), len(judged.state.play.tricks)
    at = whole + 1 if trick is None else trick.number
    last = max((one for one in may_end_with(judged.state) if one < at), default=None)
    return None if last is None or whole >= last + PLAYED_ON else last


def _trick_of(judged: Audit, seq: Seq) -> Trick | None:
    """The whole trick that an entry belongs to."""
    return next((trick for trick in judged.state.play.tricks if seq in trick.seqs), None)


# --- What may have been instead ---------------------------------------------------------------------


def otherwise(judged: Audit) -> tuple[Otherwise, ...]:
    """What may have been instead of a revoke, one thing of a kind for each trick with one.

    A card that shows it, and is easily taken for another; two cards in each other's place; a whole trick that
    is missing. Nothing is offered for a revoke that people at the table called, or that was ruled upon.
    """
    called = called_to_have_revoked(judged.history.entries)
    revokes = [one for one in judged.findings if one.code == "revoke" and one.seat not in called]
    if not revokes and not any(one.code in AT_PLAY for one in judged.findings):
        return ()
    tricks = dict.fromkeys(trick for one in revokes if (trick := _trick_of(judged, one.seq)) is not None)
    looking = _Looking(judged)
    found = [
        next(looking.clearing(kind(trick), trick, unless), None)
        for trick in list(tricks)[:TRICKS_TRIED]
        for kind, unless in (
            (looking.misread, as_written),
            (looking.misheld, as_written),
            (looking.exchanged, in_order),
            (looking.missing, all_there),
        )
    ]
    found.append(looking.misnamed())
    told = tuple(dict.fromkeys(one for one in found if one is not None))
    return tuple(one for one in told if not any(_goes_before(other, one) for other in told))


def _goes_before(one: Otherwise, other: Otherwise) -> bool:
    """Whether a card written wrongly explains all that another does, and more."""
    return one.unless == other.unless == as_written and other.explains < one.explains


class _Looking:
    """The slips by which a trick with a revoke may be in order after all."""

    def __init__(self, judged: Audit) -> None:
        self.judged, self.entries = judged, judged.history.entries
        self.at = {entry.seq: at for at, entry in enumerate(self.entries)}
        self.book = judged.state.opening.book
        self.states = list(accumulate(self.entries, evolve, initial=start(self.book)))
        self.grave = {_fault(one) for one in judged.findings if one.severity in GRAVE}

    def clearing(self, slips: Iterator[Mistake], trick: Trick, unless: Condition) -> Iterator[Otherwise]:
        """Those slips without which nobody revoked at this trick, and nothing else is wrong."""
        revokes = {one for one in self.grave if one[1] == "revoke" and one[0] in trick.seqs}
        for slip in slips:
            left = {_fault(one) for one in self._rejudged(slip) if one.severity in GRAVE}
            if not left & revokes and left <= self.grave:
                yield Otherwise(slip, frozenset(self.grave - left), unless)

    def misnamed(self) -> Otherwise | None:
        """The other trumps, or contract, with which the least is wrong in the play, and nothing else is.

        Where something is left of the play, it has to explain two things at once.
        """
        called = called_to_have_revoked(self.entries)
        if any(code == "revoke" and seat in called for _, code, seat in self.grave):
            return None
        best = None
        for slip in self._of_one_entry():
            left = {_fault(one) for one in self._rejudged(slip) if one.severity in GRAVE}
            gone = frozenset(self.grave - left)
            still = any(code in AT_PLAY for _, code, _ in left)
            explained = sum(code in AT_PLAY for _, code, _ in gone)
            enough = left <= self.grave and explained >= (TOGETHER if still else 1)
            if enough and (best is None or len(gone) > len(best.explains)):
                best = Otherwise(_perhaps_named(slip, still=still), gone, trumps_right)
        return best

    def _of_one_entry(self) -> Iterator[Mistake]:
        """Other trumps and contracts by the same bid: one revoke does not show that another was bid."""
        for _, slip in namings(self.entries, self.states):
            if all(len(one.replaces) == 1 for one in slip.corrections):
                yield slip

    def _rejudged(self, slip: Mistake) -> Findings:
        """What is found in the deal once a slip is put right."""
        (correction,) = slip.corrections
        first, count = self.at[correction.replaces[0]], len(correction.replaces)
        put = _called_as_now(correction, self.entries[first : first + count])
        entries = (*self.entries[:first], *put, *self.entries[first + count :])
        state, found = judged_entries(self.judged.history._replace(entries=entries), start(self.book))
        found += found_afterwards(entries, state, found)
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
        """The card by which a revoke was shown later on, where there is but one."""
        for one in self.judged.findings:
            if one.code == "revoke" and one.seq in trick.seqs:
                later = [seq for seq in one.evidence if self.at[seq] > self.at[trick.seqs[-1]]]
                if len(later) == 1:
                    return tuple(later)
        return ()

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

"""What one mistake of the pen explains: an entry that was written twice, or a card written wrongly.

A card that is entered wrongly can make a dozen findings: it is where it cannot be, the trick falls to
another, the next lead is out of turn, the payment does not fit. Whoever judges the record wants the one entry
that is wrong. So it is tried what would put the record right, by the very fold and judging that found it
wrong; what falls away with that correction follows from it. Nothing is corrected by itself: the corrections
are entries that a person may accept (RULES 9).
"""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.audit import Audit, audit
from engine.cards import BIT
from engine.events import (
    BidMade,
    CardPlayed,
    CardsDiscarded,
    CardsDrawn,
    CardsShown,
    ClaimAnswered,
    ContractNamed,
    CorrectionMade,
    DealAbandoned,
    DealOpened,
    Event,
    ExchangeYielded,
    HandDealt,
    HandTakenOver,
    PuestaReserved,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
    TalonLaid,
    TalonTurned,
    TricksClaimed,
    TrumpNamed,
)
from engine.findings import GRAVE, Finding, Findings, finding, of_cards
from engine.log import Entry, Log
from engine.misprints import Proposal, misprints
from engine.misprints.changes import cards_of
from engine.rulesets import PUBLISHED, Book
from engine.said import Listed, Said, said
from engine.vocabulary import Seq

RULE: Final = "9. Record"
FOR_A_DIRECTOR: Final = frozenset(("impossible", "error", "warning"))
"""The severities that matter to whoever judges a deal; what is worth knowing only is left out."""
ONCE: Final = (
    BidMade, CardPlayed, CardsDiscarded, CardsDrawn, CardsShown, ClaimAnswered, ContractNamed, DealAbandoned,
    DealOpened, ExchangeYielded, HandDealt, HandTakenOver, PuestaReserved, SlamAnnounced, SurrenderAnswered,
    SurrenderOffered, TalonLaid, TalonTurned, TricksClaimed, TrumpNamed,
)  # fmt: skip
"""What is done once; what is told, such as a held hand, may be told twice."""
MOST_DOUBLED: Final = 3
"""So many entries of a deal may have been written twice; more is no slip of the pen."""
LOOKED_FOR: Final = 1_000
"""So much work is done to find a misprint (`engine.misprints`): a whole evening is looked through at once."""
TRIED: Final = 12
"""So many of the likeliest corrections of a misprint are judged in full."""


class Mistake(NamedTuple):
    """A mistake of the pen: the finding at the entry that is wrong, and the entries that put it right."""

    finding: Finding
    corrections: tuple[CorrectionMade, ...]


class Explanation(NamedTuple):
    """Mistakes of the pen that explain what is found in a deal.

    ``judged``: the deal with their corrections behind it. What is found there is another matter.
    """

    mistakes: tuple[Mistake, ...]
    judged: Audit

    @property
    def corrections(self) -> tuple[CorrectionMade, ...]:
        """The entries to append to the deal's log, in their order."""
        return tuple(correction for one in self.mistakes for correction in one.corrections)

    def and_then(self, more: "Explanation") -> "Explanation":
        """Both, ``more`` being that of the deal as this one puts it right."""
        return Explanation((*self.mistakes, *more.mistakes), more.judged)


def explanation(log: Log, judged: Audit, book: Book = PUBLISHED) -> Explanation | None:
    """The mistakes of the pen that explain findings of ``judged``, the audit of ``log``; None if none does.

    Entries written twice, or one misprint: a card, or two that changed places; else both, one after another.
    """
    doubled = _doubled(log, judged, book)
    if not of_cards(judged.findings):
        return doubled
    if doubled is None:
        return _misprinted(log, judged, book)
    if of_cards(doubled.judged.findings):
        more = _misprinted(with_corrections(log, doubled.corrections), doubled.judged, book)
        return doubled if more is None else doubled.and_then(more)
    misprinted = _misprinted(log, judged, book)
    better = misprinted is not None and _weight(misprinted.judged) < _weight(doubled.judged)
    return misprinted if better else doubled


def with_corrections(log: Log, corrections: Iterable[CorrectionMade]) -> Log:
    """The log with these corrections behind it."""
    last = max((entry.seq for entry in log if isinstance(entry.seq, int)), default=0)
    return (*log, *(Entry(seq, one) for seq, one in enumerate(corrections, last + 1)))


def for_a_director(findings: Iterable[Finding]) -> Findings:
    """Those of ``findings`` that matter to whoever judges a deal."""
    return tuple(one for one in findings if one.severity in FOR_A_DIRECTOR)


def _weight(judged: Audit) -> tuple[int, int, int]:
    """How much is wrong with a deal: what is grave, what matters, all. Less is likelier to be so."""
    findings = judged.findings
    grave = sum(one.severity in GRAVE for one in findings)
    return grave, len(for_a_director(findings)), len(findings)


# --- Entries written twice --------------------------------------------------------------------------


def _doubled(log: Log, judged: Audit, book: Book) -> Explanation | None:
    """Entries that say again what earlier ones said, and without which less is wrong."""
    found = Explanation((), judged)
    while len(found.mistakes) < MOST_DOUBLED:
        more = _without_one(with_corrections(log, found.corrections), found.judged, book)
        if more is None:
            break
        found = found.and_then(more)
    return found if found.mistakes else None


def _without_one(log: Log, judged: Audit, book: Book) -> Explanation | None:
    """The deal without the repeated entry that does the most harm; None where none does any."""
    best, least = None, _weight(judged)
    for entry, first in _repeated(judged):
        reason = said("Entry {entry} says again what entry {first} says.", entry=entry.seq, first=first)
        correction = CorrectionMade(reason, (entry.seq,), None, ())
        without = audit(with_corrections(log, (correction,)), book)
        if _weight(without) < least:
            seat = getattr(entry.event, "seat", None)
            one = finding(entry.seq, "entry_doubled", reason, RULE, seat=seat, evidence=(first,))
            best, least = Explanation((Mistake(one, (correction,)),), without), _weight(without)
    return best


def _repeated(judged: Audit) -> Iterator[tuple[Entry, Seq]]:
    """Entries with a finding that say what an earlier one says, and that one's place.

    A hidden card may be played many times, so of those only the entry right before counts.
    """
    faulty = {one.seq for one in judged.findings}
    entries = [entry for entry in judged.history.entries if isinstance(entry.event, ONCE)]
    for at, entry in enumerate(entries):
        if entry.seq not in faulty or not isinstance(entry.seq, int):
            continue
        before = entries[:at] if _tells_of_cards(entry.event) else entries[max(at - 1, 0) : at]
        first = next((one.seq for one in before if one.event == entry.event), None)
        if first is not None:
            yield entry, first


def _tells_of_cards(event: Event) -> bool:
    """Whether an event names cards, all of them: no two such are alike in a deal."""
    cards = cards_of(event)
    return bool(cards) and all(BIT[card] for card in cards)


# --- Cards written wrongly --------------------------------------------------------------------------


def _misprinted(log: Log, judged: Audit, book: Book) -> Explanation | None:
    """Of the corrections that make the record possible, one that leaves least wrong."""
    looked = misprints(log, book, LOOKED_FOR)
    tried = [
        (_weight(mended), proposal, mended)
        for proposal in looked.proposals[:TRIED]
        for mended in (audit(with_corrections(log, proposal.corrections), book),)
    ]
    least = min((weight for weight, _, _ in tried), default=_weight(judged))
    if least >= _weight(judged):
        return None
    best = [(proposal, mended) for weight, proposal, mended in tried if weight == least]
    proposal, mended = best[0]
    first, *others = (change.seq for change in proposal.changes)
    shown = (seq for one in of_cards(judged.findings) for seq in (one.seq, *one.evidence))
    evidence = tuple(dict.fromkeys((*others, *looked.contradicting, *shown)))
    told = _told(proposal, len(best) - 1)
    one = finding(first, "misprint_likely", told, RULE, evidence=evidence)
    return Explanation((Mistake(one, proposal.corrections),), mended)


def _told(proposal: Proposal, as_good: int) -> Said:
    """The misprint in words, and how many other corrections would do as well."""
    wrong = Listed((one.reason for one in proposal.corrections), " ")
    if not as_good:
        return said("{wrong} Put right, the record can be.", wrong=wrong)
    return said(
        "{wrong} Put right, the record can be; {count} other corrections would do as well.",
        wrong=wrong,
        count=as_good,
    )

"""What one mistake of the pen explains: an entry that was made wrongly, or a card written wrongly.

A card that is entered wrongly can make a dozen findings: it is where it cannot be, the trick falls to
another, the next lead is out of turn, the payment does not fit. Whoever judges the record wants the one entry
that is wrong. So it is tried what would put the record right, by the very fold and judging that found it
wrong; what falls away with that correction follows from it. Nothing is corrected by itself: the corrections
are entries that a person may accept (RULES 9).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, NamedTuple

from engine.audit import Audit, audit
from engine.audit import judged as judged_entries
from engine.core.cards import Seat
from engine.core.events import CorrectionMade
from engine.core.log import Entry, Log, count_events
from engine.core.message import Given, Listed, Said, said
from engine.core.vocabulary import Seq
from engine.core.work_budget import SECOND, Spent, Work
from engine.diagnosis.alternatives import Otherwise, otherwise
from engine.diagnosis.conditions import with_conditions
from engine.diagnosis.input_slips import perhaps_exchanged, suspected
from engine.diagnosis.misprints import Misprints, Proposal, misprints
from engine.diagnosis.mistakes import Mistake, Suspected
from engine.diagnosis.wrong_contract import AT_PLAY
from engine.fold import cost_of
from engine.play.findings import GRAVE, Finding, Findings, finding, of_cards
from engine.play.history import effective
from engine.play.state import start
from engine.rulesets import PUBLISHED, Book

RULE: Final = "9. Record"
FOR_A_DIRECTOR: Final = frozenset(("impossible", "error", "warning"))
"""The severities that matter to whoever judges a deal; what is worth knowing only is left out."""
BUDGET: Final = 7 * SECOND // 10
"""So much it may cost to look for mistakes in a deal, whatever it is like (`engine.core.work_budget`)."""
MOST_ENTRIES: Final = 3
"""So many entries of a deal may have been made wrongly as a whole; more is no slip of the pen."""
LOOKED_FOR: Final = 1_000
"""Work to find a misprint (`engine.diagnosis.misprints`): a whole evening is looked through at once."""
TRIED: Final = 12
"""So many of the likeliest corrections of a misprint are judged in full."""
FULLY: Final = 4
"""So many of the mistakes that entries can have are judged in full: what explains most at first sight."""


class Explanation(NamedTuple):
    """Mistakes of the pen that explain what is found in a deal.

    ``judged``: the deal with their corrections behind it. What is found there is another matter.
    ``looked``: what corrections of cards would make the record possible, where that was asked.
    """

    mistakes: tuple[Mistake, ...]
    judged: Audit
    looked: Misprints | None = None

    @property
    def corrections(self) -> tuple[CorrectionMade, ...]:
        """The entries to append to the deal's log, in their order."""
        return tuple(correction for one in self.mistakes for correction in one.corrections)

    def and_then(self, more: "Explanation") -> "Explanation":
        """Both, ``more`` being that of the deal as this one puts it right."""
        return Explanation((*self.mistakes, *more.mistakes), more.judged)

    def with_one_more(self, log: Log, mistake: Mistake, book: Book) -> "Explanation":
        """The same, and ``mistake`` besides, which is told by the entries of ``log``."""
        corrections = (*self.corrections, *mistake.corrections)
        return Explanation((*self.mistakes, mistake), audit(with_corrections(log, corrections), book))

    def places(self, log: Log) -> dict[Seq, Seq]:
        """By the entries that the corrections put into ``log``, those in whose place they stand.

        What is found at a correction itself is found at the end of the record, which it is then.
        """
        behind = with_corrections(log, self.corrections)[len(log) :]
        told = {entry.seq: entry.event for entry in log}
        put_in: dict[Seq, Seq] = {
            f"{entry.seq}.{number}": next(
                (seq for seq in one.replaces if told.get(seq) == event), one.replaces[0]
            )
            for entry, one in zip(behind, self.corrections, strict=True)
            for number, event in enumerate(one.with_, 1)
        }
        return put_in | {entry.seq: log[-1].seq for entry in behind}

    def told_of(self, log: Log) -> "Explanation":
        """The same, with the mistakes told by the entries of ``log`` alone."""
        places = self.places(log)
        told = (one._replace(finding=in_places(one.finding, places)) for one in self.mistakes)
        return self._replace(mistakes=tuple(told))

    def as_recorded(self, log: Log) -> Findings:
        """What is found in the deal as put right, with the entries as they stand in ``log``."""
        places = self.places(log)
        return tuple(in_places(one, places) for one in with_conditions(self.judged))

    def may_be_instead(self, log: Log) -> tuple[Otherwise, ...]:
        """What else can have been, of the entries of ``log`` alone (`engine.diagnosis.conditions`)."""
        recorded = {entry.seq for entry in log}
        places = self.places(log)
        return tuple(
            one._replace(mistake=one.mistake._replace(finding=in_places(one.mistake.finding, places)))
            for one in otherwise(self.judged)
            if recorded.issuperset(seq for made in one.mistake.corrections for seq in made.replaces)
        )


def in_places(one: Finding, places: Mapping[Seq, Seq]) -> Finding:
    """The finding with its entries as they are called by ``places``, in its sentence too."""
    evidence = dict.fromkeys(places.get(seq, seq) for seq in one.evidence)
    put_in: dict[Given, str] = {seq: str(of) for seq, of in places.items() if isinstance(seq, str)}
    message = _in_places(one.message, put_in)
    return one._replace(seq=places.get(one.seq, one.seq), evidence=tuple(evidence), message=message)


def _in_places(message: Said, put_in: Mapping[Given, str]) -> Said:
    """A sentence with the entries as they are called, also in the sentences that it was given."""
    called: dict[str, Given] = {
        name: _in_places(given, put_in) if isinstance(given, Said) else put_in.get(given, given)
        for name, given in message.given.items()
    }
    return message if called == message.given else Said(message.form, called)


def explanation(log: Log, judged: Audit, book: Book = PUBLISHED) -> Explanation | None:
    """The mistakes of the pen that explain findings of ``judged``, the audit of ``log``; or None.

    What `explaining` finds, where it finds any.
    """
    found = explaining(log, judged, book)
    return found if found.mistakes else None


def explaining(log: Log, judged: Audit, book: Book = PUBLISHED, work: int = LOOKED_FOR) -> Explanation:
    """The mistakes of the pen that explain findings of ``judged``, perhaps none, and what was looked for.

    Entries that were made twice, for another seat, in another's place or not at all; and where cards cannot
    be as recorded and that leaves something grave, one misprint: a card, or two that changed places. What
    leaves least wrong is taken, the fewer mistakes the better. ``work``: so much is done to find a misprint,
    as far as `BUDGET` allows.
    """
    nothing, budget = Explanation((), judged), Work(BUDGET)
    entered = _entered(log, judged, book, budget)
    left = (entered or nothing).judged.findings
    if not of_cards(left) and not (of_cards(judged.findings) and any(one.severity in GRAVE for one in left)):
        return (entered or nothing).told_of(log)
    looked = misprints(log, book, work, budget)
    found = [nothing if entered is None else entered]
    if (misprinted := _misprinted(log, judged, book, looked, budget)) is not None:
        found.append(misprinted)
    if entered is not None:
        behind = with_corrections(log, entered.corrections)
        more_looked = misprints(behind, book, LOOKED_FOR, budget)
        more = _misprinted(behind, entered.judged, book, more_looked, budget)
        found += [] if more is None else [entered.and_then(more)]
    found = [one for one in found if _of_the_record(one, judged)]
    best = min(found, key=lambda one: (_weight(one.judged.findings), len(one.mistakes)))
    if best is entered and not of_cards(left):
        return best.told_of(log)
    return best.told_of(log)._replace(looked=looked)


def _of_the_record(explained: Explanation, judged: Audit) -> bool:
    """Whether only entries of the record are wrong, and none that a correction would put in."""
    recorded = {entry.seq for entry in judged.history.entries}
    return all(recorded.issuperset(one.replaces) for one in explained.corrections)


def with_corrections(log: Log, corrections: Iterable[CorrectionMade]) -> Log:
    """The log with these corrections behind it."""
    last = max((entry.seq for entry in log if isinstance(entry.seq, int)), default=0)
    return (*log, *(Entry(seq, one) for seq, one in enumerate(corrections, last + 1)))


def may_be_mistaken(judged: Audit) -> bool:
    """Whether some mistake of the pen may explain what is found; which one is not tried."""
    if not for_a_director(judged.findings):
        return False
    enough = (one.explains <= len(judged.findings) for one in suspected(judged))
    return bool(of_cards(judged.findings)) or any(enough)


def for_a_director(findings: Iterable[Finding]) -> Findings:
    """Those of ``findings`` that matter to whoever judges a deal."""
    return tuple(one for one in findings if one.severity in FOR_A_DIRECTOR)


Weight = tuple[int, int, int]
"""How much is wrong with a deal: what is grave, what matters, all. Less is likelier to be so."""


def _weight(findings: Collection[Finding]) -> Weight:
    grave = sum(one.severity in GRAVE for one in findings)
    return grave, len(for_a_director(findings)), len(findings)


# --- Entries made wrongly as a whole ----------------------------------------------------------------


def _entered(log: Log, judged: Audit, book: Book, budget: Work) -> Explanation | None:
    """Entries that were made wrongly as a whole, and without which less is wrong."""
    found = Explanation((), judged)
    while len(found.mistakes) < MOST_ENTRIES:
        try:
            more = _one_entered(with_corrections(log, found.corrections), found.judged, book, budget)
        except Spent:
            break
        if more is None or not _of_the_record(more, judged):
            break
        found = found.and_then(more)
    return _as_sure_as_can_be(found) if found.mistakes else None


def _as_sure_as_can_be(found: Explanation) -> Explanation:
    """The same; where somebody is still found at fault in the play, entries only may have changed places."""
    if not _at_play(found.judged.findings):
        return found
    told = (perhaps_exchanged(one) if one.finding.code == "order_mistaken" else one for one in found.mistakes)
    return found._replace(mistakes=tuple(told))


def _one_entered(log: Log, judged: Audit, book: Book, budget: Work) -> Explanation | None:
    """The deal without the one mistake that does the most harm; None where none explains enough.

    What is missing is left open where several cards or places do as well, and no other fault is lost by that.
    Raises `Spent`.
    """
    best, least = None, _weight(judged.findings)
    likely = _at_first_sight(log, judged, book, budget)
    for weight, one in likely[:FULLY]:
        mended = audit(with_corrections(log, one.mistake.corrections), book, budget)
        if _weight(mended.findings) < least and _explains_enough(one, judged, mended):
            best = Explanation((one.mistake,), mended)
            as_good = [other.unseen for at, other in likely if at == weight and other.among == one.among]
            if len(as_good) > 1 and (unseen := as_good[0]) is not None:
                left_open = audit(with_corrections(log, unseen.corrections), book, budget)
                if _faults(judged) & _faults(mended) <= _faults(left_open):
                    best = Explanation((unseen,), left_open)
            least = _weight(mended.findings)
    return best


def _faults(judged: Audit) -> set[tuple[Seq, str, Seat | None]]:
    """What is grave, by entry, code and seat; a fault of its own stays one, whatever is put right."""
    return {(one.seq, one.code, one.seat) for one in judged.findings if one.severity in GRAVE}


def _at_first_sight(log: Log, judged: Audit, book: Book, budget: Work) -> list[tuple[Weight, Suspected]]:
    """What can have been entered wrongly; first that without which least is wrong as entries are judged.

    Raises:
        Spent: it takes more than is left of the budget.
    """
    weighed = []
    cost = cost_of(count_events(entry.event for entry in log))
    budget.spend(cost)
    for one in suspected(judged):
        budget.spend(cost)
        history = effective(with_corrections(log, one.mistake.corrections))
        _, findings = judged_entries(history, start(book))
        weighed.append((_weight((*findings, *history.faults)), one))
    return sorted(weighed, key=lambda one: one[0])


def _explains_enough(one: Suspected, judged: Audit, mended: Audit) -> bool:
    """Whether so much falls away that it is no fault by itself; what a single finding says may well be so."""
    before, after = _weight(judged.findings), _weight(mended.findings)
    if one.explains == 1:
        return True
    if after[0] >= before[0] or before[2] - after[2] < one.explains:
        return False
    cleared = _accused(judged.findings) - _accused(mended.findings)
    if one.of_the_play:
        gone = _at_play(judged.findings)
        if _at_play(mended.findings) or not _faults(mended) <= _faults(judged):
            return False
        return gone == AT_PLAY or len(cleared) >= one.clears
    turns = _out_of_turn(judged.findings)
    return len(cleared) >= one.clears or _out_of_turn(mended.findings) < turns


def _at_play(findings: Findings) -> set[str]:
    """Whether somebody is found to have revoked, or to have acted out of turn, or both."""
    return {one.code for one in findings} & AT_PLAY


def _accused(findings: Findings) -> set[Seat | None]:
    """The seats that something grave is found of."""
    return {one.seat for one in findings if one.severity in GRAVE}


def _out_of_turn(findings: Findings) -> int:
    return sum(one.code == "wrong_seat" for one in findings)


# --- Cards written wrongly --------------------------------------------------------------------------


def _misprinted(log: Log, judged: Audit, book: Book, looked: Misprints, budget: Work) -> Explanation | None:
    """Of the corrections that make the record possible, one that leaves least wrong."""
    try:
        tried = [
            (_weight(mended.findings), proposal, mended)
            for proposal in looked.proposals[:TRIED]
            for mended in (audit(with_corrections(log, proposal.corrections), book, budget),)
        ]
    except Spent:
        return None
    least = min((weight for weight, _, _ in tried), default=_weight(judged.findings))
    if least >= _weight(judged.findings):
        return None
    best = [(proposal, mended) for weight, proposal, mended in tried if weight == least]
    proposal, mended = best[0]
    first, *others = (change.seq for change in proposal.changes)
    shown = (seq for one in of_cards(judged.findings) for seq in (one.seq, *one.evidence))
    evidence = tuple(dict.fromkeys((*others, *looked.contradicting, *shown)))
    told = _told(proposal, len(best) - 1, every=len(looked.proposals) <= TRIED)
    one = finding(first, "misprint_likely", told, RULE, evidence=evidence)
    return Explanation((Mistake(one, proposal.corrections),), mended)


def _told(proposal: Proposal, as_good: int, *, every: bool) -> Said:
    """The misprint in words, and how many other corrections would do as well; ``every``: of all there are."""
    wrong = Listed((one.reason for one in proposal.corrections), " ")
    if not as_good:
        return said("{wrong} Put right, the record can be.", wrong=wrong)
    if not every:
        return said(
            "Perhaps it is this: {wrong} Put right, the record can be; at least {count} other corrections "
            "would do as well, and nothing shows which it was.",
            wrong=wrong,
            count=as_good,
        )
    if as_good == 1:
        return said(
            "Perhaps it is this: {wrong} Put right, the record can be; one other correction would do as "
            "well, and nothing shows which it was.",
            wrong=wrong,
        )
    return said(
        "Perhaps it is this: {wrong} Put right, the record can be; {count} other corrections would do as "
        "well, and nothing shows which it was.",
        wrong=wrong,
        count=as_good,
    )

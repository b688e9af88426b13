"""What is proposed for a record that cannot be: corrections that a person may accept, the likeliest first.

Nothing is corrected by itself: a proposal is the `correction_made` entries that would make the record
possible.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.core.cards import CODES, PACK, Card
from engine.core.events import CardPlayed, CorrectionMade
from engine.core.log import Log, place
from engine.core.message import Listed, Said, said
from engine.core.vocabulary import Seq
from engine.core.work_budget import SECOND, Work
from engine.diagnosis.misprints.changes import ADDED, LEFT_OUT, REPLACED, Change, put_right
from engine.diagnosis.misprints.looking import Looks
from engine.diagnosis.misprints.search import Both, Found, Search, alike, one_misprint, told_elsewhere
from engine.play.findings import GRAVE
from engine.play.history import effective
from engine.rulesets import PUBLISHED, Book

BUDGET: Final = 60 * SECOND
"""So much it may cost, whatever the record is like (`engine.core.work_budget`), unless told otherwise."""
MOST_WORK: Final = 20_000
"""So much is done at most: looks at records, their readings and steps together."""


class Proposal(NamedTuple):
    """Corrections that make the record possible.

    ``corrections``: the entries to append, one for each entry that is put right; their reasons are `Said`, so
    that another language can tell them. ``reasons``: why it stands where it does among the others.
    """

    changes: Both
    corrections: tuple[CorrectionMade, ...]
    reasons: tuple[Said, ...]


class Misprints(NamedTuple):
    """What may be misprinted in a record.

    ``contradicting``: entries of which one at least is wrong, none where the record can be; ``proposals``:
    the likeliest first; ``complete``: whether everything was looked at; ``work``: what it took, counted as
    `Looks` does.
    """

    contradicting: tuple[Seq, ...]
    proposals: tuple[Proposal, ...]
    complete: bool
    work: int


def misprints(
    log: Log, book: Book = PUBLISHED, work: int = MOST_WORK, budget: Work | None = None
) -> Misprints:
    """The corrections that would make the record possible: one misprint where that suffices, else two.

    A misprint is a card replaced by another, missing, or one too many; two cards that changed places; a card
    in the wrong list. The corrections are for the end of ``log``. Where more cards were played than the pack
    has, more is wrong than a misprint, and nothing is looked at. ``budget`` bounds what it costs.
    """
    entries = effective(log).entries
    if sum(isinstance(entry.event, CardPlayed) for entry in entries) > PACK.bit_count():
        return Misprints((), (), False, 0)
    asked = Looks(book, work, Work(BUDGET) if budget is None else budget)
    search = Search(entries, asked)
    search.run()
    weighed = [_weighed(search, found) for found in search.found]
    weighed.sort(key=lambda one: (one[0], [place(change.seq) for change in one[1].changes], one[1].changes))
    proposals = tuple(_proposal(search, weight, found) for weight, found in weighed)
    return Misprints(search.contradicting, proposals, search.complete, work - asked.left)


class Group(NamedTuple):
    """Proposals for which the same speaks, and which differ only in the card that belongs in one place.

    ``first``: the likeliest; ``others``: those like it, in their order.
    """

    first: Proposal
    others: tuple[Proposal, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that the others put in."""
        return tuple(
            change.right for one in self.others for change in one.changes if change.right is not None
        )


def grouped(proposals: Iterable[Proposal]) -> tuple[Group, ...]:
    """Proposals with those like them together, each group where its likeliest stands."""
    groups: dict[object, list[Proposal]] = {}
    for one in proposals:
        groups.setdefault(_all_but_the_card(one), []).append(one)
    return tuple(Group(first, tuple(others)) for first, *others in groups.values())


def _all_but_the_card(one: Proposal) -> object:
    """What a proposal of one card says, but for which card it puts in; another says it alone."""
    change, *others = one.changes
    if others or change.right is None:
        return one.changes
    return change._replace(right=None), tuple(
        reason.replace(_code(change.right), "") for reason in one.reasons
    )


class _Weight(NamedTuple):
    """What speaks for a proposal, the most telling first; less is likelier."""

    misprints: int
    faults: int
    not_told_elsewhere: int
    unlike: int


def _weighed(search: Search, found: Found) -> tuple[_Weight, Found]:
    changes = tuple(sorted(found.changes, key=lambda one: place(one.seq)))
    faults = sum(one.severity in GRAVE for one in found.looked.findings)
    untold = sum(
        one.right is not None and not told_elsewhere(search.entries, one.seq, one.right) for one in changes
    )
    unlike = sum(not _alike(one) for one in changes)
    single = len(changes) == 1 or one_misprint(*changes)
    return _Weight(1 if single else 2, faults, untold, unlike), Found(changes, found.looked)


def _alike(change: Change) -> bool:
    return change.wrong is not None and change.right is not None and alike(change.wrong, change.right)


def _proposal(search: Search, weight: _Weight, found: Found) -> Proposal:
    events = {entry.seq: entry.event for entry in search.entries}
    corrections = tuple(
        CorrectionMade(_sentence(one), (one.seq,), None, (put_right(events[one.seq], one),))
        for one in found.changes
    )
    return Proposal(found.changes, corrections, tuple(_reasons(search, weight, found.changes)))


def _sentence(change: Change) -> Said:
    """What was wrong in an entry, in words."""
    if change.kind == ADDED:
        return said("{right} is missing from entry {entry}.", right=_code(change.right), entry=change.seq)
    if change.kind == LEFT_OUT:
        return said(
            "Entry {entry} has {wrong}, which does not belong there.",
            entry=change.seq,
            wrong=_code(change.wrong),
        )
    return said(
        "Entry {entry} has {wrong} in place of {right}.",
        entry=change.seq,
        wrong=_code(change.wrong),
        right=_code(change.right),
    )


def _code(card: Card | None) -> str:
    return "" if card is None else CODES[card]


def _reasons(search: Search, weight: _Weight, changes: Both) -> list[Said]:
    """What speaks for a proposal and against it, in the order in which it counts."""
    reasons = [_how_many(weight, changes)]
    if weight.faults:
        reasons.append(said("Against the rules then: {count}.", count=weight.faults))
    else:
        reasons.append(said("Nothing is against the rules then."))
    for one in changes:
        told = () if one.right is None else told_elsewhere(search.entries, one.seq, one.right)
        if told:
            entries = Listed(str(seq) for seq in told)
            reasons.append(
                said("{card} is told of the same hand in {entries}.", card=_code(one.right), entries=entries)
            )
        if _alike(one):
            wrong, right = _code(one.wrong), _code(one.right)
            reasons.append(said("{wrong} is easily taken for {right}.", wrong=wrong, right=right))
    return reasons


def _how_many(weight: _Weight, changes: Both) -> Said:
    if weight.misprints > 1:
        return said("Two misprints.")
    if len(changes) == 1:
        return said("One misprint.")
    if changes[0].kind == REPLACED:
        return said("Two cards that changed places.")
    return said("A card in the wrong list.")

"""What is proposed for a record that cannot be: corrections that a person may accept, the likeliest first.

Nothing is corrected by itself: a proposal is the `correction_made` entries that would make the record
possible.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.core.cards import CARD_CODES, PACK_MASK, Card
from engine.core.events import CardPlayed, CorrectionMade
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.message import Message, TextList, format_message
from engine.core.work_budget import UNITS_PER_SECOND, WorkBudget
from engine.diagnosis.card_changes import ADDED, LEFT_OUT, REPLACED, CardChange, apply_change
from engine.diagnosis.correction_search import (
    ChangeSet,
    CorrectionSearch,
    FoundCorrection,
    are_easily_confused,
    find_other_mentions,
    is_single_misprint,
)
from engine.diagnosis.possibility_check import PossibilityChecker
from engine.play.findings import FAULT_SEVERITIES
from engine.play.history import effective
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook

MISPRINT_WORK: Final = 60 * UNITS_PER_SECOND
"""So much it may cost, whatever the record is like (`engine.core.work_budget`), unless told otherwise."""
MAX_CHECKS: Final = 20_000
"""So much is done at most: looks at records, their readings and steps together."""


class Proposal(NamedTuple):
    """Corrections that make the record possible.

    ``corrections``: the entries to append, one for each entry that is put right; their reasons are `Message`,
    so that another language can tell them. ``reasons``: why it stands where it does among the others.
    """

    changes: ChangeSet
    corrections: tuple[CorrectionMade, ...]
    reasons: tuple[Message, ...]


class MisprintProposals(NamedTuple):
    """What may be misprinted in a record.

    ``contradicting_entries``: entries of which one at least is wrong, none where the record can be;
    ``proposals``: the likeliest first; ``is_complete``: whether everything was looked at; ``work``: what it
    took, counted as `PossibilityChecker` does.
    """

    contradicting_entries: tuple[Seq, ...]
    proposals: tuple[Proposal, ...]
    is_complete: bool
    work: int


def find_misprints(
    log: Log,
    book: RulesetBook = PUBLISHED_RULESETS,
    max_checks: int = MAX_CHECKS,
    budget: WorkBudget | None = None,
) -> MisprintProposals:
    """The corrections that would make the record possible: one misprint where that suffices, else two.

    A misprint is a card replaced by another, missing, or one too many; two cards that changed places; a card
    in the wrong list. The corrections are for the end of ``log``. Where more cards were played than the pack
    has, more is wrong than a misprint, and nothing is looked at. ``budget`` bounds what it costs.
    """
    entries = effective(log).entries
    if sum(isinstance(entry.event, CardPlayed) for entry in entries) > PACK_MASK.bit_count():
        return MisprintProposals((), (), False, 0)
    checker = PossibilityChecker(book, max_checks, WorkBudget(MISPRINT_WORK) if budget is None else budget)
    search = CorrectionSearch(entries, checker)
    search.run()
    weighed = [_weigh(search, correction) for correction in search.corrections]
    weighed.sort(key=lambda one: (one[0], [seq_key(change.seq) for change in one[1].changes], one[1].changes))
    proposals = tuple(_build_proposal(search, weight, correction) for weight, correction in weighed)
    return MisprintProposals(
        search.contradicting_entries, proposals, search.is_complete, max_checks - checker.left
    )


class ProposalGroup(NamedTuple):
    """Proposals for which the same speaks, and which differ only in the card that belongs in one place.

    ``first``: the likeliest; ``others``: those like it, in their order.
    """

    first: Proposal
    others: tuple[Proposal, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that the others put in."""
        return tuple(
            change.right_card
            for one in self.others
            for change in one.changes
            if change.right_card is not None
        )


def group_proposals(proposals: Iterable[Proposal]) -> tuple[ProposalGroup, ...]:
    """Proposals with those like them together, each group where its likeliest stands."""
    groups: dict[object, list[Proposal]] = {}
    for one in proposals:
        groups.setdefault(_group_key(one), []).append(one)
    return tuple(ProposalGroup(first, tuple(others)) for first, *others in groups.values())


def _group_key(one: Proposal) -> object:
    """What a proposal of one card says, but for which card it puts in; another says it alone."""
    change, *others = one.changes
    if others or change.right_card is None:
        return one.changes
    return change._replace(right_card=None), tuple(
        reason.replace(_code(change.right_card), "") for reason in one.reasons
    )


class _ProposalWeight(NamedTuple):
    """What speaks for a proposal, the most telling first; less is likelier."""

    misprints: int
    faults: int
    not_mentioned_elsewhere: int
    not_easily_confused: int


def _weigh(search: CorrectionSearch, correction: FoundCorrection) -> tuple[_ProposalWeight, FoundCorrection]:
    changes = tuple(sorted(correction.changes, key=lambda one: seq_key(one.seq)))
    faults = sum(one.severity in FAULT_SEVERITIES for one in correction.record.findings)
    not_mentioned = sum(
        one.right_card is not None and not find_other_mentions(search.entries, one.seq, one.right_card)
        for one in changes
    )
    not_confused = sum(not _is_easily_confused(one) for one in changes)
    is_single = len(changes) == 1 or is_single_misprint(*changes)
    return _ProposalWeight(1 if is_single else 2, faults, not_mentioned, not_confused), FoundCorrection(
        changes, correction.record
    )


def _is_easily_confused(change: CardChange) -> bool:
    return (
        change.wrong_card is not None
        and change.right_card is not None
        and are_easily_confused(change.wrong_card, change.right_card)
    )


def _build_proposal(
    search: CorrectionSearch, weight: _ProposalWeight, correction: FoundCorrection
) -> Proposal:
    events = {entry.seq: entry.event for entry in search.entries}
    corrections = tuple(
        CorrectionMade(_describe_change(one), (one.seq,), None, (apply_change(events[one.seq], one),))
        for one in correction.changes
    )
    return Proposal(correction.changes, corrections, tuple(_list_reasons(search, weight, correction.changes)))


def _describe_change(change: CardChange) -> Message:
    """What was wrong in an entry, in words."""
    if change.kind == ADDED:
        return format_message(
            "{right} is missing from entry {entry}.", right=_code(change.right_card), entry=change.seq
        )
    if change.kind == LEFT_OUT:
        return format_message(
            "Entry {entry} has {wrong}, which does not belong there.",
            entry=change.seq,
            wrong=_code(change.wrong_card),
        )
    return format_message(
        "Entry {entry} has {wrong} in place of {right}.",
        entry=change.seq,
        wrong=_code(change.wrong_card),
        right=_code(change.right_card),
    )


def _code(card: Card | None) -> str:
    return "" if card is None else CARD_CODES[card]


def _list_reasons(search: CorrectionSearch, weight: _ProposalWeight, changes: ChangeSet) -> list[Message]:
    """What speaks for a proposal and against it, in the order in which it counts."""
    reasons = [_describe_misprint_count(weight, changes)]
    if weight.faults:
        reasons.append(format_message("Against the rules then: {count}.", count=weight.faults))
    else:
        reasons.append(format_message("Nothing is against the rules then."))
    for one in changes:
        mentions = (
            () if one.right_card is None else find_other_mentions(search.entries, one.seq, one.right_card)
        )
        if mentions:
            entries = TextList(str(seq) for seq in mentions)
            reasons.append(
                format_message(
                    "{card} is told of the same hand in {entries}.",
                    card=_code(one.right_card),
                    entries=entries,
                )
            )
        if _is_easily_confused(one):
            wrong, right = _code(one.wrong_card), _code(one.right_card)
            reasons.append(format_message("{wrong} is easily taken for {right}.", wrong=wrong, right=right))
    return reasons


def _describe_misprint_count(weight: _ProposalWeight, changes: ChangeSet) -> Message:
    if weight.misprints > 1:
        return format_message("Two misprints.")
    if len(changes) == 1:
        return format_message("One misprint.")
    if changes[0].kind == REPLACED:
        return format_message("Two cards that changed places.")
    return format_message("A card in the wrong list.")

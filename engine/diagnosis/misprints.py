"""Proposals for a record that cannot be: corrections that a person may accept, the likeliest first.

Nothing is corrected automatically: a proposal is the `correction_made` entries that make the record possible.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.core.cards import CARD_CODES, PACK_MASK, Card
from engine.core.events import CardPlayed, CorrectionMade
from engine.core.field_types import Seq
from engine.core.log import Log, seq_key
from engine.core.message import Message, TextList, format_message
from engine.core.work_budget import UNITS_PER_SECOND, WorkBudget
from engine.diagnosis.correction_search import (
    ADDED,
    LEFT_OUT,
    REPLACED,
    CardChange,
    ChangeSet,
    CorrectionSearch,
    FoundCorrection,
    PossibilityChecker,
    apply_change,
    are_easily_confused,
    find_other_mentions,
    is_single_misprint,
)
from engine.diagnosis.mistakes import describe_substitution
from engine.play.findings import FAULT_SEVERITIES
from engine.play.history import effective
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook

MISPRINT_WORK: Final = 60 * UNITS_PER_SECOND
"""The work of a search, if no other budget is given."""
MAX_CHECKS: Final = 20_000
"""Limit on the checks of records, as `PossibilityChecker` counts them."""


class Proposal(NamedTuple):
    """Corrections that make the record possible.

    ``corrections``: the entries to append, one for each entry that is corrected, with reasons that can be
    translated. ``reasons``: why the proposal ranks where it does.
    """

    changes: ChangeSet
    corrections: tuple[CorrectionMade, ...]
    reasons: tuple[Message, ...]


class MisprintProposals(NamedTuple):
    """What may be misprinted in a record.

    ``contradicting_entries``: entries of which one at least is wrong, none if the record is possible;
    ``proposals``: the likeliest first; ``is_complete``: whether everything was tried; ``work``: the number of
    checks, as `PossibilityChecker` counts them.
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
    """The corrections that would make the record possible: of one misprint if that suffices, else of two.

    A misprint is a card replaced by another, missing, or one too many; two swapped cards; a card in the wrong
    list. The corrections are for the end of ``log``. If more cards were played than the pack has, more is
    wrong than a misprint, and nothing is searched.
    """
    entries = effective(log).entries
    if sum(isinstance(entry.event, CardPlayed) for entry in entries) > PACK_MASK.bit_count():
        return MisprintProposals((), (), False, 0)
    checker = PossibilityChecker(book, max_checks, WorkBudget(MISPRINT_WORK) if budget is None else budget)
    search = CorrectionSearch(entries, checker)
    search.run()
    ranked = sorted((_build_proposal(entries, correction) for correction in search.corrections), key=_rank)
    proposals = tuple(proposal for _, proposal in ranked)
    return MisprintProposals(
        search.contradicting_entries, proposals, search.is_complete, max_checks - checker.left
    )


class ProposalGroup(NamedTuple):
    """Proposals with the same reasons that differ only in the card put in; ``first`` is the likeliest."""

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
    """Group similar proposals, in the order of the likeliest of each group."""
    groups: dict[object, list[Proposal]] = {}
    for one in proposals:
        groups.setdefault(_group_key(one), []).append(one)
    return tuple(ProposalGroup(first, tuple(others)) for first, *others in groups.values())


def _group_key(one: Proposal) -> object:
    """A key equal for proposals that differ only in the one card put in."""
    change, *others = one.changes
    if others or change.right_card is None:
        return one.changes
    return change._replace(right_card=None), tuple(
        reason.replace(_code(change.right_card), "") for reason in one.reasons
    )


ProposalWeight = tuple[int, int, int, int]
"""What speaks against a proposal, by importance: the number of misprints, of faults left, of cards that no
other entry mentions, and of cards not easily confused."""


def _rank(weighed: tuple[ProposalWeight, Proposal]) -> tuple[object, ...]:
    """Sort key: the likeliest first, then in the order of the entries."""
    weight, proposal = weighed
    return weight, [seq_key(change.seq) for change in proposal.changes], proposal.changes


def _build_proposal(entries: Log, found: FoundCorrection) -> tuple[ProposalWeight, Proposal]:
    """A proposal with its weight; its reasons stand in the order of their importance."""
    changes = tuple(sorted(found.changes, key=lambda one: seq_key(one.seq)))
    events = {entry.seq: entry.event for entry in entries}
    faults = sum(one.severity in FAULT_SEVERITIES for one in found.record.findings)
    is_single = len(changes) == 1 or is_single_misprint(*changes)
    reasons = [_describe_misprint_count(changes) if is_single else format_message("Two misprints.")]
    if faults:
        reasons.append(format_message("Still against the rules: {count}.", count=faults))
    else:
        reasons.append(format_message("Then nothing is against the rules."))
    not_mentioned = not_confused = 0
    for one in changes:
        right, wrong = _code(one.right_card), _code(one.wrong_card)
        mentions = find_other_mentions(entries, one.seq, one.right_card)
        not_mentioned += one.right_card is not None and not mentions
        if mentions:
            told = TextList(str(seq) for seq in mentions)
            reasons.append(
                format_message(
                    "{card} also appears in this hand (entry {entries}).", card=right, entries=told
                )
            )
        if are_easily_confused(one.wrong_card, one.right_card):
            reasons.append(
                format_message("{wrong} is easily mistaken for {right}.", wrong=wrong, right=right)
            )
        else:
            not_confused += 1
    corrections = tuple(
        CorrectionMade(_describe_change(one), (one.seq,), None, (apply_change(events[one.seq], one),))
        for one in changes
    )
    weight = (1 if is_single else 2, faults, not_mentioned, not_confused)
    return weight, Proposal(changes, corrections, tuple(reasons))


def _describe_change(change: CardChange) -> Message:
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
    return describe_substitution(change.seq, _code(change.wrong_card), _code(change.right_card))


def _code(card: Card | None) -> str:
    return "" if card is None else CARD_CODES[card]


def _describe_misprint_count(changes: ChangeSet) -> Message:
    if len(changes) == 1:
        return format_message("One misprint.")
    if changes[0].kind == REPLACED:
        return format_message("Two cards that changed places.")
    return format_message("A card in the wrong list.")

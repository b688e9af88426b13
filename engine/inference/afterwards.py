"""What only the whole record shows of its hidden cards, as findings of the audit (RULES 5, 9).

Judging sees what the cards on the table and in the known hands show. What follows from counting, or from
what cannot lie anywhere else, is found here: revokes that are proved with no card of the offender shown, and
entries whose cards cannot all be true. Nothing is asked where nothing is hidden. What is found follows from
the entries alone: who may know less gives entries that tell less (`engine.view`).
"""

from collections.abc import Iterable
from typing import Final

from engine.core.cards import BIT
from engine.core.log import Log, place
from engine.core.message import Listed, said
from engine.core.vocabulary import Seq
from engine.core.work_budget import SECOND, Spent, Work
from engine.inference.cases import Case, case_of
from engine.inference.claims import claims_of
from engine.inference.conflict import cannot_be, conflict
from engine.inference.evidence import Evidence
from engine.inference.levels import physical
from engine.inference.offences import proved_revokes
from engine.inference.plays import MATTER_ONLY
from engine.inference.revokes import proofs
from engine.inference.searching import Budget
from engine.inference.withheld import withheld
from engine.play.findings import NONE, Finding, Findings, finding
from engine.play.state import State

ALL_DEALT: Final = 0b111
STEPS: Final = 150
"""So many steps each question takes at most where plays are hidden: an audit is made after every entry."""
TOGETHER: Final = 600
"""So many all questions about single plays together."""
OTHERWISE_WRONG: Final = frozenset(
    ("exchange_count", "exchange_mismatch", "exchange_not_allowed", "wrong_phase", "wrong_seat")
)
"""Codes of findings after which numbers and turns in the record are not to be relied upon."""
OUT_OF_TURN: Final = ("wrong_seat", "5. Play")
"""A card laid out of turn is read as it was laid: all the same it has left its hand."""


WORK: Final = SECOND // 5
"""So much work is done in all, whatever is hidden."""


def found_afterwards(
    entries: Log, state: State, found: Iterable[Finding], work: Work | None = None
) -> Findings:
    """What the entries prove of hidden cards, besides what was ``found`` where they stand.

    And matadors that were withheld by right and called a revoke, which is only worth knowing.
    ``entries``: those of an effective history, all of them; ``state``: the fold of just these. A play that
    was found to be a revoke is not told again, nor is anything proved from a record that was found to be
    impossible: whose entry is wrong decides what the others prove. What takes more than `WORK` is not found.

    Raises:
        Spent: it takes more than the ``work`` that was given instead.
    """
    found = tuple(found)
    if not state.opening.rules.known or any(one.severity == "impossible" for one in found):
        return NONE
    revoked = frozenset(one.seq for one in found if one.code == "revoke")
    try:
        proved = _proved(entries, state, found, revoked, Work(WORK) if work is None else work)
    except Spent:
        if work is not None:
            raise
        proved = NONE
    if any(one.code == "contradiction" for one in proved):
        return proved
    return (*proved, *withheld(entries, state, revoked.union(one.seq for one in proved)))


def _proved(entries: Log, state: State, found: Findings, revoked: frozenset[Seq], work: Work) -> Findings:
    """What is proved of hidden cards; the revokes that were found already are not told again."""
    if not _tells_of_cards(state) or not _hides_cards(state):
        return NONE
    if any((one.code, one.rule) != OUT_OF_TURN and one.code in OTHERWISE_WRONG for one in found):
        return NONE
    case = case_of(claims_of(entries, state), work)
    if cannot_be(case, MATTER_ONLY, STEPS):
        return _contradiction(case)
    return _revokes(case, state, revoked)


def _tells_of_cards(state: State) -> bool:
    """Whether the record tells of any card: a slip has nothing that could prove anything."""
    return bool(state.play.tricks or state.play.seats or any(state.knowledge.sources))


def _hides_cards(state: State) -> bool:
    """Whether a card is hidden of which the cards seen may prove something."""
    exchange, play = state.exchange, state.play
    if state.knowledge.dealt_whole != ALL_DEALT or play.doubts or state.incomplete or any(play.slots):
        return True
    return not all(BIT[card] for cards in (*exchange.discards, *exchange.draws) if cards for card in cards)


def _revokes(case: Case, state: State, told: frozenset[Seq]) -> Findings:
    """Revokes that are proved, and not told yet."""
    if not (state.play.doubts or state.incomplete or case.slots):
        return NONE
    offences = proved_revokes(case, STEPS, told, TOGETHER)
    if not offences:
        return NONE
    matter = physical(case, Budget(STEPS))
    proved = proofs(Evidence(case, matter, matter, offences, STEPS), state)
    return tuple(one.finding for one in proved)


def _contradiction(case: Case) -> Findings:
    """Entries whose cards cannot all be true: found at the last of them, with all of them as evidence.

    One entry alone contradicts none: whether it can be said there at all is judged where it stands.
    """
    entries = sorted(conflict(case.claims, MATTER_ONLY, STEPS, case.work), key=place)
    if len(entries) < 2:
        return NONE
    message = said(
        "The cards of the entries {entries} cannot all be as recorded: one of them at least is wrong.",
        entries=Listed(str(seq) for seq in entries),
    )
    return (finding(entries[-1], "contradiction", message, "9. Record", evidence=tuple(entries)),)

"""Answers to the irregularities that people called: proved, excluded, or neither (RULES 5, 9).

A revoke is answered by what the record shows itself, else over every deal that agrees with its cards
(`engine.inference.called_revokes`). Of any other irregularity the answer says what the record shows of it.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

from engine.core.cards import CARD_BITS, Seat
from engine.core.events import (
    ActionWithdrawn,
    CardPlayed,
    CardsShown,
    DealVoided,
    Event,
    IrregularityNoted,
    TalonSeen,
)
from engine.core.field_types import Seq
from engine.core.log import seq_key
from engine.core.message import Message, TextList, format_message
from engine.core.ranking import UNKNOWN_TRUMP
from engine.core.spoken_words import words_of_all
from engine.core.work_budget import BudgetExceeded, WorkBudget
from engine.fold import evolve
from engine.inference.called_revokes import (
    EXCLUDED,
    PROVED,
    UNDECIDED,
    UNFINISHED,
    IrregularityAnswer,
    RevokeQuestion,
    followers_of,
)
from engine.inference.evidence import Evidence, build_evidence
from engine.inference.unseen_cards import DEFAULT_UNSEEN_WORK, MAX_QUESTIONS, MAX_STEPS_PER_SEARCH
from engine.judging.revoke_messages import card_term
from engine.play.amendments import list_amendments
from engine.play.findings import FINDING_CODES, Finding, Findings, player_or_seat
from engine.play.history import History
from engine.play.revoke_calls import find_named_trick, mentions_revoke
from engine.play.state import State, Trick, initial_state


class IrregularityKind(NamedTuple):
    """What the record shows of a kind of irregularity: the parts of its words, the codes of findings and the
    types of events."""

    word_parts: tuple[str, ...]
    codes: tuple[str, ...] = ()
    event_types: tuple[type[Event], ...] = ()


IRREGULARITY_KINDS: Final = (
    IrregularityKind(words_of_all("wrong_turn"), ("wrong_seat",)),
    IrregularityKind(words_of_all("talon"), ("exchange_not_allowed",), (TalonSeen,)),
    IrregularityKind(
        words_of_all("exchange"), ("exchange_count", "exchange_mismatch", "exchange_not_allowed")
    ),
    IrregularityKind(words_of_all("misdeal"), ("hand_size", "card_duplicated"), (DealVoided,)),
    IrregularityKind(words_of_all("exposure"), (), (CardsShown,)),
    IrregularityKind(
        words_of_all("bidding"),
        ("bid_too_low", "bid_not_allowed", "contract_not_allowed", "penalty_possible"),
    ),
)
"""Usual kinds; the first that fits counts. Anything else shows only as a finding of the same name."""


class ShownRevoke(NamedTuple):
    """A revoke that the record itself shows; ``trick`` is None if that is not known."""

    seat: Seat | None
    trick: int | None
    message: Message
    evidence: tuple[Seq, ...]
    is_corrected: bool = False


def answer_irregularities(history: History, state: State, findings: Findings) -> list[IrregularityAnswer]:
    """Answer each ``irregularity_noted`` of a history; ``state`` and ``findings`` are those of its audit."""
    calls = [entry for entry in history.entries if isinstance(entry.event, IrregularityNoted)]
    answerer = _Answerer(history, state, findings)
    return [answerer.answer(seq, event) for seq, event, _ in calls if isinstance(event, IrregularityNoted)]


class _Answerer:
    """Answers the calls of one record; what its cards prove is found once, for the first called revoke."""

    def __init__(self, history: History, state: State, findings: Findings) -> None:
        self.history, self.state, self.findings = history, state, findings
        play = state.play
        current = Trick(len(play.tricks) + 1, play.seats, play.cards, play.seqs, None)
        self.tricks = (*play.tricks, current) if play.seats else play.tricks

    def answer(self, seq: Seq, event: IrregularityNoted) -> IrregularityAnswer:
        if not mentions_revoke(event):
            return self._answer_other(seq, event)
        named = find_named_trick(event)
        answer = IrregularityAnswer(seq, event.seat, True, UNDECIDED, UNFINISHED, trick=named)
        shown = [one for one in self.shown_revokes if one.seat == event.seat and named in (None, one.trick)]
        if shown:
            message = format_message("{sentences}", sentences=TextList((one.message for one in shown), " "))
            return answer._replace(
                verdict=PROVED,
                message=message,
                evidence=_merge_evidence(shown),
                is_corrected=all(one.is_corrected for one in shown),
            )
        obstacle = self._find_obstacle(event.seat, named)
        if obstacle is not None:
            return answer._replace(message=obstacle)
        tricks = [
            trick for trick in self.tricks if event.seat in trick.seats[1:] and named in (None, trick.number)
        ]
        if not tricks:
            message = format_message(
                "{player} led, so there was nothing to follow.", player=player_or_seat(self.state, event.seat)
            )
            return answer._replace(verdict=EXCLUDED, message=message)
        try:
            return RevokeQuestion(self.state, self.evidence, event.seat, tricks).answer(
                answer, self._find_excuse(event.seat, tricks)
            )
        except BudgetExceeded:
            return answer

    # What the record shows itself

    @cached_property
    def shown_revokes(self) -> list[ShownRevoke]:
        """The revokes that are found, and those corrected at the table."""
        found = [
            ShownRevoke(one.seat, self.state.play.trick_number(one.seq), one.message, one.evidence)
            for one in self.findings
            if one.code == "revoke"
        ]
        return [*found, *self._list_corrected_revokes()]

    def _list_corrected_revokes(self) -> Iterator[ShownRevoke]:
        """Cards that did not follow and were taken back for one that does."""
        amendments = [
            one for one in list_amendments(self.history) if isinstance(one.entry.event, ActionWithdrawn)
        ]
        start = initial_state(self.state.opening.book)
        states = list(accumulate(self.history.entries, evolve, initial=start)) if amendments else []
        for one in amendments:
            before = states[one.start_index].play
            trick = next((trick for trick in self.tricks if trick.number == len(before.tricks) + 1), None)
            if trick is None or not before.cards:
                continue
            followers = followers_of(self.state, before.cards[0])
            for _, event, _ in one.replaced_entries:
                if not isinstance(event, CardPlayed) or event.seat not in trick.seats:
                    continue
                place = trick.seats.index(event.seat)
                if CARD_BITS[event.card] & ~followers and CARD_BITS[trick.cards[place]] & followers:
                    message = format_message(
                        "At trick {trick} {player} played {card} to {lead}, took it back and played "
                        "{new_card}.",
                        trick=trick.number,
                        player=player_or_seat(self.state, event.seat),
                        card=card_term(event.card),
                        lead=card_term(before.cards[0]),
                        new_card=card_term(trick.cards[place]),
                    )
                    evidence = (one.entry.seq, trick.seqs[place])
                    yield ShownRevoke(event.seat, trick.number, message, evidence, is_corrected=True)

    def _find_excuse(self, seat: Seat, tricks: list[Trick]) -> Message | None:
        """That the matador privilege excuses a play to one of these tricks."""
        seqs = {seq for trick in tricks for seq in trick.seqs}
        excuses = (one for one in self.findings if one.code == "matador_withheld" and one.seat == seat)
        return next((one.message for one in excuses if one.seq in seqs), None)

    def _find_obstacle(self, seat: Seat, named_trick: int | None) -> Message | None:
        """Why nothing follows from the cards of the record."""
        if not self.state.opening.rules.is_known:
            return format_message("The rules are not known here, so nothing can be judged.")
        if any(one.severity == "impossible" for one in self.findings):
            return format_message("The record contradicts itself, so its cards prove nothing.")
        seen = {trick.number for trick in self.tricks if seat in trick.seats}
        player = player_or_seat(self.state, seat)
        if named_trick is not None and named_trick not in seen:
            return format_message(
                "The record lacks what {player} played to trick {trick}; that card, and what {player} "
                "held then, would decide it.",
                player=player,
                trick=named_trick,
            )
        if not seen:
            return format_message(
                "The record has no card that {player} played; the tricks would decide it.", player=player
            )
        if self.state.play.trick_rules is UNKNOWN_TRUMP:
            return format_message("No trump suit is recorded, so it is unknown which cards had to follow.")
        if self.evidence.physical.is_consistent is False:
            return format_message("The record contradicts itself, so its cards prove nothing.")
        if not self.evidence.claims.is_play_order_known:
            return format_message(
                "Entries are missing, so it is unknown which card was played to which trick."
            )
        return None

    @cached_property
    def evidence(self) -> Evidence:
        """What the cards of the record prove."""
        work = WorkBudget(DEFAULT_UNSEEN_WORK)
        return build_evidence(self.history.entries, self.state, MAX_STEPS_PER_SEARCH, work, MAX_QUESTIONS)

    # Other irregularities

    def _answer_other(self, seq: Seq, event: IrregularityNoted) -> IrregularityAnswer:
        words = f"{event.kind} {event.text or ''}".lower().replace("_", " ")
        code = event.kind.lower().replace(" ", "_")
        kind = next(
            (one for one in IRREGULARITY_KINDS if any(part in words for part in one.word_parts)),
            IrregularityKind((), (code,) if code in FINDING_CODES else ()),
        )
        answer = IrregularityAnswer(seq, event.seat, False, UNDECIDED, _no_trace_message(kind))
        found = [one for one in self.findings if one.code in kind.codes and one.seat in (event.seat, None)]
        if found:
            return answer._replace(verdict=PROVED, message=found[0].message, evidence=_merge_evidence(found))
        entries = tuple(self._list_entries(kind, event.seat))
        if entries:
            message = format_message(
                "The record has it at entry {seq}; whether it was an offence is for the director to say.",
                seq=str(entries[0]),
            )
            return answer._replace(message=message, evidence=entries)
        return answer

    def _list_entries(self, kind: IrregularityKind, seat: Seat) -> Iterator[Seq]:
        for seq, event, _ in self.history.entries:
            if isinstance(event, kind.event_types):
                seats = getattr(event, "seats", (getattr(event, "seat", seat),))
                if seat in seats:
                    yield seq


def _no_trace_message(kind: IrregularityKind) -> Message:
    if kind.codes or kind.event_types:
        return format_message(
            "No entry shows it; a record does not show what was taken back at the table and never entered."
        )
    return format_message("A record cannot show this; the people who saw it have to say.")


def _merge_evidence(findings: Iterable[Finding | ShownRevoke]) -> tuple[Seq, ...]:
    return tuple(sorted({seq for one in findings for seq in one.evidence}, key=seq_key))

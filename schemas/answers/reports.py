"""What commands and routes answer about a whole deal: a report, and its replay entry by entry."""

from collections.abc import Iterator
from typing import Any

from engine import Audit, History, Log, State, effective, evolve, legal, score, start
from engine.core.events import DealOpened, Event, NoteAdded
from engine.core.vocabulary import Branch
from engine.diagnosis.conditions import with_conditions
from engine.play.mending import Mending, mendings
from engine.rulesets import PUBLISHED, Book
from schemas.answers.states import Told, finding_objects, legal_object, score_object, state_object
from schemas.logs.deal_size import JsonPieces, require_size
from schemas.wire.writer import entry_object

Json = dict[str, Any]


def opening_of(log: Log) -> DealOpened | None:
    """The event that opens the deal as the record has it now; None where there is none."""
    entries = effective(log).entries
    return next((entry.event for entry in entries if isinstance(entry.event, DealOpened)), None)


def branch_object(branch: Branch | None) -> Json | None:
    """Where a variation leaves another deal, as its opening says it; None where it does not."""
    return None if branch is None else {"deal": branch.deal, "at": branch.at, "known": branch.known}


def report_object(audit: Audit, file: str, number: int, told: Told = str) -> Json:
    """The report of one deal of a file: what it breaks, as it is ``told``, and what it pays (DESIGN 6)."""
    opened = audit.state.opening.opened
    return {
        "file": file,
        "deal": number,
        "title": opened.title if opened else None,
        "ruleset": opened.ruleset if opened else None,
        "ok": audit.ok,
        "findings": finding_objects(with_conditions(audit), told),
        "score": score_object(audit.score),
    }


def frames(history: History, book: Book = PUBLISHED) -> Iterator[Json]:
    """The deal entry by entry: each event with the state, legal actions and score after it."""
    state: State = start(book)
    for entry in history.entries:
        state = evolve(state, entry)
        yield {
            "seq": entry.seq,
            "event": entry_object(entry),
            "state": state_object(state),
            "legal": legal_object(legal(state)),
            "score": score_object(score(state)),
        }


def _says_something(event: Event) -> bool:
    """Whether an event is a note, and not the place of one whose words are hidden from who looks."""
    return isinstance(event, NoteAdded) and bool(event.text or event.mark)


def mending_object(mending: Mending) -> Json:
    """A correction or a withdrawal, and what it took away."""
    return {
        "at": mending.at,
        "event": entry_object(mending.entry),
        "before": [entry_object(entry) for entry in mending.before],
    }


def replay_object(audit: Audit, told: Told = str) -> Json:
    """A whole deal in one answer, for a replayer; ``told`` says in which language its findings are told.

    The frames and mendings are JSON already (`orjson.Fragment`).

    Raises:
        DealTooLarge: the deal has too many entries, or its answer would have too many bytes.
    """
    require_size(audit.history)
    opening = audit.state.opening
    opened = opening.opened
    pieces = JsonPieces()
    seqs = {entry.seq for entry in audit.history.entries}
    mended = (one for one in mendings(audit.history) if one.at is None or one.at in seqs)
    return {
        "title": opened.title if opened else None,
        "source": opened.source if opened else None,
        "ruleset": opened.ruleset if opened else None,
        "branch": branch_object(opened.branch if opened else None),
        "direction": opening.rules.ruleset.direction,
        "players": state_object(audit.state)["players"],
        "frames": [pieces.add(frame) for frame in frames(audit.history, opening.book)],
        "mendings": [pieces.add(mending_object(one)) for one in mended],
        "findings": finding_objects(with_conditions(audit), told),
        "notes": [entry_object(entry) for entry in audit.history.entries if _says_something(entry.event)],
        "score": score_object(audit.score),
    }

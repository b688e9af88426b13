"""Strict mode: which of the entries that a client sends are refused, before they are stored.

An entry is refused for what is found at itself, judged by what the seat that acts may know: a
refusal must not tell a player what the others hold.
"""

from collections.abc import Iterator, Sequence

from engine import PUBLIC, Entry, Finding, Log, Viewer, audit, effective, in_seat
from engine.core.events import CorrectionMade, Event
from engine.core.log import place
from engine.core.vocabulary import Seq
from engine.rulesets import PUBLISHED, Book
from engine.view import cut, hands_open
from service.records.variations import Course

REFUSED = ("impossible", "error")
"""Severities for which an entry is refused."""


def refusals(
    log: Log, sent: Sequence[Entry], book: Book = PUBLISHED, course: Course | None = None
) -> list[Finding]:
    """What is found at the entries ``sent`` behind ``log`` and speaks against them, in their order."""
    return [one for one in found_by_those_who_act(log, sent, book, course) if one.severity in REFUSED]


def found_by_those_who_act(
    log: Log, sent: Sequence[Entry], book: Book = PUBLISHED, course: Course | None = None
) -> list[Finding]:
    """What is found at the entries ``sent`` behind ``log``: at each act, what its own seat may know.

    ``course`` puts a variation behind its beginning, as that seat may know it.
    """
    acts = [act for entry in sent for act in _acts(entry.seq, entry.event)]
    found = []
    for viewer in dict.fromkeys(actor for _, actor in acts):
        own = {seq for seq, actor in acts if actor == viewer}
        known = _as_known(log, sent, viewer)
        if course is not None:
            known = course(known, viewer)
        found += [one for one in audit(known, book).findings if one.seq in own]
    return sorted(found, key=lambda one: place(one.seq))


def _acts(seq: Seq, event: Event) -> Iterator[tuple[Seq, Viewer]]:
    """Each act of an entry with who acts; a correction's parts are acts of their own seats."""
    yield seq, _actor(event)
    if isinstance(event, CorrectionMade):
        for number, part in enumerate(event.with_, 1):
            yield from _acts(f"{seq}.{number}", part)


def _as_known(log: Log, sent: Sequence[Entry], viewer: Viewer) -> Log:
    """The log with what is sent, cut to what ``viewer`` may know before it is stored."""
    whole = (*log, *sent)
    if hands_open(log):
        return whole
    # Not by ``view``: a deal_closed among what is sent opens no hands before it stands in the record.
    replaced = effective(whole).replaced
    return tuple(Entry(seq, cut(event, viewer, seq, replaced), record) for seq, event, record in whole)


def _actor(event: Event) -> Viewer:
    """Who acts: the seat the event names; what names none is done before everybody."""
    seat = getattr(event, "seat", None)
    return PUBLIC if seat is None else in_seat(seat)

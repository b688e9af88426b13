"""Strict mode: which of the entries that a client sends are refused, before they are stored.

An entry is refused for what is found at itself, judged by what the seat that acts may know: a
refusal must not tell a player what the others hold.
"""

from collections.abc import Sequence

from engine import PUBLIC, Entry, Finding, Log, Viewer, audit, effective, in_seat
from engine.log import place
from engine.view import cut, hands_open

REFUSED = ("impossible", "error")
"""Severities for which an entry is refused."""


def refusals(log: Log, sent: Sequence[Entry]) -> list[Finding]:
    """What is found at the entries ``sent`` behind ``log`` and speaks against them, in their order."""
    viewers = dict.fromkeys(_actor(entry) for entry in sent)
    return [finding for viewer in viewers for finding in _found(log, sent, viewer)]


def _found(log: Log, sent: Sequence[Entry], viewer: Viewer) -> list[Finding]:
    """What ``viewer`` sees at those of the entries that are his own acts."""
    own = {entry.seq for entry in sent if _actor(entry) == viewer}
    findings = audit(_as_known(log, sent, viewer)).findings
    return [one for one in findings if place(one.seq)[0] in own and one.severity in REFUSED]


def _as_known(log: Log, sent: Sequence[Entry], viewer: Viewer) -> Log:
    """The log with what is sent, cut to what ``viewer`` may know before it is stored."""
    whole = (*log, *sent)
    if hands_open(log):
        return whole
    # Not by ``view``: a deal_closed among what is sent opens no hands before it stands in the record.
    standing = {entry.seq for entry in effective(whole).entries}
    return tuple(Entry(seq, cut(event, viewer, seq, standing), record) for seq, event, record in whole)


def _actor(entry: Entry) -> Viewer:
    """Who acts: the seat the event names; what names none is done before everybody."""
    seat = getattr(entry.event, "seat", None)
    return PUBLIC if seat is None else in_seat(seat)

"""Texts in the notation below a usual heading."""

import io

from schemas.notation import read_logs, written_log
from schemas.wire.jsonlines import DealLog, Unreadable

HEADING = "Deal: By hand\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"
PLAY = "F bids solo; M passes; B passes\nF names solo in H\nM stands; B stands\n"
"""An auction after which forehand leads."""
TRICK = "1. F SA  M S3  B S4\n"


def read(text: str, heading: str = HEADING) -> DealLog | Unreadable:
    (log,) = read_logs(io.BytesIO((heading + text + "\n").encode("utf-8")), "hand.deal")
    return log


def body(text: str, heading: str = HEADING) -> str:
    """What stands below the heading when the text is written in canonical form; a line's ends are slashes."""
    log = read(text, heading)
    assert isinstance(log, DealLog), log.problems
    below = written_log(log.log).split("\n\n", 1)[1]
    return " / ".join(" ".join(line.split()) for line in below.splitlines() if line)


def said(text: str, heading: str = HEADING) -> list[tuple[int, int, str]]:
    """The line (below the heading), the column and the sentence of each problem."""
    log = read(text, heading)
    assert isinstance(log, Unreadable), written_log(log.log)
    above = heading.count("\n")
    return [(one.line - above, one.column, one.message) for one in log.problems]

"""Judging how a deal begins: its rules and switches are known, a player is in it once (RULES 2, 9).

A variation begins in another deal, which has to be here.
"""

from collections.abc import Iterator

from engine.branching import why_missing
from engine.cards import SEAT_NAMES, SEATS
from engine.events import DealOpened, GapNoted
from engine.findings import NONE, Findings, finding
from engine.rulesets import Rules, find
from engine.rulesets.switches import why_not_set
from engine.state import State
from engine.vocabulary import Players, Seq


def judge_deal_opened(state: State, event: DealOpened, seq: Seq) -> Findings:
    """A deal is opened once, under rules that are published, and each player is in it once."""
    if state.opening.opened is not None:
        return (finding(seq, "wrong_phase", "This deal has been opened already.", "9. Record"),)
    rules = find(state.opening.book, event.ruleset, event.revision, event.switches)
    seated = tuple(
        finding(seq, "seating_mismatch", message, "2. Deal", about=player)
        for player, message in _in_two_places(event.players)
    )
    if rules is not None:
        return (*_switches_unknown(rules, seq), *seated)
    revision = "" if event.revision is None else f", revision {event.revision},"
    known = ", ".join(sorted({rules.ruleset.id for rules in state.opening.book}))
    message = (
        f"The ruleset {event.ruleset!r}{revision} is not known here; there are {known}. Nothing is judged."
    )
    return (finding(seq, "unknown_ruleset", message, "9. Record"), *seated)


def judge_gap_noted(state: State, event: GapNoted, seq: Seq) -> Findings:
    """A gap breaks nothing; one in place of a variation's beginning is told at its opening."""
    why = why_missing(state, event, seq)
    if why is None:
        return NONE
    message = f"{why} What is played in it can be judged only in part."
    return (finding(state.opening.seq, "beginning_missing", message, "9. Record"),)


def _in_two_places(players: Players) -> Iterator[tuple[str, str]]:
    """Each player who has two seats, or a seat and sits out, and what is wrong with that."""
    seats: dict[str, list[str]] = {}
    for seat in SEATS:
        seats.setdefault(players.at(seat), []).append(SEAT_NAMES[seat])
    for player in players.sitting_out:
        seats.setdefault(player, []).append("sitting out")
    for player, places in seats.items():
        if len(places) > 1:
            yield player, f"{player} is {' and '.join(places)}; one player has one place in a deal."


def _switches_unknown(rules: Rules, seq: Seq) -> Findings:
    """Each switch that the ruleset does not know, or cannot set so, is named; none passes in silence."""
    return tuple(
        finding(seq, "unknown_switch", why_not_set(rules.ruleset, name, value), "9. Record", about=name)
        for name, value in rules.unknown
    )

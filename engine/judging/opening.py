"""Judging how a deal begins: its rules and switches are known, a player is in it once (RULES 2, 9).

A variation begins in another deal, which has to be here.
"""

from collections.abc import Iterator

from engine.branching import why_missing
from engine.core.cards import SEATS
from engine.core.events import DealOpened, GapNoted
from engine.core.message import NOTHING, Listed, Said, said
from engine.core.vocabulary import Players, Seq
from engine.play.findings import NONE, Findings, finding, seat_called
from engine.play.state import State
from engine.rulesets import Rules, find
from engine.rulesets.switches import why_not_set


def judge_deal_opened(state: State, event: DealOpened, seq: Seq) -> Findings:
    """A deal is opened once, under rules that are published, and each player is in it once."""
    if state.opening.opened is not None:
        message = said("This deal has been opened already.")
        return (finding(seq, "wrong_phase", message, "9. Record"),)
    rules = find(state.opening.book, event.ruleset, event.revision, event.switches)
    seated = tuple(
        finding(seq, "seating_mismatch", message, "2. Deal", about=player)
        for player, message in _in_two_places(event.players)
    )
    if rules is not None:
        return (*_switches_unknown(rules, seq), *seated)
    message = said(
        "The ruleset {ruleset!r}{revision} is not known here; there are {known}. Nothing is judged.",
        ruleset=event.ruleset,
        revision=revision_said(event.revision),
        known=Listed(sorted({rules.ruleset.id for rules in state.opening.book})),
    )
    return (finding(seq, "unknown_ruleset", message, "9. Record"), *seated)


def judge_gap_noted(state: State, event: GapNoted, seq: Seq) -> Findings:
    """A gap breaks nothing; one in place of a variation's beginning is told at its opening."""
    why = why_missing(state, event, seq)
    if why is None:
        return NONE
    message = said("{why} What is played in it can be judged only in part.", why=why)
    return (finding(state.opening.seq, "beginning_missing", message, "9. Record"),)


def revision_said(revision: int | None) -> str:
    """Which revision of a ruleset is meant, to stand behind its name; nothing where none was named."""
    return NOTHING if revision is None else said(", revision {revision},", revision=revision)


def _in_two_places(players: Players) -> Iterator[tuple[str, Said]]:
    """Each player who has two seats, or a seat and sits out, and what is wrong with that."""
    seats: dict[str, list[str]] = {}
    for seat in SEATS:
        seats.setdefault(players.at(seat), []).append(seat_called(seat))
    for player in players.sitting_out:
        seats.setdefault(player, []).append(said("sitting out"))
    for player, places in seats.items():
        if len(places) > 1:
            yield (
                player,
                said(
                    "{player} is {places}; one player has one place in a deal.",
                    player=player,
                    places=Listed(places, " and "),
                ),
            )


def _switches_unknown(rules: Rules, seq: Seq) -> Findings:
    """Each switch that the ruleset does not know, or cannot set so, is named; none passes in silence."""
    return tuple(
        finding(seq, "unknown_switch", why_not_set(rules.ruleset, name, value), "9. Record", about=name)
        for name, value in rules.unknown
    )

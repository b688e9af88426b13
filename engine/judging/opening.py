"""Judging how a deal begins: its rules, its players, the parent deal of a variation (RULES 2, 9)."""

from engine.branching import explain_missing_parent
from engine.core.cards import SEATS
from engine.core.events import DealOpened, GapNoted
from engine.core.field_types import Players, Seq
from engine.core.message import EMPTY_TEXT, TextList, format_message
from engine.play.findings import NO_FINDINGS, Findings, build_finding, seat_term
from engine.play.state import State
from engine.rulesets import CompiledRuleset, find_ruleset
from engine.rulesets.switches import explain_unknown_switch


def judge_deal_opened(state: State, event: DealOpened, seq: Seq) -> Findings:
    """A deal is opened once, under published rules, and each player is in it once."""
    if state.opening.event is not None:
        message = format_message("This deal has been opened already.")
        return (build_finding(seq, "wrong_phase", message, "9. Record"),)
    rules = find_ruleset(state.opening.book, event.ruleset, event.revision, event.switches)
    seated = _find_doubled_players(event.players, seq)
    if rules is not None:
        return _find_unknown_switches(rules, seq) + seated
    message = format_message(
        "The ruleset {ruleset!r}{revision} is unknown; known are {known}. Nothing is judged.",
        ruleset=event.ruleset,
        revision=format_revision(event.revision),
        known=TextList(sorted({rules.ruleset.id for rules in state.opening.book})),
    )
    return (build_finding(seq, "unknown_ruleset", message, "9. Record"), *seated)


def judge_gap_noted(state: State, event: GapNoted, seq: Seq) -> Findings:
    """A gap breaks nothing; one that replaces a variation's beginning is reported at its opening."""
    why = explain_missing_parent(state, event, seq)
    if why is None:
        return NO_FINDINGS
    message = format_message("{why} The play can be judged only in part.", why=why)
    return (build_finding(state.opening.seq, "beginning_missing", message, "9. Record"),)


def format_revision(revision: int | None) -> str:
    """The revision of a ruleset, to follow its name; empty if none was named."""
    return EMPTY_TEXT if revision is None else format_message(", revision {revision},", revision=revision)


def _find_doubled_players(players: Players, seq: Seq) -> Findings:
    """Each player who has two seats, or both a seat and sits out."""
    everyone = (players.forehand, players.middlehand, players.backhand, *players.sitting_out)
    if len(set(everyone)) == len(everyone):
        return NO_FINDINGS
    seats: dict[str, list[str]] = {}
    for seat in SEATS:
        seats.setdefault(players.at(seat), []).append(seat_term(seat))
    for player in players.sitting_out:
        seats.setdefault(player, []).append(format_message("sitting out"))
    findings = []
    for player, places in seats.items():
        if len(places) > 1:
            message = format_message(
                "{player} is {places}; a player has only one place in a deal.",
                player=player,
                places=TextList(places, " and "),
            )
            findings.append(build_finding(seq, "seating_mismatch", message, "9. Record", about=player))
    return tuple(findings)


def _find_unknown_switches(rules: CompiledRuleset, seq: Seq) -> Findings:
    """Each switch or value that the ruleset does not know; all are reported."""
    if not rules.unknown_switches:
        return NO_FINDINGS
    return tuple(
        build_finding(
            seq, "unknown_switch", explain_unknown_switch(rules.ruleset, name, value), "9. Record", about=name
        )
        for name, value in rules.unknown_switches
    )

"""Deals in shorthand, as a player would tell them, and what the engine answers about them as JSON.

Events are dicts in the wire form; seats are F, M, B; hands are codes with spaces between them.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from engine import Audit, EntryMetadata, Log, Viewer, audit, effective, legal, score, view
from engine.core.log import Entry
from engine.fold import fold_all
from engine.play.state import State, initial_state
from engine.rulesets import PUBLISHED_RULESETS, RulesetBook
from schemas.answers.states import finding_objects, legal_object, score_object, state_object
from schemas.wire.event_reader import read_event

Event = dict[str, Any]
Json = dict[str, Any]

F, M, B = "forehand", "middlehand", "backhand"
SEATS = {"F": F, "M": M, "B": B}
PLAYERS = {F: "Anna", M: "Bo", B: "Carl"}


def a_deal(
    forehand: str = "", middlehand: str = "", backhand: str = "", *, ruleset: str = "dlu", **more: Any
) -> list[Event]:
    """A deal of which some hands are known; ``more`` are further fields of ``deal_opened``."""
    players = {**PLAYERS, **more.pop("players", {})}
    events: list[Event] = [{"type": "deal_opened", "ruleset": ruleset, "players": players, **more}]
    hands = {"F": forehand, "M": middlehand, "B": backhand}
    return events + [dealt(seat, hand) for seat, hand in hands.items() if hand]


def dealt(seat: str, hand: str) -> Event:
    return {"type": "hand_dealt", "seat": SEATS[seat], "cards": hand.split()}


def hand_held(seat: str, hand: str) -> Event:
    return {"type": "hand_held", "seat": SEATS[seat], "cards": hand.split()}


def cards_shown(seat: str, cards: str) -> Event:
    return {"type": "cards_shown", "seat": SEATS[seat], "cards": cards.split()}


def laid(cards: str) -> Event:
    """The talon's order, filled up with cards that nobody recorded."""
    known = cards.split()
    return {"type": "talon_laid", "cards": known + ["??"] * (13 - len(known))}


def bids(words: str) -> list[Event]:
    """An auction as one would say it: ``"F simple, M pass"``."""
    calls = [word.split() for word in words.split(", ")] if words else []
    return [{"type": "bid_made", "seat": SEATS[seat], "bid": bid} for seat, bid in calls]


def names(seat: str, contract: str, trump: str | None = None) -> list[Event]:
    event: Event = {"type": "contract_named", "seat": SEATS[seat], "contract": contract}
    return [{**event, "trump": trump} if trump else event]


def trumps(seat: str, trump: str) -> Event:
    return {"type": "trump_named", "seat": SEATS[seat], "trump": trump}


def turned(card: str) -> list[Event]:
    return [{"type": "talon_turned", "card": card}]


def swap(seat: str, discarded: str = "", drawn: str = "") -> list[Event]:
    """A discard and its draw; without cards the seat stands."""
    events: list[Event] = [{"type": "cards_discarded", "seat": SEATS[seat], "cards": discarded.split()}]
    if drawn:
        events.append({"type": "cards_drawn", "seat": SEATS[seat], "cards": drawn.split()})
    return events


def stands(seats: str = "F M B") -> list[Event]:
    return [event for seat in seats.split() for event in swap(seat)]


def plays(words: str) -> list[Event]:
    """Cards as they fall: ``"F-H4 M-H5 B-SK"``; ``"F-H4@3"`` bears the number of its trick."""
    events: list[Event] = []
    for word in words.split():
        seat, _, card = word.partition("-")
        card, _, trick = card.partition("@")
        event: Event = {"type": "card_played", "seat": SEATS[seat], "card": card}
        events.append({**event, "trick": int(trick)} if trick else event)
    return events


def tricks(winners: str, leader: str = "F") -> list[Event]:
    """Tricks won by these seats, ``"FFM"``, hearts being trumps, without an offence.

    Forehand has the diamonds, middlehand the clubs, backhand the spades: each leads that suit, to which
    nobody can follow, and wins with it or is trumped.
    """
    suits = zip("FMB", "DCS", strict=True)
    own = {seat: iter([suit + rank for rank in "K234567QJ"]) for seat, suit in suits}
    trumps = iter(["H7", "HA", "HK", "HQ", "HJ", "H2", "H3", "H4", "H5", "H6"])
    words = []
    for winner in winners:
        order = "FMBFM"["FMB".index(leader) :][:3]
        words += [f"{seat}-{next(trumps if seat == winner != leader else own[seat])}" for seat in order]
        leader = winner
    return plays(" ".join(words))


def gap() -> Event:
    return {"type": "gap_noted"}


def note(text: str, **more: Any) -> Event:
    return {"type": "note_added", "text": text, **more}


def claimed(seat: str, forehand: int, middlehand: int, backhand: int) -> Event:
    tricks = {F: forehand, M: middlehand, B: backhand}
    return {"type": "tricks_claimed", "seat": SEATS[seat], "tricks": tricks}


def answered(words: str) -> list[Event]:
    """Answers to a claim: ``"M accept, B contest"``."""
    pairs = [word.split() for word in words.split(", ")]
    return [{"type": "claim_answered", "seat": SEATS[seat], "answer": answer} for seat, answer in pairs]


def given_up(seat: str, pays: str | None = None) -> Event:
    event: Event = {"type": "deal_abandoned", "seat": SEATS[seat]}
    return {**event, "pays": pays} if pays else event


def ruled(**decision: Any) -> Event:
    return {"type": "ruling_made", "text": "So be it.", **decision}


def slip(declarer: str | None = None, contract: str | None = None, tricks: str = "", **more: Any) -> Event:
    """A result from a slip; ``tricks`` as ``"5-3-1"`` in the order of the seats, or ``"5-?-?"``."""
    event: Event = {"type": "result_recorded", **more}
    if declarer:
        event["declarer"] = SEATS[declarer]
    if contract:
        event["contract"] = contract
    if tricks:
        counts = zip((F, M, B), tricks.split("-"), strict=True)
        event["tricks"] = {seat: int(count) for seat, count in counts if count != "?"}
    return event


def settled(**payments: int) -> Event:
    return {"type": "deal_settled", "payments": payments}


def corrected(replaces: Sequence[int | str], *with_: Event, after: int | str | None = None) -> Event:
    event: Event = {"type": "correction_made", "replaces": list(replaces), "with": list(with_)}
    event["reason"] = "a slip of the pen"
    return event if after is None else {**event, "after": after}


def withdrawn(of: int | str) -> Event:
    return {"type": "action_withdrawn", "of": of}


def log_from(events: Iterable[Event]) -> Log:
    """The log of these events, read as from the wire, numbered 1, 2, …."""
    return tuple(Entry(seq, read_event(event), EntryMetadata()) for seq, event in enumerate(events, 1))


def audited(events: Iterable[Event], book: RulesetBook = PUBLISHED_RULESETS) -> Audit:
    return audit(log_from(events), book)


def codes(events: Iterable[Event], book: RulesetBook = PUBLISHED_RULESETS) -> list[tuple[int | str, str]]:
    """Every finding as (seq, code), in order, but for the ``incomplete`` of a record that just stops."""
    stops = ("The record ends", "The deal is over; what")
    findings = audited(events, book).findings
    told = [one for one in findings if one.code != "incomplete" or not one.message.startswith(stops)]
    return [(one.seq, one.code) for one in told]


def state_after(events: Iterable[Event], book: RulesetBook = PUBLISHED_RULESETS) -> Json:
    return state_object(folded(events, book))


def folded(events: Iterable[Event], book: RulesetBook = PUBLISHED_RULESETS) -> State:
    return fold_all(effective(log_from(events)).entries, initial_state(book))


def legal_after(events: Iterable[Event], book: RulesetBook = PUBLISHED_RULESETS) -> Json | None:
    return legal_object(legal(folded(events, book)))


def due_after(events: Iterable[Event], book: RulesetBook = PUBLISHED_RULESETS) -> Json:
    """What is legal, where something must be."""
    due = legal_after(events, book)
    assert due is not None
    return due


def score_after(events: Iterable[Event], book: RulesetBook = PUBLISHED_RULESETS) -> Json:
    return score_object(score(folded(events, book)))


def payoff(events: Iterable[Event], book: RulesetBook = PUBLISHED_RULESETS) -> tuple[str, list[int]]:
    """The outcome and what each seat gets, in the order of the seats; the deal must be decided."""
    result = score_after(events, book)
    assert result["decided"], result
    return result["outcome"], [result["payments"][seat] for seat in (F, M, B)]


def view_json(log: Log, viewer: Viewer, book: RulesetBook = PUBLISHED_RULESETS) -> str:
    """Everything that a viewer is told of a log, computed from the log cut for that viewer, as text."""
    whole = audit(view(log, viewer), book)
    at_the_end = (state_object(whole.state), legal_object(legal(whole.state)), score_object(whole.score))
    return json.dumps([*at_the_end, finding_objects(whole.findings)], sort_keys=True)

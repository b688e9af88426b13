"""The line below a drawing: what has just happened, and who is to act."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from service.presentation.svg.lying import hand_cards, is_told_only, tricks_won
from service.presentation.svg.manner import Manner
from service.presentation.svg.terms import Terms

State = dict[str, Any]


def sentences(state: State, terms: Terms) -> list[str]:
    """What is to be said of a state, the most telling first; there is always something."""
    told = _PHASES[state["phase"]](state, terms)
    return [*_open(state, terms), *told] or _dealing(state, terms)


def shortly(state: State, terms: Terms) -> str | None:
    """The first sentence in fewer words, for where there is little room; None where it has none."""
    tricks = state["tricks"]
    if state["phase"] == "dealing":
        return terms.say("seated_shortly", forehand=terms.player("forehand"))
    if state["phase"] == "play" and tricks:
        last = tricks[-1]
        if last["winner"] is None:
            return terms.say("played_shortly", number=last["number"], card=terms.card(last["cards"][-1]))
        return terms.say("taken_shortly", number=last["number"], winner=terms.player(last["winner"]))
    game = terms.game()
    if state["declarer"] is None or game is None:
        return None
    return terms.say("game_shortly", name=terms.player(state["declarer"]), game=game)


def _open(state: State, terms: Terms) -> list[str]:
    """What was put to the others and waits for their answer."""
    if state["phase"] == "finished":
        return []
    told = []
    if state["claim"]:
        told.append(terms.say("claims", name=terms.player(state["claim"]["seat"])))
    if state["surrender"] and state["surrender"]["forbidden_by"] is None:
        told.append(terms.say("surrenders", name=terms.player(state["surrender"]["seat"])))
    return told


def _dealing(state: State, terms: Terms) -> list[str]:
    return [terms.say("seated", **{seat: terms.player(seat) for seat in SEAT_NAMES})]


def _auction(state: State, terms: Terms) -> list[str]:
    if not state["calls"]:
        return [terms.say("dealt"), *_turn(state, terms, "speaks")]
    call = state["calls"][-1]
    name = terms.player(call["seat"])
    phrase = {"pass": "passed", "self": "self"}.get(call["bid"], "bid")
    return [terms.say(phrase, name=name, bid=terms.bid(call["bid"])), *_turn(state, terms, "speaks")]


def _bargain(state: State, terms: Terms, turn: str) -> list[str]:
    return [*_standing(state, terms), *_turn(state, terms, turn)]


def _standing(state: State, terms: Terms) -> list[str]:
    """Who has the bid."""
    if state["declarer"] is None:
        return []
    name, game = terms.player(state["declarer"]), terms.game()
    return [terms.say("has_bid", name=name, game=game) if game else terms.say("has_some_bid", name=name)]


def _turn(state: State, terms: Terms, phrase: str) -> list[str]:
    """Who is to do what."""
    if phrase == "turns":
        return [terms.say(phrase)]
    return [terms.say(phrase, name=terms.player(state["to_act"]))] if state["to_act"] else []


def _play(state: State, terms: Terms) -> list[str]:
    tricks = state["tricks"]
    if not tricks:
        return [*_standing(state, terms), *_turn(state, terms, "leads_next")]
    complete = len(tricks[-1]["cards"]) == 3
    return [_trick(tricks[-1], terms), *_turn(state, terms, "leads_next" if complete else "plays")]


def _trick(trick: dict[str, Any], terms: Terms) -> str:
    name, card = terms.player(trick["seats"][-1]), terms.card(trick["cards"][-1])
    told = {"number": trick["number"], "name": name, "card": card}
    if len(trick["cards"]) == 1:
        return terms.say("leads", **told)
    if trick["winner"] is None:
        return terms.say("follows", **told)
    if trick["winner"] == trick["seats"][-1]:
        return terms.say("takes", **told)
    return terms.say("taken", **told, winner=terms.player(trick["winner"]))


def _finished(state: State, terms: Terms) -> list[str]:
    result = state["result"] or {}
    outcome = terms.outcome(result.get("outcome", ""))
    if state["declarer"] is None:
        passed = bool(state["calls"]) and all(call["bid"] == "pass" for call in state["calls"])
        return [outcome or terms.say("all_passed" if passed else "over"), *_taken(state, terms)]
    game = terms.game()
    had = terms.say("had_bid", name=terms.player(state["declarer"]), game=game) if game else terms.say("over")
    return [had, *([outcome] if outcome else []), *_taken(state, terms)]


def _taken(state: State, terms: Terms) -> list[str]:
    """How the tricks fell, where any did."""
    counts = tricks_won(state)
    return [terms.say("took", counts=terms.counts(counts))] if any(counts.values()) else []


_PHASES: Final[Mapping[str, Callable[[State, Terms], list[str]]]] = {
    "dealing": _dealing,
    "auction": _auction,
    "contract": lambda state, terms: _bargain(state, terms, "names"),
    "turn": lambda state, terms: _bargain(state, terms, "turns"),
    "exchange": lambda state, terms: _bargain(state, terms, "exchanges"),
    "play": _play,
    "finished": _finished,
}


def description(state: State, terms: Terms, manner: Manner) -> str:
    """The whole table in words, for whoever does not see the drawing."""
    told = sentences(state, terms)
    if not is_told_only(state):
        told += [_hand(state, seat, terms, manner) for seat in SEAT_NAMES]
    return " ".join(told)


def _hand(state: State, seat: str, terms: Terms, manner: Manner) -> str:
    cards = hand_cards(state, seat, manner.rules)
    unseen = cards.count("??")
    named = [terms.card(card) for card in cards if card != "??"]
    if unseen:
        named.append(terms.say("one_unknown" if unseen == 1 else "unknown", count=unseen))
    return f"{terms.player(seat)}: {', '.join(named) or terms.say('no_cards')}."

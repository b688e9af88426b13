"""What the tests of drawings look at: states, their drawings, and what stands in a drawing."""

from functools import cache
from typing import Any
from xml.etree import ElementTree

import replays
from engine import view
from engine.core.field_types import Seq
from engine.core.log import Log
from engine.rulesets import NO_RULES, PUBLISHED_RULESETS, CompiledRuleset, find_ruleset
from schemas.answers.states import state_object
from schemas.wire.event_reader import read_entry
from service.presentation.svg import DrawingOptions, draw_table
from service.records.deal_points import VIEWERS_BY_NAME, build_deal_point
from tests.support.engine.shorthand import Json, a_deal, slip

SVG = "{http://www.w3.org/2000/svg}"

SLIP: list[Json] = [*a_deal(), slip("M", "solo", "3-4-2", trump="H", outcome="won")]


def state_of(events: list[Json], viewer: str = "all", at: Seq | None = None) -> Json:
    log = tuple(read_entry(event, seq) for seq, event in enumerate(events, 1))
    return state_object(build_deal_point(view(log, VIEWERS_BY_NAME[viewer]), at).state)


def replayed(name: str, at: Seq | None = None, viewer: str = "all") -> Json:
    return state_object(build_deal_point(view(log_called(name), VIEWERS_BY_NAME[viewer]), at).state)


@cache
def log_called(name: str) -> Log:
    (deal,) = [one for one in (*replays.list_library(), *replays.list_examples()) if one.name == name]
    return deal.read_log()


def rules_of(state: Json) -> CompiledRuleset:
    return find_ruleset(PUBLISHED_RULESETS, state["ruleset"] or "", state["revision"]) or NO_RULES


def drawing(state: Json, **look: Any) -> ElementTree.Element:
    return ElementTree.fromstring(draw_table(state, DrawingOptions(**{"rules": rules_of(state), **look})))


def texts(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def cards(root: ElementTree.Element, zone: str | None = None) -> list[str]:
    drawn_cards = [one for one in root.iter(f"{SVG}g") if one.get("class") == "card"]
    return [one.get("data-card", "") for one in drawn_cards if zone in (None, one.get("data-zone"))]

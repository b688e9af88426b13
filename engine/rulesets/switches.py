"""House switches: a ruleset with single points changed, as a table has agreed (RULES: the rulesets)."""

from collections.abc import Iterable
from dataclasses import is_dataclass, replace
from typing import Any, Final, NamedTuple

from engine.core.message import Message, TextList, format_message
from engine.rulesets.model import HouseSwitch, Ruleset, SwitchValue

MAX_SWITCH_DIGITS: Final = 9
"""The most digits of a number typed for a switch."""

SwitchSettings = tuple[tuple[str, SwitchValue], ...]
"""Switches by name, as a deal or a table states them."""


class SwitchedRuleset(NamedTuple):
    """A ruleset as switched, what was set, and the settings that it does not know."""

    ruleset: Ruleset
    applied: SwitchSettings
    unknown: SwitchSettings


def apply_switches(ruleset: Ruleset, settings: Iterable[tuple[str, SwitchValue]]) -> SwitchedRuleset:
    """``ruleset`` with ``settings``; one that it does not know, or cannot take, changes nothing.

    Of a switch that is set twice (``a-b`` and ``a_b``) the first counts; another value is unknown.
    """
    by_id = {switch.id: switch for switch in ruleset.switches}
    agreed: dict[str, SwitchValue] = {}
    unknown: list[tuple[str, SwitchValue]] = []
    for name, value in settings:
        switch = by_id.get(name.replace("_", "-"))
        if switch is None or not is_switch_value(switch, value) or agreed.get(switch.id, value) != value:
            unknown.append((name, value))
            continue
        agreed[switch.id] = value
        ruleset = replace_at_path(ruleset, switch.sets.split("."), value)
    return SwitchedRuleset(ruleset, tuple(agreed.items()), tuple(unknown))


def is_switch_value(switch: HouseSwitch, value: SwitchValue) -> bool:
    """Whether a switch can be set to ``value``: True is not the number 1."""
    if switch.spans:
        lowest, highest = switch.values[0], switch.values[-1]
        numbers = isinstance(lowest, int) and isinstance(highest, int) and isinstance(value, int)
        return numbers and not isinstance(value, bool) and lowest <= value <= highest  # type: ignore[operator]
    return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in switch.values)


def parse_switch_value(text: str) -> SwitchValue:
    """A value as it is typed: true and false, a number, or a word."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return int(text) if text.isdecimal() and len(text) <= MAX_SWITCH_DIGITS else text


def explain_unknown_switch(ruleset: Ruleset, name: str, value: SwitchValue) -> Message:
    """Why a setting counts among the unknown ones, in a sentence that says what to write instead."""
    by_id = {switch.id: switch for switch in ruleset.switches}
    switch = by_id.get(name.replace("_", "-"))
    if switch is None:
        return format_message(
            "{ruleset} has no switch {name!r}; it has {known}.",
            ruleset=ruleset.id,
            name=name,
            known=TextList(by_id),
        )
    if is_switch_value(switch, value):
        return format_message(
            "The switch {switch} is set twice; the first counts, and {name!r}: {value} does not.",
            switch=switch.id,
            name=name,
            value=repr(value),
        )
    return format_message(
        "The switch {switch} cannot be {value}; it can be {values}.",
        switch=switch.id,
        value=repr(value),
        values=describe_switch_values(switch),
    )


def describe_switch_values(switch: HouseSwitch) -> Message | TextList:
    """What a switch can be, in words: "true or false", the numbers from and to, or the choices."""
    if all(isinstance(one, bool) for one in switch.values):
        return format_message("true or false")
    if switch.spans:
        return format_message("{least} to {most}", least=switch.values[0], most=switch.values[-1])
    return TextList(map(str, switch.values))


def switch_setting(ruleset: Ruleset, switch: HouseSwitch) -> SwitchValue:
    """How ``switch`` stands in ``ruleset``."""
    point: Any = ruleset
    for step in switch.sets.split("."):
        point = _get_step(point, step)
    value: SwitchValue = point
    return value


def _get_step(point: Any, step: str) -> Any:
    if is_dataclass(point):
        return getattr(point, step)
    for one in point:
        if isinstance(one, tuple) and one[0] == step:
            return one[1]
        if is_dataclass(one) and getattr(one, "id", None) == step:
            return one
    return step in point


def replace_at_path(node: Any, path: list[str], value: SwitchValue) -> Any:
    """``node``, a ruleset or a part of one, with ``value`` put at ``path`` in it."""
    step, *further = path
    if is_dataclass(node) and not isinstance(node, type):
        inner = replace_at_path(getattr(node, step), further, value) if further else value
        return replace(node, **{step: inner})
    if all(isinstance(one, str) for one in node):
        others = tuple(one for one in node if one != step)
        return (*others, step) if value else others
    return tuple(_replace_in_member(one, step, further, value) for one in node)


def _replace_in_member(member: Any, step: str, rest: list[str], value: SwitchValue) -> Any:
    """A member of a list: changed if it is the one that ``step`` names."""
    if isinstance(member, tuple) and member[0] == step:
        return step, replace_at_path(member[1], rest, value) if rest else value
    if is_dataclass(member) and getattr(member, "id", None) == step:
        return replace_at_path(member, rest, value)
    return member

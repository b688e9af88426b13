"""House switches: a ruleset with single points changed, as a table has agreed (RULES: the rulesets)."""

from collections.abc import Iterable
from dataclasses import is_dataclass, replace
from typing import Any, Final, NamedTuple

from engine.core.message import Listed, Said, said
from engine.rulesets.model import Ruleset, Switch, Value

MOST_DIGITS: Final = 9
"""A number that somebody types for a switch has at most so many digits."""

Settings = tuple[tuple[str, Value], ...]
"""Switches by name, as a deal or a table states them."""


class Switched(NamedTuple):
    """A ruleset as switched, what was set, and the settings that it does not know."""

    ruleset: Ruleset
    agreed: Settings
    unknown: Settings


def switched(ruleset: Ruleset, settings: Iterable[tuple[str, Value]]) -> Switched:
    """``ruleset`` with ``settings``; one that it does not know, or cannot take, changes nothing.

    Of a switch that is said twice (``a-b`` and ``a_b``) the first counts; another value is unknown.
    """
    by_id = {switch.id: switch for switch in ruleset.switches}
    agreed: dict[str, Value] = {}
    unknown: list[tuple[str, Value]] = []
    for name, value in settings:
        switch = by_id.get(name.replace("_", "-"))
        if switch is None or not fits(switch, value) or agreed.get(switch.id, value) != value:
            unknown.append((name, value))
            continue
        agreed[switch.id] = value
        ruleset = changed(ruleset, switch.sets.split("."), value)
    return Switched(ruleset, tuple(agreed.items()), tuple(unknown))


def fits(switch: Switch, value: Value) -> bool:
    """Whether a switch can be set to ``value``: True is not the number 1."""
    if switch.spans:
        least, most = switch.values[0], switch.values[-1]
        numbers = isinstance(least, int) and isinstance(most, int) and isinstance(value, int)
        return numbers and not isinstance(value, bool) and least <= value <= most  # type: ignore[operator]
    return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in switch.values)


def typed_value(text: str) -> Value:
    """A value as it is typed: true and false, a number, or a word."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else text


def why_not_set(ruleset: Ruleset, name: str, value: Value) -> Said:
    """Why a setting counts among the unknown ones, in a sentence that says what to write instead."""
    by_id = {switch.id: switch for switch in ruleset.switches}
    switch = by_id.get(name.replace("_", "-"))
    if switch is None:
        return said(
            "{ruleset} knows no switch {name!r}; there are {known}.",
            ruleset=ruleset.id,
            name=name,
            known=Listed(by_id),
        )
    if fits(switch, value):
        return said(
            "The switch {switch} is said twice; the first counts, and {name!r}: {value} does not.",
            switch=switch.id,
            name=name,
            value=repr(value),
        )
    return said(
        "The switch {switch} cannot be {value}; it can be {values}.",
        switch=switch.id,
        value=repr(value),
        values=values_said(switch),
    )


def values_told(switch: Switch) -> str:
    """What a switch can be, in words: "true or false", the numbers from and to, or the choices."""
    return str(values_said(switch))


def values_said(switch: Switch) -> Said | Listed:
    """The same as something to be said."""
    if all(isinstance(one, bool) for one in switch.values):
        return said("true or false")
    if switch.spans:
        return said("{least} to {most}", least=switch.values[0], most=switch.values[-1])
    return Listed(map(str, switch.values))


def setting(ruleset: Ruleset, switch: Switch) -> Value:
    """How ``switch`` stands in ``ruleset``."""
    point: Any = ruleset
    for step in switch.sets.split("."):
        point = _within(point, step)
    value: Value = point
    return value


def _within(point: Any, step: str) -> Any:
    if is_dataclass(point):
        return getattr(point, step)
    for one in point:
        if isinstance(one, tuple) and one[0] == step:
            return one[1]
        if is_dataclass(one) and getattr(one, "id", None) == step:
            return one
    return step in point


def changed(point: Any, steps: list[str], value: Value) -> Any:
    """``point`` of a ruleset with what lies at ``steps`` in it set to ``value``."""
    step, *further = steps
    if is_dataclass(point) and not isinstance(point, type):
        inner = changed(getattr(point, step), further, value) if further else value
        return replace(point, **{step: inner})
    if all(isinstance(one, str) for one in point):
        others = tuple(one for one in point if one != step)
        return (*others, step) if value else others
    return tuple(_member(one, step, further, value) for one in point)


def _member(one: Any, step: str, further: list[str], value: Value) -> Any:
    """A member of a list: changed if it is the one that ``step`` names."""
    if isinstance(one, tuple) and one[0] == step:
        return step, changed(one[1], further, value) if further else value
    if is_dataclass(one) and getattr(one, "id", None) == step:
        return changed(one, further, value)
    return one

"""Checks of the arguments of events: a wrong one is named when an event is made, not when it is folded."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, NewType, Union, get_args, get_origin, get_type_hints

from engine.core.cards import CARD_CODES, SEATS, Card, Seat
from engine.core.field_types import FieldKind


class ArgumentChecks(NamedTuple):
    """The fields of an event, and the classes that the value of each may be of.

    ``choices`` are the values of a field that takes only some: words, seats, cards. ``pairs`` are the fields
    of pairs, such as a seat and a number.
    """

    names: tuple[str, ...]
    get_values: Callable[[Any], tuple[Any, ...]]
    classes: tuple[tuple[type, ...], ...]
    choices: dict[str, Sequence[Any]]
    pairs: tuple[str, ...]


PAIR_KINDS: Final = ("seat-counts", "chips-by-name")
_CHECKS: Final[dict[type, ArgumentChecks]] = {}


def check_arguments(event: Any) -> None:
    """Raise `TypeError` if a field of ``event`` is not of its type."""
    checks = _CHECKS.get(type(event))
    if checks is None:
        checks = _CHECKS[type(event)] = build_argument_checks(type(event))
    values = checks.get_values(event)
    if all(map(isinstance, values, checks.classes)):
        _check_contents(event, checks)
        return
    for name, value, allowed in zip(checks.names, values, checks.classes, strict=True):
        if not isinstance(value, allowed):
            expected = " or ".join("None" if one is NoneType else one.__name__ for one in allowed)
            hint = get_type_hints(type(event), include_extras=True)[name]
            kinds = [one.__name__ for one in (hint, *get_args(hint)) if isinstance(one, NewType)]
            named = f" ({kinds[0]} of engine.core.cards)" if kinds else ""
            raise TypeError(f"{type(event).__name__}: {name} must be {expected}{named}, not {value!r}")


def _check_contents(event: Any, checks: ArgumentChecks) -> None:
    for name, choices in checks.choices.items():
        if (value := getattr(event, name)) is not None and value not in choices:
            raise TypeError(
                f"{type(event).__name__}: {name} must be {_describe_choices(choices)}, not {value!r}"
            )
    for name in checks.pairs:
        value = getattr(event, name)
        if not all(isinstance(item, tuple) and len(item) == 2 for item in value):
            raise TypeError(
                f"{type(event).__name__}: {name} must be pairs, such as ((0, 5), (1, 2)), not {value!r}"
            )


def build_argument_checks(event_class: type) -> ArgumentChecks:
    """The checks of a dataclass, from its annotations."""
    hints = get_type_hints(event_class, include_extras=True)
    names, getter = tuple(hints), attrgetter(*hints)
    get_values = getter if len(names) > 1 else lambda event: (getter(event),)
    kinds = {name: _field_kind(hint) for name, hint in hints.items()}
    return ArgumentChecks(
        names,
        get_values,
        tuple(map(_allowed_classes, hints.values())),
        {name: choices for name, hint in hints.items() if (choices := _choices(hint, kinds[name]))},
        tuple(name for name, kind in kinds.items() if kind is not None and kind.name in PAIR_KINDS),
    )


def _choices(hint: Any, kind: FieldKind | None) -> Sequence[Any]:
    numbered = {Seat: SEATS, Card: range(len(CARD_CODES))}
    found = (numbered[one] for one in (hint, *get_args(hint)) if isinstance(one, NewType) and one in numbered)
    return next(found, () if kind is None else kind.choices)


def _describe_choices(choices: Sequence[Any]) -> str:
    if isinstance(choices, range):
        return f"{choices[0]} to {choices[-1]}"
    return f"one of {', '.join(map(str, choices))}"


def _field_kind(hint: Any) -> FieldKind | None:
    found = (one for part in (hint, *get_args(hint)) for one in get_args(part) if isinstance(one, FieldKind))
    return next(found, None)


def _allowed_classes(hint: Any) -> tuple[type, ...]:
    if isinstance(hint, NewType):
        return _allowed_classes(hint.__supertype__)
    if get_origin(hint) is Annotated:
        return _allowed_classes(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return tuple(one for part in get_args(hint) for one in _allowed_classes(part))
    return (get_origin(hint) or hint,)

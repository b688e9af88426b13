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
    of pairs, such as a seat and a number. Both are by the place of the field.
    """

    names: tuple[str, ...]
    get_values: Callable[[Any], tuple[Any, ...]]
    classes: tuple[tuple[type, ...], ...]
    choices: tuple[tuple[int, Sequence[Any]], ...]
    pairs: tuple[int, ...]


PAIR_KINDS: Final = ("seat-counts", "chips-by-name")
_CHECKS: Final[dict[type, ArgumentChecks]] = {}


def check_arguments(event: Any) -> None:
    """Raise `TypeError` if a field of ``event`` is not of its type."""
    checks = _CHECKS.get(type(event))
    if checks is None:
        checks = _CHECKS[type(event)] = build_argument_checks(type(event))
    names, get_values, classes, choices_by_place, pairs = checks
    values = get_values(event)
    if not all(map(isinstance, values, classes)):
        raise _wrong_class_error(event, values, checks)
    for place, choices in choices_by_place:
        if (value := values[place]) not in choices and value is not None:
            expected = _describe_choices(choices)
            raise TypeError(f"{type(event).__name__}: {names[place]} must be {expected}, not {value!r}")
    for place in pairs:
        if not all(isinstance(item, tuple) and len(item) == 2 for item in values[place]):
            raise TypeError(
                f"{type(event).__name__}: {names[place]} must be pairs, such as ((0, 5), (1, 2)), "
                f"not {values[place]!r}"
            )


def _wrong_class_error(event: Any, values: tuple[Any, ...], checks: ArgumentChecks) -> TypeError:
    name, value, allowed = next(
        one for one in zip(checks.names, values, checks.classes, strict=True) if not isinstance(*one[1:])
    )
    expected = " or ".join("None" if one is NoneType else one.__name__ for one in allowed)
    hint = get_type_hints(type(event), include_extras=True)[name]
    kinds = [one.__name__ for one in (hint, *get_args(hint)) if isinstance(one, NewType)]
    named = f" ({kinds[0]} of engine.core.cards)" if kinds else ""
    return TypeError(f"{type(event).__name__}: {name} must be {expected}{named}, not {value!r}")


def build_argument_checks(event_class: type) -> ArgumentChecks:
    """The checks of a dataclass, from its annotations."""
    hints = get_type_hints(event_class, include_extras=True)
    names, getter = tuple(hints), attrgetter(*hints)
    get_values = getter if len(names) > 1 else lambda event: (getter(event),)
    kinds = [_field_kind(hint) for hint in hints.values()]
    choices = map(_choices, hints.values(), kinds)
    return ArgumentChecks(
        names,
        get_values,
        tuple(map(_allowed_classes, hints.values())),
        tuple((place, found) for place, found in enumerate(choices) if found),
        tuple(place for place, kind in enumerate(kinds) if kind is not None and kind.name in PAIR_KINDS),
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

"""The kinds of values that a ruleset is made of, read from JSON with the place of every fault."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar

from engine.rulesets.model import Words
from schemas.wire.faults import NOTHING, Fault, WireError, escaped, nearest, shown

Json = dict[str, Any]
Made = TypeVar("Made")

MOST: Final = 1_000_000
"""The largest number that a ruleset takes."""
BOUNDS: Final[dict[str, tuple[int, int]]] = {
    "revision": (1, MOST),
    "min": (0, 9),
    "max": (0, 9),
    "first_defender_most": (0, 9),
    "ends_at": (1, 9),
    "codille_from": (1, 9),
    "estuches_most": (0, 9),
    "before_trick": (1, 9),
}
"""The least and the most that some numbers can be, by the name of their place: nine cards, nine tricks."""


def words_in(said: Any, at: str) -> Words:
    """The same words in both languages. Raises `WireError`, as all here do."""
    return plain(Words, said, at)


def plain(made: type[Made], said: Any, at: str) -> Made:
    """A dataclass whose fields are texts, numbers, flags, words, or lists of texts."""
    return made_of(made, object_in(said, at, tuple(one.name for one in fields(made))), at)  # type: ignore[arg-type]


def made_of(made: type[Made], told: Json, at: str, skip: tuple[str, ...] = ()) -> Made:
    """A dataclass of the fields ``told``; those to ``skip`` have been read already."""
    given: Json = {}
    for field in fields(made):  # type: ignore[arg-type]
        there = f"{at}/{field.name}"
        if field.name not in told:
            if field.default is MISSING and field.default_factory is MISSING:
                raise WireError([Fault(there, "nothing", "a value")])
        elif field.name in skip:
            given[field.name] = told[field.name]
        else:
            given[field.name] = field_in(str(field.type), told[field.name], there)
    return made(**given)


def field_in(kind: str, said: Any, at: str) -> Any:
    """The value of a dataclass's field of that ``kind`` (its annotation, as text)."""
    if said is None and "None" in kind:
        return None
    if "Words" in kind:
        return words_in(said, at)
    if kind.startswith("<class 'bool'") or kind == "bool":
        return flag(said, at)
    if "tuple[str" in kind:
        return list_of(said, at, lambda one, there: text_in(one, there, "a word"))
    if "int" in kind:
        return whole(said, at)
    return text_in(said, at, "a text", empty=True)


def object_in(said: Any, at: str, known: Iterable[str]) -> Json:
    """An object with no other members than the ``known`` ones."""
    if not isinstance(said, dict):
        raise WireError([Fault(at, quoted(said), "an object")])
    require_known(said, known, at)
    return dict(said)


def require_known(said: Mapping[str, Any], known: Iterable[str], at: str) -> None:
    """Raises `WireError` where a member is not among the ``known`` ones; a near one is proposed."""
    names = tuple(known)
    strange = [name for name in said if name not in names]
    if strange:
        raise WireError(
            [
                Fault(f"{at}/{escaped(name)}", shown(name), _instead(name, names), of_name=True)
                for name in strange[:5]
            ]
        )


def _instead(name: str, known: tuple[str, ...]) -> str:
    near = nearest(name, known)
    one = f"a name that is known here ({', '.join(known)})" if near is None else f'"{near}"'
    return f"{one}, or leave it out"


def list_of(said: Any, at: str, read: Callable[[Any, str], Any]) -> tuple[Any, ...]:
    """A list, each member read by ``read``, which is told its place."""
    if not isinstance(said, list):
        raise WireError([Fault(at, quoted(said), "a list")])
    return tuple(read(one, f"{at}/{number}") for number, one in enumerate(said))


def maybe(said: Any, at: str, read: Callable[[Any, str], Any]) -> Any:
    """What may be left out, or be null."""
    return None if said is None else read(said, at)


def text_in(said: Any, at: str, expected: str, *, empty: bool = False) -> str:
    """A text of at most 2000 characters."""
    if isinstance(said, str) and (said or empty) and len(said) <= 2000:
        return said
    raise WireError([Fault(at, quoted(said), expected)])


def whole(said: Any, at: str) -> int:
    """A whole number, within what its place allows."""
    least, most = BOUNDS.get(at.rsplit("/", 1)[-1], (0, MOST))
    if isinstance(said, int) and not isinstance(said, bool) and least <= said <= most:
        return said
    raise WireError([Fault(at, quoted(said), f"a whole number from {least} to {most}")])


def flag(said: Any, at: str) -> bool:
    """What is so or not."""
    if isinstance(said, bool):
        return said
    raise WireError([Fault(at, quoted(said), "true or false")])


def choice(said: Any, at: str, known: Iterable[str]) -> str:
    """One of the words that are ``known``."""
    if isinstance(said, str) and said in known:
        return said
    raise WireError([Fault(at, quoted(said), f"one of {', '.join(known)}")])


def quoted(said: Any) -> str:
    """A value as it stands in a fault."""
    return NOTHING if said is None else shown(said)

"""How a value of each kind is written in the notation, from its JSON."""

from collections.abc import Callable
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from schemas.notation.escapes import quoted
from schemas.notation.words import KIND, LETTER, NAMED_BY_RULES, Terms, is_misspelt, is_plain
from schemas.wire.declaration import FieldSpec


def written_name(name: str) -> str:
    """A name, in quotation marks where it is of several words or could be something else."""
    return name if is_plain(name) else quoted(name)


def written(spec: FieldSpec, value: Any, terms: Terms) -> str:
    """A field's value, from its JSON."""
    kind = spec.kind.name
    if kind == "text":
        if spec.kind.least == 0:
            return quoted(value)
        if spec.name in NAMED_BY_RULES:
            return value if terms.is_plain(value) else quoted(value)
        if spec.name == KIND and is_misspelt(value):
            return quoted(value)
        return written_name(value)
    write = _WRITERS.get(kind)
    return str(value) if write is None else write(value)


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _counted(counts: dict[str, int]) -> str:
    if tuple(counts) == SEAT_NAMES and all(0 <= count < 10 for count in counts.values()):
        return "-".join(map(str, counts.values()))
    return " ".join(f"{LETTER[seat]} {count}" for seat, count in counts.items()) or "none"


def _chips_written(chips: dict[str, int]) -> str:
    parties = [(LETTER.get(name) or written_name(name), number) for name, number in chips.items()]
    return " ".join(f"{name} {_signed(number)}" for name, number in parties) or "none"


def _pairs(switches: dict[str, bool | int | str]) -> str:
    return ", ".join(f"{written_name(name)} = {_switched(value)}" for name, value in switches.items())


def _switched(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int) else written_name(value)


def _grouped(groups: list[list[str]]) -> str:
    return ", ".join(" + ".join(map(written_name, group)) or "none" for group in groups)


_WRITERS: Final[dict[str, Callable[[Any], str]]] = {
    "names": lambda names: ", ".join(map(written_name, names)) or "none",
    "groups": _grouped,
    "integers": lambda numbers: " ".join(map(str, numbers)) or "none",
    "flag": lambda flag: "yes" if flag else "no",
    "seq": lambda seq: f"@{seq}",
    "seqs": lambda seqs: " ".join(f"@{seq}" for seq in seqs),
    "cards": lambda cards: " ".join(cards) or "none",
    "seat": LETTER.__getitem__,
    "seats": lambda seats: " ".join(LETTER[seat] for seat in seats) or "none",
    "seat-counts": _counted,
    "chips-by-name": _chips_written,
    "switches": _pairs,
}
"""Kinds that are not written as JSON has them."""

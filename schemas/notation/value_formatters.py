"""How a value of each kind is written in the notation, from its JSON."""

from collections.abc import Callable
from typing import Any, Final

from engine.core.cards import SEAT_NAMES
from schemas.notation.escapes import quote_text
from schemas.notation.notation_words import (
    GAME_NAME_FIELDS,
    IRREGULARITY_KIND_FIELD,
    SEAT_LETTER,
    GameNames,
    is_misspelled_kind,
    needs_no_quotes,
)
from schemas.wire.field_specs import FieldSpec


def format_name(name: str) -> str:
    """A name, in quotation marks where it is of several words or could be something else."""
    return name if needs_no_quotes(name) else quote_text(name)


def format_field_value(spec: FieldSpec, value: Any, game_names: GameNames) -> str:
    """A field's value, from its JSON."""
    kind = spec.kind.name
    if kind == "text":
        if spec.kind.minimum == 0:
            return quote_text(value)
        if spec.name in GAME_NAME_FIELDS:
            return value if game_names.needs_no_quotes(value) else quote_text(value)
        if spec.name == IRREGULARITY_KIND_FIELD and is_misspelled_kind(value):
            return quote_text(value)
        return format_name(value)
    write = _FORMATTERS.get(kind)
    return str(value) if write is None else write(value)


def _format_signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _format_counts(counts: dict[str, int]) -> str:
    if tuple(counts) == SEAT_NAMES and all(0 <= count < 10 for count in counts.values()):
        return "-".join(map(str, counts.values()))
    return " ".join(f"{SEAT_LETTER[seat]} {count}" for seat, count in counts.items()) or "none"


def _format_chips(chips: dict[str, int]) -> str:
    names_and_chips = [(SEAT_LETTER.get(name) or format_name(name), number) for name, number in chips.items()]
    return " ".join(f"{name} {_format_signed(number)}" for name, number in names_and_chips) or "none"


def _format_switches(switches: dict[str, bool | int | str]) -> str:
    return ", ".join(
        f"{format_name(name)} = {_format_switch_value(value)}" for name, value in switches.items()
    )


def _format_switch_value(value: bool | int | str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int) else format_name(value)


def _format_groups(groups: list[list[str]]) -> str:
    return ", ".join(" + ".join(map(format_name, group)) or "none" for group in groups)


_FORMATTERS: Final[dict[str, Callable[[Any], str]]] = {
    "names": lambda names: ", ".join(map(format_name, names)) or "none",
    "groups": _format_groups,
    "integers": lambda numbers: " ".join(map(str, numbers)) or "none",
    "flag": lambda flag: "yes" if flag else "no",
    "seq": lambda seq: f"@{seq}",
    "seqs": lambda seqs: " ".join(f"@{seq}" for seq in seqs),
    "cards": lambda cards: " ".join(cards) or "none",
    "seat": SEAT_LETTER.__getitem__,
    "seats": lambda seats: " ".join(SEAT_LETTER[seat] for seat in seats) or "none",
    "seat-counts": _format_counts,
    "chips-by-name": _format_chips,
    "switches": _format_switches,
}
"""Kinds that are not written as JSON has them."""

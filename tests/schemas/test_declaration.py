"""The declaration of events is walked as it stands, and refused loudly where it cannot be."""

from dataclasses import make_dataclass
from typing import Annotated, Any

import pytest

from engine.core.cards import Seat
from engine.core.events import Event
from engine.core.log import EVENT_TYPES
from engine.core.vocabulary import Kind, Name
from schemas.wire.declaration import EVENT_SPECS, TYPE_OF, DeclarationError, checked_specs, first_line


def test_fields_come_in_declared_order_with_their_kinds() -> None:
    seat, card, trick = EVENT_SPECS["card_played"]
    assert (seat.name, seat.kind.name, seat.required) == ("seat", "seat", True)
    assert (card.name, card.kind.name, card.required) == ("card", "card", True)
    assert (trick.name, trick.kind.name, trick.required, trick.default) == ("trick", "integer", False, None)
    assert (trick.kind.least, trick.kind.most) == (1, 1_000_000_000)


def test_every_event_is_there_under_its_type() -> None:
    assert EVENT_SPECS.keys() == EVENT_TYPES.keys()
    assert {TYPE_OF[declared] for declared in EVENT_TYPES.values()} == EVENT_TYPES.keys()
    assert all(first_line(declared).endswith((".", "points.")) for declared in EVENT_TYPES.values())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ([("seq", Name)], "belongs to the entry"),
        ([("type_", Name)], "belongs to the entry"),
        ([("colour", Annotated[str, Kind("colour")])], "no kind 'colour'"),
        ([("age", int)], "is of no kind"),
        ([("name", Name | None, "")], "None as its default"),
        ([("either", Name | Seat)], "choice of several types"),
    ],
    ids=lambda value: value[0][0] if isinstance(value, list) else "",
)
def test_a_declaration_that_cannot_go_on_the_wire_is_refused(fields: list[Any], reason: str) -> None:
    declared = make_dataclass("Declared", fields, bases=(Event,), frozen=True)
    with pytest.raises(DeclarationError, match=reason) as caught:
        checked_specs(declared)
    assert str(caught.value).startswith(f"Declared.{fields[0][0]}")

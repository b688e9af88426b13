"""The declaration of events is walked as it stands, and refused loudly where it cannot be."""

from dataclasses import dataclass
from typing import Annotated

import pytest

from engine.cards import Seat
from engine.events import Event
from engine.log import EVENT_TYPES
from engine.vocabulary import Kind, Name
from schemas.declaration import (
    EVENT_SPECS,
    TYPE_OF,
    DeclarationError,
    checked_specs,
    first_line,
)


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


@dataclass(frozen=True)
class SeqClaimed(Event):
    """Bears a name of the bookkeeping."""

    seat: Seat
    seq: Name


@dataclass(frozen=True)
class TypeStated(Event):
    """Bears the name that tells events apart."""

    type_: Name


@dataclass(frozen=True)
class ColourChosen(Event):
    """Of a kind that the wire does not know."""

    colour: Annotated[str, Kind("colour")]


@dataclass(frozen=True)
class AgeTold(Event):
    """Of no kind at all."""

    age: int


@dataclass(frozen=True)
class NameLeft(Event):
    """May be None, and is not None when nothing is said."""

    name: Name | None = ""


@dataclass(frozen=True)
class EitherGiven(Event):
    """Two kinds in one field."""

    either: Name | Seat


@pytest.mark.parametrize(
    ("event_class", "field", "reason"),
    [
        (SeqClaimed, "SeqClaimed.seq", "belongs to the entry"),
        (TypeStated, "TypeStated.type_", "belongs to the entry"),
        (ColourChosen, "ColourChosen.colour", "no kind 'colour'"),
        (AgeTold, "AgeTold.age", "is of no kind"),
        (NameLeft, "NameLeft.name", "None as its default"),
        (EitherGiven, "EitherGiven.either", "choice of several types"),
    ],
)
def test_a_declaration_that_cannot_go_on_the_wire_is_refused(
    event_class: type[Event], field: str, reason: str
) -> None:
    with pytest.raises(DeclarationError, match=reason) as caught:
        checked_specs(event_class)
    assert str(caught.value).startswith(field)

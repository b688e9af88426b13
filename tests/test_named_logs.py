"""Logs for people: members of the club are called by name, so that their text can still be read."""

import re

import pytest

from engine import Log, log_of
from engine.core.cards import SEATS
from engine.core.events import BidMade, DealOpened, DealSettled, NoteAdded
from engine.core.vocabulary import Players
from schemas.notation import read_logs, written_log
from schemas.wire.jsonlines import DealLog
from service.application.named_logs import named_log

EVA, FINN, GERDA = "m-aaaaaaaaaaaaaaaa", "m-bbbbbbbbbbbbbbbb", "m-cccccccccccccccc"


def of_members(third: str = GERDA) -> Log:
    return log_of(
        [
            DealOpened(players=Players(EVA, FINN, third), ruleset="dlu", dealer=third),
            BidMade(seat=SEATS[0], bid="solo"),
            NoteAdded(text=f"{EVA} might have passed, and ({FINN}) too."),
            DealSettled(payments=((EVA, 4), (FINN, -2), (third, -2))),
        ]
    )


def read_again(log: Log) -> Log:
    (found,) = read_logs([written_log(log).encode()], "-")
    assert isinstance(found, DealLog), found
    return found.log


@pytest.mark.parametrize(
    "name", ["Eva", "Eva Engel", "“Eva”", '"Eva"', "Eva: the 2nd", "F", "forehand", "Øvé {?}"]
)
def test_a_text_with_whatever_names_says_the_same_when_it_is_read(name: str) -> None:
    log = named_log(of_members(), {EVA: name, FINN: "Finn", GERDA: "Gerda"})
    assert read_again(log) == log
    assert "m-" not in written_log(log)
    opened, _, note, settled = (entry.event for entry in log)
    assert isinstance(opened, DealOpened)
    assert opened.players == Players(name, "Finn", "Gerda")
    assert isinstance(note, NoteAdded)
    assert note.text == f"{name} might have passed, and (Finn) too."
    assert isinstance(settled, DealSettled)
    assert dict(settled.payments) == {name: 4, "Finn": -2, "Gerda": -2}


@pytest.mark.parametrize(
    ("names", "third", "left"),
    [
        ({EVA: "Eva", FINN: "eva", GERDA: "Gerda"}, GERDA, {EVA, FINN}),
        ({EVA: "Eva", FINN: "Finn"}, "Eva", {EVA}),
        ({EVA: None, FINN: "Finn", GERDA: "Gerda"}, GERDA, {EVA}),
        ({}, GERDA, {EVA, FINN, GERDA}),
    ],
    ids=["two of one name", "a guest of that name", "forgotten", "of whom nothing is known"],
)
def test_who_could_be_taken_for_another_keeps_the_id(
    names: dict[str, str | None], third: str, left: set[str]
) -> None:
    log = named_log(of_members(third), names)
    assert set(re.findall(r"m-[a-z2-7]{16}", written_log(log))) == left
    assert read_again(log) == log


def test_a_note_without_room_for_a_name_stays_as_it_is() -> None:
    log = log_of([*(entry.event for entry in of_members()), NoteAdded(text=f"{EVA} {'x' * 19_981}")])
    last = named_log(log, {EVA: "E" * 100})[-1]
    assert last == log[-1]

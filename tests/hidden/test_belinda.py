"""Belinda's game: what Sir Anonym played unseen, and why the game as printed cannot be."""

import pytest

import replays
from engine import effective, fold_all
from engine.core.cards import BACKHAND, codes_in, read_card
from engine.core.events import CardPlayed
from engine.core.work_budget import Work
from engine.inference.answer import hidden_cards
from engine.inference.claims import claims_of
from engine.inference.conflict import conflict, contradicts
from engine.inference.deals import Count, how_many
from engine.inference.evidence import Evidence, evidence
from engine.inference.plays import MATTER_ONLY
from engine.play.history import History

SIXTH = 31
"""The entry of his card to trick 6."""


def history_of(name: str) -> History:
    replay = replays.find(name)
    assert replay is not None
    return effective(replay.log())


@pytest.fixture(scope="module", name="found")
def examined() -> Evidence:
    entries = history_of("belinda").entries
    return evidence(entries, fold_all(entries))


def test_what_his_card_to_trick_6_can_be(found: Evidence) -> None:
    (sixth,) = [one for one in hidden_cards(found, history_of("belinda").entries) if one.seq == SIXTH]
    assert set(codes_in(sixth.lawful)) == {"D6", "HJ", "H2", "H3", "H4", "H6"}
    assert set(codes_in(sixth.physical)) == {"CJ", "D6", "HJ", "H2", "H3", "H4", "H6"}
    assert found.lawful.decided


def test_the_orders_of_his_hidden_cards(found: Evidence) -> None:
    assert how_many(found, lawful=True) == Count(1080, 1080)
    assert how_many(found, lawful=False) == Count(5040, 5040)


def test_a_third_of_them_have_the_six_of_diamonds_at_trick_6() -> None:
    entries = tuple(
        entry._replace(event=CardPlayed(BACKHAND, read_card("D6"), 6)) if entry.seq == SIXTH else entry
        for entry in history_of("belinda").entries
    )
    assert how_many(evidence(entries, fold_all(entries)), lawful=True) == Count(360, 360)


def test_as_printed_it_cannot_be_and_every_entry_named_is_needed() -> None:
    entries = history_of("belinda-as-printed").entries
    claims = claims_of(entries, fold_all(entries))
    named = conflict(claims, MATTER_ONLY)
    assert named
    assert evidence(entries, fold_all(entries)).physical.agrees is False
    telling = {entry.seq for entry in entries}
    assert contradicts(claims.but(telling - set(named)), MATTER_ONLY, 300, Work())
    for seq in named:
        assert not contradicts(claims.but((telling - set(named)) | {seq}), MATTER_ONLY, 300, Work())

"""The laws of ``laws.py`` on some hundred inputs made by chance, and on inputs that grow."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.fuzz.inputs import HEADING, OPENED, seeds, spoilt
from tests.properties.fuzz.laws import READERS, hold
from tests.support.effort import examples

CHANCE = st.integers(0, 2**32 - 1).map(random.Random)


@settings(max_examples=examples(400))
@given(CHANCE)
def test_a_spoilt_log_is_read_or_reported(chance: random.Random) -> None:
    hold(spoilt(chance.choice(seeds("both")), chance, largest=4096))


@settings(max_examples=examples(100))
@given(st.text(st.sampled_from("FMBSHDCAKQJ0123456789?!@#.:,;()[]{}\"“” -=\\\n\t'ægiø\0\ufeff"), max_size=80))
def test_signs_by_chance_are_read_or_reported(text: str) -> None:
    hold(HEADING + text.encode(), READERS["notation"])


@settings(max_examples=examples(50))
@given(st.binary(max_size=200))
def test_bytes_by_chance_are_read_or_reported(data: bytes) -> None:
    hold(data)
    hold(HEADING + data)
    hold(OPENED + data)

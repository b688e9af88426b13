"""Secrets: their form, what tells them from other words, and what is kept of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.auth.tokens import SESSION, TOKEN, digest, is_secret, new_secret
from service.config.redaction import redact_log_entry

SCANNED_FOR = re.compile(r"spadille_[ts]_[0-9A-Za-z]{49}")
"""As a scanner of leaked secrets would be told."""


@pytest.mark.parametrize("prefix", [TOKEN, SESSION])
def test_a_secret_has_the_form_that_scanners_look_for(prefix: str) -> None:
    made = {new_secret(prefix) for _ in range(200)}
    assert len(made) == 200
    for secret in made:
        assert SCANNED_FOR.fullmatch(secret)
        assert is_secret(secret, prefix)
        assert not is_secret(secret, SESSION if prefix == TOKEN else TOKEN)


def test_all_256_bits_are_random() -> None:
    letters = [new_secret(TOKEN)[len(TOKEN) : len(TOKEN) + 43] for _ in range(2000)]
    for place in range(1, 43):
        assert len({one[place] for one in letters}) == 62, place
    # 62 to the power of 43 is more than 2 to the power of 256: the first letter is not every one.
    assert len({one[0] for one in letters}) > 3


@given(st.integers(11, 59), st.characters(categories=["Lu", "Ll", "Nd"]))
def test_a_slip_of_the_pen_is_seen_by_the_checksum(place: int, letter: str) -> None:
    secret = new_secret(TOKEN)
    changed = secret[:place] + letter + secret[place + 1 :]
    assert is_secret(changed, TOKEN) == (changed == secret)


def test_what_is_kept_is_a_digest() -> None:
    secret = new_secret(TOKEN)
    assert len(digest(secret)) == 32
    assert digest(secret) == digest(str(secret)) != digest(new_secret(TOKEN))


def test_an_entry_of_the_log_is_scrubbed_wherever_a_secret_stands() -> None:
    secret = new_secret(TOKEN)
    entry = {"event": f"no {secret}", "where": [secret, {"inner": (secret, 3)}], secret: 1, "count": 7}
    told = redact_log_entry(None, "error", {**entry, "more": {secret: "x"}})
    assert secret not in str(told)
    assert told["count"] == 7

"""Secrets: their form, what tells them from other words, and what is kept of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.auth.tokens import SESSION_PREFIX, TOKEN_PREFIX, generate_secret, has_secret_format, hash_secret
from service.config.redaction import redact_log_entry

SCANNED_FOR = re.compile(r"spadille_[ts]_[0-9A-Za-z]{49}")
"""As a scanner of leaked secrets would be told."""


@pytest.mark.parametrize("prefix", [TOKEN_PREFIX, SESSION_PREFIX])
def test_a_secret_has_the_form_that_scanners_look_for(prefix: str) -> None:
    made = {generate_secret(prefix) for _ in range(200)}
    assert len(made) == 200
    for secret in made:
        assert SCANNED_FOR.fullmatch(secret)
        assert has_secret_format(secret, prefix)
        assert not has_secret_format(secret, SESSION_PREFIX if prefix == TOKEN_PREFIX else TOKEN_PREFIX)


def test_all_256_bits_are_random() -> None:
    letters = [generate_secret(TOKEN_PREFIX)[len(TOKEN_PREFIX) : len(TOKEN_PREFIX) + 43] for _ in range(2000)]
    for place in range(1, 43):
        assert len({one[place] for one in letters}) == 62, place
    # 62 to the power of 43 is more than 2 to the power of 256: the first letter is not every one.
    assert len({one[0] for one in letters}) > 3


@given(st.integers(11, 59), st.characters(categories=["Lu", "Ll", "Nd"]))
def test_a_slip_of_the_pen_is_seen_by_the_checksum(place: int, letter: str) -> None:
    secret = generate_secret(TOKEN_PREFIX)
    changed = secret[:place] + letter + secret[place + 1 :]
    assert has_secret_format(changed, TOKEN_PREFIX) == (changed == secret)


def test_what_is_kept_is_a_digest() -> None:
    secret = generate_secret(TOKEN_PREFIX)
    assert len(hash_secret(secret)) == 32
    assert hash_secret(secret) == hash_secret(str(secret)) != hash_secret(generate_secret(TOKEN_PREFIX))


def test_an_entry_of_the_log_is_scrubbed_wherever_a_secret_stands() -> None:
    secret = generate_secret(TOKEN_PREFIX)
    entry = {"event": f"no {secret}", "where": [secret, {"inner": (secret, 3)}], secret: 1, "count": 7}
    told = redact_log_entry(None, "error", {**entry, "more": {secret: "x"}})
    assert secret not in str(told)
    assert told["count"] == 7

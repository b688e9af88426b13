"""Sentences that remember how they were made."""

import copy
import pickle
from collections.abc import Callable

import orjson
import pytest

from engine.core.message import Listed, Said, Term, said

SUITS = Listed((Term("suit", "H"), Term("suit", "S")), " or ")
SENTENCE = said(
    "{player} names {game}.", player="{Bo}", game=said("{game} in {suits}", game="solo", suits=SUITS)
)


def test_it_is_the_sentence_and_knows_its_parts() -> None:
    assert SENTENCE == "{Bo} names solo in H or S."
    assert type(str(SENTENCE)) is str
    assert orjson.loads(orjson.dumps([SENTENCE])) == ["{Bo} names solo in H or S."]
    assert SENTENCE.form == "{player} names {game}."
    assert SENTENCE.given["player"] == "{Bo}"


@pytest.mark.parametrize("again", [copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])
def test_it_comes_whole_through_to_another_process(again: Callable[[Said], Said]) -> None:
    text = again(SENTENCE)
    assert isinstance(text, Said)
    assert (text, text.form) == (SENTENCE, SENTENCE.form)
    game = text.given["game"]
    assert isinstance(game, Said)
    suits = game.given["suits"]
    assert isinstance(suits, Listed)
    assert suits.between == " or "
    assert [one.kind for one in suits.texts if isinstance(one, Term)] == ["suit", "suit"]


def test_what_is_given_is_no_form() -> None:
    assert said("{player} leads.", player="{player}") == "{player} leads."
    assert said("{chips:+d} and {word!r}", chips=3, word="solo") == "+3 and 'solo'"

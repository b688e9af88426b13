"""What a programmer meets first: help that fits a screen, and events that say which argument is wrong."""

import pydoc

import pytest

import engine
from engine.core.events import DealOpened, ResultRecorded


@pytest.mark.parametrize("name", ["audit", "fold_all", "initial_state"])
def test_help_fits_a_screen(name: str) -> None:
    assert len(pydoc.render_doc(getattr(engine, name))) < 4000


def test_an_event_names_the_argument_that_is_wrong() -> None:
    with pytest.raises(TypeError, match=r"ResultRecorded: declarer must be int or None .*'forehand'"):
        ResultRecorded("won", "forehand", "solo")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="ResultRecorded: tricks must be tuple"):
        ResultRecorded("won", tricks=[5, 3, 1])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="ResultRecorded: tricks must be pairs"):
        ResultRecorded("won", tricks=(5, 3, 1))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="ResultRecorded: outcome must be one of won, bete"):
        ResultRecorded("win")
    with pytest.raises(TypeError, match="CardPlayed: seat must be one of 0, 1, 2, not 7"):
        engine.CardPlayed(7, 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"CardPlayed: card must be 0 to \d+, not 99"):
        engine.CardPlayed(0, 99)  # type: ignore[arg-type]


def test_events_come_from_the_engine_itself() -> None:
    assert engine.DealOpened is DealOpened
    assert {one.__name__ for one in engine.core.events.DEAL_EVENTS} <= set(engine.__all__)

"""Random events at a table."""

from hypothesis import strategies as st

from engine.core import table_events
from engine.core.events import Event
from tests.support.engine.evenings import NAMES

NAME = st.sampled_from(NAMES)
CHIPS = st.integers(-30, 30)
AT_A_TABLE: st.SearchStrategy[Event] = st.one_of(
    st.builds(table_events.PlayerJoined, NAME, st.none() | st.integers(1, 7)),
    st.builds(table_events.PlayerLeft, NAME),
    st.builds(table_events.SeatsSet, st.lists(NAME, max_size=7).map(tuple), st.none() | NAME),
    st.builds(table_events.PaymentMade, NAME, NAME, CHIPS),
    st.builds(table_events.PenaltyGiven, NAME, st.integers(0, 3)),
    st.builds(table_events.DealStarted, st.sampled_from(["deal-1", "deal-2", "nowhere"]), st.integers(1, 4)),
    st.builds(table_events.TableClosed),
    st.builds(table_events.TableVoided, st.just("Opened twice.")),
)

"""A hand entered in the wrong place and corrected is shown to nobody who may not know it."""

from engine import PUBLIC, in_seat, log_of, view
from engine.cards import BACKHAND, FOREHAND, MIDDLEHAND, read_card
from engine.events import CorrectionMade, DealOpened, HandDealt
from engine.vocabulary import Players
from schemas.writer import entry_bytes

ANNAS_HAND = tuple(map(read_card, ["SA", "S2", "CA", "HK", "HQ", "HJ", "D7", "D6", "D5"]))
BOS_HAND = tuple(map(read_card, ["S7", "S6", "CK", "CQ", "CJ", "H2", "H3", "DK", "DQ"]))

LOG = log_of(
    [
        DealOpened("dlu", Players("Anna", "Bo", "Carl")),
        HandDealt(MIDDLEHAND, ANNAS_HAND),
        CorrectionMade(
            "Anna's hand", (2,), None, (HandDealt(FOREHAND, ANNAS_HAND), HandDealt(MIDDLEHAND, BOS_HAND))
        ),
    ]
)


def codes_seen(viewer):
    return [b"SA" in entry_bytes(entry) for entry in view(LOG, viewer)]


def test_the_replaced_entry_shows_its_cards_to_nobody():
    assert codes_seen(in_seat(MIDDLEHAND)) == [False, False, False]
    assert codes_seen(in_seat(BACKHAND)) == [False, False, False]
    assert codes_seen(PUBLIC) == [False, False, False]


def test_the_entry_that_stands_is_seen_by_its_own_hand():
    assert codes_seen(in_seat(FOREHAND)) == [False, False, True]
    assert b"CK" in entry_bytes(view(LOG, in_seat(MIDDLEHAND))[2])

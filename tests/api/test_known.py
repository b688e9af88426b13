"""What a viewer may know is decided by the whole record, also where an earlier part is asked about."""

from flask.testing import FlaskClient

from schemas.jsonlines import ENTRIES
from service.store import EventStore
from tests.support.api.recording import DEAL, OPENING, recorded_deal

ADDRESS = f"/api/v1/deals/{DEAL}"

HAND = ["SA", "S2", "CA", "HK", "HQ", "HJ", "D7", "D6", "D5"]


def hands(client: FlaskClient, **asked: object) -> dict[str, list[str]]:
    state = client.get(f"{ADDRESS}/state", query_string=asked).get_json()
    return {seat: hand["cards"] for seat, hand in state["hands"].items()}


def test_a_hand_entered_in_the_wrong_place_stays_hidden(client: FlaskClient, store: EventStore) -> None:
    wrong = {"type": "hand_dealt", "seat": "forehand", "cards": HAND}
    right = {"type": "hand_dealt", "seat": "middlehand", "cards": HAND}
    mended = {"type": "correction_made", "replaces": [2], "with": [right], "reason": "Bo's hand"}
    recorded_deal(store, [OPENING, wrong, mended])
    for known in (2, 3):
        assert hands(client, viewer="forehand", known=known)["forehand"] == []
    assert len(hands(client, viewer="all", known=2)["forehand"]) == 9


def test_a_closing_taken_back_shows_no_hand_again(client: FlaskClient, store: EventStore) -> None:
    dealt = {"type": "hand_dealt", "seat": "forehand", "cards": HAND}
    closed = {"type": "deal_closed", "payments": {}, "engine": "0"}
    mended = {"type": "correction_made", "replaces": [3], "with": [], "reason": "too early"}
    recorded_deal(store, [OPENING, dealt, closed, mended])
    for known in (3, 4):
        assert hands(client, viewer="public", known=known)["forehand"] == []


def test_an_address_that_takes_no_parameters_refuses_them(client: FlaskClient, store: EventStore) -> None:
    recorded_deal(store, [OPENING])
    for address in (ADDRESS, "/api/v1/rulesets", "/api/v1/replays/belinda"):
        answer = client.get(f"{address}?viewer=public")
        assert (answer.status_code, answer.get_json()["type"]) == (422, "/problems/invalid-parameter"), (
            address
        )


def test_a_deal_takes_so_many_entries_and_no_more(client: FlaskClient, store: EventStore) -> None:
    note = {"type": "note_added", "text": "on and on"}
    recorded_deal(store, [OPENING, *[note] * (ENTRIES - 1)])
    answer = client.post(f"{ADDRESS}/events", json=note, headers={"If-Match": "*"})
    assert (answer.status_code, answer.get_json()["type"]) == (413, "/problems/record-full")


def test_a_lost_answer_may_be_asked_for_again_where_a_deal_is_full(
    client: FlaskClient, store: EventStore
) -> None:
    note = {"type": "note_added", "text": "on and on"}
    recorded_deal(store, [OPENING, *[note] * (ENTRIES - 3)])
    last = [{**note, "id": f"018f5e2a-0000-7000-8000-{n:012d}"} for n in range(3)]
    for status in (201, 200):
        answer = client.post(f"{ADDRESS}/events", json=last[:2], headers={"If-Match": "*"})
        assert answer.status_code == status
    assert client.post(f"{ADDRESS}/events", json=last, headers={"If-Match": "*"}).status_code == 413
    assert store.version(DEAL) == ENTRIES

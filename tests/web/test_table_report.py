"""The report on a table as a page: what a director reads of an evening and signs, for who may know it."""

import re
import threading
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

from service.app import create_app
from service.auth.grants import Scope, Terms
from service.eventstore import MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import TABLE, recorded_table
from tests.support.api.table_audit import revoke_that_only_the_hand_shows, stored, with_errors
from tests.support.web.club import Club, ready
from tests.support.web.eyes import in_order
from tests.support.web.report import plain

API = "/api/v1"
HERE = f"/tables/{TABLE}/report"


def shown(client: FlaskClient, lang: str = "en", path: str = HERE) -> str:
    answer = client.get(f"{path}?lang={lang}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.text


@pytest.fixture(scope="module")
def director() -> FlaskClient:
    made, _ = with_errors("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card")
    return owner_of(stored(made))


def test_each_fault_stands_at_its_deal_and_entry_as_the_api_tells_it(director: FlaskClient) -> None:
    told, said = director.get(f"{API}/tables/{TABLE}/audit").get_json(), plain(shown(director))
    assert len(told["faults"]) == 4
    places = re.findall(r"Deal (\d+) , entry (\S+) ", said.partition("The settlements")[0])
    assert places == [(str(one["number"]), str(one["seq"])) for one in told["faults"]]
    found = said.partition("The settlements")[0]
    for one in told["faults"]:
        assert f"{one['severity']} · {one['code'].replace('_', ' ')} · {one['rule']}" in found
    assert f"Deal {told['first']['number']} is the first to part from the rules:" in said
    assert found.count("Proposed correction of entry") == sum(
        len(one["corrections"]) for one in told["faults"]
    )


@pytest.mark.parametrize(("lang", "says"), [("en", "Report on a table"), ("da", "Rapport om et bord")])
def test_the_heading_says_who_when_and_by_which_rules(lang: str, says: str) -> None:
    store = MemoryStore()
    table = recorded_table(
        store, TABLE, title="Torsdag", recorded_at="2019-03-07T19:00:00Z", switches={"sitter-pays": True}
    )
    said = plain(shown(owner_of(create_app(store)), lang, f"/tables/{table}/report"))
    assert f"{says} Torsdag" in said
    assert {"en": "7 March 2019", "da": "7. marts 2019"}[lang] in said
    assert "(DLU), dlu/" in said
    assert "sitter-pays: true" in said
    assert {"en": "No deal was started.", "da": "Intet spil er begyndt."}[lang] in said


def test_members_are_called_by_name_and_who_was_forgotten_by_none() -> None:
    owner = owner_of(create_app(MemoryStore()))
    names = ("Eva Engel", "Finn Friis", "Gerda Gram")
    members = [owner.post(f"{API}/members", json={"name": one}).get_json()["id"] for one in names]
    table = owner.post(f"{API}/tables", json={"ruleset": "dlu", "players": members}).get_json()["table"]
    begun = owner.post(f"{API}/tables/{table}/deals", json={}, headers={"If-Match": '"1"'}).get_json()
    result = {"type": "result_recorded", "declarer": "forehand", "contract": "solo", "outcome": "won"}
    paid = {"type": "deal_settled", "payments": {members[0]: 9, members[1]: -4, members[2]: -5}}
    sent = owner.post(f"{API}/deals/{begun['deal']}/events", json=[result, paid], headers={"If-Match": '"1"'})
    assert sent.status_code == 201, sent.text
    path = f"/tables/{table}/report"
    said = plain(shown(owner, path=path))
    assert "Players Eva, Finn, Gerda" in said
    assert "Paid: Eva +9 instead of" in said
    assert owner.delete(f"{API}/members/{members[0]}").status_code in (200, 204)
    html = shown(owner, path=path)
    assert "Eva" not in html
    assert [one for one in members if one in plain(html)] == []


# --- Who may know it ----------------------------------------------------------------------------------


def test_what_only_a_hidden_hand_shows_is_told_to_nobody_who_may_not_know_it() -> None:
    made = revoke_that_only_the_hand_shows()
    app = stored(made, closed=False)
    whole = shown(owner_of(app))
    assert "revoke" in plain(whole)
    viewer = holding(app, Terms("viewer", Scope("table", TABLE)))
    seen = shown(viewer)
    assert "· revoke ·" not in plain(seen)
    assert "9. Revoke" not in plain(seen)
    assert told_of(viewer) == re.findall(r"Deal (\d+) , entry (\S+) ", plain(seen))


def told_of(client: FlaskClient) -> list[tuple[str, str]]:
    """The faults that the API tells, by deal and entry."""
    faults = client.get(f"{API}/tables/{TABLE}/audit").get_json()["faults"]
    return [(str(one["number"]), str(one["seq"])) for one in faults if one["deal"] is not None]


def test_no_card_of_a_hand_that_nobody_saw_leaves() -> None:
    """A card of a hidden hand is written wrongly: whoever may not know the hand reads nothing of it."""
    app = stored(with_errors("swapped_card")[0], closed=False)
    assert "misprint likely" in plain(shown(owner_of(app)))
    viewer = holding(app, Terms("viewer", Scope("table", TABLE)))
    seen = plain(shown(viewer))
    assert "misprint likely" not in seen
    assert "is dealt" not in seen
    assert told_of(viewer) == re.findall(r"Deal (\d+) , entry (\S+) ", seen)


# --- In a browser -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def evening() -> Iterator[Club]:
    """A club that has an evening with every kind of error in it."""
    kinds = ("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card", "doubled_deal")
    app = stored(with_errors(*kinds, count=16)[0])
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Club(app, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()


@pytest.mark.parametrize("lang", ["da", "en"])
def test_the_report_is_in_order_for_every_eye(page: Page, evening: Club, lang: str) -> None:
    evening.enter(page, f"{HERE}?lang={lang}")
    expect(page.locator(".report-matter")).to_have_count(5)
    in_order(page)


def test_it_is_printed_on_a4_without_the_frame(page: Page, evening: Club) -> None:
    evening.enter(page, f"{HERE}?lang=da")
    page.emulate_media(media="print")
    for hidden in (".report-ways", ".site", ".site-end"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator(".report-sign-lines p")).to_have_count(3)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    sheet = page.pdf(prefer_css_page_size=True, format="A4")
    assert 1 <= len(re.findall(rb"/Type /Page\b", sheet)) <= 3


@pytest.mark.smoke
def test_a_quiet_link_leads_from_the_score_sheet_and_back(page: Page, club: Club) -> None:
    table = club.table(title="Torsdag")
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    club.enter(page, f"/tables/{table}/sheet?lang=en")
    page.get_by_role("link", name="Report on the table").click()
    expect(page.locator("h1")).to_have_text("Torsdag")
    expect(page.locator(".report-deals li")).to_contain_text("Solo in hearts: Anna won.")
    page.get_by_role("link", name="To the score sheet").click()
    ready(page)
    page.wait_for_url("**/sheet?lang=en")

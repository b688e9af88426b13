"""The report on a table as a page: what a director reads of an evening and signs, for who may know it."""

import re
from collections.abc import Callable, Iterator

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from service.app import create_app
from service.auth.grants import Scope, Terms
from service.eventstore import MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import TABLE, recorded_table
from tests.support.api.table_audit import revoke_that_only_the_hand_shows, stored, with_errors
from tests.support.web.club import Club, arrived
from tests.support.web.eyes import fits_a_narrow_phone, in_order, sheets
from tests.support.web.report import plain
from tests.support.web.serving import serving
from tests.tables.evenings import Evening

API = "/api/v1"
HERE = f"/tables/{TABLE}/report"
PLACES = re.compile(r"Deal (\d+) , entry (\S+) ")
"""Where a report says that something is wrong."""


def shown(client: FlaskClient, lang: str = "en", path: str = HERE) -> str:
    answer = client.get(f"{path}?lang={lang}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.text


def test_each_fault_stands_at_its_deal_and_entry_as_the_api_tells_it() -> None:
    made, _ = with_errors("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card")
    director = owner_of(stored(made))
    told, said = director.get(f"{API}/tables/{TABLE}/audit").get_json(), plain(shown(director))
    assert len(told["faults"]) == 4
    found = said.partition("The settlements")[0]
    assert PLACES.findall(found) == [(str(one["number"]), str(one["seq"])) for one in told["faults"]]
    for one in told["faults"]:
        assert f"{one['severity']} · {one['code'].replace('_', ' ')} · {one['rule']}" in found
    assert f"Deal {told['first']['number']} is the first to part from the rules:" in said
    assert found.count("Proposed correction of entry") == sum(
        len(one["corrections"]) for one in told["faults"]
    )


def test_the_heading_says_who_when_and_by_which_rules() -> None:
    store = MemoryStore()
    opened = {"title": "Torsdag", "recorded_at": "2019-03-07T19:00:00Z", "switches": {"sitter-pays": True}}
    path = f"/tables/{recorded_table(store, TABLE, **opened)}/report"
    owner = owner_of(create_app(store))
    for lang, lines in {
        "en": ("Report on a table Torsdag", "7 March 2019", "No deal was started."),
        "da": ("Rapport om et bord Torsdag", "7. marts 2019", "Intet spil er begyndt."),
    }.items():
        said = plain(shown(owner, lang, path))
        for line in (*lines, "(DLU), dlu/", "sitter-pays: true"):
            assert line in said


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


def told_of(client: FlaskClient) -> list[tuple[str, str]]:
    faults = client.get(f"{API}/tables/{TABLE}/audit").get_json()["faults"]
    return [(str(one["number"]), str(one["seq"])) for one in faults if one["deal"] is not None]


@pytest.mark.parametrize(
    ("made", "secrets"),
    [
        (revoke_that_only_the_hand_shows, ["· revoke ·", "9. Revoke"]),
        (lambda: with_errors("swapped_card")[0], ["misprint likely", "is dealt"]),
    ],
    ids=["a revoke that only the hand shows", "a card of a hidden hand that is written wrongly"],
)
def test_what_a_hidden_hand_shows_is_told_to_nobody_who_may_not_know_it(
    made: Callable[[], Evening], secrets: list[str]
) -> None:
    app = stored(made(), closed=False)
    assert secrets[0] in plain(shown(owner_of(app)))
    viewer = holding(app, Terms("viewer", Scope("table", TABLE)))
    seen = plain(shown(viewer))
    assert [one for one in secrets if one in seen] == []
    assert told_of(viewer) == PLACES.findall(seen)


# --- In a browser -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def evening() -> Iterator[Club]:
    """A club that has an evening with every kind of error in it."""
    kinds = ("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card", "doubled_deal")
    app = stored(with_errors(*kinds, count=16)[0])
    with serving(app) as origin:
        yield Club(app, origin)


def test_the_report_is_in_order_for_every_eye_and_on_paper(page: Page, evening: Club) -> None:
    evening.enter(page, f"{HERE}?lang=en")
    expect(page.locator(".report-matter")).to_have_count(5)
    fits_a_narrow_phone(page)
    evening.go(page, f"{HERE}?lang=da")
    in_order(page)
    page.emulate_media(media="print", color_scheme="light")
    for hidden in (".report-ways", ".site", ".site-end"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator(".report-sign-lines p")).to_have_count(3)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert 1 <= sheets(page, prefer_css_page_size=True, format="A4") <= 3


@pytest.mark.smoke
def test_a_quiet_link_leads_from_the_score_sheet_and_back(page: Page, club: Club) -> None:
    table = club.table(title="Torsdag")
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    club.enter(page, f"/tables/{table}/sheet?lang=en")
    page.get_by_role("link", name="Report on the table").click()
    expect(page.locator("h1")).to_have_text("Torsdag")
    expect(page.locator(".report-deals li")).to_contain_text("Solo in hearts: Anna won.")
    page.get_by_role("link", name="To the score sheet").click()
    arrived(page, "**/sheet?lang=en")

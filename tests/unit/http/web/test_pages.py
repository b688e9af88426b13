"""The pages over HTTP: what they list, in which language, at which address; the API's documentation."""

import re
from html import unescape

import orjson
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

import replays
from docs.pictures.every import NOT_DRAWN, every_page
from docs.pictures.take import Shown
from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.eventstore import MemoryStore
from service.http.web.pages import RECORDS_PER_PAGE
from service.http.web.views.library import MAX_LISTED_DEALS as LISTED_IN_LIBRARY
from service.http.web.views.table import format_data_attribute
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import DEAL, OPENING, PLAYERS, recorded_deal, recorded_table, some_deal
from tests.support.effort import examples
from tests.support.engine.shorthand import slip
from tests.support.web.club import Club
from tests.support.web.eyes import Watch
from tests.support.web.showing import BELINDA

ID = "018f5e2a-7b1c-7d3e-9f40-{:012}"


def text(client: FlaskClient, path: str, languages: str = "", status: int = 200) -> str:
    answer = client.get(path, headers={"Accept": "text/html", "Accept-Language": languages or "en"})
    assert answer.status_code == status
    return unescape(answer.get_data(as_text=True))


def test_the_library_lists_its_deals_and_is_searched_by_a_form(library: FlaskClient) -> None:
    page = text(library, "/library")
    for deal in replays.list_library():
        assert deal.title in page
        assert f'href="/replays/{deal.name}"' in page
    assert "Belinda won" in page
    page = text(library, "/library?lang=da&player=&contract=solo&outcome=codille&ruleset=dlu")
    assert re.findall(r'class="contents-title" href="([^"?]*)', page) == ["/replays/dlu-solo-codille"]
    assert "Ét spil" in page
    (chosen,) = re.findall(r'<a href="([^"]*)" aria-current="true">kruk <span class="muted">1<', page)
    assert "outcome" not in chosen and "contract=solo" in chosen
    assert '<input type="hidden" name="lang" value="da">' in page
    page = text(library, "/library?lang=da&player=nobody&contract=solo&ruleset=dlu")
    # Without the game or the rules there is nothing either.
    (less,) = re.findall(r'<li><a href="([^"]*)">Søg uden', page)
    assert "Spiller: nobody" in page and "Melding: solo" in page and "player" not in less
    assert 'class="contents-title"' in text(library, unescape(less))
    assert text(library, "/library?lang=en&card=SA").count('class="contents-title"') == LISTED_IN_LIBRARY
    assert text(library, "/library?player=&card=").count('class="contents-title"') == len(
        replays.list_library()
    )


def test_a_newcomer_finds_the_game_its_terms_and_examples_from_every_page(library: FlaskClient) -> None:
    assert 'href="/game?lang=da"' in text(library, "/replays/belinda?lang=da")
    game = text(library, "/game?lang=da")
    terms = re.findall(r"<dt>(.*?)</dt>", game)
    assert {"Forhånd", "Kruk", "Manille"} <= set(terms) and terms == sorted(terms)
    linked = re.findall(r"^ +(\w+): t\(", text(library, "/static/js/messages/glossary.js"), re.M)
    assert len(linked) > 10 and set(linked) <= set(re.findall(r'<div id="(\w+)"', game))
    first = text(library.application.test_client(), "/?lang=da")
    (drawing,) = re.findall(r'<img src="(\S+)"[^>]* alt="Et spil midt i det hele', first)
    assert drawing in game and library.get(drawing).content_type == "image/svg+xml"
    page = text(library, "/examples?lang=da")
    assert "Engelsk l'hombre" in page
    assert page.count("<li>") == len(replays.list_examples())
    assert 'href="/replays/ombre-surrender-forbidden-won?lang=da"' in page


def test_a_page_that_shows_less_without_a_login_says_whom_to_ask_and_how_the_owner_logs_in(
    library: FlaskClient,
) -> None:
    anonymous = library.application.test_client()
    hint = "Are you the owner? spadille serve prints a link that logs you in."
    for path in ("/tables", "/deals", "/seasons", "/seasons/all"):
        page = text(anonymous, path)
        assert hint in page and "ask the person who runs Spadille in your club" in page, path
    assert hint in text(anonymous, "/tables/new", status=401)
    assert hint not in text(anonymous, "/library") and hint not in text(library, "/tables")


def test_the_first_page_leads_a_visitor_in_and_a_club_to_its_table() -> None:
    app = create_app(MemoryStore())
    club = Club(app, "http://localhost")
    visitor = text(app.test_client(), "/?lang=en")
    for way in ("/tables?lang=en", "/library?lang=en", "/rules?lang=en", "/replays/belinda?lang=en"):
        assert f'href="{way}"' in visitor
    assert app.test_client().get("/?player=Bo").headers["Location"] == "/library?player=Bo"
    assert "Open a table" in text(club.owner, "/?lang=en")
    table = club.table(players=("Anna", "Bo", "Carl"))
    assert f'class="home-table" href="/tables/{table}?lang=en"' in text(club.owner, "/?lang=en")
    club.deal(table, declarer="forehand", contract="solo", trump="H", outcome="won")
    club.post(f"/tables/{table}/events", {"type": "table_closed"}, club.get(f"/tables/{table}")["version"])
    page = text(club.owner, "/?lang=en")
    assert "The same company again" in page and "Anna, Bo, Carl" in page
    listed = text(club.owner, "/deals?lang=en")
    assert listed.index(f'href="/tables/{table}/sheet?lang=en"') < listed.index("Solo in hearts: Anna won")
    figures = re.findall(r'<tr><th scope="row">(.*?)</th><td>(.*?)</td>', page)
    assert figures[0] == ("Anna", "+6") and ("1. Anna", "+6") in figures


def test_deals_stand_once_under_each_evening_which_is_named_as_in_the_list_of_tables() -> None:
    club = Club(create_app(MemoryStore()), "http://localhost")
    named, unnamed = club.table(title="Thursday"), club.table(players=("Anna", "Bo", "Carl"))
    for table in (named, unnamed, named):
        club.deal(table, outcome="passed_out")
    for path, pattern in (
        ("/deals", '<h2.*?<a href="[^"]*">(.*?)<'),
        ("/tables", 'contents-title".*?>(.*?)<'),
    ):
        assert sorted(re.findall(pattern, text(club.owner, path))) == ["Anna, Bo, Carl", "Thursday"], path


def test_a_link_to_a_deal_of_the_library_has_its_picture(library: FlaskClient) -> None:
    page = text(library, "/replays/belinda?lang=da")
    (address,) = re.findall(r'<meta property="og:image" content="http://localhost(/[^"]*)">', page)
    picture = library.get(address)
    assert (picture.status_code, picture.content_type) == (200, "image/png")
    assert '<meta property="og:title" content="Belinda’s game">' in page


def test_a_column_is_as_a_seat_may_know_it(library: FlaskClient) -> None:
    assert "/replays/belinda/replay?viewer=public" in text(library, f"{BELINDA}/print?viewer=public")
    text(library, f"{BELINDA}/print?viewer=dealer", status=422)


def test_a_recorded_deal_is_listed_and_replayed() -> None:
    """Also by rules that nobody knows; what a player is called is never markup."""
    name = '<script>alert("1")</script>'
    spiteful = {**OPENING, "players": {**PLAYERS, "forehand": name}, "title": name, "source": name}
    store, some = MemoryStore(), map(some_deal, range(examples(6, 2)))
    recorded_deal(
        store, [{**OPENING, "title": "The second of the evening"}, slip("M", "solo", "3-4-2", trump="H")]
    )
    for number, deal in enumerate(([spiteful], [{**OPENING, "ruleset": "nobody-knows"}], *some)):
        recorded_deal(store, deal, ID.format(number))
    client = owner_of(create_app(store))
    page = text(client, "/deals")
    for said in ("The second of the evening", "Solo in hearts: Bo won", "Anna · Bo · Carl", "nobody-knows"):
        assert said in page
    assert f'data-replay="/api/v1/deals/{DEAL}/replay"' in text(client, f"/deals/{DEAL}")
    listed = set(re.findall(r'href="(/deals/0[^"?]*)', page))
    assert len(listed) == examples(6, 2) + 3
    for path in (*listed, "/deals", f"/problems/{name}", f"/replays/{name}"):
        answer = client.get(path, headers={"Accept": "text/html"})
        assert answer.status_code == (200 if path.startswith("/deals") else 404)
        assert b"<script>alert" not in answer.data


def test_old_deals_stand_under_their_own_date_and_source() -> None:
    store = MemoryStore()
    openings = {
        "Book": {"source": "The Game of Ombre", "date": "1766-05"}, "Printed": {"basis": "printed"},
        "Letter": {"date": "1688"}, "Evening": {},
    }  # fmt: skip
    for number, (title, more) in enumerate(openings.items()):
        recorded_deal(store, [{**OPENING, "title": title, **more}], ID.format(number))
    client = owner_of(create_app(store))
    for number, title in enumerate(openings):
        terms = {"role": "viewer", "deal": ID.format(number), "public": True, "title": title}
        assert client.post("/api/v1/grants", json=terms).status_code == 201
    evenings, books = text(client, "/library").split("From books and papers")
    assert "From the club’s evenings" in evenings
    assert re.findall('contents-title" href="/deals/.*?>(.*?)<', evenings) == ["Evening"]
    assert re.findall('contents-title" href="/deals/.*?>(.*?)<', books) == ["Letter", "Book", "Printed"]
    assert re.findall('contents-source">(.*?)<', books)[-2:] == ["1688", "The Game of Ombre, May 1766"]
    listed = text(client, "/deals")
    assert "The Game of Ombre, May 1766" in listed and ">1688<" in listed
    assert listed.count("contents-source") == 3, "a printed deal without a date is not one of today"


def test_other_readings_of_a_recorded_deal_are_those_of_its_title_and_players() -> None:
    belinda = replays.find_library_deal("belinda")
    assert belinda is not None
    first, *others = [orjson.loads(line) for line in belinda.jsonl.splitlines()]
    store = MemoryStore()
    titles = ("Belinda’s game, my reading", "Belinda's game", "Belinda’s game at the club")
    for number, title in enumerate(titles):
        recorded_deal(store, [{**first, "title": title}, *others], ID.format(number))
    recorded_deal(store, [{**OPENING, "title": "Belinda’s game"}], ID.format(3))
    client, mine, other = owner_of(create_app(store)), f"/deals/{ID.format(0)}", ID.format(1)
    links = re.findall('"(/deals/[^"]*/readings/[^"]*)"', text(client, mine))
    library = ["belinda", "belinda-as-printed", "belinda-second-reading"]
    assert links == [f"{mine}/readings/{name}" for name in (*library, other)]
    assert f'"/replays/belinda/readings/{other}"' in text(client, "/replays/belinda")
    page = text(client, f"{mine}/readings/belinda-as-printed?lang=da")
    assert "To læsemåder" in page and f'href="{mine}?lang=da#at=' in page
    assert f'href="/replays/belinda-as-printed/readings/{other}?lang=da"' in page
    assert "They say the same of every card." in text(client, f"/replays/belinda/readings/{other}")
    text(client, f"{mine}/readings/{ID.format(2)}", status=404)
    assert "my reading" not in text(create_app(store).test_client(), "/replays/belinda")


def test_deals_and_tables_come_with_the_latest_first_a_page_at_a_time() -> None:
    store = MemoryStore()
    for number in range(RECORDS_PER_PAGE + 2):
        recorded_table(store, ID.format(number), title=f"Number {number}.")
        recorded_deal(store, [{**OPENING, "title": f"Number {number}."}], ID.format(1000 + number))
    client = owner_of(create_app(store))
    for path in ("/deals?lang=da", "/tables?lang=da"):
        first = text(client, path)
        latest = [f"Number {number}." for number in range(RECORDS_PER_PAGE + 1, 1, -1)]
        assert re.findall(r"Number \d+\.", first) == latest
        (older,) = re.findall(r'href="([^"]+)" rel="next"', first)
        assert "lang=da" in older
        rest = text(client, older)
        assert re.findall(r"Number \d+\.", rest) == ["Number 1.", "Number 0."]
        assert 'rel="next"' not in rest


def test_where_nothing_is_recorded_the_page_says_what_to_do(library: FlaskClient) -> None:
    """Who may record finds the ways there; who may not reads where deals come from."""
    reader = holding(library.application, GrantTerms("viewer"))
    for path, begin, wait in (
        ("/deals", "Open a table, and its deals appear here", "shared with you"),
        ("/tables", "Open one when you sit down", "can share it with you"),
    ):
        page = text(library, path, "en")
        assert begin in page
        assert 'href="/tables/new"' in page
        assert 'href="/deals/new"' in page
        page = text(reader, path, "en")
        assert wait in page
        assert "/new" not in page


@pytest.mark.parametrize(("query", "languages", "expected"), [
    ("", "", "en"), ("", "da", "da"), ("", "da-DK,da;q=0.9,en;q=0.5", "da"), ("", "de, en;q=0.4", "en"),
    ("", "sv", "en"), ("?lang=da", "en", "da"), ("?lang=en", "da", "en"), ("?lang=tlh", "da", "da"),
])  # fmt: skip
def test_the_language_of_a_page(library: FlaskClient, query: str, languages: str, expected: str) -> None:
    for path in ("/deals", "/replays/belinda"):
        answer = library.get(path + query, headers={"Accept-Language": languages})
        assert f'<html lang="{expected}"' in answer.get_data(as_text=True)
        assert answer.headers["Content-Language"] == expected
        assert "Accept-Language" in answer.headers["Vary"]


def test_a_link_to_one_table_shows_that_one_and_comes_with_its_code() -> None:
    store = MemoryStore()
    one, other = (recorded_table(store, ID.format(n), title=f"Table {n}.") for n in (1, 2))
    app = create_app(store)
    viewer = holding(app, GrantTerms("viewer", Scope("table", one)))
    listed = text(viewer, "/tables")
    assert "Table 1." in listed
    assert "Table 2." not in listed
    assert "/tables/new" not in listed
    for path in (f"/tables/{one}", f"/tables/{one}/sheet"):
        page = text(viewer, path)
        assert "data-may-write" not in page
        assert "data-may-share" not in page
    for path in (f"/tables/{other}", f"/tables/{other}/sheet"):
        text(viewer, path, status=404)
    text(viewer, "/tables/new", status=403)
    page = text(holding(app, GrantTerms("recorder", Scope("table", one))), f"/tables/{one}")
    assert "data-may-write" in page
    assert "data-may-share" not in page

    owner, terms = owner_of(app), {"role": "viewer", "table": one}
    made = owner.post("/api/v1/grants", json=terms).get_json()
    assert made["link"].endswith(f"&to=/tables/{one}")
    assert made["qr"].startswith('<svg xmlns="http://www.w3.org/2000/svg" viewBox=')
    assert made["token"] not in made["qr"]
    assert owner.post("/api/v1/grants", json={**terms, "public": True}).get_json()["qr"] is None


def test_a_page_of_records_is_never_cached_and_offers_what_the_table_plays() -> None:
    store = MemoryStore()
    table = recorded_table(store, ID.format(1), switches={"sitter-pays": True})
    answer = owner_of(create_app(store)).get(f"/tables/{table}?lang=da")
    assert answer.headers["Cache-Control"] == "no-store"
    (rules,) = re.findall(r"data-rules='([^']*)'", answer.get_data(as_text=True))
    offered = orjson.loads(unescape(rules))
    assert {one["name"] for one in offered["contracts"]} >= {"solo", "ren nolo", "bedre spil"}


def test_what_a_module_is_told_never_leaves_its_attribute() -> None:
    told = {"name": 'O\'Hara & <b> "x" &#39; > &amp;', "æ": None}
    before, inside, after = format_data_attribute("rules", told).split("'")
    assert (before, after) == ("data-rules=", "")
    assert not set(inside) & set("<>")
    assert orjson.loads(unescape(inside)) == told


def test_every_page_has_its_screenshots_so_that_somebody_looks_at_it() -> None:
    app = create_app()
    club = Club(app, "http://localhost")
    there = Shown(club, "/deals/x", "/seasons/all", f"/tables/{club.table()}")
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if rule.endpoint.startswith("web.")}
    assert {f"web.{name}" for name in every_page(there)} == pages - {f"web.{name}" for name in NOT_DRAWN}
    assert every_page(there)["replay"] == BELINDA


def test_the_api_is_documented_from_its_contract(page: Page, origin: str) -> None:
    watch = Watch(page)
    page.goto(origin)
    page.get_by_role("link", name="The API").click()
    reference = page.locator("openapi-explorer")
    expect(reference.get_by_text("Records and ids.")).to_be_visible(timeout=30_000)
    expect(page).to_have_url(re.compile("route=overview"))  # it puts that there when it is ready
    page.goto(f"{origin}/api/docs#?route=get-/api/v1/deals/-deal-/score")
    expect(reference.get_by_text("While it is undecided, what each possible outcome")).to_be_visible()
    assert (watch.complaints, watch.hosts) == ([], {origin})
    assert "style-src 'unsafe-inline'" not in page.request.get(origin).headers["content-security-policy"]


def test_a_drawing_stands_alone_in_a_browser_under_our_policy(page: Page, origin: str) -> None:
    """It needs nothing that the policy forbids; whatever font is there, texts keep to their places."""
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    for query in ("", "?at=26&width=320&lang=da&theme=dark"):
        page.goto(f"{origin}/api/v1/replays/belinda/state.svg{query}")
        wide = page.evaluate("document.documentElement.viewBox.baseVal.width")
        boxes = page.evaluate(
            """Array.from(document.querySelectorAll("text:not(symbol *)"), (text) => {
                const {x, width} = text.getBBox();
                return [x, x + width, Number(text.getAttribute("textLength"))];
            })"""
        )
        assert len(boxes) > 7
        assert all(begins >= 0 and ends <= wide for begins, ends, _ in boxes)
        assert all(abs(ends - begins - told) < 3 for begins, ends, told in boxes if told)
    assert complaints == []

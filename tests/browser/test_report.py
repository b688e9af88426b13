"""The reports on a deal and on a table as pages: what is read, signed, and entered below."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import BrowserContext, Locator, Page, expect

from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.eventstore import MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.support.api.recording import TABLE, recorded_table
from tests.support.api.table_audit import revoke_that_only_the_hand_shows, stored, with_errors
from tests.support.cli.deals import run
from tests.support.engine.shorthand import settled, slip
from tests.support.tables.evenings import Evening
from tests.support.web.club import Club, arrived
from tests.support.web.evening import club_deal
from tests.support.web.eyes import Watch, in_order, sheets
from tests.support.web.network import lose_first_answer
from tests.support.web.report import plain, post_club_deal
from tests.support.web.serving import serving
from tests.support.web.showing import BELINDA, CLUB, PRINTED, bare_events_of, unfolded, visit

API = "/api/v1"
PROOFS = Path(__file__).parents[1] / "golden" / "proofs"
RULING = {
    "type": "ruling_made", "text": "Revoke.", "outcome": "won", "at_fault": "backhand",
    "payments": {"forehand": -1, "middlehand": 4, "backhand": -3}, "penalty": {"backhand": 2},
}  # fmt: skip


@pytest.fixture(scope="module")
def owner() -> FlaskClient:
    return owner_of(create_app(MemoryStore()))


def reported(client: FlaskClient, deal: str, lang: str = "en", more: str = "") -> str:
    answer = client.get(f"/deals/{deal}/report?lang={lang}{more}")
    assert answer.status_code == 200, answer.text
    return answer.text


def test_a_revoke_is_set_out_with_its_clauses_and_its_position(owner: FlaskClient) -> None:
    html = reported(owner, post_club_deal(owner))
    said = plain(html)
    assert "Matter 1: entry 24" in said
    assert "At trick 4 Bo led seven of hearts 7 ; Carl-Christian played three of spades 3 ." in said
    assert "error · revoke · 5. Play (clauses 5.1–5.3); 9. Revoke (clause 9.1)" in said
    matter = html[html.index('id="matter-1"') : html.index('class="report-corrections"')]
    assert 'class="letter is-played is-known-later">3<' in matter
    assert "Possible then: Carl-Christian to play" in plain(f"<main{matter}")
    assert re.search(r'<sup><a href="#matter-1">1</a></sup>', html)


def test_corrections_and_rulings_say_who_when_and_what_stood_there(owner: FlaskClient) -> None:
    deal = post_club_deal(owner)
    recorder = holding(owner.application, GrantTerms("recorder", Scope("deal", deal), label="Dorthe’s phone"))
    version = owner.get(f"{API}/deals/{deal}").get_json()["version"]
    sent = recorder.post(f"{API}/deals/{deal}/events", json=RULING, headers={"If-Match": f'"{version}"'})
    assert sent.status_code == 201, sent.text
    said = plain(reported(owner, deal))
    for line in (
        "Before Carl-Christian plays the five of hearts.",
        "Now Carl-Christian plays the four of hearts.",
        "Entry 36 Revoke.",
        "by Dorthe’s phone",
        "Outcome won At fault Carl-Christian Payments Anna −1, Bo +4, Carl-Christian −3",
        "Penalty points Carl-Christian 2",
        "as the director ruled",
    ):
        assert line in said
    assert "with the link …" not in said and "by the owner" in said
    # Whose link it is, only those read who manage the links.
    assert "Dorthe’s phone" not in reported(recorder, deal)
    assert "Revoke. by a recorder," in plain(reported(recorder, deal))


def test_a_report_begins_with_its_verdict_and_is_signed_below_it(owner: FlaskClient) -> None:
    called = {"type": "irregularity_noted", "seat": "backhand", "kind": "revoke", "text": "Trick 4."}
    html = reported(owner, post_club_deal(owner, called))
    verdict = "Carl-Christian revoked in trick 4; without a ruling Bo wins 3 chips from each."
    assert f"Aftenens spil {verdict} Print it" in plain(html)
    assert "Proved: At trick 4 Bo led" in plain(html)
    assert f"The director Aftenens spil. {verdict} Place and date" in plain(html)


def test_the_sheet_the_proof_and_the_key_are_enough_to_check_it(owner: FlaskClient, tmp_path: Path) -> None:
    html = reported(owner, post_club_deal(owner))
    (note,) = re.findall(r"<pre>(spadille/.*?)</pre>", html, re.DOTALL)
    (url,) = re.findall(r'href="(http[^"]*/proof[^"]*)"', html)
    files = {"kept.txt": f"{unescape(note)}\n", "key.txt": owner.get(f"{API}/checkpoint/key").text}
    for name, text in {**files, "deal.proof": owner.get(url).text}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (command,) = re.findall(r"<pre>(spadille verify.*?)</pre>", html)
    given = [str(tmp_path / one) if "." in one else one for one in command.split()[1:]]
    assert run(*given).exit_code == 0
    shorter = re.sub(r"\n(\d+)\n", lambda size: f"\n{int(size[1]) - 1}\n", unescape(note), count=1)
    (tmp_path / "kept.txt").write_text(f"{shorter}\n", encoding="utf-8")
    assert run(*given).exit_code != 0


def test_a_variation_says_which_entries_are_not_its_own(owner: FlaskClient) -> None:
    seats = {"forehand": "Belinda", "middlehand": "the Baron", "backhand": "Sir Anonym"}
    branch = {"deal": "belinda-as-printed", "at": 20}
    opening = {"type": "deal_opened", "ruleset": "ombre", "players": seats, "branch": branch}
    html = reported(owner, owner.post(f"{API}/deals", json=[opening]).get_json()["deal"])
    assert "Entries 1.1 to 1.20 belong to the deal that this one branches from" in plain(html)
    # The beginning stands in another record: nothing of it is corrected here.
    assert "data-corrections" not in html
    assert "Possible misprints and slips of the pen" in plain(html)


def test_members_and_tables_are_called_by_name() -> None:
    club = Club(create_app(MemoryStore()), "http://localhost")
    members = tuple(club.members.values())
    html = reported(club.owner, club.begun(club.table(players=members, title="Torsdag")))
    said = plain(html)
    assert "Table Torsdag" in said
    assert "The record does not give the play card by card." in said
    assert [one for one in members if one in said] == []
    assert f'<span>Finn</span><input type="text" name="payments.{members[1]}"' in html


def test_a_reader_learns_nothing_hidden_and_only_a_recorder_is_offered_to_write(owner: FlaskClient) -> None:
    deal = post_club_deal(owner)
    viewer, recorder = (
        holding(owner.application, GrantTerms(role, Scope("deal", deal))) for role in ("viewer", "recorder")
    )
    seen, whole = reported(viewer, deal), reported(owner, deal)
    assert "Bo is dealt 9 unseen cards." in plain(seen)
    # What was proved by cards that lay on the table is proved to everybody.
    assert "Matter 1: entry 24" in plain(seen)
    assert "which you may not see" in plain(seen)
    assert "which you may not see" not in plain(whole)
    # What was dealt is hidden from a viewer; that the exchange was not seen is hidden from nobody.
    assert "Bo dealt: 9 of" in plain(seen)
    assert "dealt: 9 of" not in plain(whole)
    assert "The hidden cards Anna discarded: 5 of" in plain(whole)
    assert viewer.get(f"/deals/{deal}/report?viewer=all").status_code == 403
    assert 'id="enter"' not in seen
    writes = 'data-event="ruling_made"'
    assert writes in reported(recorder, deal)
    assert writes not in reported(owner, deal, more="&viewer=public")
    assert writes not in owner.get(f"{BELINDA}/report").text


def test_what_hidden_cards_can_be_is_told_where_a_record_hides_any(library: FlaskClient) -> None:
    said = plain(library.get(f"{BELINDA}/report?lang=en").text)
    assert re.search(r"The hidden cards Belinda.*trick 6: exactly .*six of diamonds", said)
    assert "Slanted cards are possible only if somebody broke a rule of play." in said
    assert "1.080 fuldstændige fordelinger stemmer" in plain(library.get(f"{BELINDA}/report?lang=da").text)
    assert "report-unseen" not in library.get("/replays/la-bete-slam-led-failed/report?lang=en").text
    printed = plain(library.get(f"{PRINTED}/report?lang=en").text)
    assert "The hidden cards With entries 11 and 13 corrected as proposed: Belinda" in printed


def test_what_is_written_is_not_printed_and_needs_no_colour(page: Page, origin: str) -> None:
    page.goto(f"{origin}{CLUB}/report?lang=da")
    expect(page.locator(".report-entering")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".report-entering")).to_be_hidden()
    # A suit is told by its shape, which no printer leaves out.
    shapes = page.locator(".card-symbols symbol path")
    assert len(set(shapes.evaluate_all("all => all.map((one) => one.getAttribute('d'))"))) == 4
    assert 2 <= sheets(page, prefer_css_page_size=True) <= 4


def disputed(club: Club) -> str:
    return club.post("/deals", club_deal())["deal"]


@pytest.mark.smoke
def test_a_term_leads_to_its_meaning_where_it_first_stands(page: Page, origin: str) -> None:
    page.goto(f"{origin}{PRINTED}/report?lang=da")
    terms = page.locator(".report a.term")
    expect(terms.filter(has_text="forhånd")).to_have_count(1)
    expect(page.locator(".report-lines .visually-hidden").first).to_have_css("position", "absolute")
    visit(page, f"{origin}{BELINDA}?lang=da#at=60")
    page.get_by_role("link", name="estuches").click()
    expect(page.locator("#estuches dd")).to_be_in_viewport()
    assert page.url.endswith("/game?lang=da#estuches")


def test_a_ruling_is_written_and_stands_in_the_report(page: Page, club: Club) -> None:
    watch, deal = Watch(page), disputed(club)
    club.enter(page, f"/deals/{deal}/report?lang=en")
    page.get_by_text("A ruling", exact=True).click()
    form = page.locator('[data-event="ruling_made"]')
    form.get_by_role("button", name="Write the ruling").click()
    expect(form.locator("[data-answer]")).to_have_text("Something is missing here.")
    form.get_by_label("The ruling, and its reason").fill("The revoke stands.")
    form.get_by_label("Outcome").select_option("won")
    form.get_by_label("At fault").select_option("backhand")
    payments = form.get_by_role("group", name="Payments")
    for wrong, told in (("one", "This is not a whole number: one"), ("-1", "The payments add up to −1")):
        payments.get_by_label("Anna").fill(wrong)
        form.get_by_role("button", name="Write the ruling").click()
        expect(form.locator("[data-answer]")).to_contain_text(told)
    for name, chips in (("Anna", "-1"), ("Bo", "+4"), ("Carl-Christian", "−3")):
        payments.get_by_label(name).fill(chips)
    form.get_by_role("group", name="Penalty points").get_by_label("Carl-Christian").fill("2")
    form.get_by_role("button", name="Write the ruling").press("Enter")
    expect(page.locator("[data-status]")).to_have_text("Written. The report is updated.")
    expect(page.locator(".report-ruling")).to_contain_text("The revoke stands.")
    expect(page.locator(".report-rulings")).to_be_focused()
    expect(page.locator(".report-ruling")).to_contain_text("Anna −1, Bo +4, Carl-Christian −3")
    assert club.events("deals", deal)[-1] == {**RULING, "text": "The revoke stands."}
    assert watch.complaints == []


def test_what_others_wrote_meanwhile_is_read_first(page: Page, club: Club) -> None:
    deal = disputed(club)
    club.enter(page, f"/deals/{deal}/report?lang=en")
    page.get_by_text("An irregularity that was called").click()
    form = page.locator('[data-event="irregularity_noted"]')
    form.get_by_label("What it was").fill("talk")
    form.get_by_label("Who did it").select_option("middlehand")
    form.get_by_label("Called by").select_option("forehand")
    version = club.get(f"/deals/{deal}")["version"]
    club.post(f"/deals/{deal}/events", {"type": "ruling_made", "text": "Mine came first."}, version)
    button = form.get_by_role("button", name="Write it down")
    button.click()
    expect(form.locator("[data-answer]")).to_contain_text("Others have written something meanwhile.")
    expect(page.locator(".report-ruling")).to_contain_text("Mine came first.")
    expect(form.get_by_label("What it was")).to_have_value("talk")
    button.click()
    expect(page.locator(".report-ruling")).to_have_count(2)
    called = {"type": "irregularity_noted", "seat": "middlehand", "kind": "talk", "by_seat": "forehand"}
    assert club.events("deals", deal)[-1] == called


def test_an_entry_whose_answer_is_lost_is_sent_again_and_stored_once(page: Page, club: Club) -> None:
    deal = disputed(club)
    club.enter(page, f"/deals/{deal}/report?lang=en")
    page.get_by_text("The deal does not count", exact=True).click()
    form = page.locator('[data-event="deal_voided"]')
    form.get_by_label("Reason").fill("Misdealt.")
    lose_first_answer(page, "**/events")
    before = len(club.events("deals", deal))
    form.get_by_role("button", name="Void the deal").click()
    expect(form.locator("[data-answer]")).to_contain_text("There was no answer.")
    form.get_by_role("button", name="Void the deal").click()
    expect(page.locator(".report-ruling")).to_contain_text("Misdealt.")
    assert len(club.events("deals", deal)) == before + 1


def test_a_proposed_correction_is_accepted_with_one_tap(page: Page, club: Club) -> None:
    deal = club.post("/deals", bare_events_of(PRINTED))["deal"]
    club.enter(page, f"/deals/{deal}/report?lang=en")
    form = page.locator("[data-corrections]").first
    reasons = form.get_by_label("Reason")
    expect(reasons).to_have_count(2)
    expect(form.get_by_label("Reason (entry 13)")).to_have_value("Entry 13 has ♠K instead of ♠Q.")
    reasons.first.fill("The book left out her king.")
    form.get_by_role("button", name="Correct it like this").click()
    expect(page.locator("[data-status]")).to_have_text("Written. The report is updated.")
    expect(page.locator("[data-corrections]")).to_have_count(0)
    expect(page.locator(".report-correction")).to_have_count(2)
    expect(page.locator(".report-correction").first).to_contain_text("The book left out her king.")
    assert club.get(f"/deals/{deal}/findings")["ok"] is True


HERE = f"/tables/{TABLE}/report"
PLACES = re.compile(r"Deal (\d+) , entry (\S+) ")
"""Where a report says that something is wrong."""


def report_page(client: FlaskClient, lang: str = "en", path: str = HERE) -> str:
    answer = client.get(f"{path}?lang={lang}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return answer.text


def test_each_fault_stands_at_its_deal_and_entry_as_the_api_tells_it() -> None:
    made, _ = with_errors("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card")
    director = owner_of(stored(made))
    told, said = director.get(f"{API}/tables/{TABLE}/audit").get_json(), plain(report_page(director))
    assert len(told["faults"]) == 4
    found = said.partition("The settlements")[0]
    assert PLACES.findall(found) == [(str(one["number"]), str(one["seq"])) for one in told["faults"]]
    for one in told["faults"]:
        assert f"{one['severity']} · {one['code'].replace('_', ' ')} · {one['rule']}" in found
    assert f"Deal {told['first']['number']} is the first to differ from the rules:" in said
    proposed = sum(len(one["corrections"]) for one in told["faults"])
    assert found.count("Proposed correction of entry") == proposed


def test_the_heading_says_who_when_and_by_which_rules() -> None:
    store = MemoryStore()
    opened = {"title": "Torsdag", "recorded_at": "2019-03-07T19:00:00Z", "switches": {"sitter-pays": True}}
    path = f"/tables/{recorded_table(store, TABLE, **opened)}/report"
    owner = owner_of(create_app(store))
    for lang, lines in {
        "en": ("Report on a table Torsdag", "7 March 2019", "No deal was started."),
        "da": ("Rapport om et bord Torsdag", "7. marts 2019", "Der er ikke begyndt noget spil."),
    }.items():
        said = plain(report_page(owner, lang, path))
        for line in (*lines, "(DLU), dlu/", "sitter-pays: true"):
            assert line in said


def test_members_are_called_by_name_and_who_was_forgotten_by_none() -> None:
    club = Club(create_app(MemoryStore()), "http://localhost")
    members = tuple(club.members.values())[:3]
    table = club.table(players=members)
    paid = settled(**dict(zip(members, (9, -4, -5), strict=True)))
    club.post(f"/deals/{club.begun(table)}/events", [slip("F", "solo", outcome="won"), paid], 1)
    path = f"/tables/{table}/report"
    said = plain(report_page(club.owner, path=path))
    assert "Players Eva, Finn, Gerda" in said
    assert "Paid: Eva +9 instead of" in said
    assert club.owner.delete(f"{API}/members/{members[0]}").status_code in (200, 204)
    html = report_page(club.owner, path=path)
    assert "Eva" not in html
    assert [one for one in members if one in plain(html)] == []


@pytest.mark.parametrize(("made", "secrets"), [
    (revoke_that_only_the_hand_shows, ["· revoke ·", "9. Revoke"]),
    (lambda: with_errors("swapped_card")[0], ["misprint likely", "is dealt"]),
], ids=["a revoke that only the hand shows", "a card of a hidden hand that is written wrongly"])  # fmt: skip
def test_a_hidden_hand_is_told_to_no_onlooker(made: Callable[[], Evening], secrets: list[str]) -> None:
    app = stored(made(), closed=False)
    assert secrets[0] in plain(report_page(owner_of(app)))
    viewer = holding(app, GrantTerms("viewer", Scope("table", TABLE)))
    seen = plain(report_page(viewer))
    assert [one for one in secrets if one in seen] == []
    faults = viewer.get(f"{API}/tables/{TABLE}/audit").get_json()["faults"]
    told = [(str(one["number"]), str(one["seq"])) for one in faults if one["deal"] is not None]
    assert told == PLACES.findall(seen)


@pytest.fixture(scope="module")
def evening() -> Iterator[Club]:
    """A club that has an evening with every kind of error in it."""
    kinds = ("wrong_settlement", "wrong_dealer", "doubled_entry", "swapped_card", "doubled_deal")
    app = stored(with_errors(*kinds, count=16)[0])
    with serving(app) as origin:
        yield Club(app, origin)


def test_the_report_is_in_order_for_every_eye_and_on_paper(page: Page, evening: Club) -> None:
    evening.enter(page, f"{HERE}?lang=en")
    expect(page.locator(".report-issue")).to_have_count(5)
    in_order(page)
    evening.go(page, f"{HERE}?lang=da")
    in_order(page)
    page.emulate_media(media="print", color_scheme="light")
    for hidden in (".report-ways", ".site", ".site-footer"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator(".report-sign-lines p")).to_have_count(3)
    # The signature stands on no page of its own.
    expect(page.locator(".report-sign")).to_have_css("break-before", "avoid")
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


def test_a_deal_and_its_report_lead_to_what_its_hidden_cards_can_be(page: Page, origin: str) -> None:
    visit(page, f"{origin}{BELINDA}?lang=en#at=31")
    unfolded(page).get_by_role("link", name="Hidden cards").click()
    verdict = page.locator(".report-verdict")
    expect(verdict).to_have_text("After entry 31: Sir Anonym plays an unseen card")
    page.get_by_label("Look at another entry").select_option("10")
    page.get_by_role("button", name="Show").click()
    expect(verdict).to_have_text("After entry 10: Belinda draws 4 unseen cards")
    page.get_by_role("link", name="Step through it").click()
    expect(page).to_have_url(re.compile(r"#at=10$"))
    page.goto(f"{origin}{BELINDA}/report?lang=da&viewer=forehand")
    page.get_by_role("link", name="Skjulte kort").click()
    expect(page.locator(".report-head")).to_contain_text("Som Belinda så det.")
    visit(page, f"{origin}/replays/la-bete-slam-led-failed?lang=en")
    expect(unfolded(page).get_by_role("link", name="Report")).to_be_visible()
    expect(page.get_by_role("link", name="Hidden cards")).to_have_count(0)


def test_a_proof_is_checked_in_the_browser_without_a_network(phone: BrowserContext, club: Club) -> None:
    page = phone.new_page()
    watch = Watch(page)
    page.goto(f"{club.origin}/verify?lang=en")
    page.evaluate("navigator.serviceWorker.ready")
    phone.set_offline(True)
    page.reload()
    files = page.get_by_label("Choose files")

    def check(*names: str) -> Locator:
        files.set_input_files([PROOFS / name for name in names])
        return page.locator(".verify-verdict h2")

    expect(check("evening.jsonl", "evening.jsonl.proof")).to_have_text("Not proved yet")
    expect(check("kept.txt", "key.txt")).to_have_text("Proved")
    expect(page.get_by_text("Proved entries: 11. Records: 3.")).to_be_visible()
    # The line of another deal.
    expect(check("hidden.jsonl")).to_have_text("Not the same record")
    expect(page.get_by_text("Entry 1 is missing.").first).to_be_visible()
    page.get_by_role("button", name="Start again").click()
    expect(page.locator(".verify-verdict")).to_have_count(0)
    files.set_input_files(Path(__file__))
    expect(page.get_by_role("status")).to_have_text(
        "test_report.py: this is no proof, record, checkpoint or key."
    )
    phone.set_offline(False)
    assert [said for said in watch.complaints if "ERR_INTERNET_DISCONNECTED" not in said] == []

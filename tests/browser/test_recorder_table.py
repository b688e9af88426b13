"""The recorder at a real table: breaches, what is taken back, what nobody saw, claims, two devices."""

import pytest
from playwright.sync_api import Locator, Page, Response, expect

from service.auth.grants import GrantTerms, Scope
from tests.support.engine.shorthand import bids, names, stands, swap
from tests.support.web.club import Club, arrived, ready
from tests.support.web.network import lose_first_answer, refuse
from tests.support.web.recorder import DEALT, HANDS, alone, call, entered, key, play, recorder

NOTICE = ".notice-area .notice"
LAST = ".last-entry"


def playing(page: Page, club: Club, lang: str = "da") -> str:
    """A solo in hearts of forehand's, hands unknown, up to the first lead."""
    auction, bought = bids("F solo, M pass, B pass"), [*swap("M", "?? ?? ??", "?? ?? ??"), *stands("B")]
    deal = alone(club, "dlu", *auction, *names("F", "solo", "H"), *bought)
    recorder(page, club, deal, lang)
    return deal


def way(page: Page, which: str) -> None:
    page.locator(f'[data-way="{which}"]').click()


def types(club: Club, deal: str) -> list[str]:
    return [event["type"] for event in club.events("deals", deal)]


def more(page: Page, form: str) -> Locator:
    if page.locator(".more-menu").get_attribute("open") is None:
        page.locator(".more-menu summary").click()
    page.locator(f'[data-form="{form}"]').click()
    return page.locator("dialog")


def write_down(page: Page, club: Club, deal: str) -> None:
    entered(page, club, deal, page.get_by_role("button", name="Skriv ned").click)


@pytest.mark.usefixtures("watched")
def test_a_table_s_next_deal_is_begun_and_the_one_after_it(page: Page, club: Club) -> None:
    """Dealer, seats and who sits out are known; the settlement leads on; an unfinished deal goes on."""
    table = club.table()
    club.enter(page, f"/tables/{table}?lang=da")
    page.get_by_role("link", name="Kort", exact=True).click()
    expect(page.locator(".deal-seats")).to_have_text("Dorthe giver · Bo sidder over")
    page.get_by_role("button", name="Notér spil 1").click()
    arrived(page, "**/deals/*/record*")
    first = page.locator("main").get_attribute("data-record")
    assert first is not None
    expect(page.locator(".prompt")).to_have_text("Anna melder")
    expect(page.locator(".board-about")).to_have_text("Dorthe giver · Bo sidder over")
    call(page, club, first, "pass", "pass", "pass")
    expect(page.locator(".settlement .outcome")).to_have_text("Alle har meldt pas.")
    page.get_by_role("button", name="Næste spil").click()
    arrived(page, lambda url: first not in url)
    expect(page.locator(".record-head h1")).to_have_text("Spil 2")
    club.go(page, f"/tables/{table}/record?lang=da")
    page.get_by_role("link", name="Fortsæt spil 2").click()
    arrived(page, "**/deals/*/record*")


@pytest.mark.smoke
def test_a_deal_alone_is_begun_by_its_names(page: Page, club: Club) -> None:
    members = club.members
    club.enter(page, "/tables?lang=da")
    page.get_by_role("link", name="Notér et spil").click()
    press = page.get_by_role("button", name="Begynd")
    page.get_by_label("Forhånd", exact=True).fill("Eva")
    press.click()
    expect(page.locator("main").get_by_role("alert")).to_have_text("Skriv mindst tre navne.")
    page.get_by_label("Mellemhånd").fill("Ole")
    page.get_by_label("Baghånd").fill("Per")
    page.get_by_label("Hvem gav?").select_option("Per")
    page.get_by_label("Regler").select_option("ombre")
    page.get_by_label("Puljen, med giverens indskud").fill("15")
    press.click()
    arrived(page, "**/deals/*/record*")
    expect(page.locator(".prompt")).to_have_text("Eva melder")
    deal = page.locator("main").get_attribute("data-record")
    assert deal is not None
    opened = club.events("deals", deal)[0]
    assert opened["players"]["forehand"] == members["Eva"]
    assert (opened["ruleset"], opened["dealer"], opened["pool"]) == ("ombre", "Per", 15)


def test_a_breach_is_asked_about_and_stands_with_its_finding(page: Page, club: Club) -> None:
    """A bid out of turn with the words that fell, a suit named early, a revoke that shows later."""
    deal = alone(club)
    recorder(page, club, deal, "en")
    page.locator('[data-seat="backhand"]').click()
    expect(page.locator(".prompt")).to_have_text("Carl bids It would be Anna’s turn.")
    page.get_by_label("The exact words").fill("Solo i hjerter!")
    page.locator(".pad-more").get_by_role("button", name="hearts").click()
    page.locator('[data-call="solo"]').click()
    expect(page.locator(NOTICE)).to_contain_text("That is against the rules:")
    expect(page.locator(NOTICE)).to_contain_text("it is Anna’s turn")
    expect(page.locator(LAST)).to_contain_text("(not written down: answer below)")
    way(page, "no")
    expect(page.locator(NOTICE)).to_have_count(0)
    # What was never written down leaves no trace.
    expect(page.locator(".side-part.discarded-entries")).to_have_count(0)
    expect(page.locator(LAST)).to_have_text("Last: The deal has begun.")
    assert len(club.events("deals", deal)) == 1
    page.locator('[data-call="solo"]').click()
    entered(page, club, deal, lambda: way(page, "happened"))
    assert club.events("deals", deal)[1] == {
        "type": "bid_made", "seat": "backhand", "bid": "solo", "trump": "H", "said": "Solo i hjerter!",
    }  # fmt: skip
    expect(page.locator(NOTICE)).to_contain_text("Written down, with a remark:")
    expect(page.locator(".side-part.findings")).to_contain_text("Against the rules")
    way(page, "well")
    expect(page.locator(NOTICE)).to_have_count(0)


def test_the_last_entry_is_undone_or_taken_back(page: Page, club: Club) -> None:
    deal = playing(page, club)
    play(page, club, deal, "H7 HJ")
    expect(page.locator(LAST)).to_have_text("Sidst: Stik 1: Bo lægger hjerter knægt.")
    page.locator('[data-act="undo"]').click()
    expect(page.locator(NOTICE)).to_contain_text("Stik 1: Bo lægger hjerter knægt.")
    way(page, "keep")
    page.locator('[data-act="undo"]').click()
    entered(page, club, deal, lambda: way(page, "strike"))
    expect(page.locator(".prompt")).to_have_text("Bo lægger til")
    play(page, club, deal, "H3")
    page.locator('[data-act="undo"]').click()
    entered(page, club, deal, lambda: way(page, "withdraw"))
    expect(page.locator(LAST)).to_have_text("Sidst: Taget tilbage: Bo: hjerter 3.")
    expect(page.locator(".prompt")).to_have_text("Bo lægger til")
    log = club.events("deals", deal)
    assert log[-3] == {"type": "correction_made", "replaces": [10], "with": [], "reason": "Tastefejl"}
    assert log[-1] == {"type": "action_withdrawn", "of": 12}
    # An exchange by its number is undone as it was entered: what was sold with what was bought.
    for _ in range(4):
        page.locator('[data-act="undo"]').click()
        entered(page, club, deal, lambda: way(page, "strike"))
    expect(page.locator(".prompt")).to_have_text("Carl køber: hvor mange?")
    page.locator('[data-act="undo"]').click()
    entered(page, club, deal, lambda: way(page, "strike"))
    expect(page.locator(".prompt")).to_have_text("Bo køber: hvor mange?")


def test_an_earlier_entry_is_corrected_struck_out_and_one_put_in(page: Page, club: Club) -> None:
    deal = playing(page, club)
    play(page, club, deal, "H7 HJ S3 SA H2 H3")
    page.get_by_role("button", name="Ret: Stik 1: Bo lægger hjerter knægt.").click()
    expect(page.locator(".prompt")).to_have_text("Bo lægger til")
    page.get_by_label("Hvorfor rettes det?").fill("")
    key(page, "HQ")
    expect(page.locator(NOTICE)).to_contain_text("Skriv, hvorfor det rettes.")
    page.get_by_label("Hvorfor rettes det?").fill("Det var damen")
    entered(page, club, deal, lambda: key(page, "HQ"))
    right = {"type": "card_played", "seat": "middlehand", "card": "HQ"}
    assert club.events("deals", deal)[-1] == {
        "type": "correction_made", "replaces": [10], "with": [right], "reason": "Det var damen",
    }  # fmt: skip
    expect(page.locator(".tricks-table tbody tr").first).to_contain_text("hjerter dame")
    expect(page.locator(".entry-item.is-struck")).to_contain_text("Rettet: Det var damen")
    page.get_by_role("button", name="Ret: Carl køber ikke.").click()
    way(page, "insert")
    more(page, "note").get_by_label("Tekst").fill("Her blev der tænkt.")
    write_down(page, club, deal)
    put = club.events("deals", deal)[-1]
    assert (put["replaces"], put["after"], put["with"][0]["text"]) == ([], 8, "Her blev der tænkt.")


def test_cards_that_nobody_saw_and_tricks_that_nobody_wrote_down(page: Page, club: Club) -> None:
    deal = playing(page, club)
    play(page, club, deal, "SA H? ??")
    expect(page.locator(".prompt")).to_have_text("Anna spiller ud")
    more(page, "missing").get_by_label("Næste kort hører til stik nr.").fill("4")
    write_down(page, club, deal)
    expect(page.locator(".prompt")).to_have_text("Hvem er det? Tryk på et navn ovenfor.")
    page.locator('[data-seat="middlehand"]').click()
    play(page, club, deal, "CK")
    assert club.events("deals", deal)[-1] == {
        "type": "card_played", "seat": "middlehand", "card": "CK", "trick": 4,
    }  # fmt: skip
    expect(page.locator(".board-line")).to_contain_text("Stik 4")
    play(page, club, deal, "C2")
    assert "trick" not in club.events("deals", deal)[-1]


@pytest.mark.smoke
def test_a_claim_is_made_and_answered_and_the_deal_closed(page: Page, club: Club) -> None:
    deal = playing(page, club)
    play(page, club, deal, "H7 HJ S3")
    page.locator('[data-also="claim"]').click()
    form = page.locator("dialog")
    assert [field.input_value() for field in form.locator("input[data-who]").all()] == ["9", "0", "0"]
    for seat, tricks in (("forehand", "6"), ("middlehand", "3"), ("backhand", "0")):
        form.locator(f'[data-who="{seat}"]').fill(tricks)
    entered(page, club, deal, form.get_by_role("button", name="Skriv ned").click)
    words = "Anna lægger op (Anna 6, Bo 3 og Carl 0): er de andre enige?"
    expect(page.locator(NOTICE)).to_contain_text(words)
    expect(page.get_by_role("button", name="Bo er enig", exact=True)).to_be_in_viewport()
    entered(page, club, deal, page.get_by_role("button", name="Bo er enig", exact=True).click)
    entered(page, club, deal, page.get_by_role("button", name="Carl er enig", exact=True).click)
    expect(page.locator(".settlement .outcome")).to_have_text("Anna vinder spillet.")
    # What was claimed and accepted is what they have, though but one trick fell.
    expect(page.locator(".tricks-table tfoot td")).to_have_text(["", "6", "3", "0"])
    entered(page, club, deal, page.get_by_role("button", name="Luk spillet").click)
    expect(page.get_by_text("Spillet er lukket.")).to_be_visible()
    assert types(club, deal)[-4:] == ["tricks_claimed", "claim_answered", "claim_answered", "deal_closed"]


def test_offences_rulings_and_what_was_paid(page: Page, club: Club) -> None:
    deal = playing(page, club)
    play(page, club, deal, "H7")

    def fill(form: str, tap: str = "", **texts: str) -> None:
        dialog = more(page, form)
        if tap:
            dialog.locator(f'[data-field="{tap}"] [data-value="middlehand"]').click()
        for place, text in texts.items():
            field = f'[data-field="{place}"] :is(input, textarea), [data-who="{place}"]'
            dialog.locator(field).first.fill(text)
        write_down(page, club, deal)

    fill("irregularity", "seat", kind="kulørsvigt")
    fill("ruling", "at_fault", text="Bo betaler", forehand="+4", middlehand="−4")
    fill("settled", forehand="4", middlehand="-4")
    offence, ruling, paid = club.events("deals", deal)[-3:]
    assert offence == {"type": "irregularity_noted", "seat": "middlehand", "kind": "kulørsvigt"}
    assert ruling["payments"] == paid["payments"] == {"forehand": 4, "middlehand": -4}
    expect(page.locator(".settlement .payments .chips").first).to_have_text("+4")


def test_two_devices_at_one_table(page: Page, second: Page, club: Club) -> None:
    """Each sees the other's entries; the second to write decides again; the same entry stands once."""
    deal = playing(page, club)
    recorder(second, club, deal)
    play(page, club, deal, "H7")
    expect(second.locator(".prompt")).to_have_text("Bo lægger til")
    expect(second.locator('[data-card="H7"].is-gone')).to_be_visible()
    assert page.locator(".record-board").inner_text() == second.locator(".record-board").inner_text()
    # From now on the other device's entries are written before this one has heard of them.
    second.route("**/live*", lambda route: route.abort())
    second.reload()
    ready(second)
    play(page, club, deal, "HJ")
    key(second, "HJ")
    expect(second.locator(NOTICE)).to_contain_text("det står der kun én gang")
    way(second, "well")
    play(page, club, deal, "H2")
    key(second, "C2")
    expect(second.locator(NOTICE)).to_contain_text("En anden har skrevet imens:")
    expect(second.locator(NOTICE)).to_contain_text("Carl: hjerter 2.")
    expect(second.locator(NOTICE)).to_contain_text("Carl: klør 2.")
    way(second, "drop")
    expect(second.locator(".side-part.discarded-entries")).to_contain_text("Carl: klør 2.")
    second.locator('[data-act="forget"]').click()
    expect(second.locator(".side-part.discarded-entries")).to_be_hidden()
    assert [event["card"] for event in club.events("deals", deal) if event["type"] == "card_played"] == [
        "H7", "HJ", "H2",
    ]  # fmt: skip
    play(page, club, deal, "SA")
    second.locator('[data-seat="middlehand"]').click()
    key(second, "H3")
    entered(second, club, deal, lambda: way(second, "still"))
    expect(page.locator(".prompt")).to_have_text("Carl lægger til")


def test_an_entry_whose_answer_is_lost_or_that_is_refused(page: Page, club: Club) -> None:
    """The first is asked for again and stands once; the second is told in the page's own words."""
    deal = playing(page, club)
    lose_first_answer(page, "**/events*")
    entered(page, club, deal, lambda: key(page, "H7"))
    expect(page.locator(".prompt")).to_have_text("Bo lægger til")
    expect(page.locator(NOTICE)).to_have_count(0)
    assert types(club, deal).count("card_played") == 1
    for lang, kind, words in (
        ("da", "record-full", "Der er ikke plads til flere poster her."),
        ("da", "notes-used-up", "Dit link kan ikke skrive flere noter her."),
        ("en", "record-full", "There is no room for more entries here."),
        ("en", "notes-used-up", "Your link has reached its limit of notes here."),
    ):
        if f"lang={lang}" not in page.url:
            club.go(page, f"/deals/{deal}/record?lang={lang}")
        page.unroute("**/events*")
        refuse(page, "**/events*", kind, 413, "A record takes 5000 entries.")
        key(page, "HJ")
        expect(page.locator(NOTICE)).to_contain_text(words)
        expect(page.locator(NOTICE)).not_to_contain_text("5000")
        way(page, "drop")
        expect(page.locator(NOTICE)).to_have_count(0)


def test_a_hidden_hand_reaches_no_browser_that_may_not_know_it(second: Page, club: Club) -> None:
    deal = alone(club, "dlu", *DEALT)
    told: list[str] = []

    def keep(answer: Response) -> None:
        if "/live" not in answer.url and "/static/" not in answer.url:
            told.append(answer.text())

    second.on("response", keep)
    wire = second.context.new_cdp_session(second)
    wire.send("Network.enable")
    wire.on("Network.eventSourceMessageReceived", lambda message: told.append(message["data"]))
    player = GrantTerms("player", Scope("deal", deal), seat="middlehand")
    club.enter(second, f"/deals/{deal}/record?lang=da", player)
    expect(second.locator(".pad")).to_contain_text("Du ser med.")
    expect(second.locator("[data-card]")).to_have_count(0)
    expect(second.locator(".known-hand h3")).to_have_text(["Hånden hos Bo"])
    for seat, cards in HANDS.items():
        for card in cards:
            assert (f'"{card}"' in "".join(told)) == (seat == "middlehand"), card
    second.get_by_role("button", name="Skriv en note").click()
    second.get_by_label("Tekst").fill("Jeg var lige ved.")
    write_down(second, club, deal)
    assert types(club, deal)[-1] == "note_added"

"""Sharing a table: by link and QR code, in a role, until it is revoked; and what a viewer sees."""

from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from service.http.api.routes.identity import qr_of
from tests.support.web.club import Club
from tests.support.web.watching import Watch


def test_a_viewer_s_link_shows_the_table_and_no_way_to_write(page: Page, second: Page, club: Club) -> None:
    table = club.table()
    result = {"declarer": "forehand", "contract": "solo", "outcome": "won"}
    deal = club.deal(table, trump="D", **result)
    better = {"type": "result_recorded", "trump": "H", **result}
    correction = {"type": "correction_made", "replaces": [2], "reason": "Bo saw it", "with": [better]}
    club.post(f"/deals/{deal}/events", correction, 2)
    club.enter(page, f"/tables/{table}?lang=en")
    page.get_by_role("button", name="Share").click()
    page.locator('[data-role="viewer"]').click()
    link = page.get_by_label("The link", exact=True).input_value()
    drawn = page.locator(".qr path").get_attribute("d")
    assert drawn and f'd="{drawn}"' in qr_of(link), "the code is that of the link"
    assert "token=" in urlsplit(link).fragment
    assert "token" not in urlsplit(link).query

    guest, watch = second, Watch(second)
    guest.goto(link)
    guest.wait_for_url(f"**/tables/{table}")
    club.go(guest, f"/tables/{table}?lang=en")
    expect(guest.locator("[data-part=log]")).to_contain_text("Solo in hearts: Anna won")
    # Why it was corrected is not for every onlooker; that it was, is.
    expect(guest.locator("[data-part=log] .undone i")).to_have_text("Corrected")
    expect(guest.locator(".deal-number")).to_have_text("Deal 2")
    # There is nothing for a viewer to fill in: the page shows how it stands instead.
    expect(guest.locator(".standing dd")).to_have_text(["+6", "0", "−3", "−3"])
    assert guest.locator("main button, main input").count() == 0
    guest.goto(f"{club.origin}/tables?lang=en")
    expect(guest.locator(".contents li")).to_have_count(1)
    expect(guest.get_by_text("Open a table")).to_have_count(0)
    club.go(guest, f"/tables/{table}/sheet?lang=en")
    expect(guest.locator(".score-sheet tfoot td")).to_have_text(["+6", "0", "−3", "−3"])
    assert watch.complaints == []

    page.locator(".grants li").filter(has_text="Onlooker").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The link does not hold any longer.")).to_be_visible()
    expect(page.locator(".grants")).to_have_text("Nobody yet.")
    guest.goto(f"{club.origin}/tables/{table}?lang=en")
    expect(guest.locator("h1")).to_have_text("That did not work")
    page.get_by_role("button", name="Close").click()
    assert page.locator(".qr").count() == 0, "the secret does not stay behind in the page"

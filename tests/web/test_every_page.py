"""Every page has its pictures, so that somebody looks at it."""

from docs.pictures.every import NOT_DRAWN, every_page
from docs.pictures.take import Shown
from service.app import create_app
from tests.support.web.club import Club
from tests.support.web.showing import BELINDA


def test_no_page_is_left_out_of_the_screenshots() -> None:
    app = create_app()
    club = Club(app, "http://localhost")
    there = Shown(club, "/deals/x", "/seasons/all", f"/tables/{club.table()}")
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if rule.endpoint.startswith("web.")}
    assert {f"web.{name}" for name in every_page(there)} == pages - {f"web.{name}" for name in NOT_DRAWN}
    assert every_page(there)["replay"] == BELINDA

"""The page of what hidden cards can be: at which entry, for which reader."""

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.auth.grants import GrantTerms, Scope
from service.eventstore import MemoryStore
from tests.support.api.clients import holding, owner_of
from tests.support.web.report import plain, post_club_deal
from tests.support.web.showing import BELINDA, PRINTED


def page(client: FlaskClient, path: str, lang: str = "en", status: int = 200) -> str:
    answer = client.get(f"{path}{'&' if '?' in path else '?'}lang={lang}", headers={"Accept": "text/html"})
    assert answer.status_code == status
    return plain(answer.text)


def test_it_says_which_cards_are_proved_and_what_the_others_can_be(library: FlaskClient) -> None:
    said = page(library, f"{BELINDA}/hidden-cards?at=31")
    assert "After entry 31: Sir Anonym plays an unseen card" in said
    assert "all of them (proved)" in said
    assert "180 complete deals agree with the record" in said
    assert "In how many lawful deals entry 31 is which card" in said
    assert "After entry 42:" in page(library, f"{BELINDA}/hidden-cards?at=45")  # a note
    # By default it looks at the end, where no entry plays a card.
    said = page(library, f"{BELINDA}/hidden-cards", "da")
    assert "1.080 fuldstændige fordelinger stemmer" in said
    assert "Post 31 i de lovlige" not in said
    assert "No card is hidden here." in page(library, "/replays/la-bete-slam-led-failed/hidden-cards")
    assert "No complete deal agrees with the record." in page(library, f"{PRINTED}/hidden-cards")
    page(library, f"{BELINDA}/hidden-cards?at=999", status=404)


@pytest.mark.parametrize("at", ["", "?at=20"])
def test_a_reader_learns_nothing_hidden(at: str) -> None:
    owner = owner_of(create_app(MemoryStore()))
    deal = post_club_deal(owner)
    viewer = holding(owner.application, GrantTerms("viewer", Scope("deal", deal)))
    path = f"/deals/{deal}/hidden-cards{at}"
    seen, whole = page(viewer, path), page(owner, path)
    assert "Bo is dealt 9 unseen cards" in seen
    assert "Bo is dealt 9 unseen cards" not in whole
    assert "dealt: 9 of" in seen and "dealt: 9 of" not in whole
    more, proves = f"{path}{'&' if at else '?'}viewer=", "What the record proves"
    as_onlooker = page(owner, f"{more}public")
    assert "As an onlooker saw it." in as_onlooker
    assert as_onlooker.partition(proves)[2] == seen.partition(proves)[2] != ""
    page(viewer, f"{more}all", status=403)
    page(viewer, f"{more}forehand", status=403)

"""What a report page says, and a deal to report on."""

import re

from flask.testing import FlaskClient

from tests.support.web.evening import Json, club_deal


def plain(html: str) -> str:
    body = re.sub(r"<(script|style|svg).*?</\1>", "", html.partition("<main")[2], flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def post_club_deal(owner: FlaskClient, *more: Json) -> str:
    """The id of the club's deal with its revoke, followed by ``more``."""
    answer = owner.post("/api/v1/deals", json=[*club_deal(), *more])
    assert answer.status_code == 201, answer.text
    return answer.get_json()["deal"]

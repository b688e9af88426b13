"""Deals that are published."""

from tests.support.web.club import Club

TITLE = "Fire matadorer og kruk"
SHARING = "[data-part=sharing]"


def settled(club: Club) -> str:
    """A deal of two members and a guest that is settled and closed."""
    members = club.members
    table = club.table(players=(members["Eva"], members["Finn"], "Anna"))
    deal = club.deal(table, declarer="middlehand", contract="solo", trump="H", outcome="codille")
    payments = club.get(f"/deals/{deal}/score")["payments"]
    closing = {"type": "deal_closed", "payments": payments, "engine": "1"}
    club.post(f"/deals/{deal}/events", closing, club.get(f"/deals/{deal}")["version"])
    return deal


def published(club: Club, deal: str, title: str = TITLE) -> str:
    told = {"role": "viewer", "deal": deal, "public": True, "title": title}
    return club.post("/grants", told)["id"]

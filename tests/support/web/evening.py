"""The deals of one evening, as events: what the pages are tried on beside the library.

Each is known in another way: one with only the declarer's hand, a revoke and a corrected entry; a prepared
board whose talon is known and turned, broken off after a trick; a slip; two games lost round a pool.
"""

from collections.abc import Iterable, Iterator
from typing import Any

Json = dict[str, Any]

F, M, B = SEATS = ("forehand", "middlehand", "backhand")


def club_deal() -> list[Json]:
    """A solo in hearts of which only the declarer's hand is known.

    Carl-Christian revokes in trick 4, which shows in trick 6; in trick 5 only the suit of one card was seen,
    and another not at all. His card to trick 3 was entered wrongly and is corrected at the end.
    """
    players = {F: "Anna", M: "Bo", B: "Carl-Christian", "sitting_out": ["Dorthe"]}
    source = "Klubaften i november, bord 3, spil 12"
    events = [
        opened("dlu", players, title="Aftenens spil", source=source),
        hand(M, "SA SK C4 CA HK HJ H7 H3 DK"),
        bid(F, "simple", "spil"), bid(M, "tourne"), bid(F, "self", "kan selv"), bid(M, "solo", "solo!"),
        bid(F, "pass"), bid(B, "pass"),
        named(M, "solo", "H"),
        *exchange(F, "?? ?? ?? ?? ??", "?? ?? ?? ?? ??"),
        *exchange(B, "?? ?? ?? ?? ?? ??", "?? ?? ?? ?? ?? ??"),
        *trick(F, "CK C4 C7"), *trick(F, "CQ H3 C5"), *trick(M, "SA H5 H2"), *trick(M, "H7 S3 HQ"),
        *trick(M, "CA ?? D?"), *trick(M, "DK H6 D5"), *trick(B, "SQ S7 SK"),
    ]  # fmt: skip
    wrong = where(events, card="H5")
    right = {**events[wrong - 1], "card": "H4"}
    reason = "Det var fireren, der faldt."
    return [*events, {"type": "correction_made", "replaces": [wrong], "with": [right], "reason": reason}]


def board() -> list[Json]:
    """A tourné on a prepared board, as far as its first trick: every card known, the talon in its order."""
    players = {F: "Åse", M: "Jens Østergaard", B: "Őrsi"}
    return [
        opened("dlu", players, title="Board 7", source="Turnering, runde 2"),
        hand(F, "SA H5 H3 HK CK D7 D2 C4 S5"),
        hand(M, "S2 SK SJ HA HQ C7 C2 DQ D4"),
        hand(B, "S7 S3 HJ H2 C6 C5 DK DJ D5"),
        {"type": "talon_laid", "cards": cards("H7 CA C3 SQ DA H4 S6 D3 CQ S4 H6 D6 CJ")},
        bid(F, "tourne", "tourné"), bid(M, "pass"), bid(B, "pass"),
        named(F, "tourne"),
        {"type": "talon_turned", "card": "H7"},
        *exchange(F, "D7 D2 C4 S5", "H7 CA C3 SQ"),
        *exchange(M, "S2 SJ HQ C7 C2 DQ D4", "DA H4 S6 D3 CQ S4 H6"),
        *exchange(B, "S3 C6", "D6 CJ"),
        *trick(F, "SA HA HJ"),
    ]  # fmt: skip


def slip() -> list[Json]:
    """A deal of which only the result is known."""
    players = {F: "Anna", M: "Bo", B: "Carl"}
    tricks = {F: 3, M: 4, B: 2}
    result = {"type": "result_recorded", "declarer": M, "contract": "solo", "trump": "H", "tricks": tricks}
    return [opened("dlu", players, title="Spil 13"), result]


def puesta() -> list[Json]:
    """A game round the pool in which, by the slip, each had as many tricks; the puesta is set aside."""
    return [*lost({F: 3, M: 3, B: 3}), {"type": "puesta_reserved", "seat": F}]


def codille() -> list[Json]:
    """A game round the pool that a defender won, by the slip."""
    return lost({F: 3, M: 5, B: 1})


def lost(tricks: dict[str, int]) -> list[Json]:
    """A slip of a game round the pool in which forehand did not get his tricks."""
    players = {F: "Eleonora", M: "Filippa", B: "Gudrun"}
    result = {"type": "result_recorded", "declarer": F, "contract": "play", "trump": "S", "tricks": tricks}
    return [opened("ombre", players, pool=7), result]


def opened(ruleset: str, players: Json, **more: Any) -> Json:
    """The event that opens a deal."""
    return {"type": "deal_opened", "ruleset": ruleset, "players": players, **more}


def cards(text: str) -> list[str]:
    """Cards as written one after the other."""
    return text.split()


def hand(seat: str, text: str) -> Json:
    """The hand dealt to a seat."""
    return {"type": "hand_dealt", "seat": seat, "cards": cards(text)}


def bid(seat: str, name: str, said: str | None = None) -> Json:
    """One call, with the words that fell where they were written down."""
    call = {"type": "bid_made", "seat": seat, "bid": name}
    return {**call, "said": said} if said else call


def named(seat: str, contract: str, trump: str | None = None) -> Json:
    """The contract, once the auction is over."""
    naming = {"type": "contract_named", "seat": seat, "contract": contract}
    return {**naming, "trump": trump} if trump else naming


def exchange(seat: str, sold: str, bought: str) -> Iterator[Json]:
    """Discard and draw of one seat."""
    yield {"type": "cards_discarded", "seat": seat, "cards": cards(sold)}
    yield {"type": "cards_drawn", "seat": seat, "cards": cards(bought)}


def trick(leader: str, text: str) -> Iterator[Json]:
    """The three cards of a trick, from its leader on."""
    first = SEATS.index(leader)
    for step, card in enumerate(cards(text)):
        yield {"type": "card_played", "seat": SEATS[(first + step) % 3], "card": card}


def where(events: Iterable[Json], **fields: Any) -> int:
    """The number of the first entry that has these fields: its seq in the log."""
    return next(
        number
        for number, event in enumerate(events, 1)
        if all(event.get(name) == value for name, value in fields.items())
    )

"""The deals of one evening, each known in another way: what the pages are tried on besides the library."""

from collections.abc import Iterable
from typing import Any

from tests.support.engine.shorthand import B, F, M, a_deal, dealt, laid, names, plays, swap, turned
from tests.support.engine.shorthand import slip as result

Json = dict[str, Any]


def club_deal() -> list[Json]:
    """A solo in hearts of which only the declarer's hand is known.

    Carl-Christian revokes in trick 4, which shows in trick 6; in trick 5 only the suit of one card was seen,
    and another not at all. Carl-Christian's card to trick 3 was entered wrongly and is corrected at the end.
    """
    players = {F: "Anna", M: "Bo", B: "Carl-Christian", "sitting_out": ["Dorthe"]}
    source = "Klubaften i november, bord 3, spil 12"
    events = [
        *a_deal(players=players, title="Aftenens spil", source=source),
        dealt("M", "SA SK C4 CA HK HJ H7 H3 DK"),
        bid(F, "simple", "spil"), bid(M, "tourne"), bid(F, "self", "kan selv"), bid(M, "solo", "solo!"),
        bid(F, "pass"), bid(B, "pass"),
        *names("M", "solo", "H"),
        *swap("F", "?? ?? ?? ?? ??", "?? ?? ?? ?? ??"),
        *swap("B", "?? ?? ?? ?? ?? ??", "?? ?? ?? ?? ?? ??"),
        *plays("F-CK M-C4 B-C7 F-CQ M-H3 B-C5 M-SA B-H5 F-H2 M-H7 B-S3 F-HQ"),
        *plays("M-CA B-?? F-D? M-DK B-H6 F-D5 B-SQ F-S7 M-SK"),
    ]  # fmt: skip
    wrong = where(events, card="H5")
    right = {**events[wrong - 1], "card": "H4"}
    reason = "Det var fireren, der faldt."
    return [*events, {"type": "correction_made", "replaces": [wrong], "with": [right], "reason": reason}]


def board() -> list[Json]:
    """A tourné on a prepared board, as far as its first trick: every card known, the talon in its order."""
    players = {F: "Åse", M: "Jens Østergaard", B: "Őrsi"}
    return [
        *a_deal(players=players, title="Board 7", source="Turnering, runde 2"),
        dealt("F", "SA H5 H3 HK CK D7 D2 C4 S5"),
        dealt("M", "S2 SK SJ HA HQ C7 C2 DQ D4"),
        dealt("B", "S7 S3 HJ H2 C6 C5 DK DJ D5"),
        laid("H7 CA C3 SQ DA H4 S6 D3 CQ S4 H6 D6 CJ"),
        bid(F, "tourne", "tourné"), bid(M, "pass"), bid(B, "pass"),
        *names("F", "tourne"),
        *turned("H7"),
        *swap("F", "D7 D2 C4 S5", "H7 CA C3 SQ"),
        *swap("M", "S2 SJ HQ C7 C2 DQ D4", "DA H4 S6 D3 CQ S4 H6"),
        *swap("B", "S3 C6", "D6 CJ"),
        *plays("F-SA M-HA B-HJ"),
    ]  # fmt: skip


def slip_deal() -> list[Json]:
    """A deal of which only the result is known."""
    return [*a_deal(title="Spil 13"), result("M", "solo", "3-4-2", trump="H")]


def bid(seat: str, name: str, said: str | None = None) -> Json:
    call = {"type": "bid_made", "seat": seat, "bid": name}
    return {**call, "said": said} if said else call


def where(events: Iterable[Json], **fields: Any) -> int:
    """The number of the first entry that has these fields: its seq in the log."""
    return next(
        number
        for number, event in enumerate(events, 1)
        if all(event.get(name) == value for name, value in fields.items())
    )

"""Ombre and tresillo round the pool, and Icelandic lomber, by deals that a player of them would recognise."""

from typing import Any

import pytest

from tests.support.engine.answers import asked, findings, payment, turn
from tests.support.engine.shorthand import (
    PLAYERS,
    B,
    Event,
    F,
    Json,
    M,
    a_deal,
    answered,
    bids,
    cards_shown,
    claimed,
    due_after,
    given_up,
    legal_after,
    names,
    plays,
    score_after,
    settled,
    slip,
    stands,
    state_after,
    swap,
    tricks,
    trumps,
    turned,
)

FIVE_TOPS = "SA CA HA HK HQ D2 D3 D4 D5"
"""Five tricks in a row against hands without trumps; spadille without manille makes one estuche."""
ALL_TOPS = "SA H7 CA HA HK HQ HJ H2 H3"
THREE = "SA H7 CA D2 D3 D4 D5 D6 DJ"


def ombre(contract: str = "play", hand: str = "SA D2 D3 D4 D5 D6 DJ DQ DK", **more: Any) -> list[Event]:
    """Forehand plays, hearts being trumps and ten fish in the pool; nobody exchanges anything."""
    events = a_deal(hand, ruleset="ombre", pool=10, **more) + bids(f"F {contract}, M pass, B pass")
    events += names("F", contract, None if contract == "voltereta" else "H")
    events += turned("H4") if contract == "voltereta" else []
    return events + (stands("M B") if contract == "solo" else stands())


def leading(hand: str, count: int) -> list[Event]:
    """Forehand leads the first ``count`` cards of that hand; the others can neither follow nor trump."""
    leads = zip(hand.split()[:count], "234567JQK", strict=False)
    return plays(" ".join(f"F-{card} M-C{rank} B-S{rank}" for card, rank in leads))


def of_slip(*told: Any, pool: int | None = 10, opening: Json | None = None, **more: Any) -> list[Event]:
    fields: Json = {"pool": pool} if pool is not None else {}
    return [*a_deal(ruleset="ombre", **fields, **(opening or {})), slip("F", *told, **more)]


def agreed(forehand: int, middlehand: int, backhand: int) -> list[Event]:
    """All agree that it ends with these tricks."""
    return [claimed("F", forehand, middlehand, backhand), *answered("M accept, B accept")]


def tops(hand: str = FIVE_TOPS, count: int = 5, *more: Event) -> list[Event]:
    return [*ombre(hand=hand), *leading(hand, count), *more]


BOUGHT = [
    *a_deal("D2 D3 D4 D5 D6 DJ DQ DK S3", ruleset="ombre", pool=0), *bids("F play, M pass, B pass"),
    *names("F", "play", "H"), *swap("F", "S3 DK", "SA H7"), *stands("M B"), *plays("F-D2 M-DA B-D7"),
]  # fmt: skip
NO_TRUMP = [
    *a_deal(THREE, ruleset="ombre", pool=10), *bids("F play, M pass, B pass"), *names("F", "play"), *stands(),
]  # fmt: skip
HALF_KNOWN = [*ombre(hand="SA ?? ?? ?? ?? ?? ?? ?? ??"), *plays("F-D2 M-DK B-D3"), *agreed(5, 4, 0)]
FIVE = "SA H7 CA HA HK D2 D3 D4 D5"
FIRST, *OTHERS = leading(FIVE, 5)

# What is paid is held against the slow model, too, and in golden/ by `test_examples`.
PAYS: dict[str, tuple[list[Event], str]] = {
    "one against four and four": (of_slip("play", "1-4-4"), "bete -20 0 0"),
    "codille by nobody knows whom": (of_slip("play", outcome="codille"), "open"),
    "a pool not written down": (of_slip("play", "5-4-0", pool=None), "won 10 -5 -5"),
    # Primeras
    "the first five": (tops(), "won 24 -7 -7"),  # base 5, primeras 1, one estuche
    "extras on a slip": (of_slip("solo", "5-4-0", primeras=True, estuches=3), "won 34 -12 -12"),
    "the first tricks missing": ([*ombre(hand=FIVE), {**FIRST, "trick": 3}, *OTHERS], "open"),
    # Estuches
    "estuches bought": (BOUGHT + agreed(5, 4, 0), "won 14 -7 -7"),
    "estuches that nobody saw": (HALF_KNOWN, "open"),
    "estuches of unknown trumps": (NO_TRUMP + plays("F-D2 M-DK B-D7") + agreed(5, 4, 0), "open"),
    # The vole
    "all nine": (tops(ALL_TOPS, 9), "won 80 -35 -35"),
    "six": (tops(FIVE_TOPS, 5, *plays("F-D2 M-DK B-D6")), "won -48 29 29"),
    "the lead to the sixth": (tops(FIVE_TOPS, 5, *plays("F-D2")), "open"),
}


@pytest.mark.parametrize("name", PAYS)
def test_what_ombre_pays(name: str) -> None:
    events, expected = PAYS[name]
    assert payment(events) == expected


@pytest.mark.parametrize(
    ("hand", "estuches"),
    [
        ("SA D2 D3 D4 D5 D6 DJ DQ DK", 1),
        ("SA H7 CA HA HK D2 D3 D4 D5", 5),
        ("SA H7 CA HA HK HQ HJ H2 D2", 5),  # never more than five
        ("SA CA HA HK D2 D3 D4 D5 D6", 1),  # the row is broken at manille
        ("H7 CA HA D2 D3 D4 D5 D6 DJ", 1),  # spadille alone is lacking
        ("H6 D2 D3 D4 D5 D6 DJ DQ DK", 5),
    ],
)
def test_estuches_held_or_lacked_in_a_row_from_spadille(hand: str, estuches: int) -> None:
    events = ombre(hand=hand) + plays(f"F-{hand.split()[-1]} M-H5 B-C2") + agreed(5, 4, 0)
    each = 5 + estuches
    assert (findings(events), payment(events)) == ("", f"won {10 + 2 * each} {-each} {-each}")


FOUR: Json = {"players": {**PLAYERS, "sitting_out": ["Dora"]}}


@pytest.mark.parametrize(
    ("count", "payments", "after"),
    [("5-4-0", (25, -5, -5, -5), 0), ("4-4-1", (-25, 0, 0, 0), 35), ("2-4-3", (-25, 25, 0, 0), 10)],
)
def test_who_sits_out_pays_and_receives_as_an_opponent(count: str, payments: Any, after: int) -> None:
    events = of_slip("play", count, opening=FOUR)
    result = score_after(events)
    assert (tuple(result["payments"].values()), result["pool"]["after"]) == (payments, after)
    assert findings([*events, settled(**result["payments"])]) == ""


def tresillo(favoured: str = "none", *hands: str, **more: Any) -> list[Event]:
    """A deal with ten fichas in the dish."""
    return a_deal(*hands, ruleset="tresillo", pool=10, switches={"favoured-suit": favoured}, **more)


def won(contract: str, favoured: str = "S", *hands: str) -> list[Event]:
    return tresillo(favoured, *hands) + bids(f"F {contract}, M pass, B pass")


GAME = won("play", "none") + names("F", "play", "H") + stands()
OFFER: Event = {"type": "surrender_offered", "seat": F}
TAKEN: Event = {"type": "surrender_answered", "seat": M, "answer": "forbid"}
NINE = swap("M", "H2 H3 H4 H5 H6 D2 D3 D4 D5", "C2 C3 C4 C5 C6 C7 CJ CQ CK")
HAND, SPADES = "SA S2 CA SK SQ SJ HK DK CK", "S3 S4 S5 H2 H3 H4 D2 D3 D4"
FAVOURED_SOLO = [
    *won("favoured-solo", "S", HAND, SPADES), *names("F", "favoured-solo"), *stands("M B"),
    *plays("F-SA M-S3 B-S6 F-S2 M-S4 B-S7 F-CA M-S5 B-H5 F-SK M-H2 B-H6 F-SQ M-H3 B-HJ"),
]  # fmt: skip

FOUND: dict[str, tuple[list[Event], str]] = {
    "each favoured game outbids its like": (
        tresillo("C") + bids("F play, M favoured-play, B voltereta, F solo, M favoured-solo"),
        "",
    ),
    "play over favoured play": (tresillo("C") + bids("F favoured-play, M play"), "bid_too_low"),
    "the favoured suit by the other": (won("play") + names("F", "play", "S"), "contract_not_allowed"),
    "the favoured suit by its own": (won("play") + names("F", "favoured-play"), ""),
    "another suit than was bid": (won("favoured-play") + names("F", "play", "H"), "contract_not_allowed"),
    "nine bought against a solo": (
        won("favoured-solo") + names("F", "favoured-solo") + NINE,
        "6 exchange_count",
    ),
    "a favoured solo played": (FAVOURED_SOLO, ""),
    "an opponent goes on": ([*GAME, *tricks("MMM"), OFFER, TAKEN, *tricks("MMMMM")[9:]], ""),
}


@pytest.mark.parametrize("name", FOUND)
def test_what_is_found_in_tresillo(name: str) -> None:
    events, expected = FOUND[name]
    assert findings(events) == expected


def test_where_no_suit_is_favoured_nobody_can_bid_it() -> None:
    assert due_after(tresillo())["calls"] == ["pass", "play", "solo", "voltereta"]
    assert legal_after(tresillo("X")) == legal_after(tresillo())


KINGS = "SA SK SQ HK HQ H7 DK CK C7"
BASTI = "CA S2 S3 S4 C2 C3 H2 H3 D2"
REST = "S5 S6 S7 SJ H4 H5 D3 D4 C4"


def lomber(*hands: str, **switches: object) -> list[Event]:
    return a_deal(*hands, ruleset="lomber", switches=switches)


def contracted(contract: str, *hands: str) -> list[Event]:
    return lomber(*hands) + bids(f"F {contract}, M pass, B pass")


def grandissimo(*hands: str) -> list[Event]:
    return contracted("grandissimo", *hands) + names("F", "grandissimo") + stands("M B")


KUPP = contracted("simple-nolo") + names("F", "simple-nolo") + stands("F")
COURSE = "F-SA M-CA B-S5 F-SK M-S2 B-S6 F-HK M-H2 B-H4 F-DK M-D2 B-D3 F-CK M-C2 B-C4"
SPADDA_LED = grandissimo(KINGS, BASTI, REST) + plays("F-SA")
BASTI_LED = grandissimo(BASTI, KINGS, REST) + plays("F-CA")

IN_LOMBER: dict[str, tuple[list[Event], str]] = {
    "the younger says the same": (lomber() + bids("F simple, M tourne, F self, M self"), "bid_not_allowed"),
    "spil becomes grandissimo": (contracted("simple") + names("F", "grandissimo"), "contract_not_allowed"),
    "spadda and the four kings": (grandissimo(KINGS, BASTI, REST) + plays(COURSE), ""),
    "the declarer buys": (grandissimo()[:-2] + swap("F", "H2"), "exchange_not_allowed"),
    "the others buy": (grandissimo()[:-2] + swap("M", "H2", "H3") + swap("B", "D2", "D3"), ""),
    "basti withheld from spadda": (SPADDA_LED + plays("M-S2"), "revoke"),
    "spadda withheld from basti": (BASTI_LED + plays("M-C7 B-C4"), ""),
    "another buys in kupp": (KUPP + swap("M", "H2"), "exchange_not_allowed"),
    "grandissimo given up": ([*grandissimo(), given_up("F")], "abandon_not_allowed"),
}


@pytest.mark.parametrize("name", IN_LOMBER)
def test_what_is_found_in_lomber(name: str) -> None:
    events, expected = IN_LOMBER[name]
    assert findings(events) == expected


@pytest.mark.parametrize(
    ("most", "taken", "each"), [(0, 2, 3), (0, 3, 4), (0, 9, 10), (4, 2, 3), (4, 4, 4), (4, 5, 4), (5, 9, 5)]
)
def test_a_lost_kupp_costs_one_more_for_each_trick_up_to_the_limit(most: int, taken: int, each: int) -> None:
    deal = [*lomber(**{"kupp-most": most}), slip("F", "simple-nolo", f"{taken}-{9 - taken}-0")]
    assert payment(deal) == f"codille {-2 * each} {each} {each}"


PASS = "F pass, M pass, B pass"
HANDS = ("SA D2 D3 D4 D5 D6 DJ DQ DK", "C2 C3 C4 C5 C6 C7 CJ CQ CK", "S2 S3 S4 S5 S6 S7 SJ SQ SK")
EIGHT = " ".join(["??"] * 8)


def having(*extras: str, hands: tuple[str, ...] = (), switches: dict[str, Any] | None = None) -> list[Event]:
    """A deal with ten fish in the pool, in which these extras are agreed."""
    switches = {**dict.fromkeys(extras, True), **(switches or {})}
    return a_deal(*hands, ruleset="ombre", pool=10, switches=switches)


def called(words: str, *extras: str, hands: tuple[str, ...] = ()) -> list[Event]:
    return having(*extras, hands=hands) + bids(words)


GASCARILLE = called(f"{PASS}, F gascarille", "gascarille")
EXCHANGED = GASCARILLE + names("F", "gascarille") + swap("F", EIGHT, EIGHT)
COUNTERVOLE = called(f"{PASS}, B countervole", "countervole", hands=HANDS)
FORCED = called(PASS, "forced-spadille", hands=HANDS)
BOTH = called(PASS, "forced-spadille", "gascarille", hands=HANDS)
SHOWN = [*called(PASS, "forced_spadille"), cards_shown("M", "SA")]


def vole(hand: str = ALL_TOPS) -> list[Event]:
    deal = called("F vole, M pass, B pass", "vole-challenge", hands=(hand,))
    return deal + names("F", "solo", "H") + stands("M B")


FIVE_WON = vole() + leading(ALL_TOPS, 5)
EXTRAS: dict[str, tuple[list[Event], str]] = {
    "an extra not agreed": (called(f"{PASS}, F gascarille"), "wrong_phase"),
    "an extra before all have passed": (called("F gascarille", "gascarille"), "bid_not_allowed"),
    "self then": (called(f"{PASS}, M self", "gascarille"), "bid_not_allowed"),
    "gascarille": ([*EXCHANGED, trumps("F", "H"), *stands("M B")], ""),
    "a defender before trumps": (GASCARILLE + swap("F", EIGHT, EIGHT) + stands("M"), "wrong_seat"),
    "countervole in a singleton": (COUNTERVOLE + names("B", "countervole", "S"), ""),
    "countervole in a void": (COUNTERVOLE + names("B", "countervole", "H"), "contract_not_allowed"),
    "spadille forced": (FORCED + names("F", "play", "H"), ""),
    "spadille forced, another names": (FORCED + names("M", "play", "H"), "contract_not_allowed, wrong_seat"),
    "spadille shown": ([*SHOWN, *names("M", "play", "H"), *stands("M B F")], ""),
    "spadille forced after an extra": (BOTH + bids(PASS) + names("F", "play", "H"), ""),
    "favor over higher": (called("F play, M higher, B favor", "favor"), "bid_too_low"),
    "favor not agreed": (called("F play, M favor"), "bid_not_allowed"),
    "a vole over oros": (called("F oros, M vole, B pass, F pass", "vole-challenge"), ""),
    "a vole surrendered": ([*FIVE_WON, {"type": "surrender_offered", "seat": F}], "abandon_not_allowed"),
    "a switch unknown": (having("nonsense"), "unknown_switch"),
    "a number for a switch": (having(switches={"gascarille": 1}), "unknown_switch"),
}


@pytest.mark.parametrize("name", EXTRAS)
def test_what_is_found_where_extras_are_agreed(name: str) -> None:
    events, expected = EXTRAS[name]
    assert findings(events) == expected
    if expected == "unknown_switch":
        assert turn([*events, *bids(PASS)]) == "over"


@pytest.mark.parametrize(
    ("limit", "seat", "after", "reserved", "expected"),
    [
        (10, "", 10, [20], ""),
        (11, "", 30, [], ""),
        (11, F, 10, [20], "reserve_not_allowed"),
        (0, F, 10, [20], ""),
        (0, M, 30, [], "reserve_not_allowed"),
    ],
)
def test_a_puesta_is_set_aside_from_the_agreed_pool_on_or_by_an_entry(
    limit: int, seat: str, after: int, reserved: list[int], expected: str
) -> None:
    events = [*having(switches={"reserve-at": limit}), slip("F", "play", "4-4-1", trump="H")]
    events += [{"type": "puesta_reserved", "seat": seat}] if seat else []
    assert score_after(events)["pool"] == {"before": 10, "after": after, "reserved": reserved}
    assert findings(events) == expected


@pytest.mark.parametrize("most", [9, 3])
def test_the_limit_of_estuches_is_a_house_rule(most: int) -> None:
    deal = having(hands=(ALL_TOPS,), switches={"estuches-most": most}) + bids("F solo, M pass, B pass")
    deal += names("F", "solo", "H") + stands("M B") + leading(ALL_TOPS, 5)
    each = 8 + 1 + most
    assert payment(deal) == f"won {10 + 2 * each} {-each} {-each}"


def offered(seat: str = F) -> Event:
    return {"type": "surrender_offered", "seat": seat}


def answer(seat: str, word: str) -> Event:
    return {"type": "surrender_answered", "seat": seat, "answer": word}


def ombre_game(winners: str = "", *more: Event, players: dict[str, list[str]] | None = None) -> list[Event]:
    """Forehand plays in hearts; ten fish in the pool; these tricks have been won."""
    return [*ombre(hand="", players=players or {}), *tricks(winners), *more]


FORBIDDEN = [offered(), answer(M, "forbid")]
ACCEPTED = [offered(), answer(M, "accept"), answer(B, "accept")]


def taken(earlier: str, later: str) -> list[Event]:
    """After ``earlier`` tricks middlehand forbids the surrender, and wins or loses the ``later`` ones."""
    return ombre_game(earlier, *FORBIDDEN, *tricks(earlier + later)[3 * len(earlier) :])


TWINS = taken("FFM", "FFMMMB")
SURRENDERS: dict[str, tuple[list[Event], str]] = {
    "after three tricks": (ombre_game("FMB", offered()), ""),
    "in the fourth": ([*ombre_game("FMB"), *plays("B-SJ"), offered()], "abandon_not_allowed"),
    "before the exchange": ([*ombre_game()[:-3], offered()], "abandon_not_allowed"),
    "after its own exchange": ([*ombre_game()[:-3], *swap("F", "?? ??", "?? ??"), offered()], ""),
    "twice": (ombre_game("", offered(), offered()), "abandon_not_allowed"),
    "answered without an offer": (ombre_game("", answer(M, "accept")), "wrong_phase"),
    "answered by who offers": (ombre_game("", offered(), answer(F, "accept")), "wrong_seat"),
    "by the new ombre": (ombre_game("", *FORBIDDEN, offered(M)), "abandon_not_allowed"),
    "answered when forbidden": (ombre_game("", *FORBIDDEN, answer(B, "accept")), "wrong_phase"),
    "accepted": (ombre_game("MB", *ACCEPTED), ""),
    "twins set aside": ([*TWINS, {"type": "puesta_reserved", "seat": M}], ""),
    "under rules that know none": ([*a_deal(), offered()], "abandon_not_allowed"),
}


@pytest.mark.parametrize("name", SURRENDERS)
def test_when_a_surrender_is_allowed(name: str) -> None:
    events, expected = SURRENDERS[name]
    assert findings(events) == expected
    if events[-1] == offered():
        assert asked(events[:-1], "surrender") == ("" if expected else "F")


def test_who_forbids_a_surrender_becomes_ombre_in_the_same_contract() -> None:
    assert asked(ombre_game("", offered()), "answer") == "B M"
    told = state_after(ombre_game("", *ACCEPTED[:2]))["surrender"]
    assert told == {"seat": F, "accepted": [M], "forbidden_by": None}
    state = state_after(ombre_game("M", *FORBIDDEN))
    assert (state["declarer"], state["contract"], state["trump"], state["to_act"]) == (M, "play", "H", M)

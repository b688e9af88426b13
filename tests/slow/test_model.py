"""The slow model held against examples that a player would recognise, and against itself on random deals."""

import random
from collections import Counter

import pytest

from tests.slow import generator, model
from tests.slow.faults import FAULTS
from tests.slow.model import Event

F, M, B = "forehand", "middlehand", "backhand"
SEAT = {"F": F, "M": M, "B": B}
GAMES = ["simple", "spade-game", "tourne", "grand-tourne", "solo", "spade-solo"]
ALL_BIDS = {*GAMES, "simple-nolo", "pure-nolo", "nolo-ouvert"}


def opened(forehand: str = "", middlehand: str = "", backhand: str = "") -> list[Event]:
    """A deal of which some hands are known."""
    events: list[Event] = [{"type": "deal_opened", "ruleset": "dlu", "players": {F: "A", M: "B", B: "C"}}]
    for seat, hand in ((F, forehand), (M, middlehand), (B, backhand)):
        if hand:
            events.append({"type": "hand_dealt", "seat": seat, "cards": hand.split()})
    return events


def said(words: str) -> list[Event]:
    """An auction as one would say it: "F simple, M pass"."""
    calls = [word.split() for word in words.split(", ")] if words else []
    return [{"type": "bid_made", "seat": SEAT[seat], "bid": bid} for seat, bid in calls]


def named(seat: str, contract: str, trump: str | None = None) -> list[Event]:
    event: Event = {"type": "contract_named", "seat": SEAT[seat], "contract": contract}
    return [{**event, "trump": trump} if trump else event]


def swap(seat: str, discarded: str = "", drawn: str = "") -> list[Event]:
    """A discard and its draw; without cards the seat stands."""
    events: list[Event] = [{"type": "cards_discarded", "seat": SEAT[seat], "cards": discarded.split()}]
    if drawn:
        events.append({"type": "cards_drawn", "seat": SEAT[seat], "cards": drawn.split()})
    return events


def plays(words: str) -> list[Event]:
    """Cards as they fall: "F-H4 M-H5 B-SK"."""
    pairs = [word.split("-") for word in words.split()]
    return [{"type": "card_played", "seat": SEAT[seat], "card": card} for seat, card in pairs]


def to_do(events: list[Event]) -> tuple[str | None, str]:
    due = model.legal(events)
    assert due is not None
    return due["seat"], due["action"]


# --- Cards ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("suit", "trump", "order"),
    [
        ("S", "S", "SA S2 CA SK SQ SJ S7 S6 S5 S4 S3"),
        ("C", "C", "SA C2 CA CK CQ CJ C7 C6 C5 C4 C3"),
        ("H", "H", "SA H7 CA HA HK HQ HJ H2 H3 H4 H5 H6"),
        ("D", "D", "SA D7 CA DA DK DQ DJ D2 D3 D4 D5 D6"),
        ("S", "H", "SK SQ SJ S7 S6 S5 S4 S3 S2"),
        ("C", "S", "CK CQ CJ C7 C6 C5 C4 C3 C2"),
        ("D", "C", "DK DQ DJ DA D2 D3 D4 D5 D6 D7"),
        ("S", None, "SK SQ SJ S7 S6 S5 S4 S3 S2 SA"),
        ("H", None, "HK HQ HJ HA H2 H3 H4 H5 H6 H7"),
    ],
)
def test_the_cards_rank_as_in_the_rules(suit: str, trump: str | None, order: str) -> None:
    assert model.order_of_suit(suit, trump) == order.split()


@pytest.mark.parametrize(
    ("trump", "led", "hand", "playable"),
    [
        pytest.param(
            "H", "H7", "SA CA CK", "CA CK SA", id="spadille beats the manille led: both matadors free"
        ),
        pytest.param("H", "H7", "CA CK D2", "CA", id="basta does not beat the manille led"),
        pytest.param("H", "H4", "CA CK D2", "CA CK D2", id="basta beats a low trump led"),
        pytest.param("H", "SA", "H7 CK D2", "H7", id="manille is compelled by spadille"),
        pytest.param("H", "SA", "H7 CA D2", "CA H7", id="both lower matadors: one of them must fall"),
        pytest.param("H", "H7", "SA CK", "CK SA", id="spadille is never compelled"),
        pytest.param("H", "CA", "H7 CK", "CK H7", id="manille beats the basta led"),
        pytest.param("H", "H4", "CA H3 CK", "CA H3", id="another trump besides: no privilege"),
        pytest.param("H", "H4", "HA CK", "HA", id="ponto is no matador"),
        pytest.param("C", "CK", "C2 SA D3", "C2 D3 SA", id="black trumps: the two is manille"),
        pytest.param("C", "C7", "C3 SA D3", "C3 SA", id="black trumps: the three is not"),
        pytest.param("H", "CA", "H2 CK", "H2", id="basta led asks for trumps, not for clubs"),
        pytest.param("H", "CK", "CA SK", "CA SK", id="basta is no club"),
        pytest.param("H", "SK", "SA S3 H2", "S3", id="nor spadille a spade"),
        pytest.param("H", "D5", "SA S3 H2", "H2 S3 SA", id="void: anything"),
        pytest.param(None, "SK", "SA H2", "SA", id="nolo: the ace of spades is a spade"),
        pytest.param(None, "CA", "CK H2", "CK", id="nolo: the ace of clubs is a club"),
        pytest.param("H", None, "SA H2 D4", "D4 H2 SA", id="the leader leads what he likes"),
    ],
)
def test_who_must_follow(trump: str | None, led: str | None, hand: str, playable: str) -> None:
    assert model.playable(hand.split(), led, trump) == playable.split()


def test_the_privilege_begins_when_the_low_trumps_are_gone() -> None:
    deal = opened(
        "H4 H3 H2 S3 S4 S5 D2 D3 D4", "CA H5 CK CQ CJ C7 C6 C5 C4", "SK SQ SJ D5 D6 D7 DK DQ C3"
    ) + said("F simple, M pass, B pass")
    deal += named("F", "simple", "H") + swap("F") + swap("M") + swap("B") + plays("F-H4")
    assert model.legal(deal) == {"seat": M, "action": "play", "cards": ["CA", "H5"]}
    deal += plays("M-H5 B-SK F-H3")
    assert model.legal(deal)["cards"] == ["C4", "C5", "C6", "C7", "CA", "CJ", "CK", "CQ"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("trump", "trick", "winner"),
    [
        ("H", "F-SK M-S7 B-SQ", F),
        ("H", "F-SK M-H6 B-SQ", M),
        ("H", "F-SK M-H6 B-CA", B),
        ("H", "F-D7 M-D2 B-DA", B),
        ("S", "F-S2 M-CA B-SA", B),
        ("D", "F-S2 M-C3 B-S3", B),
        (None, "F-S2 M-SA B-DK", F),
        (None, "M-HA B-HJ F-CK", B),
    ],
)
def test_who_takes_the_trick(trump: str | None, trick: str, winner: str) -> None:
    assert model.trick_winner([(event["seat"], event["card"]) for event in plays(trick)], trump) == winner


# --- Auction ----------------------------------------------------------------------------------------


def test_forehand_speaks_first_as_soon_as_the_deal_is_opened() -> None:
    legal = {"seat": F, "action": "bid", "calls": sorted({"pass", *ALL_BIDS} - {"grand-tourne"})}
    assert model.legal(opened()) == legal


@pytest.mark.parametrize(
    ("words", "seat", "calls"),
    [
        ("F simple", M, "nolo-ouvert pass pure-nolo simple-nolo solo spade-game spade-solo tourne"),
        ("F pass", M, "nolo-ouvert pass pure-nolo simple simple-nolo solo spade-game spade-solo tourne"),
        ("F simple, M spade-game", F, "nolo-ouvert pass pure-nolo self simple-nolo solo spade-solo tourne"),
        (
            "F simple, M spade-game, F self",
            M,
            "nolo-ouvert pass pure-nolo simple-nolo solo spade-solo tourne",
        ),
        ("F simple, M tourne", F, "nolo-ouvert pass pure-nolo self solo spade-solo"),
        ("F spade-solo", M, "nolo-ouvert pass"),
        ("F simple, M nolo-ouvert", F, "pass self"),
        ("F simple, M nolo-ouvert, F self", M, "pass"),
        ("F simple, M pass", B, "nolo-ouvert pass pure-nolo simple-nolo solo spade-game spade-solo tourne"),
        ("F simple, M pass, B solo", F, "nolo-ouvert pass pure-nolo self spade-solo"),
        ("F simple, M solo, F pass, B spade-solo", M, "nolo-ouvert pass self"),
        ("F pass, M solo, B pure-nolo, M self", B, "nolo-ouvert pass"),
        (
            "F pass, M pass",
            B,
            "nolo-ouvert pass pure-nolo simple simple-nolo solo spade-game spade-solo tourne",
        ),
    ],
)
def test_two_duels(words: str, seat: str, calls: str) -> None:
    assert model.legal(opened() + said(words)) == {"seat": seat, "action": "bid", "calls": calls.split()}


def test_an_elder_who_repeats_the_bid_has_said_self() -> None:
    deal = opened() + said("F simple, M solo, F solo")
    assert model.legal(deal) == model.legal(opened() + said("F simple, M solo, F self"))
    assert to_do(deal + said("M pass, B pass")) == (F, "name")


def test_grand_tourne_is_for_one_dealt_both_black_aces() -> None:
    aces = opened(middlehand="SA CA H2 H3 H4 D2 D3 D4 S3")
    assert "grand-tourne" not in model.legal(aces)["calls"]  # type: ignore[index]
    assert "grand-tourne" in model.legal(aces + said("F tourne"))["calls"]  # type: ignore[index]
    assert model.legal(aces + said("F tourne, M grand-tourne")) == {
        "seat": F,
        "action": "bid",
        "calls": ["nolo-ouvert", "pass", "pure-nolo", "solo", "spade-solo"],  # and no self
    }


def test_all_pass_and_nothing_is_paid() -> None:
    deal = opened() + said("F pass, M pass, B pass")
    assert model.legal(deal) is None
    assert model.score(deal) == {
        "decided": True,
        "outcome": "passed_out",
        "contract": None,
        "declarer": None,
        "tricks": {F: 0, M: 0, B: 0},
        "slam": None,
        "payments": {F: 0, M: 0, B: 0},
        "pool": None,
    }


# --- Contract, talon, exchange ----------------------------------------------------------------------


def test_simple_may_become_one_of_four_contracts() -> None:
    assert model.legal(opened() + said("F pass, M pass, B simple")) == {
        "seat": B,
        "action": "name",
        "contracts": [
            {"contract": "simple", "trumps": ["C", "D", "H"]},
            {"contract": "simple-nolo", "trumps": []},
            {"contract": "spade-game", "trumps": ["S"]},
            {"contract": "tourne", "trumps": []},
        ],
    }


@pytest.mark.parametrize("bid", sorted(ALL_BIDS - {"simple"}))
def test_every_other_bid_is_its_own_contract(bid: str) -> None:
    trumps = {"solo": ["C", "D", "H"], "spade-game": ["S"], "spade-solo": ["S"]}.get(bid, [])
    legal = {"seat": M, "action": "name", "contracts": [{"contract": bid, "trumps": trumps}]}
    assert model.legal(opened() + said(f"F pass, M {bid}, B pass")) == legal


@pytest.mark.parametrize(("card", "trump"), [("C6", "C"), ("SA", "S"), ("CA", "C"), ("H7", "H")])
def test_the_turned_card_makes_trumps_by_its_printed_suit(card: str, trump: str) -> None:
    deal = opened() + said("F tourne, M pass, B pass") + named("F", "tourne")
    assert model.legal(deal) == {"seat": None, "action": "turn"}
    deal.append({"type": "talon_turned", "card": card})
    assert model.fold(deal)["trump"] == trump
    assert model.legal(deal) == {"seat": F, "action": "exchange", "min": 2, "max": 9}


def test_declarer_exchanges_first_then_the_defenders_in_order_of_play() -> None:
    hand = "H2 H3 H4 H5 H6 D2 D3 D4 D5"
    deal = opened(middlehand=hand) + said("F pass, M simple, B pass") + named("M", "simple", "H")
    assert model.legal(deal) == {"seat": M, "action": "exchange", "min": 0, "max": 9}
    deal += swap("M", "D2 D3 D4")
    assert model.legal(deal) == {"seat": M, "action": "draw", "count": 3}
    deal += [{"type": "cards_drawn", "seat": M, "cards": ["C2", "C3", "C4"]}]
    assert model.legal(deal) == {"seat": B, "action": "exchange", "min": 0, "max": 9}
    deal += swap("B")
    assert model.legal(deal) == {"seat": F, "action": "exchange", "min": 0, "max": 9}
    assert to_do(deal + swap("F")) == (F, "play")


def test_a_defender_draws_what_is_left_and_the_last_is_skipped_when_nothing_is() -> None:
    deal = opened() + said("F spade-game, M pass, B pass") + named("F", "spade-game")
    deal += swap("F", "H2 H3 H4 H5 H6 D2 D3 D4 D5", "S2 S3 S4 S5 S6 S7 SJ SQ SK")
    assert model.legal(deal) == {"seat": M, "action": "exchange", "min": 0, "max": 4}
    deal += swap("M", "C2 C3 C4 C5", "D6 D7 DJ DQ")
    assert to_do(deal) == (F, "play")
    assert to_do(deal + swap("B")) == (F, "play")  # to say that he stands is no offence


@pytest.mark.parametrize(("declarer", "defenders"), [("F", "MB"), ("M", "FB"), ("B", "FM")])
def test_in_solo_who_sits_first_exchanges_first(declarer: str, defenders: str) -> None:
    words = ", ".join(f"{seat} {'spade-solo' if seat == declarer else 'pass'}" for seat in "FMB")
    deal = opened() + said(words) + named(declarer, "spade-solo")
    for seat in defenders:
        assert model.legal(deal) == {"seat": SEAT[seat], "action": "exchange", "min": 0, "max": 9}
        deal += swap(seat)
    assert to_do(deal) == (F, "play")


def test_in_nolo_only_the_declarer_of_a_simple_one_exchanges_and_he_must() -> None:
    deal = opened() + said("F pass, M pass, B simple") + named("B", "simple-nolo")
    assert model.legal(deal) == {"seat": B, "action": "exchange", "min": 1, "max": 9}
    assert to_do(deal + swap("B", "HK", "H7")) == (F, "play")
    for contract in ("pure-nolo", "nolo-ouvert"):
        assert to_do(opened() + said(f"F pass, M pass, B {contract}") + named("B", contract)) == (F, "play")


# --- What is paid -----------------------------------------------------------------------------------

# Nine tricks to which everybody can follow suit: nobody holds a heart, a black ace or the seven of diamonds,
# and the first card of each three takes it in every contract below (trumps hearts, spades, a turned diamond,
# none). With spades as trumps the two is manille.
TRIPLES = ["SK SQ SJ", "S7 S6 S5", "CK CQ CJ", "C7 C6 C5", "C4 C3 C2", "DK DQ DJ", "DA D2 D3", "D4 D5 D6"]
LAST_TRIPLE = {"S": "S2 S4 S3", "H": "S4 S3 S2"}


def played(contract: str, declarer: str, winners: str) -> list[Event]:
    """A legal deal in this contract whose tricks go to these seats ("FFM": forehand two, middlehand one)."""
    trump = "S" if contract in ("spade-game", "spade-solo") else "H"
    hands, tricks = _hands_and_tricks(winners, [*TRIPLES, LAST_TRIPLE[trump]])
    sold = {"simple-nolo": ["H2"], "tourne": ["H2", "H3"], "grand-tourne": ["SA", "CA"]}.get(contract, [])
    bought = sorted(hands[declarer])[-len(sold) - 2 :][: len(sold)]
    bought.sort(key=lambda card: card[0] != "D")
    dealt = {**hands, declarer: [card for card in hands[declarer] if card not in bought] + sold}
    deal = opened(*(" ".join(dealt[seat]) for seat in "FMB"))
    deal += said(", ".join(f"{seat} {contract if seat == declarer else 'pass'}" for seat in "FMB"))
    deal += named(declarer, contract, "H" if contract in ("simple", "solo") else None)
    if contract in ("tourne", "grand-tourne"):
        deal.append({"type": "talon_turned", "card": bought[0]})
    while (due := model.legal(deal)) and due["action"] == "exchange":
        buys = due["seat"] == SEAT[declarer] and sold
        seat = due["seat"][0].upper()
        deal += swap(seat, " ".join(sold), " ".join(bought)) if buys else swap(seat)
    return deal + [event for trick in tricks for event in trick]


def _hands_and_tricks(winners: str, triples: list[str]) -> tuple[dict[str, list[str]], list[list[Event]]]:
    hands: dict[str, list[str]] = {"F": [], "M": [], "B": []}
    tricks, leader = [], "F"
    for number, triple in enumerate(triples):
        winner = winners[number] if number < len(winners) else "F"
        cards = dict(zip(sorted("FMB", key=lambda seat: seat != winner), triple.split(), strict=True))
        for seat, card in cards.items():
            hands[seat].append(card)
        order = "FMBFM"[(first := "FMB".index(leader)) : first + 3]
        tricks.append(plays(" ".join(f"{seat}-{cards[seat]}" for seat in order)))
        leader = winner
    return hands, tricks[: len(winners)]


TABLE = """
simple       1 1 2
spade-game   1 1 2
simple-nolo  2 2 3
tourne       2 2 3
grand-tourne 3 3 4
solo         3 3 4
spade-solo   4 4 5
pure-nolo    4 4 5
nolo-ouvert  6 - 7
"""
ENDINGS = {  # tricks of forehand, the declarer, that make each outcome
    "game": {"won": "FFFFF", "bete": "FFFFMMMMB", "codille": "FFFMMMMBB"},
    "simple-nolo": {"won": "MMMMMBBBB", "bete": "MMMMMBBBF", "codille": "FMMMMFBBB"},
    "pure-nolo": {"won": "MMMMMBBBB", "bete": "MMMMMBBBF", "codille": "MBFF"},
    "nolo-ouvert": {"won": "BBBBBBBBB", "codille": "MF"},
}
PAID = [
    (contract, outcome, int(chips))
    for contract, *columns in map(str.split, TABLE.strip().splitlines())
    for outcome, chips in zip(("won", "bete", "codille"), columns, strict=True)
    if chips != "-"
]


@pytest.mark.parametrize(("contract", "outcome", "chips"), PAID)
def test_each_line_of_the_unions_table(contract: str, outcome: str, chips: int) -> None:
    deal = played(contract, "F", ENDINGS.get(contract, ENDINGS["game"])[outcome])
    check_legal(deal)
    score = model.score(deal)
    assert (model.legal(deal), score["decided"], score["outcome"]) == (None, True, outcome)
    gain = chips if outcome == "won" else -chips
    assert score["payments"] == {F: 2 * gain, M: -gain, B: -gain}
    assert (score["contract"], score["declarer"], score["slam"], score["pool"]) == (contract, F, None, None)


@pytest.mark.parametrize("contract", GAMES)
@pytest.mark.parametrize("declarer", ["F", "M", "B"])
@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        ((4, 3, 2), "won"),
        ((4, 4, 1), "bete"),
        ((4, 1, 4), "bete"),
        ((3, 3, 3), "bete"),
        ((1, 4, 4), "bete"),  # remis en quatre
        ((2, 4, 3), "codille"),
        ((3, 4, 2), "codille"),
        ((1, 5, 3), "codille"),
        ((0, 5, 4), "codille"),
        ((0, 9, 0), "codille"),
    ],
)
def test_who_has_most_tricks(contract: str, declarer: str, counts: tuple[int, ...], outcome: str) -> None:
    others = [seat for seat in "FMB" if seat != declarer]
    winners = "".join(seat * count for seat, count in zip([declarer, *others], counts, strict=True))
    deal = played(contract, declarer, winners)
    check_legal(deal)
    score = model.score(deal)
    assert (score["decided"], score["outcome"]) == (True, outcome)
    assert score["tricks"] == dict(zip([SEAT[declarer], *map(SEAT.__getitem__, others)], counts, strict=True))


def test_a_game_ends_with_declarers_fifth_trick_and_cards_played_on_do_not_count() -> None:
    assert to_do(played("solo", "F", "FFFF")) == (F, "play")
    won, on = played("solo", "F", "FFFFF"), played("solo", "F", "FFFFFMMMM")
    assert model.legal(won) is None
    assert model.legal(on) is None
    assert model.score(on) == model.score(won)
    assert model.score(on)["tricks"] == {F: 5, M: 0, B: 0}


@pytest.mark.parametrize(
    ("contract", "winners", "over"),
    [
        ("simple-nolo", "FF", False),  # played out
        ("simple-nolo", "FFFFFFFF", False),
        ("pure-nolo", "F", False),
        ("pure-nolo", "FF", True),
        ("nolo-ouvert", "MB", False),
        ("nolo-ouvert", "F", True),
        ("solo", "MMMMM", False),
        ("solo", "MMMMMMMMM", True),
    ],
)
def test_when_the_play_is_over(contract: str, winners: str, over: bool) -> None:
    assert (model.legal(played(contract, "F", winners)) is None) == over


@pytest.mark.parametrize(
    ("contract", "winners", "reachable"),
    [
        ("simple", "", {"won": 2, "bete": -2, "codille": -4}),
        ("simple", "FFFMMMBB", {"won": 2, "bete": -2, "codille": -4}),  # 4-3-2, 3-3-3 or 3-4-2
        ("simple", "FFFFMMMB", {"won": 2, "bete": -2}),  # 5-3-1 or 4-4-1
        ("solo", "MMMMBBBB", {"bete": -6, "codille": -8}),  # 1-4-4 or kruk
        ("simple-nolo", "MMMMMMMM", {"won": 4, "bete": -4}),
        ("simple-nolo", "F", {"bete": -4, "codille": -6}),
        ("nolo-ouvert", "MMMMMMMM", {"won": 12, "codille": -14}),
    ],
)
def test_undecided_says_what_can_still_come(contract: str, winners: str, reachable: dict[str, int]) -> None:
    score = model.score(played(contract, "F", winners))
    assert (score["decided"], score["outcome"], score["payments"]) == (False, None, None)
    assert score["reachable"] == {
        outcome: {F: chips, M: -chips // 2, B: -chips // 2} for outcome, chips in reachable.items()
    }


@pytest.mark.parametrize(
    ("contract", "winners", "outcome"),
    [
        ("simple", "FFFFMMBB", "won"),  # 5-2-2 or 4-3-2
        ("simple", "MMMMM", "codille"),
        ("simple", "FFMMMMB", None),  # 4-4-1 and even 3-4-2
        ("simple", "FFMMMMBB", "codille"),  # 3-4-2 or 2-4-3
        ("simple-nolo", "FF", "codille"),
    ],
)
def test_a_deal_may_be_decided_before_it_is_over(contract: str, winners: str, outcome: str | None) -> None:
    deal = played(contract, "F", winners)
    assert to_do(deal)[1] == "play"
    assert model.score(deal)["outcome"] == outcome
    assert ("reachable" in model.score(deal)) == (outcome is None)


def test_before_the_contract_is_named_nothing_can_be_said_of_payments() -> None:
    deal = opened() + said("F pass, M solo, B pass")
    score = model.score(deal)
    assert (score["declarer"], score["contract"], score["reachable"]) == (M, None, {})


# --- Giving up --------------------------------------------------------------------------------------


@pytest.mark.parametrize("contract", ["simple", "spade-game", "tourne", "grand-tourne"])
def test_a_small_game_may_be_given_up_as_bete_until_two_cards_are_played(contract: str) -> None:
    deal = played(contract, "M", "F")
    cards = len(deal)
    for length, pays in (
        (cards - 3, "bete"),
        (cards - 2, "bete"),
        (cards - 1, "codille"),
        (cards, "codille"),
    ):
        assert model.also(deal[:length])[0] == {"action": "abandon", "seat": M, "pays": pays}
        up = [*deal[:length], {"type": "deal_abandoned", "seat": M}]
        each = model.TARIFF[contract][pays]
        assert model.legal(up) is None
        assert model.score(up)["outcome"] == "abandoned"
        assert model.score(up)["payments"] == {F: each, M: -2 * each, B: each}


@pytest.mark.parametrize("contract", ["solo", "spade-solo", "simple-nolo", "pure-nolo", "nolo-ouvert"])
def test_solo_and_nolo_are_given_up_as_kruk(contract: str) -> None:
    deal = played(contract, "B", "")
    assert model.also(deal) == [{"action": "abandon", "seat": B, "pays": "codille"}]
    each = model.TARIFF[contract]["codille"]
    up = [*deal, {"type": "deal_abandoned", "seat": B}]
    assert model.score(up)["payments"] == {F: each, M: each, B: -2 * each}


def test_one_may_give_up_for_more_than_he_need() -> None:
    up = [*played("simple", "F", ""), {"type": "deal_abandoned", "seat": F, "pays": "codille"}]
    assert model.score(up)["payments"] == {F: -4, M: 2, B: 2}


def test_there_is_nothing_to_give_up_without_a_contract_or_after_the_end() -> None:
    assert model.also(opened() + said("F simple, M pass")) == []
    assert model.also(played("simple", "F", "FFFFF")) == []


# --- Random deals -----------------------------------------------------------------------------------


def allowed(before: list[Event], event: Event) -> bool:
    """Whether this event is a legal next one, by the answers of the model."""
    kind, due, state = event["type"], model.legal(before) if before else None, model.fold(before)
    if kind == "deal_opened":
        return not before
    if kind == "hand_dealt":
        others = {card for hand in state["dealt"].values() for card in hand}
        return len(event["cards"]) == 9 == len(set(event["cards"]) - others)
    if kind == "talon_laid":
        return {*event["cards"], *(c for hand in state["dealt"].values() for c in hand)} == set(model.PACK)
    if kind == "cards_shown":
        return set(event["cards"]) <= set(state["hands"][event["seat"]])
    if kind == "deal_settled":
        return bool(event["payments"] == model.score(before)["payments"])
    if kind == "deal_abandoned":
        open_now = model.also(before)[0]
        return event.get("pays") in (None, "codille", open_now["pays"]) and event["seat"] == open_now["seat"]
    if due is None or event.get("seat") != due["seat"]:
        return False
    return _fits(before, event, due, state)


def _fits(before: list[Event], event: Event, due: generator.Due, state: model.Deal) -> bool:
    act = (event["type"], due["action"])
    if act == ("bid_made", "bid"):
        return event["bid"] in due["calls"]
    if act == ("contract_named", "name"):
        trumps = {entry["contract"]: entry["trumps"] or [None] for entry in due["contracts"]}
        choices = trumps.get(event["contract"], [])
        return event.get("trump", choices[0] if len(choices) == 1 else "?") in choices
    if act == ("talon_turned", "turn"):
        return not any(event["card"] in hand for hand in state["hands"].values())
    if act == ("cards_discarded", "exchange"):
        held = set(event["cards"]) <= set(state["hands"][due["seat"]])
        return held and due["min"] <= len(event["cards"]) <= due["max"]
    if act == ("cards_drawn", "draw"):
        order = generator.talon_order(before, random.Random(0))
        laid = any(other["type"] == "talon_laid" for other in before)
        top = order[: due["count"]] if laid else [state["turned"]] if state["turned"] in order else []
        fresh = set(event["cards"]) <= set(order) and event["cards"][: len(top)] == top
        return fresh and len(event["cards"]) == due["count"]
    return act == ("card_played", "play") and event["card"] in due["cards"]


def check_legal(deal: list[Event]) -> None:
    for number, event in enumerate(deal):
        assert allowed(deal[:number], event), (number + 1, event, model.legal(deal[:number]))


@pytest.mark.parametrize("first", range(0, 300, 25))
def test_a_random_deal_is_legal_whole_and_pays_nobody_out_of_nothing(first: int) -> None:
    for seed in range(first, first + 25):
        talon = seed % 2 == 0
        deal = generator.random_deal(random.Random(seed), talon=talon)
        check_legal(deal)
        given = _cards_of(deal, "hand_dealt") + _cards_of(deal, "talon_laid" if talon else "cards_drawn")
        assert len(given) == len(set(given)), seed
        assert not talon or sorted(given) == sorted(model.PACK), seed
        assert (model.legal(deal), model.also(deal)) == (None, []), seed
        score = model.score(deal)
        assert score["decided"], seed
        assert sum(score["payments"].values()) == 0, seed


def _cards_of(deal: list[Event], kind: str) -> list[str]:
    return [card for event in deal if event["type"] == kind for card in event["cards"]]


def test_what_is_decided_stays_decided_and_what_comes_was_reachable() -> None:
    for seed in range(60):
        deal = generator.random_deal(random.Random(seed))
        final = model.score(deal)
        for length in range(4, len(deal)):
            score = model.score(deal[:length])
            if final["outcome"] == "abandoned" or score["contract"] is None:
                continue
            if score["decided"]:
                assert (score["outcome"], score["payments"]) == (final["outcome"], final["payments"])
            else:
                assert score["reachable"][final["outcome"]] == final["payments"]


def test_random_deals_show_the_whole_game() -> None:
    rng = random.Random(7)
    deals = [generator.random_deal(rng) for _ in range(500)]
    scores = [model.score(deal) for deal in deals]
    played_out = {(score["contract"], score["outcome"]) for score in scores}
    for contract in model.TARIFF:
        for outcome in ("won", "bete", "codille", "abandoned"):
            assert (contract, outcome) in played_out or (contract, outcome) == ("nolo-ouvert", "bete")
    assert (None, "passed_out") in played_out
    calls = [[event["bid"] for event in deal if event["type"] == "bid_made"] for deal in deals]
    assert any("self" in words for words in calls)
    assert max(map(len, calls)) >= 8
    sizes = Counter(len(e["cards"]) for deal in deals for e in deal if e["type"] == "cards_discarded")
    assert set(sizes) == set(range(10))


@pytest.mark.parametrize("contract", sorted(model.TARIFF))
def test_a_contract_can_be_asked_for(contract: str) -> None:
    for seed in range(10):
        deal = generator.random_deal(random.Random(seed), contract=contract)
        assert model.score(deal)["contract"] == contract
        shown = [event["cards"] for event in deal if event["type"] == "cards_shown"]
        if contract == "nolo-ouvert":
            lead = next(n for n, event in enumerate(deal) if event["type"] == "card_played")
            assert deal[lead + 1]["type"] == "cards_shown"
            assert len(deal[lead + 1]["cards"]) == (8 if model.score(deal)["declarer"] == F else 9)
        elif contract == "grand-tourne":
            assert shown == [["SA", "CA"]]


@pytest.mark.parametrize("action", ["bid", "name", "turn", "exchange", "draw", "play"])
def test_a_deal_breaks_off_where_asked(action: str) -> None:
    for seed in range(5):
        deal = generator.random_deal(random.Random(seed), contract="tourne", talon=True, stop=action)
        assert to_do(deal)[1] == action
        assert len([event for event in deal if event["type"] in ("hand_dealt", "talon_laid")]) == 4
        assert len(generator.random_deal(random.Random(seed), stop=6)) == 6


def test_a_recorder_who_sees_less_writes_no_card_wrong() -> None:
    hidden: Counter[str] = Counter()
    for seed in range(100):
        rng = random.Random(seed)
        deal = generator.random_deal(rng, talon=True)
        seen = generator.hide(deal, rng)
        whole = iter(deal)
        for event in seen:
            truth = next(other for other in whole if _same_but_for_cards(event, other))
            for card, true in zip(_cards(event), _cards(truth), strict=True):
                assert card in (true, "??", true[0] + "?")
                hidden[f"{event['type']} {card[1]}"] += card != true
        left_out = Counter(event["type"] for event in deal)
        left_out.subtract(event["type"] for event in seen)
        hidden.update(left_out)
        assert {kind for kind, count in left_out.items() if count} <= {"hand_dealt", "talon_laid"}
    veiled = ["hand_dealt", "talon_laid", "cards_discarded", "cards_drawn", "card_played"]
    assert all(hidden[f"{kind} ?"] for kind in veiled)
    assert hidden["hand_dealt"]
    assert hidden["talon_laid"]
    assert not hidden["cards_shown ?"]
    assert not hidden["talon_turned ?"]


def _cards(event: Event) -> list[str]:
    return [event["card"]] if "card" in event else event.get("cards", [])


def _same_but_for_cards(event: Event, other: Event) -> bool:
    rest, others = ({k: v for k, v in e.items() if k not in ("card", "cards")} for e in (event, other))
    return rest == others


# --- Faults -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_planted_fault_is_the_only_one(name: str) -> None:
    for seed in range(15):
        events, seq, codes = FAULTS[name](random.Random(seed))
        faulty = {
            number for number, event in enumerate(events, 1) if not allowed(events[: number - 1], event)
        }
        undue_draw = {seq + 1} if codes == {"exchange_not_allowed"} else set()
        assert faulty == {seq} | undue_draw, seed


def test_a_deal_goes_on_after_most_faults() -> None:
    breaking_off = {name for name in FAULTS if all(_breaks_off(name, seed) for seed in range(5))}
    assert breaking_off == {
        "bid_out_of_turn",
        "bid_after_pass",
        "contract_by_a_loser",
        "abandoned_too_late",
        "nolo_abandoned_as_bete",
        "solo_abandoned_as_bete",
        "wrong_settlement",
    }


def _breaks_off(name: str, seed: int) -> bool:
    events, seq, _ = FAULTS[name](random.Random(seed))
    return len(events) == seq

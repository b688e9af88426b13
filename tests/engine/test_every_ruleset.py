"""What every ruleset knows in its own way: slips, claims, rulings, fouls, slams, giving up, nolo ouvert."""

from typing import Any

import pytest

from engine.rulesets import PUBLISHED, find
from engine.rulesets.model import Ruleset
from tests.slow import model as slow
from tests.slow import ombre_model
from tests.slow.rulesets import RULESETS as DANISH
from tests.slow.rulesets import rules_of
from tests.support.engine.shorthand import (
    B,
    Event,
    F,
    M,
    answered,
    claimed,
    due_after,
    found,
    given_up,
    legal_after,
    named,
    opened,
    paid,
    plays,
    said,
    score_after,
    slip,
    stands,
    swap,
    tricks,
)

RULESETS = {rules.ruleset.id: rules.ruleset for rules in PUBLISHED}
POOLED = sorted(name for name, ruleset in RULESETS.items() if ruleset.pool is not None)
COUNTS = {"won": "5-2-2", "bete": "4-4-1", "codille": "2-5-2"}


def first_game(ruleset: Ruleset) -> str:
    return "play" if ruleset.pool is not None else "simple"


def game(ruleset: str, winners: str = "", **more: Any) -> list[Event]:
    """Forehand plays the lowest game in hearts; nobody buys who need not; these tricks are played."""
    contract = first_game(RULESETS[ruleset])
    fields: dict[str, Any] = {"pool": 10, **more} if ruleset in POOLED else more
    deal = opened(ruleset=ruleset, **fields)
    deal += said(f"F {contract}, M pass, B pass") + named("F", contract, "H")
    order = "B M" if RULESETS[ruleset].defender_order == "against-order-of-play" else "M B"
    buys = swap("F", "??", "??") if ruleset == "dlu-tournament" else stands("F")
    return deal + buys + stands(order) + tricks(winners)


# --- Slips ----------------------------------------------------------------------------------------


def slips_of_the_family() -> list[tuple[str, str, str]]:
    return [
        (ruleset, contract, outcome)
        for ruleset, rules in DANISH.items()
        for contract in rules["payments"]
        for outcome in ("won", "bete", "codille")
    ]


def test_a_slip_is_paid_as_the_slow_model_has_it(subtests: pytest.Subtests) -> None:
    for ruleset, contract, outcome in slips_of_the_family():
        with subtests.test(ruleset=ruleset, contract=contract, outcome=outcome):
            nolo = contract in slow.NOLO
            ouvert = DANISH[ruleset]["ouvert"] == 1 and contract == "nolo-ouvert"
            if ouvert and outcome == "bete":
                continue  # one trick is kodille there already
            own = {"won": 0, "bete": 1, "codille": 1 if ouvert else 2}[outcome]
            counts = f"{own}-{9 - own}-0" if nolo else COUNTS[outcome]
            deal = {
                "contract": contract,
                "declarer": F,
                "rules": rules_of({"ruleset": ruleset, "players": {}}),
            }
            due = slow.payments_of(deal, outcome, {F: int(counts[0]), M: 0, B: 0})
            told = score_after([*opened(ruleset=ruleset), slip("F", contract, counts)])
            if None in due.values():
                assert not told["decided"]
            else:
                assert (told["outcome"], told["payments"]) == (outcome, due)


@pytest.mark.parametrize("contract", ombre_model.BASE)
def test_a_slip_round_the_pool(contract: str) -> None:
    extra: dict[str, Any] = (
        {"switches": {contract: True}} if contract in ("favor", "gascarille", "countervole") else {}
    )
    base, counts = ombre_model.BASE[contract], "0-5-4" if contract == "countervole" else "5-2-2"
    deal = opened(ruleset="ombre", pool=10, **extra)
    assert paid([*deal, slip("F", contract, counts)]) == ("won", [10 + 2 * base, -base, -base])
    lost = slip("F", contract, "1-8-0" if contract == "countervole" else "4-4-1")
    assert paid([*deal, lost]) == ("bete", [-10 - 2 * base, 0, 0])
    assert found([*deal, lost]) == []


def test_a_slip_of_an_extra_that_was_not_agreed_is_told() -> None:
    for contract in ("favor", "gascarille", "countervole"):
        deal = [*opened(ruleset="ombre", pool=10), slip("F", contract, "5-4-0")]
        assert found(deal) == [(2, "contract_not_allowed")], contract


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_slip_of_an_all_pass(ruleset: str) -> None:
    pool: dict[str, Any] = {"pool": 10} if ruleset in POOLED else {}
    deal = [*opened(ruleset=ruleset, **pool), slip(outcome="passed_out")]
    assert paid(deal) == ("passed_out", [0, 0, 0])
    assert found(deal) == []


# --- Claims, rulings, misdeals --------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_claim_that_both_accept_ends_the_deal(ruleset: str) -> None:
    deal = [*game(ruleset, "FM"), claimed("F", 5, 3, 1), *answered("M accept, B accept")]
    if ruleset in POOLED:  # nobody knows the hand with which play began, so not the estuches
        assert legal_after(deal) is None
    else:
        assert paid(deal)[0] == "won"
    contested = [*game(ruleset, "FM"), claimed("F", 5, 3, 1), *answered("M accept, B contest")]
    assert due_after(contested)["action"] == "play"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruling_with_payments_and_points_stands(ruleset: str) -> None:
    ruling = {"type": "ruling_made", "text": "so decided", "payments": {F: -2, M: 1, B: 1}, "penalty": {F: 1}}
    assert paid([*game(ruleset, "F"), ruling])[1] == [-2, 1, 1]
    assert paid([*game(ruleset), {"type": "deal_voided", "reason": "misdeal"}]) == ("voided", [0, 0, 0])


@pytest.mark.parametrize(
    ("ruleset", "at_fault", "chips"),
    [
        ("la-bete", F, [-2, 1, 1]),
        ("la-bete", M, [2, -2, 0]),
        ("gamerules", B, [2, 0, -2]),
        ("clockwise", F, [-2, 1, 1]),
        ("clockwise", M, [1, -2, 1]),
    ],
)
def test_what_a_foul_in_the_exchange_pays(ruleset: str, at_fault: str, chips: list[int]) -> None:
    ruling = {"type": "ruling_made", "text": "foul", "outcome": "forfeited", "at_fault": at_fault}
    assert paid([*game(ruleset), ruling]) == ("forfeited", chips)


@pytest.mark.parametrize("ruleset", ["dlu", "five-matadors", "dlu-tournament", "ombre", "lomber", "tresillo"])
def test_where_a_foul_is_not_stated_the_director_says_what_is_paid(ruleset: str) -> None:
    ruling = {"type": "ruling_made", "text": "foul", "outcome": "forfeited", "at_fault": F}
    assert not score_after([*game(ruleset), ruling])["decided"]
    ruled = {**ruling, "payments": {F: -4, M: 2, B: 2}}
    assert paid([*game(ruleset), ruled]) == ("forfeited", [-4, 2, 2])


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_irregularity_is_noted_and_changes_nothing(ruleset: str) -> None:
    noted = {"type": "irregularity_noted", "seat": M, "kind": "talking", "by_seat": F}
    deal = game(ruleset, "F")
    assert legal_after([*deal, noted]) == legal_after(deal)
    assert found([*deal, noted]) == []


# --- All nine tricks ------------------------------------------------------------------------------


def announces(deal: list[Event]) -> list[Event]:
    return [*deal, {"type": "slam_announced", "seat": F}]


@pytest.mark.parametrize(
    ("ruleset", "early", "after_fifth"),
    [
        ("la-bete", True, True),
        ("dlu-tournament", True, True),
        ("gamerules", False, True),
        ("lomber", False, True),
        ("clockwise", False, True),
        ("ombre", False, False),
        ("dlu", False, False),
        ("five-matadors", False, False),
    ],
)
def test_when_all_nine_may_be_announced(ruleset: str, early: bool, after_fifth: bool) -> None:
    for winners, allowed in (("FF", early), ("FFFFF", after_fifth)):
        codes = [code for _, code in found(announces(game(ruleset, winners)))]
        assert codes == ([] if allowed else ["slam_not_allowed"]), winners


def test_none_is_announced_when_a_trick_is_lost() -> None:
    assert found(announces(game("la-bete", "FM")))[0][1] == "slam_not_allowed"


@pytest.mark.parametrize("ruleset", ["la-bete", "gamerules", "clockwise", "dlu-tournament", "lomber"])
def test_the_lead_to_the_sixth_is_a_try(ruleset: str) -> None:
    five = game(ruleset, "FFFFF")
    assert due_after(five)["optional"]
    assert paid(five)[0] == "won"
    assert set(score_after([*five, *plays("F-D7")])["reachable"]) == {"slam_made", "slam_failed"}
    assert paid(game(ruleset, "FFFFFFFFF"))[1] == [4, -2, -2]
    assert paid(game(ruleset, "FFFFFM"))[1] == [0, 0, 0]


# --- Giving up and nolo ouvert --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruleset", "before", "one_card", "two_cards", "late"),
    [
        ("la-bete", True, False, False, False),
        ("lomber", True, False, False, False),
        ("gamerules", False, False, False, False),
        ("clockwise", False, False, False, False),
        ("dlu", True, True, False, False),
        ("five-matadors", True, True, False, False),
        ("dlu-tournament", True, True, False, False),
        ("ombre", False, False, False, False),
    ],
)
def test_until_when_a_game_is_given_up_for_bete(
    ruleset: str, before: bool, one_card: bool, two_cards: bool, late: bool
) -> None:
    """Forehand is the declarer: his own card is the first."""
    points = {"": before, "F-D7": one_card, "F-D7 M-C3": two_cards, "F-D7 M-C3 B-S3": late}
    for cards, allowed in points.items():
        deal = [*game(ruleset), *plays(cards), given_up("F", "bete")]
        assert found(deal) == ([] if allowed else [(len(deal), "abandon_not_allowed")]), cards


def ouvert(ruleset: str) -> list[Event]:
    deal = opened(ruleset=ruleset) + said("F pass, M nolo-ouvert, B pass") + named("M", "nolo-ouvert")
    return deal


@pytest.mark.parametrize(
    ("ruleset", "after_lead"),
    [(name, DANISH[name]["laid_open"] == "after-lead") for name in DANISH],
)
def test_when_the_open_hand_is_due(ruleset: str, after_lead: bool) -> None:
    show = {"action": "show", "seat": M}
    led = [*ouvert(ruleset), *plays("F-D2")]
    assert (show in due_after(led)["also"]) is after_lead
    assert show in due_after([*led, *plays("M-D3")])["also"]
    ends_at_one = RULESETS[ruleset].contracts[-1 if ruleset != "lomber" else -2].ends_at == 1
    taken = [*led, *plays("M-DK B-D4")]
    assert (legal_after(taken) is None) is ends_at_one


def test_every_ruleset_is_known_by_its_id() -> None:
    assert all(find(PUBLISHED, name) is not None for name in (*DANISH, *POOLED))

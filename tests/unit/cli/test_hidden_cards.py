"""`spadille hidden-cards` and `audit --samples`: what hidden cards can be, and what cards cost there."""

import pytest

from tests.support.cli.deals import Json, answers, jsonl, lacking, opening, run, text_of, whole_deal
from tests.support.engine.shorthand import bids, dealt, hand_held, names, plays, stands
from tests.support.engine.slipping import BEGUN, PLAYED, QUEEN, tapped_for, unseen

GAME: list[Json] = [
    opening(), *bids("F solo, M pass, B pass"), *names("F", "solo", "H"), *stands("M B"),
]  # fmt: skip


def evidence_of(*arguments: str, lang: str = "en", given: bytes = b"") -> str:
    return text_of("hidden-cards", "--lang", lang, *arguments, given=given)


ASKED = {
    "each card": (("belinda",), "en", (
        "Belinda drawn: ♣A, ♥Q, ♦4 and ♦5, all of them",
        "trick 6: exactly ♥J, ♥2, ♥3, ♥4, ♥6 or ♦6; ♣J only if somebody broke a rule of play",
        "1,080 complete deals agree with the record if everybody followed suit when required.",
        "5,040 agree if only the cards count.",
    )),
    "each card, in Danish": (("belinda",), "da", (
        "Belinda købt: ♣E, ♥D, ♦4 og ♦5, alle fire",
        "stik 6: præcis ♥Kn, ♥2, ♥3, ♥4, ♥6 eller ♦6",
        "1.080 fuldstændige fordelinger stemmer med optegnelsen",
    )),
    "how often a card is which": (("belinda", "--count", "31"), "en", (
        "In how many lawful deals entry 31 is which card: ♥J in 144, ♥2 in 144, ♥3 in 144, ♥4 in 144, "
        "♥6 in 144 and ♦6 in 360.",
    )),
    "a card that is not hidden": (("belinda", "--count", "15"), "en", ("Entry 15 plays no hidden card",)),
    "where no card is hidden": (
        ("belinda", "--seat", "middlehand", "--at", "13"), "en", ("No card is hidden.",),
    ),
    "one deal that agrees": (("belinda", "--witness"), "en", (
        "One complete deal that agrees Belinda: dealt ♠A ♠2", "; trick 6 ",
    )),
    "what takes too long": (("belinda-second-reading", "--count", "24", "--witness"), "en", (
        "perhaps not each of these",
        "Not everything could be tried",
        "How many complete deals agree takes longer to count.",
        "None was found in the time allowed.",
    )),
}  # fmt: skip


@pytest.mark.parametrize("case", ASKED)
def test_people_read(case: str) -> None:
    asked, lang, sentences = ASKED[case]
    assert lacking(evidence_of(*asked, lang=lang), sentences) == []


def test_a_report_states_the_number_of_many_cards_and_numbers_that_people_can_use() -> None:
    name = "findings-matador-withheld"
    for lang, sentences in (
        ("en", ("in the hand now: 7 of 35 cards", "More than a billion (about 10¹⁸) complete deals agree")),
        ("da", ("på hånden nu: 7 af 35 kort", "Over en milliard (omkring 10¹⁸) fuldstændige fordelinger")),
    ):
        assert lacking(text_of("audit", "--lang", lang, name), sentences) == []
    assert "in the hand now: 7 of these 35: ♠" in evidence_of(name)


def test_where_no_deal_agrees_the_entry_is_named_and_there_is_no_witness() -> None:
    said = evidence_of("belinda-as-printed", "--witness")
    assert "No complete deal agrees with the record." in said
    assert "Entry 11: Belinda has now ♠A ♠2 ♣A ♣K ♥K ♥Q ♦5 ♦4." in said
    assert "One complete deal" not in said and "Sir Anonym" not in said


def test_one_seat_alone() -> None:
    said = evidence_of("belinda", "--seat", "backhand")
    assert "Sir Anonym tricks 3, 4 and 5: 3 of" in said and "Belinda drawn" not in said


def test_a_card_that_can_be_but_one() -> None:
    events = [opening(), dealt("F", "SA S2 S3 S4 S5 S6 S7 SJ SQ"), dealt("M", "S?" + " ??" * 8)]
    assert "Bo dealt: ♠K, and nothing else" in evidence_of("-", given=jsonl(events))


LED = plays("F-D7 M-C2 B-C3")
"""A trick to which nobody followed."""
NO_DIAMOND = [
    hand_held("F", "SA S2 S3 S4 S5 S6 S7 SJ"),
    {"type": "talon_seen", "cards": ["C4", "C5", "C6", "C7", "CJ", "CQ", "CK", "SK", "SQ", *["H?"] * 4],
     "seats": ["forehand"]},
]  # fmt: skip
"""All diamonds but the one led were held by the two others, who cannot both have had none."""


def test_a_revoke_that_the_cards_prove_and_one_of_which_they_do_not_say_whose_it_is() -> None:
    assert (
        "if everybody followed suit when required except at 9 and 10, where the cards as written prove a "
        "revoke."
    ) in evidence_of("-", given=jsonl([*GAME, *LED, *NO_DIAMOND]))
    # One diamond is out, and either of the two others may have held it.
    talon = {**NO_DIAMOND[1], "cards": ["D2", "D3", "D4", "D5", "D6", "DA", "DJ", "DQ", *["H?"] * 5]}
    either = jsonl([*GAME, *LED, NO_DIAMOND[0], talon])
    assert "somebody revoked, and the cards do not say who" in evidence_of("-", given=either)
    assert "nogen begik kulørsvigt, og kortene siger ikke hvem" in evidence_of("-", given=either, lang="da")


def test_programs_get_one_object_for_each_deal() -> None:
    asked = ("belinda", "belinda-as-printed", "--format", "json", "--witness", "--seat", "backhand")
    one, other = answers(run("hidden-cards", *asked))
    assert (one["file"], one["deal"], list(one["hands"])) == ("belinda", 1, ["backhand"])
    assert {card["seat"] for card in one["cards"]} == {"backhand"}
    assert one["lawful"]["deals"] == {"least": "1080", "most": "1080"}
    assert one["witness"]["level"] == "lawful"
    assert (other["physical"]["agrees"], other["contradicting"], other["witness"]) == (False, [11], None)


LED_WRONGLY = [*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:]]
"""Forehand revokes, as the cards prove it, or one of them is written wrongly."""


def test_the_report_accuses_nobody_of_what_a_slip_explains() -> None:
    events = [*unseen(BEGUN), *tapped_for(QUEEN, "middlehand")]
    once = f"With entry {len(unseen(BEGUN)) + 1 + QUEEN} corrected as proposed:"
    said = text_of("audit", "-", "--samples", "3", given=jsonl(events)).partition("The hidden cards ")[2]
    assert said.startswith(f"{once} Anna discarded: 4 of these 13:")
    assert f"What would have happened {once} All " in said
    assert "prove a revoke" not in said


def test_a_revoke_that_a_slip_may_have_shown_is_conditional() -> None:
    said = text_of("audit", "-", given=jsonl(LED_WRONGLY))
    assert said.count("It was a revoke.") == 1
    assert "It was a revoke. This holds if the cards that show it are written correctly." in said
    assert "except at 19, where the cards as written prove a revoke." in said


def test_evidence_is_of_the_record_as_it_is_and_names_the_likely_slip() -> None:
    given = jsonl(LED_WRONGLY)
    for lang, sentence in (
        ("en", "A slip of the pen may explain it: Entry 18 may have ♦5 instead of ♣5:"),
        ("da", "En skrivefejl kan forklare det: Måske har post 18 ♦5 i stedet for ♣5:"),
    ):
        assert sentence in evidence_of("-", lang=lang, given=given)
    (told,) = answers(run("hidden-cards", "-", "--format", "json", given=given))
    assert told["offences"] == [19]
    (mistake,) = told["mistakes"]
    assert (mistake["finding"]["seq"], mistake["finding"]["code"]) == (18, "misprint_likely")
    mended = jsonl([*LED_WRONGLY, *mistake["corrections"]])
    (after,) = answers(run("hidden-cards", "-", "--format", "json", given=mended))
    assert (after["offences"], after["mistakes"]) == ([], [])


def plays_of(events: list[Json]) -> list[int]:
    return [at for at, one in enumerate(events) if one["type"] == "card_played"]


WHOLE = (whole_deal(seed, ruleset="dlu") for seed in range(100))
LONG = next(events for events in WHOLE if len(plays_of(events)) > 15)
"""A deal in which at least five tricks are played."""
STOPPED = [
    {**one, "cards": ["??"] * len(one["cards"])} if one["type"] in ("cards_discarded", "cards_drawn") else one
    for one in LONG[: plays_of(LONG)[12]]
    if one["type"] not in ("hand_dealt", "talon_laid")
]
"""The same as who looks on sees it, up to the twelfth card."""


def audit_of(*arguments: str, given: bytes = b"") -> str:
    return text_of("audit", *arguments, given=given)


def test_the_report_says_over_which_deals_and_what_cards_cost_in_them() -> None:
    assert lacking(audit_of("belinda", "--samples", "30", "--lang", "en"), (
        "What would have happened 30 lawful deals that agree with the record, drawn at random from 1,080",
        "At trick 5 Belinda played ♣K: with it the declarer wins 30 of 30 deals, with the best card 30. "
        "In all of them it cost 2 chips.",
    )) == []  # fmt: skip
    danish = audit_of("belinda", "--samples", "10", "--seed", "5", "--lang", "da")
    assert (
        "10 lovlige fordelinger, som stemmer med optegnelsen, trukket tilfældigt blandt 1.080 (frø 5)."
        in danish
    )
    assert "I stik 5 spillede Belinda ♣K: med det vinder spilføreren 10 af 10 fordelinger" in danish


def test_a_record_that_stops_in_the_play_says_what_each_card_would_come_to() -> None:
    given = jsonl(STOPPED)
    text = audit_of("-", "--samples", "10", given=given)
    assert lacking(text, ("to play to trick 5:", "; best in ", " on average")) == []
    assert " i gennemsnit" in audit_of("-", "--samples", "10", "--lang", "da", given=given)


def test_programs_get_the_same_for_the_same_seed() -> None:
    given = jsonl(STOPPED)
    asked = ("audit", "-", "--samples", "10", "--format", "json")
    (first,), (again,), (other,) = (
        answers(run(*asked, "--seed", seed, given=given)) for seed in ("1", "1", "2")
    )
    told = first["likely"]
    assert told == again["likely"] != other["likely"]
    assert (told["looked"]["deals"], told["looked"]["whole"]) == (10, False)
    for played in told["plays"]:
        for told_by in ("costs", "after"):
            assert sum(one["deals"] for one in played[told_by]) == 10
    assert "likely" not in answers(run("audit", "-", "--format", "json", given=given))[0]


def test_a_record_without_its_contract_says_what_it_would_take() -> None:
    given = jsonl([one for one in STOPPED if one["type"] not in ("bid_made", "contract_named")])
    assert "This would need: the declarer; the contract" in audit_of("-", "--samples", "5", given=given)
    assert "Det ville kræve: spilføreren" in audit_of("-", "--samples", "5", "--lang", "da", given=given)

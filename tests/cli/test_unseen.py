"""`spadille evidence`, and `audit --deals`: what hidden cards can be, and what cards cost then."""

from tests.support.cli.deals import Json, answers, jsonl, opened, run, whole_deal
from tests.support.engine.shorthand import held, named, plays, said, stands
from tests.support.engine.slipping import BEGUN, PLAYED, QUEEN, tapped_for, unseen

SIXTH = "31"


def text_of(*arguments: str, lang: str = "en", given: bytes = b"") -> str:
    result = run("evidence", "--lang", lang, *arguments, given=given)
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


def test_a_card_is_told_as_a_player_would_say_it() -> None:
    text = text_of("belinda")
    assert "Belinda drawn: ♣A, ♥Q, ♦4 and ♦5, all of them" in text
    assert "Belinda købt: ♣E, ♥D, ♦4 og ♦5, alle fire" in text_of("belinda", lang="da")
    assert "trick 6: exactly ♥J, ♥2, ♥3, ♥4, ♥6 or ♦6; ♣J only if somebody broke a rule of play" in text
    assert "1,080 complete deals agree with the record if every duty to follow was kept." in text
    assert "5,040 agree if only the cards themselves count." in text
    outlined = text_of("belinda-second-reading")
    assert "perhaps not each of these" in outlined and "Not everything could be tried out" in outlined
    assert "How many complete deals agree takes longer to count." in outlined


def test_in_how_many_deals_a_card_is_which() -> None:
    assert (
        "In how many lawful deals entry 31 is which card: ♥J in 144, ♥2 in 144, ♥3 in 144, ♥4 in 144, "
        "♥6 in 144 and ♦6 in 360."
    ) in text_of("belinda", "--count", SIXTH)
    assert "Entry 15 plays no hidden card" in text_of("belinda", "--count", "15")
    assert "takes longer to count" in text_of("belinda-second-reading", "--count", "24")


def test_of_one_seat_alone() -> None:
    of_all, of_one = text_of("belinda"), text_of("belinda", "--seat", "backhand")
    assert "Belinda drawn" in of_all and "Belinda drawn" not in of_one
    assert "Sir Anonym tricks 3, 4 and 5: 3 of" in of_one
    assert "No card is hidden." in text_of("belinda", "--seat", "middlehand", "--at", "13")


def test_a_witness_is_told_hand_by_hand() -> None:
    text = text_of("belinda", "--witness")
    assert "One complete deal that agrees Belinda: dealt ♠A ♠2" in text
    assert "; trick 6 ♥" in text or "; trick 6 ♦6" in text
    assert "None was found in the time given to it." in text_of("belinda-second-reading", "--witness")
    assert "One complete deal" not in text_of("belinda-as-printed", "--witness")


def test_where_no_deal_agrees_the_entry_is_told() -> None:
    text = text_of("belinda-as-printed")
    assert "No complete deal agrees with the record." in text
    assert "Entry 11: Belinda has now ♠A ♠2 ♣A ♣K ♥K ♥Q ♦5 ♦4." in text
    assert "Sir Anonym" not in text


def test_a_card_that_can_be_but_one_is_told() -> None:
    known = ["SA", "S2", "S3", "S4", "S5", "S6", "S7", "SJ", "SQ"]
    events = [
        opened(),
        {"type": "hand_dealt", "seat": "forehand", "cards": known},
        {"type": "hand_dealt", "seat": "middlehand", "cards": ["S?", *["??"] * 8]},
    ]
    text = text_of("-", given=jsonl(events))
    assert "Bo dealt: ♠K, and nothing else" in text


def test_for_programs_it_is_one_object_for_each_deal() -> None:
    result = run(
        "evidence", "belinda", "belinda-as-printed", "--format", "json", "--witness", "--seat", "backhand"
    )
    one, other = answers(result)
    assert (one["file"], one["deal"]) == ("belinda", 1)
    assert {card["seat"] for card in one["cards"]} == {"backhand"}
    assert list(one["hands"]) == ["backhand"]
    assert one["lawful"]["deals"] == {"least": "1080", "most": "1080"}
    assert one["witness"]["level"] == "lawful"
    assert (other["physical"]["agrees"], other["contradicting"], other["witness"]) == (False, [11], None)


def test_who_revoked_is_not_said_where_the_cards_do_not_say_it() -> None:
    """A trick to which nobody followed; one diamond is out, and either of the two may have held it."""
    seen = ["D2", "D3", "D4", "D5", "D6", "DA", "DJ", "DQ", *["H?"] * 5]
    events = [
        opened(), *said("F solo, M pass, B pass"), *named("F", "solo", "H"), *stands("M B"),
        *plays("F-D7 M-C2 B-C3"), held("F", "SA S2 S3 S4 S5 S6 S7 SJ"),
        {"type": "talon_seen", "cards": seen, "seats": ["forehand"]},
    ]  # fmt: skip
    assert "somebody revoked, and the cards do not say who" in text_of("-", given=jsonl(events))


LED_WRONGLY = [*unseen(BEGUN), *PLAYED[:6], {**PLAYED[6], "card": "D5"}, *PLAYED[7:]]
"""Forehand revokes, as the cards prove it, or one of them is written wrongly."""


def test_the_report_accuses_nobody_of_what_a_mistake_of_the_pen_explains() -> None:
    events = [*unseen(BEGUN), *tapped_for(QUEEN, "middlehand")]
    once = f"Once entry {len(unseen(BEGUN)) + 1 + QUEEN} is put right as proposed:"
    report = run("audit", "-", "--lang", "en", "--deals", "3", given=jsonl(events)).stdout
    _, _, said = " ".join(report.split()).partition("The hidden cards ")
    assert said.startswith(f"{once} Anna discarded: 4 of these 13:")
    assert f"What would have happened {once} All lawful deals" in said
    assert "prove a revoke" not in said


def test_a_revoke_that_a_slip_may_have_shown_is_one_only_if_the_cards_are_written_rightly() -> None:
    said = " ".join(run("audit", "-", "--lang", "en", given=jsonl(LED_WRONGLY)).stdout.split())
    assert said.count("It was a revoke.") == 1
    assert "It was a revoke. That is so if the cards that show it are written rightly." in said
    assert "but at 19, where the cards as written prove a revoke." in said


def test_evidence_by_itself_is_of_the_record_as_it_is_and_names_the_mistake() -> None:
    told_of = text_of("-", given=jsonl(LED_WRONGLY))
    assert "A mistake of the pen may explain it: Entry 18 may have ♦5 in place of ♣5:" in told_of
    (told,) = answers(run("evidence", "-", "--format", "json", given=jsonl(LED_WRONGLY)))
    assert told["offences"] == [19]
    (mistake,) = told["mistakes"]
    assert (mistake["finding"]["seq"], mistake["finding"]["code"]) == (18, "misprint_likely")


# --- `spadille audit --deals`: what cards cost where hands are hidden ------------------------------


SEEN = ("hand_dealt", "talon_laid")


def seen_of(seed: int, plays: int) -> list[Json]:
    """A random deal as who looks on sees it, up to so many cards played."""
    events = whole_deal(seed, ruleset="dlu")
    laid = [at for at, one in enumerate(events) if one["type"] == "card_played"]
    shown = [one for one in events[: laid[plays]] if one["type"] not in SEEN]
    hidden = ("cards_discarded", "cards_drawn")
    return [{**one, "cards": ["??"] * len(one["cards"])} if one["type"] in hidden else one for one in shown]


def long_deal() -> int:
    """The seed of a deal in which at least five tricks are played."""
    return next(
        seed
        for seed in range(100)
        if sum(one["type"] == "card_played" for one in whole_deal(seed, ruleset="dlu")) > 15
    )


def audit_text(*arguments: str, given: bytes = b"") -> str:
    return " ".join(run("audit", *arguments, given=given).stdout.split())


def test_the_report_says_over_which_deals_and_what_cards_cost_in_them() -> None:
    text = audit_text("belinda", "--deals", "30", "--lang", "en")
    assert (
        "What would have happened 30 lawful deals that agree with the record, drawn by chance from 1,080"
        in text
    )
    assert (
        "At trick 5 Belinda played ♣K: so the declarer wins 30 of 30 deals, by the best card 30. "
        "In all of them it cost 2 chips." in text
    )
    danish = audit_text("belinda", "--deals", "5", "--seed", "5", "--lang", "da")
    assert "5 lovlige fordelinger, som stemmer med optegnelsen, trukket blandt 1.080 (frø 5)." in danish
    assert "I stik 5 spillede Belinda ♣K: sådan vinder spilføreren 5 af 5 fordelinger" in danish
    assert "What would have happened" not in audit_text("belinda", "--lang", "en")


def test_a_record_that_stops_in_the_play_says_what_each_card_would_come_to() -> None:
    given = jsonl(seen_of(long_deal(), 12))
    text = audit_text("-", "--deals", "20", "--lang", "en", given=given)
    assert "to play to trick 5:" in text
    assert "; best in " in text
    assert " on average" in text
    hidden = ("bid_made", "contract_named")
    unnamed = jsonl([one for one in seen_of(long_deal(), 12) if one["type"] not in hidden])
    assert "It would take: the declarer; the contract" in audit_text("-", "--deals", "5", given=unnamed)


def test_for_programs_the_same_seed_says_the_same() -> None:
    given = jsonl(seen_of(long_deal(), 12))
    asked = ("audit", "-", "--deals", "20", "--format", "json")
    (first,), (again,), (other,) = (
        answers(run(*asked, "--seed", seed, given=given)) for seed in ("1", "1", "2")
    )
    told = first["likely"]
    assert told == again["likely"] != other["likely"]
    assert (told["looked"]["deals"], len(told["plays"])) == (20, 12)
    assert "likely" not in answers(run("audit", "-", "--format", "json", given=given))[0]

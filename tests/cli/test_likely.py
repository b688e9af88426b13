"""`spadille audit --deals`: what cards cost where hands are hidden, for people and for programs."""

from tests.support.cli.deals import Json, answers, jsonl, lacking, run, text_of, whole_deal

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


def audit_of(*arguments: str, given: bytes = b"") -> str:
    return text_of("audit", *arguments, given=given)


def test_the_report_says_over_which_deals_and_what_cards_cost_in_them() -> None:
    text = audit_of("belinda", "--deals", "30", "--lang", "en")
    assert (
        "What would have happened 30 lawful deals that agree with the record, drawn by chance from 1,080"
        in text
    )
    assert (
        "At trick 5 Belinda played ♣K: so the declarer wins 30 of 30 deals, by the best card 30. "
        "In all of them it cost 2 chips." in text
    )
    danish = audit_of("belinda", "--deals", "30", "--seed", "5", "--lang", "da")
    assert "30 lovlige fordelinger, som stemmer med optegnelsen, trukket blandt 1.080 (frø 5)." in danish
    assert "I stik 5 spillede Belinda ♣K: sådan vinder spilføreren 30 af 30 fordelinger" in danish
    assert "What would have happened" not in audit_of("belinda", "--lang", "en")


def test_a_record_that_stops_in_the_play_says_what_each_card_would_come_to() -> None:
    given = jsonl(seen_of(long_deal(), 12))
    text = audit_of("-", "--deals", "10", given=given)
    assert lacking(text, ("to play to trick 5:", "; best in ", " on average")) == []
    assert " i gennemsnit" in audit_of("-", "--deals", "10", "--lang", "da", given=given)


def test_programs_get_the_same_for_the_same_seed() -> None:
    given = jsonl(seen_of(long_deal(), 12))
    asked = ("audit", "-", "--deals", "10", "--format", "json")
    (first,), (again,), (other,) = (
        answers(run(*asked, "--seed", seed, given=given)) for seed in ("1", "1", "2")
    )
    told = first["likely"]
    assert told == again["likely"] != other["likely"]
    assert (told["looked"]["deals"], told["looked"]["whole"]) == (10, False)
    assert int(told["looked"]["total"]) > 10
    assert len(told["plays"]) == 12
    for played in told["plays"]:
        for told_by in ("costs", "after"):
            assert sum(one["deals"] for one in played[told_by]) == 10
    for one in told["point"]["cards"]:
        assert sum(end["deals"] for end in one["ends"]) == one["deals"] <= 10
    assert "likely" not in answers(run("audit", "-", "--format", "json", given=given))[0]


def test_a_record_without_its_contract_says_what_it_would_take() -> None:
    unnamed = ("bid_made", "contract_named")
    given = jsonl([one for one in seen_of(long_deal(), 12) if one["type"] not in unnamed])
    assert "It would take: the declarer; the contract" in audit_of("-", "--deals", "5", given=given)
    assert "Det ville kræve: spilføreren" in audit_of("-", "--deals", "5", "--lang", "da", given=given)

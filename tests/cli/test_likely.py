"""`spadille audit --deals`: what cards cost where hands are hidden, for people and for programs."""

from tests.support.cli.deals import Json, answers, jsonl, run, whole_deal

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


def text_of(*arguments: str, given: bytes = b"") -> str:
    return " ".join(run("audit", *arguments, given=given).stdout.split())


def test_the_report_says_over_which_deals_and_what_cards_cost_in_them() -> None:
    text = text_of("belinda", "--deals", "30", "--lang", "en")
    assert (
        "What would have happened 30 lawful deals that agree with the record, drawn by chance from 1,080"
        in text
    )
    assert (
        "At trick 5 Belinda played ♣K: so the declarer wins 30 of 30 deals, by the best card 30. "
        "In all of them it cost 2 chips." in text
    )
    danish = text_of("belinda", "--deals", "5", "--seed", "5", "--lang", "da")
    assert "5 lovlige fordelinger, som stemmer med optegnelsen, trukket blandt 1.080 (frø 5)." in danish
    assert "I stik 5 spillede Belinda ♣K: sådan vinder spilføreren 5 af 5 fordelinger" in danish
    assert "What would have happened" not in text_of("belinda", "--lang", "en")


def test_a_record_that_stops_in_the_play_says_what_each_card_would_come_to() -> None:
    given = jsonl(seen_of(long_deal(), 12))
    text = text_of("-", "--deals", "20", "--lang", "en", given=given)
    assert "to play to trick 5:" in text
    assert "; best in " in text
    assert " on average" in text
    hidden = ("bid_made", "contract_named")
    unnamed = jsonl([one for one in seen_of(long_deal(), 12) if one["type"] not in hidden])
    assert "It would take: the declarer; the contract" in text_of("-", "--deals", "5", given=unnamed)


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

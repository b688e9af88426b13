"""`spadille audit --samples`: what cards cost where hands are hidden, for people and for programs."""

from tests.support.cli.deals import Json, answers, jsonl, lacking, run, text_of, whole_deal

SEEN = ("hand_dealt", "talon_laid")


def plays_of(events: list[Json]) -> list[int]:
    return [at for at, one in enumerate(events) if one["type"] == "card_played"]


def seen_of(seed: int, plays: int) -> list[Json]:
    """A random deal as who looks on sees it, up to so many cards played."""
    events = whole_deal(seed, ruleset="dlu")
    shown = [one for one in events[: plays_of(events)[plays]] if one["type"] not in SEEN]
    hidden = ("cards_discarded", "cards_drawn")
    return [{**one, "cards": ["??"] * len(one["cards"])} if one["type"] in hidden else one for one in shown]


LONG = next(seed for seed in range(100) if len(plays_of(whole_deal(seed, ruleset="dlu"))) > 15)
"""The seed of a deal in which at least five tricks are played."""
STOPPED = seen_of(LONG, 12)


def audit_of(*arguments: str, given: bytes = b"") -> str:
    return text_of("audit", *arguments, given=given)


def test_the_report_says_over_which_deals_and_what_cards_cost_in_them() -> None:
    said = audit_of("belinda", "--samples", "30", "--lang", "en")
    assert lacking(said, (
        "What would have happened 30 lawful deals that agree with the record, drawn by chance from 1,080",
        "At trick 5 Belinda played ♣K: so the declarer wins 30 of 30 deals, by the best card 30. "
        "In all of them it cost 2 chips.",
    )) == []  # fmt: skip
    danish = audit_of("belinda", "--samples", "10", "--seed", "5", "--lang", "da")
    assert "10 lovlige fordelinger, som stemmer med optegnelsen, trukket blandt 1.080 (frø 5)." in danish
    assert "I stik 5 spillede Belinda ♣K: sådan vinder spilføreren 10 af 10 fordelinger" in danish


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
    unnamed = ("bid_made", "contract_named")
    given = jsonl([one for one in STOPPED if one["type"] not in unnamed])
    assert "It would take: the declarer; the contract" in audit_of("-", "--samples", "5", given=given)
    assert "Det ville kræve: spilføreren" in audit_of("-", "--samples", "5", "--lang", "da", given=given)

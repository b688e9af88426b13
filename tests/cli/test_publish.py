"""`spadille html`: a deal as one file."""

from tests.support.cli.deals import OPEN, jsonl, opened, refusal, run


def test_a_deal_of_several_is_chosen_by_its_number() -> None:
    log = jsonl(OPEN, [opened(title="The second")])
    chosen = run("html", "--deal", "2", "-", given=log)
    assert chosen.exit_code == 0
    assert "<h1>The second</h1>" in chosen.stdout
    for arguments in ((), ("--deal", "3")):
        assert "here are 2" in refusal("html", *arguments, "-", given=log)


def test_only_what_was_known_then_is_in_it() -> None:
    part = run("html", "--as-of", "7", "--lang", "da", "-", given=jsonl(OPEN))
    assert '<html lang="da">' in part.stdout
    assert "Bo" in part.stdout
    assert '"card_played"' not in part.stdout
    assert "known=900" in refusal("html", "--as-of", "900", "-", given=jsonl(OPEN))

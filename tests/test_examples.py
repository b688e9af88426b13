"""Every made-up example of the library is a test by being there: its course is compared with golden/.

One line an entry: what happened | how the deal stands | what may happen next | what it pays, where
that has changed. `SPADILLE_GOLDEN=write` writes them anew; look at what changed before you keep it.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import replays
from engine import audit
from engine.play.findings import CODES
from engine.rulesets import PUBLISHED
from replays import Replay
from schemas.answers.reports import frames
from schemas.answers.states import score_object

GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = {replay.name: replay for replay in replays.examples()}
MARKS: dict[Any, str] = {"forehand": "F", "middlehand": "M", "backhand": "B", None: "-"}

Json = dict[str, Any]


def golden_file(replay: Replay) -> Path:
    return GOLDEN / replay.folder / f"{replay.name.removeprefix(replay.folder + '-')}.txt"


def course(replay: Replay) -> Iterator[str]:
    """The deal line by line, and what is found in it."""
    whole = audit(replay.log())
    yield f"{replay.title}"
    before = ""
    for frame in frames(whole.history):
        pays = payment_told(frame["score"])
        told = [happened(frame["event"]), stands(frame["state"]), due(frame["legal"]), pays]
        yield f"{frame['seq']:>2} " + " | ".join(told if pays != before else told[:3])
        before = pays
    for one in whole.findings:
        by = ", ".join(map(str, one.evidence))
        yield f"{one.severity} at {one.seq}: {one.code}, by {by}. {one.message}"
    for item in whole.score.items:
        yield f"pays {item.each:+d}: {item.label} ({item.rule})"


def happened(event: Json) -> str:
    shown = ("seat", "bid", "contract", "trump", "card", "cards", "answer", "pays", "outcome", "at_fault")
    told = [event[name] for name in shown if isinstance(event.get(name), str)]
    words = [str(MARKS.get(word, word)) for word in told]
    cards = event.get("cards")
    return " ".join([event["type"], *words, *(cards if isinstance(cards, list) else [])])


def stands(state: Json) -> str:
    won = "-".join(str(count) for count in state["tricks_won"].values())
    named = " ".join(word for word in (state["contract"], state["trump"]) if word)
    return f"{state['phase']} {MARKS[state['declarer']]} {named} {won}".replace("  ", " ")


def due(legal: Json | None) -> str:
    if legal is None:
        return "over"
    named = [one["contract"] + "".join(one["trumps"]) for one in legal.get("contracts", [])]
    lists: list[str] = [*legal.get("calls", []), *named, *legal.get("cards", [])]
    counts = [str(legal[name]) for name in ("min", "max", "count") if name in legal]
    also = ["+" + one["action"] + MARKS[one["seat"]] + one.get("pays", "") for one in legal.get("also", [])]
    flags = [name for name in ("hidden", "optional") if legal.get(name)]
    return " ".join([MARKS[legal["seat"]], legal["action"], *counts, *lists, *flags, *also])


def payment_told(score: Json) -> str:
    def chips(payments: Json) -> str:
        return " ".join("?" if amount is None else f"{amount:+d}" for amount in payments.values())

    if not score["decided"]:
        return "; ".join(f"{outcome} {chips(paid)}" for outcome, paid in sorted(score["reachable"].items()))
    pool = score["pool"]
    kept = f", pool {pool['before']} to {pool['after']} {pool['reserved']}" if pool else ""
    return f"{score['outcome']} {score['slam'] or ''} {chips(score['payments'])}{kept}".replace("  ", " ")


def test_an_example_runs_as_before(subtests: pytest.Subtests) -> None:
    for name in EXAMPLES:
        with subtests.test(name=name):
            replay = EXAMPLES[name]
            assert str(replay.source).startswith("Made up") and replay.title != name
            told, file = "\n".join(course(replay)) + "\n", golden_file(replay)
            if os.environ.get("SPADILLE_GOLDEN") == "write":
                file.parent.mkdir(exist_ok=True)
                file.write_text(told, encoding="utf-8")
            assert file.is_file(), f"no course of {name}: SPADILLE_GOLDEN=write makes {file.name}"
            assert told.splitlines() == file.read_text(encoding="utf-8").splitlines()


NOT_IN_A_DEAL = {
    "unknown_card", "pool_mismatch", "seating_mismatch", "table_mismatch", "entry_after_close",
    "beginning_missing", "number_missing", "deal_doubled", "deal_unfinished", "entry_doubled",
    "misprint_likely", "entry_missing", "seat_mistaken", "order_mistaken", "contract_mistaken",
}  # fmt: skip
"""Codes of which no log of a deal, by itself, can be an example."""


def test_every_finding_has_its_example() -> None:
    found = {
        one.code
        for replay in EXAMPLES.values()
        if replay.folder == "findings"
        for one in audit(replay.log()).findings
    }
    assert set(CODES) - found <= NOT_IN_A_DEAL


@pytest.mark.parametrize("rules", PUBLISHED, ids=lambda rules: str(rules.ruleset.id))
def test_every_contract_has_an_example_of_every_outcome(rules: Any) -> None:
    shown: dict[str, set[str]] = {}
    unpaid: set[str] = set()  # the source states no payment for them, so that the score stays open
    for replay in EXAMPLES.values():
        if replay.folder == rules.ruleset.id:
            told = score_object(audit(replay.log()).score)
            shown.setdefault(str(told["contract"]), set()).add(str(told["outcome"]))
            unpaid |= set(told.get("reachable", {}))
    for contract in rules.ruleset.contracts:
        possible = {"won", "bete", "codille"}
        if contract.codille_from is None:
            possible.discard("codille")
        elif contract.aim == "nolo" and contract.codille_from == 1:
            possible.discard("bete")
        assert possible <= shown[contract.id] | unpaid, contract.id
    assert "passed_out" in shown["None"]

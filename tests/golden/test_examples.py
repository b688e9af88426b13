"""Every deal of the library is a test by being there: what the engine says of it is compared with golden/.

Of a deal that was played its transcript is kept; of a made-up example one line an entry: what happened | how
the deal stands | what may happen next | what it pays, where that has changed. `SPADILLE_GOLDEN=write` writes
them anew; look at what changed before you keep it.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import replays
from engine import FULL_VIEWER, audit, effective, view
from engine.core.log import seq_key
from engine.play.findings import FINDING_CODES
from engine.rulesets import PUBLISHED_RULESETS
from replays import Replay
from schemas.answers.deal_reports import replay_frames
from schemas.answers.states import finding_objects, score_object
from schemas.notation import NOTATION_SUFFIX, format_notation_log, read_notation_logs
from schemas.wire.event_writer import entry_bytes, entry_object

GOLDEN = Path(__file__).parent
LIBRARY = {replay.name: replay for replay in replays.list_library()}
EXAMPLES = {replay.name: replay for replay in replays.list_examples()}
TEXTS = sorted(Path(replays.__file__).parent.rglob(f"*{NOTATION_SUFFIX}"))
MARKS: dict[Any, str] = {"forehand": "F", "middlehand": "M", "backhand": "B", None: "-"}

Json = dict[str, Any]


def golden_text(file: Path, told: str) -> str:
    """What golden/ has of a deal: ``told`` itself, where it is written anew."""
    if os.environ.get("SPADILLE_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(told, encoding="utf-8")
    assert file.is_file(), f"nothing is kept of it: SPADILLE_GOLDEN=write makes {file.name}"
    return file.read_text(encoding="utf-8")


def transcript(replay: Replay) -> Json:
    """What the engine says of a deal, entry by entry and on the whole."""
    whole = audit(replay.read_log())
    return {
        "title": replay.title, "frames": [frame_told(frame) for frame in replay_frames(whole.history)],
        "findings": finding_objects(whole.findings), "score": score_object(whole.score),
    }  # fmt: skip


def frame_told(frame: Json) -> Json:
    """One point of the deal, without what is the same in every frame."""
    state = frame["state"]
    return {
        "seq": frame["seq"], "type": frame["event"]["type"],
        "phase": state["phase"], "to_act": state["to_act"],
        "contract": [state["declarer"], state["contract"], state["trump"]],
        "hands": {
            seat: f"{' '.join(hand['cards'])} +{hand['unknown']}" for seat, hand in state["hands"].items()
        },
        "talon": state["talon"]["count"], "trick": state["tricks"][-1] if state["tricks"] else None,
        "tricks_won": list(state["tricks_won"].values()), "legal": frame["legal"], "score": frame["score"],
    }  # fmt: skip


def as_text(told: Json) -> str:
    """One line per frame, so that a change is read as a change of that frame."""
    lines = ",\n".join("  " + json.dumps(frame, ensure_ascii=False) for frame in told["frames"])
    rest = {name: value for name, value in told.items() if name != "frames"}
    tail = json.dumps(rest, ensure_ascii=False, indent=1)[1:].lstrip("\n")
    return '{\n "frames": [\n' + lines + "\n ],\n" + tail + "\n"


@pytest.mark.parametrize("name", LIBRARY)
def test_a_deal_of_the_library_is_told_as_before(name: str) -> None:
    told = transcript(LIBRARY[name])
    golden = json.loads(golden_text(GOLDEN / f"{name}.json", as_text(told)))
    for before, now in zip(golden["frames"], told["frames"], strict=True):
        assert now == before, f"{name}, entry {now['seq']}"
    assert told == golden


@pytest.mark.parametrize("name", LIBRARY)
def test_a_deal_of_the_library_has_a_source_and_notes_on_its_own_entries(name: str) -> None:
    replay = LIBRARY[name]
    log = replay.read_log()
    seqs = {seq_key(entry.seq) for entry in log}
    events = [entry_object(entry) for entry in log]
    assert replay.source and replay.title != name
    assert all(seq_key(event["on"]) in seqs for event in events if event.get("on"))
    assert view(log, FULL_VIEWER) == log


def test_the_json_lines_of_a_deal_are_derived_from_its_text(subtests: pytest.Subtests) -> None:
    for file in TEXTS:
        with subtests.test(file=file):
            text = file.read_text(encoding="utf-8")
            (read,) = read_notation_logs([text.encode()], file.name)
            assert not read.problems
            lines = file.with_suffix(replays.REPLAY_SUFFIX).read_bytes().splitlines()
            derived = [entry_bytes(entry, omit_unknown=True) for entry in read.log]
            assert derived == lines, "python -m bench.library derives them anew"
            assert format_notation_log(read.log) == text, "not canonical: spadille convert makes it so"


@pytest.mark.parametrize("name", ["belinda", "belinda-as-printed", "belinda-second-reading"])
def test_belinda_wins_by_five_to_four_as_in_the_poem(name: str) -> None:
    log = LIBRARY[name].read_log()
    score = score_object(audit(log).score)
    assert (score["outcome"], score["declarer"], score["pool"]["after"]) == ("won", "forehand", 0)
    tricks = ["-".join(map(str, frame_told(frame)["tricks_won"])) for frame in replay_frames(effective(log))]
    assert list(dict.fromkeys(tricks)) == [
        "0-0-0", "1-0-0", "2-0-0", "3-0-0", "4-0-0", "4-1-0", "4-2-0", "4-3-0", "4-4-0", "5-4-0",
    ]  # fmt: skip


def test_a_deal_stands_before_its_other_readings() -> None:
    names = [replay.name for replay in replays.list_library()]
    assert names == sorted(names)


def course(replay: Replay) -> Iterator[str]:
    """The deal line by line, and what is found in it."""
    whole = audit(replay.read_log())
    yield f"{replay.title}"
    before = ""
    for frame in replay_frames(whole.history):
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
    for name, replay in EXAMPLES.items():
        with subtests.test(name=name):
            assert str(replay.source).startswith("Made up") and replay.title != name
            file = GOLDEN / replay.folder / f"{name.removeprefix(replay.folder + '-')}.txt"
            told = "\n".join(course(replay)) + "\n"
            assert told.splitlines() == golden_text(file, told).splitlines()


NOT_IN_A_DEAL = {
    "unknown_card", "pool_mismatch", "seating_mismatch", "table_mismatch", "entry_after_close",
    "beginning_missing", "number_missing", "deal_doubled", "deal_unfinished", "entry_doubled",
    "misprint_likely", "entry_missing", "seat_mistaken", "order_mistaken", "contract_mistaken",
}  # fmt: skip
"""Codes of which no log of a deal, by itself, can be an example."""


def test_every_finding_has_its_example() -> None:
    examples = [replay for replay in EXAMPLES.values() if replay.folder == "findings"]
    found = {one.code for replay in examples for one in audit(replay.read_log()).findings}
    assert set(FINDING_CODES) - found <= NOT_IN_A_DEAL


@pytest.mark.parametrize("rules", PUBLISHED_RULESETS, ids=lambda rules: str(rules.ruleset.id))
def test_every_contract_has_an_example_of_every_outcome(rules: Any) -> None:
    shown: dict[str, set[str]] = {}
    unpaid: set[str] = set()  # the source states no payment for them, so that the score stays open
    for replay in EXAMPLES.values():
        if replay.folder == rules.ruleset.id:
            told = score_object(audit(replay.read_log()).score)
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

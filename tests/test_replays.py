"""Every deal of the library is a test by being there: its transcript is compared with the one in golden/.

`SPADILLE_GOLDEN=write` writes the transcripts anew; look at what changed before you keep it.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import replays
from engine import EVERYTHING, audit, effective, view
from engine.core.log import place
from replays import Replay
from schemas.answers.reports import frames
from schemas.answers.states import finding_objects, score_object
from schemas.notation import SUFFIX, read_logs, written_log
from schemas.wire.writer import entry_bytes, entry_object

GOLDEN = Path(__file__).parent / "golden"
FOLDER = Path(replays.__file__).parent
LIBRARY = {replay.name: replay for replay in replays.library()}

Json = dict[str, Any]


def transcript(replay: Replay) -> Json:
    """What the engine says of a deal, entry by entry and on the whole."""
    whole = audit(replay.log())
    return {
        "title": replay.title,
        "frames": [frame_told(frame) for frame in frames(whole.history)],
        "findings": finding_objects(whole.findings),
        "score": score_object(whole.score),
    }


def frame_told(frame: Json) -> Json:
    """One point of the deal, without what is the same in every frame."""
    state = frame["state"]
    return {
        "seq": frame["seq"],
        "type": frame["event"]["type"],
        "phase": state["phase"],
        "to_act": state["to_act"],
        "contract": [state["declarer"], state["contract"], state["trump"]],
        "hands": {
            seat: f"{' '.join(hand['cards'])} +{hand['unknown']}" for seat, hand in state["hands"].items()
        },
        "talon": state["talon"]["count"],
        "trick": state["tricks"][-1] if state["tricks"] else None,
        "tricks_won": list(state["tricks_won"].values()),
        "legal": frame["legal"],
        "score": frame["score"],
    }


def as_text(told: Json) -> str:
    """One line per frame, so that a change is read as a change of that frame."""
    lines = ",\n".join("  " + json.dumps(frame, ensure_ascii=False) for frame in told["frames"])
    rest = {name: value for name, value in told.items() if name != "frames"}
    tail = json.dumps(rest, ensure_ascii=False, indent=1)[1:].lstrip("\n")
    return '{\n "frames": [\n' + lines + "\n ],\n" + tail + "\n"


@pytest.mark.parametrize("name", LIBRARY)
def test_a_deal_of_the_library_is_told_as_before(name: str) -> None:
    told, file = transcript(LIBRARY[name]), GOLDEN / f"{name}.json"
    if os.environ.get("SPADILLE_GOLDEN") == "write":
        file.write_text(as_text(told), encoding="utf-8")
    assert file.is_file(), f"no transcript of {name}: SPADILLE_GOLDEN=write makes {file.name}"
    golden = json.loads(file.read_text(encoding="utf-8"))
    for before, now in zip(golden["frames"], told["frames"], strict=True):
        assert now == before, f"{name}, entry {now['seq']}"
    assert told == golden


@pytest.mark.parametrize("name", LIBRARY)
def test_a_deal_of_the_library_has_a_source_and_notes_on_its_own_entries(name: str) -> None:
    replay = LIBRARY[name]
    log = replay.log()
    seqs = {place(entry.seq) for entry in log}
    events = [entry_object(entry) for entry in log]
    assert replay.source and replay.title != name
    assert all(place(event["on"]) in seqs for event in events if event.get("on"))
    assert view(log, EVERYTHING) == log


TEXTS = sorted(FOLDER.rglob(f"*{SUFFIX}"))


def test_the_json_lines_of_a_deal_are_derived_from_its_text(subtests: pytest.Subtests) -> None:
    for file in TEXTS:
        with subtests.test(file=file):
            text = file.read_text(encoding="utf-8")
            (read,) = read_logs([text.encode()], file.name)
            assert not read.problems
            lines = file.with_suffix(replays.SUFFIX).read_bytes().splitlines()
            derived = [entry_bytes(entry, bare=True) for entry in read.log]
            assert derived == lines, "python -m bench.library derives them anew"
            assert written_log(read.log) == text, "not canonical: spadille convert makes it so"


@pytest.mark.parametrize("name", ["belinda", "belinda-as-printed", "belinda-second-reading"])
def test_belinda_wins_by_five_to_four_as_in_the_poem(name: str) -> None:
    log = LIBRARY[name].log()
    score = score_object(audit(log).score)
    assert (score["outcome"], score["declarer"], score["pool"]["after"]) == ("won", "forehand", 0)
    tricks = ["-".join(map(str, frame_told(frame)["tricks_won"])) for frame in frames(effective(log))]
    assert list(dict.fromkeys(tricks)) == [
        "0-0-0", "1-0-0", "2-0-0", "3-0-0", "4-0-0", "4-1-0", "4-2-0", "4-3-0", "4-4-0", "5-4-0",
    ]  # fmt: skip


def test_a_deal_stands_before_its_other_readings() -> None:
    names = [replay.name for replay in replays.library()]
    assert names == sorted(names)

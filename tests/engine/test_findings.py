"""A finding has what its code promises, and sentences remember how they were made."""

import copy
import pickle
from collections.abc import Callable

import orjson
import pytest

import replays
from engine import Audit, audit
from engine.core import message
from engine.core.message import Listed, Said, Term
from engine.play.findings import CODES, SEVERITIES
from schemas.answers.states import finding_objects
from tests.support.engine.shorthand import B, F, M, audited, claimed, dealt, opened, plays, said

ANNA = "SA S2 CA HK HQ HJ D7 D6 D5"
AUDITS = [
    *(audit(one.log()) for one in replays.examples() if one.folder == "findings"),
    audited([*opened(), *opened()]),
    audited([*opened(), {"type": "player_joined", "player": "Dora"}]),
    audited([*opened(ANNA), *plays("F-SA@4 M-SA@4"), claimed("F", 5, 5, 5)]),
    audited(opened(revision=99)),
]


@pytest.mark.parametrize("whole", AUDITS)
def test_a_finding_has_what_its_code_promises(whole: Audit) -> None:
    assert whole.findings
    for one in whole.findings:
        severity, meaning = CODES[one.code]
        assert one.severity == severity in SEVERITIES
        assert meaning.endswith(".")
        assert one.seq in one.evidence
        assert one.message.endswith((".", "revoke."))
        assert one.rule.partition(".")[0].isdigit()
    worst = {one.severity for one in whole.findings}
    assert whole.ok is not bool(worst & {"impossible", "error"})
    for told in finding_objects(whole.findings):
        assert set(told) >= {"seq", "code", "severity", "seat", "message", "rule", "evidence"}
        assert told["seat"] in (None, F, M, B)


def test_findings_come_in_the_order_of_their_entries() -> None:
    events = [*opened(ANNA, ANNA), *said("M pass, F self"), dealt("B", "SA")]
    seqs = [one.seq for one in audited(events).findings]
    assert seqs == sorted(seqs)
    assert len(set(seqs)) > 2


# --- Sentences that remember how they were made ---------------------------------------------------

GAME = message.said(
    "{game} in {suits}", game="solo", suits=Listed((Term("suit", "H"), Term("suit", "S")), " or ")
)
SENTENCE = message.said("{player} names {game}.", player="{Bo}", game=GAME)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text))])
def test_a_sentence_knows_its_parts_also_in_another_process(again: Callable[[Said], Said]) -> None:
    text = again(SENTENCE)
    assert isinstance(text, Said)
    assert text == "{Bo} names solo in H or S.", "what is given is no form"
    assert (text.form, text.given["player"]) == ("{player} names {game}.", "{Bo}")
    assert orjson.loads(orjson.dumps([text])) == [text]
    game = text.given["game"]
    assert isinstance(game, Said)
    suits = game.given["suits"]
    assert isinstance(suits, Listed) and suits.between == " or "
    assert [one.kind for one in suits.texts if isinstance(one, Term)] == ["suit", "suit"]
    assert message.said("{chips:+d} and {word!r}", chips=3, word="solo") == "+3 and 'solo'"

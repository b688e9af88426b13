"""The words of `spadille verify`: both languages, every kind of fault, nothing that steers a terminal."""

import string
from pathlib import Path
from typing import Any

import pytest

from service.cli import evidence_files
from service.cli.verdicts import DIFFERENCES, KINDS, PLACES, VERDICTS, fault_sentence
from service.evidence import faults
from service.evidence.faults import Fault
from service.wording.style import Style


def parts(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("table", [VERDICTS, KINDS, PLACES, DIFFERENCES])
def test_both_languages_ask_for_the_same_parts(table: dict[str, Any]) -> None:
    for words in table.values():
        assert words.en
        assert words.da
        assert parts(words.en) == parts(words.da)


def test_every_kind_of_fault_has_its_words() -> None:
    assert set(KINDS) == set(faults.KINDS)
    sources = [*Path(faults.__file__).parent.glob("*.py"), Path(evidence_files.__file__)]
    written = " ".join(path.read_text(encoding="utf-8") for path in sources)
    assert [what for what in DIFFERENCES if f'"{what}"' not in written] == []


def test_what_a_forger_wrote_cannot_steer_the_terminal() -> None:
    fault = Fault("changed", "no_entry", 1, "\x1b[2Jstream", 2, "\x1b]0;id", {"said": "\x07bell\u202e"})
    assert fault_sentence(fault, Style()).isprintable()

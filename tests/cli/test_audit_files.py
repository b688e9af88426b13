"""`spadille audit --format html`: reports as one file, to be printed and signed."""

import re
from hashlib import sha256
from html import unescape
from pathlib import Path

import replays
from engine.core.cards import SEATS
from engine.report import report
from schemas.wire.writer import entry_bytes
from service.presentation.i18n.card_words import OUTCOMES
from service.presentation.text.style import Style
from tests.support.cli.auditing import DISPUTE, with_revokes
from tests.support.cli.deals import PASSED_OUT, SLIP, Json, jsonl, opened, run
from tests.support.web.report import plain


def html_of(*arguments: str, given: bytes = b"") -> str:
    result = run("audit", "--format", "html", *arguments, given=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.stdout


def test_the_file_loads_nothing_and_runs_nothing() -> None:
    html = html_of("belinda")
    lines = run("convert", "--to", "jsonl", "belinda").stdout_bytes
    assert sha256(lines).hexdigest() in html  # That of the record's own lines.
    assert "default-src 'none'" in unescape(html)
    assert "<script" not in html
    assert re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', html) == []
    assert re.findall(r"url\((?!\"data:)", html) == []
    assert "@import" not in html


def test_several_deals_stand_in_one_file_each_on_its_own_sheet(tmp_path: Path) -> None:
    file = tmp_path / "evening.jsonl"
    file.write_bytes(jsonl(DISPUTE, SLIP, PASSED_OUT))
    html = html_of("--jobs", "2", str(file))
    said = plain(html)
    assert "Matter 1: entry 9 Bo plays" in said and "Outcome bête At fault Bo" in said
    assert "Nothing vouches for this record but where it was read: " in said
    assert "Sag 1: post 9 Bo lægger" in plain(html_of("--lang", "da", str(file)))
    assert html.count('<article class="report') == 3
    assert html.count("<!doctype html>") == 1
    assert html.count('<symbol id="pip-S"') == 1
    places = re.findall(r' id="([^"]+)"', html)
    assert len(places) == len(set(places))
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(places)
    assert html_of(str(file)) == html


def test_a_report_is_written_into_a_file_in_every_form(tmp_path: Path) -> None:
    for form in ("html", "text", "json"):
        target = tmp_path / f"report.{form}"
        assert run("audit", "--format", form, "-o", str(target), "belinda").exit_code == 0
        shown = run("audit", "--format", form, "belinda")
        assert target.read_text(encoding="utf-8") == shown.stdout
    assert run("audit", "-o", str(tmp_path / "faulty.txt"), "belinda-as-printed").exit_code == 1


def test_names_and_notes_are_text_and_nothing_else() -> None:
    evil = "<script>alert(1)</script>"
    deal: list[Json] = [
        opened(title=evil, players={"forehand": evil, "middlehand": 'B"o', "backhand": "Carl & co"}),
        {"type": "note_added", "text": f"</style>{evil}"},
        {"type": "ruling_made", "text": evil},
    ]
    html = html_of("-", given=jsonl(deal))
    assert "<script" not in html
    assert html.count("</style>") == 1
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_what_each_legal_card_was_worth_stands_below_a_revoke() -> None:
    deal = replays.find("la-bete-slam-led-failed")
    assert deal is not None
    logs = list(with_revokes(deal.log()))
    assert logs
    for log in logs:
        (matter,) = report(log).matters
        assert matter.played is not None
        html = html_of("-", given=b"".join(entry_bytes(entry) + b"\n" for entry in log))
        (table,) = re.findall(r'<table class="[^"]*report-worth">.*?</table>', html, re.DOTALL)
        told = plain(f"<main>{table}")
        for choice in matter.played.point.choices:
            chips = " ".join(Style().chips(choice.value.chips(seat) or 0) for seat in SEATS)
            assert f"{OUTCOMES[choice.value.ends[0].outcome].en} {chips}" in told
        assert told.count("not lawful") == 1

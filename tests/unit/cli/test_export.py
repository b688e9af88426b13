"""`spadille export`: a table as a sheet of slips or one file of logs; and back by `import-slips`."""

import codecs
import random
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import events as ev
from engine.core import table_events as at
from engine.core.cards import SEAT_NAMES, SEATS
from engine.core.field_types import Plan
from engine.rulesets import PUBLISHED_RULESETS
from service.app import create_app
from service.config.data_files import STORE_FILE_NAME
from service.eventstore import SqliteReader, SqliteStore
from tests.support.api.clients import Owner
from tests.support.api.recording import TABLE
from tests.support.cli.deals import SLIP, answers, refusal, run
from tests.support.cli.ledger import B, F, M, lines_of, slip_result
from tests.support.cli.verify import make_club_folder
from tests.support.effort import examples
from tests.support.engine.evenings import Evening
from tests.support.transparency.forging import DEALS, forging

RULESETS = sorted(rules.ruleset.id for rules in PUBLISHED_RULESETS)
CONTRACTS = {rules.ruleset.id: sorted(rules.contracts) for rules in PUBLISHED_RULESETS}
SHEETS = Path(__file__).parent / "sheets"
OF_THE_EVENING = ("seating_mismatch", "pool_mismatch", "table_mismatch", "incomplete")
EXPORTED = """\
title,Thursday
ruleset,dlu
players,Anna,Bo,Carl,Dora
planned deals,12
chip value,0.25
currency,kr
number,dealer,forehand,middlehand,backhand,sits out,declarer,contract,trump,outcome,tricks,penalty,note,\
Anna,Bo,Carl,Dora
1,Dora,Anna,Carl,Dora,Bo,Carl,solo,hearts,won,5+2+2,Bo 1,"'=1+1, he said",-3,,6,-3
2,Anna,Bo,Dora,Anna,Carl,,,,all passed,,,,,,,
3,Anna,Bo,Dora,Anna,Carl,Anna,pure-nolo,,codille,,,,,,,
"""


def thursday() -> Evening:
    evening = Evening("dlu", 4, plan=Plan(deals=12), chip_value="0.25", currency="kr", title="Thursday")
    tricks = tuple(zip(SEATS, (2, 5, 2), strict=True))
    name = evening.play(
        ev.ResultRecorded("won", SEATS[M], "solo", 2, tricks),  # type: ignore[arg-type]
        ev.DealSettled((("Anna", -3), ("Carl", 6), ("Dora", -3))),
        ev.NoteAdded("=1+1, he said"),
    )
    evening.table.append(at.PenaltyGiven("Bo", 1, name))
    evening.play(ev.ResultRecorded("passed_out"))
    evening.play(slip_result("codille", B, "pure-nolo"))
    return evening


def exported(data: bytes, *arguments: str) -> str:
    result = run("export", "-", "--lang", "en", *arguments, given=data)
    assert result.exit_code == 0, result.output
    return result.stdout_bytes.decode()


def import_slips(text: str) -> bytes:
    result = run("import-slips", "-", given=text.encode())
    assert result.exit_code == 0, result.output
    return result.stdout_bytes


def ledger(data: bytes) -> Any:
    """The ledger of the only table, without what a sheet cannot know: ids and places in the log."""
    told = answers(run("ledger", "--format", "json", "-", given=data))
    assert len(told) == 1
    for line in told[0]["lines"]:
        del line["seq"], line["deal"]
    for finding in told[0]["findings"]:
        del finding["deal"], finding["seq"], finding["evidence"]
    return told[0]


def test_a_table_as_a_sheet_in_english_and_in_danish(tmp_path: Path) -> None:
    data = lines_of(thursday())
    assert exported(data) == EXPORTED
    danish = run("export", "-", "--lang", "da", given=data).stdout
    assert danish.startswith("titel;Thursday\nregler;dlu\nspillere;Anna;Bo;Carl;Dora\naftalte spil;12\n")
    row = "1;Dora;Anna;Carl;Dora;Bo;Carl;solo;hjerter;vundet;5+2+2;Bo 1;'=1+1, he said;-3;;6;-3"
    assert row in danish.splitlines()
    for lang, mark in (("en", b""), ("da", codecs.BOM_UTF8)):
        run("export", "-", "--lang", lang, "-o", str(tmp_path / lang), given=data)
        begins = (tmp_path / lang).read_bytes()[:4]
        assert begins.startswith(mark) and begins.isascii() == (not mark), f"the mark of {lang}"


def test_import_and_export_keep_every_column() -> None:
    sheets = ("torsdag.csv", "club-night.csv")
    danish, english = (run("import-slips", str(SHEETS / name)).stdout_bytes for name in sheets)
    rows = exported(danish).splitlines()[6:]
    assert rows[0].startswith("1,2026-11-19,Dorthe,")
    second = (
        '2,2026-11-19,Ærø,Bo,Dorthe,Ærø,Søren,Bo,tourne,spades,bete,4+4+1,"han troede, at det gik",2,-4,,2'
    )
    assert rows[1] == second
    row = '2,Anna,Bo,"Baron, the",Anna,"Baron, the",solo,spades,won,6+2+1,yes,3,25,Bo 1,'
    assert f'{row}"led out of turn\ntwice"\n' in exported(english)


def test_a_table_and_its_deals_as_one_file_whatever_the_order_they_came_in() -> None:
    evening = thursday()
    whole = run("export", "-", "--format", "jsonl", given=lines_of(evening)).stdout_bytes
    events = [one["type"] for one in answers(run("export", "-", "--format", "jsonl", given=whole))]
    assert events[0] == "table_opened"
    assert [name for name in events if name.endswith("opened")] == ["table_opened"] + ["deal_opened"] * 3
    assert ledger(whole) == ledger(lines_of(evening))
    logs = whole.split(b'{"type":"deal_opened"')
    turned = b"".join(b'{"type":"deal_opened"' + log for log in reversed(logs[1:])) + logs[0]
    assert run("export", "-", "--format", "jsonl", given=turned).stdout_bytes == whole


def test_what_no_slip_can_say_is_named() -> None:
    evening = thursday()
    evening.play(ev.HandTakenOver(SEATS[F], "Carl"), slip_result("won", F, "solo"))
    evening.play(ev.RulingMade("so be it", payments=(("forehand", 7), ("backhand", -7))))
    evening.table += [at.PaymentMade("Bo", "Anna", 3), at.PaymentMade("Bo", "Carl", 3)]
    evening.table += [at.PenaltyGiven("Bo", 1), at.PlayerLeft("Dora"), ev.NoteAdded("Good night.")]
    evening.table.append(at.TableVoided("Opened twice."))
    result = run("export", "-", given=lines_of(evening))
    assert [line.partition("no place for ")[2] for line in result.stderr.splitlines()] == [
        "all that makes the payments of deal 4; it is left out.",
        "all that makes the payments of deal 5; it is left out.",
        "a payment outside the deals (2 times); it is left out.",
        "penalty points outside the deals; it is left out.",
        "a note on the table; it is left out.",
        "that the table is set aside; it is left out.",
        "a change of seats after the last deal; it is left out.",
    ]


def test_a_deal_without_its_record_keeps_its_number_free() -> None:
    evening = thursday()
    del evening.logs["deal-1"], evening.logs["deal-3"]
    result = run("export", "-", given=lines_of(evening))
    assert "no place for deal 1, whose record is not here" in result.stderr
    assert [line.split(",")[0] for line in result.stdout.splitlines()[8:]] == ["2"]


def test_corrected_and_void_deals_are_exported_as_they_now_are() -> None:
    evening = Evening("dlu")
    name = evening.play(slip_result("won", F, "solo"))
    evening.add(name, ev.CorrectionMade("it was Bo", (2,), None, (slip_result("bete", M, "solo"),)))
    evening.play(slip_result("won", F, "solo"), ev.DealVoided("a card too many"))
    rows = exported(lines_of(evening)).splitlines()[4:]
    assert [row.split(",")[5:9] for row in rows] == [["Bo", "solo", "", "bete"], ["Bo", "solo", "", "void"]]


def test_players_who_come_and_go_stand_where_it_changes() -> None:
    evening = Evening("dlu")
    evening.play(slip_result("won", F, "solo"))
    evening.table.append(at.PlayerJoined("Dora", 1))
    evening.play(slip_result("won", F, "solo"))
    evening.table.append(at.SeatsSet(("Dora", "Carl", "Bo", "Anna"), "Bo"))
    evening.play(slip_result("won", F, "solo"))
    evening.table += [at.PlayerLeft("Carl"), at.TableClosed()]
    result = run("export", "-", "--lang", "en", given=lines_of(evening))
    assert "no place for a change of seats after the last deal" in result.stderr
    assert "closed,yes\n" in result.stdout
    assert '"Dora, Anna, Bo, Carl"' in result.stdout
    told, back = ledger(lines_of(evening)), ledger(import_slips(result.stdout))
    for name in ("lines", "totals", "findings"):
        assert back[name] == told[name]


SLIPS = st.builds(
    ev.ResultRecorded,
    outcome=st.sampled_from(["won", "bete", "codille", "passed_out", "voided", None]),
    declarer=st.sampled_from([None, *SEATS]),
    trump=st.none() | st.integers(0, 2),
    slam=st.sampled_from([None, "made", "failed"]),
    primeras=st.none() | st.booleans(),
    estuches=st.none() | st.integers(0, 5),
)
"""Slips without a contract."""


@settings(max_examples=examples(50))
@given(st.data(), st.sampled_from(RULESETS), st.integers(3, 6), st.randoms(use_true_random=False))
def test_a_sheet_keeps_a_random_evening(data: Any, ruleset: str, players: int, rng: random.Random) -> None:
    evening = Evening(ruleset, players)
    for _ in range(data.draw(st.integers(1, 5))):
        game = 0 if players < 6 else data.draw(st.integers(0, 1))
        if data.draw(st.booleans()):
            name = evening.play_randomly(rng, game)
        else:
            # Simple and solo in spades have names of their own, which the sheet gives them.
            told = replace(data.draw(SLIPS), contract=data.draw(st.sampled_from(CONTRACTS[ruleset])))
            name = evening.play(told, game=game)
            if data.draw(st.booleans()):
                chips = data.draw(st.tuples(*[st.integers(-9, 9)] * 3))
                evening.add(name, ev.DealSettled(tuple(zip(SEAT_NAMES, chips, strict=True))))
        if data.draw(st.booleans()):
            evening.table.append(at.PenaltyGiven("Bo", data.draw(st.integers(-3, 3)), name))
    log = lines_of(evening)
    result = run("export", "-", "--lang", data.draw(st.sampled_from(["en", "da"])), given=log)
    assert (result.exit_code, result.stderr) == (0, "")
    before, after = ledger(log), ledger(import_slips(result.stdout_bytes.decode()))
    for one in (before, after):
        # Cards break more rules than a slip of them can tell.
        one["findings"] = [found for found in one["findings"] if found["code"] in OF_THE_EVENING]
    assert after == before


def test_a_table_of_the_store_is_read_while_the_service_has_it(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / STORE_FILE_NAME) as store:
        owner = Owner(create_app(store))
        opening = {"ruleset": "dlu", "players": ["Anna", "Bo", "Carl"], "title": "Stored"}
        name = owner.post("/tables", opening)["table"]
        deal = owner.post(f"/tables/{name}/deals", {}, 1)["deal"]
        owner.post(f"/deals/{deal}/events", {**SLIP[1], "id": "0190a0a0-0000-7000-8000-000000000001"}, 1)
        for path in (tmp_path, tmp_path / STORE_FILE_NAME):
            text = run("export", "--store", str(path), "--table", name.upper(), "--lang", "en").stdout
            assert text.startswith("title,Stored\nruleset,dlu\n")
            assert text.endswith("1,Carl,Anna,Bo,Carl,Bo,solo,hearts,,4+2+3,\n")
        whole = run("export", "--store", str(tmp_path), "--table", name, "--format", "jsonl").stdout_bytes
        assert ledger(whole)["totals"] == {"Anna": -3, "Bo": 6, "Carl": -3}
        asked = refusal("export", "--store", str(tmp_path))
        assert asked == f"Name a table with --table. The store has 1: {name} Stored"
        assert "There is no table “x”." in refusal("export", "--store", str(tmp_path), "--table", "x")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    make_club_folder(tmp_path / "club")
    return tmp_path / "club"


def test_one_deal_of_a_store_with_its_proof(club: Path, tmp_path: Path) -> None:
    deal = DEALS[30].upper()
    out, proof, kept = (tmp_path / name for name in ("a", "a.proof", "kept"))
    said = run("export", "--store", str(club), "--deal", deal, "-o", str(out), "--proof", str(proof))
    assert (said.exit_code, said.output) == (0, "")
    with SqliteStore(club / STORE_FILE_NAME) as store:
        assert out.read_bytes() == b"".join(event.body + b"\n" for event in store.read_stream(deal.lower()))
    assert run("checkpoint", str(club), "-o", str(kept)).exit_code == 0
    assert run("verify", str(out), "--checkpoint", str(kept)).exit_code == 0


FILES_OR_A_STORE = "Name the files of a table, or a store with --store PATH --table ID."
DEAL = ["--store", "CLUB", "--deal", DEALS[0]]
ALL = ["--all", "--store", "CLUB"]
REFUSED = [
    ([], FILES_OR_A_STORE),
    (["a.jsonl", "--store", "CLUB"], FILES_OR_A_STORE),
    (["--store", "CLUB", "--deal", TABLE], f"There is no deal “{TABLE}” in the store."),
    ([*DEAL, "--format", "csv"], "--deal writes JSON Lines"),
    ([*DEAL, "--table", TABLE], "with --store PATH, and nothing else"),
    ([*DEAL, "--all"], "--all exports a whole store"),
    ([*DEAL, "-o", "x", "--proof", "x"], "name the same file"),
    (["x.jsonl", "--proof", "x.proof"], "--proof proves the logs of a store"),
    (["--store", "CLUB", "--table", TABLE, "--proof", "x.proof"], "--proof proves the logs of a store"),
    (["--all"], "--all"),
    ([*ALL, "--table", TABLE], "--all exports a whole store"),
    ([*ALL, "--format", "csv"], "--all"),
    ([*ALL, "--proof", "x.proof"], "--all"),
    (["--all", "--store", "none.db"], "cannot be read"),
]


def test_what_cannot_be_exported_is_refused(club: Path, subtests: pytest.Subtests) -> None:
    for arguments, says in REFUSED:
        with subtests.test(" ".join(arguments)):
            assert says in refusal("export", *(str(club) if one == "CLUB" else one for one in arguments))


def test_damaged_records_are_named_and_the_others_rescued(club: Path, tmp_path: Path) -> None:
    out = tmp_path / "rest.jsonl"
    with forging(club / STORE_FILE_NAME) as execute:
        for stream in (DEALS[1], DEALS[30]):
            execute(
                "UPDATE events SET body = CAST('{}' AS BLOB) WHERE version = 1 AND stream_key = "
                "(SELECT stream_key FROM streams WHERE stream = ?)",
                (stream,),
            )
    said = run("export", "--all", "--store", str(club), "-o", str(out))
    assert said.exit_code == 1
    assert [line[:60] for line in said.stderr.splitlines()] == [
        f"{stream} is damaged and is left out: E"[:60] for stream in (DEALS[30], DEALS[1])
    ]
    with SqliteReader(club / STORE_FILE_NAME) as store:
        whole = [event.body for stream in (TABLE, DEALS[0], DEALS[2]) for event in store.read_stream(stream)]
    assert out.read_bytes().splitlines() == whole
    again = run("import-slips", str(out), "--store", str(tmp_path / "again.db"))
    assert again.exit_code == 0, again.stderr
    assert f"Records: 3; new entries: {len(whole)}." in again.output
    damaged = refusal("export", "--deal", DEALS[1], "--store", str(club))
    assert f"Event 1 of stream {DEALS[1]}" in damaged


def test_an_export_of_a_store_is_readable_by_its_owner_alone(club: Path, tmp_path: Path) -> None:
    """It holds all hands, also of deals that are not over; what is made of files is as any file."""

    def mode_after(name: str, *arguments: str) -> int:
        out = tmp_path / name
        out.write_text("older")
        out.chmod(0o644)
        assert run("export", *arguments, "-o", str(out)).exit_code == 0
        return stat.S_IMODE(out.stat().st_mode)

    store, proof = ("--store", str(club)), tmp_path / "proof"
    for name, asked in {
        "all": ["--all"],
        "deal": ["--deal", DEALS[0], "--proof", str(proof)],
        "table": ["--table", TABLE, "--format", "jsonl"],
        "sheet": ["--table", TABLE],
    }.items():
        assert mode_after(name, *store, *asked) == 0o600, name
    assert stat.S_IMODE(proof.stat().st_mode) == 0o600
    assert mode_after("public", str(tmp_path / "table")) == 0o644

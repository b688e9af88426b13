"""Serving: one sentence, one process to a store, and a clean end however it is told to stop."""

import http.client
import ipaddress
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import urllib.request
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import replays
from engine.rulesets import PUBLISHED_RULESETS, compile_ruleset
from schemas.rulesets.ruleset_json import read_ruleset
from service.auth.access_register import AccessRegister
from service.config.data_files import AUTH_FILE_NAME, STORE_FILE_NAME
from service.config.program import program_command
from service.config.settings import Settings
from service.eventstore import SqliteStore
from service.server import listen, run
from tests.support.api.club_rules import CLUB, dearer
from tests.support.api.recording import OPENING
from tests.support.api.servers import (
    START,
    as_owner,
    ended,
    free_port,
    prepare,
    run_server,
    wait_until_it_answers,
)

Captured = pytest.CaptureFixture[str]


def ask(port: int, path: str, body: Any = None) -> Any:
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **as_owner(port)},
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


@pytest.mark.process
@pytest.mark.smoke
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT])
def test_it_says_where_it_is_and_ends_cleanly(tmp_path: Path, how: signal.Signals) -> None:
    with run_server(tmp_path / "data") as (port, server):
        ask(port, "/api/v1/deals", OPENING)
        said, complained = ended(server, how)
    # No link that logs in: what is printed elsewhere than at a terminal may be kept.
    assert said == (
        f"Spadille is running at http://127.0.0.1:{port}/ (press Ctrl-C to stop it).\n"
        "To log in, make a link that works once: spadille tokens make owner --once "
        f"--link http://127.0.0.1:{port} --data {tmp_path / 'data'}\n"
    )
    assert complained == ""
    with AccessRegister(tmp_path / "data" / AUTH_FILE_NAME) as register:
        assert len(register.list_grants()) == 1, "the test's own"
    store = tmp_path / "data" / STORE_FILE_NAME
    assert not store.with_name(store.name + "-wal").exists()
    with SqliteStore(store) as opened:
        assert opened.head() == 1


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="where there are pseudo-terminals")
@pytest.mark.process
def test_a_second_start_names_the_service_that_runs(tmp_path: Path) -> None:
    with run_server(tmp_path / "data") as (port, server):
        second = [sys.executable, "-c", START, str(tmp_path / "data"), str(free_port())]
        said = subprocess.run(second, check=True, capture_output=True, text=True, timeout=60)
        assert said.stdout == f"Spadille is already running at http://127.0.0.1:{port}/\n"
        ended(server)
        note = tmp_path / "data" / "serving.txt"
        assert not note.exists()
    note.write_text(f"http://127.0.0.1:{port}\n")  # as a service leaves it that was killed
    with SqliteStore(tmp_path / "data" / STORE_FILE_NAME):
        refused = subprocess.run(second, check=False, capture_output=True, text=True, timeout=60)
    assert refused.returncode == 1 and "already in use by process" in refused.stderr


def test_at_a_terminal_it_prints_a_link_that_logs_its_owner_in_once(tmp_path: Path) -> None:
    port = free_port()
    terminal, end = os.openpty()
    command = [sys.executable, "-c", START, str(tmp_path / "data"), str(port)]
    server = subprocess.Popen(command, stdout=end, stderr=subprocess.PIPE, text=True)
    os.close(end)
    wait_until_it_answers(server, port)
    said = os.read(terminal, 4096).decode()
    found = re.search(rf"http://127\.0\.0\.1:{port}/enter#token=(spadille_t_\w+)&to=/tables", said)
    assert found, said
    for status in (201, 401):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        body = json.dumps({"token": found[1]})
        line.request("POST", "/api/v1/session", body, {"Content-Type": "application/json"})
        answer = line.getresponse()
        cookie = answer.headers.get("Set-Cookie", "")
        assert (answer.status, cookie.startswith(f"spadille-{port}=spadille_s_")) == (status, status == 201)
        line.close()
    server.terminate()
    _, complained = server.communicate(timeout=20)
    os.close(terminal)
    assert complained == ""


def test_the_folder_of_a_store_is_private(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "data"
    assert prepare(folder).exists()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    prepare(None)
    assert (tmp_path / "spadille" / STORE_FILE_NAME).exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit, match=r"cannot be used: .*--data"):
        prepare(tmp_path / "file" / "data")
    (tmp_path / STORE_FILE_NAME).write_bytes(b"no database at all, and long enough to be read as one" * 40)
    with pytest.raises(SystemExit, match="store"):
        prepare(tmp_path)


def test_rules_that_contradict_the_store_are_reported_before_it_listens(tmp_path: Path) -> None:
    ours, other = (compile_ruleset(read_ruleset({"id": "our-club", **told})) for told in (CLUB, dearer(9)))
    for _ in range(2):
        with run.open_records(Settings(tmp_path), (*PUBLISHED_RULESETS, ours)):
            pass
    with (
        pytest.raises(SystemExit, match=r"Publish this as revision 2\."),
        run.open_records(Settings(tmp_path), (*PUBLISHED_RULESETS, other)),
    ):
        pass


def test_it_listens_on_this_computer_alone() -> None:
    port = free_port()
    with listen.open_listener(port) as listener:
        assert listener.getsockname() == ("127.0.0.1", port)
        with pytest.raises(SystemExit, match=rf"^Port {port} is in use.*--port {port + 1}[^\n]*$"):
            listen.open_listener(port)
    with pytest.raises(SystemExit, match=r"cannot be used|is not available here"):
        listen.open_listener(free_port(), "192.0.2.7")
    with pytest.raises(SystemExit, match=r"The address nowhere\.invalid is not available here"):
        listen.open_listener(free_port(), "nowhere.invalid")
    for address in map(ipaddress.ip_address, listen.list_own_addresses()):
        assert not address.is_loopback and not address.is_unspecified
    assert all(map(listen.is_loopback, ("127.0.0.1", "127.9.9.9", "::1", "localhost")))
    assert not any(map(listen.is_loopback, ("0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", "")))


def test_a_newcomer_begins_with_the_library_s_first_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run.start_page_path() == f"/replays/{replays.list_library()[0].name}"
    monkeypatch.setattr(replays, "list_library", tuple)
    assert run.start_page_path() == "/"


def test_beyond_this_computer_it_does_not_listen_without_an_owner_or_a_name(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path
) -> None:
    folder = tmp_path / "our club"
    for host in ("0.0.0.0", "::", "192.0.2.7", "cards.example"):
        with pytest.raises(SystemExit, match=r"other computers can reach the service") as refused:
            run.run_service(Settings(folder, host, free_port(), names=frozenset({"x"})), False)
        # As it stands there it works: without the folder it would make an owner of another store.
        assert f"spadille tokens make owner --data '{folder}'." in str(refused.value)
    monkeypatch.setattr(run, "add_own_host_names", lambda settings: settings)
    for host in ("0.0.0.0", "::"):
        with pytest.raises(SystemExit, match=r"SPADILLE_NAMES=192\.168\.1\.5:9000"):
            run.run_service(Settings(tmp_path, host, 9000), False)
    assert capsys.readouterr().out == ""


def own_network() -> list[str]:
    return ["192.168.1.5", "fd00::5"]


def test_a_place_that_is_listened_at_is_a_name_of_ours() -> None:
    def names(host: str, *stated: str, proxies: int = 0) -> set[str]:
        settings = Settings(host=host, port=9000, names=frozenset(stated), proxies=proxies)
        return set(listen.add_own_host_names(settings, own_network).names)

    assert names("192.0.2.7", "cards.example") == {"192.0.2.7:9000", "cards.example"}
    assert names("2001:db8::1") == {"[2001:db8::1]:9000"}
    assert names("Cards.example") == {"cards.example:9000"}
    assert names("0.0.0.0", "cards.example") == {"cards.example", "192.168.1.5:9000"}
    assert names("::") == {"192.168.1.5:9000", "[fd00::5]:9000"}
    assert names("0.0.0.0", "cards.example", proxies=1) == {"cards.example"}
    assert names("127.0.0.1") == names("::1") == set()


REACHED: dict[str, tuple[Settings, str, list[str], bool]] = {
    "usual": (Settings(port=9000), "127.0.0.1:9000", [], False),
    "ipv6 here": (Settings(host="::1", port=9000), "[::1]:9000", [], False),
    "ipv6": (Settings(host="2001:db8::1"), "[2001:db8::1]:8240", [], True),
    "everywhere": (Settings(host="0.0.0.0"), "127.0.0.1:8240", ["http://192.168.1.5:8240"], True),
    "all of ipv6": (
        Settings(host="::"), "127.0.0.1:8240", ["http://192.168.1.5:8240", "http://[fd00::5]:8240"], True
    ),
    "proxy": (
        Settings(host="0.0.0.0", names=frozenset(["cards.example"]), proxies=1), "127.0.0.1:8240",
        ["https://cards.example"], False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REACHED)
def test_it_says_where_people_reach_it(capsys: Captured, name: str) -> None:
    settings, here, elsewhere, in_the_clear = REACHED[name]
    known = listen.add_own_host_names(settings, own_network)
    assert listen.local_url(known) == f"http://{here}"
    assert listen.list_external_urls(known) == elsewhere
    run.print_urls(known)
    said = capsys.readouterr()
    assert all(f"{one}/" in said.out for one in (f"http://{here}", *elsewhere))
    assert "0.0.0.0" not in said.out and "[::]" not in said.out
    assert ("not encrypted" in said.err) == in_the_clear


@pytest.mark.process
def test_a_phone_at_the_table_opens_the_address_that_is_printed(tmp_path: Path) -> None:
    """As it stands there it is answered, also where nobody said a name."""
    found = [address for address in listen.list_own_addresses() if ":" not in address]
    host = found[0] if found else "127.0.0.1"
    with run_server(tmp_path, SPADILLE_HOST="0.0.0.0", SPADILLE_NAMES="" if found else "x") as (port, server):
        with urllib.request.urlopen(f"http://{host}:{port}/api/v1/healthz", timeout=10) as answer:
            assert answer.status == 200
        said, complained = ended(server)
    assert not found or f"http://{host}:{port}/" in said
    assert complained.startswith("The connection is not encrypted")


@pytest.mark.parametrize(
    ("wanted", "display", "printed"),
    [(True, True, False), (True, False, False), (False, True, False), (False, False, True)],
)
def test_a_link_is_made_only_for_a_browser_or_where_one_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
    tmp_path: Path,
    wanted: bool,
    display: bool,
    printed: bool,
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(run, "has_display", lambda: display)
    monkeypatch.setattr(run, "open_browser", opened.append)
    with AccessRegister(tmp_path / AUTH_FILE_NAME) as register:
        run.offer_owner_login(register, "http://127.0.0.1:8240", wanted, printed)
        assert len(opened) == (wanted and display)
        assert len(register.list_grants()) == (wanted and display) + printed
    assert ("http://127.0.0.1:8240/enter#token=spadille_t_" in capsys.readouterr().out) == printed


def test_a_printed_command_runs_where_the_program_was_called(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", [".venv/bin/spadille", "serve"])
    run.print_login_command(Settings(tmp_path))
    command = ".venv/bin/spadille tokens make owner --once --link http://127.0.0.1:8240 --data"
    assert f": {command} {tmp_path}\n" in capsys.readouterr().out
    monkeypatch.setattr(shutil, "which", lambda _: str(Path(".venv/bin/spadille").absolute()))
    assert program_command() == "spadille"


DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.process
def test_the_lines_of_the_guide_answer_what_it_shows(tmp_path: Path) -> None:
    fences = re.findall(r"^```(\w*)\n(.*?)^```$", (DOCS / "api.md").read_text("utf-8"), re.M | re.S)
    # Blocks of commands, each with the JSON that is shown below it, if some is.
    blocks = [
        (held, shown if below == "json" else "")
        for (language, held), (below, shown) in pairwise([*fences, ("", "")])
        if language == "bash"
    ]
    assert len(blocks) > 15
    spadille = tmp_path / "bin" / "spadille"
    spadille.parent.mkdir()
    spadille.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m service.cli "$@"\n')
    spadille.chmod(0o755)
    here = {
        **os.environ, "no_proxy": "*", "PATH": f"{spadille.parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(DOCS.parent), "SPADILLE_DATA": str(tmp_path / "data"),
    }  # fmt: skip
    with run_server(tmp_path / "data") as (port, _):
        # One script, so that what one block sets the next can use; each block writes to a file of its own.
        script = ["set -euo pipefail"]
        for number, (commands, _) in enumerate(blocks):
            script += ["{", commands.replace("8240", str(port)), f"}} > {tmp_path}/{number}"]
        command = ["bash", "-c", "\n".join(script)]
        ran = subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    answered = [(number, *block) for number, block in enumerate(blocks) if block[1]]
    assert len(answered) > 6
    for number, commands, expected in answered:
        assert json.loads((tmp_path / str(number)).read_bytes()) == json.loads(expected), commands

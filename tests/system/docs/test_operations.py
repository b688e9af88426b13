"""docs/operations.md and docs/scaling.md say what can be set, is measured and was tried."""

import configparser
import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest
import yaml  # type: ignore[import-untyped]

from service.app import create_app
from service.cli import main
from service.config.settings import (
    LOOPBACK_HOST,
    SETTING_DEFINITIONS,
    InvalidSetting,
    Settings,
    environment_variable,
    load_settings,
)
from service.eventstore import SqliteStore
from service.http.api.request_bodies import MAX_LOG_BYTES
from service.records.live import HEARTBEAT_SECONDS
from tests.support.api.clients import owner_of
from tests.support.api.servers import served
from tests.system.cluster.layout import agreed

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
SCALING = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")
IMAGE = re.sub(r"\\\n\s*", "", (ROOT / "Containerfile").read_text(encoding="utf-8"))


def block(language: str, guide: str = GUIDE) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", guide, re.M | re.S)
    return str(found)


def test_every_setting_is_in_the_guide_with_its_default_and_no_other() -> None:
    told = set(re.findall(r"^\| `(SPADILLE_[A-Z_]+)` \|", GUIDE, re.M))
    assert told == {environment_variable(name) for name in SETTING_DEFINITIONS}
    assert set(SETTING_DEFINITIONS) == set(Settings.__dataclass_fields__)
    assert set(re.findall(r"SPADILLE_[A-Z_]+", GUIDE)) <= told
    names = {environment_variable(name): name for name in SETTING_DEFINITIONS}
    for row in re.findall(r"^\| `(SPADILLE_[A-Z_]+)` \|.*\| `([^`]+)`[^|]*\|$", GUIDE, re.M):
        name = names[row[0]]
        assert getattr(Settings(), name) == SETTING_DEFINITIONS[name].parse(row[1]), name


def test_every_metric_is_in_the_guide_and_no_other(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "x.db") as store:
        client = owner_of(create_app(store))
        client.get("/healthz")
        told = client.get("/metrics").get_data(as_text=True)
    there = set(re.findall(r"^# TYPE (\w+) (?:counter|gauge|histogram)$", told, re.M))
    there = {name for name in there if not name.endswith("_created")}
    assert set(re.findall(r"`(spadille_\w+)`", GUIDE)) == there


@pytest.mark.parametrize(("name", "text"), [
    ("port", "0"), ("port", "65536"), ("port", "x"), ("port", "-1"), ("port", "٣"),
    ("streams", "10001"), ("log_format", "xml"), ("host", "a b"), ("names", "https://cards.example"),
    ("names", "cards.example/x"), ("proxies", "10"), ("rate", "0"), ("rate", "nan"), ("rate", "inf"),
    ("rate", "x"), ("burst", "0"), ("connections", "31"), ("request_timeout_seconds", "0"),
    ("request_timeout_seconds", "601"),
])  # fmt: skip
def test_a_setting_that_cannot_be_is_refused_with_what_was_expected(name: str, text: str) -> None:
    with pytest.raises(InvalidSetting, match=rf"^{environment_variable(name)} is .*; expected "):
        load_settings({environment_variable(name): text})


def test_what_is_stated_goes_before_the_environment_and_that_before_the_usual() -> None:
    said = {"SPADILLE_PORT": "9000", "SPADILLE_BURST": "7", "SPADILLE_NAMES": "A.example, b.example:8443"}
    made = load_settings(said, port=9001, data=None)
    assert (made.port, made.burst, made.data, made.rate) == (9001, 7, None, Settings().rate)
    assert made.names == {"a.example", "b.example:8443"}
    assert load_settings({"SPADILLE_PORT": " "}) == Settings()


def test_the_unit_is_one(tmp_path: Path) -> None:
    unit = block("ini")
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(unit)
    assert parser.sections() == ["Unit", "Service", "Install"]
    if (analyse := shutil.which("systemd-analyze")) is None:
        pytest.skip("No systemd-analyze here to look at the unit.")
    file = tmp_path / "spadille.service"
    file.write_text(unit.replace("/opt/spadille/.venv/bin/spadille", sys.executable))
    said = subprocess.run(
        [analyse, "verify", "--man=no", str(file)], capture_output=True, text=True, check=False
    )
    assert [line for line in said.stderr.splitlines() if "spadille.service" in line] == []


def test_the_image_starts_what_is_there() -> None:
    """No image can be built where the tests run: so each thing that it names is held to what it is."""
    steps = re.findall(r"^([A-Z]+) (.*)$", IMAGE, re.M)
    of = dict(steps)
    program, *words = json.loads(of["ENTRYPOINT"])
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert Path(program).name in scripts
    command: click.Command = main
    while isinstance(command, click.Group):
        found = command.get_command(click.Context(command), words[0])
        assert found is not None
        command, words = found, words[1:]
    command.make_parser(click.Context(command)).parse_args(list(words))
    environment = dict(pair.split("=", 1) for pair in of["ENV"].split())
    assert str(Path(program).parent) == environment["PATH"].partition(":")[0]
    made = load_settings(environment)
    assert (str(made.data), made.log_format) == (of["VOLUME"], "json")
    assert of["EXPOSE"] == str(made.port)
    assert hasattr(signal, of["STOPSIGNAL"])
    user = next(text for kind, text in steps if kind == "RUN" and "useradd" in text)
    assert f"--uid {of['USER']} " in user and f"--home-dir {of['VOLUME']} " in user
    assert of["USER"] != "0"
    assert "--require-hashes" in IMAGE


def test_the_image_holds_what_the_wheel_is_made_of() -> None:
    copied = {name for words in re.findall(r"^COPY ([^-].*) \S+$", IMAGE, re.M) for name in words.split()}
    assert {"engine", "schemas", "replays", "service"} <= copied
    assert all((ROOT / name).exists() for name in copied)
    kept = (ROOT / ".containerignore").read_text(encoding="utf-8").split()
    assert {f"!{name}" for name in copied} == {line for line in kept if line.startswith("!")}


@pytest.mark.process
def test_the_image_looks_at_readiness(tmp_path: Path) -> None:
    found = re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", IMAGE, re.M)
    assert found
    _, dash_c, code = json.loads(found[1])
    assert dash_c == "-c" and f":{Settings().port}/" in code

    def ended(port: int) -> int:
        asked = code.replace(f":{Settings().port}/", f":{port}/")
        looked = [sys.executable, "-c", asked]
        return subprocess.run(looked, capture_output=True, timeout=60, check=False).returncode

    with served(tmp_path) as port:
        assert ended(port) == 0
    with socket.socket() as silent:
        silent.bind((LOOPBACK_HOST, 0))  # nobody else has the port, and nobody listens there
        assert ended(silent.getsockname()[1]) != 0


@pytest.mark.parametrize("guide", [GUIDE, SCALING], ids=["operations", "scaling"])
def test_the_proxy_lets_through_what_the_service_takes(guide: str) -> None:
    nginx = block("nginx", guide)
    assert f"client_max_body_size {MAX_LOG_BYTES >> 20}m;" in nginx
    timeout = re.search(r"proxy_read_timeout (\d+)s;", nginx)
    assert timeout and int(timeout[1]) > 2 * HEARTBEAT_SECONDS
    if guide == GUIDE:
        assert f"proxy_pass http://{LOOPBACK_HOST}:{Settings().port};" in nginx
    else:
        assert "proxy_buffering off;" in nginx and "ip_hash" not in nginx
    assert nginx.count("{") == nginx.count("}")


def test_the_settings_of_a_cluster_are_those_of_its_trial() -> None:
    assert yaml.safe_load(block("yaml", SCALING)) == agreed(synchronous=True)


def test_the_image_can_be_built_for_a_cluster() -> None:
    (requirements,) = re.findall(r"--build-arg REQUIREMENTS=(\S+)", SCALING)
    assert f" {requirements} ./\n" in IMAGE and '-r "$REQUIREMENTS"' in IMAGE
    assert "psycopg==" in (ROOT / requirements).read_text(encoding="utf-8")
    usual = re.search(r"^ARG REQUIREMENTS=(\S+)$", IMAGE, re.M)
    assert usual and (ROOT / usual[1]).exists()

"""docs/operations.md says everything that can be set and is measured, and its unit files are sound."""

import configparser
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from service.app import create_app
from service.settings import READ, Settings, UnreadableSetting, settings_from, variable
from tests.api.clients import owner_of

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", GUIDE, re.M | re.S)


def test_every_setting_is_in_the_guide_and_no_other() -> None:
    told = set(re.findall(r"^\| `(SPADILLE_[A-Z_]+)` \|", GUIDE, re.M))
    assert told == {variable(name) for name in READ}
    assert set(READ) == set(Settings.__dataclass_fields__)
    assert set(re.findall(r"SPADILLE_[A-Z_]+", GUIDE)) <= told


def test_what_the_guide_says_is_usual_is_so() -> None:
    for row in re.findall(r"^\| `(SPADILLE_[A-Z_]+)` \|.*\| `([^`]+)`[^|]*\|$", GUIDE, re.M):
        name = row[0].removeprefix("SPADILLE_").lower()
        assert getattr(Settings(), name) == READ[name].read(row[1]), name


def test_every_metric_is_in_the_guide_and_no_other(tmp_path: Path) -> None:
    from service.store import SqliteStore

    with SqliteStore(tmp_path / "x.db") as store:
        client = owner_of(create_app(store))
        client.get("/healthz")
        told = client.get("/metrics").get_data(as_text=True)
    there = set(re.findall(r"^# TYPE (\w+) (?:counter|gauge|histogram)$", told, re.M))
    there = {name for name in there if not name.endswith("_created")}
    assert set(re.findall(r"`(spadille_\w+)`", GUIDE)) == there


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("port", "0"), ("port", "65536"), ("port", "x"), ("port", "-1"), ("port", "٣"),
        ("streams", "10001"), ("log_format", "xml"), ("host", "a b"), ("names", "https://cards.example"),
        ("names", "cards.example/x"), ("proxies", "10"), ("rate", "0"), ("rate", "nan"), ("rate", "inf"),
        ("rate", "x"), ("burst", "0"), ("connections", "31"), ("patience", "0"), ("patience", "601"),
    ],
)  # fmt: skip
def test_a_setting_that_cannot_be_is_refused_with_what_was_expected(name: str, text: str) -> None:
    with pytest.raises(UnreadableSetting, match=rf"^{variable(name)} is .*; expected was "):
        settings_from({variable(name): text})


def test_what_is_stated_goes_before_the_environment_and_that_before_the_usual() -> None:
    said = {"SPADILLE_PORT": "9000", "SPADILLE_BURST": "7", "SPADILLE_NAMES": "A.example, b.example:8443"}
    made = settings_from(said, port=9001, data=None)
    assert (made.port, made.burst, made.data, made.rate) == (9001, 7, None, Settings().rate)
    assert made.names == {"a.example", "b.example:8443"}
    assert settings_from({"SPADILLE_PORT": " "}) == Settings()


def test_the_unit_is_one(tmp_path: Path) -> None:
    (unit,) = blocks("ini")
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


def test_the_image_holds_what_the_wheel_is_made_of() -> None:
    said = (ROOT / "Containerfile").read_text(encoding="utf-8")
    for package in ("engine", "schemas", "replays", "service"):
        assert f"COPY {package} {package}\n" in said
    kept = (ROOT / ".containerignore").read_text(encoding="utf-8").split()
    copied = {
        word for line in said.splitlines() if re.match(r"COPY [^-]", line) for word in line.split()[1:-1]
    }
    assert {f"!{name}" for name in copied} == {line for line in kept if line.startswith("!")}
    assert re.search(r"^USER [1-9]", said, re.M)
    assert "--require-hashes" in said

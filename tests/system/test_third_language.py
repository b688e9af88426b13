"""A third language needs one file and no code: a generated one, in which vowels bear accents, is added."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.pofile import read_po, write_po

import schemas
from schemas.i18n.catalogs import LOCALE_FOLDER

pytestmark = [pytest.mark.process, pytest.mark.smoke]
LANGUAGE = "eo"
ACCENTS = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")
COMMANDS = [
    "show belinda",
    "score belinda",
    "replay belinda",
    "validate belinda",
    "audit belinda",
    "hidden-cards belinda --at 20",
    "compare belinda belinda",
    "stats belinda",
    "rules dlu",
    "rules ombre",
]
PAGES = ["/", "/library", "/rules/dlu", "/tables", "/deals", "/deals/new", "/replays/belinda",
         "/replays/belinda/report",
         "/api/v1/replays/belinda/state.svg", "/seasons", "/no-such-page"]  # fmt: skip
RUN = """
import json, sys
from click.testing import CliRunner
from service.app import create_app
from service.cli import main
from service.eventstore import MemoryStore

commands, pages = json.load(sys.stdin)
runner, client, said = CliRunner(), create_app(MemoryStore()).test_client(), {}
for command in commands:
    words = command.split()
    done = runner.invoke(main, [*words, "--lang", "eo"])
    said[command] = [done.exit_code, done.output]
for page in pages:
    answer = client.get(page, query_string={"lang": "eo"}, headers={"Accept": "text/html,*/*"})
    said[page] = [answer.status_code, answer.text]
json.dump(said, sys.stdout)
"""


def accented(text: str) -> str:
    """A text with accents, but for the places in it."""
    return "".join(
        part if part.startswith("{") else part.translate(ACCENTS) for part in re.split(r"(\{.*?\})", text)
    )


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[int, str]]:
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(
        Path(schemas.__path__[0]), folder / "schemas", ignore=shutil.ignore_patterns("__pycache__")
    )
    with (LOCALE_FOLDER / "da.po").open("rb") as file:
        catalog = read_po(file)
    for message in catalog:
        if message.id:
            message.string = accented(str(message.id))
    with (folder / "schemas/i18n/locale" / f"{LANGUAGE}.po").open("wb") as file:
        write_po(file, catalog)
    done = subprocess.run(
        [sys.executable, "-c", RUN], input=json.dumps((COMMANDS, PAGES)), capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(folder)}, check=False, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {name: (status, text) for name, (status, text) in json.loads(done.stdout).items()}


def test_commands_and_pages_speak_it(said: dict[str, tuple[int, str]], subtests: pytest.Subtests) -> None:
    with (LOCALE_FOLDER / "da.po").open("rb") as file:
        texts = {str(message.id) for message in read_po(file)}
    sentences = {one for one in texts if re.search(r"\w \w+ \w", one)}
    for name, (status, text) in said.items():
        with subtests.test(name):
            assert status == {"/no-such-page": 404, "/deals/new": 401}.get(name, 200 if name[0] == "/" else 0)
            assert re.search("[áéíóú]", text)
            assert [one for one in sentences if one in text and one != accented(one)] == []

"""A deal as one file: the replayer with all that it needs, which opens from a disk and asks nobody.

The modules stay what they are: each is put into the file whole, and an import map says where the others of
its names are. Type, style, the deal and its text are in the file too; its own policy lets it load nothing.
"""

from __future__ import annotations

import posixpath
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from engine import Log
from engine.branching import own_entries
from engine.rulesets import NO_RULES, PUBLISHED, Book, find
from schemas.answers.reports import replay_object
from schemas.answers.states import state_object
from schemas.notation import without_marks, written_log
from service.application.named_logs import named_log
from service.http.web.looks import Looks
from service.http.web.words.pages import LANGUAGES, page_words
from service.presentation.i18n.translate import telling
from service.presentation.svg import Manner, drawn
from service.records.points import point_of

HERE: Final = Path(__file__).parent
SCRIPTS: Final = HERE / "static" / "js"
STYLES: Final = HERE / "static" / "css"
FIRST: Final = ("replay/replayer", "replay/print-column-page")
"""The modules that start the others: what is walked through on the screen, and what is printed."""
IN_LANGUAGES: Final = ("messages/replayer", "messages/print-column", "messages/view-options")
"""What there is a module of for each language."""
SHEETS: Final = ("tokens", "page", "replay", "cards", "print-column")
FOR_A_SERVICE: Final = frozenset({"core/follow-replay", "replay/deal-sharing", "replay/what-ifs"})
"""The modules that only do something beside a service: what-ifs are worked out there."""
TYPE: Final = "web-fonts"
"""The sheet that names the fonts."""

WIDTH: Final = 800
"""Of the drawing, in pixels."""
AS_USUAL: Final = Looks()
NOBODY: Final[Mapping[str, str | None]] = {}

_STRANGE: Final = re.compile(r"\W+")
"""What has no place in the name of a file."""
_MODULE: Final = re.compile(r'"(\.{1,2}/[\w/-]+)\.js"')
"""How a module names another, in an import of either kind."""
_FACE: Final = re.compile(r"@font-face \{[^}]*\}")
_FONT: Final = re.compile(r'url\("\.\./fonts/([\w-]+\.woff2)"\)')
_RANGE: Final = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")


class OneFile(NamedTuple):
    """A deal as a file: what the file may be called, and its HTML."""

    name: str
    html: str


def standalone(
    log: Log,
    language: str,
    book: Book = PUBLISHED,
    looks: Looks = AS_USUAL,
    names: Mapping[str, str | None] = NOBODY,
    title: str | None = None,
) -> OneFile:
    """The deal of a log as a file, in a language of the pages, with cards as ``looks`` has them.

    The log is cut already to what its readers may know: all of it is in there, and its own entries as text.
    ``names`` tells how members of the club in it are called, ``title`` how the deal is, where not as its log
    says.

    Raises:
        DealTooLarge: the deal is too large to be replayed.
    """
    point = point_of(log, None, None, book)
    document = {**replay_object(point.audit, telling(language)), "names": dict(names)}
    document["title"] = title or document["title"]
    notation = written_log(named_log(without_marks(own_entries(log)), names))
    state = state_object(point.state)
    in_json = orjson.dumps(document).decode()
    rules = find(book, state["ruleset"] or "", state["revision"]) or NO_RULES
    manner = Manner(width=WIDTH, lang=language, rules=rules, names=names, **_drawn_so(looks))
    scripts, begin = _import_map(language), "".join(f'import "{name}";' for name in FIRST)
    html = ENVIRONMENT.get_template("standalone.html").render(
        t=page_words(language),
        lang=language,
        looks=looks,
        title=document["title"],
        source=document["source"],
        rules=rules.ruleset.words[language] if rules.known else document["ruleset"],
        sitting_out=[names.get(one) or one for one in document["players"]["sitting_out"]],
        policy=_policy(scripts, begin),
        styles=Markup(styles(_letters(notation, in_json, *page_words(language).values()), SHEETS)),
        import_map=Markup(scripts),
        begin=Markup(begin),
        document=Markup(_inside(in_json)),
        preview=Markup(drawn(state, manner)),
        notation=notation,
    )
    return OneFile(_called(document["title"]), html)


def _drawn_so(looks: Looks) -> dict[str, Any]:
    return {name: value for name, value in (("terms", looks.terms), ("suits", looks.suits)) if value}


def _called(title: str | None) -> str:
    """What the file may be called: as its deal."""
    return f"{_STRANGE.sub('-', (title or '').lower()).strip('-')[:60] or 'deal'}.html"


ENVIRONMENT: Final = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)
"""What makes a file of HTML from a template of the pages, without a request."""


def _inside(text: str) -> str:
    """JSON that may stand inside a script element, whatever is in it."""
    return text.replace("<", "\\u003c")


def _policy(*scripts: str) -> str:
    """What the file may do: run these scripts and the modules in it, and load nothing from anywhere."""
    hashes = " ".join(f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in scripts)
    style = "style-src 'unsafe-inline'; font-src data:; img-src data:"
    return f"default-src 'none'; script-src {hashes} data:; {style}"


@lru_cache(maxsize=len(LANGUAGES))
def _import_map(language: str) -> str:
    """The modules that the replayer needs in a language, each under its path without ending."""
    modules = {name: _as_module(text) for name, text in _modules(language)}
    return _inside(orjson.dumps({"imports": modules}).decode())


def _modules(language: str) -> Iterator[tuple[str, str]]:
    """By name each module that is reached from the first, its imports named as the import map has them."""
    others = {f"{name}-{code}" for name in IN_LANGUAGES for code in LANGUAGES if code != language}
    seen, due = others | FOR_A_SERVICE, [*FIRST]
    while due:
        name = due.pop()
        if name in seen:
            continue
        seen.add(name)
        text = (SCRIPTS / f"{name}.js").read_text(encoding="utf-8")
        folder = posixpath.dirname(name)
        due += [_resolved(folder, path) for path in _MODULE.findall(text)]
        yield name, _MODULE.sub(lambda found: f'"{_resolved(folder, found[1])}"', text)  # noqa: B023


def _resolved(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))


def _as_module(text: str) -> str:
    return _data("text/javascript", text.encode())


def _data(media_type: str, body: bytes) -> str:
    return f"data:{media_type};base64,{b64encode(body).decode()}"


def _letters(*shown: str) -> frozenset[int]:
    """The letters that the file may show."""
    return frozenset(map(ord, set().union(*shown)))


def styles(letters: frozenset[int], sheets: Sequence[str]) -> str:
    """The style sheets of these names, with those fonts before them that have any of these letters."""
    texts = [(STYLES / f"{name}.css").read_text(encoding="utf-8") for name in sheets]
    faces = _FACE.findall((STYLES / f"{TYPE}.css").read_text(encoding="utf-8"))
    return "\n".join([*(_FONT.sub(_font, face) for face in faces if letters & _range_of(face)), *texts])


def _font(found: re.Match[str]) -> str:
    return f'url("{_data("font/woff2", (HERE / "static" / "fonts" / found[1]).read_bytes())}")'


@lru_cache(maxsize=20)
def _range_of(face: str) -> frozenset[int]:
    """The letters that a font-face rule is for."""
    _, _, ranges = face.partition("unicode-range:")
    spans = ((int(first, 16), int(last or first, 16)) for first, last in _RANGE.findall(ranges))
    return frozenset(letter for first, last in spans for letter in range(first, last + 1))

"""A deal as one file: the replayer with all that it needs, which opens from a disk and asks nobody.

The modules stay what they are: each is put into the file whole, and an import map says where the others of
its names are. Type, style, the deal and its text are in the file too; its own policy lets it load nothing.
"""

from __future__ import annotations

import posixpath
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import orjson
from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from engine import Log
from engine.branching import own_entries
from engine.rulesets import NO_RULES, PUBLISHED_RULESETS, RulesetBook, find_ruleset
from schemas.answers.deal_reports import replay_object
from schemas.answers.states import state_object
from schemas.i18n.catalogs import gettext
from schemas.notation import format_notation_log, strip_metadata
from service.application.member_names import replace_ids_with_names
from service.http.web.display_preferences import DisplayPreferences
from service.http.web.page_texts import PAGE_LANGUAGES, page_texts
from service.http.web.script_messages import translate_script
from service.presentation.svg import DrawingOptions, draw_table
from service.records.deal_points import build_deal_point

WEB_FOLDER: Final = Path(__file__).parent
SCRIPTS_FOLDER: Final = WEB_FOLDER / "static" / "js"
STYLES_FOLDER: Final = WEB_FOLDER / "static" / "css"
ENTRY_MODULES: Final = ("replay/replayer", "replay/print-column-page")
"""The modules that start the others: what is walked through on the screen, and what is printed."""
REPLAYER_STYLE_SHEETS: Final = ("tokens", "page", "replay", "cards", "print-column")
SERVICE_ONLY_MODULES: Final = frozenset({"replay/follow-replay", "replay/deal-sharing", "replay/what-ifs"})
"""The modules that only do something beside a service: what-ifs are worked out there."""
FONT_STYLE_SHEET: Final = "web-fonts"
"""The sheet that names the fonts."""

STANDALONE_DRAWING_WIDTH: Final = 800
"""Of the drawing, in pixels."""
DEFAULT_PREFERENCES: Final = DisplayPreferences()
NO_MEMBER_NAMES: Final[Mapping[str, str | None]] = {}

_NON_WORD_PATTERN: Final = re.compile(r"\W+")
"""What has no place in the name of a file."""
_IMPORT_PATTERN: Final = re.compile(r'"(\.{1,2}/[\w/-]+)\.js"')
"""How a module names another, in an import of either kind."""
_MESSAGES_PATTERN: Final = re.compile(r"`(\.{1,2}/messages/[\w-]+-)\$\{lang\}\.js`")
"""How a module names what is said in the language of the page."""
_FONT_FACE_PATTERN: Final = re.compile(r"@font-face \{[^}]*\}")
_FONT_URL_PATTERN: Final = re.compile(r'url\("\.\./fonts/([\w-]+\.woff2)"\)')
_UNICODE_RANGE_PATTERN: Final = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")


class StandaloneFile(NamedTuple):
    """A deal as a file: what the file may be called, and its HTML."""

    name: str
    html: str


def build_standalone_file(
    log: Log,
    language: str,
    book: RulesetBook = PUBLISHED_RULESETS,
    preferences: DisplayPreferences = DEFAULT_PREFERENCES,
    names: Mapping[str, str | None] = NO_MEMBER_NAMES,
    title: str | None = None,
) -> StandaloneFile:
    """The deal of a log as a file, in a language of the pages, with cards as ``preferences`` has them.

    The log is cut already to what its readers may know: all of it is in there, and its own entries as text.
    ``names`` tells how members of the club in it are called, ``title`` how the deal is, where not as its log
    says.

    Raises:
        DealTooLarge: the deal is too large to be replayed.
    """
    point = build_deal_point(log, None, None, book)
    document = {**replay_object(point.audit, language), "names": dict(names)}
    document["title"] = title or document["title"]
    notation = format_notation_log(replace_ids_with_names(strip_metadata(own_entries(log)), names))
    state = state_object(point.state)
    document_json = orjson.dumps(document).decode()
    rules = find_ruleset(book, state["ruleset"] or "", state["revision"]) or NO_RULES
    drawing_options = DrawingOptions(
        width=STANDALONE_DRAWING_WIDTH,
        lang=language,
        rules=rules,
        names=names,
        terms=preferences.terms or "own",
        suits=preferences.suits or "two",
    )
    import_map, entry_script = _import_map(language), "".join(f'import "{name}";' for name in ENTRY_MODULES)
    render = partial(
        TEMPLATE_ENVIRONMENT.get_template("standalone.html").render,
        t=page_texts(language),
        lang=language,
        preferences=preferences,
        title=document["title"],
        source=document["source"],
        rules=gettext(rules.ruleset.words, language) if rules.is_known else document["ruleset"],
        sitting_out=[names.get(player_id) or player_id for player_id in document["players"]["sitting_out"]],
        policy=_content_security_policy(import_map, entry_script),
        document=Markup(_escape_script_json(document_json)),
        preview=Markup(draw_table(state, drawing_options)),
        notation=notation,
    )
    code_points = frozenset(map(ord, render()))
    html = render(
        styles=Markup(build_style_sheet(code_points, REPLAYER_STYLE_SHEETS)),
        import_map=Markup(import_map),
        begin=Markup(entry_script),
    )
    return StandaloneFile(_file_name(document["title"]), html)


def _file_name(title: str | None) -> str:
    """What the file may be called: as its deal."""
    return f"{_NON_WORD_PATTERN.sub('-', (title or '').lower()).strip('-')[:60] or 'deal'}.html"


TEMPLATE_ENVIRONMENT: Final = Environment(loader=FileSystemLoader(WEB_FOLDER / "templates"), autoescape=True)
"""What makes a file of HTML from a template of the pages, without a request."""


def _escape_script_json(text: str) -> str:
    """JSON that may stand inside a script element, whatever is in it."""
    return text.replace("<", "\\u003c")


def _content_security_policy(*scripts: str) -> str:
    """What the file may do: run these scripts and the modules in it, and load nothing from anywhere."""
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
    style = "style-src 'unsafe-inline'; font-src data:; img-src data:"
    return f"default-src 'none'; script-src {hashes} data:; {style}"


@lru_cache(maxsize=len(PAGE_LANGUAGES))
def _import_map(language: str) -> str:
    """The modules that the replayer needs in a language, each under its path without ending."""
    modules = {name: _data_url("text/javascript", text.encode()) for name, text in _iterate_modules(language)}
    return _escape_script_json(orjson.dumps({"imports": modules}).decode())


def _iterate_modules(language: str) -> Iterator[tuple[str, str]]:
    """By name each module that is reached from the first, its imports named as the import map has them."""
    excluded, pending = {*SERVICE_ONLY_MODULES}, [*ENTRY_MODULES]
    while pending:
        name = pending.pop()
        if name in excluded:
            continue
        excluded.add(name)
        text = _read_module(name, language)
        folder = posixpath.dirname(name)
        pending += [_resolve_module(folder, path) for path in _IMPORT_PATTERN.findall(text)]
        yield name, _IMPORT_PATTERN.sub(lambda match: f'"{_resolve_module(folder, match[1])}"', text)  # noqa: B023


def _read_module(name: str, language: str) -> str:
    """A module; where it imports what pages say, it has the language of the file."""
    folder, _, file = name.rpartition("/")
    if folder == "messages":
        return translate_script(file.removesuffix(f"-{language}"), language) or ""
    text = (SCRIPTS_FOLDER / f"{name}.js").read_text(encoding="utf-8")
    return _MESSAGES_PATTERN.sub(rf'"\1{language}.js"', text)


def _resolve_module(folder: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(folder, path))


def _data_url(media_type: str, body: bytes) -> str:
    return f"data:{media_type};base64,{b64encode(body).decode()}"


def build_style_sheet(code_points: frozenset[int], sheets: Sequence[str]) -> str:
    """The style sheets of these names, with those fonts before them that have any of these letters."""
    fonts, *texts = (
        (STYLES_FOLDER / f"{name}.css").read_text(encoding="utf-8") for name in (FONT_STYLE_SHEET, *sheets)
    )
    faces = [
        _FONT_URL_PATTERN.sub(_embed_font, face)
        for face in _FONT_FACE_PATTERN.findall(fonts)
        if code_points & _font_face_code_points(face)
    ]
    return "\n".join([*faces, *texts])


def _embed_font(match: re.Match[str]) -> str:
    return f'url("{_data_url("font/woff2", (WEB_FOLDER / "static" / "fonts" / match[1]).read_bytes())}")'


@lru_cache(maxsize=20)
def _font_face_code_points(face: str) -> frozenset[int]:
    """The letters that a font-face rule is for."""
    _, _, ranges = face.partition("unicode-range:")
    spans = (
        (int(first, 16), int(last or first, 16)) for first, last in _UNICODE_RANGE_PATTERN.findall(ranges)
    )
    return frozenset(letter for first, last in spans for letter in range(first, last + 1))

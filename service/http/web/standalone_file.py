"""Files of HTML that load nothing: a deal in the replayer, and reports, in which no script runs.

The replayer's script, its fonts, style sheets, the deal and its text are in the file, and the file's own
policy lets it load nothing.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

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
from service.http.web.page_assets import BUNDLES_FOLDER, STYLES_FOLDER, join_style_sheets
from service.http.web.page_texts import format_deal_number, page_texts, translate_script_texts
from service.presentation.i18n.dates import format_source
from service.presentation.reports.card_markup import report_template_variables
from service.presentation.svg import DrawingOptions, draw_table
from service.presentation.svg.card_symbols import inline_card_symbols, page_suit_symbols
from service.records.deal_points import build_deal_point
from service.records.hidden_characters import replace_hidden_characters

WEB_FOLDER: Final = Path(__file__).parent
FONT_STYLE_SHEET: Final = "web-fonts"

STANDALONE_DRAWING_WIDTH: Final = 800
"""Pixels."""
DEFAULT_PREFERENCES: Final = DisplayPreferences()
NO_MEMBER_NAMES: Final[Mapping[str, str | None]] = {}

_NON_WORD_PATTERN: Final = re.compile(r"\W+")
_FONT_FACE_PATTERN: Final = re.compile(r"@font-face \{[^}]*\}")
_FONT_URL_PATTERN: Final = re.compile(r'url\("\.\./fonts/([\w-]+\.woff2)"\)')
_UNICODE_RANGE_PATTERN: Final = re.compile(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?")


class StandaloneFile(NamedTuple):
    """A deal as a file: its name and its HTML."""

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
    """Build the file of a deal, in a language of the pages, with cards as ``preferences`` has them.

    The log is redacted already: the file contains all of it, and its own entries as text. ``names`` are those
    of members of the club, by id; ``title`` is what the deal is called if not as its log says.

    Raises:
        DealTooLarge: the deal is too large to be replayed.
    """
    point = build_deal_point(log, None, None, book)
    document = {**replay_object(point.audit, language), "names": dict(names)}
    number = getattr(point.state.opening.event, "number", None)
    document["title"] = title or document["title"] or format_deal_number(number, language)
    notation = format_notation_log(replace_ids_with_names(strip_metadata(own_entries(log)), names))
    state, date = state_object(point.state), getattr(point.state.opening.event, "date", None)
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
    script = (BUNDLES_FOLDER / "replay.js").read_text(encoding="utf-8")
    texts = {key: text for key, text in translate_script_texts(language).items() if key in script}
    render = partial(
        TEMPLATE_ENVIRONMENT.get_template("standalone.html").render,
        t=page_texts(language),
        lang=language,
        preferences=preferences,
        suit_symbols=page_suit_symbols(),
        card_symbols=inline_card_symbols(drawing_options.letter_language),
        title=document["title"],
        source=format_source(document["source"], date, language),
        rules=gettext(rules.ruleset.words, language) if rules.is_known else document["ruleset"],
        sitting_out=[names.get(player_id) or player_id for player_id in document["players"]["sitting_out"]],
        policy=_content_security_policy(script),
        document=Markup(_escape_script_json(document_json)),
        preview=Markup(draw_table(state, drawing_options)),
        notation=notation,
    )
    code_points = frozenset(map(ord, render()))
    html = render(
        styles=Markup(build_style_sheet(code_points, "standalone")),
        texts=Markup(_escape_script_json(orjson.dumps(texts).decode())),
        script=Markup(script),
    )
    return StandaloneFile(_file_name(document["title"]), html)


def _file_name(title: str | None) -> str:
    """The name of the file, after its deal."""
    return f"{_NON_WORD_PATTERN.sub('-', (title or '').lower()).strip('-')[:60] or 'deal'}.html"


TEMPLATE_ENVIRONMENT: Final = Environment(loader=FileSystemLoader(WEB_FOLDER / "templates"), autoescape=True)
"""The templates of the pages, rendered without a request."""


def _escape_script_json(text: str) -> str:
    """JSON that can stand in a script element."""
    return text.replace("<", "\\u003c")


def _content_security_policy(*scripts: str) -> str:
    """The policy of a file that runs these scripts and loads nothing."""
    hashes = " ".join(
        f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts
    )
    style = "style-src 'unsafe-inline'; font-src data:; img-src data:"
    return f"default-src 'none'; script-src {hashes}; {style}"


def _data_url(media_type: str, body: bytes) -> str:
    return f"data:{media_type};base64,{b64encode(body).decode()}"


def build_style_sheet(code_points: frozenset[int], name: str) -> str:
    """The style sheets of a page, after the fonts that have any of these letters."""
    fonts = (STYLES_FOLDER / f"{FONT_STYLE_SHEET}.css").read_text(encoding="utf-8")
    faces = [
        _FONT_URL_PATTERN.sub(_embed_font, face)
        for face in _FONT_FACE_PATTERN.findall(fonts)
        if code_points & _font_face_code_points(face)
    ]
    return "\n".join([*faces, join_style_sheets(name)])


def _embed_font(match: re.Match[str]) -> str:
    return f'url("{_data_url("font/woff2", (WEB_FOLDER / "static" / "fonts" / match[1]).read_bytes())}")'


@lru_cache(maxsize=20)
def _font_face_code_points(face: str) -> frozenset[int]:
    """The letters of a font-face rule."""
    _, _, ranges = face.partition("unicode-range:")
    spans = (
        (int(first, 16), int(last or first, 16)) for first, last in _UNICODE_RANGE_PATTERN.findall(ranges)
    )
    return frozenset(letter for first, last in spans for letter in range(first, last + 1))


# Reports

REPORT_CONTENT_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"
REPORT_ANCHOR: Final = "report"
"""The id of the element in which a report begins, after the prefix of its ids."""

_KIND: Final = re.compile('<p class="report-kind">(.*?)</p>', re.DOTALL)
_TITLE: Final = re.compile("<h1>(.*?)</h1>", re.DOTALL)
DEAL_TEMPLATE: Final = "report_article.html"
TABLE_TEMPLATE: Final = "table_report_article.html"


def render_report_article(template: str, article: dict[str, Any], lang: str, anchor: str) -> str:
    """A report as a part of a file; ``anchor`` is the prefix of its ids."""
    variables = report_template_variables(article, lang, anchor)
    html = TEMPLATE_ENVIRONMENT.get_template(template).render(
        t=page_texts(lang), lang=lang, is_part=True, **variables
    )
    return replace_hidden_characters(html)


def render_report_file(articles: Sequence[str], lang: str) -> str:
    """The file with these reports, each on a page of its own."""
    kind, title = _report_file_title(articles, lang)
    return TEMPLATE_ENVIRONMENT.get_template("report_file.html").render(
        lang=lang,
        kind=kind,
        title=title,
        running_title=orjson.dumps(": ".join(part.unescape() for part in (kind, title) if part)).decode(),
        suit_symbols=page_suit_symbols(),
        articles=[Markup(article) for article in articles],
        policy=REPORT_CONTENT_POLICY,
        styles=Markup(
            build_style_sheet(
                frozenset(ord(letter) for article in articles for letter in set(article)), "report"
            )
        ),
    )


def _report_file_title(articles: Sequence[str], lang: str) -> tuple[Markup, Markup]:
    """The kind and title of a file: those of its only table, else of its only deal."""
    table_kind = Markup(page_texts(lang)("Report on a table"))
    table_articles = [article for article in articles if _inner(_KIND, article) == table_kind]
    main_articles = table_articles or articles
    return _inner(_KIND, main_articles[0]), _inner(_TITLE, main_articles[0]) if len(
        main_articles
    ) == 1 else Markup("")


def _inner(pattern: re.Pattern[str], article: str) -> Markup:
    match = pattern.search(article)
    return Markup(match[1]) if match else Markup("")

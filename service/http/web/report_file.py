"""Reports as one file of HTML: its style is inside, it loads nothing, and no script runs in it."""

import re
from collections.abc import Sequence
from typing import Any, Final

from markupsafe import Markup

from service.http.web.page_texts import page_texts
from service.http.web.standalone_file import TEMPLATE_ENVIRONMENT, build_style_sheet
from service.presentation.reports.card_markup import report_template_variables
from service.presentation.svg.cards import SUIT_PATHS
from service.records.hidden_characters import replace_hidden_characters

REPORT_STYLE_SHEETS: Final = ("tokens", "page", "print-column", "report")
REPORT_CONTENT_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"
REPORT_ANCHOR: Final = "report"
"""The name of the place where a report begins, behind what begins the names of its places."""

_KIND: Final = re.compile('<p class="report-kind">(.*?)</p>', re.DOTALL)
_TITLE: Final = re.compile("<h1>(.*?)</h1>", re.DOTALL)


DEAL_TEMPLATE: Final = "report_article.html"
TABLE_TEMPLATE: Final = "table_report_article.html"


def render_report_article(template: str, article: dict[str, Any], lang: str, anchor: str) -> str:
    """A report as a part of such a file; ``anchor`` begins the names of places in it."""
    variables = report_template_variables(article, lang, anchor)
    html = TEMPLATE_ENVIRONMENT.get_template(template).render(
        t=page_texts(lang), lang=lang, is_part=True, **variables
    )
    return replace_hidden_characters(html)


def render_report_file(articles: Sequence[str], lang: str) -> str:
    """The file with these reports in it, each beginning on a sheet of its own."""
    kind, title = _report_file_title(articles, lang)
    return TEMPLATE_ENVIRONMENT.get_template("report_file.html").render(
        lang=lang,
        kind=kind,
        title=title,
        pips=SUIT_PATHS,
        articles=[Markup(article) for article in articles],
        policy=REPORT_CONTENT_POLICY,
        styles=Markup(
            build_style_sheet(
                frozenset(ord(letter) for article in articles for letter in set(article)), REPORT_STYLE_SHEETS
            )
        ),
    )


def _report_file_title(articles: Sequence[str], lang: str) -> tuple[Markup, Markup]:
    """What the file reports on, and what that is called: the one table in it, or the one deal."""
    table_kind = Markup(page_texts(lang)("Report on a table"))
    table_articles = [article for article in articles if _inner(_KIND, article) == table_kind]
    main_articles = table_articles or articles
    return _inner(_KIND, main_articles[0]), _inner(_TITLE, main_articles[0]) if len(
        main_articles
    ) == 1 else Markup("")


def _inner(pattern: re.Pattern[str], article: str) -> Markup:
    match = pattern.search(article)
    return Markup(match[1]) if match else Markup("")

"""Reports as one file of HTML: its style is inside, it loads nothing, and no script runs in it."""

import re
from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from engine.report import Report
from engine.tables.report import TableReport
from service.http.web.standalone import ENVIRONMENT, styles
from service.http.web.words.pages import page_words
from service.presentation.reports.article import About, article_of
from service.presentation.reports.evening import AboutTable, evening_article
from service.presentation.reports.setting import as_set
from service.presentation.svg.cards import PIPS
from service.records.hidden_characters import without_hidden

SHEETS: Final = ("tokens", "page", "print-column", "report")
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"
START: Final = "report"
"""The name of the place where a report begins, behind what begins the names of its places."""

_KIND: Final = re.compile('<p class="report-kind">(.*?)</p>', re.DOTALL)
_TITLE: Final = re.compile("<h1>(.*?)</h1>", re.DOTALL)


def article_html(made: Report, lang: str, about: About, anchor: str) -> str:
    """A report as a part of such a file; ``anchor`` begins the names of places in it."""
    shown = as_set(article_of(made, lang, about), lang, anchor)
    template = ENVIRONMENT.get_template("report_article.html")
    return without_hidden(template.render(t=page_words(lang), lang=lang, within=True, **shown))


def evening_html(made: TableReport, lang: str, about: AboutTable, anchor: str) -> str:
    """A report on a table as a part of such a file; ``anchor`` begins the names of places in it."""
    shown = as_set(evening_article(made, lang, about), lang, anchor)
    template = ENVIRONMENT.get_template("table_report_article.html")
    return without_hidden(template.render(t=page_words(lang), lang=lang, within=True, **shown))


def file_html(articles: Sequence[str], lang: str) -> str:
    """The file with these reports in it, each beginning on a sheet of its own."""
    kind, title = _called(articles, lang)
    return ENVIRONMENT.get_template("report_file.html").render(
        lang=lang,
        kind=kind,
        title=title,
        pips=PIPS,
        articles=[Markup(one) for one in articles],
        policy=POLICY,
        styles=Markup(styles(frozenset(ord(letter) for one in articles for letter in set(one)), SHEETS)),
    )


def _called(articles: Sequence[str], lang: str) -> tuple[Markup, Markup]:
    """What the file reports on, and what that is called: the one table in it, or the one deal."""
    words = page_words(lang)
    of_tables = [one for one in articles if _inner(_KIND, one) == Markup(words["table_report"])]
    chief = of_tables or articles
    return _inner(_KIND, chief[0]), _inner(_TITLE, chief[0]) if len(chief) == 1 else Markup("")


def _inner(pattern: re.Pattern[str], article: str) -> Markup:
    found = pattern.search(article)
    return Markup(found[1]) if found else Markup("")

"""Reports as one file of HTML: its style is inside, it loads nothing, and no script runs in it."""

import re
from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from engine.report import Report
from service.drawing.cards import PIPS
from service.reporting.article import About, article_of
from service.reporting.setting import as_set
from service.web.standalone import ENVIRONMENT, styles
from service.web.words import page_words

SHEETS: Final = ("tokens", "page", "column", "report")
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"

_TITLE: Final = re.compile("<h1>(.*?)</h1>", re.DOTALL)


def article_html(made: Report, lang: str, about: About, anchor: str) -> str:
    """A report as a part of such a file; ``anchor`` begins the names of places in it."""
    shown = as_set(article_of(made, lang, about), lang, anchor)
    template = ENVIRONMENT.get_template("report_article.html")
    return template.render(t=page_words(lang), lang=lang, within=True, **shown)


def file_html(articles: Sequence[str], lang: str) -> str:
    """The file with these reports in it, each beginning on a sheet of its own."""
    words = page_words(lang)
    title = _TITLE.search(articles[0]) if len(articles) == 1 else None
    return ENVIRONMENT.get_template("report_file.html").render(
        t=words,
        lang=lang,
        title=Markup(title[1]) if title else "",
        pips=PIPS,
        articles=[Markup(one) for one in articles],
        policy=POLICY,
        styles=Markup(styles(frozenset(ord(letter) for one in articles for letter in set(one)), SHEETS)),
    )

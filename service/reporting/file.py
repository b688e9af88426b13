"""Reports as one file of HTML: its style is inside, it loads nothing, and no script runs in it."""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from engine.report import Report
from service.reporting.article import About, article_of
from service.reporting.setting import as_set
from service.web.standalone import ENVIRONMENT, styles
from service.web.words import page_words

SHEETS: Final = ("tokens", "page", "column", "report")
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:"


def reports_file(reports: Sequence[tuple[Report, About]], lang: str) -> str:
    """The reports, each beginning on a sheet of its own."""
    set_ = [
        as_set(article_of(made, lang, about), lang, f"{number}-" if len(reports) > 1 else "")
        for number, (made, about) in enumerate(reports, 1)
    ]
    words = page_words(lang)
    letters = frozenset(map(ord, f"{words!r}{[one['report'] for one in set_]!r}"))
    return ENVIRONMENT.get_template("report_file.html").render(
        t=words, lang=lang, reports=set_, policy=POLICY, styles=Markup(styles(letters, SHEETS))
    )

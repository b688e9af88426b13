"""Whatever events a log holds, it can be told and drawn: without an error and within the page."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Log, build_log
from engine.audit_report import build_audit_report
from engine.core.events import DealOpened
from engine.core.field_types import Players
from engine.view import view
from service.cli.commands.show import deal_drawing_lines
from service.cli.commands.validate import validation_lines
from service.cli.io.inputs import InputLog
from service.cli.io.terminal_text import sanitize_line, sanitize_log
from service.cli.views.deal_lines import history_lines
from service.http.web.standalone_file import DEAL_TEMPLATE, render_report_article
from service.presentation.reports.attestation import build_unattested_record
from service.presentation.reports.deal_article import ArticleContext, build_deal_article
from service.presentation.text.layout import display_width
from service.presentation.text.score_lines import score_lines
from service.presentation.text.style import TextStyle
from service.records.deal_points import VIEWERS_BY_NAME, build_deal_point
from tests.support.effort import examples
from tests.support.schemas.strategies import events

PLAYERS = st.sampled_from(["Anna", "Bo\x1b[2J", "漢字" * 30, "x" * 200])
OPENINGS = st.builds(
    DealOpened,
    ruleset=st.sampled_from(["dlu", "ombre", "whist"]),
    players=st.builds(Players, PLAYERS, PLAYERS, PLAYERS),
    title=st.sampled_from([None, "A deal\n✓ not ours"]),
    pool=st.sampled_from([None, 0, 5]),
)
LOGS = st.builds(lambda opening, more: build_log([opening, *more]), OPENINGS, st.lists(events(), max_size=10))
STYLES = st.builds(
    TextStyle, lang=st.sampled_from(["da", "en"]), width=st.sampled_from([60, 80, 100]), symbols=st.booleans()
)


@settings(max_examples=examples(120), suppress_health_check=list(HealthCheck))
@given(LOGS, STYLES)
def test_any_log_is_reported_within_the_page(log: Log, style: TextStyle) -> None:
    log = sanitize_log(log)
    point, deal = build_deal_point(log, None), InputLog("f", 1, log)
    judged = point.audit
    shown = [
        *deal_drawing_lines(deal, judged, style),
        *history_lines(judged.history, style),
        *validation_lines(deal, point, style),
        *score_lines(judged.state, judged.score, style, with_tricks=True),
    ]
    for line in "\n".join(shown).split("\n"):
        assert display_width(line) <= style.width
        assert line == sanitize_line(line)


@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(LOGS, st.sampled_from(["da", "en"]), st.sampled_from(list(VIEWERS_BY_NAME)))
def test_any_log_is_reported_on_as_html(log: Log, lang: str, viewer: str) -> None:
    seen = view(log, VIEWERS_BY_NAME[viewer])
    about = ArticleContext(build_unattested_record(seen, "f"))
    article = build_deal_article(build_audit_report(seen), lang, about)
    html = render_report_article(DEAL_TEMPLATE, article, lang, "")
    assert html.count("<article") == html.count("</article>") == 1
    places = set(re.findall(r' id="([^"]+)"', html))
    assert {one for one in re.findall(r'href="#([^"]+)"', html) if not one.startswith("pip-")} <= places

"""Whatever events a log holds, it can be told and drawn: without an error and within the page."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Log, log_of
from engine.core.events import DealOpened
from engine.core.vocabulary import Players
from engine.report import report
from engine.view import view
from service.cli.commands.replay import told
from service.cli.commands.show import drawn
from service.cli.commands.validate import report_lines
from service.cli.io.inputs import Deal
from service.cli.io.terminal_text import printable, readable
from service.http.web.report_file import article_html
from service.presentation.reports.article import About
from service.presentation.reports.vouching import unvouched
from service.presentation.text.accounts import score_lines
from service.presentation.text.layout import cells
from service.presentation.text.style import Style
from service.records.points import VIEWERS, audited
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
LOGS = st.builds(lambda opening, more: log_of([opening, *more]), OPENINGS, st.lists(events(), max_size=10))
STYLES = st.builds(
    Style, lang=st.sampled_from(["da", "en"]), width=st.sampled_from([60, 80, 100]), symbols=st.booleans()
)


@settings(max_examples=examples(120), suppress_health_check=list(HealthCheck))
@given(LOGS, STYLES)
def test_any_log_is_told_within_the_page(log: Log, style: Style) -> None:
    log = readable(log)
    judged, deal = audited(log, "all", None), Deal("f", 1, log)
    shown = [
        *drawn(deal, judged, style),
        *told(judged.history, style),
        *report_lines(deal, judged, style),
        *score_lines(judged.state, judged.score, style, tricks=True),
    ]
    for line in "\n".join(shown).split("\n"):
        assert cells(line) <= style.width
        assert line == printable(line)


@settings(max_examples=examples(60), suppress_health_check=list(HealthCheck))
@given(LOGS, st.sampled_from(["da", "en"]), st.sampled_from(list(VIEWERS)))
def test_any_log_is_reported_on_as_html(log: Log, lang: str, viewer: str) -> None:
    seen = view(log, VIEWERS[viewer])
    html = article_html(report(seen), lang, About(unvouched(seen, "f")), "")
    assert html.count("<article") == html.count("</article>") == 1
    places = set(re.findall(r' id="([^"]+)"', html))
    assert {one for one in re.findall(r'href="#([^"]+)"', html) if not one.startswith("pip-")} <= places

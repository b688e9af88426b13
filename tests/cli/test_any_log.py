"""Whatever events a log holds, it can be told and drawn: without an error and within the page."""

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import Log, log_of
from engine.events import DealOpened
from engine.report import report
from engine.view import view
from engine.vocabulary import Players
from service.cli.inputs import Deal
from service.cli.printable import printable, readable
from service.cli.replaying import told
from service.cli.showing import drawn
from service.cli.validating import report_lines
from service.points import VIEWERS, audited
from service.reporting.article import About
from service.reporting.file import article_html
from service.reporting.vouching import unvouched
from service.wording.accounts import score_lines
from service.wording.layout import cells
from service.wording.style import Style
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

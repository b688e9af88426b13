"""The API's documentation page says all that the contract says, and nothing that runs."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from markupsafe import Markup
from playwright.sync_api import Page, expect

from service.http.problems import PROBLEM_TYPES
from service.http.web.reference import inline, prose, type_of


@pytest.fixture(scope="module")
def page_text(library: FlaskClient) -> str:
    return library.get("/api/docs").get_data(as_text=True)


def test_every_operation_parameter_and_schema_is_there(library: FlaskClient, page_text: str) -> None:
    published = library.get("/api/v1/openapi.json").get_json()
    seen, source = unescape(re.sub(r"<[^>]+>", "", page_text)), unescape(page_text)
    shared = published["components"]["parameters"]
    for path, address in published["paths"].items():
        for method, operation in address.items():
            if method != "parameters":
                assert f'<article id="{operation["operationId"]}">' in page_text
                assert f"<b>{method.upper()}</b> {path}" in source
                assert operation["summary"] in seen
                for parameter in operation.get("parameters", []):
                    if "$ref" in parameter:
                        parameter = shared[parameter["$ref"].rpartition("/")[2]]
                    assert parameter["name"] in seen
    for name in published["components"]["schemas"]:
        assert f'id="schema-{name}"' in page_text
    for name, kind in PROBLEM_TYPES.items():
        assert f"/problems/{name}" in page_text
        assert kind.title in seen


def test_its_links_lead_somewhere_and_nothing_in_it_runs_or_comes_from_elsewhere(page_text: str) -> None:
    ids = re.findall(r' id="([^"]+)"', page_text)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page_text)) <= {*ids, "content"}
    # Only what every page has: its type, what the device has chosen, and what it keeps.
    scripts = re.findall(r"<script[^>]*>", page_text)
    assert [re.sub(r".*js/core/(\w+)\.js.*", r"\1", one) for one in scripts] == ["type", "looks", "offline"]
    assert re.findall(r"<script[^>]*>[^<]", page_text) == []
    assert "style=" not in page_text
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page_text)


def test_text_of_the_contract_is_never_markup() -> None:
    assert inline("a `<b>` & **<i>**") == Markup("a <code>&lt;b&gt;</code> &amp; <b>&lt;i&gt;</b>")
    assert prose("One.\n\n- two\n- `<p>`") == Markup(
        "<p>One.</p><ul><li>two</li><li><code>&lt;p&gt;</code></li></ul>"
    )
    assert "<script>" not in type_of({"enum": ["<script>"]})


# In a browser


def test_from_the_foot_of_a_page_to_an_example(page: Page, origin: str) -> None:
    page.goto(origin)
    page.get_by_role("link", name="The API").click()
    page.locator(".addresses").get_by_role("link", name="GET /api/v1/deals/{deal}/score", exact=True).click()
    score = page.locator("#deals_score")
    expect(score).to_be_in_viewport()
    expect(score.locator("pre")).to_be_hidden()
    score.locator("summary").click()
    expect(score.locator("pre")).to_contain_text('"decided"')
    score.get_by_role("link", name="Score", exact=True).first.click()
    expect(page.locator("#schema-Score")).to_be_in_viewport()


def test_a_drawing_stands_alone_in_a_browser_under_our_policy(page: Page, origin: str) -> None:
    """It needs nothing that the policy forbids; whatever font is there, texts keep to their places."""
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text))
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    for query in ("", "?at=26&width=320&lang=da&theme=dark"):
        page.goto(f"{origin}/api/v1/replays/belinda/state.svg{query}")
        wide = page.evaluate("document.documentElement.viewBox.baseVal.width")
        boxes = page.evaluate(
            """Array.from(document.querySelectorAll("text"), (text) => {
                const {x, width} = text.getBBox();
                return [x, x + width, Number(text.getAttribute("textLength"))];
            })"""
        )
        assert len(boxes) > 10
        assert all(begins >= 0 and ends <= wide for begins, ends, _ in boxes)
        assert all(abs(ends - begins - told) < 3 for begins, ends, told in boxes if told)
    assert complaints == []

"""The pages for newcomers: the game in a minute with its terms, and examples of what can happen."""

from flask import Response

from engine.rulesets import PUBLISHED_RULESETS
from replays import Replay, list_example_folders
from schemas.i18n.catalogs import gettext
from service.config.urls import API_PREFIX
from service.http.service_context import service_context
from service.http.web.display_preferences import page_language
from service.http.web.pages import page_url, pages, render_page


@pages.get("/game")
def game_guide() -> Response:
    """The game in a minute, and a glossary."""
    return render_page(
        "game.html", drawing_url=example_drawing_url(), examples_url=page_url("web.example_deals")
    )


def example_drawing_url() -> str:
    """The address of the drawing that shows newcomers a deal."""
    return f"{API_PREFIX}/replays/belinda/state.svg?at=26&lang={page_language()}"


@pages.get("/examples")
def example_deals() -> Response:
    """The library's made-up examples, by folder: one for each ruleset, one for the findings."""
    deals = service_context().library.values()
    folders = [
        {
            "name": _folder_name(folder),
            "deals": [_build_example(deal) for deal in deals if deal.folder == folder],
        }
        for folder in list_example_folders()
    ]
    return render_page("examples.html", nav_section="library", folders=folders)


def _folder_name(folder: str) -> str:
    """A ruleset's name; a folder of something else has its own."""
    names = {rules.ruleset.id: rules.ruleset.words for rules in PUBLISHED_RULESETS}
    return gettext(str(names.get(folder, folder.capitalize())), page_language())


def _build_example(deal: Replay) -> dict[str, str]:
    return {"title": deal.title, "url": page_url("web.replay", name=deal.name)}

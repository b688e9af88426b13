"""A small application that serves the pages over the fixture's deals, under the policy the service will set.

Run ``flask --app tests.page_fixture.app run`` to look at them.
"""

from functools import cache
from typing import Any

from flask import Blueprint, Flask, Response, abort, jsonify, render_template, request, url_for

from service.web.words import LANGUAGES, page_words, result_words
from tests.page_fixture.make_frames import DEALS, document

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def replay_of(name: str) -> dict[str, Any]:
    """The replay document of one of the fixture's deals."""
    return document(DEALS[name]())


def page(template: str, **more: Any) -> str:
    """A page in the language that ``?lang=`` asks for."""
    lang = request.args.get("lang", "en")
    languages = [{"code": code, "name": name, "url": f"?lang={code}"} for code, name in LANGUAGES.items()]
    return render_template(
        template,
        lang=lang,
        t=page_words(lang),
        languages=languages,
        library_url=url_for("library", lang=lang),
        deals_url=url_for("deals", lang=lang),
        **more,
    )


def contents(lang: str) -> list[dict[str, Any]]:
    """The fixture's deals as the library lists them."""
    rows = []
    for name in DEALS:
        replay = replay_of(name)
        state, score = replay["frames"][-1]["state"], replay["frames"][-1]["score"]
        players = replay["players"]
        rows.append(
            {
                "url": url_for("replay", name=name, lang=lang),
                "title": replay["title"],
                "source": replay["source"],
                "players": [players[seat] for seat in ("forehand", "middlehand", "backhand")],
                "ruleset": replay["ruleset"],
                "result": result_words(
                    lang,
                    score["outcome"],
                    name=players[score["declarer"]],
                    contract=score["contract"],
                    trump=state["trump"],
                ),
            }
        )
    return rows


def create_app() -> Flask:
    """The application; the blueprint is named as the service's own, for the templates' addresses."""
    app = Flask(__name__, static_folder=None, template_folder="../../service/web/templates")
    app.register_blueprint(
        Blueprint("web", __name__, static_folder="../../service/web/static", static_url_path="/static")
    )

    @app.after_request
    def with_policy(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = POLICY
        return response

    @app.get("/")
    def library() -> str:
        return page("library.html", here="library", deals=contents(request.args.get("lang", "en")))

    @app.get("/deals")
    def deals() -> str:
        how = "curl --json @deal.json http://localhost:8000/api/v1/deals"
        return page("deals.html", here="deals", deals=[], how=how)

    @app.get("/replays/<name>")
    def replay(name: str) -> str:
        if name not in DEALS:
            abort(404)
        replay = replay_of(name)
        return page(
            "replay.html",
            title=replay["title"],
            source=replay["source"],
            sitting_out=replay["players"]["sitting_out"],
            replay_url=url_for("replay_document", name=name),
        )

    @app.get("/api/<name>")
    def replay_document(name: str) -> Response:
        if name not in DEALS:
            abort(404)
        return jsonify(replay_of(name))

    @app.errorhandler(404)
    def missing(_: Exception) -> tuple[str, int]:
        sentence = f"There is no deal at “{request.path}”. Look for it in the library."
        return page("error.html", sentence=sentence), 404

    return app


app = create_app()

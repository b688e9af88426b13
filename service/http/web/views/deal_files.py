"""A deal to be taken away: the page that answers with it as one file, which replays without this service."""

from flask import Response, make_response, request

from service.application.library import published_as
from service.http.api.responses import saved_as, tagged
from service.http.api.routes.deals import log_of_deal
from service.http.api.routes.points import Seen
from service.http.api.routes.replays import log_of_replay
from service.http.context import context, queries
from service.http.problems import Problem
from service.http.web.language import in_language, language
from service.http.web.looks import looks
from service.http.web.pages import of_records, pages
from service.http.web.standalone import standalone
from service.records.points import VIEWERS


@pages.get("/replays/<name>/file")
def replay_file(name: str) -> Response:
    """A deal of the library as a file."""
    return tagged(_file(log_of_replay(name, viewer_asked())))


@pages.get("/deals/<stream:deal>/file")
def recorded_file(deal: str) -> Response:
    """A recorded deal as a file, with what whoever asks may know of it.

    One that is published is called as it is in the library.
    """
    seen, reached = log_of_deal(deal, viewer_asked()), queries()
    in_library = published_as(reached, reached.deal(deal))
    return of_records(_file(seen, in_library.title if in_library else None))


def _file(seen: Seen, title: str | None = None) -> Response:
    file = standalone(seen.log(), language(), context().book, looks(), seen.called(), title)
    made = make_response(file.html)
    made.headers["Cache-Control"] = "private, no-cache"
    # It has scripts of its own, so it is looked at where it is saved, and not among our pages.
    saved_as(made, file.name)
    made.vary.add("Cookie")
    return in_language(made)


def viewer_asked() -> str | None:
    """From where the deal is seen, if that is asked for. Raises `Problem`."""
    asked = request.args.get("viewer")
    if asked is not None and asked not in VIEWERS:
        raise Problem("invalid-parameter", f"A deal is seen as one of {', '.join(VIEWERS)}.")
    return asked

"""A deal to be taken away: the page that answers with it as one file, which replays without this service."""

from collections.abc import Callable

from flask import Response, make_response, request

from service.api.answers import tagged
from service.api.deals import log_of_deal
from service.api.points import Seen
from service.api.replays import log_of_replay
from service.context import context
from service.points import VIEWERS
from service.problems import Problem
from service.varying import depends_on
from service.web.language import in_language, language
from service.web.looks import looks
from service.web.pages import of_records, pages
from service.web.standalone import standalone


@pages.get("/replays/<name>/file")
def replay_file(name: str) -> Response:
    """A deal of the library as a file."""
    return tagged(_file(log_of_replay, name))


@pages.get("/deals/<stream:deal>/file")
def recorded_file(deal: str) -> Response:
    """A recorded deal as a file, with what whoever asks may know of it."""
    return of_records(_file(log_of_deal, deal))


def _file(log_of: Callable[[str, str | None], Seen], key: str) -> Response:
    seen = log_of(key, viewer_asked())
    file = standalone(seen.log(), language(), context().book, looks(), seen.called())
    made = make_response(file.html)
    made.headers["Cache-Control"] = "private, no-cache"
    # It has scripts of its own, so it is looked at where it is saved, and not among our pages.
    made.headers.set("Content-Disposition", "attachment", filename=file.name)
    depends_on(made, "Cookie")
    return in_language(made)


def viewer_asked() -> str | None:
    """From where the deal is seen, if that is asked for. Raises `Problem`."""
    asked = request.args.get("viewer")
    if asked is not None and asked not in VIEWERS:
        raise Problem("invalid-parameter", f"A deal is seen as one of {', '.join(VIEWERS)}.")
    return asked

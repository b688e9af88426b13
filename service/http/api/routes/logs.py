"""The API's doors for logs that are judged, scored and replayed without being stored."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final, NamedTuple

import orjson
from flask import Response, request

from engine import EVERYTHING, Audit, Log, Viewer, audit
from engine.core.events import DealOpened
from engine.core.table_events import TableOpened
from engine.core.vocabulary import MOST, Kind, Seq
from engine.reconcile import Account, compared
from engine.reconcile.aligning import TooLong
from engine.rulesets import Book, Ruleset, rules_of
from schemas.answers.accounts import NoChoice, comparison_object, read_choice, require_open
from schemas.answers.reports import replay_object, report_object
from schemas.answers.states import score_object
from schemas.logs.deal_size import require_judgeable
from schemas.notation import read_logs as read_notation
from schemas.notation import written_log
from schemas.rulesets.published import Misread, told_in
from schemas.wire.events import EventSchema
from schemas.wire.json_text import TooDeep, read_json
from schemas.wire.jsonlines import DealLog, Unreadable, read_logs
from schemas.wire.jsonlines import Problem as Unread
from service.config.urls import PREFIX
from service.http.api.anonymous_limits import in_turn, is_stranger
from service.http.api.openapi.contract import Routes, may_fail, takes, told_together
from service.http.api.openapi.languages import language, told_here
from service.http.api.request_bodies import (
    LOG_BYTES,
    body_bytes,
    is_lines,
    is_notation,
    malformed,
    require_no_doubled_name,
)
from service.http.api.responses import NEVER_KEPT, answer
from service.http.api.routes.deals import SLIP
from service.http.api.schemas.accounts import ComparedSchema
from service.http.api.schemas.fields import Parameter
from service.http.api.schemas.points import ReplayOfLogSchema, ReportsSchema, ScoresSchema
from service.http.api.schemas.streams import Asked
from service.http.context import context
from service.http.problems import Problem
from service.http.work_queue import let_others_go_first
from service.presentation.i18n.notation_da import in_danish
from service.records.points import VIEWERS
from service.records.variation_tree import Family

routes = Routes(
    "logs", __name__, url_prefix=PREFIX, description="Judging, scoring and replaying without storing."
)

LOG: Final = {"type": "array", "items": EventSchema, "minItems": 1}
"""A log as JSON; it may hold several deals."""
BYTES_A_REQUEST: Final = 4096
"""What a stranger has judged counts as a request for each of so many bytes."""
SMALL_BYTES: Final = 16 << 10
"""So much is judged without waiting for a turn: a deal or two."""
SECONDS: Final = 1.2
"""No further deal of a body is begun after this much processor time."""

ACCOUNTS: Final = ("first", "second")
TWO_SLIPS: Final = [*SLIP, SLIP[0], {**SLIP[1], "trump": "D"}]
ACCOUNTS_MEAN: Final = "Two accounts of one deal, one after the other: each begins with its `deal_opened`."
LOG_MEANS: Final = "One log or several, an event after the other: each begins with its `deal_opened`."


class PostedLogs(NamedTuple):
    """The logs of a body that could be read; why others could not; how many more such problems there are.

    ``rulesets`` are those that it tells beside them; ``book`` has these too. ``begun``: the processor time of
    this thread when the reading began.
    """

    logs: list[DealLog]
    problems: list[dict[str, Any]]
    unlisted: int
    rulesets: list[Ruleset]
    book: Book
    begun: float


class NameQuery(Asked):
    """What the log is called in the answer."""

    name = Parameter(Kind("text", least=1, most=200), "What the log is called in the answer.", default="-")


class ReplayedQuery(Asked):
    """Which deal of the log is replayed, and for whom."""

    deal = Parameter(
        Kind("integer", least=1, most=MOST),
        "Which deal of the log is replayed, from 1; unless told otherwise the last.",
    )
    viewer = Parameter(
        Kind("choice", choices=tuple(VIEWERS)),
        "As whoever sits there may know it: a seat, `public` for an onlooker, or `all`.",
        default="all",
    )
    unread = Parameter(
        Kind("choice", choices=("refused", "skipped")),
        "Whether a deal of which something cannot be read is replayed without it (`skipped`). What cannot be "
        "read stands in `problems`.",
        default="refused",
    )


class ComparedQuery(Asked):
    """What the accounts are called, and which of them the merged record follows where."""

    first = Parameter(
        Kind("text", least=1, most=200), "What the first account is called.", default=ACCOUNTS[0]
    )
    second = Parameter(
        Kind("text", least=1, most=200), "What the second account is called.", default=ACCOUNTS[1]
    )
    take = Parameter(
        Kind("text", least=1, most=2000),
        "Entries of the merged record with the account that they follow, 1 or 2, such as `11:2,13:1`. "
        "Unless told otherwise it is the one that does not contradict itself, else the first.",
    )


@routes.route("/validate", methods=["POST"])
@routes.arguments(NameQuery, location="query")
@takes(LOG, LOG_MEANS, {"slip": SLIP}, lines=True, text=True)
@routes.response(200, ReportsSchema)
@may_fail(400, 413, 415, 422)
def validate(query: dict[str, Any]) -> Response:
    """Judge a log without storing it

    A report for each deal that can be read, as `spadille validate` prints it, and a problem for each line
    that cannot.
    """
    return answered("reports", query["name"], reported_object)


def reported_object(judged: Audit, file: str, number: int) -> dict[str, Any]:
    """The report of one deal of a log, in the language that is asked for."""
    return report_object(judged, file, number, told_here)


@routes.route("/score", methods=["POST"])
@routes.arguments(NameQuery, location="query")
@takes(LOG, LOG_MEANS, {"slip": SLIP}, lines=True, text=True)
@routes.response(200, ScoresSchema)
@may_fail(400, 413, 415, 422)
def score(query: dict[str, Any]) -> Response:
    """Score a log without storing it

    A score for each deal that can be read, as `spadille score` prints it.
    """
    return answered("scores", query["name"], scored_object)


def scored_object(judged: Audit, file: str, number: int) -> dict[str, Any]:
    """The score of one deal of a log."""
    return {"file": file, "deal": number, **score_object(judged.score)}


@routes.route("/replay", methods=["POST"])
@routes.arguments(ReplayedQuery, location="query")
@takes(LOG, LOG_MEANS, {"slip": SLIP}, lines=True, text=True)
@routes.response(200, ReplayOfLogSchema)
@may_fail(400, 413, 415, 422)
def replay(query: dict[str, Any]) -> Response:
    """Replay a log without storing it

    One deal of it as a replayer takes it, with its own log in the notation. With its corrections it has no
    more than 500 entries, not counting notes, and the answer no more than 8 MiB of them.
    A variation is replayed from the beginning of the deal that it leaves: one that stands before it in the
    body, or one of the library.
    """
    with reading("-", partly=query["unread"] == "skipped") as posted:
        log, course = one_of(posted, query["deal"], VIEWERS[query["viewer"]])
        if not any(isinstance(entry.event, DealOpened) for entry in course):
            told = "What could be read of the deal has no opening (deal_opened), so nobody is known to play."
            raise unreadable(posted.problems, told)
        return answer(_replayed(log, course, posted), cache=NEVER_KEPT)


@routes.route("/compare", methods=["POST"])
@routes.arguments(ComparedQuery, location="query")
@takes(LOG, ACCOUNTS_MEAN, {"accounts": TWO_SLIPS}, lines=True, text=True)
@routes.response(200, ComparedSchema)
@may_fail(400, 413, 415, 422)
def compare(query: dict[str, Any]) -> Response:
    """Lay two accounts of one deal side by side without storing them

    The body has two deals, one account after the other. Every difference with the entries of both, which of
    them contradicts itself, and one record that both make together, as `spadille compare` prints it.
    """
    with reading("-") as posted:
        if posted.problems:
            raise unreadable(posted.problems, "")
        deals = list(courses_of(posted, EVERYTHING))
        if len(deals) != len(ACCOUNTS):
            raise Problem(
                "unreadable-log", f"The body has {len(deals)} deals. Send two, one account after the other."
            )
        first, second = (
            Account(query[name], course) for name, (_, course) in zip(ACCOUNTS, deals, strict=True)
        )
        choices = _choices(query["take"])
        try:
            found = compared(first, second, choices, posted.book)
            require_open(found, choices)
        except TooLong as error:
            raise Problem("too-large", f"That is too much to compare: {error}.") from None
        except NoChoice as error:
            raise _no_choice(error) from None
        return answer(comparison_object(first, second, found, told_here), cache=NEVER_KEPT)


def _choices(asked: str | None) -> dict[Seq, int]:
    """The entries and accounts that are chosen. Raises the problem of what chooses nothing."""
    try:
        return dict(map(read_choice, asked.split(",") if asked else ()))
    except NoChoice as error:
        raise _no_choice(error) from None


def _no_choice(error: NoChoice) -> Problem:
    fault = {"parameter": "take", "detail": str(error)}
    return Problem("invalid-parameter", told_together([fault]), errors=[fault])


def one_of(posted: PostedLogs, wanted: int | None, viewer: Viewer) -> tuple[DealLog, Log]:
    """The deal of that number, else the last, with its course as ``viewer`` may know it.

    Raises the problem of one that is not there.
    """
    for log, course in courses_of(posted, viewer):
        if log.number == wanted or (wanted is None and log is posted.logs[-1]):
            return log, course
    raise unreadable(posted.problems, "The body has no such deal. Its deals are counted from 1.")


def _replayed(log: DealLog, course: Log, posted: PostedLogs) -> dict[str, Any]:
    """A deal for a replayer, and what was posted of it in the notation. Raises `DealTooLarge`."""
    document = replay_object(audit(course, posted.book), told_here)
    read = {
        "text": _text_of(log.log),
        **unread(posted),
    }
    return {**document, **read}


def _text_of(log: Log) -> str:
    """The log in the notation; nothing where it lacks its opening or a number, as none is written then."""
    try:
        return written_log(log)
    except ValueError:
        return ""


def answered(member: str, name: str, told: Callable[[Audit, str, int], dict[str, Any]]) -> Response:
    """What is told of each deal of the body's log, and what of it cannot be read.

    Raises the problem of a body in which no deal can be read.
    """
    with reading(name) as posted:
        read = list[dict[str, Any]]()
        for log, course in courses_of(posted, EVERYTHING):
            read.append(told(audit(course, posted.book), name, log.number))
            let_others_go_first()
        if not read:
            raise unreadable(posted.problems, "The log is that of a table; send the log of a deal.")
        return answer({member: read, **unread(posted)}, cache=NEVER_KEPT)


def unread(posted: PostedLogs) -> dict[str, Any]:
    """What of the body cannot be read, as an answer tells it."""
    return {"problems": _told_here(posted.problems), "unlisted": posted.unlisted}


def _told_here(problems: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The problems of a text in the notation in the language that is asked for; of events as they are."""
    if language() != "da" or not is_notation():
        return problems
    return [{**one, "message": in_danish(one["message"])} for one in problems]


@contextmanager
def reading(name: str, partly: bool = False, least: float = 0) -> Iterator[PostedLogs]:
    """The logs of the body, for as long as they are judged: a stranger waits for his turn.

    What takes long however short they are counts at ``least`` as so many requests of his.
    """
    stranger = is_stranger()
    body = body_bytes()
    requests = max(least, len(body) / BYTES_A_REQUEST)
    waits = least > 0 or len(body) > SMALL_BYTES
    with in_turn(requests, waits) if stranger else nullcontext():
        yield logs_in(body, name, partly, SECONDS)


def courses_of(posted: PostedLogs, viewer: Viewer) -> Iterator[tuple[DealLog, Log]]:
    """Each deal of them, with its course as ``viewer`` may know it; the logs of tables are passed over.

    Raises `DealTooLarge`, and the problem of deals that take too long.
    """
    family = Family()
    for number, log in enumerate(posted.logs):
        if not isinstance(log.log[0].event, TableOpened):
            if time.thread_time() - posted.begun > SECONDS:
                raise _takes_too_long(f"{number} of its {len(posted.logs)} logs")
            require_judgeable(log.log)
            yield log, family.course(log.log, viewer)


def _takes_too_long(done: str) -> Problem:
    return Problem(
        "too-large",
        f"After {done} the work on this body has taken as long as one request may. Send fewer deals at a "
        "time, or use spadille validate on your own computer.",
    )


def posted_logs(name: str) -> PostedLogs:
    """The logs of a body to be stored, in either form."""
    request.max_content_length = LOG_BYTES
    return logs_in(body_bytes(), name)


def logs_in(body: bytes, name: str, partly: bool = False, seconds: float = math.inf) -> PostedLogs:
    """The logs of a body, in either form; with ``partly`` also what can be read of one that has problems.

    Raises the problem of logs that take more than ``seconds`` of processor time.
    """
    begun = time.thread_time()
    lines, as_lines = _lines_of(body)
    reader = read_notation if is_notation() else read_logs
    logs: list[DealLog] = []
    rulesets, problems = ([], []) if is_notation() else _rulesets(lines, as_lines, begun + seconds)
    unlisted = 0
    for log in reader(lines, name):
        if isinstance(log, Unreadable):
            problems += (_unread(problem, as_lines) for problem in log.problems)
            unlisted += log.unlisted
            if partly and log.log:
                logs.append(DealLog(log.name, log.number, log.line, log.log))
        else:
            logs.append(log)
            let_others_go_first()
        if time.thread_time() - begun > seconds:
            raise _takes_too_long(f"reading {log.number} logs")
    book = (*context().book, *map(rules_of, rulesets))
    return PostedLogs(logs, problems, unlisted, rulesets, book, begun)


def _rulesets(lines: list[bytes], as_lines: bool, until: float) -> tuple[list[Ruleset], list[dict[str, Any]]]:
    """The rulesets that stand between the logs of a body, and why others of them cannot be read."""
    rulesets: list[Ruleset] = []
    problems: list[dict[str, Any]] = []
    for told in told_in(lines, context().book):
        if time.thread_time() > until:
            raise _takes_too_long(f"reading {len(rulesets)} rulesets")
        if isinstance(told, Misread):
            problems.append(_unread(told, as_lines))
        else:
            rulesets.append(told)
    return rulesets, problems


def _lines_of(body: bytes) -> tuple[list[bytes], bool]:
    """A body in lines of one event each, and whether they are the body's own lines."""
    if is_lines() or is_notation():
        return [body], True
    try:
        whole = read_json(body)
    except TooDeep as error:
        raise malformed(error) from None
    except orjson.JSONDecodeError:
        # JSON Lines under another name; if it is not, the lines say where the trouble is.
        return [body], True
    require_no_doubled_name(body, whole, {})
    events = whole if isinstance(whole, list) else [whole]
    return [orjson.dumps(event) + b"\n" for event in events], False


def _unread(problem: Unread | Misread, as_lines: bool) -> dict[str, Any]:
    """Why an event cannot be read: by its line, or in a JSON list by its pointer."""
    place = {
        "line": problem.line if as_lines else None,
        "column": problem.column if as_lines else None,
        "pointer": problem.pointer if as_lines else f"/{problem.line - 1}{problem.pointer}",
    }
    return {**place, "read": problem.read, "expected": problem.expected, "message": problem.message}


def unreadable(problems: list[dict[str, Any]], otherwise: str) -> Problem:
    """The problem of a body of which nothing can be used; ``otherwise`` is why, where all could be read."""
    if not problems:
        return Problem("unreadable-log", otherwise)
    places = ("line", "column", "pointer")
    errors = [
        {**{name: one[name] for name in places if one[name] is not None}, "detail": one["message"]}
        for one in problems
    ]
    return Problem("unreadable-log", f"No deal could be read. {errors[0]['detail']}", errors=errors)

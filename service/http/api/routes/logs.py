"""Routes for logs that are judged, scored, replayed and compared without being stored."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, Final, NamedTuple

import orjson
from flask import Response, request

from engine import FULL_VIEWER, Audit, Log, Viewer, audit
from engine.core.events import DealOpened
from engine.reconcile import AccountTooLong, DealAccount, compare_accounts
from engine.rulesets import Ruleset, RulesetBook, compile_ruleset
from schemas.answers import fields
from schemas.answers.accounts import (
    ComparisonSchema,
    InvalidAccountChoice,
    comparison_object,
    parse_account_choice,
    require_choosable,
)
from schemas.answers.deal_reports import replay_object, report_object
from schemas.answers.fields import QuerySchema
from schemas.answers.states import score_object
from schemas.i18n.translate import translate
from schemas.logs.deal_size import require_judgeable
from schemas.notation import format_notation_log
from schemas.notation import read_notation_logs as read_notation
from schemas.rulesets.published_rulesets import read_published_rulesets
from schemas.wire.event_schemas import EventSchema
from schemas.wire.json_text import JsonTooDeep, parse_json
from schemas.wire.jsonlines import LineProblem, ParsedLog, UnreadableLog, read_json_lines_logs
from service.http.api.anonymous_limits import (
    HEAVY_REQUEST_COST,
    anonymous_turn,
    find_hidden_card_answer,
    has_anonymous_limits,
    yield_to_other_threads,
)
from service.http.api.blueprint import ApiBlueprint
from service.http.api.openapi.languages import response_language
from service.http.api.operation_permissions import ANYONE
from service.http.api.request_bodies import (
    MAX_LOG_BYTES,
    is_jsonl_body,
    is_notation_body,
    malformed_json_problem,
    read_body,
    require_unique_keys,
)
from service.http.api.responses import json_response
from service.http.api.schemas.hidden_cards import (
    LogEvidenceQuery,
    LogEvidenceSchema,
    LogOddsQuery,
    LogOddsSchema,
)
from service.http.api.schemas.points import LogReplaySchema, ReportsSchema, ScoresSchema
from service.http.problems import Problem, invalid_parameter_problem
from service.http.service_context import service_context
from service.records.deal_points import VIEWERS_BY_NAME, build_deal_point
from service.records.log_grouping import is_table_log
from service.records.variations import VariationExpander

routes = ApiBlueprint("logs", "", "Judging, scoring and replaying without storing.")

LOG_SCHEMA: Final = {"type": "array", "items": EventSchema, "minItems": 1}
"""A log as JSON; it may hold several deals."""
BYTES_PER_REQUEST: Final = 4096
"""That many bytes of an anonymous body count as one request."""
MAX_UNQUEUED_BYTES: Final = 16 << 10
"""A larger anonymous body waits for a turn; this much is a deal or two."""
MAX_CPU_SECONDS: Final = 1.2
"""After this much processor time no further deal of a body is begun."""

ACCOUNT_PARAMETERS: Final = ("first", "second")
ACCOUNTS_BODY_DESCRIPTION: Final = (
    "Two accounts of one deal, one after the other: each begins with its `deal_opened`."
)
LOG_BODY_DESCRIPTION: Final = "One log or several, one after the other: each begins with its `deal_opened`."


class SubmittedLogs(NamedTuple):
    """The readable logs of a body, the problems of others, and how many more such problems there are.

    ``rulesets`` are those of the body; ``book`` includes them. ``cpu_deadline`` is the processor time
    of this thread after which no further deal is begun.
    """

    logs: list[ParsedLog]
    problems: list[dict[str, Any]]
    unlisted: int
    rulesets: list[Ruleset]
    book: RulesetBook
    cpu_deadline: float


class LogNameQuery(QuerySchema):
    """What the log is called in the answer."""

    name = fields.query_text("The name of the log in the answer.", 200, "-")


class ReplayLogQuery(QuerySchema):
    """Which deal of the log is replayed, and for whom."""

    deal = fields.query_integer("The number of the deal to replay, from 1; by default the last.", min_value=1)
    viewer = fields.query_choice(
        VIEWERS_BY_NAME,
        "The viewer: a seat, `public` for an onlooker, or `all`.",
        default="all",
    )
    unread = fields.query_choice(
        ("refused", "skipped"),
        "Whether to replay a deal without its unreadable parts (`skipped`). `problems` lists those.",
        default="refused",
    )


class CompareQuery(QuerySchema):
    """What the accounts are called, and which of them the merged record follows where."""

    first = fields.query_text("The name of the first account.", 200, ACCOUNT_PARAMETERS[0])
    second = fields.query_text("The name of the second account.", 200, ACCOUNT_PARAMETERS[1])
    take = fields.query_text(
        "Entries of the merged record with the account that they follow, 1 or 2, such as `11:2,13:1`. By "
        "default it follows the account without contradictions, else the first.",
        2000,
    )


@routes.post("/validate", ANYONE, query=LogNameQuery)
@routes.accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, ReportsSchema)
def validate(query: dict[str, Any]) -> Response:
    """Judge a log without storing it

    A report for each readable deal, as `spadille validate` prints it, and a problem for each unreadable line.
    """
    build_object = partial(report_object, lang=response_language())
    return judged_logs_response("reports", query["name"], build_object)


@routes.post("/score", ANYONE, query=LogNameQuery)
@routes.accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, ScoresSchema)
def score(query: dict[str, Any]) -> Response:
    """Score a log without storing it

    A score for each readable deal, as `spadille score` prints it.
    """
    lang = response_language()

    def build_object(deal_audit: Audit, file: str, number: int) -> dict[str, Any]:
        return {"file": file, "deal": number, **score_object(deal_audit.score, lang)}

    return judged_logs_response("scores", query["name"], build_object)


@routes.post("/replay", ANYONE, query=ReplayLogQuery)
@routes.accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, LogReplaySchema)
def replay(query: dict[str, Any]) -> Response:
    """Replay a log without storing it

    One of its deals for a replayer, with its own log in the notation. With its corrections it may have 500
    entries, not counting notes, and the answer 8 MiB of them. A variation is replayed from the beginning of
    the deal that it branches from: an earlier deal of the body, or one of the library.
    """
    with submitted_logs("-", keep_partial=query["unread"] == "skipped") as submitted:
        log, expanded_log = select_deal(submitted, query["deal"], VIEWERS_BY_NAME[query["viewer"]])
        if not any(isinstance(entry.event, DealOpened) for entry in expanded_log):
            raise unreadable_log_problem(
                submitted.problems,
                "What could be read of the deal has no opening (deal_opened), so nobody is known to play.",
            )
        answer = replay_object(audit(expanded_log, submitted.book), response_language())
        text = _format_notation_or_empty(log.log)
        return json_response({**answer, "text": text, **unreadable_lines_object(submitted)})


@routes.post("/compare", ANYONE, query=CompareQuery)
@routes.accepts_body(LOG_SCHEMA, ACCOUNTS_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, ComparisonSchema)
def compare(query: dict[str, Any]) -> Response:
    """Compare two accounts of one deal without storing them

    The body has two deals, one account after the other. The answer has every difference with the entries of
    both, the contradictions in each, and one merged record, as `spadille compare` prints it.
    """
    with submitted_logs("-") as submitted:
        if submitted.problems:
            raise unreadable_log_problem(submitted.problems, "")
        deals = list(iterate_expanded_deals(submitted, FULL_VIEWER))
        if len(deals) != len(ACCOUNT_PARAMETERS):
            raise Problem(
                "unreadable-log", f"The body has {len(deals)} deals. Send two, one account after the other."
            )
        first, second = (
            DealAccount(query[name], expanded_log)
            for name, (_, expanded_log) in zip(ACCOUNT_PARAMETERS, deals, strict=True)
        )
        try:
            choices = dict(map(parse_account_choice, query["take"].split(",") if query["take"] else ()))
            comparison = compare_accounts(first, second, choices, submitted.book)
            require_choosable(comparison, choices)
        except AccountTooLong as error:
            raise Problem("too-large", f"That is too much to compare: {error}.") from None
        except InvalidAccountChoice as error:
            raise invalid_parameter_problem(str(error), "take") from None
        return json_response(comparison_object(first, second, comparison, response_language()))


@routes.post("/evidence", ANYONE, query=LogEvidenceQuery, may_fail=(404,))
@routes.accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, LogEvidenceSchema)
def evidence(query: dict[str, Any]) -> Response:
    """Show what the hidden cards of a log can be without storing it

    One of its deals, with the answer of `/evidence` for a stored deal. With its corrections it may have 500
    entries, not counting notes.
    """
    return _log_answer_response(query, "evidence")


@routes.post("/odds", ANYONE, query=LogOddsQuery, may_fail=(404,))
@routes.accepts_body(LOG_SCHEMA, LOG_BODY_DESCRIPTION, jsonl=True, notation=True)
@routes.response(200, LogOddsSchema)
def odds(query: dict[str, Any]) -> Response:
    """Show the results of best play over the deals that a log allows without storing it

    One of its deals, with the answer of `/odds` for a stored deal. With its corrections it may have 500
    entries, not counting notes.
    """
    return _log_answer_response(query, "odds")


def _log_answer_response(query: dict[str, Any], answer_name: str) -> Response:
    with submitted_logs("-", min_request_cost=HEAVY_REQUEST_COST) as submitted:
        _, expanded_log = select_deal(submitted, query["deal"], VIEWERS_BY_NAME[query["viewer"]])
        point = build_deal_point(expanded_log, query["at"], None, submitted.book)
        answer = find_hidden_card_answer(answer_name, point, response_language(), query)
        return json_response({**answer, **unreadable_lines_object(submitted)})


def select_deal(submitted: SubmittedLogs, deal_number: int | None, viewer: Viewer) -> tuple[ParsedLog, Log]:
    """The deal of that number, by default the last, and its log as ``viewer`` may know it."""
    for log, expanded_log in iterate_expanded_deals(submitted, viewer):
        if log.number == deal_number or (deal_number is None and log is submitted.logs[-1]):
            return log, expanded_log
    raise unreadable_log_problem(
        submitted.problems, "The body has no such deal. Its deals are numbered from 1."
    )


def _format_notation_or_empty(log: Log) -> str:
    """The log in the notation; empty for a log that the notation cannot express."""
    try:
        return format_notation_log(log)
    except ValueError:
        return ""


def judged_logs_response(
    list_name: str, name: str, build_object: Callable[[Audit, str, int], dict[str, Any]]
) -> Response:
    """An object for each deal of the body, and its unreadable lines. Raises the problem of no deal."""
    with submitted_logs(name) as submitted:
        objects = list[dict[str, Any]]()
        for log, expanded_log in iterate_expanded_deals(submitted, FULL_VIEWER):
            objects.append(build_object(audit(expanded_log, submitted.book), name, log.number))
            yield_to_other_threads()
        if not objects:
            raise unreadable_log_problem(
                submitted.problems, "This is the log of a table; send the log of a deal."
            )
        return json_response({list_name: objects, **unreadable_lines_object(submitted)})


def unreadable_lines_object(submitted: SubmittedLogs) -> dict[str, Any]:
    """The unreadable lines of the body; those of the notation in the preferred language."""
    problems = submitted.problems
    if is_notation_body():
        lang = response_language()
        problems = [{**problem, "message": translate(problem["message"], lang)} for problem in problems]
    return {"problems": problems, "unlisted": submitted.unlisted}


@contextmanager
def submitted_logs(
    name: str, keep_partial: bool = False, min_request_cost: float = 0
) -> Iterator[SubmittedLogs]:
    """The logs of the body, while they are judged. Anonymous callers wait for their turn.

    Work that takes long for any length counts as at least ``min_request_cost`` requests.
    """
    is_limited = has_anonymous_limits()
    body = read_body()
    request_cost = max(min_request_cost, len(body) / BYTES_PER_REQUEST)
    must_wait = min_request_cost > 0 or len(body) > MAX_UNQUEUED_BYTES
    with anonymous_turn(request_cost, must_wait) if is_limited else nullcontext():
        yield parse_logs(body, name, keep_partial, MAX_CPU_SECONDS)


def iterate_expanded_deals(submitted: SubmittedLogs, viewer: Viewer) -> Iterator[tuple[ParsedLog, Log]]:
    """The deals of a body, each with its log as ``viewer`` may see it; logs of tables are skipped.

    Raises `DealTooLarge`, and the problem of deals that take too long.
    """
    expander = VariationExpander()
    for number, log in enumerate(submitted.logs):
        if not is_table_log(log.log):
            _require_cpu_time(submitted.cpu_deadline, f"{number} of its {len(submitted.logs)} logs")
            require_judgeable(log.log)
            yield log, expander.expand_log(log.log, viewer)


def _require_cpu_time(deadline: float, done: str) -> None:
    """Raise the problem of a body that takes this thread's processor time beyond the ``deadline``."""
    if time.thread_time() > deadline:
        raise Problem(
            "too-large",
            f"After {done}, this body has used the time for one request. Send fewer deals at a time, or "
            "use spadille validate on your own computer.",
        )


def read_logs_to_store(name: str) -> SubmittedLogs:
    """The logs of a body that is to be stored."""
    request.max_content_length = MAX_LOG_BYTES
    return parse_logs(read_body(), name)


def parse_logs(
    body: bytes, name: str, keep_partial: bool = False, max_cpu_seconds: float = math.inf
) -> SubmittedLogs:
    """The logs of a body; with ``keep_partial`` also the readable part of faulty ones.

    Raises the problem of logs that take more than ``max_cpu_seconds`` of processor time.
    """
    cpu_deadline = time.thread_time() + max_cpu_seconds
    lines, is_jsonl = _split_into_lines(body)
    reader = read_notation if is_notation_body() else read_json_lines_logs
    logs: list[ParsedLog] = []
    rulesets: list[Ruleset] = []
    problems: list[dict[str, Any]] = []
    if not is_notation_body():
        rulesets, problems = _parse_rulesets(lines, is_jsonl, cpu_deadline)
    unlisted = 0
    for log in reader(lines, name):
        if isinstance(log, UnreadableLog):
            problems += (_unreadable_line_object(problem, is_jsonl) for problem in log.problems)
            unlisted += log.unlisted
            if keep_partial and log.log:
                logs.append(ParsedLog(log.name, log.number, log.line, log.log))
        else:
            logs.append(log)
            yield_to_other_threads()
        _require_cpu_time(cpu_deadline, f"reading {log.number} logs")
    book = (*service_context().book, *map(compile_ruleset, rulesets))
    return SubmittedLogs(logs, problems, unlisted, rulesets, book, cpu_deadline)


def _parse_rulesets(
    lines: list[bytes], is_jsonl: bool, cpu_deadline: float
) -> tuple[list[Ruleset], list[dict[str, Any]]]:
    """The rulesets between the logs of a body, and the problems of unreadable ones."""
    rulesets: list[Ruleset] = []
    problems: list[dict[str, Any]] = []
    for ruleset in read_published_rulesets(lines, "", service_context().book):
        _require_cpu_time(cpu_deadline, f"reading {len(rulesets)} rulesets")
        if isinstance(ruleset, LineProblem):
            problems.append(_unreadable_line_object(ruleset, is_jsonl))
        else:
            rulesets.append(ruleset)
    return rulesets, problems


def _split_into_lines(body: bytes) -> tuple[list[bytes], bool]:
    """A body as lines of one event each, and whether they are the body's own lines."""
    if is_jsonl_body() or is_notation_body():
        return [body], True
    try:
        parsed = parse_json(body)
    except JsonTooDeep as error:
        raise malformed_json_problem(error) from None
    except orjson.JSONDecodeError:
        # Probably JSON Lines; otherwise reading the lines finds the faults.
        return [body], True
    require_unique_keys(body, parsed, {})
    events = parsed if isinstance(parsed, list) else [parsed]
    return [orjson.dumps(event) + b"\n" for event in events], False


def _unreadable_line_object(problem: LineProblem, is_jsonl: bool) -> dict[str, Any]:
    """Why an event is not readable, with its line, or its pointer into a JSON list."""
    location = {
        "line": problem.line if is_jsonl else None,
        "column": problem.column if is_jsonl else None,
        "pointer": problem.pointer if is_jsonl else f"/{problem.line - 1}{problem.pointer}",
    }
    return {**location, "read": problem.read, "expected": problem.expected, "message": problem.message}


def unreadable_log_problem(problems: list[dict[str, Any]], default_detail: str) -> Problem:
    """The problem of a body without usable logs; ``default_detail`` if all of it is readable."""
    if not problems:
        return Problem("unreadable-log", default_detail)
    errors = [
        {name: problem[name] for name in ("line", "column", "pointer") if problem[name] is not None}
        | {"detail": problem["message"]}
        for problem in problems
    ]
    return Problem("unreadable-log", f"No deal could be read. {errors[0]['detail']}", errors=errors)

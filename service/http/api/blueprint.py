"""The blueprint of the API: each route is declared with its policies and its part of the contract."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from functools import partialmethod, wraps
from http import HTTPStatus
from typing import Any, Final, NamedTuple, Protocol, TypeVar, cast

from flask import Blueprint
from marshmallow import Schema, ValidationError
from werkzeug.routing import BaseConverter

from schemas.notation import NOTATION_MEDIA_TYPE
from service.config.urls import API_PREFIX
from service.http.api.cache_policies import NO_STORE_POLICY, CachePolicy, declare_cache_policy
from service.http.api.etags import read_if_match
from service.http.api.operation_permissions import OperationPermission
from service.http.api.request_bodies import JSON_TYPE, JSONL_TYPE
from service.http.current_request import current_request
from service.http.problems import Problem, faulty_request_problem, invalid_parameter_problem
from service.http.service_context import queries

Json = dict[str, Any]
View = TypeVar("View", bound=Callable[..., Any])

DECIDED_VERSION: Final = "The version of the record that you decided on, in quotes, as in its `ETag`."
DECIDED_VERSION_OR_ANY: Final = (
    f"{DECIDED_VERSION} Notes, irregularities, rulings and settlements also accept `*`."
)
JSONL_SCHEMA: Final[Json] = {"type": "string", "description": "One event per line."}
LOG_FORMAT_SCHEMAS: Final[Json] = {
    JSONL_TYPE: JSONL_SCHEMA,
    NOTATION_MEDIA_TYPE: {"type": "string", "description": "The log in the notation."},
}
"""The other forms of a log."""
PROBLEM_COMPONENT: Final = "Problem"


class StreamIdConverter(BaseConverter):
    """The id of a deal or a table in an address: a UUID, in small or capital letters."""

    regex = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"

    def to_python(self, value: str) -> str:
        """The id as it is stored."""
        return value.lower()


class ViewDecorator(Protocol):
    """A decorator that leaves the type of a view as it is."""

    def __call__(self, view: View) -> View:
        """The view, or one that is called in the same way."""


class Operation(NamedTuple):
    """A route as it was declared: its policies, what it reads, and its OpenAPI operation, with schemas in it.

    ``if_match`` describes that header for a route that reads it.
    """

    rule: str
    method: str
    permission: OperationPermission
    cache: CachePolicy
    query: type[Schema] | None
    if_match: str | None
    document: Json


class ApiBlueprint(Blueprint):
    """A part of the API. Its decorators note what the contract says of a view, and return the view itself."""

    def __init__(self, name: str, path: str, description: str) -> None:
        super().__init__(name, __name__, url_prefix=f"{API_PREFIX}{path}")
        self.description = description
        self.operations: list[Operation] = []

    def operation(
        self,
        method: str,
        rule: str,
        permission: OperationPermission,
        cache: CachePolicy = NO_STORE_POLICY,
        *,
        query: type[Schema] | None = None,
        if_match: str | None = None,
        may_fail: Iterable[int] = (),
    ) -> ViewDecorator:
        """Register a view under the policies that it is held to.

        The view is called with the `IfMatch` of the request where ``if_match`` describes that header, then
        with what the schema ``query`` reads. ``may_fail`` are the statuses of problems to expect, besides
        those that follow from the rest.
        """

        def register_view(view: View) -> View:
            document = _document_of(view)
            summary, _, description = inspect.cleandoc(view.__doc__ or "").partition("\n\n")
            document |= {
                "operationId": f"{self.name}_{view.__name__}",
                "summary": summary,
                "description": description,
                "tags": [self.name],
            }
            document["responses"] |= {str(status): f"{PROBLEM_COMPONENT}{status}" for status in may_fail}
            declared = Operation(
                f"{self.url_prefix}{rule}", method, permission, cache, query, if_match, document
            )
            self.operations.append(declared)
            checked_view = _hold_to_policies(view, declared)
            self.add_url_rule(rule, view.__name__, checked_view, methods=[method])
            return checked_view

        return register_view

    get = partialmethod(operation, "GET")
    post = partialmethod(operation, "POST")
    put = partialmethod(operation, "PUT")
    delete = partialmethod(operation, "DELETE")

    @staticmethod
    def response(
        status: int,
        schema: Any = None,
        *,
        content_type: str | None = None,
        description: str | None = None,
        headers: Json | None = None,
        other_types: Mapping[str, Json] | None = None,
    ) -> ViewDecorator:
        """Publish an answer: JSON of that schema, or a text of another type.

        ``other_types`` are sent where `Accept` prefers them, each with its schema.
        """
        if schema is None and content_type is not None:
            schema = {"type": "string"}
        schemas = {} if schema is None else {content_type or JSON_TYPE: schema}
        schemas |= other_types or {}
        content = {media_type: {"schema": each} for media_type, each in schemas.items()}
        response = {
            "description": description or HTTPStatus(status).phrase,
            **({"headers": headers} if headers else {}),
            **({"content": content} if content else {}),
        }

        def decorate(view: View) -> View:
            _document_of(view)["responses"][str(status)] = response
            return view

        return decorate

    def creates(self, schema: Any, repeat_description: str, *, headers: Json) -> ViewDecorator:
        """Publish that a view stores what is sent: `201`, or `200` where it had been stored before."""

        def decorate(view: View) -> View:
            self.response(200, schema, description=repeat_description)(view)
            return self.response(201, schema, headers=headers)(view)

        return decorate

    @staticmethod
    def accepts_body(
        schema: Any, description: str, *, jsonl: bool = False, notation: bool = False
    ) -> ViewDecorator:
        """Publish what body an operation reads: JSON of that schema, JSON Lines, the notation."""
        content: Json = {JSON_TYPE: {"schema": schema}}
        if jsonl:
            content[JSONL_TYPE] = {"schema": JSONL_SCHEMA}
        if notation:
            content[NOTATION_MEDIA_TYPE] = {
                "schema": {"type": "string", "description": "Deals in the notation."}
            }

        def decorate(view: View) -> View:
            _document_of(view)["requestBody"] = {
                "description": description,
                "required": True,
                "content": content,
            }
            return view

        return decorate


def _document_of(view: Callable[..., Any]) -> Json:
    """What the decorators of a view have published so far."""
    document: Json = vars(view).setdefault("document", {"responses": {}})
    return document


def _hold_to_policies(view: View, declared: Operation) -> View:
    """The view, checked by its policies, and called with what it reads of the request.

    A query is refused where the view takes none, so that no parameter is ignored in silence.
    """
    permission, is_club_wide = declared.permission, declared.permission.is_club_wide
    takes_no_query = declared.query is None
    readers: list[Callable[[], Any]] = [] if declared.if_match is None else [read_if_match]
    if declared.query is not None:
        readers.append(_build_query_reader(declared.query()))

    @wraps(view)
    def check_and_call(**path_values: Any) -> Any:
        if is_club_wide:
            permission.require(queries().caller)
        declare_cache_policy(declared.cache)
        if takes_no_query and (arguments := current_request().args):
            raise invalid_parameter_problem("This address takes no parameters.", *arguments)
        return view(*(read() for read in readers), **path_values)

    return cast(View, check_and_call)


def _build_query_reader(schema: Schema) -> Callable[[], Json]:
    """A reader of the query by a schema. It raises the problem of parameters that cannot be read."""
    defaults: Json = schema.load({})

    def read_query() -> Json:
        http_request = current_request()
        if not http_request.query_string:
            return defaults.copy()
        arguments = http_request.args
        repeated = [name for name, values in arguments.lists() if len(values) > 1]
        if repeated:
            raise invalid_parameter_problem("The address has it more than once; give it once.", *repeated)
        try:
            query: Json = schema.load(arguments.to_dict())
        except ValidationError as error:
            raise _unreadable_query_problem(schema, error.messages_dict) from None
        return query

    return read_query


def _unreadable_query_problem(schema: Schema, faults_by_name: Mapping[str, Any]) -> Problem:
    unknown_detail = f"There is no such parameter here. Parameters: {', '.join(schema.fields)}."
    errors = [
        {"parameter": name, "detail": " ".join(map(str, faults)) if name in schema.fields else unknown_detail}
        for name, faults in faults_by_name.items()
    ]
    return faulty_request_problem("invalid-parameter", errors)


def header_object(description: str, example: str | None = None) -> Json:
    """A header of an answer."""
    return {"description": description, "schema": {"type": "string"}} | (
        {} if example is None else {"example": example}
    )


def response_header(name: str, description: str, example: str) -> Json:
    """What is published of a header of an answer."""
    return {name: header_object(description, example)}


ETAG_HEADER: Final = response_header("ETag", "The version of the record.", '"17"')

"""How the API's contract is made from the code: the app's ``Api``, its blueprints, its request parser."""

import re
import threading
from collections.abc import Mapping
from copy import deepcopy
from functools import cached_property, partial, partialmethod, wraps
from pathlib import Path
from typing import Any, Final, NoReturn

import orjson
from apispec import APISpec, BasePlugin
from apispec.ext.marshmallow.common import resolve_schema_instance
from flask import Flask, Request, Response, request
from flask_smorest import Api, Blueprint
from flask_smorest.spec.plugins import FlaskPlugin
from marshmallow import RAISE, Schema, ValidationError
from marshmallow.fields import Field
from webargs.flaskparser import FlaskParser
from werkzeug.routing import BaseConverter

from schemas.notation import NOTATION_MEDIA_TYPE
from schemas.wire.event_schemas import EventMarshmallowPlugin, EventOpenAPIConverter, nullable_schema
from service.config.urls import API_PREFIX
from service.http.api.cache_policies import NO_STORE_POLICY, CachePolicy, declare_cache_policy
from service.http.api.openapi.caching import (
    CACHE_POLICY_KEY,
    PROBLEM_HEADERS,
    describe_caching,
    header_object,
    register_caching_components,
)
from service.http.api.openapi.document import build_document
from service.http.api.openapi.examples import describe_answers, problem_examples
from service.http.api.openapi.languages import describe_language, register_language_components
from service.http.api.openapi.permissions import PERMISSION_KEY, SECURITY_SCHEMES, describe_permission
from service.http.api.operation_permissions import ANYONE, OperationPermission
from service.http.api.schemas.fields import QueryParameter, VocabularyField
from service.http.api.schemas.live import MESSAGE_SCHEMAS
from service.http.api.schemas.problems import ProblemSchema
from service.http.current_request import current_request
from service.http.problems import (
    PROBLEM_CONTENT_TYPE,
    PROBLEM_TYPES,
    Problem,
    faulty_request_problem,
    invalid_parameter_problem,
)
from service.http.service_context import queries

Json = dict[str, Any]

OPENAPI_VERSION: Final = "3.1.1"
API_DESCRIPTION: Final = Path(__file__).with_name("description.md").read_text(encoding="utf-8")
PATH_PARAMETER_PATTERN: Final = re.compile(r"<(?:\w+:)?(\w+)>")
PATH_PARAMETERS: Final = {
    "deal": "The deal's id: that of the event that opened it.",
    "table": "The table's id: that of the event that opened it.",
    "name": "The deal's name in the library, such as `belinda`.",
    "ruleset": "The ruleset's id, such as `dlu`, or `our-club`.",
    "grant": "The grant's id.",
    "session": "The session's id.",
    "member": "The member's id, such as `m-abcdefgh234567ab`.",
    "season": "`2026-27` for August 2026 to July 2027, `2026` for that year, `2026-09-01--2026-12-31` for "
    "these days, or `all`.",
}
"""What is published of the parameters in addresses."""


class StreamIdConverter(BaseConverter):
    """The id of a deal or a table in an address: a UUID, in small letters or large."""

    regex = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"

    def to_python(self, value: str) -> str:
        """The id as it is stored."""
        return value.lower()


class ContractConverter(EventOpenAPIConverter):
    """Publishes also the fields of requests and answers that hold words of the vocabulary."""

    def field2property(self, field: Field[Any]) -> dict[str, Any]:
        """The JSON Schema of one field; a reference, where its metadata name a ``component``."""
        name = field.metadata.get("component")
        if name is None:
            return self._build_property(field)
        return self._reference_component(name, lambda: self._build_property(field))

    def _build_property(self, field: Field[Any]) -> dict[str, Any]:
        if not isinstance(field, VocabularyField | QueryParameter):
            return super().field2property(field)
        schema = dict(self._build_kind_schema(field.kind))
        if isinstance(field, VocabularyField) and field.allow_none:
            schema = nullable_schema(schema)
        return {**schema, **deepcopy(field.metadata)}

    def schema2jsonschema(self, schema: Any) -> dict[str, Any]:
        """The JSON Schema of a schema, with what its class says of itself."""
        published = super().schema2jsonschema(schema)
        summary = (type(resolve_schema_instance(schema)).__doc__ or "").partition("\n\n")[0]
        if summary and "description" not in published:
            published = {"description": " ".join(summary.replace("``", "`").split()), **published}
        return published


class ContractPlugin(EventMarshmallowPlugin):
    """apispec's marshmallow plugin with that converter."""

    Converter = ContractConverter


class OperationPlugin(BasePlugin):
    """Tells of each operation what its declaration means: examples, permission, caching, language."""

    def init_spec(self, spec: APISpec) -> None:
        """Tells what operations have in common."""
        self._schemas = spec.components.schemas
        for name, scheme in SECURITY_SCHEMES.items():
            spec.components.security_scheme(name, scheme)
        register_caching_components(spec)
        register_language_components(spec)

    def operation_helper(self, path: str | None = None, operations: Json | None = None, **_: Any) -> None:
        """Completes an address's operations."""
        for method, operation in (operations or {}).items():
            describe_answers(operation, self._schemas)
            describe_permission(operation)
            describe_caching(method, operation)
            describe_language(operation)


class ContractApi(Api):
    """flask-smorest's ``Api``, with problems as its errors; answering them is the app's affair."""

    ERROR_SCHEMA = ProblemSchema

    def __init__(self, *args: Any, **options: Any) -> None:
        self._lock = threading.RLock()
        self._undocumented: list[Blueprint] = []
        super().__init__(*args, **options)

    @property
    def spec(self) -> APISpec:
        """The contract. It is made when it is first asked for: that takes longer than all else at a start."""
        with self._lock:
            undocumented, self._undocumented = self._undocumented, []
            for blueprint in undocumented:
                blueprint.register_views_in_doc(
                    self, self._app, self._spec, name=blueprint.name, parameters=None
                )
                self._spec.tag({"name": blueprint.name, "description": blueprint.description})
            return self._spec

    @spec.setter
    def spec(self, contract: APISpec) -> None:
        self._spec = contract

    @cached_property
    def document(self) -> Json:
        """The contract as it is published."""
        return build_document(self.spec)

    def _openapi_json(self) -> Response:
        """The route that answers it."""
        return Response(orjson.dumps(self.document), mimetype="application/json")

    def register_blueprint(self, blueprint: Blueprint) -> None:
        """Add the routes of a part of the API to the application, and later to the contract."""
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blueprint.name] = self
        self._app.register_blueprint(blueprint)
        self._undocumented.append(blueprint)

    def _register_error_handlers(self) -> None:
        """None: flask-smorest's own handler would drop headers, such as the ``Allow`` of a 405."""

    def _register_pagination_header(self) -> None:
        """None: a page tells of the next one in ``Link``."""

    def _register_responses(self) -> None:
        """Publishes the problems by their status, with the content type that they really have."""
        content = {PROBLEM_CONTENT_TYPE: {"schema": self.ERROR_SCHEMA}}
        statuses = sorted({kind.status for kind in PROBLEM_TYPES.values()})
        for status in statuses:
            response_content = {
                PROBLEM_CONTENT_TYPE: {"schema": self.ERROR_SCHEMA, "examples": problem_examples(status)}
            }
            component = {"description": _describe_problems(status), "content": response_content}
            if status in PROBLEM_HEADERS:
                component["headers"] = PROBLEM_HEADERS[status]
            self.spec.components.response(problem_component_name(status), component)
        default = {"description": "Any other problem; `type` says which.", "content": content}
        self.spec.components.response(PROBLEM_COMPONENT, default, lazy=True)


PROBLEM_COMPONENT: Final = "Problem"


def problem_component_name(status: int) -> str:
    """What the problems of a status are called in the contract."""
    return f"{PROBLEM_COMPONENT}{status}"


def _describe_problems(status: int) -> str:
    kinds = [(name, kind) for name, kind in PROBLEM_TYPES.items() if kind.status == status]
    return "\n".join(f"- `/problems/{name}`: {kind.title}. {kind.meaning}" for name, kind in kinds)


class RequestParser(FlaskParser):
    """Reads the parameters and headers of requests; what it cannot read is a problem."""

    DEFAULT_UNKNOWN_BY_LOCATION = {**FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, "query": RAISE}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self._cached_results: dict[tuple[int, tuple[str | None, ...]], Json] = {}

    def parse(self, argmap: Any, req: Request | None = None, **options: Any) -> Any:
        """What a request says, as its schema reads it; from a cache where it says as little as most do."""
        cache_key = _parse_cache_key(argmap, req or current_request(), options.get("location"))
        if cache_key is None:
            return super().parse(argmap, req, **options)
        parsed = self._cached_results.get((id(argmap), cache_key))
        if parsed is None:
            parsed = super().parse(argmap, req, **options)
            if len(self._cached_results) < MAX_CACHED_PARSES:
                self._cached_results[id(argmap), cache_key] = parsed
        return dict(parsed)

    def load_querystring(self, req: Request, schema: Schema) -> Any:
        """The query. Raises the problem of a name that stands there more than once: which is meant?"""
        repeated = [name for name, values in req.args.lists() if len(values) > 1]
        if repeated:
            raise invalid_parameter_problem(
                "It stands in the address more than once; give it once.", *repeated
            )
        return super().load_querystring(req, schema)

    def handle_error(self, error: ValidationError, req: Request, schema: Schema, **_: Any) -> NoReturn:
        """Raises the problem of the parameters that could not be read."""
        messages = error.messages_dict
        for name, faults in messages.get("headers", {}).items():
            if name not in req.headers:
                raise Problem("version-required", f"The request has no {name}. {VERSION_HINT}")
            raise Problem("malformed-header", f"{name} cannot be read: {' '.join(faults)}")
        names = ", ".join(schema.fields)
        unknown_detail = f"There is no such parameter here; there are {names}."
        errors = [
            {
                "parameter": name,
                "detail": " ".join(map(str, faults)) if name in schema.fields else unknown_detail,
            }
            for name, faults in messages.get("query", {}).items()
        ]
        raise faulty_request_problem("invalid-parameter", errors)


MAX_CACHED_PARSES: Final = 4_000
"""So many readings of short requests are kept: of some dozen schemas, each of versions below a hundred."""


def _parse_cache_key(
    schema: Any, http_request: Request, location: str | None
) -> tuple[str | None, ...] | None:
    """All that a request says to the schema, where that is little; None where it has to be read."""
    if location == "query":
        return None if http_request.query_string else ()
    if location != "headers":
        return None
    values = tuple(http_request.headers.get(field.data_key or name) for name, field in schema.fields.items())
    return values if all(value is None or len(value) <= 4 for value in values) else None


VERSION_HINT: Final = 'Send If-Match with the version you have seen, such as "17".'


JSONL_SCHEMA: Final[Json] = {"type": "string", "description": "An event on each line."}
LOG_FORMAT_SCHEMAS: Final[Json] = {
    "application/jsonl": JSONL_SCHEMA,
    NOTATION_MEDIA_TYPE: {"type": "string", "description": "The log in the notation."},
}
"""The other forms of a log."""


class ApiBlueprint(Blueprint):
    """A part of the API. Its views make their answers themselves.

    What flask-smorest's decorators tell of a view is taken over into the contract; the calls that they would
    put around it for each request, one for each line above it, are not.
    """

    ARGUMENTS_PARSER = RequestParser()

    def operation(
        self,
        method: str,
        rule: str,
        permission: OperationPermission,
        cache: CachePolicy = NO_STORE_POLICY,
        *,
        query: type[Schema] | None = None,
        if_match: type[Schema] | None = None,
    ) -> Any:
        """Registers a view under the policies that it is held to, and gives its operation a name.

        The view is called with what the schemas ``if_match`` and ``query`` read, where these are given.
        """
        parameters = [
            {"in": "path", "name": name, "description": PATH_PARAMETERS[name]}
            for name in PATH_PARAMETER_PATTERN.findall(rule)
        ]
        add_route = self.route(rule, methods=[method], parameters=parameters)
        # Made once, not for every request.
        schemas = {"headers": if_match() if if_match else None, "query": query() if query else None}

        def register_view(view: Any) -> Any:
            policies = {PERMISSION_KEY: permission, CACHE_POLICY_KEY: cache}
            view = self.doc(operationId=f"{self.name}_{view.__name__}", **policies)(view)
            view._apidoc["arguments"] = _describe_arguments(schemas)
            view = self.may_fail(*_expected_problems(view, method, rule, permission, schemas))(view)
            return add_route(_hold_to_policies(view, permission, cache, schemas))

        return register_view

    get = partialmethod(operation, "GET")
    post = partialmethod(operation, "POST")
    put = partialmethod(operation, "PUT")
    delete = partialmethod(operation, "DELETE")

    def response(self, *args: Any, **options: Any) -> Any:
        """Tells what a view answers."""
        return partial(_with_apidoc_of, super().response(*args, **options))

    def alt_response(self, *args: Any, **options: Any) -> Any:
        """Tells what else a view answers."""
        return partial(_with_apidoc_of, super().alt_response(*args, **options))

    def creates(self, schema: Any, repeat_description: str, *, headers: Json) -> Any:
        """Tells that a view stores what is sent: `201`, or `200` where it had been stored before."""

        def decorate(view: Any) -> Any:
            self.alt_response(200, schema=schema, description=repeat_description, success=True)(view)
            return self.response(201, schema, headers=headers)(view)

        return decorate

    def accepts_body(
        self, schema: Any, description: str, *, jsonl: bool = False, notation: bool = False
    ) -> Any:
        """Publishes what body an operation reads: JSON of that schema, JSON Lines, the notation."""
        content: Json = {"application/json": {"schema": schema}}
        if jsonl:
            content["application/jsonl"] = {"schema": JSONL_SCHEMA}
        if notation:
            content[NOTATION_MEDIA_TYPE] = {
                "schema": {"type": "string", "description": "Deals in the notation."}
            }
        return self.doc(requestBody={"description": description, "required": True, "content": content})

    def may_fail(self, *statuses: int) -> Any:
        """Publishes which problems to expect besides `_expected_problems`; any other may come too."""
        expected = {str(status): problem_component_name(status) for status in statuses}
        return self.doc(responses={**expected, "default": PROBLEM_COMPONENT})

    def also_responds(self, schemas: Mapping[str, Json]) -> Any:
        """Publishes the other types, each with its schema, that are answered where `Accept` prefers them."""
        content = {media_type: {"schema": schema} for media_type, schema in schemas.items()}
        return self.doc(responses={200: {"content": content}})

    @staticmethod
    def doc(**info: Any) -> Any:
        """Tells more of a view."""
        return partial(_with_apidoc_of, Blueprint.doc(**info))


def _with_apidoc_of(decorator: Any, view: Any) -> Any:
    """The view itself, with what flask-smorest's decorator tells of it."""
    view._apidoc = decorator(view)._apidoc
    return view


RequestSchemas = Mapping[str, Schema | None]
"""What reads a request, by ``headers`` and ``query``."""


def _describe_arguments(schemas: RequestSchemas) -> Json:
    """What a view takes, as flask-smorest has it: the query first."""
    parameters = [
        {"in": location, "required": True, "schema": schemas[location]}
        for location in ("query", "headers")
        if schemas[location] is not None
    ]
    return {"parameters": parameters} if parameters else {}


def _expected_problems(
    view: Any, method: str, rule: str, permission: OperationPermission, schemas: RequestSchemas
) -> set[int]:
    """The statuses of the problems that follow from what an operation takes, and from whom."""
    query = schemas["query"]
    statuses = set[int]()
    if permission != ANYONE:
        statuses.add(401)
        if permission.is_denied_openly or (query is not None and "viewer" in query.fields):
            statuses.add(403)
    # What a PUT answers with 201 need not be there before.
    if "<" in rule and not (method == "PUT" and 201 in view._apidoc["response"]["responses"]):
        statuses.add(404)
    if query is not None:
        statuses.add(422)
    if "requestBody" in view._apidoc["manual_doc"]:
        statuses |= {400, 413, 415, 422}
    if schemas["headers"] is not None:
        statuses |= {409, 412, 428}
    return statuses


def _hold_to_policies(
    view: Any, permission: OperationPermission, cache: CachePolicy, schemas: RequestSchemas
) -> Any:
    """The view, asked only by those who may, before anything of the request is read, and kept as declared.

    A query is refused where the view takes none: it would be passed over in silence.
    """
    readers = [(location, schema) for location, schema in schemas.items() if schema is not None]
    takes_query = schemas["query"] is not None
    parse = ApiBlueprint.ARGUMENTS_PARSER.parse

    @wraps(view)
    def check_and_call(**path_values: Any) -> Any:
        if permission.is_club_wide:
            permission.require(queries().caller)
        declare_cache_policy(cache)
        if not takes_query and request.args:
            raise invalid_parameter_problem("This address takes no parameters.", *request.args)
        return view(*(parse(schema, location=location) for location, schema in readers), **path_values)

    return check_and_call


def response_header(name: str, description: str, example: str) -> Json:
    """What is published of a header of an answer."""
    return {name: header_object(description, example)}


def create_contract_api(app: Flask) -> ContractApi:
    """The ``Api`` of the app, to which its parts are then registered."""
    app.config |= {
        "API_TITLE": "Spadille",
        "API_VERSION": "1",
        "OPENAPI_VERSION": OPENAPI_VERSION,
        "OPENAPI_URL_PREFIX": API_PREFIX,
        "API_SPEC_OPTIONS": {
            "info": {"description": API_DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
            "servers": [{"url": "/", "description": "Wherever `spadille serve` listens."}],
        },
    }
    app.url_map.converters["stream"] = StreamIdConverter
    plugin = FlaskPlugin()
    plugins = {"marshmallow_plugin": ContractPlugin(), "flask_plugin": plugin}
    api = ContractApi(app, spec_kwargs={**plugins, "extra_plugins": [OperationPlugin()]})
    for name, shape in MESSAGE_SCHEMAS.items():
        api.spec.components.schema(name, shape)
    api.register_converter(StreamIdConverter, lambda _: {"type": "string", "format": "uuid"})
    return api


def get_contract_api(app: Flask) -> ContractApi:
    """The ``Api`` that an app has been given."""
    api: ContractApi = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    return api

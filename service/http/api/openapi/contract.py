"""The API's contract, made from the operations of its blueprints and their schemas.

apispec writes a parameter or a header into each operation that has it: `build_document` moves what occurs
more than once to the components, and leaves a reference.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, MutableMapping, MutableSequence
from copy import deepcopy
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
from apispec import APISpec, BasePlugin

from service.http.api.blueprint import PROBLEM_COMPONENT, ApiBlueprint, Operation
from service.http.api.etags import IF_MATCH_PATTERN
from service.http.api.openapi.examples import describe_answers, problem_examples
from service.http.api.openapi.json_schemas import ContractPlugin
from service.http.api.openapi.policies import (
    PROBLEM_HEADERS,
    SECURITY_SCHEMES,
    describe_caching,
    describe_language,
    describe_permission,
    register_common_components,
)
from service.http.api.operation_permissions import ANYONE
from service.http.api.schemas.live import MESSAGE_SCHEMAS
from service.http.api.schemas.problems import ProblemSchema
from service.http.problems import PROBLEM_CONTENT_TYPE, PROBLEM_TYPES

Json = dict[str, Any]

OPENAPI_VERSION: Final = "3.1.1"
API_DESCRIPTION: Final = Path(__file__).with_name("description.md").read_text(encoding="utf-8")
PATH_PARAMETER_PATTERN: Final = re.compile(r"<(?:(\w+):)?(\w+)>")
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
PATH_PARAMETER_SCHEMAS: Final[dict[str, Json]] = {
    "stream": {"type": "string", "format": "uuid"},
    "": {"type": "string", "minLength": 1},
}
"""Their schemas, by the name of the converter."""
DOCUMENT_ORDER: Final = ("openapi", "info", "servers", "tags", "paths", "components")
OPERATION_ORDER: Final = (
    "operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses",
)  # fmt: skip


def build_contract(blueprints: Iterable[ApiBlueprint]) -> Json:
    """The contract of all operations, as it is published."""
    spec = APISpec(
        "Spadille",
        "1",
        OPENAPI_VERSION,
        plugins=[ContractPlugin(), OperationPlugin()],
        info={"description": API_DESCRIPTION, "license": {"name": "MIT", "identifier": "MIT"}},
        servers=[{"url": "/", "description": "The address of `spadille serve`."}],
    )
    _register_components(spec)
    for blueprint in blueprints:
        for declared in blueprint.operations:
            spec.path(
                PATH_PARAMETER_PATTERN.sub(r"{\2}", declared.rule),
                operations={declared.method.lower(): _describe_operation(declared)},
                parameters=_path_parameters(declared.rule),
                declared=declared,
            )
        spec.tag({"name": blueprint.name, "description": blueprint.description})
    return build_document(spec)


def _describe_operation(declared: Operation) -> Json:
    """An operation with what it reads, and the problems that follow from that."""
    parameters: list[Json] = [] if declared.query is None else [{"in": "query", "schema": declared.query}]
    if declared.if_match is not None:
        parameters.append(
            {
                "in": "header",
                "name": "If-Match",
                "description": declared.if_match,
                "schema": {"type": "string", "pattern": IF_MATCH_PATTERN},
                "required": True,
            }
        )
    responses = {str(status): f"{PROBLEM_COMPONENT}{status}" for status in _expected_problems(declared)}
    return {
        **declared.document,
        "parameters": parameters,
        "responses": {"default": PROBLEM_COMPONENT, **responses, **declared.document["responses"]},
    }


def _expected_problems(declared: Operation) -> set[int]:
    """The statuses of the problems that follow from what an operation takes, and from whom."""
    permission, query, document = declared.permission, declared.query, declared.document
    statuses = set[int]()
    if permission != ANYONE:
        statuses.add(401)
        if permission.is_denied_openly or (query is not None and "viewer" in query().fields):
            statuses.add(403)
    # What a PUT answers with 201 need not be there before.
    if "<" in declared.rule and not (declared.method == "PUT" and "201" in document["responses"]):
        statuses.add(404)
    if query is not None:
        statuses.add(422)
    if "requestBody" in document:
        statuses |= {400, 413, 415, 422}
    if declared.if_match is not None:
        statuses |= {409, 412, 428}
    return statuses


def _path_parameters(rule: str) -> list[Json]:
    return [
        {
            "in": "path",
            "name": name,
            "description": PATH_PARAMETERS[name],
            "required": True,
            "schema": PATH_PARAMETER_SCHEMAS[converter],
        }
        for converter, name in PATH_PARAMETER_PATTERN.findall(rule)
    ]


def _register_components(spec: APISpec) -> None:
    """Publish what operations have in common; the problems by their status."""
    for name, scheme in SECURITY_SCHEMES.items():
        spec.components.security_scheme(name, scheme)
    register_common_components(spec)
    for status in sorted({kind.status for kind in PROBLEM_TYPES.values()}):
        content = {PROBLEM_CONTENT_TYPE: {"schema": ProblemSchema, "examples": problem_examples(status)}}
        component = {"description": _describe_problems(status), "content": content}
        if status in PROBLEM_HEADERS:
            component["headers"] = PROBLEM_HEADERS[status]
        spec.components.response(f"{PROBLEM_COMPONENT}{status}", component)
    any_problem = {
        "description": "Any other problem; `type` says which.",
        "content": {PROBLEM_CONTENT_TYPE: {"schema": ProblemSchema}},
    }
    spec.components.response(PROBLEM_COMPONENT, any_problem)
    for name, shape in MESSAGE_SCHEMAS.items():
        spec.components.schema(name, shape)


def _describe_problems(status: int) -> str:
    kinds = [(name, kind) for name, kind in PROBLEM_TYPES.items() if kind.status == status]
    return "\n".join(f"- `/problems/{name}`: {kind.title}. {kind.meaning}" for name, kind in kinds)


class OperationPlugin(BasePlugin):
    """Adds to each operation what its declaration means: examples, permission, caching, language."""

    def init_spec(self, spec: APISpec) -> None:
        """Keep the schemas, which describe the answers."""
        self._schemas = spec.components.schemas

    def operation_helper(
        self,
        path: str | None = None,
        operations: Json | None = None,
        *,
        declared: Operation | None = None,
        **_: Any,
    ) -> None:
        """Complete the operation of an address."""
        if operations is None or declared is None:
            return
        ((method, document),) = operations.items()
        describe_answers(document, self._schemas)
        describe_permission(document, declared.permission)
        describe_caching(method, document, declared.cache)
        describe_language(document)
        if not document["parameters"]:
            del document["parameters"]


class Occurrence(NamedTuple):
    """A parameter or a header of that name in the contract, at ``place[key]``."""

    place: MutableMapping[Any, Any] | MutableSequence[Any]
    key: Any
    name: str


def build_document(spec: APISpec) -> Json:
    """The contract as JSON."""
    document = _ordered(deepcopy(spec.to_dict()), DOCUMENT_ORDER)
    document["paths"] = {
        path: {
            name: _ordered_operation(member) for name, member in _ordered(members, ("parameters",)).items()
        }
        for path, members in document["paths"].items()
    }
    components = document["components"]
    _share(components, "parameters", list(_find_parameters(document)))
    _share(components, "headers", list(_find_headers(document)))
    return document


def _ordered(members: Json, order: tuple[str, ...]) -> Json:
    return {name: members[name] for name in (*order, *members) if name in members}


def _ordered_operation(operation: Any) -> Any:
    """An operation with its answers by their status; the parameters of a path as they are."""
    if not isinstance(operation, dict):
        return operation
    return _ordered({**operation, "responses": dict(sorted(operation["responses"].items()))}, OPERATION_ORDER)


def _find_operations(document: Json) -> Iterator[Json]:
    for methods in document["paths"].values():
        yield from (operation for operation in methods.values() if isinstance(operation, dict))


def _find_parameters(document: Json) -> Iterator[Occurrence]:
    for holder in (*document["paths"].values(), *_find_operations(document)):
        parameters = holder.get("parameters", [])
        for index, parameter in enumerate(parameters):
            if "$ref" not in parameter:
                yield Occurrence(parameters, index, parameter["name"])


def _find_headers(document: Json) -> Iterator[Occurrence]:
    for operation in _find_operations(document):
        for response in operation["responses"].values():
            headers = response.get("headers", {})
            yield from (Occurrence(headers, name, name) for name in headers)


def _share(components: Json, kind: str, occurrences: list[Occurrence]) -> None:
    """Move what occurs more than once to the components; the commonest of a name has no number."""
    by_content: dict[bytes, list[Occurrence]] = defaultdict(list)
    for one in occurrences:
        by_content[orjson.dumps(one.place[one.key], option=orjson.OPT_SORT_KEYS)].append(one)
    shared = components.setdefault(kind, {})
    for same in sorted(by_content.values(), key=len, reverse=True):
        if len(same) > 1:
            name = _free_name(same[0].name, shared)
            shared[name] = same[0].place[same[0].key]
            for one in same:
                one.place[one.key] = {"$ref": f"#/components/{kind}/{name}"}


def _free_name(name: str, taken: Json) -> str:
    """The name as components are called, such as ``IfMatch``, with a number where it is taken."""
    words = name.replace("-", "_").split("_")
    base = "".join(word[:1].upper() + word[1:] for word in words)
    numbered = (f"{base}{number}" for number in range(2, len(taken) + 3))
    return next(one for one in (base, *numbered) if one not in taken)

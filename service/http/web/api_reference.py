"""The API's own documentation: the contract, laid out for reading.

What ``openapi.yaml`` says is turned here into what the page shows: operations by their part of the API,
with parameters, bodies, answers and examples; then every schema. Nothing is written for the page alone.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape

Json = dict[str, Any]

_SCHEMAS: Final = "#/components/schemas/"
_COMPONENTS: Final = "#/components/"
_METHODS: Final = ("get", "post", "put", "patch", "delete")
_LOCATIONS: Final = {"path": "in the address", "query": "in the query", "header": "as a header"}
_INLINE: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


class DocumentedField(NamedTuple):
    """A parameter, or a member of an object: its name, its type, where it is, whether it has to be."""

    name: str
    type: Markup
    description: Markup
    required: bool
    location: str = ""


class DocumentedBody(NamedTuple):
    """A body in one form: its media type, what it holds, and examples by what they are called."""

    media_type: str
    type: Markup
    examples: list[tuple[str, str]]


class DocumentedResponse(NamedTuple):
    """An answer: its status, what it means, its headers and its forms."""

    status: str
    description: Markup
    headers: list[DocumentedField]
    bodies: list[DocumentedBody]


class DocumentedOperation(NamedTuple):
    """What can be asked of an address."""

    id: str
    method: str
    path: str
    summary: str
    description: Markup
    members: list[DocumentedField]
    request: list[DocumentedBody]
    request_description: Markup
    answers: list[DocumentedResponse]
    problems: list[str]


class DocumentedTag(NamedTuple):
    """A part of the API."""

    name: str
    description: str
    operations: list[DocumentedOperation]


class DocumentedSchema(NamedTuple):
    """A shape that bodies have."""

    name: str
    description: Markup
    type: Markup
    members: list[DocumentedField]


class ApiReference(NamedTuple):
    """All that the page shows; ``security_schemes`` are the ways to show who is calling."""

    title: str
    description: Markup
    security_schemes: list[DocumentedField]
    parts: list[DocumentedTag]
    problems: list[DocumentedResponse]
    schemas: list[DocumentedSchema]


def build_reference(contract: Json) -> ApiReference:
    """The contract, laid out."""
    operations = list(_iterate_operations(contract))
    parts = [
        DocumentedTag(
            tag["name"],
            tag.get("description", ""),
            [operation for name, operation in operations if name == tag["name"]],
        )
        for tag in contract["tags"]
    ]
    components = contract["components"]
    problems = [
        _build_response(name.removeprefix("Problem"), response, contract)
        for name, response in sorted(components["responses"].items())
        if name != "Problem"
    ]
    schemas = [_build_schema(name, body) for name, body in sorted(components["schemas"].items())]
    return ApiReference(
        contract["info"]["title"],
        render_prose(contract["info"]["description"]),
        [_build_security_scheme(name, body) for name, body in components["securitySchemes"].items()],
        parts,
        problems,
        schemas,
    )


def _build_security_scheme(name: str, scheme: Json) -> DocumentedField:
    """A way to show who is calling."""
    if scheme["type"] == "http":
        kind = Markup("<code>Authorization: {} …</code>").format(scheme["scheme"].capitalize())
    else:
        kind = Markup("<code>{}</code>").format(scheme["name"])
    return DocumentedField(
        name, kind, render_inline(scheme["description"]), False, f"as a {scheme.get('in', 'header')}"
    )


def _iterate_operations(contract: Json) -> Iterator[tuple[str, DocumentedOperation]]:
    for path, path_item in contract["paths"].items():
        for method in _METHODS:
            if method in path_item:
                operation = path_item[method]
                shared_parameters = path_item.get("parameters", [])
                yield (
                    operation["tags"][0],
                    _build_operation(method, path, operation, shared_parameters, contract),
                )


def _build_operation(
    method: str, path: str, operation: Json, shared_parameters: list[Json], contract: Json
) -> DocumentedOperation:
    body = operation.get("requestBody", {})
    responses = operation["responses"]
    answers = [
        _build_response(status, _resolve_reference(response, contract), contract)
        for status, response in sorted(responses.items())
        if status.startswith(("2", "3"))
    ]
    return DocumentedOperation(
        operation["operationId"],
        method.upper(),
        path,
        operation["summary"],
        render_prose(operation.get("description", "")),
        [
            _build_parameter(_resolve_reference(parameter, contract))
            for parameter in (*shared_parameters, *operation.get("parameters", []))
        ],
        _build_bodies(body.get("content", {})),
        render_prose(body.get("description", "")),
        answers,
        [status for status in sorted(responses) if status.startswith(("4", "5"))],
    )


def _resolve_reference(item: Json, contract: Json) -> Json:
    """What a reference to a component refers to."""
    target = item.get("$ref", "")
    if not target:
        return item
    kind, _, name = target.removeprefix(_COMPONENTS).partition("/")
    component: Json = contract["components"][kind][name]
    return component


def _build_parameter(parameter: Json) -> DocumentedField:
    schema = parameter.get("schema", {})
    description = parameter.get("description", "")
    if "default" in schema:
        description = f"{description} Unless told otherwise `{schema['default']}`."
    location = _LOCATIONS[parameter["in"]]
    return DocumentedField(
        parameter["name"],
        format_schema_type(schema),
        render_inline(description),
        parameter.get("required", False),
        location,
    )


def _build_response(status: str, response: Json, contract: Json) -> DocumentedResponse:
    headers = [
        DocumentedField(
            name,
            format_schema_type(header.get("schema", {})),
            render_inline(header.get("description", "")),
            False,
        )
        for name, header in (
            (name, _resolve_reference(header, contract))
            for name, header in response.get("headers", {}).items()
        )
    ]
    return DocumentedResponse(
        status,
        render_prose(response.get("description", "")),
        headers,
        _build_bodies(response.get("content", {})),
    )


def _build_bodies(content: Mapping[str, Json]) -> list[DocumentedBody]:
    return [
        DocumentedBody(name, format_schema_type(media.get("schema", {})), list(_iterate_examples(media)))
        for name, media in content.items()
    ]


def _iterate_examples(media: Json) -> Iterator[tuple[str, str]]:
    if "example" in media:
        yield "Example", _format_example(media["example"])
    for name, example in media.get("examples", {}).items():
        yield example.get("summary", name), _format_example(example["value"])


def _format_example(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _build_schema(name: str, schema: Json) -> DocumentedSchema:
    required = schema.get("required", ())
    members = [
        DocumentedField(
            member,
            format_schema_type(property_schema),
            render_inline(property_schema.get("description", "")),
            member in required,
        )
        for member, property_schema in schema.get("properties", {}).items()
    ]
    return DocumentedSchema(
        name, render_prose(schema.get("description", "")), format_schema_type(schema), members
    )


def format_schema_type(schema: Json) -> Markup:
    """What a schema takes, in a few words, with links to the schemas that it refers to."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_SCHEMAS)
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    for choice in ("oneOf", "anyOf", "allOf"):
        if choice in schema:
            return Markup(" or ").join(format_schema_type(option) for option in schema[choice])
    if "const" in schema:
        return Markup("<code>{}</code>").format(json.dumps(schema["const"]))
    if "enum" in schema:
        return Markup(", ").join(Markup("<code>{}</code>").format(option) for option in schema["enum"])
    if schema.get("type") == "array":
        return Markup("list of {}").format(format_schema_type(schema.get("items", {})))
    return escape(" ".join(_plain(schema)) or "anything")


def _plain(schema: Json) -> Iterator[str]:
    """A type that holds no other, with its bounds."""
    kind = schema.get("type", "")
    yield " or ".join(kind) if isinstance(kind, list) else str(kind)
    if "format" in schema:
        yield f"({schema['format']})"
    minimum, maximum = schema.get("minimum"), schema.get("maximum")
    if minimum is not None and maximum is not None:
        yield f"from {minimum} to {maximum}"
    elif minimum is not None:
        yield f"from {minimum}"


def render_inline(text: str) -> Markup:
    """A line of text in which `code` and **stress** are marked."""
    rendered, end = Markup(""), 0
    for match in _INLINE.finditer(text):
        code, stress = match.groups()
        element = Markup("<code>{}</code>").format(code) if code else Markup("<b>{}</b>").format(stress)
        rendered += escape(text[end : match.start()]) + element
        end = match.end()
    return rendered + escape(text[end:])


def render_prose(text: str) -> Markup:
    """Paragraphs and lists."""
    return Markup("").join(_block(block) for block in text.strip().split("\n\n") if block)


def _block(block: str) -> Markup:
    if block.startswith("- "):
        items = re.split(r"^- ", block, flags=re.M)[1:]
        list_items = (Markup("<li>{}</li>").format(render_inline(item.strip())) for item in items)
        return Markup("<ul>{}</ul>").format(Markup("").join(list_items))
    return Markup("<p>{}</p>").format(render_inline(block))

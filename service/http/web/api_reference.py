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
_PLACES: Final = {"path": "in the address", "query": "in the query", "header": "as a header"}
_INLINE: Final = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


class DocumentedField(NamedTuple):
    """A parameter, or a member of an object: its name, its type, where it is, whether it has to be."""

    name: str
    type: Markup
    means: Markup
    required: bool
    place: str = ""


class DocumentedBody(NamedTuple):
    """A body in one form: its media type, what it holds, and examples by what they are called."""

    media_type: str
    type: Markup
    examples: list[tuple[str, str]]


class DocumentedResponse(NamedTuple):
    """An answer: its status, what it means, its headers and its forms."""

    status: str
    means: Markup
    headers: list[DocumentedField]
    bodies: list[DocumentedBody]


class DocumentedOperation(NamedTuple):
    """What can be asked of an address."""

    id: str
    method: str
    path: str
    summary: str
    means: Markup
    members: list[DocumentedField]
    request: list[DocumentedBody]
    request_means: Markup
    answers: list[DocumentedResponse]
    problems: list[str]


class DocumentedTag(NamedTuple):
    """A part of the API."""

    name: str
    means: str
    operations: list[DocumentedOperation]


class DocumentedSchema(NamedTuple):
    """A shape that bodies have."""

    name: str
    means: Markup
    type: Markup
    members: list[DocumentedField]


class ApiReference(NamedTuple):
    """All that the page shows; ``shown`` are the ways in which a caller shows who he is."""

    title: str
    means: Markup
    shown: list[DocumentedField]
    parts: list[DocumentedTag]
    problems: list[DocumentedResponse]
    schemas: list[DocumentedSchema]


def build_reference(contract: Json) -> ApiReference:
    """The contract, laid out."""
    operations = list(_iterate_operations(contract))
    parts = [
        DocumentedTag(
            tag["name"], tag.get("description", ""), [one for name, one in operations if name == tag["name"]]
        )
        for tag in contract["tags"]
    ]
    components = contract["components"]
    problems = [
        _build_response(name.removeprefix("Problem"), response, contract)
        for name, response in sorted(components["responses"].items())
        if name != "Problem"
    ]
    schemas = [_build_schema(name, held) for name, held in sorted(components["schemas"].items())]
    return ApiReference(
        contract["info"]["title"],
        render_prose(contract["info"]["description"]),
        [_build_security_scheme(name, held) for name, held in components["securitySchemes"].items()],
        parts,
        problems,
        schemas,
    )


def _build_security_scheme(name: str, held: Json) -> DocumentedField:
    """A way in which a caller shows who he is."""
    if held["type"] == "http":
        kind = Markup("<code>Authorization: {} …</code>").format(held["scheme"].capitalize())
    else:
        kind = Markup("<code>{}</code>").format(held["name"])
    return DocumentedField(
        name, kind, render_inline(held["description"]), False, f"as a {held.get('in', 'header')}"
    )


def _iterate_operations(contract: Json) -> Iterator[tuple[str, DocumentedOperation]]:
    for path, address in contract["paths"].items():
        for method in _METHODS:
            if method in address:
                held = address[method]
                shared = address.get("parameters", [])
                yield held["tags"][0], _build_operation(method, path, held, shared, contract)


def _build_operation(
    method: str, path: str, held: Json, shared: list[Json], contract: Json
) -> DocumentedOperation:
    body = held.get("requestBody", {})
    responses = held["responses"]
    answers = [
        _build_response(status, _resolve_reference(response, contract), contract)
        for status, response in sorted(responses.items())
        if status.startswith(("2", "3"))
    ]
    return DocumentedOperation(
        held["operationId"],
        method.upper(),
        path,
        held["summary"],
        render_prose(held.get("description", "")),
        [
            _build_parameter(_resolve_reference(one, contract))
            for one in (*shared, *held.get("parameters", []))
        ],
        _build_bodies(body.get("content", {})),
        render_prose(body.get("description", "")),
        answers,
        [status for status in sorted(responses) if status.startswith(("4", "5"))],
    )


def _resolve_reference(held: Json, contract: Json) -> Json:
    """What a reference to a component refers to."""
    target = held.get("$ref", "")
    if not target:
        return held
    kind, _, name = target.removeprefix(_COMPONENTS).partition("/")
    found: Json = contract["components"][kind][name]
    return found


def _build_parameter(held: Json) -> DocumentedField:
    schema = held.get("schema", {})
    means = held.get("description", "")
    if "default" in schema:
        means = f"{means} Unless told otherwise `{schema['default']}`."
    place = _PLACES[held["in"]]
    return DocumentedField(
        held["name"], format_schema_type(schema), render_inline(means), held.get("required", False), place
    )


def _build_response(status: str, held: Json, contract: Json) -> DocumentedResponse:
    headers = [
        DocumentedField(
            name, format_schema_type(one.get("schema", {})), render_inline(one.get("description", "")), False
        )
        for name, one in (
            (name, _resolve_reference(one, contract)) for name, one in held.get("headers", {}).items()
        )
    ]
    return DocumentedResponse(
        status, render_prose(held.get("description", "")), headers, _build_bodies(held.get("content", {}))
    )


def _build_bodies(content: Mapping[str, Json]) -> list[DocumentedBody]:
    return [
        DocumentedBody(name, format_schema_type(held.get("schema", {})), list(_iterate_examples(held)))
        for name, held in content.items()
    ]


def _iterate_examples(held: Json) -> Iterator[tuple[str, str]]:
    if "example" in held:
        yield "Example", _format_example(held["example"])
    for name, one in held.get("examples", {}).items():
        yield one.get("summary", name), _format_example(one["value"])


def _format_example(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _build_schema(name: str, held: Json) -> DocumentedSchema:
    required = held.get("required", ())
    members = [
        DocumentedField(
            member, format_schema_type(one), render_inline(one.get("description", "")), member in required
        )
        for member, one in held.get("properties", {}).items()
    ]
    return DocumentedSchema(
        name, render_prose(held.get("description", "")), format_schema_type(held), members
    )


def format_schema_type(schema: Json) -> Markup:
    """What a schema takes, in a few words, with links to the schemas that it refers to."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_SCHEMAS)
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    for choice in ("oneOf", "anyOf", "allOf"):
        if choice in schema:
            return Markup(" or ").join(format_schema_type(one) for one in schema[choice])
    if "const" in schema:
        return Markup("<code>{}</code>").format(json.dumps(schema["const"]))
    if "enum" in schema:
        return Markup(", ").join(Markup("<code>{}</code>").format(one) for one in schema["enum"])
    if schema.get("type") == "array":
        return Markup("list of {}").format(format_schema_type(schema.get("items", {})))
    return escape(" ".join(_plain(schema)) or "anything")


def _plain(schema: Json) -> Iterator[str]:
    """A type that holds no other, with its bounds."""
    kind = schema.get("type", "")
    yield " or ".join(kind) if isinstance(kind, list) else str(kind)
    if "format" in schema:
        yield f"({schema['format']})"
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is not None and most is not None:
        yield f"from {least} to {most}"
    elif least is not None:
        yield f"from {least}"


def render_inline(text: str) -> Markup:
    """A line of text in which `code` and **stress** are marked."""
    made, last = Markup(""), 0
    for found in _INLINE.finditer(text):
        code, stress = found.groups()
        shown = Markup("<code>{}</code>").format(code) if code else Markup("<b>{}</b>").format(stress)
        made += escape(text[last : found.start()]) + shown
        last = found.end()
    return made + escape(text[last:])


def render_prose(text: str) -> Markup:
    """Paragraphs and lists."""
    return Markup("").join(_block(block) for block in text.strip().split("\n\n") if block)


def _block(block: str) -> Markup:
    if block.startswith("- "):
        items = re.split(r"^- ", block, flags=re.M)[1:]
        listed = (Markup("<li>{}</li>").format(render_inline(item.strip())) for item in items)
        return Markup("<ul>{}</ul>").format(Markup("").join(listed))
    return Markup("<p>{}</p>").format(render_inline(block))

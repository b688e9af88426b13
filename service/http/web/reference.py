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


class Member(NamedTuple):
    """A parameter, or a member of an object: its name, its type, where it is, whether it has to be."""

    name: str
    type: Markup
    means: Markup
    required: bool
    place: str = ""


class Shown(NamedTuple):
    """A body in one form: its media type, what it holds, and examples by what they are called."""

    media_type: str
    type: Markup
    examples: list[tuple[str, str]]


class Answer(NamedTuple):
    """An answer: its status, what it means, its headers and its forms."""

    status: str
    means: Markup
    headers: list[Member]
    bodies: list[Shown]


class Operation(NamedTuple):
    """What can be asked of an address."""

    id: str
    method: str
    path: str
    summary: str
    means: Markup
    members: list[Member]
    request: list[Shown]
    request_means: Markup
    answers: list[Answer]
    problems: list[str]


class Part(NamedTuple):
    """A part of the API."""

    name: str
    means: str
    operations: list[Operation]


class Schema(NamedTuple):
    """A shape that bodies have."""

    name: str
    means: Markup
    type: Markup
    members: list[Member]


class Reference(NamedTuple):
    """All that the page shows; ``shown`` are the ways in which a caller shows who he is."""

    title: str
    means: Markup
    shown: list[Member]
    parts: list[Part]
    problems: list[Answer]
    schemas: list[Schema]


def reference(contract: Json) -> Reference:
    """The contract, laid out."""
    operations = list(_operations(contract))
    parts = [
        Part(
            tag["name"], tag.get("description", ""), [one for name, one in operations if name == tag["name"]]
        )
        for tag in contract["tags"]
    ]
    components = contract["components"]
    problems = [
        _answer(name.removeprefix("Problem"), response, contract)
        for name, response in sorted(components["responses"].items())
        if name != "Problem"
    ]
    schemas = [_schema(name, held) for name, held in sorted(components["schemas"].items())]
    return Reference(
        contract["info"]["title"],
        prose(contract["info"]["description"]),
        [_scheme(name, held) for name, held in components["securitySchemes"].items()],
        parts,
        problems,
        schemas,
    )


def _scheme(name: str, held: Json) -> Member:
    """A way in which a caller shows who he is."""
    if held["type"] == "http":
        kind = Markup("<code>Authorization: {} …</code>").format(held["scheme"].capitalize())
    else:
        kind = Markup("<code>{}</code>").format(held["name"])
    return Member(name, kind, inline(held["description"]), False, f"as a {held.get('in', 'header')}")


def _operations(contract: Json) -> Iterator[tuple[str, Operation]]:
    for path, address in contract["paths"].items():
        for method in _METHODS:
            if method in address:
                held = address[method]
                shared = address.get("parameters", [])
                yield held["tags"][0], _operation(method, path, held, shared, contract)


def _operation(method: str, path: str, held: Json, shared: list[Json], contract: Json) -> Operation:
    body = held.get("requestBody", {})
    responses = held["responses"]
    answers = [
        _answer(status, _resolved(response, contract), contract)
        for status, response in sorted(responses.items())
        if status.startswith(("2", "3"))
    ]
    return Operation(
        held["operationId"],
        method.upper(),
        path,
        held["summary"],
        prose(held.get("description", "")),
        [_parameter(_resolved(one, contract)) for one in (*shared, *held.get("parameters", []))],
        _bodies(body.get("content", {})),
        prose(body.get("description", "")),
        answers,
        [status for status in sorted(responses) if status.startswith(("4", "5"))],
    )


def _resolved(held: Json, contract: Json) -> Json:
    """What a reference to a component refers to."""
    target = held.get("$ref", "")
    if not target:
        return held
    kind, _, name = target.removeprefix(_COMPONENTS).partition("/")
    found: Json = contract["components"][kind][name]
    return found


def _parameter(held: Json) -> Member:
    schema = held.get("schema", {})
    means = held.get("description", "")
    if "default" in schema:
        means = f"{means} Unless told otherwise `{schema['default']}`."
    place = _PLACES[held["in"]]
    return Member(held["name"], type_of(schema), inline(means), held.get("required", False), place)


def _answer(status: str, held: Json, contract: Json) -> Answer:
    headers = [
        Member(name, type_of(one.get("schema", {})), inline(one.get("description", "")), False)
        for name, one in ((name, _resolved(one, contract)) for name, one in held.get("headers", {}).items())
    ]
    return Answer(status, prose(held.get("description", "")), headers, _bodies(held.get("content", {})))


def _bodies(content: Mapping[str, Json]) -> list[Shown]:
    return [
        Shown(name, type_of(held.get("schema", {})), list(_examples(held))) for name, held in content.items()
    ]


def _examples(held: Json) -> Iterator[tuple[str, str]]:
    if "example" in held:
        yield "Example", _printed(held["example"])
    for name, one in held.get("examples", {}).items():
        yield one.get("summary", name), _printed(one["value"])


def _printed(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)


def _schema(name: str, held: Json) -> Schema:
    required = held.get("required", ())
    members = [
        Member(member, type_of(one), inline(one.get("description", "")), member in required)
        for member, one in held.get("properties", {}).items()
    ]
    return Schema(name, prose(held.get("description", "")), type_of(held), members)


def type_of(schema: Json) -> Markup:
    """What a schema takes, in a few words, with links to the schemas that it refers to."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_SCHEMAS)
        return Markup('<a href="#schema-{0}">{0}</a>').format(name)
    for choice in ("oneOf", "anyOf", "allOf"):
        if choice in schema:
            return Markup(" or ").join(type_of(one) for one in schema[choice])
    if "const" in schema:
        return Markup("<code>{}</code>").format(json.dumps(schema["const"]))
    if "enum" in schema:
        return Markup(", ").join(Markup("<code>{}</code>").format(one) for one in schema["enum"])
    if schema.get("type") == "array":
        return Markup("list of {}").format(type_of(schema.get("items", {})))
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


def inline(text: str) -> Markup:
    """A line of text in which `code` and **stress** are marked."""
    made, last = Markup(""), 0
    for found in _INLINE.finditer(text):
        code, stress = found.groups()
        shown = Markup("<code>{}</code>").format(code) if code else Markup("<b>{}</b>").format(stress)
        made += escape(text[last : found.start()]) + shown
        last = found.end()
    return made + escape(text[last:])


def prose(text: str) -> Markup:
    """Paragraphs and lists."""
    return Markup("").join(_block(block) for block in text.strip().split("\n\n") if block)


def _block(block: str) -> Markup:
    if block.startswith("- "):
        items = re.split(r"^- ", block, flags=re.M)[1:]
        listed = (Markup("<li>{}</li>").format(inline(item.strip())) for item in items)
        return Markup("<ul>{}</ul>").format(Markup("").join(listed))
    return Markup("<p>{}</p>").format(inline(block))

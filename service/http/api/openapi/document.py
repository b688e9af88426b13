"""The contract as it is published: what comes first stands first, and what is repeated stands once.

apispec writes a parameter or a header into each operation that has it. Here each that is written more than
once moves to the components, and a reference to it stays.
"""

from collections import defaultdict
from collections.abc import Iterator, MutableMapping, MutableSequence
from copy import deepcopy
from typing import Any, Final, NamedTuple

import orjson
from apispec import APISpec

Json = dict[str, Any]

DOCUMENT_ORDER: Final = ("openapi", "info", "servers", "tags", "paths", "components")
OPERATION_ORDER: Final = (
    "operationId", "summary", "description", "tags", "security", "parameters", "requestBody", "responses",
)  # fmt: skip


class Occurrence(NamedTuple):
    """A place in the contract where a parameter or a header is written: ``place[key]``, of that name."""

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
    """The members in that order, then those that are not in it."""
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
    """Those of operations, and those of whole paths."""
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
    """Moves what occurs more than once to the components; the commonest of a name has no number."""
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

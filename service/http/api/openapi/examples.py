"""Examples in the contract: requests, real answers, and problems.

``request_examples.json`` is written by hand. ``python docs/examples.py`` sends these requests to the
application and writes the answers into ``examples.json``; a test compares them.
"""

from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import orjson

from schemas.notation import NOTATION_MEDIA_TYPE
from service.http.api.schemas.live import EVENT_STREAM_TYPE, stream_example
from service.http.problems import PROBLEM_TYPES

Json = dict[str, Any]

EXAMPLES_FILE: Final = Path(__file__).with_name("examples.json")
REQUEST_EXAMPLES_FILE: Final = Path(__file__).with_name("request_examples.json")

_SCHEMAS: Final = "#/components/schemas/"
_DESCRIPTION_BY_TYPE: Final = {
    "application/jsonl": "One event per line.",
    NOTATION_MEDIA_TYPE: "The log as text.",
    "text/csv": "Rows for a spreadsheet.",
    "text/event-stream": "Events as they come.",
    "text/plain": "Text for people and programs.",
    "image/svg+xml": "The drawing.",
    "image/png": "The picture.",
}
"""The descriptions of answers without a schema."""


@cache
def load_examples() -> Json:
    """Answers by operation id (`operations`), and problems by name (`problems`)."""
    examples: Json = orjson.loads(EXAMPLES_FILE.read_bytes()) if EXAMPLES_FILE.exists() else {}
    return {"operations": {}, "problems": {}, **examples}


@cache
def _load_request_examples() -> Json:
    examples: Json = orjson.loads(REQUEST_EXAMPLES_FILE.read_bytes())
    return examples


def request_example(operation_id: str) -> Any:
    """The example body of an operation: its own, or that of the operation it names."""
    example = _load_request_examples()[operation_id]
    return request_example(example) if isinstance(example, str) else example


def problem_examples(status: int) -> Json:
    """An example of each kind of problem of a status, by its name; made up where it cannot be caused."""
    return {
        name: {
            "summary": kind.title,
            "value": load_examples()["problems"].get(name)
            or {"type": f"/problems/{name}", "title": kind.title, "status": status, "detail": kind.meaning},
        }
        for name, kind in PROBLEM_TYPES.items()
        if kind.status == status
    }


def describe_answers(operation: Json, schemas: Json) -> None:
    """Add examples to an operation, and descriptions to its answers."""
    successes = {
        status: response for status, response in operation["responses"].items() if status.startswith("2")
    }
    for status, response in successes.items():
        if response.get("description") == HTTPStatus(int(status)).phrase:
            described = _describe_content(response.get("content", {}), schemas)
            response["description"] = described or response["description"]
    _add_example(operation["operationId"], successes)
    if "requestBody" in operation:
        json_body = operation["requestBody"]["content"]["application/json"]
        json_body["example"] = request_example(operation["operationId"])


def _describe_content(content: Json, schemas: Json) -> str | None:
    """The description of an answer: that of its schema, or of its media type."""
    for media_type, media in content.items():
        base_type = media_type.partition(";")[0]
        if base_type in _DESCRIPTION_BY_TYPE:
            return _DESCRIPTION_BY_TYPE[base_type]
        schema = media.get("schema", {})
        reference = next(
            (option["$ref"] for option in (schema, *schema.get("anyOf", ())) if "$ref" in option), ""
        )
        component: Json = schemas.get(reference.removeprefix(_SCHEMAS), {})
        if "description" in component:
            return str(component["description"])
    return None


def _add_example(operation_id: str, successes: dict[str, Json]) -> None:
    """Add an example to the first media type of an answer: to the 201, if there is one."""
    answer = successes.get("201") or next(iter(successes.values()))
    for media_type, media in list(answer.get("content", {}).items())[:1]:
        if media_type == EVENT_STREAM_TYPE:
            media["example"] = stream_example(operation_id)
        elif operation_id in load_examples()["operations"]:
            media["example"] = load_examples()["operations"][operation_id]

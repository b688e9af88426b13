"""The messages of live streams, as the contract publishes them."""

from typing import Any, Final

from engine.core.log import EVENT_TYPES
from service.records.live.feeds import HEARTBEAT_MESSAGE, RETRY_MESSAGE, format_event_message

Json = dict[str, Any]

EVENT_STREAM_TYPE: Final = "text/event-stream"

_EVENT: Final = {"$ref": "#/components/schemas/Event"}


def _json_text_schema(schema: Json) -> Json:
    return {"type": "string", "contentMediaType": "application/json", "contentSchema": schema}


_RESET: Final[Json] = {
    "type": "object",
    "description": "The replacement for earlier entries.",
    "properties": {
        "stream": {
            "description": (
                "The log of these entries. Null to discard everything: your last id belongs to none of "
                "these logs."
            ),
            "anyOf": [{"type": "string", "format": "uuid"}, {"type": "null"}],
        },
        "version": {
            "description": (
                "How many entries: they replace the same number of entries at the beginning of that log."
            ),
            "type": "integer",
            "minimum": 0,
        },
        "events": {"type": "array", "items": _EVENT, "description": "The entries, as you may know them now."},
    },
    "required": ["stream", "version", "events"],
    "additionalProperties": False,
}
MESSAGE_SCHEMAS: Final[dict[str, Json]] = {
    "EventMessage": {
        "type": "object",
        "description": "A recorded event.",
        "properties": {
            "id": {
                "description": (
                    "Send it as `Last-Event-ID` to continue after it. In a deal's or a table's own log it "
                    "is the event's seq, `17`; in a stream of a table with its deals it is the log's id, "
                    "a colon and the seq."
                ),
                "type": "string",
                "pattern": r"^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}:)?[1-9][0-9]*$",
            },
            "event": {"description": "The event's type.", "enum": sorted(EVENT_TYPES)},
            "data": {"description": "The event as JSON, as you may know it.", **_json_text_schema(_EVENT)},
        },
        "required": ["id", "event", "data"],
        "additionalProperties": False,
    },
    "ResetMessage": {
        "type": "object",
        "description": (
            "Your view of earlier entries has changed: hands lie open, or a card is covered. It has no "
            "`id`. Replace your entries by these, and continue."
        ),
        "properties": {
            "event": {"const": "reset", "type": "string"},
            "data": {
                "description": "A `Reset` as JSON.",
                **_json_text_schema({"$ref": "#/components/schemas/Reset"}),
            },
        },
        "required": ["event", "data"],
        "additionalProperties": False,
    },
    "Reset": _RESET,
}
"""The schemas of messages by component name. A message is an object of its fields."""

_EVENT_EXAMPLE: Final = (
    b'{"type":"card_played","seat":"forehand","card":"SK","id":"018f5e2a-0000-7000-8000-000000000017",'
    b'"recorded_by":"018f5e2a-0000-7000-8000-000000000001","seq":17,"stored_at":"2026-11-20T19:30:05.250Z"}'
)
_RECORD_ID_EXAMPLE: Final = "018f5e2a-7b1c-7d3e-9f40-5a6b7c8d9e0f"


def stream_example(operation: str) -> str:
    """An example stream of that operation; ids name the log if a table's deals are included."""
    name = f"{_RECORD_ID_EXAMPLE}:17" if operation == "tables_follow" else "17"
    return (RETRY_MESSAGE + format_event_message(name, _EVENT_EXAMPLE) + HEARTBEAT_MESSAGE).decode()


EVENT_STREAM_SCHEMA: Final[Json] = {
    "type": "string",
    "description": (
        "Server-sent events: an `EventMessage` for each event, with a `ResetMessage` before it if needed; "
        "`retry` at the beginning, and a comment every 15 seconds without events."
    ),
    "x-messages": {
        "oneOf": [
            {"$ref": "#/components/schemas/EventMessage"},
            {"$ref": "#/components/schemas/ResetMessage"},
        ]
    },
}

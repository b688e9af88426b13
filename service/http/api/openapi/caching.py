"""What may be kept of each answer, as the contract tells it, and what is common to all operations.

The routes decide it: of a record by `record_cache_control` in `service.http.api.event_responses`, of a deal
at a point by `_point_cache_control` in `service.http.api.routes.point_resources`. A test asks every address,
and holds what is said here to what is answered.
"""

from typing import Any, Final, NamedTuple

from apispec import APISpec, BasePlugin

from service.http.read_your_writes import POSITION_HEADER

Json = dict[str, Any]

EVENT_STREAM_TYPE: Final = "text/event-stream"


class CachePolicy(NamedTuple):
    """For how long something may be kept, and what its ETag is made of; None where there is no ETag."""

    cache_control: str
    etag_basis: str | None = None


_VERSION_ETAG: Final = "the record's version, and behind a hyphen whatever else it depends on"
FULL_VIEW_CACHE_CONTROL: Final = "`private, no-cache` for whoever may know everything, else `no-store`"

LOG_POLICY: Final = CachePolicy(
    FULL_VIEW_CACHE_CONTROL,
    'the record\'s version, alone for JSON as it is stored (`"17"`), else with the form or a hash behind a '
    'hyphen (`"17-jsonl"`)',
)
RECORD_POLICY: Final = CachePolicy(FULL_VIEW_CACHE_CONTROL, _VERSION_ETAG)
POINT_POLICY: Final = CachePolicy(
    f"{FULL_VIEW_CACHE_CONTROL}; where `at` and `known` are given, the deal is closed and no member of the "
    "club plays in it `private, max-age=31536000, immutable` for whoever may know everything, and for "
    "everybody else `public, max-age=300` if the deal is published and is no variation",
    f"{_VERSION_ETAG}; a drawing's is a hash of what it shows",
)
LIST_POLICY: Final = CachePolicy(FULL_VIEW_CACHE_CONTROL, "a hash of what it says")
REVALIDATED_POLICY: Final = CachePolicy("`private, no-cache`", "a hash of what it says")
LIBRARY_POLICY: Final = CachePolicy(
    "`private, no-cache`; `public, max-age=31536000, immutable` where `at` and `known` are given and "
    "the deal is closed; `no-store` where a `viewer` is asked for who may not know everything",
    "a hash of what it says",
)
CHECKPOINT_POLICY: Final = CachePolicy("`private, no-cache`", "how many events it is of")
NO_STORE_POLICY: Final = CachePolicy("`no-store`")

_POINT_OPERATIONS: Final = (
    "state", "legal", "score", "findings", "replay", "audit", "evidence", "odds", "state_svg", "state_png",
)  # fmt: skip
CACHE_POLICIES: Final[dict[str, CachePolicy]] = {
    **{
        f"{kind}_{name}": LOG_POLICY
        for kind in ("deals", "tables")
        for name in ("list_events", "download_events", "download_text")
    },
    **dict.fromkeys(("deals_show_deal", "tables_show_table", "files_export_table"), RECORD_POLICY),
    **{f"deals_{name}": POINT_POLICY for name in _POINT_OPERATIONS},
    **{f"replays_{name}": LIBRARY_POLICY for name in _POINT_OPERATIONS},
    **dict.fromkeys(
        (
            "deals_list_deals", "deals_list_variations", "replays_list_variations", "tables_list_tables",
            "tables_show_ledger", "tables_show_audit", "tables_download_ledger", "files_export_slips",
            "seasons_list_seasons", "seasons_show_season", "seasons_download_standings",
            "seasons_show_figures",
        ),
        LIST_POLICY,
    ),
    **dict.fromkeys(
        (
            "replays_list_replays", "replays_show_replay", "replays_list_events", "replays_download_events",
            "replays_download_text", "rulesets_list_rulesets", "rulesets_show_ruleset",
            "transparency_show_key", "transparency_list_leaves", "transparency_show_consistency",
        ),
        REVALIDATED_POLICY,
    ),
    "transparency_show_checkpoint": CHECKPOINT_POLICY,
}  # fmt: skip
"""For how long what an operation answers may be kept, by its id; of any other it is `NO_STORE_POLICY`."""

NOT_MODIFIED_COMPONENT: Final = "NotModified"
IF_NONE_MATCH_COMPONENT: Final = "IfNoneMatch"
LAST_EVENT_ID_COMPONENT: Final = "LastEventId"
POSITION_COMPONENT: Final = "SpadillePosition"
STRING_SCHEMA: Final = {"type": "string"}


class CachingPlugin(BasePlugin):
    """Tells of each operation what may be kept of it, how to ask again, and what any may be answered with."""

    def init_spec(self, spec: APISpec) -> None:
        """Tells what several operations have in common."""
        spec.components.parameter(
            IF_NONE_MATCH_COMPONENT,
            "header",
            {
                "name": "If-None-Match",
                "description": "The `ETag` of what you have: where it is still that, you are answered with "
                "`304` and no body; with `*` wherever there is something. What is never kept (`no-store`) "
                "is sent each time.",
                "schema": STRING_SCHEMA,
                "example": '"17"',
            },
        )
        spec.components.parameter(
            LAST_EVENT_ID_COMPONENT,
            "header",
            {
                "name": "Last-Event-ID",
                "description": "Of a live stream: the `id` of the last event that you have; browsers send it "
                "by themselves. You are told whatever came behind it. It goes before `after`.",
                "schema": STRING_SCHEMA,
                "example": "17",
            },
        )
        spec.components.parameter(
            POSITION_COMPONENT,
            "header",
            {
                "name": POSITION_HEADER,
                "description": "Where answers may come from a standby of the store: the position that you "
                "were told with your last change. You are told nothing older. With `0` anything will do; a "
                "program that may write and says nothing is answered from the store itself.",
                "schema": STRING_SCHEMA,
                "example": "41872",
            },
        )
        spec.components.response(
            NOT_MODIFIED_COMPONENT,
            {
                "description": "You have that already, as `If-None-Match` says; there is no body.",
                "headers": {
                    "ETag": header_object("What you have."),
                    "Cache-Control": header_object("As of the answer."),
                },
            },
        )

    def operation_helper(self, path: str | None = None, operations: Json | None = None, **_: Any) -> None:
        """Adds it to an address's operations."""
        for method, operation in (operations or {}).items():
            responses = operation["responses"]
            documented = {str(status) for status in responses}
            responses |= {status: f"Problem{status}" for status in ("429", "503") if status not in documented}
            if method == "get":
                self._document_caching(operation, responses)
            else:
                _document_position(responses)

    def _document_caching(self, operation: Json, responses: Json) -> None:
        """Adds what may be kept of what an operation reads, and how to ask again."""
        policy = CACHE_POLICIES.get(operation["operationId"], NO_STORE_POLICY)
        ok_response = next(candidate for status, candidate in responses.items() if str(status) == "200")
        headers = ok_response.setdefault("headers", {})
        headers["Cache-Control"] = header_object(f"For how long it may be kept: {policy.cache_control}.")
        parameters = operation.setdefault("parameters", [])
        if policy.etag_basis is not None:
            headers["ETag"] = header_object(f"Of what is answered: {policy.etag_basis}.")
            parameters.append(IF_NONE_MATCH_COMPONENT)
            responses["304"] = NOT_MODIFIED_COMPONENT
        parameters.append(
            LAST_EVENT_ID_COMPONENT
            if EVENT_STREAM_TYPE in ok_response.get("content", {})
            else POSITION_COMPONENT
        )


def _document_position(responses: Json) -> None:
    for status, response in responses.items():
        if str(status).startswith("2"):
            response.setdefault("headers", {})[POSITION_HEADER] = header_object(
                "How far the log had come, where answers may come from a standby: to be shown with what is "
                "asked next.",
                "41872",
            )


def header_object(description: str, example: str | None = None) -> Json:
    """A header of an answer."""
    return {"description": description, "schema": STRING_SCHEMA} | (
        {} if example is None else {"example": example}
    )


PROBLEM_HEADERS: Final[dict[int, Json]] = {
    401: {"WWW-Authenticate": header_object("How to show a token.", "Bearer")},
    405: {"Allow": header_object("The methods that the address has.", "GET, HEAD, OPTIONS")},
    412: {"ETag": header_object("The version that the record has now.", '"17"')},
    415: {
        "Accept-Post": header_object("What types of body are read, where it was one of another."),
        "Accept-Encoding": header_object("That none is unpacked, where one was compressed.", "identity"),
    },
    429: {"Retry-After": header_object("In how many seconds to go on.", "2")},
    503: {"Retry-After": header_object("In how many seconds to ask again.", "5")},
}
"""What the answers with a problem of a status say in their headers."""

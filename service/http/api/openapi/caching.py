"""What may be kept of each answer, as the contract tells it, and what is common to all operations.

`service.http.api.responses` decides it; what is said of it here is held to that by a test that asks every
address.
"""

from typing import Any, Final, NamedTuple

from apispec import APISpec, BasePlugin

from service.http.read_your_writes import POSITION

Json = dict[str, Any]

EVENT_STREAM: Final = "text/event-stream"


class Kept(NamedTuple):
    """For how long something may be kept, and what its ETag is made of; None where there is no ETag."""

    how: str
    tag: str | None = None


_BEHIND: Final = "the record's version, and behind a hyphen whatever else it depends on"
OF_ALL: Final = "`private, no-cache` for whoever may know everything, else `no-store`"

LOG: Final = Kept(
    OF_ALL,
    'the record\'s version, alone for JSON as it is stored (`"17"`), else with the form or a hash behind a '
    'hyphen (`"17-jsonl"`)',
)
RECORD: Final = Kept(OF_ALL, _BEHIND)
POINT: Final = Kept(
    f"{OF_ALL}; where `at` and `known` are given, the deal is closed and no member of the club plays in it "
    "`private, max-age=31536000, immutable` for whoever may know everything, and for everybody else "
    "`public, max-age=300` if the deal is published and is no variation",
    f"{_BEHIND}; a drawing's is a hash of what it shows",
)
LIST: Final = Kept(OF_ALL, "a hash of what it says")
PLAIN: Final = Kept("`private, no-cache`", "a hash of what it says")
LIBRARY: Final = Kept(
    "`private, no-cache`; `public, max-age=31536000, immutable` where `at` and `known` are given and "
    "the deal is closed; `no-store` where a `viewer` is asked for who may not know everything",
    "a hash of what it says",
)
CHECKPOINT: Final = Kept("`private, no-cache`", "how many events it is of")
NEVER: Final = Kept("`no-store`")

_POINTS: Final = (
    "state", "legal", "score", "findings", "replay", "audit", "evidence", "odds", "state_svg", "state_png",
)  # fmt: skip
KEPT: Final[dict[str, Kept]] = {
    **{
        f"{kind}_{name}": LOG
        for kind in ("deals", "tables")
        for name in ("list_events", "download_events", "download_text")
    },
    **dict.fromkeys(("deals_show_deal", "tables_show_table", "files_export_table"), RECORD),
    **{f"deals_{name}": POINT for name in _POINTS},
    **{f"replays_{name}": LIBRARY for name in _POINTS},
    **dict.fromkeys(
        (
            "deals_list_deals", "deals_list_variations", "replays_list_variations", "tables_list_tables",
            "tables_show_ledger", "tables_show_audit", "tables_download_ledger", "files_export_slips",
            "seasons_list_seasons", "seasons_show_season", "seasons_download_standings",
            "seasons_show_figures",
        ),
        LIST,
    ),
    **dict.fromkeys(
        (
            "replays_list_replays", "replays_show_replay", "replays_list_events", "replays_download_events",
            "replays_download_text", "rulesets_list_rulesets", "rulesets_show_ruleset",
            "evidence_show_key", "evidence_list_leaves", "evidence_show_consistency",
        ),
        PLAIN,
    ),
    "evidence_show_checkpoint": CHECKPOINT,
}  # fmt: skip
"""For how long what an operation answers may be kept, by its id; of any other it is `NEVER`."""

NOT_MODIFIED: Final = "NotModified"
IF_NONE_MATCH: Final = "IfNoneMatch"
LAST_EVENT_ID: Final = "LastEventId"
POSITION_SHOWN: Final = "SpadillePosition"
TEXT: Final = {"type": "string"}


class CachingPlugin(BasePlugin):
    """Tells of each operation what may be kept of it, how to ask again, and what any may be answered with."""

    def init_spec(self, spec: APISpec) -> None:
        """Tells what several operations have in common."""
        spec.components.parameter(
            IF_NONE_MATCH,
            "header",
            {
                "name": "If-None-Match",
                "description": "The `ETag` of what you have: where it is still that, you are answered with "
                "`304` and no body; with `*` wherever there is something. What is never kept (`no-store`) "
                "is sent each time.",
                "schema": TEXT,
                "example": '"17"',
            },
        )
        spec.components.parameter(
            LAST_EVENT_ID,
            "header",
            {
                "name": "Last-Event-ID",
                "description": "Of a live stream: the `id` of the last event that you have; browsers send it "
                "by themselves. You are told whatever came behind it. It goes before `after`.",
                "schema": TEXT,
                "example": "17",
            },
        )
        spec.components.parameter(
            POSITION_SHOWN,
            "header",
            {
                "name": POSITION,
                "description": "Where answers may come from a standby of the store: the position that you "
                "were told with your last change. You are told nothing older. With `0` anything will do; a "
                "program that may write and says nothing is answered from the store itself.",
                "schema": TEXT,
                "example": "41872",
            },
        )
        spec.components.response(
            NOT_MODIFIED,
            {
                "description": "You have that already, as `If-None-Match` says; there is no body.",
                "headers": {
                    "ETag": described("What you have."),
                    "Cache-Control": described("As of the answer."),
                },
            },
        )

    def operation_helper(self, path: str | None = None, operations: Json | None = None, **_: Any) -> None:
        """Adds it to an address's operations."""
        for method, operation in (operations or {}).items():
            responses = operation["responses"]
            told = {str(status) for status in responses}
            responses |= {status: f"Problem{status}" for status in ("429", "503") if status not in told}
            if method == "get":
                self._tell_of(operation, responses)
            else:
                _tell_position(responses)

    def _tell_of(self, operation: Json, responses: Json) -> None:
        """Adds what may be kept of what an operation reads, and how to ask again."""
        kept = KEPT.get(operation["operationId"], NEVER)
        answer = next(held for status, held in responses.items() if str(status) == "200")
        headers = answer.setdefault("headers", {})
        headers["Cache-Control"] = described(f"For how long it may be kept: {kept.how}.")
        parameters = operation.setdefault("parameters", [])
        if kept.tag is not None:
            headers["ETag"] = described(f"Of what is answered: {kept.tag}.")
            parameters.append(IF_NONE_MATCH)
            responses["304"] = NOT_MODIFIED
        parameters.append(LAST_EVENT_ID if EVENT_STREAM in answer.get("content", {}) else POSITION_SHOWN)


def _tell_position(responses: Json) -> None:
    for status, answer in responses.items():
        if str(status).startswith("2"):
            answer.setdefault("headers", {})[POSITION] = described(
                "How far the log had come, where answers may come from a standby: to be shown with what is "
                "asked next.",
                "41872",
            )


def described(means: str, example: str | None = None) -> Json:
    """A header of an answer."""
    return {"description": means, "schema": TEXT} | ({} if example is None else {"example": example})


ON_PROBLEMS: Final[dict[int, Json]] = {
    401: {"WWW-Authenticate": described("How to show a token.", "Bearer")},
    405: {"Allow": described("The methods that the address has.", "GET, HEAD, OPTIONS")},
    412: {"ETag": described("The version that the record has now.", '"17"')},
    415: {
        "Accept-Post": described("What types of body are read, where it was one of another."),
        "Accept-Encoding": described("That none is unpacked, where one was compressed.", "identity"),
    },
    429: {"Retry-After": described("In how many seconds to go on.", "2")},
    503: {"Retry-After": described("In how many seconds to ask again.", "5")},
}
"""What the answers with a problem of a status say in their headers."""

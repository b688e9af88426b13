"""Take tokens out of texts that are logged or shown."""

import re
from collections.abc import Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import unquote

_MAX_DECODINGS: Final = 8
_TOKEN: Final = re.compile(r"spadille_[ts]_[0-9A-Za-z]{8,}")
"""A token of `service.auth.tokens`, or a telling part of one."""


def redact(text: str) -> str:
    """The text without anything that looks like a token."""
    return _TOKEN.sub("spadille_…", text)


def mentions_token(text: str) -> bool:
    """Whether the text, or a URL however often it was encoded, holds what looks like a token."""
    for _ in range(_MAX_DECODINGS):
        if _TOKEN.search(text) is not None:
            return True
        if (decoded := unquote(text)) == text:
            break
        text = decoded
    return False


def redact_log_entry(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Redact every text of a log entry, names and values; a processor of structlog."""
    return {redact(name): _redact_value(value) for name, value in entry.items()}


def _redact_value(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {redact(str(name)): _redact_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_redact_value(inner) for inner in value]
    return value

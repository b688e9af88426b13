"""Settings of the service, from the command line or the environment. All are optional."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

ENVIRONMENT_PREFIX: Final = "SPADILLE_"
LOOPBACK_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8240
LOG_FORMATS: Final = ("text", "json")
# On Windows waitress can look at 512 connections at once.
DEFAULT_STREAMS: Final = 500 if sys.platform != "win32" else 100
MAX_STREAMS: Final = 10_000
STORE_ADDRESS_PREFIX: Final = "postgres(ql)?://"
STORE_ADDRESS_FORMAT: Final = "an address such as postgresql://user@host:5432/database"
DEFAULT_CONNECTIONS: Final = 1000 if sys.platform != "win32" else 200


class InvalidSetting(ValueError):
    """A setting is wrong; the text names it, what was read and what was expected."""


@dataclass(frozen=True)
class Settings:
    """How the service runs.

    ``data`` is the folder of the records; None is this computer's place for such data. ``streams`` clients
    may follow live. ``names`` are the public hosts, as browsers write them: `cards.example` or
    `cards.example:8443`. ``proxies`` is the number of trusted proxies in front of the service. A client on
    another computer may make ``rate`` requests a second, and ``burst`` in a row. ``connections`` may be open
    and idle; one is closed after ``request_timeout_seconds`` without data. ``store`` is the address of one
    on PostgreSQL, None the file in the folder; ``store_reads`` that of a standby that answers reads. Both may
    hold a password, and are not shown. ``key`` is the file with the key that signs checkpoints, None the one
    in the folder.
    """

    data: Path | None = None
    host: str = LOOPBACK_HOST
    port: int = DEFAULT_PORT
    streams: int = DEFAULT_STREAMS
    log_format: str = "text"
    names: frozenset[str] = frozenset()
    proxies: int = 0
    rate: float = 50.0
    burst: int = 500
    connections: int = DEFAULT_CONNECTIONS
    request_timeout_seconds: int = 20
    store: str | None = field(default=None, repr=False)
    store_reads: str | None = field(default=None, repr=False)
    key: Path | None = None


class SettingDefinition(NamedTuple):
    """How to parse a setting of the environment, what is expected, and whether its text may be shown."""

    parse: Callable[[str], Any]
    expected: str
    can_be_shown: bool = True


def _integer_setting(minimum: int, maximum: int) -> SettingDefinition:
    def read(text: str) -> int:
        number = int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1
        if not minimum <= number <= maximum:
            raise ValueError
        return number

    return SettingDefinition(read, f"a whole number from {minimum} to {maximum}")


def _parse_rate(text: str) -> float:
    number = float(text)
    if not (math.isfinite(number) and number > 0):
        raise ValueError
    return number


def _matching_setting(pattern: str, expected: str, can_be_shown: bool = True) -> SettingDefinition:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text, re.DOTALL):
            raise ValueError
        return text

    return SettingDefinition(parse, expected, can_be_shown)


def _parse_names(text: str) -> frozenset[str]:
    names = text.replace(",", " ").lower().split()
    if not all(re.fullmatch(r"([0-9a-z.-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?", name) for name in names):
        raise ValueError
    return frozenset(names)


def is_store_address(text: str) -> bool:
    """Whether it is the address of a store on PostgreSQL, not the name of a file."""
    return re.match(STORE_ADDRESS_PREFIX, text) is not None


_STORE_SETTING: Final = _matching_setting(
    f"{STORE_ADDRESS_PREFIX}.*", STORE_ADDRESS_FORMAT, can_be_shown=False
)
SETTING_DEFINITIONS: Final[dict[str, SettingDefinition]] = {
    "data": SettingDefinition(Path, "a folder"),
    "host": _matching_setting(
        r"[0-9A-Za-z.:-]{1,253}", "an address of this computer, such as 127.0.0.1 or 0.0.0.0"
    ),
    "port": _integer_setting(1, 65535),
    "streams": _integer_setting(0, MAX_STREAMS),
    "log_format": _matching_setting("|".join(LOG_FORMATS), "text or json"),
    "names": SettingDefinition(_parse_names, "host names separated by spaces, such as cards.example"),
    "proxies": _integer_setting(0, 9),
    "rate": SettingDefinition(_parse_rate, "a number of requests per second above 0"),
    "burst": _integer_setting(1, 1_000_000),
    "connections": _integer_setting(32, 100_000),
    "request_timeout_seconds": _integer_setting(1, 600),
    "store": _STORE_SETTING,
    "store_reads": _STORE_SETTING,
    "key": SettingDefinition(Path, "a file"),
}
"""The settings by their names in `Settings`."""


def environment_variable(name: str) -> str:
    """The name of a setting in the environment: with a prefix, in capitals, without its unit."""
    return ENVIRONMENT_PREFIX + name.removesuffix("_seconds").upper()


def load_settings(environment: Mapping[str, str] = os.environ, **overrides: Any) -> Settings:
    """The settings: from ``overrides`` that are not None, else the environment, else the defaults.

    Raises `InvalidSetting`.
    """
    found: dict[str, Any] = {}
    for name, setting in SETTING_DEFINITIONS.items():
        text = environment.get(environment_variable(name), "").strip()
        if overrides.get(name) is not None:
            found[name] = overrides[name]
        elif text:
            found[name] = _parse_setting(name, setting, text)
    settings = Settings(**found)
    if settings.store_reads is not None and settings.store is None:
        raise InvalidSetting(
            f"{environment_variable('store_reads')} names a standby, but {environment_variable('store')}, "
            "which names its store, is not set."
        )
    return settings


def _parse_setting(name: str, setting: SettingDefinition, text: str) -> Any:
    try:
        return setting.parse(text)
    except ValueError:
        shown_text = repr(text[:100]) if setting.can_be_shown else "an unreadable value"
        raise InvalidSetting(
            f"{environment_variable(name)} is {shown_text}; expected {setting.expected}."
        ) from None

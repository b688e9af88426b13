"""Writes the API's contract into openapi.yaml, for people to read: `make openapi`.

What fits on a line stands on one, and the rest is broken as little as can be.
"""

from pathlib import Path
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

from service.http.api import contract_document

FILE: Final = Path(__file__).parents[1] / "openapi.yaml"
WIDTH: Final = 120
KEPT_WHOLE: Final = frozenset({"example", "value", "required", "enum", "oneOf", "mapping"})
"""Members that are written like JSON, also where that takes several lines."""


class _Inline(dict[str, Any]):
    """An object that is written within braces."""


class _InlineList(list[Any]):
    """A list that is written within brackets."""


class _Dumper(yaml.CSafeDumper):  # type: ignore[misc]
    """Writes objects and lists as they are marked, and texts of several lines as such."""

    def ignore_aliases(self, data: Any) -> bool:
        """Whether to write it again instead of naming where it stands: always."""
        return True


def _represent_inline(dumper: _Dumper, data: _Inline) -> Any:
    return dumper.represent_mapping("tag:yaml.org,2002:map", data, flow_style=True)


def _represent_inline_list(dumper: _Dumper, data: _InlineList) -> Any:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=True)


def _represent_text(dumper: _Dumper, data: str) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style="|" if "\n" in data else None)


_Dumper.add_representer(_Inline, _represent_inline)
_Dumper.add_representer(_InlineList, _represent_inline_list)
_Dumper.add_representer(str, _represent_text)


def format_yaml(document: Any) -> str:
    """The contract as YAML."""
    return _dump(_mark(document), WIDTH)


def _dump(data: Any, width: int) -> str:
    text: str = yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=width)
    return text


def _inline(data: Any) -> Any:
    """All of it within braces and brackets."""
    if isinstance(data, dict):
        return _Inline({key: _inline(member) for key, member in data.items()})
    return _InlineList(map(_inline, data)) if isinstance(data, list) else data


def _mark(data: Any, indent: int = 0, before: int = 0) -> Any:
    """The same, with what fits on its line marked to stand there.

    ``indent`` is what it would be indented by on lines of its own, ``before`` what stands in front of it.
    """
    if not isinstance(data, dict | list):
        return data
    inline = _inline(data)
    line = _dump(inline, 1_000_000)
    if indent + before + len(line) <= WIDTH and line.count("\n") == 1:
        return inline
    if isinstance(data, list):
        return [_mark(item, indent + 2) for item in data]
    return {
        key: _inline(member) if key in KEPT_WHOLE else _mark(member, indent + 2, len(str(key)))
        for key, member in data.items()
    }


if __name__ == "__main__":
    FILE.write_text(format_yaml(contract_document()), encoding="utf-8")

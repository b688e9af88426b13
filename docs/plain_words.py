"""Finds old-fashioned words in what people read: guides, docstrings, comments, messages, pages and help.

python -m docs.plain_words  lists each place and fails if docs/plain_words.txt does not allow it

HOUSE style: short, active, concrete, gender-neutral English.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
ALLOWED: Final = Path(__file__).with_suffix(".txt")
PATTERNS: Final = {
    "he, him or his": r"\b(?:he|him|his|himself)\b",
    "whoever": r"\b(?:whoever|whomever|whosoever|whatsoever)\b",
    "none the worse": r"\bnone the (?:worse|wiser|less)\b",
    "so many … as": r"\bso (?:many|much|long|far)\b[^.;:]{0,40}\bas\b",
    "comes to its end": r"\bcom(?:es|e|ing) to (?:its|an|their) end\b",
    "is told": r"\b(?:is|are|was|were|be) told\b",
    "is let": r"\b(?:is|are) let\b",
    "mend": r"\bmend(?:s|ed|ing|ings)?\b",
    "anew": r"\banew\b",
    "thereof": r"\b(?:thereof|therein|thereby|hereby|wherein|whereby)\b",
    "upon": r"\bupon\b",
    "all the same": r"\ball the same\b",
}
WORDS: Final = re.compile("|".join(f"({pattern})" for pattern in PATTERNS.values()), re.IGNORECASE)


class Place(NamedTuple):
    """A text that people read, and where it stands."""

    path: str
    line: int
    text: str


def list_places() -> Iterator[Place]:
    """Every line of every guide, docstring, comment, string, template and script."""
    for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]):
        yield from _lines(path, path.read_text(encoding="utf-8"))
    for folder in ("engine", "schemas", "replays", "service", "bench", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix == ".py" and path != Path(__file__).resolve():
                yield from _python_places(path)
            elif path.suffix in {".html", ".js", ".css"} and not {"vendor", "bundles"} & {*path.parts}:
                yield from _lines(path, path.read_text(encoding="utf-8"))


def _lines(path: Path, text: str, first: int = 1) -> Iterator[Place]:
    name = str(path.relative_to(ROOT))
    return (Place(name, number, line) for number, line in enumerate(text.splitlines(), first))


def _python_places(path: Path) -> Iterator[Place]:
    """The comments and string literals of a module."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _lines(path, node.value, node.lineno)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield from _lines(path, token.string, token.start[0])


def list_offences() -> list[str]:
    """Each old-fashioned word with its place, but for those that are allowed."""
    allowed = {line for line in ALLOWED.read_text(encoding="utf-8").splitlines() if line}
    found = []
    for path, line, text in list_places():
        names = [name for name, pattern in PATTERNS.items() if re.search(pattern, text, re.IGNORECASE)]
        if names and f"{path}: {text.strip()}" not in allowed:
            found.append(f"{path}:{line}: {', '.join(names)}: {text.strip()}")
    return found


def main() -> int:
    """Print the offences."""
    offences = list_offences()
    print("\n".join(offences))
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())

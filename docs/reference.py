"""Writes the reference pages from the code that they describe.

python docs/reference.py          writes them anew
python docs/reference.py --check  says which are out of step, and fails if any is
"""

import inspect
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.core.events import DEAL_EVENTS, Event, type_name
from engine.core.table_events import TABLE_EVENTS
from engine.play.findings import FINDING_CODES, SEVERITIES
from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset
from schemas.i18n.catalogs import gettext
from schemas.rulesets.rulebook import build_rulebook
from schemas.wire.event_reader import describe_expected_field
from schemas.wire.field_specs import METADATA_FIELDS, FieldSpec, build_field_specs

HERE = Path(__file__).parent

EVENTS_HEAD = """# Events

A deal, and an evening at a table, is a log of events: one JSON object each, one per line.
An event is a fact as the record has it; whether it breaks a rule is judged apart
([findings](findings.md)). Nothing is ever overwritten: a wrong entry is put right by a
`correction_made`, an act taken back at the table by an `action_withdrawn`.

A card is two characters, suit then rank: `SA`, `H7`, `CK`, `D2`. `??` is a card nobody
recorded, `S?` one of which only the suit is known. Seats are `forehand`, `middlehand`,
`backhand`. An entry is named by its `seq`; the second event that the correction at 30 puts in
is `"30.2"`.
"""

FINDINGS_HEAD = """# Findings

A finding is one way in which a record breaks the rules or contradicts itself. None of them
stops the fold. `seq` is the entry that broke the rule, `evidence` the entries that show it:
a revoke at trick 2 that only trick 6 proves has its `seq` in trick 2 and both in `evidence`.
"""

SEVERITY_WORDS = {
    "impossible": "cannot have happened: the record is wrong",
    "error": "against the rules",
    "warning": "unusual, but allowed",
    "info": "worth knowing",
}

RULESETS_HEAD = """# Rulesets

A ruleset is data chosen among policies that the engine knows by name. A published revision
never changes; a deal keeps the ruleset and revision it was opened with. What a source leaves
open and we decided is marked *ours*, what it does not say *not stated*.

The same tables, also in Danish and with house switches set: `spadille rules ID`. A table may agree on
single points otherwise (the house switches below), and a club may write a ruleset of its own:
[your club's own rules](club-rules.md).
"""


def row(*cells: str) -> str:
    """One row of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table with a head."""
    return "\n".join([row(*head), row(*("---" for _ in head)), *(row(*cells) for cells in rows)])


def summary(thing: object) -> str:
    """A docstring in one paragraph."""
    return " ".join((inspect.getdoc(thing) or "").split())


def field_row(spec: FieldSpec) -> tuple[str, ...]:
    """A field: its name, whether it must be there, what it has to be."""
    return (f"`{spec.name}`", "yes" if spec.required else "", describe_expected_field(spec))


def event_section(event_class: type[Event]) -> str:
    """One event: what it says and its fields."""
    specs = build_field_specs(event_class)
    parts = [f"### `{type_name(event_class)}`", summary(event_class)]
    if specs:
        parts.append(table(("field", "required", "is"), [field_row(spec) for spec in specs]))
    return "\n\n".join(parts)


def events_page() -> str:
    """The event reference."""
    shared = [event_class for event_class in TABLE_EVENTS if event_class in DEAL_EVENTS]
    names = ", ".join(f"`{type_name(event_class)}`" for event_class in shared)
    bookkeeping = [field_row(spec) for spec in METADATA_FIELDS]
    parts = [
        EVENTS_HEAD,
        "## Bookkeeping",
        "Every entry may bear these beside its own fields; on output all are there, null where unknown.",
        table(("field", "required", "is"), bookkeeping),
        "## Events of a deal",
        *(event_section(event_class) for event_class in DEAL_EVENTS),
        "## Events of a table",
        f"A table's stream may also hold {names}.",
        *(event_section(event_class) for event_class in TABLE_EVENTS if event_class not in DEAL_EVENTS),
    ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def findings_page() -> str:
    """The finding codes, by severity."""
    parts = [FINDINGS_HEAD]
    for severity in SEVERITIES:
        rows = [(f"`{code}`", text) for code, (usual, text) in FINDING_CODES.items() if usual == severity]
        parts += [
            f"## {severity}",
            f"{SEVERITY_WORDS[severity].capitalize()}.",
            table(("code", "says"), rows),
        ]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def ruleset_section(rules: CompiledRuleset) -> str:
    """One ruleset as tables a player can check."""
    ruleset = rules.ruleset
    parts = [
        f"## `{ruleset.id}`, revision {ruleset.revision}",
        f"{ruleset.words}. *{gettext(ruleset.words, 'da')}.* Source: {ruleset.source}.",
    ]
    for one in build_rulebook(ruleset, "en"):
        parts += [f"### {one.title}", table(one.headings, one.rows)]
    return "\n\n".join(parts)


def rulesets_page() -> str:
    """Every published ruleset."""
    return (
        "\n\n".join([RULESETS_HEAD.strip("\n"), *(ruleset_section(rules) for rules in PUBLISHED_RULESETS)])
        + "\n"
    )


PAGES = {"events.md": events_page, "findings.md": findings_page, "rulesets.md": rulesets_page}


def out_of_step() -> list[str]:
    """The pages whose file is not what the code says now."""
    return [name for name, page in PAGES.items() if not _is_written(HERE / name, page())]


def _is_written(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def main() -> int:
    """Writes the pages, or checks them."""
    if "--check" in sys.argv[1:]:
        stale = out_of_step()
        print("\n".join(f"docs/{name} is out of step; run python docs/reference.py" for name in stale))
        return 1 if stale else 0
    for name, page in PAGES.items():
        (HERE / name).write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

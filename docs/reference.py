"""Writes the reference pages from the code that they describe.

python docs/reference.py          writes them again
python docs/reference.py --check  says which are out of step, and fails if any is
"""

import inspect
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.core.events import DEAL_EVENTS, Event, type_name
from engine.core.table_events import TABLE_EVENTS
from engine.play.findings import FINDING_CODES, SEVERITIES
from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset
from schemas.wire.field_specs import METADATA_FIELDS, build_field_specs

HERE = Path(__file__).parent

EVENTS_HEAD = """# Events

A deal is a log of events, and so is an evening at a table: one JSON object on each line. An event is a fact
as it was recorded; whether it breaks a rule is judged separately ([findings](findings.md)). Nothing is
overwritten: `correction_made` corrects a wrong entry, `action_withdrawn` takes back an act.

A card is two characters, suit then rank: `SA`, `H7`, `CK`, `D2`. `??` is an unknown card, `S?` an unknown
spade. Seats are `forehand`, `middlehand`, `backhand`. `seq` numbers the entries; `"30.2"` is the second
event in the correction at 30. A `date` is a day (`1766-05-03`), a month (`1766-05`) or a year (`1766`).
"""

FINDINGS_HEAD = """# Findings

A finding names one way in which a record breaks the rules or contradicts itself. The record stays as it is.
`seq` is the entry that breaks the rule, `evidence` the entries that show it: a revoke in trick 2 that trick
6 proves has its `seq` in trick 2 and both in `evidence`.
"""

SEVERITY_WORDS = {
    "impossible": "cannot have happened: the record is wrong",
    "error": "against the rules",
    "warning": "unusual, but allowed",
    "info": "worth knowing",
}

RULESETS_HEAD = """# Rulesets

In the browser, **Rules** has each ruleset with its tables and clauses. Each clause has its own address, such
as `/rules/dlu#7.3`, and *Compare with other rules* shows where two rulesets differ. Reports link each clause
that they cite.

A ruleset is data. A published revision never changes, and a deal keeps the ruleset and revision it was
opened with. `spadille rules ID` prints one in tables: cards, bids, contracts, payments, house switches, with
the ids that files use and the source of every clause. What a source leaves open and we decided is marked
*ours*, what it does not say *not stated*. The API has the same at `/rulesets`.

A table may agree on single points otherwise: those are the house switches, `spadille rules ID --set
SWITCH=VALUE`. A club can also write [rules of its own](club-rules.md).
"""


def row(*cells: str) -> str:
    """One row of a table."""
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table with a head."""
    return "\n".join([row(*head), row(*("---" for _ in head)), *(row(*cells) for cells in rows)])


def summary(thing: object) -> str:
    """A docstring in one paragraph."""
    return re.sub(r" \(RULES [^)]*\)", "", " ".join((inspect.getdoc(thing) or "").split()))


def event_row(event_class: type[Event]) -> tuple[str, ...]:
    """One event: what it says and its fields, the optional ones in italics."""
    specs = build_field_specs(event_class)
    fields = ", ".join(f"`{spec.name}`" if spec.required else f"*{spec.name}*" for spec in specs)
    return (f"`{type_name(event_class)}`", summary(event_class), fields)


def events_page() -> str:
    """The event reference."""
    shared = [event_class for event_class in TABLE_EVENTS if event_class in DEAL_EVENTS]
    names = ", ".join(f"`{type_name(event_class)}`" for event_class in shared)
    bookkeeping = ", ".join(f"`{spec.name}`" for spec in METADATA_FIELDS)
    head = ("event", "says", "fields (*optional*)")
    of_tables = [event_class for event_class in TABLE_EVENTS if event_class not in DEAL_EVENTS]
    parts = [
        EVENTS_HEAD,
        f"Every entry may also have {bookkeeping}; in answers all of them are there, null where unknown. "
        "What each field may be is in [openapi.yaml](../openapi.yaml), under the event's name.",
        "## Events of a deal",
        table(head, [event_row(event_class) for event_class in DEAL_EVENTS]),
        "## Events of a table",
        f"The log of a table may also hold {names}.",
        table(head, [event_row(event_class) for event_class in of_tables]),
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


COMMON_SWITCHES = [
    switch.id
    for switch in PUBLISHED_RULESETS[0].ruleset.switches
    if all(switch.id in {one.id for one in rules.ruleset.switches} for rules in PUBLISHED_RULESETS)
]


def ruleset_row(rules: CompiledRuleset) -> tuple[str, ...]:
    """One ruleset in short, with the switches that not every ruleset has."""
    ruleset = rules.ruleset
    switches = ", ".join(f"`{switch.id}`" for switch in ruleset.switches if switch.id not in COMMON_SWITCHES)
    return (f"`{ruleset.id}`", str(ruleset.revision), f"{ruleset.words}", str(ruleset.source), switches)


def rulesets_page() -> str:
    """Every published ruleset in short."""
    common = ", ".join(f"`{switch}`" for switch in COMMON_SWITCHES)
    head = ("id", "revision", "name", "source", "further switches")
    rows = [ruleset_row(rules) for rules in PUBLISHED_RULESETS]
    return f"{RULESETS_HEAD}\nAll rulesets have the switches {common}.\n\n{table(head, rows)}\n"


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

"""Generates the example deals of the library: one for every contract, outcome and extra of every ruleset.

``python -m bench.library`` writes missing deals to ``replays/<ruleset>/``, in the notation; existing deals
stay unchanged. Each is a random deal played by asking the engine for legal actions, repeated until the result
is what its name says. Then the JSON Lines of every deal of the library are generated from its text.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import replays
from bench.steering import FORCED_BID, DealAim, build_steered_deal
from engine import Log, audit
from engine.audit import Audit
from engine.core.cards import Seat
from engine.core.events import (
    DealAbandoned,
    DealOpened,
    DealVoided,
    PuestaReserved,
    RulingMade,
    SlamAnnounced,
    SurrenderAnswered,
    SurrenderOffered,
)
from engine.core.field_types import Players
from engine.core.log import build_log
from engine.play.state import FINISHED
from engine.rulesets import PUBLISHED_RULESETS, CompiledRuleset, find_ruleset
from engine.rulesets.model import Contract
from engine.rulesets.switches import SwitchSettings
from schemas.notation import NOTATION_SUFFIX, format_notation_log, read_notation_logs
from schemas.wire.event_writer import entry_bytes

LIBRARY_FOLDER: Final = Path(__file__).parent.parent / "replays"
MAX_TRIES: Final = 40_000
EXAMPLE_SOURCE: Final = "Made up for Spadille as an example of the rules; nobody played it."
AuditCheck = Callable[[Audit], bool]


@dataclass(frozen=True)
class LibraryExample:
    """An example to find: what it shows, what it is steered towards, and the check of its result."""

    ruleset: str
    name: str
    title: str
    aim: DealAim
    is_wanted: AuditCheck
    opening: dict[str, Any] = field(default_factory=dict)


def audit_has_outcome(outcome: str, slam: str | None = None) -> AuditCheck:
    """A check that the deal has this outcome."""
    return lambda told: (told.score.outcome, told.score.slam) == (outcome, slam)


def iterate_examples(rules: CompiledRuleset) -> Iterator[LibraryExample]:
    """Every example of one ruleset."""
    yield LibraryExample(
        rules.ruleset.id, "passed-out", "All pass", DealAim(None), audit_has_outcome("passed_out")
    )
    yield from contract_examples(rules)
    yield from ending_examples(rules)
    if rules.ruleset.slam is not None:
        yield from slam_examples(rules)
    if rules.ruleset.giving_up is not None:
        yield from giving_up_examples(rules)
    if rules.ruleset.foul != "not-stated":
        yield from foul_examples(rules)
    if rules.ruleset.pool is not None:
        yield from pool_examples(rules)
    if rules.ruleset.surrender is not None:
        yield from surrender_examples(rules)


def contract_examples(rules: CompiledRuleset) -> Iterator[LibraryExample]:
    """Every contract, also those of extras, with every outcome that it can have."""
    agreed = switches_for_all_extras(rules)
    full = find_ruleset(PUBLISHED_RULESETS, rules.ruleset.id, None, agreed) or rules
    for contract in full.contracts.values():
        opening = (
            {} if contract.id in rules.contracts else {"switches": switches_for_contract(contract, agreed)}
        )
        for outcome, word in OUTCOME_TITLES.items():
            if is_outcome_possible(contract, outcome):
                yield LibraryExample(
                    rules.ruleset.id,
                    f"{contract.id}-{outcome}",
                    f"{contract.words}: {word}",
                    DealAim(contract.id, should_win=outcome == "won"),
                    audit_has_outcome_or_is_open(outcome),
                    opening,
                )


def is_outcome_possible(contract: Contract, outcome: str) -> bool:
    """Whether a contract can have an outcome: nolo ouvert may have no bête, countervole has no kodille."""
    if contract.aim == "game" or outcome == "won":
        return True
    if outcome == "codille":
        return contract.codille_from is not None and (contract.ends_at or 9) >= contract.codille_from
    return contract.codille_from is None or contract.codille_from > 1


def switches_for_contract(contract: Contract, switches: SwitchSettings) -> SwitchSettings:
    """The switches under which a contract can be played."""
    return tuple((name, value) for name, value in switches if name in (contract.extra, "favoured-suit"))


def switches_for_all_extras(rules: CompiledRuleset) -> SwitchSettings:
    """Switches with every extra on, and a favoured suit if possible."""
    extras = [(one.id, True) for one in rules.ruleset.switches if one.sets.startswith("extras.")]
    favoured = [(one.id, "H") for one in rules.ruleset.switches if one.sets == "favoured"]
    return (*extras, *favoured)


def lowest_game_id(rules: CompiledRuleset) -> str:
    """The lowest game."""
    return next(contract.id for contract in rules.contracts.values() if contract.aim == "game")


def ending_examples(rules: CompiledRuleset) -> Iterator[LibraryExample]:
    """A misdeal, and a player who sits out and pays."""
    ruleset, game = rules.ruleset.id, lowest_game_id(rules)
    voided = (("exchanged", DealVoided("A card lay face up.")),)
    yield LibraryExample(
        ruleset,
        "voided",
        "A misdeal: the deal does not count",
        DealAim(game, extra_events=voided),
        audit_has_outcome("voided"),
    )
    four = {"players": Players("Anna", "Bo", "Carl", ("Dora",)), "switches": (("sitter-pays", True),)}
    yield LibraryExample(
        ruleset, "four-at-the-table", "Four at the table: who sits out pays too",
        DealAim(game, should_win=True), audit_has_outcome("won"), four,
    )  # fmt: skip


def slam_examples(rules: CompiledRuleset) -> Iterator[LibraryExample]:
    """All nine tricks: tried for, announced, made and lost."""
    ruleset, game, slam = rules.ruleset.id, lowest_game_id(rules), rules.ruleset.slam
    for end in ("made", "failed"):
        yield LibraryExample(
            ruleset, f"slam-led-{end}", f"Led to the sixth trick for all nine: {end}",
            DealAim(game, should_win=True, tries_slam=True), audit_has_outcome("won", end),
        )  # fmt: skip
    if slam is None or slam.announced == "never":
        return
    when = "trick 6" if slam.announced == "after-fifth-trick" else "trick 5"
    for end in ("made", "failed"):
        yield LibraryExample(
            ruleset, f"slam-announced-{end}", f"All nine tricks announced: {end}",
            DealAim(game, should_win=True, extra_events=((when, SlamAnnounced(DECLARER)),)),
            audit_has_outcome("won", end),
        )  # fmt: skip


def giving_up_examples(rules: CompiledRuleset) -> Iterator[LibraryExample]:
    """Giving up as bête, and as kodille."""
    ruleset, game, terms = rules.ruleset.id, lowest_game_id(rules), rules.ruleset.giving_up
    early = (("exchanged", DealAbandoned(DECLARER)),)
    yield LibraryExample(
        ruleset, "given-up-for-bete", "Given up for bête after the exchange",
        DealAim(game, extra_events=early), audit_has_outcome("abandoned"),
    )  # fmt: skip
    if terms is not None and terms.codille_any_time:
        late = (("trick 4", DealAbandoned(DECLARER, "codille")),)
        yield LibraryExample(
            ruleset, "given-up-as-codille", "Given up in the fourth trick, as kodille",
            DealAim(game, extra_events=late), audit_has_outcome("abandoned"),
        )  # fmt: skip


def foul_examples(rules: CompiledRuleset) -> Iterator[LibraryExample]:
    """An exchange that breaks the rules, and the director's ruling."""
    for seat, who in ((DECLARER, "declarer"), (DEFENDER, "defender")):
        ruling = RulingMade("The exchange was fouled up.", outcome="forfeited", at_fault=seat)
        yield LibraryExample(
            rules.ruleset.id, f"forfeited-by-{who}", f"The exchange fouled up by a {who}",
            DealAim(lowest_game_id(rules), extra_events=(("exchanged", ruling),)),
            audit_has_outcome("forfeited"),
        )  # fmt: skip


DECLARER: Final = Seat(0)
DEFENDER: Final = Seat(1)
OTHER_DEFENDER: Final = Seat(2)
"""Seats counted from the declarer."""


def surrender_examples(rules: CompiledRuleset) -> Iterator[LibraryExample]:
    """A surrender accepted, and forbidden with all possible results."""
    ruleset, game = rules.ruleset.id, lowest_game_id(rules)
    offer = SurrenderOffered(DECLARER)
    accepts = (SurrenderAnswered(DEFENDER, "accept"), SurrenderAnswered(OTHER_DEFENDER, "accept"))
    taken = tuple(("trick 4", event) for event in (offer, *accepts))
    yield LibraryExample(
        ruleset,
        "surrendered",
        "A surrender accepted by both",
        DealAim(game, should_win=False, extra_events=taken),
        audit_has_outcome("bete"),
    )
    forbidden = tuple(("trick 3", event) for event in (offer, SurrenderAnswered(DEFENDER, "forbid")))
    for outcome, what in (("won", "wins"), ("bete", "is bested: twins"), ("codille", "suffers codille")):
        yield LibraryExample(
            ruleset,
            f"surrender-forbidden-{outcome}",
            f"A surrender forbidden: the new Ombre {what}",
            DealAim(game, extra_events=forbidden),
            is_codille_undetermined if outcome == "codille" else audit_has_outcome(outcome),
        )


def pool_examples(rules: CompiledRuleset) -> Iterator[LibraryExample]:
    """Primeras and estuches, puestas set aside, the vole challenged, spadille forced."""
    ruleset, game = rules.ruleset.id, lowest_game_id(rules)
    aside, lost = (("end", PuestaReserved(DECLARER)),), audit_has_outcome("bete")
    yield LibraryExample(
        ruleset, "puesta-reserved", "A puesta set aside by its loser", DealAim(game, extra_events=aside), lost
    )
    yield LibraryExample(
        ruleset, "puesta-reserved-by-agreement", "A puesta set aside, the pool being large enough",
        DealAim(game), lost, {"pool": 60, "switches": (("reserve-at", 60),)},
    )  # fmt: skip
    yield LibraryExample(
        ruleset, "reserved-puestas-come-back", "The pool is won, and the largest puesta set aside comes in",
        DealAim(game, should_win=True), audit_has_outcome("won"), {"reserved": (15, 40, 25)},
    )  # fmt: skip
    yield LibraryExample(
        ruleset,
        "primeras",
        "The first five tricks: primeras",
        DealAim(game, should_win=True),
        audit_has_payment_item("primeras"),
    )
    yield LibraryExample(
        ruleset, "estuches-held", "Paid for the trumps held from spadille on", DealAim(game, should_win=True),
        audit_has_payment_item("estuches"),
    )  # fmt: skip
    extras = {one.id for one in rules.ruleset.switches}
    if "vole-challenge" in extras:
        for outcome, slam in (("won", "made"), ("won", "failed"), ("bete", "failed")):
            yield LibraryExample(
                ruleset,
                f"vole-challenged-{outcome}-{slam}",
                f"The vole challenged in the auction: {slam}",
                DealAim("solo", bid="vole", should_win=True if outcome == "won" else None),
                audit_has_outcome(outcome, slam),
                {"switches": (("vole-challenge", True),)},
            )
    if "forced-spadille" in extras:
        yield LibraryExample(
            ruleset, "forced-spadille", "All pass, and spadille is forced to play",
            DealAim(game, bid=FORCED_BID), lost, {"switches": (("forced-spadille", True),)},
        )  # fmt: skip


OUTCOME_TITLES: Final = {"won": "won", "bete": "bête", "codille": "kodille"}


def audit_has_outcome_or_is_open(outcome: str) -> AuditCheck:
    """A check that the deal has this outcome, or is over and the source does not say what it pays."""

    def has_outcome_or_is_open(told: Audit) -> bool:
        if told.score.decided:
            return audit_has_outcome(outcome)(told)
        return told.state.phase == FINISHED and [name for name, _ in told.score.reachable] == [outcome]

    return has_outcome_or_is_open


def is_codille_undetermined(audit: Audit) -> bool:
    """Whether the deal is over and the rules do not say what it pays."""
    return not audit.score.decided and [name for name, _ in audit.score.reachable] == ["codille"]


def audit_has_payment_item(label: str) -> AuditCheck:
    """A check that the deal is decided and has a payment for this item."""
    return lambda told: told.score.decided and any(item.label.startswith(label) for item in told.score.items)


def find_example_deal(example: LibraryExample) -> Log | None:
    """A deal that shows it; None if none was found, as it may be impossible."""
    rng = random.Random(f"{example.ruleset}/{example.name}")
    opened = DealOpened(
        ruleset=example.ruleset,
        revision=1,
        players=Players("Anna", "Bo", "Carl"),
        title=f"{example.ruleset}, example: {example.title}",
        source=EXAMPLE_SOURCE,
        pool=20 if HAS_POOL_BY_RULESET[example.ruleset] else None,
    )
    opened = replace(opened, **example.opening)
    for _ in range(MAX_TRIES):
        events = build_steered_deal(rng, opened, example.aim)
        if events is None:
            continue
        told = audit(build_log(events))
        serious = any(
            one.severity in ("impossible", "error") or one.code == "unknown_switch" for one in told.findings
        )
        if example.is_wanted(told) and not serious:
            return build_log(events)
    return None


HAS_POOL_BY_RULESET: Final = {
    rules.ruleset.id: rules.ruleset.pool is not None for rules in PUBLISHED_RULESETS
}


def main() -> None:
    """Write every missing example, then the JSON Lines of every deal of the library."""
    for rules in PUBLISHED_RULESETS:
        for example in iterate_examples(rules):
            file = LIBRARY_FOLDER / example.ruleset / f"{example.name}{NOTATION_SUFFIX}"
            if file.exists():
                continue
            log = find_example_deal(example)
            if log is None:
                print(f"{example.ruleset}: no deal shows {example.name}")
                continue
            file.parent.mkdir(exist_ok=True)
            file.write_text(format_notation_log(log), encoding="utf-8")
            print(f"{example.ruleset}: {example.name}, {len(log)} entries")
    for file in sorted(LIBRARY_FOLDER.rglob(f"*{NOTATION_SUFFIX}")):
        write_json_lines(file)


def write_json_lines(file: Path) -> None:
    """Write the JSON Lines of a deal next to its text."""
    (read,) = read_notation_logs([file.read_bytes()], str(file))
    if read.problems:
        raise SystemExit(
            "\n".join(f"{one.file}:{one.line}:{one.column}: {one.message}" for one in read.problems)
        )
    lines = b"".join(entry_bytes(entry, omit_unknown=True) + b"\n" for entry in read.log)
    beside = file.with_suffix(replays.REPLAY_SUFFIX)
    if not beside.exists() or beside.read_bytes() != lines:
        beside.write_bytes(lines)
        print(f"{beside}: {len(read.log)} entries")


if __name__ == "__main__":
    main()

"""Makes the made-up deals of the library: one for every contract, outcome and extra of every ruleset.

``python -m bench.library`` writes those that are missing into ``replays/<ruleset>/``, in the notation;
deals that are there already stay as they are. Each is a random deal played by asking the engine what
is legal, drawn again until it comes out as its name says. Then the JSON Lines of every deal of the
library are derived from its text.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import replays
from bench.steering import FORCED, Aim, steered_deal
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
from engine.core.log import log_of
from engine.core.vocabulary import Players
from engine.play.state import FINISHED
from engine.rulesets import PUBLISHED, Rules, find
from engine.rulesets.model import Contract
from engine.rulesets.switches import Settings
from schemas.notation import SUFFIX, read_logs, written_log
from schemas.wire.writer import entry_bytes

FOLDER: Final = Path(__file__).parent.parent / "replays"
MOST_TRIES: Final = 40_000
SOURCE: Final = "Made up for Spadille as an example of the rules; nobody played it."
Wanted = Callable[[Audit], bool]


@dataclass(frozen=True)
class Example:
    """A deal to be found: what it shows, what it is steered towards, and how one knows that it came out."""

    ruleset: str
    name: str
    title: str
    aim: Aim
    wanted: Wanted
    opening: dict[str, Any] = field(default_factory=dict)


def came_out(outcome: str, slam: str | None = None) -> Wanted:
    """Whether the deal is decided so."""
    return lambda told: (told.score.outcome, told.score.slam) == (outcome, slam)


def examples(rules: Rules) -> Iterator[Example]:
    """Every example of one ruleset."""
    yield Example(rules.ruleset.id, "passed-out", "All pass", Aim(None), came_out("passed_out"))
    yield from contracts_and_outcomes(rules)
    yield from endings(rules)
    if rules.ruleset.slam is not None:
        yield from slams(rules)
    if rules.ruleset.giving_up is not None:
        yield from givings_up(rules)
    if rules.ruleset.foul != "not-stated":
        yield from fouls(rules)
    if rules.ruleset.pool is not None:
        yield from round_the_pool(rules)
    if rules.ruleset.surrender is not None:
        yield from surrenders(rules)


def contracts_and_outcomes(rules: Rules) -> Iterator[Example]:
    """Every contract, also those of extras, with every outcome that it can have."""
    agreed = everything_agreed(rules)
    full = find(PUBLISHED, rules.ruleset.id, None, agreed) or rules
    for contract in full.contracts.values():
        opening = {} if contract.id in rules.contracts else {"switches": agreed_for(contract, agreed)}
        for outcome, word in OUTCOMES.items():
            if possible(contract, outcome):
                yield Example(
                    rules.ruleset.id,
                    f"{contract.id}-{outcome}",
                    f"{contract.words.en}: {word}",
                    Aim(contract.id, strong=outcome == "won"),
                    came_out_or_open(outcome),
                    opening,
                )


def possible(contract: Contract, outcome: str) -> bool:
    """Whether a contract can have an outcome: nolo ouvert may have no bête, countervole has no kodille."""
    if contract.aim == "game" or outcome == "won":
        return True
    if outcome == "codille":
        return contract.codille_from is not None and (contract.ends_at or 9) >= contract.codille_from
    return contract.codille_from is None or contract.codille_from > 1


def agreed_for(contract: Contract, agreed: Settings) -> Settings:
    """The switches that make a contract playable."""
    return tuple((name, value) for name, value in agreed if name in (contract.extra, "favoured-suit"))


def everything_agreed(rules: Rules) -> Settings:
    """Switches with every extra on, and a favoured suit where there can be one."""
    extras = [(one.id, True) for one in rules.ruleset.switches if one.sets.startswith("extras.")]
    favoured = [(one.id, "H") for one in rules.ruleset.switches if one.sets == "favoured"]
    return (*extras, *favoured)


def game_of(rules: Rules) -> str:
    """The lowest game."""
    return next(contract.id for contract in rules.contracts.values() if contract.aim == "game")


def endings(rules: Rules) -> Iterator[Example]:
    """A misdeal, and one who sits out and pays."""
    ruleset, game = rules.ruleset.id, game_of(rules)
    voided = (("exchanged", DealVoided("A card lay face up.")),)
    yield Example(
        ruleset, "voided", "A misdeal: the deal does not count", Aim(game, acts=voided), came_out("voided")
    )
    four = {"players": Players("Anna", "Bo", "Carl", ("Dora",)), "switches": (("sitter-pays", True),)}
    yield Example(
        ruleset, "four-at-the-table", "Four at the table: who sits out pays too",
        Aim(game, strong=True), came_out("won"), four,
    )  # fmt: skip


def slams(rules: Rules) -> Iterator[Example]:
    """All nine tricks: led for, announced, made and lost."""
    ruleset, game, slam = rules.ruleset.id, game_of(rules), rules.ruleset.slam
    for end in ("made", "failed"):
        yield Example(
            ruleset, f"slam-led-{end}", f"Led to the sixth trick for all nine: {end}",
            Aim(game, strong=True, tries=True), came_out("won", end),
        )  # fmt: skip
    if slam is None or slam.announced == "never":
        return
    when = "trick 6" if slam.announced == "after-fifth-trick" else "trick 5"
    for end in ("made", "failed"):
        yield Example(
            ruleset, f"slam-announced-{end}", f"All nine tricks announced: {end}",
            Aim(game, strong=True, acts=((when, SlamAnnounced(DECLARER)),)), came_out("won", end),
        )  # fmt: skip


def givings_up(rules: Rules) -> Iterator[Example]:
    """Given up for bête, and against kodille."""
    ruleset, game, terms = rules.ruleset.id, game_of(rules), rules.ruleset.giving_up
    early = (("exchanged", DealAbandoned(DECLARER)),)
    yield Example(
        ruleset, "given-up-for-bete", "Given up for bête after the exchange", Aim(game, acts=early),
        came_out("abandoned"),
    )  # fmt: skip
    if terms is not None and terms.codille_any_time:
        late = (("trick 4", DealAbandoned(DECLARER, "codille")),)
        yield Example(
            ruleset, "given-up-as-codille", "Given up in the fourth trick, as kodille", Aim(game, acts=late),
            came_out("abandoned"),
        )  # fmt: skip


def fouls(rules: Rules) -> Iterator[Example]:
    """The exchange fouled up, and the director's ruling."""
    for seat, who in ((DECLARER, "declarer"), (DEFENDER, "defender")):
        ruling = RulingMade("The exchange was fouled up.", outcome="forfeited", at_fault=seat)
        yield Example(
            rules.ruleset.id, f"forfeited-by-{who}", f"The exchange fouled up by a {who}",
            Aim(game_of(rules), acts=(("exchanged", ruling),)), came_out("forfeited"),
        )  # fmt: skip


DECLARER: Final = Seat(0)
DEFENDER: Final = Seat(1)
OTHER_DEFENDER: Final = Seat(2)
"""Seats counted from the declarer."""


def surrenders(rules: Rules) -> Iterator[Example]:
    """A surrender accepted, and forbidden with all that can come of it."""
    ruleset, game = rules.ruleset.id, game_of(rules)
    offer = SurrenderOffered(DECLARER)
    accepts = (SurrenderAnswered(DEFENDER, "accept"), SurrenderAnswered(OTHER_DEFENDER, "accept"))
    taken = tuple(("trick 4", event) for event in (offer, *accepts))
    yield Example(
        ruleset,
        "surrendered",
        "A surrender accepted by both",
        Aim(game, strong=False, acts=taken),
        came_out("bete"),
    )
    forbidden = tuple(("trick 3", event) for event in (offer, SurrenderAnswered(DEFENDER, "forbid")))
    for outcome, what in (("won", "wins"), ("bete", "is bested: twins"), ("codille", "suffers codille")):
        yield Example(
            ruleset,
            f"surrender-forbidden-{outcome}",
            f"A surrender forbidden: the new Ombre {what}",
            Aim(game, acts=forbidden),
            undetermined if outcome == "codille" else came_out(outcome),
        )


def round_the_pool(rules: Rules) -> Iterator[Example]:
    """Primeras and estuches, puestas set aside, the vole challenged, spadille forced."""
    ruleset, game = rules.ruleset.id, game_of(rules)
    aside, lost = (("end", PuestaReserved(DECLARER)),), came_out("bete")
    yield Example(ruleset, "puesta-reserved", "A puesta set aside by its loser", Aim(game, acts=aside), lost)
    yield Example(
        ruleset, "puesta-reserved-by-agreement", "A puesta set aside, the pool being large enough",
        Aim(game), lost, {"pool": 60, "switches": (("reserve-at", 60),)},
    )  # fmt: skip
    yield Example(
        ruleset, "reserved-puestas-come-back", "The pool is won, and the largest puesta set aside comes in",
        Aim(game, strong=True), came_out("won"), {"reserved": (15, 40, 25)},
    )  # fmt: skip
    yield Example(
        ruleset, "primeras", "The first five tricks: primeras", Aim(game, strong=True), has_item("primeras")
    )
    yield Example(
        ruleset, "estuches-held", "Paid for the trumps held from spadille on", Aim(game, strong=True),
        has_item("estuches"),
    )  # fmt: skip
    extras = {one.id for one in rules.ruleset.switches}
    if "vole-challenge" in extras:
        for outcome, slam in (("won", "made"), ("won", "failed"), ("bete", "failed")):
            yield Example(
                ruleset,
                f"vole-challenged-{outcome}-{slam}",
                f"The vole challenged in the auction: {slam}",
                Aim("solo", bid="vole", strong=True if outcome == "won" else None),
                came_out(outcome, slam),
                {"switches": (("vole-challenge", True),)},
            )
    if "forced-spadille" in extras:
        yield Example(
            ruleset, "forced-spadille", "All pass, and spadille is forced to play",
            Aim(game, bid=FORCED), lost, {"switches": (("forced-spadille", True),)},
        )  # fmt: skip


OUTCOMES: Final = {"won": "won", "bete": "bête", "codille": "kodille"}


def came_out_or_open(outcome: str) -> Wanted:
    """Whether the deal is decided so, or is over so and the source does not say what it pays."""

    def wanted(told: Audit) -> bool:
        if told.score.decided:
            return came_out(outcome)(told)
        return told.state.phase == FINISHED and [name for name, _ in told.score.reachable] == [outcome]

    return wanted


def undetermined(told: Audit) -> bool:
    """Whether the deal is over and the rules do not say what it pays."""
    return not told.score.decided and [name for name, _ in told.score.reachable] == ["codille"]


def has_item(label: str) -> Wanted:
    """Whether the deal is decided and something is paid for that."""
    return lambda told: told.score.decided and any(item.label.startswith(label) for item in told.score.items)


def found(example: Example) -> Log | None:
    """A deal that shows it; None where none turned up, the thing perhaps being impossible."""
    rng = random.Random(f"{example.ruleset}/{example.name}")
    opened = DealOpened(
        ruleset=example.ruleset,
        revision=1,
        players=Players("Anna", "Bo", "Carl"),
        title=f"{example.ruleset}, example: {example.title}",
        source=SOURCE,
        pool=20 if POOLED[example.ruleset] else None,
    )
    opened = replace(opened, **example.opening)
    for _ in range(MOST_TRIES):
        events = steered_deal(rng, opened, example.aim)
        if events is None:
            continue
        told = audit(log_of(events))
        serious = any(
            one.severity in ("impossible", "error") or one.code == "unknown_switch" for one in told.findings
        )
        if example.wanted(told) and not serious:
            return log_of(events)
    return None


POOLED: Final = {rules.ruleset.id: rules.ruleset.pool is not None for rules in PUBLISHED}


def main() -> None:
    """Writes every example that is missing, then the JSON Lines of every deal of the library."""
    for rules in PUBLISHED:
        for example in examples(rules):
            file = FOLDER / example.ruleset / f"{example.name}{SUFFIX}"
            if file.exists():
                continue
            log = found(example)
            if log is None:
                print(f"{example.ruleset}: no deal shows {example.name}")
                continue
            file.parent.mkdir(exist_ok=True)
            file.write_text(written_log(log), encoding="utf-8")
            print(f"{example.ruleset}: {example.name}, {len(log)} entries")
    for file in sorted(FOLDER.rglob(f"*{SUFFIX}")):
        derive(file)


def derive(file: Path) -> None:
    """Writes the JSON Lines of a deal beside its text."""
    (read,) = read_logs([file.read_bytes()], str(file))
    if read.problems:
        raise SystemExit(
            "\n".join(f"{one.file}:{one.line}:{one.column}: {one.message}" for one in read.problems)
        )
    lines = b"".join(entry_bytes(entry, bare=True) + b"\n" for entry in read.log)
    beside = file.with_suffix(replays.SUFFIX)
    if not beside.exists() or beside.read_bytes() != lines:
        beside.write_bytes(lines)
        print(f"{beside}: {len(read.log)} entries")


if __name__ == "__main__":
    main()

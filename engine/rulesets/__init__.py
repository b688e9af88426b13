"""The rulesets that ship with the engine, and how a deal finds the one it names."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from engine.core.cards import ACES_ONLY, SUIT_BY_LETTER, Suit
from engine.core.ranking import UNKNOWN_TRUMP, TrickRules, build_trick_rules
from engine.rulesets.clockwise import CLOCKWISE
from engine.rulesets.dlu import DLU
from engine.rulesets.dlu_tournament import DLU_TOURNAMENT
from engine.rulesets.five_matadors import FIVE_MATADORS
from engine.rulesets.gamerules import GAMERULES
from engine.rulesets.la_bete import LA_BETE
from engine.rulesets.lomber import LOMBER
from engine.rulesets.model import Bid, Contract, Naming, Ruleset, Tariff
from engine.rulesets.ombre import OMBRE
from engine.rulesets.switches import SwitchSettings, apply_switches
from engine.rulesets.tresillo import TRESILLO

UNKNOWN_RULESET: Final = Ruleset(
    id="", revision=0, words="unknown ruleset", source="", bids=(), contracts=(), naming=()
)
"""Stands in for a ruleset nobody published: its deals fold, nothing is judged or paid."""


class CompiledRuleset(NamedTuple):
    """A ruleset made ready to fold with: the same data, found by id, as far as it is in force.

    ``unknown_switches``: switches that were set and that it does not know; ``bids_after_all_pass``: the bids
    that are open after all have passed; ``has_penalties``: whether a legal bid may still be worth a penalty.
    """

    ruleset: Ruleset
    is_known: bool
    unknown_switches: SwitchSettings
    bids: dict[str, Bid]
    contracts: dict[str, Contract]
    namings_by_bid: dict[str, tuple[Naming, ...]]
    tariffs: dict[str, Tariff]
    pool_bases: dict[str, int]
    bids_after_all_pass: tuple[str, ...]
    has_penalties: bool
    trick_rules_by_trump: tuple[TrickRules, ...]
    """By trump suit; at ``NO_TRUMP`` those of nolo, at ``ACES_ONLY`` those with two trumps."""

    def __repr__(self) -> str:
        return f"<ruleset {self.ruleset.id}>"  # whole it fills pages, wherever it is a default

    def trick_rules(self, trump: Suit | None) -> TrickRules:
        """The tables of play for ``trump``; None where nobody recorded it."""
        return UNKNOWN_TRUMP if trump is None else self.trick_rules_by_trump[trump]


RulesetBook = tuple[CompiledRuleset, ...]
"""The rulesets that a deal may name, ready to fold with."""


def compile_ruleset(ruleset: Ruleset, settings: SwitchSettings = ()) -> CompiledRuleset:
    """A ruleset with switches set, made ready to fold with."""
    return compile_cached(ruleset, settings, tuple(type(value) for _, value in settings))


@lru_cache(maxsize=512)
def compile_cached(ruleset: Ruleset, settings: SwitchSettings, kinds: tuple[type, ...]) -> CompiledRuleset:
    """The same, cached; ``kinds`` distinguish ``true`` from 1, which are equal as keys."""
    ruleset, _, unknown = apply_switches(ruleset, settings)
    contracts = {contract.id: contract for contract in contracts_in_force(ruleset)}
    naming = {bid: namings for bid, namings in namings_in_force(ruleset, contracts) if namings}
    bids = {
        bid.id: bid for bid in ruleset.bids if _is_bid_in_force(ruleset, bid, contracts) and bid.id in naming
    }
    tables = tuple(
        build_trick_rules(Suit(trump), ruleset.red_trumps, ruleset.matadors)
        for trump in range(int(ACES_ONLY) + 1)
    )
    return CompiledRuleset(
        ruleset,
        bool(ruleset.id),
        unknown,
        bids,
        contracts,
        {bid: naming[bid] for bid in bids},
        {name: tariff for name, tariff in ruleset.tariff if name in contracts},
        {name: base for name, base in (ruleset.pool.bases if ruleset.pool else ()) if name in contracts},
        tuple(sorted(bid.id for bid in bids.values() if bid.after_all_pass)),
        ruleset.penalties is not None,
        tables,
    )


def _is_bid_in_force(ruleset: Ruleset, bid: Bid, contracts: Mapping[str, Contract]) -> bool:
    """Whether a bid can be made: its extra is agreed, and the contract of its name is one that is played."""
    played = bid.id in contracts or all(contract.id != bid.id for contract in ruleset.contracts)
    return played and bid.extra in ("", *ruleset.extras)


def contracts_in_force(ruleset: Ruleset) -> Iterator[Contract]:
    """The contracts that can be played: those of extras that are agreed, a favoured suit filled in."""
    for contract in ruleset.contracts:
        if contract.extra not in ("", *ruleset.extras):
            continue
        if contract.trump != "favoured":
            yield contract
        elif ruleset.favoured != "none":
            yield replace(contract, trump=ruleset.favoured)


def namings_in_force(
    ruleset: Ruleset, contracts: Mapping[str, Contract]
) -> Iterator[tuple[str, tuple[Naming, ...]]]:
    """What each winning bid may name of ``contracts``; the favoured suit is named by its own contract."""
    favoured = None if ruleset.favoured == "none" else SUIT_BY_LETTER[ruleset.favoured]
    for bid, namings in ruleset.naming:
        allowed = []
        for naming in namings:
            contract = contracts.get(naming.contract)
            if contract is None:
                continue
            if contract.trump in SUIT_BY_LETTER:
                naming = Naming(contract.id, (SUIT_BY_LETTER[contract.trump],))
            elif contract.favoured_form:
                naming = Naming(contract.id, tuple(t for t in naming.trumps if t != favoured))
            allowed.append(naming)
        yield bid, tuple(allowed)


PUBLISHED_RULESETS: Final[RulesetBook] = tuple(
    compile_ruleset(one)
    for one in (LA_BETE, GAMERULES, CLOCKWISE, OMBRE, DLU, FIVE_MATADORS, DLU_TOURNAMENT, LOMBER, TRESILLO)
)
"""Every published revision, oldest first."""

NO_RULES: Final = compile_ruleset(UNKNOWN_RULESET)
"""The rules of a deal whose ruleset is in no book."""


def find_ruleset(
    book: RulesetBook, ruleset_id: str, revision: int | None = None, settings: SwitchSettings = ()
) -> CompiledRuleset | None:
    """The rules of that id in ``book``, that revision or the newest, as switched; None if there are none."""
    found = None
    for rules in book:
        ruleset = rules.ruleset
        named = ruleset.id == ruleset_id and revision in (None, ruleset.revision)
        if named and (found is None or ruleset.revision > found.ruleset.revision):
            found = rules
    return compile_ruleset(found.ruleset, settings) if found is not None and settings else found


__all__ = [
    "DLU",
    "NO_RULES",
    "OMBRE",
    "PUBLISHED_RULESETS",
    "UNKNOWN_RULESET",
    "CompiledRuleset",
    "Ruleset",
    "RulesetBook",
    "compile_cached",
    "compile_ruleset",
    "find_ruleset",
]

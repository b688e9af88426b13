"""What a slip can say by a ruleset's data: contracts, trumps, outcomes, extras, and what each pays.

All of it is read from the ruleset as its table has switched it: a club's own rules are offered as any other.
"""

from typing import Any, Final

from engine.core.cards import SUITS
from engine.rulesets import Book, Rules, rules_with
from engine.rulesets.model import Contract, Switch, Value
from engine.rulesets.policies import MEANINGS, NOUGHT
from engine.rulesets.switches import setting
from service.presentation.i18n.source_words import source_in

CHOSEN: Final = frozenset({"chosen", "chosen-after-draw", "turned"})
"""How trumps come about that a slip has to name: all others follow from the contract."""

NOLO: Final = "nolo"

USUAL: Final = "dlu"
"""By these rules Danish clubs play: a first table begins with them."""


def choices_of(rules: Rules, language: str) -> dict[str, Any]:
    """What a slip by these rules offers, in ``language``.

    ``contracts`` in the order of the ruleset: each with its name, the trumps to choose from (none: they
    follow from it), the outcomes that it can have, whether it is a nolo, and its row of the payments.
    ``slam``, ``primeras``, ``estuches``: which of these its slips may add (the greatest number of the last).
    """
    ruleset = rules.ruleset
    return {
        "id": ruleset.id,
        "revision": ruleset.revision,
        "name": ruleset.words[language],
        "source": source_in(language, ruleset.source),
        "contracts": [contract_choice(rules, contract, language) for contract in rules.contracts.values()],
        "slam": ruleset.slam is not None,
        "primeras": ruleset.pool is not None,
        "estuches": ruleset.pool.estuches_most if ruleset.pool else 0,
        "pool": ruleset.pool is not None,
        "stake": ruleset.pool.stake if ruleset.pool else None,
        "chip": ruleset.chip[language],
    }


def contract_choice(rules: Rules, contract: Contract, language: str) -> dict[str, Any]:
    """One contract on a slip."""
    return {
        "id": contract.id,
        "name": contract.words[language],
        "nolo": contract.aim == NOLO,
        "trumps": trumps_of(rules, contract),
        "outcomes": outcomes_of(contract),
        "pays": payments_of(rules, contract),
    }


def trumps_of(rules: Rules, contract: Contract) -> list[str]:
    """The suits that a slip chooses from; none where the contract says them or has no trumps."""
    if contract.trump not in CHOSEN:
        return []
    named = {
        trump for namings in rules.naming.values() for one in namings if one.contract == contract.id
        for trump in one.trumps
    }  # fmt: skip
    return [SUITS[trump] for trump in sorted(named)] or list(SUITS)


def outcomes_of(contract: Contract) -> list[str]:
    """How the contract can end: a nolo by its declarer's tricks, any other in all three ways."""
    if contract.aim != NOLO:
        return ["won", "bete", "codille"]
    least = contract.codille_from
    bete = [] if least == 1 else ["bete"]
    return ["won", *bete, *([] if least is None else ["codille"])]


def payments_of(rules: Rules, contract: Contract) -> dict[str, Any] | None:
    """The contract's row of the table of payments; None where the rules have none for it.

    ``won`` and ``bete`` from and to each opponent, ``codille`` by the tricks too many; or ``base``, where it
    is played for a pool.
    """
    if contract.id in rules.bases:
        return {"base": rules.bases[contract.id]}
    tariff = rules.tariff.get(contract.id)
    if tariff is None:
        return None
    codille = [min(due, tariff.most or due) for due in tariff.codille]
    return {"won": tariff.won, "bete": tariff.bete, "codille": codille}


def ruleset_choices(book: Book, language: str) -> list[dict[str, Any]]:
    """The newest revision of every ruleset of ``book``, as a new table chooses among them."""
    newest = {rules.ruleset.id: rules for rules in sorted(book, key=lambda one: one.ruleset.revision)}
    ordered = dict.fromkeys(rules.ruleset.id for rules in book)
    return [
        {**choices_of(newest[name], language), "switches": switches_of(newest[name], language)}
        for name in ordered
    ]


def usual_of(book: Book) -> str:
    """The ruleset that is offered where nothing was played before: the usual one, if the book has it."""
    ids = [rules.ruleset.id for rules in book]
    return USUAL if USUAL in ids else ids[0]


def switches_of(rules: Rules, language: str) -> list[dict[str, Any]]:
    """What a table can agree on beside the ruleset, and how that ``stands`` unless it says so.

    Each has ``choices``: its values, what they mean, and the contracts that are other than usual by them;
    or, where it is any whole number, ``least`` and ``most``, and what ``nought`` means where it can be that.
    """
    return [switch_offer(rules, switch, language) for switch in rules.ruleset.switches]


def switch_offer(rules: Rules, switch: Switch, language: str) -> dict[str, Any]:
    """One switch, as a table is asked about it."""
    offer: dict[str, Any] = {
        "id": switch.id,
        "name": switch.words[language],
        "stands": setting(rules.ruleset, switch),
    }
    if switch.spans:
        nought = NOUGHT.get(switch.sets.rpartition(".")[2]) if switch.values[0] == 0 else None
        told = nought[language] if nought else None
        return {**offer, "least": switch.values[0], "most": switch.values[-1], "nought": told}
    choices = [
        {
            "value": value,
            "name": meaning_of(switch, value, language),
            "contracts": contracts_changed(rules, switch, value, language),
        }
        for value in switch.values
    ]
    return {**offer, "choices": choices}


def meaning_of(switch: Switch, value: Value, language: str) -> str | None:
    """What a switch means at that value, in a sentence; None for a plain yes or no."""
    if isinstance(value, bool):
        return None
    meanings = MEANINGS.get(switch.sets, {})
    words = meanings.get(value) if isinstance(value, str) else None
    if value == 0:
        words = NOUGHT.get(switch.sets.rpartition(".")[2])
    return words[language] if words else str(value)


def contracts_changed(rules: Rules, switch: Switch, value: Value, language: str) -> list[dict[str, Any]]:
    """The contracts that are new, or pay something else, where the switch is set so."""
    set_so = rules_with(rules.ruleset, ((switch.id, value),))
    usual = [contract_choice(rules, contract, language) for contract in rules.contracts.values()]
    changed = (contract_choice(set_so, contract, language) for contract in set_so.contracts.values())
    return [one for one in changed if one not in usual]

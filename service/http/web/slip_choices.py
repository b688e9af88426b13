"""The choices of a slip, a slip batch and the recorder: contracts, trumps, outcomes, and what each pays.

All are read from the ruleset with the table's switches, a club's own ruleset like any other.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engine.core.cards import CARD_CODES, NO_TRUMP, SUIT_BY_LETTER, SUIT_LETTERS
from engine.core.ranking import suit_ladders
from engine.play.auction import PASS, SELF
from engine.rulesets import CompiledRuleset, RulesetBook, compile_ruleset
from engine.rulesets.model import Contract, HouseSwitch, SwitchValue
from engine.rulesets.policies import ZERO_MEANINGS
from engine.rulesets.switches import switch_setting
from engine.scoring.score import TRICK_OUTCOMES
from schemas.answers.deal_reports import card_order_object, games_object
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import ruleset_source
from schemas.rulesets.rulebook import describe_switch_value
from schemas.spreadsheet import sheet_words
from schemas.spreadsheet.cell_parsers import OUTCOME_BY_SIGN
from schemas.spreadsheet.row_reader import list_extras_words
from schemas.spreadsheet.sheet_words import abbreviate_contracts

CHOSEN_TRUMP_MODES: Final = frozenset({"chosen", "chosen-after-draw", "turned"})
"""The ways to find trumps that a slip has to name; otherwise they follow from the contract."""

NOLO_AIM: Final = "nolo"
CellChoice = dict[str, Any]

DEFAULT_RULESET_ID: Final = "dlu"
"""The rules of Danish clubs, with which a first table begins."""


def build_slip_choices(rules: CompiledRuleset, language: str) -> dict[str, Any]:
    """The choices of a slip by these rules.

    ``contracts`` in the order of the ruleset, see `build_contract_choice`; ``slam``, ``primeras`` and
    ``estuches`` (the greatest number): what else a slip may say.
    """
    ruleset = rules.ruleset
    return {
        "id": ruleset.id,
        "revision": ruleset.revision,
        "name": gettext(ruleset.words, language),
        "source": ruleset_source(ruleset.source, language),
        "contracts": [
            build_contract_choice(rules, contract, language) for contract in rules.contracts.values()
        ],
        "slam": ruleset.slam is not None,
        "primeras": ruleset.pool is not None,
        "estuches": ruleset.pool.estuches_most if ruleset.pool else 0,
        "pool": ruleset.pool is not None,
        "stake": ruleset.pool.stake if ruleset.pool else None,
        "chip": gettext(ruleset.chip, language),
    }


def build_recorder_choices(rules: CompiledRuleset, language: str) -> dict[str, Any]:
    """The choices of the recorder; what is legal at a point it asks the API.

    Those of `build_slip_choices`, ``calls``: every call with its name, pass first, then the lowest bids; and
    ``trick_ladders``, see `build_trick_ladders`.
    """
    bids = sorted(rules.bids.values(), key=lambda bid: bid.rank)
    bid_choices = [{"id": bid.id, "name": gettext(bid.words, language)} for bid in bids]
    return {
        **build_slip_choices(rules, language),
        "calls": [{"id": PASS, "name": None}, {"id": SELF, "name": None}, *bid_choices],
        "surrender": rules.ruleset.surrender is not None,
        "card_order": card_order_object(rules),
        "trick_ladders": build_trick_ladders(rules),
        "games": games_object(rules, language),
    }


def build_trick_ladders(rules: CompiledRuleset) -> dict[str, list[dict[str, str]]]:
    """Which card takes a trick, by trump (a letter, or ``none``): a ladder for each suit.

    ``led`` are the cards of the suit; ``wins`` are those that can take a trick in which it is led, the best
    first. The service judges the same when it is asked; a page reads the ladders when it cannot ask.
    """
    trumps = {"none": NO_TRUMP, **{suit: SUIT_BY_LETTER[suit] for suit in SUIT_LETTERS}}
    found = {}
    for name, trump in trumps.items():
        suits = [
            "".join(CARD_CODES[card] for card in ladder)
            for ladder in suit_ladders(trump, rules.ruleset.red_trumps, SUIT_LETTERS)
        ]
        best = "" if trump == NO_TRUMP else suits[0]
        found[name] = [{"led": suit, "wins": suit if suit == best else best + suit} for suit in suits]
    return found


def build_contract_choice(rules: CompiledRuleset, contract: Contract, language: str) -> dict[str, Any]:
    """One contract on a slip: its trumps to choose from, its outcomes, its payments."""
    return {
        "id": contract.id,
        "name": gettext(contract.words, language),
        "nolo": contract.aim == NOLO_AIM,
        "trumps": list_slip_trumps(rules, contract),
        "outcomes": list_slip_outcomes(contract),
        "pays": build_contract_payments(rules, contract),
    }


def list_slip_trumps(rules: CompiledRuleset, contract: Contract) -> list[str]:
    """The suits that a slip chooses from; none where they follow from the contract."""
    if contract.trump not in CHOSEN_TRUMP_MODES:
        return []
    trumps = {
        trump
        for namings in rules.namings_by_bid.values()
        for naming in namings
        if naming.contract == contract.id
        for trump in naming.trumps
    }
    return [SUIT_LETTERS[trump] for trump in sorted(trumps)] or list(SUIT_LETTERS)


def list_slip_outcomes(contract: Contract) -> list[str]:
    """How the contract can end: a nolo by its declarer's tricks, any other in all three ways."""
    if contract.aim != NOLO_AIM:
        return list(TRICK_OUTCOMES)
    least = contract.codille_from
    bete = [] if least == 1 else ["bete"]
    return ["won", *bete, *([] if least is None else ["codille"])]


def build_contract_payments(rules: CompiledRuleset, contract: Contract) -> dict[str, Any] | None:
    """The payments of a contract; None where the rules have none for it.

    ``won`` and ``bete`` from and to each opponent, ``codille`` by the number of extra tricks; or ``base``
    where the contract is played for a pool.
    """
    if contract.id in rules.pool_bases:
        return {"base": rules.pool_bases[contract.id]}
    tariff = rules.tariffs.get(contract.id)
    if tariff is None:
        return None
    codille = [min(chips, tariff.most or chips) for chips in tariff.codille]
    return {"won": tariff.won, "bete": tariff.bete, "codille": codille}


def build_ruleset_choices(book: RulesetBook, language: str) -> list[dict[str, Any]]:
    """The newest revision of every ruleset of ``book``, as a new table chooses among them."""
    newest = {rules.ruleset.id: rules for rules in sorted(book, key=lambda one: one.ruleset.revision)}
    ordered = dict.fromkeys(rules.ruleset.id for rules in book)
    return [
        {
            **build_slip_choices(rules, language),
            "switches": [build_switch_choice(rules, switch, language) for switch in rules.ruleset.switches],
        }
        for rules in map(newest.__getitem__, ordered)
    ]


def default_ruleset_id(book: RulesetBook) -> str:
    """The ruleset with which a first table begins: the usual one, if the book has it."""
    ids = [rules.ruleset.id for rules in book]
    return DEFAULT_RULESET_ID if DEFAULT_RULESET_ID in ids else ids[0]


def build_switch_choice(rules: CompiledRuleset, switch: HouseSwitch, language: str) -> dict[str, Any]:
    """A house switch: what it is unless a table sets it (``stands``), and what it can be.

    That is ``choices``: each value with its meaning and the contracts that it changes; or, for a number,
    ``least`` and ``most``, and the meaning of ``nought`` if zero is possible.
    """
    base_choice: dict[str, Any] = {
        "id": switch.id,
        "name": gettext(switch.words, language),
        "stands": switch_setting(rules.ruleset, switch),
    }
    if switch.spans:
        zero_words = ZERO_MEANINGS.get(switch.sets.rpartition(".")[2]) if switch.values[0] == 0 else None
        zero_meaning = gettext(zero_words, language) if zero_words else None
        return {**base_choice, "least": switch.values[0], "most": switch.values[-1], "nought": zero_meaning}
    choices = [
        {
            "value": value,
            "name": describe_switch_value(switch, value, language),
            "contracts": list_changed_contracts(rules, switch, value, language),
        }
        for value in switch.values
    ]
    return {**base_choice, "choices": choices}


def list_changed_contracts(
    rules: CompiledRuleset, switch: HouseSwitch, value: SwitchValue, language: str
) -> list[dict[str, Any]]:
    """The contracts that are new or pay something else if a switch has that value."""
    switched_rules = compile_ruleset(rules.ruleset, ((switch.id, value),))
    usual, switched = (
        [build_contract_choice(one, contract, language) for contract in one.contracts.values()]
        for one in (rules, switched_rules)
    )
    return [choice for choice in switched if choice not in usual]


# What is typed in the cells of a batch


def build_slip_batch_choices(rules: CompiledRuleset, language: str) -> dict[str, list[CellChoice]]:
    """The choices for typing in the cells of a slip batch, which `row_reader` reads.

    ``name`` is what is written, ``short`` and ``others`` are accepted, too. A contract has the
    ``trumps`` that it leaves open; the contracts include that everybody passed.
    """
    abbreviations, is_danish = abbreviate_contracts(rules, language), language == "da"
    other_language = "en" if is_danish else "da"
    contracts = [
        build_cell_choice(
            gettext(contract.words, language),
            abbreviations[contract.id],
            (gettext(contract.words, other_language), *sheet_words.CONTRACT_SPELLINGS.get(contract.id, ())),
            trumps=list_slip_trumps(rules, contract),
        )
        for contract in rules.contracts.values()
    ]
    passed = sheet_words.OUTCOME_WORDS_BY_ID["passed_out"]
    passed_choice = build_cell_choice("pas" if is_danish else "pass", "", passed, trumps=[])
    suits = [
        _build_word_choice(sheet_words.SUIT_WORDS_BY_LETTER, suit, is_danish, code=suit) for suit in "SHCD"
    ]
    outcomes = [
        _build_word_choice(
            sheet_words.OUTCOME_WORDS_BY_ID,
            outcome,
            is_danish,
            [sign for sign, sign_outcome in OUTCOME_BY_SIGN.items() if sign_outcome == outcome],
        )
        for outcome in dict.fromkeys((*TRICK_OUTCOMES, *sheet_words.OUTCOME_WORDS_BY_ID))
    ]
    return {
        "contract": [*contracts, passed_choice],
        "trump": suits,
        "outcome": outcomes,
        "extras": [build_cell_choice(name, "", ()) for name in list_extras_words(rules, language)],
    }


def build_cell_choice(name: str, short: str, alternatives: Iterable[str], **extra_fields: Any) -> CellChoice:
    """One choice of a cell."""
    other_spellings = [spelling for spelling in dict.fromkeys(alternatives) if spelling not in (name, short)]
    return {"name": name, "short": short, "others": other_spellings, **extra_fields}


def _build_word_choice(
    spellings_by_id: Mapping[str, tuple[str, ...]],
    choice_id: str,
    is_danish: bool,
    extra_spellings: Iterable[str] = (),
    **fields: Any,
) -> CellChoice:
    """A choice among the words of a sheet. Its first letter is its abbreviation, unless it is another's."""
    spellings = spellings_by_id[choice_id]
    name = spellings[is_danish]
    letter_meaning = sheet_words.build_meaning_by_word(spellings_by_id).get(name[0], choice_id)
    short = name[0] if letter_meaning == choice_id else ""
    return build_cell_choice(name, short, (*spellings, *extra_spellings), **fields)

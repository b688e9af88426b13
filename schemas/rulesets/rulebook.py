"""A ruleset set out in tables that a player can check, in Danish or in English."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from engine.core.cards import CARD_CODES, NO_TRUMP, SUIT_LETTERS, Card
from engine.core.message import Message
from engine.core.ranking import plain_ladders, trump_ladder
from engine.rulesets import contracts_in_force
from engine.rulesets.model import (
    ALL_SUITS,
    Clause,
    Contract,
    HouseSwitch,
    Naming,
    PenaltyTerms,
    Ruleset,
    SwitchValue,
    Tariff,
)
from engine.rulesets.policies import POLICY_LABELS, POLICY_MEANINGS, ZERO_MEANINGS
from engine.rulesets.switches import describe_switch_values, switch_setting
from schemas.i18n.catalogs import gettext
from schemas.i18n.translate import chip_name, ruleset_source


class RulebookTable(NamedTuple):
    """A table of the rulebook: its title, the heads of its columns, its rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class RulebookNames(NamedTuple):
    """What bids, contracts and suits are called, by their ids."""

    bid: Callable[[str], str]
    contract: Callable[[str], str]
    suit: Callable[[str], str]


OUR_DECISION: Final = "ours"
NOT_STATED: Final = "not stated"
IDS_ALONE: Final = RulebookNames(str, str, str)
"""For who writes ids: into a record, a spreadsheet or a ruleset of a club."""
_ID_COLUMNS: Final = {"Bids, lowest first": 1, "Policies": 1, "House switches": 0}
"""The columns of ids, by the title of their table."""


def build_rulebook(ruleset: Ruleset, lang: str, names: RulebookNames = IDS_ALONE) -> Iterator[RulebookTable]:
    """The tables of a ruleset, those that have rows; with other ``names`` than ids it shows no ids at all."""
    for title, headings, rows in _list_tables(ruleset, lang, names):
        hidden = None if names is IDS_ALONE else _ID_COLUMNS.get(title)
        shown = [place for place in range(len(headings)) if place != hidden]
        if rows:
            yield RulebookTable(
                gettext(title, lang),
                tuple(gettext(headings[place], lang) for place in shown),
                tuple(tuple(row[place] for place in shown) for row in rows),
            )


def _list_tables(ruleset: Ruleset, lang: str, names: RulebookNames) -> Iterator[RulebookTable]:
    """The tables with all columns, titles and headings in English."""
    contracts = tuple(_contract_row(contract, lang, names) for contract in contracts_in_force(ruleset))
    payments = _payment_rows(ruleset, lang, names)
    switches = (_switch_rows if names is IDS_ALONE else _described_switch_rows)(ruleset, lang)
    for title, headings, rows in (
        ("Cards, high to low", ("suit", "order"), tuple(_rank_rows(ruleset, lang, names))),
        ("Bids, lowest first", ("rank", "bid", "name", "needs"), _bid_rows(ruleset, lang, names)),
        ("Naming the contract", ("winning bid", "may name"), _naming_rows(ruleset, names)),
        ("Contracts and exchange", ("contract", "trumps", "declarer", "defenders", "ends"), contracts),
        ("Payments, from or to each", ("contract", "won", "bête", "codille"), payments),
        ("Further payments and rights", ("point", "worth"), tuple(_term_rows(ruleset, lang, names))),
        ("Policies", ("point", "policy", "means"), tuple(_policy_rows(ruleset, lang))),
        ("House switches", ("switch", "what", "is", "can be"), tuple(switches)),
        ("Clauses", ("clause", "text", "source"), _clause_rows(ruleset, lang)),
    ):
        yield RulebookTable(title, headings, rows)


def _policy_rows(ruleset: Ruleset, lang: str) -> Iterator[tuple[str, ...]]:
    for point, label in POLICY_LABELS.items():
        policy: str = getattr(ruleset, point)
        yield gettext(label, lang), policy, gettext(POLICY_MEANINGS[point][policy], lang)


def _switch_rows(ruleset: Ruleset, lang: str) -> Iterator[tuple[str, ...]]:
    for switch in ruleset.switches:
        value = switch_setting(ruleset, switch)
        text = str(value).lower() if isinstance(value, bool) else str(value)
        yield switch.id, gettext(switch.words, lang), text, _switch_values(switch, lang)


def _described_switch_rows(ruleset: Ruleset, lang: str) -> Iterator[tuple[str, ...]]:
    """The switches, each value in words; what one can be is what it is not."""

    def describe(switch: HouseSwitch, value: SwitchValue) -> str:
        return describe_switch_value(switch, value, lang) or gettext("yes" if value else "no", lang)

    for switch in ruleset.switches:
        value = switch_setting(ruleset, switch)
        others = "\n".join(describe(switch, one) for one in switch.values if one != value)
        values = _switch_values(switch, lang) if switch.spans else others
        yield switch.id, gettext(switch.words, lang), describe(switch, value), values


def describe_switch_value(switch: HouseSwitch, value: SwitchValue, lang: str) -> str | None:
    """The meaning of a value of a switch, in a sentence; None for a plain yes or no."""
    if isinstance(value, bool):
        return None
    meanings = POLICY_MEANINGS.get(switch.sets, {})
    words = meanings.get(value) if isinstance(value, str) else None
    if value == 0:
        words = ZERO_MEANINGS.get(switch.sets.rpartition(".")[2])
    return gettext(words, lang) if words else str(value)


def _switch_values(switch: HouseSwitch, lang: str) -> str:
    described = describe_switch_values(switch)
    if isinstance(described, Message):
        return gettext(described.template, lang).format_map(described.arguments)
    return described


def _rank_rows(ruleset: Ruleset, lang: str, names: RulebookNames) -> Iterator[tuple[str, ...]]:
    def format_cards(cards: list[int]) -> str:
        return " ".join(CARD_CODES[Card(card)] for card in cards)

    for suit in ALL_SUITS:
        ladder = trump_ladder(suit, ruleset.red_trumps)
        yield f"{names.suit(SUIT_LETTERS[suit])} {gettext('trumps', lang)}", format_cards(ladder)
    for ladder in plain_ladders(NO_TRUMP):
        name = names.suit(CARD_CODES[Card(ladder[0])][0])
        yield f"{name} {gettext('no trumps', lang)}", format_cards(ladder)


def _bid_rows(ruleset: Ruleset, lang: str, names: RulebookNames) -> tuple[tuple[str, ...], ...]:
    switch_names = (
        {} if names is IDS_ALONE else {one.id: gettext(one.words, lang) for one in ruleset.switches}
    )
    rows = []
    for bid in sorted(ruleset.bids, key=lambda one: one.rank):
        needs = []
        if bid.needs_black_aces:
            needs.append(gettext("both black aces, dealt", lang))
        if bid.only_over:
            needs.append(gettext("said over ", lang) + ", ".join(map(names.bid, bid.only_over)))
        if bid.as_self_over:
            needs.append(gettext("as self over ", lang) + ", ".join(map(names.bid, bid.as_self_over)))
        if bid.after_all_pass:
            needs.append(gettext("all have passed", lang))
        if bid.extra:
            needs.append(gettext("switch ", lang) + switch_names.get(bid.extra, bid.extra))
        rank = "–" if bid.after_all_pass else str(bid.rank)
        name = gettext(bid.words, lang) if names is IDS_ALONE else names.bid(bid.id)
        rows.append((rank, bid.id, name, "; ".join(needs)))
    return tuple(rows)


def _naming_rows(ruleset: Ruleset, names: RulebookNames) -> tuple[tuple[str, ...], ...]:
    def format_naming(naming: Naming) -> str:
        trumps = " ".join(names.suit(SUIT_LETTERS[trump]) for trump in naming.trumps)
        contract = names.contract(naming.contract)
        return f"{contract} ({trumps})" if trumps else contract

    return tuple(
        (names.bid(bid), ", ".join(map(format_naming, contracts))) for bid, contracts in ruleset.naming
    )


TRUMP_TEXTS: Final = {
    "chosen": "chosen",
    "chosen-after-draw": "chosen after the draw",
    "spades": "spades",
    "diamonds": "diamonds",
    "favoured": "the favoured suit",
    "turned": "turned",
    "aces": "black aces only",
    "none": "none",
    "C": "clubs",
    "D": "diamonds",
    "H": "hearts",
    "S": "spades",
}
LAID_OPEN_TEXTS: Final = {
    "never": "",
    "after-lead": "open after the lead",
    "after-own-card": "open after declarer's first card",
}
SLAM_TEXTS: Final = {
    "never": "led to the sixth",
    "until-sixth-lead": "announced until the lead to the sixth",
    "after-fifth-trick": "announced after the fifth",
}
GIVING_UP_TEXTS: Final = {
    "second-card": "until two cards have been played",
    "declarers-first-card": "until declarer has played",
}


def _contract_row(contract: Contract, lang: str, names: RulebookNames) -> tuple[str, ...]:
    limits = contract.declarer_exchange
    declarer = gettext("no", lang) if limits is None else f"{limits[0]}–{limits[1]}"
    defenders = gettext("yes", lang) if contract.defenders_exchange else gettext("no", lang)
    if contract.first_defender_most < 9:
        defenders += gettext(", first {most} at most", lang).format(most=contract.first_defender_most)
    end_phrase = "" if contract.ends_at is None else gettext("trick ", lang) + str(contract.ends_at)
    return (
        names.contract(contract.id),
        gettext(TRUMP_TEXTS[contract.trump], lang),
        declarer,
        defenders,
        "; ".join(filter(None, (end_phrase, gettext(LAID_OPEN_TEXTS[contract.laid_open], lang)))),
    )


def _payment_rows(ruleset: Ruleset, lang: str, names: RulebookNames) -> tuple[tuple[str, ...], ...]:
    if ruleset.pool is not None:
        puesta = gettext("pool and base, into the pool", lang)
        codille = gettext("the same, to the winner", lang)
        return tuple(
            (names.contract(contract), str(base), puesta, codille) for contract, base in ruleset.pool.bases
        )
    return tuple(
        (names.contract(contract), *_rate_cells(tariff, lang)) for contract, tariff in ruleset.tariff
    )


def _rate_cells(tariff: Tariff, lang: str) -> tuple[str, str, str]:
    won, bete = (
        gettext(NOT_STATED, lang) if chips is None else str(chips) for chips in (tariff.won, tariff.bete)
    )
    codille = ", ".join(map(str, tariff.codille)) or gettext(NOT_STATED, lang)
    if tariff.most:
        codille += gettext(", at most {most}", lang).format(most=tariff.most)
    return won, bete, codille


def _term_rows(ruleset: Ruleset, lang: str, names: RulebookNames) -> Iterator[tuple[str, ...]]:
    if ruleset.pool is not None:
        pool = ruleset.pool
        chips = chip_name(ruleset.chip, pool.stake, lang)
        yield gettext("stake of the dealer", lang), f"{pool.stake} {chips}"
        yield "primeras", f"{pool.primeras}"
        yield gettext("estuches at most", lang), f"{pool.estuches_most}"
        yield "vole", f"{pool.vole}"
        if pool.reserve_at:
            yield gettext("puestas set aside from a pool of", lang), str(pool.reserve_at)
    elif ruleset.slam is not None:
        condition = gettext(SLAM_TEXTS[ruleset.slam.announced], lang)
        yield gettext("all nine tricks", lang), f"{ruleset.slam.worth}, {condition}"
    if ruleset.giving_up is not None:
        deadline = GIVING_UP_TEXTS[ruleset.giving_up.bete_until]
        yield gettext("given up for bête", lang), gettext(deadline, lang)
    if ruleset.surrender is not None:
        until_trick = gettext("until trick {} is begun", lang)
        yield gettext("surrender", lang), until_trick.format(ruleset.surrender.before_trick)
    if ruleset.penalties is not None:
        yield from _penalty_rows(ruleset.penalties, lang, names)
    if ruleset.sitter_pays:
        yield gettext("who sits out", lang, "payment"), gettext("pays as an opponent", lang)


def _penalty_rows(terms: PenaltyTerms, lang: str, names: RulebookNames) -> Iterator[tuple[str, str]]:
    """For what the director may give points, and how many for each (RULES 9)."""
    yield gettext("penalty points for each offence", lang), str(terms.points)
    if terms.needless:
        needless_bids = ", ".join(f"{names.bid(bid)} ({names.bid(enough)})" for bid, enough in terms.needless)
        yield gettext("penalty for a needless bid", lang), needless_bids
    if terms.suit_named:
        yield gettext("penalty for a suit", lang), gettext("named before having the contract", lang)


def _clause_rows(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    return tuple(
        (
            gettext(clause.point, lang, "section"),
            gettext(clause.text, lang),
            clause_source(clause, ruleset, lang),
        )
        for clause in ruleset.clauses
    )


def clause_source(clause: Clause, ruleset: Ruleset, lang: str) -> str:
    """The source of a clause; empty where it is that of the whole ruleset."""
    marks = [OUR_DECISION] * clause.ours + [NOT_STATED] * clause.silent
    if marks:
        return ", ".join(gettext(mark, lang) for mark in marks)
    return "" if clause.source == ruleset.source else ruleset_source(clause.source, lang)

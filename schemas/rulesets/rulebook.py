"""A ruleset set out in tables that a player can check, in Danish or in English."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.core.cards import CARD_CODES, NO_TRUMP, SUIT_LETTERS, Card
from engine.core.ranking import plain_ladders, trump_ladder
from engine.rulesets import contracts_in_force
from engine.rulesets.model import ALL_SUITS, BilingualText, Contract, Naming, PenaltyTerms, Ruleset, Tariff
from engine.rulesets.policy_texts import POLICY_LABELS, POLICY_MEANINGS
from engine.rulesets.switches import format_switch_values, switch_setting


class RulebookTable(NamedTuple):
    """A table of the rulebook: its title, the heads of its columns, its rows."""

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


RULEBOOK_TITLES: Final = {
    "ranks": BilingualText("Cards, high to low", "Kortene fra højest til lavest"),
    "bids": BilingualText("Bids, lowest first", "Meldinger, lavest først"),
    "naming": BilingualText("Naming the contract", "Valg af spil"),
    "exchange": BilingualText("Contracts and exchange", "Spil og bytte"),
    "payments": BilingualText("Payments, from or to each", "Takster, fra eller til hver"),
    "terms": BilingualText("Further payments and rights", "Andre takster og rettigheder"),
    "policies": BilingualText("Policies", "Valgte regler"),
    "switches": BilingualText("House switches", "Husregler"),
    "clauses": BilingualText("Clauses", "Punkter"),
}
RULEBOOK_HEADINGS: Final = {
    "ranks": (BilingualText("suit", "farve"), BilingualText("order", "rækkefølge")),
    "bids": (
        BilingualText("rank", "rang"),
        BilingualText("bid", "melding"),
        BilingualText("name", "navn"),
        BilingualText("needs", "kræver"),
    ),
    "naming": (BilingualText("winning bid", "vindende melding"), BilingualText("may name", "kan vælge")),
    "exchange": (
        BilingualText("contract", "spil"),
        BilingualText("trumps", "trumf"),
        BilingualText("declarer", "spilfører"),
        BilingualText("defenders", "modspillere"),
        BilingualText("ends", "slutter"),
    ),
    "payments": (
        BilingualText("contract", "spil"),
        BilingualText("won", "vundet"),
        BilingualText("bête", "bet"),
        BilingualText("kodille", "kruk"),
    ),
    "terms": (BilingualText("point", "punkt"), BilingualText("worth", "værd")),
    "policies": (
        BilingualText("point", "punkt"),
        BilingualText("policy", "valg"),
        BilingualText("means", "betyder"),
    ),
    "switches": (
        BilingualText("switch", "valg"),
        BilingualText("is", "er"),
        BilingualText("can be", "kan være"),
        BilingualText("what", "hvad"),
    ),
    "clauses": (
        BilingualText("clause", "punkt"),
        BilingualText("text", "tekst"),
        BilingualText("source", "kilde"),
    ),
}
OUR_DECISION: Final = BilingualText("ours", "vores")
NOT_STATED: Final = BilingualText("not stated", "står der ikke")
RULEBOOK_NO: Final = BilingualText("no", "nej")
RULEBOOK_YES: Final = BilingualText("yes", "ja")


def build_rulebook(ruleset: Ruleset, lang: str) -> Iterator[RulebookTable]:
    """The tables of a ruleset, those that have rows."""
    tables = {
        "ranks": _rank_rows(ruleset, lang),
        "bids": _bid_rows(ruleset, lang),
        "naming": _naming_rows(ruleset),
        "exchange": tuple(_contract_row(contract, lang) for contract in contracts_in_force(ruleset)),
        "payments": _payment_rows(ruleset, lang),
        "terms": tuple(_term_rows(ruleset, lang)),
        "policies": tuple(
            (
                POLICY_LABELS[point][lang],
                str(getattr(ruleset, point)),
                POLICY_MEANINGS[point][getattr(ruleset, point)][lang],
            )
            for point in POLICY_LABELS
        ),
        "switches": tuple(
            (one.id, _format_value(switch_setting(ruleset, one)), format_switch_values(one), one.words[lang])
            for one in ruleset.switches
        ),
        "clauses": _clause_rows(ruleset, lang),
    }
    for name, rows in tables.items():
        if rows:
            yield RulebookTable(
                RULEBOOK_TITLES[name][lang], tuple(words[lang] for words in RULEBOOK_HEADINGS[name]), rows
            )


def _format_value(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rank_rows(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    def format_cards(cards: list[int]) -> str:
        return " ".join(CARD_CODES[Card(card)] for card in cards)

    trumps = [
        (
            f"{SUIT_LETTERS[suit]} {BilingualText('trumps', 'trumf')[lang]}",
            format_cards(trump_ladder(suit, ruleset.red_trumps)),
        )
        for suit in ALL_SUITS
    ]
    plain = [
        (
            f"{CARD_CODES[Card(ladder[0])][0]} {BilingualText('no trumps', 'uden trumf')[lang]}",
            format_cards(ladder),
        )
        for ladder in plain_ladders(NO_TRUMP)
    ]
    return (*trumps, *plain)


def _bid_rows(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    rows = []
    for bid in sorted(ruleset.bids, key=lambda one: one.rank):
        needs = []
        if bid.needs_black_aces:
            needs.append(BilingualText("both black aces, dealt", "begge sorte esser, givet")[lang])
        if bid.only_over:
            needs.append(BilingualText("said over ", "siges over ")[lang] + ", ".join(bid.only_over))
        if bid.as_self_over:
            needs.append(
                BilingualText("as self over ", "som kan selv over ")[lang] + ", ".join(bid.as_self_over)
            )
        if bid.after_all_pass:
            needs.append(BilingualText("all have passed", "alle har passet")[lang])
        if bid.extra:
            needs.append(BilingualText("switch ", "valget ")[lang] + bid.extra)
        rank = "–" if bid.after_all_pass else str(bid.rank)
        rows.append((rank, bid.id, bid.words[lang], "; ".join(needs)))
    return tuple(rows)


def _naming_rows(ruleset: Ruleset) -> tuple[tuple[str, ...], ...]:
    def format_naming(naming: Naming) -> str:
        trumps = "".join(SUIT_LETTERS[trump] for trump in naming.trumps)
        return f"{naming.contract} ({trumps})" if trumps else naming.contract

    return tuple((bid, ", ".join(map(format_naming, names))) for bid, names in ruleset.naming)


TRUMP_TEXTS: Final = {
    "chosen": BilingualText("chosen", "vælges"),
    "chosen-after-draw": BilingualText("chosen after the draw", "vælges efter køb"),
    "spades": BilingualText("spades", "spar"),
    "diamonds": BilingualText("diamonds", "ruder"),
    "favoured": BilingualText("the favoured suit", "favoritfarven"),
    "turned": BilingualText("turned", "vendes"),
    "aces": BilingualText("black aces only", "kun sorte esser"),
    "none": BilingualText("none", "ingen"),
    "C": BilingualText("clubs", "klør"),
    "D": BilingualText("diamonds", "ruder"),
    "H": BilingualText("hearts", "hjerter"),
    "S": BilingualText("spades", "spar"),
}
LAID_OPEN_TEXTS: Final = {
    "never": BilingualText("", ""),
    "after-lead": BilingualText("open after the lead", "åbent efter udspillet"),
    "after-own-card": BilingualText("open after his first card", "åbent efter eget kort"),
}


def _contract_row(contract: Contract, lang: str) -> tuple[str, ...]:
    limits = contract.declarer_exchange
    declarer = RULEBOOK_NO[lang] if limits is None else f"{limits[0]}–{limits[1]}"
    defenders = RULEBOOK_YES[lang] if contract.defenders_exchange else RULEBOOK_NO[lang]
    if contract.first_defender_most < 9:
        defenders += BilingualText(
            f", first {contract.first_defender_most} at most", f", først højst {contract.first_defender_most}"
        )[lang]
    end_phrase = (
        "" if contract.ends_at is None else BilingualText("trick ", "stik ")[lang] + str(contract.ends_at)
    )
    return (
        contract.id,
        TRUMP_TEXTS[contract.trump][lang],
        declarer,
        defenders,
        "; ".join(filter(None, (end_phrase, LAID_OPEN_TEXTS[contract.laid_open][lang]))),
    )


def _payment_rows(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    if ruleset.pool is not None:
        puesta = BilingualText("pool and base, into the pool", "pulje og takst, i puljen")[lang]
        codille = BilingualText("the same, to the winner", "det samme, til vinderen")[lang]
        return tuple((contract, str(base), puesta, codille) for contract, base in ruleset.pool.bases)
    return tuple((contract, *_rate_cells(tariff, lang)) for contract, tariff in ruleset.tariff)


def _rate_cells(tariff: Tariff, lang: str) -> tuple[str, str, str]:
    won, bete = (NOT_STATED[lang] if chips is None else str(chips) for chips in (tariff.won, tariff.bete))
    codille = ", ".join(map(str, tariff.codille)) or NOT_STATED[lang]
    if tariff.most:
        codille += BilingualText(f", at most {tariff.most}", f", højst {tariff.most}")[lang]
    return won, bete, codille


def _term_rows(ruleset: Ruleset, lang: str) -> Iterator[tuple[str, ...]]:
    chip = ruleset.chip[lang]
    if ruleset.pool is not None:
        pool = ruleset.pool
        yield BilingualText("stake of the dealer", "giverens indskud")[lang], f"{pool.stake} {chip}"
        yield "primeras", f"{pool.primeras}"
        yield BilingualText("estuches at most", "estucher højst")[lang], f"{pool.estuches_most}"
        yield "vole", f"{pool.vole}"
        if pool.reserve_at:
            yield (
                BilingualText("puestas set aside from a pool of", "puester til side fra en pulje på")[lang],
                str(pool.reserve_at),
            )
    elif ruleset.slam is not None:
        slam_condition = {
            "never": BilingualText("led to the sixth", "udspil til sjette stik"),
            "until-sixth-lead": BilingualText(
                "announced until the lead to the sixth", "meldt senest ved udspil til sjette"
            ),
            "after-fifth-trick": BilingualText("announced after the fifth", "meldt efter femte stik"),
        }[ruleset.slam.announced]
        yield (
            BilingualText("all nine tricks", "alle ni stik")[lang],
            f"{ruleset.slam.worth}, {slam_condition[lang]}",
        )
    if ruleset.giving_up is not None:
        condition = {
            "second-card": BilingualText("until two cards have been played", "indtil to kort er spillet"),
            "declarers-first-card": BilingualText(
                "until declarer has played", "indtil spilføreren har spillet"
            ),
        }[ruleset.giving_up.bete_until]
        yield BilingualText("given up for bête", "kastet for bet")[lang], condition[lang]
    if ruleset.surrender is not None:
        until_trick = BilingualText("until trick {} is begun", "indtil stik {} er begyndt")[lang]
        yield (
            BilingualText("surrender", "overgivelse")[lang],
            until_trick.format(ruleset.surrender.before_trick),
        )
    if ruleset.penalties is not None:
        yield from _penalty_rows(ruleset.penalties, lang)
    if ruleset.sitter_pays:
        yield (
            BilingualText("who sits out", "oversidderen")[lang],
            BilingualText("pays as an opponent", "betaler som modspiller")[lang],
        )


def _penalty_rows(terms: PenaltyTerms, lang: str) -> Iterator[tuple[str, str]]:
    """For what the director may give points, and how many for each (RULES 9)."""
    yield (
        BilingualText("penalty points for each offence", "strafpoint for hver forseelse")[lang],
        str(terms.points),
    )
    needless_bids = ", ".join(f"{bid} ({enough})" for bid, enough in terms.needless)
    if needless_bids:
        yield BilingualText("penalty for a needless bid", "straf for unødig melding")[lang], needless_bids
    if terms.suit_named:
        too_early = BilingualText("named before having the contract", "nævnt, før meldingen er vundet")
        yield BilingualText("penalty for a suit", "straf for en farve")[lang], too_early[lang]


def _clause_rows(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    """The clauses are in English: each is our sentence for what its source says."""
    rows = []
    for clause in ruleset.clauses:
        marks = [OUR_DECISION[lang]] * clause.ours + [NOT_STATED[lang]] * clause.silent
        rows.append((clause.point, clause.text, ", ".join(marks) or clause.source))
    return tuple(rows)

"""A ruleset set out in tables that a player can check, in Danish or in English."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.core.cards import CODES, NO_TRUMP, SUITS, Card
from engine.core.ranking import plain_ladders, trump_ladder
from engine.rulesets import contracts_in_force
from engine.rulesets.model import ALL_SUITS, Contract, Naming, Penalties, Ruleset, Tariff, Words
from engine.rulesets.policies import MEANINGS, POINTS
from engine.rulesets.switches import setting, values_told


class Table(NamedTuple):
    """A table of the rulebook: its title, the heads of its columns, its rows."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


TITLES: Final = {
    "ranks": Words("Cards, high to low", "Kortene fra højest til lavest"),
    "bids": Words("Bids, lowest first", "Meldinger, lavest først"),
    "naming": Words("Naming the contract", "Valg af spil"),
    "exchange": Words("Contracts and exchange", "Spil og bytte"),
    "payments": Words("Payments, from or to each", "Takster, fra eller til hver"),
    "terms": Words("Further payments and rights", "Andre takster og rettigheder"),
    "policies": Words("Policies", "Valgte regler"),
    "switches": Words("House switches", "Husregler"),
    "clauses": Words("Clauses", "Punkter"),
}
HEADS: Final = {
    "ranks": (Words("suit", "farve"), Words("order", "rækkefølge")),
    "bids": (Words("rank", "rang"), Words("bid", "melding"), Words("name", "navn"), Words("needs", "kræver")),
    "naming": (Words("winning bid", "vindende melding"), Words("may name", "kan vælge")),
    "exchange": (
        Words("contract", "spil"),
        Words("trumps", "trumf"),
        Words("declarer", "spilfører"),
        Words("defenders", "modspillere"),
        Words("ends", "slutter"),
    ),
    "payments": (
        Words("contract", "spil"),
        Words("won", "vundet"),
        Words("bête", "bet"),
        Words("kodille", "kruk"),
    ),
    "terms": (Words("point", "punkt"), Words("worth", "værd")),
    "policies": (Words("point", "punkt"), Words("policy", "valg"), Words("means", "betyder")),
    "switches": (
        Words("switch", "valg"),
        Words("is", "er"),
        Words("can be", "kan være"),
        Words("what", "hvad"),
    ),
    "clauses": (Words("clause", "punkt"), Words("text", "tekst"), Words("source", "kilde")),
}
OURS: Final = Words("ours", "vores")
SILENT: Final = Words("not stated", "står der ikke")
NO: Final = Words("no", "nej")
YES: Final = Words("yes", "ja")


def rulebook(ruleset: Ruleset, lang: str) -> Iterator[Table]:
    """The tables of a ruleset, those that have rows."""
    made = {
        "ranks": _ranks(ruleset, lang),
        "bids": _bids(ruleset, lang),
        "naming": _namings(ruleset),
        "exchange": tuple(_contract(contract, lang) for contract in contracts_in_force(ruleset)),
        "payments": _payments(ruleset, lang),
        "terms": tuple(_terms(ruleset, lang)),
        "policies": tuple(
            (
                POINTS[point][lang],
                str(getattr(ruleset, point)),
                MEANINGS[point][getattr(ruleset, point)][lang],
            )
            for point in POINTS
        ),
        "switches": tuple(
            (one.id, _value(setting(ruleset, one)), values_told(one), one.words[lang])
            for one in ruleset.switches
        ),
        "clauses": _clauses(ruleset, lang),
    }
    for name, rows in made.items():
        if rows:
            yield Table(TITLES[name][lang], tuple(words[lang] for words in HEADS[name]), rows)


def _value(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _ranks(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    def told(cards: list[int]) -> str:
        return " ".join(CODES[Card(card)] for card in cards)

    trumps = [
        (f"{SUITS[suit]} {Words('trumps', 'trumf')[lang]}", told(trump_ladder(suit, ruleset.red_trumps)))
        for suit in ALL_SUITS
    ]
    plain = [
        (f"{CODES[Card(ladder[0])][0]} {Words('no trumps', 'uden trumf')[lang]}", told(ladder))
        for ladder in plain_ladders(NO_TRUMP)
    ]
    return (*trumps, *plain)


def _bids(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    rows = []
    for bid in sorted(ruleset.bids, key=lambda one: one.rank):
        needs = []
        if bid.needs_black_aces:
            needs.append(Words("both black aces, dealt", "begge sorte esser, givet")[lang])
        if bid.only_over:
            needs.append(Words("said over ", "siges over ")[lang] + ", ".join(bid.only_over))
        if bid.as_self_over:
            needs.append(Words("as self over ", "som kan selv over ")[lang] + ", ".join(bid.as_self_over))
        if bid.after_all_pass:
            needs.append(Words("all have passed", "alle har passet")[lang])
        if bid.extra:
            needs.append(Words("switch ", "valget ")[lang] + bid.extra)
        rank = "–" if bid.after_all_pass else str(bid.rank)
        rows.append((rank, bid.id, bid.words[lang], "; ".join(needs)))
    return tuple(rows)


def _namings(ruleset: Ruleset) -> tuple[tuple[str, ...], ...]:
    def told(naming: Naming) -> str:
        trumps = "".join(SUITS[trump] for trump in naming.trumps)
        return f"{naming.contract} ({trumps})" if trumps else naming.contract

    return tuple((bid, ", ".join(map(told, names))) for bid, names in ruleset.naming)


TRUMPS: Final = {
    "chosen": Words("chosen", "vælges"),
    "chosen-after-draw": Words("chosen after the draw", "vælges efter køb"),
    "spades": Words("spades", "spar"),
    "diamonds": Words("diamonds", "ruder"),
    "favoured": Words("the favoured suit", "favoritfarven"),
    "turned": Words("turned", "vendes"),
    "aces": Words("black aces only", "kun sorte esser"),
    "none": Words("none", "ingen"),
    "C": Words("clubs", "klør"),
    "D": Words("diamonds", "ruder"),
    "H": Words("hearts", "hjerter"),
    "S": Words("spades", "spar"),
}
LAID_OPEN: Final = {
    "never": Words("", ""),
    "after-lead": Words("open after the lead", "åbent efter udspillet"),
    "after-own-card": Words("open after his first card", "åbent efter eget kort"),
}


def _contract(contract: Contract, lang: str) -> tuple[str, ...]:
    limits = contract.declarer_exchange
    declarer = NO[lang] if limits is None else f"{limits[0]}–{limits[1]}"
    defenders = YES[lang] if contract.defenders_exchange else NO[lang]
    if contract.first_defender_most < 9:
        defenders += Words(
            f", first {contract.first_defender_most} at most", f", først højst {contract.first_defender_most}"
        )[lang]
    ends = "" if contract.ends_at is None else Words("trick ", "stik ")[lang] + str(contract.ends_at)
    return (
        contract.id,
        TRUMPS[contract.trump][lang],
        declarer,
        defenders,
        "; ".join(filter(None, (ends, LAID_OPEN[contract.laid_open][lang]))),
    )


def _payments(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    if ruleset.pool is not None:
        puesta = Words("pool and base, into the pool", "pulje og takst, i puljen")[lang]
        codille = Words("the same, to the winner", "det samme, til vinderen")[lang]
        return tuple((contract, str(base), puesta, codille) for contract, base in ruleset.pool.bases)
    return tuple((contract, *_rates(tariff, lang)) for contract, tariff in ruleset.tariff)


def _rates(tariff: Tariff, lang: str) -> tuple[str, str, str]:
    won, bete = (SILENT[lang] if chips is None else str(chips) for chips in (tariff.won, tariff.bete))
    codille = ", ".join(map(str, tariff.codille)) or SILENT[lang]
    if tariff.most:
        codille += Words(f", at most {tariff.most}", f", højst {tariff.most}")[lang]
    return won, bete, codille


def _terms(ruleset: Ruleset, lang: str) -> Iterator[tuple[str, ...]]:
    chip = ruleset.chip[lang]
    if ruleset.pool is not None:
        pool = ruleset.pool
        yield Words("stake of the dealer", "giverens indskud")[lang], f"{pool.stake} {chip}"
        yield "primeras", f"{pool.primeras}"
        yield Words("estuches at most", "estucher højst")[lang], f"{pool.estuches_most}"
        yield "vole", f"{pool.vole}"
        if pool.reserve_at:
            yield (
                Words("puestas set aside from a pool of", "puester til side fra en pulje på")[lang],
                str(pool.reserve_at),
            )
    elif ruleset.slam is not None:
        when = {
            "never": Words("led to the sixth", "udspil til sjette stik"),
            "until-sixth-lead": Words(
                "announced until the lead to the sixth", "meldt senest ved udspil til sjette"
            ),
            "after-fifth-trick": Words("announced after the fifth", "meldt efter femte stik"),
        }[ruleset.slam.announced]
        yield Words("all nine tricks", "alle ni stik")[lang], f"{ruleset.slam.worth}, {when[lang]}"
    if ruleset.giving_up is not None:
        until = {
            "second-card": Words("until two cards have been played", "indtil to kort er spillet"),
            "declarers-first-card": Words("until declarer has played", "indtil spilføreren har spillet"),
        }[ruleset.giving_up.bete_until]
        yield Words("given up for bête", "kastet for bet")[lang], until[lang]
    if ruleset.surrender is not None:
        before = Words("until trick {} is begun", "indtil stik {} er begyndt")[lang]
        yield Words("surrender", "overgivelse")[lang], before.format(ruleset.surrender.before_trick)
    if ruleset.penalties is not None:
        yield from _penalties(ruleset.penalties, lang)
    if ruleset.sitter_pays:
        yield (
            Words("who sits out", "oversidderen")[lang],
            Words("pays as an opponent", "betaler som modspiller")[lang],
        )


def _penalties(terms: Penalties, lang: str) -> Iterator[tuple[str, str]]:
    """For what the director may give points, and how many for each (RULES 9)."""
    yield Words("penalty points for each offence", "strafpoint for hver forseelse")[lang], str(terms.points)
    needless = ", ".join(f"{bid} ({enough})" for bid, enough in terms.needless)
    if needless:
        yield Words("penalty for a needless bid", "straf for unødig melding")[lang], needless
    if terms.suit_named:
        too_early = Words("named before having the contract", "nævnt, før meldingen er vundet")
        yield Words("penalty for a suit", "straf for en farve")[lang], too_early[lang]


def _clauses(ruleset: Ruleset, lang: str) -> tuple[tuple[str, ...], ...]:
    """The clauses are in English: each is our sentence for what its source says."""
    rows = []
    for clause in ruleset.clauses:
        marks = [OURS[lang]] * clause.ours + [SILENT[lang]] * clause.silent
        rows.append((clause.point, clause.text, ", ".join(marks) or clause.source))
    return tuple(rows)

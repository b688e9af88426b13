"""``lomber``: the Icelandic game, as an account of 1985 tells it; incomplete where that is silent.

The account was read page by page, but not to the end of every page. Where the commission that this
ruleset was written for says otherwise, in the ranks of the bids, it goes before the account.
"""

from typing import Final

from engine.rulesets.danish_family import (
    BID_WORDS,
    HOUSE_SWITCHES,
    NAMINGS_AFTER_SIMPLE,
    SOLO,
    build_contracts,
    build_namings,
)
from engine.rulesets.model import (
    Bid,
    Clause,
    Contract,
    GivingUpTerms,
    HouseSwitch,
    Naming,
    Ruleset,
    SlamTerms,
    Tariff,
)

SOURCE: Final = "Sigurður Magnússon, Lomber, Múlaþing (1985), pp. 190–199"
COMMISSION_SOURCE: Final = "Spadille's commission for Icelandic lomber"


def cite_pages(numbers: str) -> str:
    """These pages of the account."""
    return f"Múlaþing (1985), {'p.' if numbers.isdigit() else 'pp.'} {numbers}"


GRANDISSIMO_WORDS: Final = "grandissimo"
BIDS_IN_RISING_ORDER: Final = (
    "simple",
    "spade-game",
    "tourne",
    "simple-nolo",
    "grand-tourne",
    "grandissimo",
    "solo",
    "spade-solo",
    "pure-nolo",
    "nolo-ouvert",
)
"""The bids from the lowest to the highest, each of a rank of its own."""

BIDS: Final = tuple(
    Bid(bid, rank, BID_WORDS.get(bid, GRANDISSIMO_WORDS), needs_black_aces=bid == "grand-tourne")
    for rank, bid in enumerate(BIDS_IN_RISING_ORDER, 1)
)

GRANDISSIMO: Final = Contract("grandissimo", GRANDISSIMO_WORDS, "game", "aces", None, True)

CONTRACTS: Final = (*build_contracts(laid_open="after-lead"), GRANDISSIMO)

TARIFF: Final = (
    ("simple", Tariff(1, 1, (2,))),
    ("spade-game", Tariff(1, 1, (2,))),
    ("tourne", Tariff(1, 1, (2,))),
    ("simple-nolo", Tariff(2, 2, (3, 4, 5, 6, 7, 8, 9, 10))),
    ("grand-tourne", Tariff(2, 2, (3,))),
    ("grandissimo", Tariff(2, 2, (3,))),
    ("solo", Tariff(2, 2, (3,))),
    ("spade-solo", Tariff(3, 3, ())),
    ("pure-nolo", Tariff(3, 3, ())),
    ("nolo-ouvert", Tariff(6, 6, ())),
)

RANKING_CLAUSES: Final = (
    Clause(
        "1. Ranking",
        "Trumps: spadda (SA), manilía (black 2, red 7), basti (CA), a red ace; then K, Q, J and the rest.",
        cite_pages("191"),
    ),
    Clause(
        "1. Ranking",
        "Plain suits: black K, Q, J, 7 to 2; red K, Q, J, A, 2 to 7. In nolo the black aces are the lowest.",
        cite_pages("191, 194"),
    ),
    Clause(
        "1. Ranking", "Grandissimo: no trump suit; spadda and basti are the only trumps.", cite_pages("199")
    ),
)

DEAL_CLAUSES: Final = (
    Clause(
        "2. Deal",
        "Anticlockwise, three at a time, nine to each of three; thirteen are left in the stock.",
        cite_pages("190"),
    ),
    Clause("2. Deal", "Cards are drawn for the seats; who draws the spade deals first.", cite_pages("190")),
    Clause(
        "2. Deal",
        "Forehand sits to the dealer's right; he speaks first and leads to the first trick.",
        cite_pages("192, 198"),
    ),
    Clause("2. Deal", "Of four at the table the player opposite the dealer sits out.", cite_pages("190")),
    Clause(
        "2. Deal", "Where all pass the cards are thrown in, and the next player deals.", cite_pages("195")
    ),
    Clause("2. Deal", "After a deal that was played the next player deals too.", SOURCE, ours=True),
    Clause(
        "2. Deal",
        "Forehand's kaski and the sitter's mort, for when all have passed, are told of, not played.",
        cite_pages("192, 195–196"),
        ours=True,
    ),
)

AUCTION_CLAUSES: Final = (
    Clause(
        "3. Auction",
        "Spil < betra spil < túrnir < kúpp < grand-túrnir < grandissimo < sóló < spaðasóló < nóló < yfir.",
        COMMISSION_SOURCE,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "The account has spaðasóló and hrein nóló outbid neither each other; here nóló is the higher.",
        cite_pages("192, 195"),
        ours=True,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction",
        "Who is outbid may say the same or go higher: forehand against middlehand, "
        "middlehand against backhand.",
        cite_pages("192"),
        on=("self",),
    ),
    Clause("3. Auction", "So may forehand against backhand.", SOURCE, ours=True, on=("self",)),
    Clause(
        "3. Auction",
        "Grand-túrnir is for who was dealt both black aces; they are laid on the table.",
        cite_pages("194"),
        on=("black aces",),
    ),
    Clause(
        "3. Naming",
        "Who has won with spil may turn it into kúpp.",
        cite_pages("194"),
        on=("contract_not_allowed",),
    ),
    Clause(
        "3. Naming",
        "He may name betra spil or túrnir too, as in la-bete.",
        SOURCE,
        ours=True,
        on=("contract_not_allowed",),
    ),
    Clause(
        "3. Naming",
        "Sóló names clubs, diamonds or hearts; in spades it is spaðasóló.",
        cite_pages("192, 195"),
        on=("contract_not_allowed",),
    ),
    Clause("3. Naming", "Every other bid is the contract.", SOURCE, ours=True, on=("contract_not_allowed",)),
)

EXCHANGE_CLAUSES: Final = (
    Clause(
        "4. Exchange",
        "Declarer buys as many as he likes in spil, betra spil, both túrnirs and kúpp, and in nothing else.",
        cite_pages("193–195, 199"),
        on=("exchange_not_allowed", "exchange_count"),
    ),
    Clause("4. Exchange", "Nobody has to buy.", SOURCE, ours=True, on=("exchange_count",)),
    Clause(
        "4. Exchange",
        "In túrnir and grand-túrnir the top card of the stock makes trumps.",
        cite_pages("193"),
        on=("talon_mismatch",),
    ),
    Clause(
        "4. Exchange",
        "Against a game the defenders buy, in sóló and grandissimo too; in kúpp and the nólós never.",
        cite_pages("194–195, 199"),
        on=("exchange_not_allowed",),
    ),
    Clause(
        "4. Exchange",
        "Declarer first, then the defenders in the order of play.",
        SOURCE,
        ours=True,
        on=("wrong_seat",),
    ),
    Clause(
        "4. Exchange",
        "What is left of the stock stays face down; nobody may see it.",
        cite_pages("193"),
        on=("talon_seen",),
    ),
    Clause("4. Exchange", "What a foul in the exchange pays could not be read.", SOURCE, silent=True),
)

PLAY_CLAUSES: Final = (
    Clause(
        "5. Play",
        "Suit is followed, in trumps too; only the three matadors are exempt.",
        cite_pages("198"),
        on=("revoke",),
    ),
    Clause(
        "5. Play",
        "A matador is compelled only by a higher matador that was led.",
        SOURCE,
        ours=True,
        on=("revoke", "matador_withheld"),
    ),
    Clause(
        "5. Play",
        "In grandissimo a spadda lead forces basti; a basti lead does not force spadda.",
        cite_pages("199"),
        on=("revoke", "matador_withheld"),
    ),
    Clause("5. Nolo ouvert", "Declarer lays his hand open after the first lead.", cite_pages("195")),
)

OUTCOME_CLAUSES: Final = (
    Clause(
        "6. Outcome",
        "Won with more tricks than either defender: five, or four against three and two.",
        cite_pages("192"),
    ),
    Clause("6. Outcome", "Three tricks each (remis) is lost.", cite_pages("197")),
    Clause("6. Outcome", "Four, four and one is lost.", SOURCE, ours=True),
    Clause("6. Outcome", "Krúkk: fewer tricks than one of the defenders.", cite_pages("196")),
    Clause("6. Outcome", "One trick against four and four is krúkk.", SOURCE, ours=True),
    Clause("6. Outcome", "Kúpp and the nólós: no trick wins.", cite_pages("194, 197")),
    Clause("6. Outcome", "One trick loses them; two or more are krúkk.", SOURCE, ours=True),
    Clause("6. Outcome", "Kúpp is played out.", cite_pages("194")),
    Clause("6. Outcome", "Hrein nóló and yfir end with declarer's second trick.", SOURCE, ours=True),
    Clause(
        "6. All nine tricks",
        "Tótus is said after winning the first five, in a game; the game is paid all the same.",
        cite_pages("196"),
    ),
    Clause(
        "6. All nine tricks",
        "It is worth 1, which is the account's example; in grandissimo too.",
        cite_pages("196"),
        ours=True,
    ),
    Clause("6. All nine tricks", "The lead to the sixth says it as well.", SOURCE, ours=True),
    Clause(
        "6. Giving up",
        "After buying, paid as lost, in spil, betra spil and both túrnirs; not in kúpp or sóló.",
        cite_pages("193–194, 197"),
    ),
    Clause(
        "6. Giving up",
        "Until declarer has played to the first trick; the account has it before play begins.",
        cite_pages("193"),
        ours=True,
    ),
    Clause("6. Giving up", "Not in grandissimo, where he has bought nothing.", SOURCE, ours=True),
)

PAYMENT_CLAUSES: Final = (
    Clause("7. Payments", "Spil, betra spil and túrnir 1, krúkk 2.", cite_pages("197")),
    Clause("7. Payments", "Grand-túrnir 2, krúkk 3.", cite_pages("197")),
    Clause(
        "7. Payments",
        "Kúpp 2; lost, 2 and 1 for each further trick, up to 4, 5 or 6 where agreed (a switch).",
        cite_pages("197"),
    ),
    Clause("7. Payments", "Grandissimo 2, krúkk 3.", cite_pages("199")),
    Clause("7. Payments", "Sóló 2, krúkk 3.", cite_pages("197")),
    Clause("7. Payments", "Spaðasóló and hrein nóló 3.", cite_pages("196–197")),
    Clause("7. Payments", "Yfir 6; lost, as much as it would have won.", cite_pages("196")),
    Clause(
        "7. Payments",
        "What krúkk costs in spaðasóló, hrein nóló and yfir could not be read.",
        SOURCE,
        silent=True,
    ),
    Clause("7. Payments", "Who sits out pays into the pot equally.", COMMISSION_SOURCE),
    Clause(
        "7. Payments",
        "That is: he pays and receives as an opponent. From hand to hand; no pot is kept.",
        COMMISSION_SOURCE,
        ours=True,
    ),
)

LOMBER: Final = Ruleset(
    id="lomber",
    revision=1,
    words="Icelandic lomber",
    source=SOURCE,
    bids=BIDS,
    contracts=CONTRACTS,
    naming=(
        *build_namings(simple=NAMINGS_AFTER_SIMPLE, solo=(SOLO,)),
        ("grandissimo", (Naming("grandissimo"),)),
    ),
    tariff=TARIFF,
    remis_en_quatre=False,
    sitter_pays=True,
    slam=SlamTerms(worth=1, announced="after-fifth-trick"),
    giving_up=GivingUpTerms(bete_from="play", bete_until="declarers-first-card", codille_any_time=False),
    switches=(
        *HOUSE_SWITCHES,
        HouseSwitch(
            "kupp-most",
            "the most that a lost kúpp costs",
            "tariff.simple-nolo.most",
            (0, 4, 5, 6),
        ),
    ),
    chip="bit",
    clauses=(
        *RANKING_CLAUSES,
        *DEAL_CLAUSES,
        *AUCTION_CLAUSES,
        *EXCHANGE_CLAUSES,
        *PLAY_CLAUSES,
        *OUTCOME_CLAUSES,
        *PAYMENT_CLAUSES,
    ),
)

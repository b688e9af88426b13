"""``lomber``: the Icelandic game after an account of 1985; incomplete where that is silent.

Not every page of the account was read to its end. Where the commission for this ruleset differs, in the ranks
of the bids, it goes first.
"""

from dataclasses import replace
from typing import Final

from engine.rulesets.danish_family import (
    BID_WORDS,
    HOUSE_SWITCHES,
    NAMINGS_AFTER_SIMPLE,
    PACK,
    SOLO,
    build_bids,
    build_contracts,
    build_namings,
)
from engine.rulesets.model import (
    Clause,
    Contract,
    GivingUpTerms,
    HouseSwitch,
    Naming,
    Ruleset,
    SlamTerms,
    Tariff,
    cite_clauses,
    ours,
    silent,
    stated,
)

SOURCE: Final = "Sigurður Magnússon, Lomber, Múlaþing (1985), pp. 190–199"
COMMISSION_SOURCE: Final = "Spadille's commission for Icelandic lomber"


def cite_pages(numbers: str) -> str:
    """These pages of the account."""
    return f"Múlaþing (1985), {'p.' if numbers.isdigit() else 'pp.'} {numbers}"


def pages(numbers: str, text: str, *on: str) -> Clause:
    """What the account states on these pages."""
    return stated(text, *on, source=cite_pages(numbers))


GRANDISSIMO_WORDS: Final = "grandissimo"
BIDS: Final = build_bids(
    "simple < spade-game < tourne < simple-nolo < grand-tourne < grandissimo"
    " < solo < spade-solo < pure-nolo < nolo-ouvert",
    BID_WORDS | {"grandissimo": GRANDISSIMO_WORDS},
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


CLAUSES: Final = {
    "1. Ranking": (
        pages(
            "191",
            "Trumps: spadille (spadda, SA), manille (manilía, black 2, red 7), basta (basti, CA), "
            "a red ace; then K, Q, J and the rest.",
        ),
        pages(
            "191, 194",
            "Plain suits: black K, Q, J, 7 to 2; red K, Q, J, A, 2 to 7. In nolo the black aces "
            "are the lowest.",
        ),
        pages("199", "Grandissimo: no trump suit; spadille and basta are the only trumps."),
    ),
    "1. Pack": (replace(PACK, ours=True),),
    "2. Deal": (
        pages(
            "190",
            "Anticlockwise, three at a time, nine to each of three; thirteen are left in the talon.",
            "hand_size",
        ),
        pages("190", "Cards are drawn for the seats; the player who draws the spade deals first."),
        pages(
            "192, 198",
            "Forehand sits to the dealer's right, speaks first and leads to the first trick.",
            "seating_mismatch",
        ),
        pages("190", "Of four at the table, the player opposite the dealer sits out.", "seating_mismatch"),
        pages("195", "If all pass, the cards are thrown in, and the next player deals.", "seating_mismatch"),
        ours("After a deal that was played the next player deals too.", "seating_mismatch"),
        ours(
            "After all have passed, the account has forehand's kaski and the sitter's mort; they "
            "are not played here.",
            source=cite_pages("192, 195–196"),
        ),
    ),
    "3. Auction": (
        stated(
            "Simple game (spil) < spade game (betra spil) < tourné (túrnir) < simple nolo (kúpp) "
            "< grand tourné (grand-túrnir) < grandissimo < solo (sóló) < spade solo (spaðasóló) < "
            "pure nolo (nóló) < nolo ouvert (yfir).",
            "bid_too_low",
            source=COMMISSION_SOURCE,
        ),
        ours(
            "In the account neither spade solo nor pure nolo outbids the other; here pure nolo is higher.",
            "bid_too_low",
            source=cite_pages("192, 195"),
        ),
        pages(
            "192",
            "A player who is outbid may say the same or go higher: forehand against middlehand, "
            "middlehand against backhand.",
            "self",
        ),
        ours("So may forehand against backhand.", "self"),
        pages(
            "194",
            "Grand tourné needs both black aces, dealt; they are laid on the table.",
            "black aces",
        ),
        ours(
            "Two duels: forehand against middlehand, forehand first; then the winner against backhand.",
            "wrong_seat",
        ),
        ours("A player who has passed is out of the auction.", "passed"),
    ),
    "3. Naming": (
        pages(
            "194",
            "After winning with simple game, declarer may turn it into simple nolo.",
            "contract_not_allowed",
        ),
        ours("Or name spade game or tourné, as in la-bete.", "contract_not_allowed"),
        pages(
            "192, 195",
            "Solo names clubs, diamonds or hearts; in spades it is spade solo.",
            "contract_not_allowed",
        ),
        ours("Every other bid is the contract.", "contract_not_allowed"),
        pages("193", "In the tournés the top card of the talon makes trumps.", "talon_mismatch"),
    ),
    "4. Exchange": (
        pages(
            "193–195, 199",
            "Declarer exchanges any number in simple game, spade game, both tournés and simple "
            "nolo, and in nothing else.",
            "exchange_not_allowed",
            "exchange_count",
        ),
        ours("Nobody has to exchange.", "exchange_count"),
        ours(
            "First the discard, face down, then as many cards from the top of the talon.",
            "exchange_mismatch",
            "talon_mismatch",
        ),
        pages(
            "194–195, 199",
            "Against a game the defenders exchange, in solo and grandissimo too; against a nolo never.",
            "exchange_not_allowed",
        ),
        ours("Declarer first, then the defenders in the order of play.", "wrong_seat"),
        pages("193", "The rest of the talon stays face down; nobody may see it.", "talon_seen"),
        silent("What a foul in the exchange pays could not be read."),
    ),
    "5. Play": (
        pages("198", "Suit is followed, in trumps too; only the three matadors are exempt.", "revoke"),
        ours("A matador is compelled only by a higher matador that was led.", "revoke", "matador_withheld"),
        pages(
            "199",
            "In grandissimo a lead of spadille forces basta; a lead of basta does not force spadille.",
            "revoke",
            "matador_withheld",
        ),
        ours("Forehand leads; the highest trump wins, else the highest of the suit led.", "wrong_seat"),
    ),
    "5. Nolo ouvert": (pages("195", "Declarer lays the hand open after the first lead."),),
    "6. Outcome": (
        pages("192", "Won with more tricks than either defender: five, or four against three and two."),
        pages("197", "Three tricks each (remis) is lost."),
        ours("Four, four and one is lost."),
        pages("196", "Codille (krúkk): fewer tricks than one of the defenders."),
        ours("One trick against four and four is codille."),
        pages("194, 197", "The nolos: no trick wins."),
        ours("One trick loses them; two or more are codille."),
        pages("194", "Simple nolo is played out."),
        ours("Pure nolo and nolo ouvert end with declarer's second trick."),
    ),
    "6. All nine tricks": (
        pages(
            "196",
            "All nine tricks (tótus) are announced after winning the first five, in a game; the "
            "game is still paid.",
        ),
        ours("It is worth 1, which is the account's example; in grandissimo too.", source=cite_pages("196")),
        ours("The lead to the sixth announces it as well."),
    ),
    "6. Giving up": (
        pages(
            "193–194, 197",
            "After the exchange, paid as lost, in simple game, spade game and both tournés; not "
            "in simple nolo or solo.",
        ),
        ours(
            "Until declarer has played to the first trick; in the account, before play begins.",
            source=cite_pages("193"),
        ),
        ours("Not in grandissimo, where declarer exchanges nothing."),
    ),
    "7. Payments": (
        pages("197", "Simple game, spade game and tourné 1, codille 2.", "simple", "spade-game", "tourne"),
        pages("197", "Grand tourné 2, codille 3.", "grand-tourne"),
        pages(
            "197",
            "Simple nolo 2; lost, 2 and 1 for each further trick, up to 4, 5 or 6 if agreed (a switch).",
            "simple-nolo",
        ),
        pages("199", "Grandissimo 2, codille 3.", "grandissimo"),
        pages("197", "Solo 2, codille 3.", "solo"),
        pages("196–197", "Spade solo and pure nolo 3.", "spade-solo", "pure-nolo"),
        pages("196", "Nolo ouvert 6; lost, as much as it would have won.", "nolo-ouvert"),
        silent("What codille costs in spade solo, pure nolo and nolo ouvert could not be read."),
        stated("The player who sits out pays into the pot equally.", source=COMMISSION_SOURCE),
        ours(
            "That is: pays and receives as an opponent, from hand to hand; no pot is kept.",
            source=COMMISSION_SOURCE,
        ),
    ),
}

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
            "kupp-most", "the most that a lost simple nolo costs", "tariff.simple-nolo.most", (0, 4, 5, 6)
        ),
    ),
    chip="bit",
    clauses=cite_clauses(SOURCE, CLAUSES),
)

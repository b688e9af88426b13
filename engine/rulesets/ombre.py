"""``ombre``: English Ombre after Lord Aldenham, and David Parlett, with extras (source 003)."""

from typing import Final

from engine.core.cards import CLUBS, DIAMONDS, HEARTS, SPADES
from engine.rulesets.danish_family import FLAG_VALUES, HOUSE_SWITCHES, PACK
from engine.rulesets.model import (
    ALL_SUITS,
    Bid,
    Contract,
    HouseSwitch,
    Naming,
    PoolTerms,
    Ruleset,
    SlamTerms,
    SurrenderTerms,
    cite_clauses,
    ours,
    silent,
    stated,
)

SOURCE: Final = "David Parlett, Ombre, after Lord Aldenham's treatise"

BIDS: Final = (
    Bid("play", 1, "play"),
    Bid("favor", 2, "favor", extra="favor"),
    Bid("higher", 3, "higher", only_over=("play", "favor")),
    Bid("voltereta", 4, "voltereta"),
    Bid("solo", 5, "solo"),
    Bid("oros", 6, "diamonds (oros)"),
    Bid("vole", 7, "vole", extra="vole-challenge", challenges_slam=True),
    Bid("gascarille", 0, "gascarille", extra="gascarille", after_all_pass=True),
    Bid("countervole", 0, "countervole", extra="countervole", after_all_pass=True),
)

CONTRACTS: Final = (
    Contract("play", "play", "game", "chosen", (0, 9), True),
    Contract("favor", "favor", "game", "diamonds", (0, 9), True, extra="favor"),
    Contract("voltereta", "voltereta", "game", "turned", (0, 9), True),
    Contract("solo", "solo", "game", "chosen", None, True, first_defender_most=8),
    Contract("oros", "diamonds (oros)", "game", "diamonds", None, True, first_defender_most=8),
    Contract("gascarille", "gascarille", "game", "chosen-after-draw", (8, 8), True, extra="gascarille"),
    Contract(
        "countervole",
        "countervole",
        "nolo",
        "chosen",
        None,
        False,
        ends_at=1,
        codille_from=None,
        extra="countervole",
        must_hold_trump=True,
    ),
)

PLAY: Final = Naming("play", ALL_SUITS)
FAVOR: Final = Naming("favor", (DIAMONDS,))
VOLTERETA: Final = Naming("voltereta")
SOLO: Final = Naming("solo", (CLUBS, HEARTS, SPADES))
OROS: Final = Naming("oros", (DIAMONDS,))

NAMING: Final = (
    ("play", (PLAY, VOLTERETA, SOLO, OROS)),
    ("favor", (FAVOR, VOLTERETA, SOLO, OROS)),
    ("higher", (VOLTERETA, SOLO, OROS)),
    ("voltereta", (VOLTERETA, SOLO, OROS)),
    ("solo", (SOLO, OROS)),
    ("oros", (OROS,)),
    ("vole", (SOLO, OROS)),
    ("gascarille", (Naming("gascarille"),)),
    ("countervole", (Naming("countervole", ALL_SUITS),)),
)

POOL_BASES: Final = (
    ("play", 5),
    ("favor", 5),
    ("voltereta", 7),
    ("solo", 8),
    ("oros", 8),
    ("gascarille", 8),
    ("countervole", 5),
)

POOL_SWITCHES: Final = (
    HouseSwitch("estuches-most", "most estuches paid", "pool.estuches_most", (1, 9), spans=True),
    HouseSwitch(
        "reserve-at", "puestas are set aside once the pool reaches", "pool.reserve_at", (0, 1000), spans=True
    ),
)
"""House rules of a game round a pool."""

SWITCHES: Final = (
    *HOUSE_SWITCHES,
    *POOL_SWITCHES,
    HouseSwitch("forced-spadille", "spadille must play when all pass", "extras.forced-spadille", FLAG_VALUES),
    HouseSwitch("gascarille", "gascarille when all pass", "extras.gascarille", FLAG_VALUES),
    HouseSwitch("countervole", "countervole when all pass", "extras.countervole", FLAG_VALUES),
    HouseSwitch("favor", "favor: play in diamonds outbids play", "extras.favor", FLAG_VALUES),
    HouseSwitch(
        "vole-challenge", "the vole may be challenged in the auction", "extras.vole-challenge", FLAG_VALUES
    ),
)


CLAUSES: Final = {
    "1. Ranking": (
        stated(
            "Matadors: spadille (SA), manille (black 2, red 7), basta (CA); the red ace (ponto) is fourth."
        ),
        ours("Its table of ranks is lost. Plain suits: black K, Q, J, 7 to 2; red K, Q, J, A, 2 to 7."),
    ),
    "1. Pack": (PACK,),
    "2. Deal": (
        stated("Deal and play move to the right; forehand sits to the dealer's right.", "seating_mismatch"),
        stated("One lady, or one gentleman, deals first; else the first king dealt round."),
        stated("Nine cards to each in packets of three; the other thirteen are the talon.", "hand_size"),
        stated("Of four at the table, the dealer sits out.", "seating_mismatch"),
        ours("The player on the dealer's left is then backhand.", "seating_mismatch"),
        stated("If all pass, the pool is increased and the deal passes to the right.", "seating_mismatch"),
        ours("It is increased by the next dealer's stake."),
        silent("Not stated: how long a session lasts."),
    ),
    "3. Auction": (
        stated("Play < voltereta < solo < diamonds (oros).", "bid_too_low"),
        stated("Over play: “I bid higher”, without saying yet which of the higher games.", "bid_too_low"),
        ours("Over favor too; any higher game that is named outbids it.", "bid_too_low"),
        ours("Forehand, middlehand, backhand in rounds, until one is left or all have passed.", "wrong_seat"),
        ours("A higher game may be named from the first."),
        stated("Of two who make the same bid the elder has priority.", "self"),
        ours("The elder holds it by saying self.", "self"),
        stated("A player who has passed may not come in again.", "passed"),
    ),
    "3. Naming": (
        stated("After play: any of the four games.", "contract_not_allowed"),
        ours("After another bid: one worth at least that.", "contract_not_allowed"),
        stated("In voltereta the suit of the top card of the talon is trumps.", "talon_mismatch"),
        ours("This also holds when a black ace is turned."),
    ),
    "4. Exchange": (
        stated(
            "In play and voltereta Ombre exchanges any number, or none.",
            "exchange_count",
            "exchange_not_allowed",
        ),
        ours("The turned card is the first that Ombre draws; if Ombre draws none, it stays on top."),
        stated(
            "Then the next in order, who may yield to the other, who may take it or leave it.", "wrong_seat"
        ),
        stated("In solo and oros the first to draw takes at most eight.", "exchange_count"),
        stated("The rest of the talon may be looked at, then by all: some say so.", "talon_seen"),
        ours("Here if the table agrees (a switch).", "talon_seen"),
        silent("Not stated: what a foul in the exchange pays."),
        stated(
            "First the discard, face down, then as many cards from the top of the talon.",
            "exchange_mismatch",
            "talon_mismatch",
        ),
    ),
    "5. Play": (
        stated(
            "Forehand leads; suit is followed; the highest trump wins, else the highest of the suit led.",
            "revoke",
            "wrong_seat",
        ),
        stated(
            "A matador is compelled only by a higher matador led; spadille never.",
            "revoke",
            "matador_withheld",
        ),
    ),
    "6. Outcome": (
        stated("Won (sacada): five tricks or 4-3-2; bête (puesta): 4-4-1 or 3-3-3."),
        stated("Codille: an opponent wins five tricks, or a dominant four."),
        stated("One trick for Ombre and four for each defender is puesta."),
    ),
    "6. All nine tricks": (
        stated("With the first five tricks won, the lead to the sixth is the challenge."),
        stated("A lost trick then ends the deal."),
    ),
    "8. Pool": (stated("The dealer stakes 5 before each deal."),),
    "8. Payments": (
        stated("Won (sacada): the pool, and 5 from each opponent; voltereta 7, solo 8."),
        stated("Oros 8, being a solo."),
        stated("Primeras, the first five tricks: 6 instead of 5 from each."),
        ours("1 more in voltereta and solo too."),
        stated(
            "Estuches: 1 for each trump in a row from spadille, held or missing; at most 5, or as agreed."
        ),
        ours("They are counted in the hand with which play begins."),
        stated("Puesta: into the pool as much as lies there and 5 for each opponent."),
        ours("A puesta in voltereta: as much as lies in the pool and 7 for each opponent, in solo 8."),
        stated("Codille: the same sum, to the defender who delivered it."),
        ours("The pool then stays."),
        stated("Vole, won or lost: 30 from or to each instead of the base."),
        ours("Estuches count with it, primeras do not; the pool is taken in both cases."),
        stated("Of four, the player who sits out pays and receives as an opponent: 15 for 10."),
    ),
    "8. Surrender": (
        stated(
            "Offered until the fourth trick is begun; accepted by both it is a puesta.", "abandon_not_allowed"
        ),
        ours("Offered once, in a game, and not before Ombre's own exchange.", "abandon_not_allowed"),
        stated("The player who forbids it becomes Ombre, may not surrender, and has to win five or 4-3-2."),
        stated("The new Ombre wins: the first takes back the puesta and pays codille to the new one."),
        ours("The new Ombre takes the pool too, and the base from the other opponents."),
        stated("The new Ombre loses by puesta: two puestas are paid, twins that are played for together."),
        silent("The source does not say what the new Ombre pays for a codille."),
        ours("The new Ombre gets no primeras, estuches or vole."),
    ),
    "8. Reserved puestas": (
        stated("Set aside once the pool is as large as agreed, otherwise at the loser's choice."),
        stated("When the pool is won, they come back one by one, the largest first."),
    ),
    "8. Extras": (
        stated("Each is off until the table agrees on it (a switch)."),
        stated("Forced spadille: if all pass, the holder of spadille has to play.", "forced-spadille"),
        ours("As if the auction had been won with play."),
        stated(
            "Gascarille: if all pass, one player discards eight, draws eight, then names trumps; "
            "base 5 and 3.",
            "gascarille",
        ),
        stated(
            "Countervole: if all pass, one player undertakes to lose every trick, with at least "
            "one trump in hand.",
            "countervole",
        ),
        stated("Countervole: nobody exchanges; base 5; the player's first trick ends it as a puesta."),
        ours("A countervole that is won gets no estuches and no primeras."),
        ours("After all have passed the elder undertakes first.", "wrong_seat", "passed"),
        stated("Favor: play in diamonds outbids play; outbid by voltereta or solo it may be raised to oros."),
        ours("Favor exchanges, and pays a base of 5, as play does."),
        stated("The vole challenged in the auction: a solo that outbids every solo."),
        ours("It outbids oros too."),
        ours("If it is lost before the first five tricks are won: 30 to each, and the pool stays."),
    ),
    "9. Revoke": (
        stated(
            "Established when the trick is folded; the revoker pays as for a puesta, and play may "
            "be taken back.",
            source="The Court Gamester, p. 25",
        ),
        ours("Nothing is computed: the table's ruling is recorded."),
    ),
}

OMBRE: Final = Ruleset(
    id="ombre",
    revision=1,
    words="English Ombre (Aldenham, Parlett)",
    source=SOURCE,
    bids=BIDS,
    contracts=CONTRACTS,
    naming=NAMING,
    pool=PoolTerms(stake=5, bases=POOL_BASES, primeras=1, estuches_most=5, vole=30),
    auction="rounds",
    self_right="elder",
    sits_out="dealer",
    sitter_pays=True,
    may_yield=True,
    slam=SlamTerms(worth=30, announced="never"),
    surrender=SurrenderTerms(before_trick=4),
    revoke="until-folded",
    forced_bid="play",
    switches=SWITCHES,
    chip="fish",
    clauses=cite_clauses(SOURCE, CLAUSES),
)

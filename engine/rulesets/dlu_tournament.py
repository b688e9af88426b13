"""``dlu-tournament``: the union's tournament rules, duplicate play with boards, as far as read."""

from dataclasses import replace
from typing import Final

from engine.rulesets.danish_family import (
    GRAND_TOURNE,
    NAMINGS_AFTER_SIMPLE,
    NINE_TO_EACH,
    PACK,
    SHARED_CLAUSES,
    SOLO,
    SPADE_SOLO,
    build_contracts,
    build_namings,
)
from engine.rulesets.dlu import BIDS, DLU
from engine.rulesets.model import PenaltyTerms, SlamTerms, cite_clauses, ours, silent, stated

SOURCE: Final = "Dansk L'hombre-Union, tournament rules, section on bidding"

AS_SELF_OVER: Final = {"tourne": ("simple-nolo",), "simple-nolo": ("tourne",)}

CLAUSES: Final = {
    "1. Ranking": (ours("As in dlu."),),
    "1. Pack": (replace(PACK, ours=True),),
    "2. Deal": (
        stated("Anticlockwise; forehand sits to the dealer's right.", "seating_mismatch"),
        stated("40 or 48 boards; one of four sits out.", "seating_mismatch"),
        stated("If all three pass, the board goes back into its box."),
        replace(NINE_TO_EACH, ours=True),
    ),
    "3. Auction": (
        stated("Two duels; self for the elder, directly after being outbid.", "wrong_seat", "self"),
        stated("Simple game 1 < spade game 2 < simple nolo and tourné 3 < grand tourné 4.", "bid_too_low"),
        stated("… < solo 5 < spade solo and pure nolo 6 < nolo ouvert 7.", "bid_too_low"),
        ours("A bid of equal rank does not outbid.", "bid_too_low"),
        ours(
            "The elder may answer tourné with simple nolo, and the reverse, as if saying self.",
            "bid_too_low",
            "self",
        ),
        stated("Grand tourné needs both black aces, dealt.", "black aces"),
        ours("A player who has passed is out of the auction.", "passed"),
    ),
    "3. Naming": (
        stated(
            "After simple game: simple game in clubs, diamonds or hearts, spade game, tourné or simple nolo.",
            "contract_not_allowed",
        ),
        ours(
            "After simple game also grand tourné, for a player who was dealt both black aces.",
            "contract_not_allowed",
            "black aces",
        ),
        stated("After solo: any of the four suits; in spades it is a spade solo.", "contract_not_allowed"),
        silent("What plain solo in spades pays could not be read."),
        ours("It is paid as spade solo."),
        stated("After any other bid: the bid itself.", "contract_not_allowed"),
        ours("In the tournés the turned card's suit is trumps.", "talon_mismatch"),
    ),
    "4. Exchange": (
        stated("Simple game and spade game: at least one; tourné and grand tourné: two.", "exchange_count"),
        ours("Simple nolo: at least one.", "exchange_count"),
        stated("Defenders against every game, and never against a nolo.", "exchange_not_allowed"),
        ours("Order as in dlu; the leftover talon is set aside unseen.", "wrong_seat", "talon_seen"),
        silent("What a fouled exchange pays was not read: the director rules."),
        ours(
            "First the discard, face down, then as many cards from the top of the talon.",
            "exchange_mismatch",
            "talon_mismatch",
        ),
        ours(
            "Declarer exchanges in simple game, spade game, tourné, simple nolo and grand tourné, "
            "and in no other.",
            "exchange_not_allowed",
        ),
    ),
    "5. Play": (
        ours(
            "Forehand leads; suit is followed; the highest trump wins, else the highest of the suit led.",
            "revoke",
            "wrong_seat",
        ),
        ours(
            "A player whose trumps are all matadors need not follow if one of them beats the card led.",
            "revoke",
            "matador_withheld",
        ),
    ),
    "5. Nolo ouvert": (ours("Declarer lays the hand open right after the lead to trick 1."),),
    "6. Outcome": (ours("As in dlu, remis en quatre included."),),
    "6. All nine tricks": (stated("Tout exists and is worth 1."), ours("It is tried for as in la-bete.")),
    "6. Giving up": (ours("The rule on giving up was not read: as in dlu."),),
    "7. Payments": (
        stated("The tariff of dlu."),
        ours(
            "The player who sits out neither pays nor receives, unless the table agrees otherwise (a switch)."
        ),
    ),
    "9. Revoke": SHARED_CLAUSES["9. Revoke"],
    "9. Pairs play": (
        stated("A declarer and partner never play against each other."),
        stated("If the partner holds cards when the auction ends, the sitter takes over that hand."),
    ),
    "9. Penalties": (
        stated(
            "The director may give a point, kept apart from the chips.",
            "suit_named",
            "spade-game",
            "tourne",
            "simple-nolo",
            "grand-tourne",
            "spade-solo",
        ),
        stated("For naming a suit before having the contract.", "suit_named"),
        stated(
            "For bidding spade game, tourné, simple nolo or grand tourné when simple game was enough.",
            "spade-game",
            "tourne",
            "simple-nolo",
            "grand-tourne",
        ),
        stated("For bidding spade solo when it was not needed to outbid.", "spade-solo"),
    ),
}

DLU_TOURNAMENT: Final = replace(
    DLU,
    id="dlu-tournament",
    revision=1,
    words="Danish Ombre Union, tournament",
    source=SOURCE,
    bids=tuple(replace(bid, as_self_over=AS_SELF_OVER.get(bid.id, ())) for bid in BIDS),
    contracts=build_contracts(
        game_min_exchange=1,
        tourne_min_exchange=2,
        nolo_min_exchange=1,
        ouvert_ends_at=1,
        laid_open="after-lead",
    ),
    naming=build_namings(simple=(*NAMINGS_AFTER_SIMPLE, GRAND_TOURNE), solo=(SOLO, SPADE_SOLO)),
    all_pass="next-dealer",
    slam=SlamTerms(worth=1, announced="until-sixth-lead"),
    penalties=PenaltyTerms(
        points=1,
        needless=(
            ("spade-game", "simple"),
            ("tourne", "simple"),
            ("simple-nolo", "simple"),
            ("grand-tourne", "simple"),
            ("spade-solo", "solo"),
        ),
        suit_named=True,
    ),
    clauses=cite_clauses(SOURCE, CLAUSES),
)

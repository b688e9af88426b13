"""``dlu-tournament``: the union's tournament rules, duplicate play with boards, as far as read."""

from dataclasses import replace
from typing import Final

from engine.rulesets.danish_family import (
    GRAND_TOURNE,
    NAMINGS_AFTER_SIMPLE,
    SOLO,
    SPADE_SOLO,
    UNREAD_REVOKE_CLAUSE,
    build_contracts,
    build_namings,
)
from engine.rulesets.dlu import BIDS, DLU
from engine.rulesets.model import Clause, PenaltyTerms, SlamTerms

SOURCE: Final = "Dansk L'hombre-Union, tournament rules, section on bidding"

AS_SELF_OVER: Final = {"tourne": ("simple-nolo",), "simple-nolo": ("tourne",)}

CLAUSES: Final = (
    Clause("1. Ranking", "As in dlu.", SOURCE, ours=True),
    Clause("2. Deal", "Anticlockwise; forehand sits to the dealer's right.", SOURCE),
    Clause("2. Deal", "Boards, 40 or 48; one of four sits out.", SOURCE),
    Clause("2. Deal", "Where all three pass the board goes back into its box.", SOURCE),
    Clause(
        "3. Auction",
        "Two duels; self for the elder, directly after being outbid.",
        SOURCE,
        on=("wrong_seat", "self"),
    ),
    Clause(
        "3. Auction",
        "Simple 1 < spade game 2 < simple nolo and tourné 3 < grand tourné 4.",
        SOURCE,
        on=("bid_too_low",),
    ),
    Clause(
        "3. Auction", "… < solo 5 < spade solo and pure nolo 6 < nolo ouvert 7.", SOURCE, on=("bid_too_low",)
    ),
    Clause("3. Auction", "A bid of equal rank does not outbid.", SOURCE, ours=True, on=("bid_too_low",)),
    Clause(
        "3. Auction",
        "The elder may answer tourné with simple nolo, and the reverse, as if saying self.",
        SOURCE,
        ours=True,
        on=("bid_too_low", "self"),
    ),
    Clause("3. Auction", "Grand tourné needs both black aces, dealt.", SOURCE, on=("black aces",)),
    Clause(
        "3. Naming",
        "After simple: simple in C, D or H, spade game, tourné or simple nolo.",
        SOURCE,
        on=("contract_not_allowed",),
    ),
    Clause(
        "3. Naming",
        "After simple also grand tourné, for one who was dealt both black aces.",
        SOURCE,
        ours=True,
        on=("contract_not_allowed", "black aces"),
    ),
    Clause(
        "3. Naming",
        "After solo: any of the four suits; in spades it is a spade solo.",
        SOURCE,
        on=("contract_not_allowed",),
    ),
    Clause(
        "3. Naming",
        "What plain solo in spades pays could not be read.",
        SOURCE,
        silent=True,
    ),
    Clause("3. Naming", "It is paid as spade solo.", SOURCE, ours=True),
    Clause("3. Naming", "After any other bid: the bid itself.", SOURCE, on=("contract_not_allowed",)),
    Clause(
        "4. Exchange",
        "Simple and spade game: at least one; tourné and grand tourné: two.",
        SOURCE,
        on=("exchange_count",),
    ),
    Clause("4. Exchange", "Simple nolo: at least one.", SOURCE, ours=True, on=("exchange_count",)),
    Clause(
        "4. Exchange",
        "Defenders against every game, and never against a nolo.",
        SOURCE,
        on=("exchange_not_allowed",),
    ),
    Clause(
        "4. Exchange",
        "Order as in dlu; the leftover talon is set aside unseen.",
        SOURCE,
        ours=True,
        on=("wrong_seat", "talon_seen"),
    ),
    Clause(
        "4. Exchange",
        "What a fouled exchange pays was not read: the director rules.",
        SOURCE,
        silent=True,
    ),
    Clause(
        "5. Play",
        "Whose trumps are all matadors need not follow, if one of them beats the card led.",
        SOURCE,
        ours=True,
        on=("revoke", "matador_withheld", "wrong_seat"),
    ),
    Clause(
        "5. Nolo ouvert",
        "Declarer lays his hand open right after the lead to trick 1.",
        SOURCE,
        ours=True,
    ),
    Clause("6. Outcome", "As in dlu, remis en quatre included.", SOURCE, ours=True),
    Clause("6. All nine tricks", "Tout exists and is worth 1.", SOURCE),
    Clause("6. All nine tricks", "It is tried for as in la-bete.", SOURCE, ours=True),
    Clause("6. Giving up", "“Smide spillet” was not read: as in dlu.", SOURCE, ours=True),
    Clause("7. Payments", "The tariff of dlu.", SOURCE),
    Clause(
        "7. Payments",
        "Who sits out neither pays nor receives, unless the table agrees so (a switch).",
        SOURCE,
        ours=True,
    ),
    Clause("9. Revoke", UNREAD_REVOKE_CLAUSE, SOURCE, silent=True),
    Clause("9. Pairs play", "A declarer never plays against his own partner.", SOURCE),
    Clause(
        "9. Pairs play",
        "Where the partner holds cards when the auction ends, the sitter takes that hand over.",
        SOURCE,
    ),
    Clause(
        "9. Penalties",
        "The director may give a point, kept apart from the chips.",
        SOURCE,
        on=("suit_named", "spade-game", "tourne", "simple-nolo", "grand-tourne", "spade-solo"),
    ),
    Clause("9. Penalties", "For a suit named before having the contract.", SOURCE, on=("suit_named",)),
    Clause(
        "9. Penalties",
        "For bidding spade game, tourné, simple nolo or grand tourné where simple was enough.",
        SOURCE,
        on=("spade-game", "tourne", "simple-nolo", "grand-tourne"),
    ),
    Clause(
        "9. Penalties",
        "For bidding spade solo where it was not needed to outbid.",
        SOURCE,
        on=("spade-solo",),
    ),
)

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
    clauses=CLAUSES,
)

"""The words of a drawing, in English and in Danish; what a ruleset calls its games is the ruleset's own."""

from collections.abc import Mapping
from typing import Final

from engine.rulesets.model import BilingualText

DRAWING_PHRASES: Final[Mapping[str, BilingualText]] = {
    "title": BilingualText("The table, seen from above", "Bordet, set ovenfra"),
    "tricks": BilingualText("{count} tricks", "{count} stik"),
    "trick": BilingualText("1 trick", "1 stik"),
    "talon": BilingualText("{count} in the talon", "{count} i talonen"),
    "sits_out": BilingualText("sits out", "sidder over"),
    "sit_out": BilingualText("sit out", "sidder over"),
    "and": BilingualText("and", "og"),
    "game_in": BilingualText("{game} in {suit}", "{game} i {suit}"),
    "card": BilingualText("the {rank} of {suit}", "{suit} {rank}"),
    "suit_card": BilingualText("one of the {suit}", "en {suit}"),
    "hidden_card": BilingualText("an unseen card", "et skjult kort"),
    "unknown": BilingualText("{count} not known", "{count} ukendte"),
    "one_unknown": BilingualText("1 not known", "1 ukendt"),
    "no_cards": BilingualText("no cards", "ingen kort"),
    "somebody": BilingualText("somebody", "nogen"),
    # What lies on the table, as sentences.
    "seated": BilingualText(
        "{forehand} is forehand, {middlehand} middlehand, {backhand} backhand.",
        "{forehand} er forhånd, {middlehand} mellemhånd, {backhand} baghånd.",
    ),
    "dealt": BilingualText("The cards are dealt.", "Kortene er givet."),
    "speaks": BilingualText("{name} is to speak.", "{name} skal melde."),
    "acts": BilingualText("{name} is to act.", "{name} har turen."),
    "names": BilingualText("{name} is to name the game.", "{name} skal vælge spil."),
    "turns": BilingualText("The talon is to be turned.", "Talonen skal vendes."),
    "exchanges": BilingualText("{name} is to exchange.", "{name} skal købe."),
    "plays": BilingualText("{name} is to play.", "{name} skal spille."),
    "leads_next": BilingualText("{name} is to lead.", "{name} skal spille ud."),
    "passed": BilingualText("{name} passes.", "{name} melder pas."),
    "self": BilingualText("{name} takes the same bid: self.", "{name} kan selv."),
    "bid": BilingualText("{name} bids {bid}.", "{name} melder {bid}."),
    "has_bid": BilingualText("{name} has the bid: {game}.", "{name} har meldingen: {game}."),
    "has_some_bid": BilingualText("{name} has the bid.", "{name} har meldingen."),
    "had_bid": BilingualText("{name} had the bid: {game}.", "{name} havde meldingen: {game}."),
    "all_passed": BilingualText("All have passed.", "Alle har meldt pas."),
    "over": BilingualText("The deal is over.", "Spillet er slut."),
    "leads": BilingualText(
        "Trick {number}: {name} leads {card}.", "Stik {number}: {name} spiller {card} ud."
    ),
    "follows": BilingualText("Trick {number}: {name} plays {card}.", "Stik {number}: {name} lægger {card}."),
    "takes": BilingualText(
        "Trick {number}: {name} plays {card} and takes the trick.",
        "Stik {number}: {name} lægger {card} og tager stikket.",
    ),
    "taken": BilingualText(
        "Trick {number}: {name} plays {card}; {winner} takes the trick.",
        "Stik {number}: {name} lægger {card}; {winner} tager stikket.",
    ),
    "taken_shortly": BilingualText("Trick {number} to {winner}.", "Stik {number} til {winner}."),
    "played_shortly": BilingualText("Trick {number}: {card}.", "Stik {number}: {card}."),
    "seated_shortly": BilingualText("{forehand} is forehand.", "{forehand} er i forhånd."),
    "game_shortly": BilingualText("{name}: {game}.", "{name}: {game}."),
    "claims": BilingualText("{name} claims the rest.", "{name} lægger kortene op og tager resten."),
    "surrenders": BilingualText("{name} offers to surrender.", "{name} vil give op."),
    "took": BilingualText("Tricks: {counts}.", "Stik: {counts}."),
}

DRAWING_OUTCOME_PHRASES: Final[Mapping[str, BilingualText]] = {
    "won": BilingualText("{name} wins the game.", "{name} vinder spillet."),
    "bete": BilingualText("{name} is bête.", "{name} er bet."),
    "codille": BilingualText("{name} loses by codille.", "{name} er kruk."),
    "passed_out": BilingualText("All have passed.", "Alle har meldt pas."),
    "abandoned": BilingualText("{name} gave up.", "{name} har givet op."),
    "forfeited": BilingualText("The game is forfeited.", "Spillet er fortabt."),
    "voided": BilingualText("The deal is void.", "Spillet gælder ikke."),
}
"""How a deal ended, where somebody wrote it down."""

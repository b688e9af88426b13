"""The words of a drawing, in English and in Danish; what a ruleset calls its games is the ruleset's own."""

from collections.abc import Mapping
from typing import Final

from engine.rulesets.model import Words

PHRASES: Final[Mapping[str, Words]] = {
    "title": Words("The table, seen from above", "Bordet, set ovenfra"),
    "tricks": Words("{count} tricks", "{count} stik"),
    "trick": Words("1 trick", "1 stik"),
    "talon": Words("{count} in the talon", "{count} i talonen"),
    "sits_out": Words("sits out", "sidder over"),
    "sit_out": Words("sit out", "sidder over"),
    "and": Words("and", "og"),
    "game_in": Words("{game} in {suit}", "{game} i {suit}"),
    "card": Words("the {rank} of {suit}", "{suit} {rank}"),
    "suit_card": Words("one of the {suit}", "en {suit}"),
    "hidden_card": Words("an unseen card", "et skjult kort"),
    "unknown": Words("{count} not known", "{count} ukendte"),
    "one_unknown": Words("1 not known", "1 ukendt"),
    "no_cards": Words("no cards", "ingen kort"),
    "somebody": Words("somebody", "nogen"),
    # What lies on the table, as sentences.
    "seated": Words(
        "{forehand} is forehand, {middlehand} middlehand, {backhand} backhand.",
        "{forehand} er forhånd, {middlehand} mellemhånd, {backhand} baghånd.",
    ),
    "dealt": Words("The cards are dealt.", "Kortene er givet."),
    "speaks": Words("{name} is to speak.", "{name} skal melde."),
    "acts": Words("{name} is to act.", "{name} har turen."),
    "names": Words("{name} is to name the game.", "{name} skal vælge spil."),
    "turns": Words("The talon is to be turned.", "Talonen skal vendes."),
    "exchanges": Words("{name} is to exchange.", "{name} skal købe."),
    "plays": Words("{name} is to play.", "{name} skal spille."),
    "leads_next": Words("{name} is to lead.", "{name} skal spille ud."),
    "passed": Words("{name} passes.", "{name} melder pas."),
    "self": Words("{name} takes the same bid: self.", "{name} kan selv."),
    "bid": Words("{name} bids {bid}.", "{name} melder {bid}."),
    "has_bid": Words("{name} has the bid: {game}.", "{name} har meldingen: {game}."),
    "has_some_bid": Words("{name} has the bid.", "{name} har meldingen."),
    "had_bid": Words("{name} had the bid: {game}.", "{name} havde meldingen: {game}."),
    "all_passed": Words("All have passed.", "Alle har meldt pas."),
    "over": Words("The deal is over.", "Spillet er slut."),
    "leads": Words("Trick {number}: {name} leads {card}.", "Stik {number}: {name} spiller {card} ud."),
    "follows": Words("Trick {number}: {name} plays {card}.", "Stik {number}: {name} lægger {card}."),
    "takes": Words(
        "Trick {number}: {name} plays {card} and takes the trick.",
        "Stik {number}: {name} lægger {card} og tager stikket.",
    ),
    "taken": Words(
        "Trick {number}: {name} plays {card}; {winner} takes the trick.",
        "Stik {number}: {name} lægger {card}; {winner} tager stikket.",
    ),
    "taken_shortly": Words("Trick {number} to {winner}.", "Stik {number} til {winner}."),
    "played_shortly": Words("Trick {number}: {card}.", "Stik {number}: {card}."),
    "seated_shortly": Words("{forehand} is forehand.", "{forehand} er i forhånd."),
    "game_shortly": Words("{name}: {game}.", "{name}: {game}."),
    "claims": Words("{name} claims the rest.", "{name} lægger kortene op og tager resten."),
    "surrenders": Words("{name} offers to surrender.", "{name} vil give op."),
    "took": Words("Tricks: {counts}.", "Stik: {counts}."),
}

OUTCOMES: Final[Mapping[str, Words]] = {
    "won": Words("{name} wins the game.", "{name} vinder spillet."),
    "bete": Words("{name} is bête.", "{name} er bet."),
    "codille": Words("{name} loses by codille.", "{name} er kruk."),
    "passed_out": Words("All have passed.", "Alle har meldt pas."),
    "abandoned": Words("{name} gave up.", "{name} har givet op."),
    "forfeited": Words("The game is forfeited.", "Spillet er fortabt."),
    "voided": Words("The deal is void.", "Spillet gælder ikke."),
}
"""How a deal ended, where somebody wrote it down."""

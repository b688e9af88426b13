"""What is said of an event, in English and in Danish: one phrase for each thing that can happen.

A phrase begins in lower case and has no full stop; ``sentences`` chooses among them.
"""

from typing import Final

from engine.rulesets.model import Words

PHRASES: Final = {
    "opened": Words(
        "{forehand} is forehand, {middlehand} middlehand, {backhand} backhand",
        "{forehand} er forhånd, {middlehand} mellemhånd, {backhand} baghånd",
    ),
    "dealt": Words("{who} is dealt {cards}", "{who} får {cards}"),
    "talon": Words("the talon is laid, top first: {cards}", "talonen er lagt, øverst først: {cards}"),
    "passes": Words("{who} passes", "{who} melder pas"),
    "says_self": Words("{who} says self and takes over the bid", "{who} kan selv"),
    "bids": Words("{who} bids {bid}", "{who} melder {bid}"),
    "too_early": Words(", naming {suit} already", " og nævner allerede {suit}"),
    "in_these_words": Words(": “{said}”", ": »{said}«"),
    "shows": Words("{who} shows {cards}", "{who} viser {cards}"),
    "holds": Words("{who} has now {cards}", "{who} har nu {cards}"),
    "has_the_contract": Words("{who} has the contract: {contract}", "{who} har meldingen: {contract}"),
    "names_trumps": Words("{who} names trumps: {suit}", "{who} nævner trumf: {suit}"),
    "turned": Words("{card} is turned: {suit} are trumps", "{card} er vendt: {suit} er trumf"),
    "turned_hidden": Words("a card is turned", "et kort er vendt"),
    "yields": Words("{who} yields the first choice of the talon", "{who} lader den anden købe først"),
    "talon_seen": Words(
        "what is left of the talon is looked at by {names}: {cards}",
        "{names} ser resten af talonen: {cards}",
    ),
    "stands": Words("{who} discards nothing", "{who} køber ikke"),
    "discards": Words("{who} discards {cards}", "{who} sælger {cards}"),
    "draws": Words("{who} draws {cards}", "{who} køber {cards}"),
    "takes_over": Words("{player} takes over the hand of {who}", "{player} overtager kortene fra {who}"),
    "leads": Words("{who} leads {card}", "{who} spiller {card} ud"),
    "plays": Words("{who} plays {card}", "{who} lægger {card}"),
    "plays_on": Words("{who} plays {card}, which does not count", "{who} lægger {card}, som ikke tæller"),
    "wins": Words(" — wins trick {number}", " — tager stik {number}"),
    "other_wins": Words(" — {winner} wins trick {number}", " — {winner} tager stik {number}"),
    "nobody_wins": Words(
        " — who wins trick {number} is not known", " — hvem der tager stik {number}, vides ikke"
    ),
    "slam": Words("{who} goes for all nine tricks", "{who} går efter alle ni stik"),
    "claims": Words("{who} claims: {tricks}", "{who} lægger op: {tricks}"),
    "accept": Words("{who} accepts the claim", "{who} er enig"),
    "contest": Words("{who} contests the claim", "{who} er ikke enig"),
    "gives_up": Words("{who} gives up", "{who} giver op"),
    "gives_up_as": Words("{who} gives up, to pay as {outcome}", "{who} giver op mod at betale som {outcome}"),
    "offers": Words("{who} offers to surrender", "{who} tilbyder at give op"),
    "accept_surrender": Words("{who} accepts the surrender", "{who} tager imod"),
    "forbid_surrender": Words(
        "{who} forbids the surrender and plays on alone", "{who} siger nej og spiller det selv"
    ),
    "withdrawn": Words("what entry {of} says is taken back", "hvad post {of} siger, tages tilbage"),
    "result": Words("the slip says: {result}", "sedlen siger: {result}"),
    "result_empty": Words("the slip says nothing", "sedlen siger intet"),
    "irregularity": Words("{kind} is called on {who}", "der gøres indsigelse mod {who}: {kind}"),
    "called_by": Words(" by {by}", ", af {by}"),
    "ruling": Words("the director rules: {text}", "turneringslederen afgør: {text}"),
    "at_fault": Words("at fault: {name}", "skyld: {name}"),
    "penalty": Words("penalty: {points}", "straf: {points}"),
    "voided": Words("the deal is void: {reason}", "spillet gælder ikke: {reason}"),
    "reserves": Words("{who} sets the puesta aside", "{who} lægger sin puesta til side"),
    "corrects": Words("the record is corrected", "optegnelsen rettes"),
    "gap": Words("entries are missing here", "her mangler noget"),
    "note": Words("note: “{text}”", "note: »{text}«"),
    "note_on": Words("note on {on}: “{text}”", "note til {on}: »{text}«"),
    "settled": Words("paid at the table: {payments}", "betalt ved bordet: {payments}"),
    "closed": Words("the record is closed: {payments}", "optegnelsen lukkes: {payments}"),
    "of_a_table": Words("{name}, which belongs to a table", "{name}, som hører til et bord"),
    "hidden_card": Words("an unseen card", "et skjult kort"),
    "suit_card": Words("one of the {suit}", "en {suit}"),
    "card": Words("the {rank} of {suit}", "{suit} {rank}"),
    "matador": Words("{name} ({card})", "{name} ({card})"),
    "one_unseen": Words("one unseen card", "et skjult kort"),
    "unseen": Words("{count} unseen cards", "{count} skjulte kort"),
    "no_cards": Words("no cards", "ingen kort"),
    "game_in": Words("{game} in {suit}", "{game} i {suit}"),
    "tricks": Words("tricks {counts}", "stik {counts}"),
}  # fmt: skip

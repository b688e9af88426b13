"""What is said of an event, in English and in Danish: one phrase for each thing that can happen.

A phrase begins in lower case and has no full stop; `service.presentation.text.sentences` chooses among them.
"""

from typing import Final

from engine.rulesets.model import BilingualText

EVENT_PHRASES: Final = {
    "opened": BilingualText(
        "{forehand} is forehand, {middlehand} middlehand, {backhand} backhand",
        "{forehand} er forhånd, {middlehand} mellemhånd, {backhand} baghånd",
    ),
    "dealt": BilingualText("{who} is dealt {cards}", "{who} får {cards}"),
    "talon": BilingualText("the talon is laid, top first: {cards}", "talonen er lagt, øverst først: {cards}"),
    "passes": BilingualText("{who} passes", "{who} melder pas"),
    "says_self": BilingualText("{who} says self and takes over the bid", "{who} kan selv"),
    "bids": BilingualText("{who} bids {bid}", "{who} melder {bid}"),
    "too_early": BilingualText(", naming {suit} already", " og nævner allerede {suit}"),
    "in_these_words": BilingualText(": “{said}”", ": »{said}«"),
    "shows": BilingualText("{who} shows {cards}", "{who} viser {cards}"),
    "holds": BilingualText("{who} has now {cards}", "{who} har nu {cards}"),
    "has_the_contract": BilingualText(
        "{who} has the contract: {contract}", "{who} har meldingen: {contract}"
    ),
    "names_trumps": BilingualText("{who} names trumps: {suit}", "{who} nævner trumf: {suit}"),
    "turned": BilingualText("{card} is turned: {suit} are trumps", "{card} er vendt: {suit} er trumf"),
    "turned_hidden": BilingualText("a card is turned", "et kort er vendt"),
    "yields": BilingualText("{who} yields the first choice of the talon", "{who} lader den anden købe først"),
    "talon_seen": BilingualText(
        "what is left of the talon is looked at by {names}: {cards}",
        "{names} ser resten af talonen: {cards}",
    ),
    "stands": BilingualText("{who} discards nothing", "{who} køber ikke"),
    "discards": BilingualText("{who} discards {cards}", "{who} sælger {cards}"),
    "draws": BilingualText("{who} draws {cards}", "{who} køber {cards}"),
    "takes_over": BilingualText(
        "{player} takes over the hand of {who}", "{player} overtager kortene fra {who}"
    ),
    "leads": BilingualText("{who} leads {card}", "{who} spiller {card} ud"),
    "plays": BilingualText("{who} plays {card}", "{who} lægger {card}"),
    "plays_on": BilingualText(
        "{who} plays {card}, which does not count", "{who} lægger {card}, som ikke tæller"
    ),
    "wins": BilingualText(" — wins trick {number}", " — tager stik {number}"),
    "other_wins": BilingualText(" — {winner} wins trick {number}", " — {winner} tager stik {number}"),
    "nobody_wins": BilingualText(
        " — who wins trick {number} is not known", " — hvem der tager stik {number}, vides ikke"
    ),
    "slam": BilingualText("{who} goes for all nine tricks", "{who} går efter alle ni stik"),
    "claims": BilingualText("{who} claims: {tricks}", "{who} lægger op: {tricks}"),
    "accept": BilingualText("{who} accepts the claim", "{who} er enig"),
    "contest": BilingualText("{who} contests the claim", "{who} er ikke enig"),
    "gives_up": BilingualText("{who} gives up", "{who} giver op"),
    "gives_up_as": BilingualText(
        "{who} gives up, to pay as {outcome}", "{who} giver op mod at betale som {outcome}"
    ),
    "offers": BilingualText("{who} offers to surrender", "{who} tilbyder at give op"),
    "accept_surrender": BilingualText("{who} accepts the surrender", "{who} tager imod"),
    "forbid_surrender": BilingualText(
        "{who} forbids the surrender and plays on alone", "{who} siger nej og spiller det selv"
    ),
    "withdrawn": BilingualText("what entry {of} says is taken back", "hvad post {of} siger, tages tilbage"),
    "result": BilingualText("the slip says: {result}", "sedlen siger: {result}"),
    "result_empty": BilingualText("the slip says nothing", "sedlen siger intet"),
    "irregularity": BilingualText("{kind} is called on {who}", "der gøres indsigelse mod {who}: {kind}"),
    "called_by": BilingualText(" by {by}", ", af {by}"),
    "ruling": BilingualText("the director rules: {text}", "turneringslederen afgør: {text}"),
    "at_fault": BilingualText("at fault: {name}", "skyld: {name}"),
    "penalty": BilingualText("penalty: {points}", "straf: {points}"),
    "voided": BilingualText("the deal is void: {reason}", "spillet gælder ikke: {reason}"),
    "reserves": BilingualText("{who} sets the puesta aside", "{who} lægger sin puesta til side"),
    "corrects": BilingualText("the record is corrected", "optegnelsen rettes"),
    "gap": BilingualText("entries are missing here", "her mangler noget"),
    "note": BilingualText("note: “{text}”", "note: »{text}«"),
    "note_on": BilingualText("note on {on}: “{text}”", "note til {on}: »{text}«"),
    "settled": BilingualText("paid at the table: {payments}", "betalt ved bordet: {payments}"),
    "closed": BilingualText("the record is closed: {payments}", "optegnelsen lukkes: {payments}"),
    "of_a_table": BilingualText("{name}, which belongs to a table", "{name}, som hører til et bord"),
    "hidden_card": BilingualText("an unseen card", "et skjult kort"),
    "suit_card": BilingualText("one of the {suit}", "en {suit}"),
    "card": BilingualText("the {rank} of {suit}", "{suit} {rank}"),
    "matador": BilingualText("{name} ({card})", "{name} ({card})"),
    "one_unseen": BilingualText("one unseen card", "et skjult kort"),
    "unseen": BilingualText("{count} unseen cards", "{count} skjulte kort"),
    "no_cards": BilingualText("no cards", "ingen kort"),
    "game_in": BilingualText("{game} in {suit}", "{game} i {suit}"),
    "tricks": BilingualText("tricks {counts}", "stik {counts}"),
}  # fmt: skip

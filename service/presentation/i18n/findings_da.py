"""What is found, in Danish: for each form of the engine's sentences the Danish one, with the same places.

The words are the club's own: *stik*, *farve*, *trumf*, *melding*, *talon*; who discards *sells*, who draws
*buys*, and who does not follow suit commits *kulørsvigt*. Where a name may stand in the genitive the sentence
is turned so that it does not: it may end in an s. A test holds these forms and the engine's together.
"""

from typing import Final

from service.presentation.i18n.best_play_da import BEST_PLAY_FORMS as BESTPLAY_FORMS
from service.presentation.i18n.hidden_cards_da import HIDDEN_CARD_FORMS as UNSEEN_FORMS
from service.presentation.i18n.retrospective_da import RETROSPECTIVE_FORMS
from service.presentation.i18n.table_findings_da import TABLE_FINDING_KINDS, TABLE_FORMS

DANISH_FORMS: Final[dict[str, str]] = {
    **RETROSPECTIVE_FORMS,
    **TABLE_FORMS,
    # The whole record.
    "The deal is never opened: a log begins with deal_opened.":
        "Spillet er aldrig åbnet: en optegnelse begynder med deal_opened.",
    "The record ends before it is known what the deal pays.":
        "Optegnelsen slutter, før det er afgjort, hvad spillet betaler.",
    "The deal is over; what it pays is not stated, or hangs on what was not recorded.":
        "Spillet er slut; hvad det betaler, står der ikke, eller det hænger på noget, der mangler.",
    "{event} belongs to a table, not to a deal.": "{event} hører til et bord, ikke til et spil.",
    # Corrections and what was taken back.
    "It puts entries after {entry}, which belongs to the deal that this one leaves.":
        "Rettelsen sætter noget ind efter post {entry}, som hører til det spil, dette går ud fra.",
    "It puts entries after {entry}, which is not there.":
        "Rettelsen sætter noget ind efter post {entry}, som ikke findes.",
    "It replaces entry {entry}, which is not there.": "Rettelsen gælder post {entry}, som ikke findes.",
    "It replaces entry {entry}, which belongs to the deal that this one leaves.":
        "Rettelsen gælder post {entry}, som hører til det spil, dette går ud fra.",
    "Entry {entry} has been replaced by {by}; correct that one.":
        "Post {entry} er allerede rettet til {by}; ret den i stedet.",
    "It withdraws entry {entry}, which is not there.": "Post {entry} tages tilbage, men findes ikke.",
    "It withdraws entry {entry}, which belongs to the deal that this one leaves.":
        "Post {entry} tages tilbage, men hører til det spil, dette går ud fra.",
    "It withdraws entry {entry}, which does not stand any more.":
        "Post {entry} tages tilbage, men gælder ikke længere.",
    "It withdraws entry {entry}, which is no call and no card.":
        "Post {entry} tages tilbage, men er hverken en melding eller et kort.",
    # How a deal, or a variation of one, begins.
    "The deal that this one leaves is not here.": "Det spil, dette går ud fra, er her ikke.",
    "The deal that this one leaves cannot be left there: {why}":
        "Dette spil kan ikke gå ud fra det andet på det sted: {why}",
    "known is {known}, and that deal has {count} entries.":
        "known er {known}, og det spil har {count} poster.",
    "at is {at}, which is none of its {count} entries.": "at er {at}, som ikke er en af dets {count} poster.",
    "at is {at}, which is none of its first {count} entries.":
        "at er {at}, som ikke er en af dets {count} første poster.",
    "{count} entries come before it; a variation takes {most} at most.":
        "der er {count} poster før det, og en variant kan højst have {most}.",
    "{why} What is played in it can be judged only in part.":
        "{why} Det, der spilles i det, kan kun bedømmes delvis.",
    "This deal has been opened already.": "Spillet er allerede åbnet.",
    "The ruleset {ruleset!r}{revision} is not known here; there are {known}. Nothing is judged.":
        "Regelsættet »{ruleset}«{revision} kendes ikke her; der er {known}. Intet bliver bedømt.",
    ", revision {revision},": ", udgave {revision},",
    "sitting out": "oversidder",
    "{player} is {places}; one player has one place in a deal.":
        "{player} er både {places}; en spiller har én plads i et spil.",
    "{ruleset} knows no switch {name!r}; there are {known}.":
        "{ruleset} har ikke valget »{name}«; der er {known}.",
    "The switch {switch} is said twice; the first counts, and {name!r}: {value} does not.":
        "Valget {switch} er sagt to gange; det første tæller, og »{name}«: {value} tæller ikke.",
    "The switch {switch} cannot be {value}; it can be {values}.":
        "Valget {switch} kan ikke være {value}; det kan være {values}.",
    "true or false": "true eller false",
    "{least} to {most}": "{least} til {most}",
    # In its time, and in turn.
    "{player} {act}, but {why}.": "{player} {act}, men {why}.",
    "{act}, but {why}.": "{act}, men {why}.",
    "{player} {act}, but it is {other}'s turn ({seat}).":
        "{player} {act}, men det er {other}, der er i tur ({seat}).",
    "the auction is not recorded": "meldingerne er ikke skrevet ned",
    "the auction is not over": "meldingerne er ikke slut",
    "the contract is not named": "der er ikke valgt spil endnu",
    "the talon is not turned": "talonens øverste kort er ikke vendt",
    "the exchange is not over": "byttet er ikke slut",
    "the auction has begun": "meldingerne er begyndt",
    "the contract has begun": "meldingerne er slut",
    "the turn has begun": "talonens øverste kort skal vendes nu",
    "the exchange has begun": "byttet er begyndt",
    "the play has begun": "der spilles allerede",
    "the deal is over": "spillet er slut",
    # The auction.
    "says {bid}": "melder {bid}",
    "says self": "siger »kan selv«",
    "passes": "melder pas",
    "{player} {act}, but has passed, and a pass is final.": "{player} {act}, men har meldt pas og er ude.",
    "{player} {act}, but all have passed, and a pass is final.": "{player} {act}, men alle har meldt pas.",
    "{player} says self, but may not take over the bid that stands.":
        "{player} siger »kan selv«, men må ikke overtage meldingen.",
    "{bid!r} is no bid of these rules: {known}.": "»{bid}« er ingen melding i disse regler: {known}.",
    "{player} says {bid}, which is undertaken only after all have passed.":
        "{player} melder {bid}, som først kan siges, når alle har meldt pas.",
    "{player} undertakes {bid}, but has declined to undertake anything.":
        "{player} vil spille {bid}, men har allerede sagt nej tak.",
    "{player} says {bid} without having been dealt both black aces.":
        "{player} melder {bid} uden at have fået begge de sorte esser.",
    "{player} said {bid} without having been dealt both black aces.":
        "{player} meldte {bid} uden at have fået begge de sorte esser.",
    "{player} said {bid}, but a black ace was dealt elsewhere.":
        "{player} meldte {bid}, men et af de sorte esser lå et andet sted.",
    "{player} says {bid}, which is said only over {over}.":
        "{player} melder {bid}, som kun kan meldes over {over}.",
    "{player} says {bid}, which does not outbid {standing}.":
        "{player} melder {bid}, men det er ikke højere end {standing}.",
    "{player} {act}: {points}, if the director so decides.":
        "{player} {act}: {points}, hvis turneringslederen bestemmer det.",
    "names {suit} before having the contract": "nævner {suit}, før meldingen er vundet",
    "says {bid} where {enough} would have been enough": "melder {bid}, hvor {enough} havde været nok",
    "1 point": "1 strafpoint",
    "{count} points": "{count} strafpoint",
    # The naming of the contract and of trumps.
    "names {contract}": "vælger {contract}",
    "{contract} in {suits}": "{contract} i {suits}",
    "no bid": "ingen melding",
    "nothing": "ingenting",
    "{player} names {game}; after {bid} he may name {open}.":
        "{player} vælger {game}; efter {bid} kan der vælges {open}.",
    "{player} names {contract}, but it is for the holder of SA to play.":
        "{player} vælger {contract}, men det er den, der har SA, som skal spille.",
    "{player} names {game}, but he has to hold a trump of it.":
        "{player} vælger {game}, men skal selv have en trumf i farven.",
    "{player} names {contract} and no trump suit is recorded.":
        "{player} vælger {contract}, men trumfen er ikke skrevet ned.",
    "{player} names trumps, but no contract is named.": "{player} vælger trumf, men der er ikke valgt spil.",
    "{player} names trumps, but is not the declarer.": "{player} vælger trumf, men er ikke spilfører.",
    "{player} names {suit} trumps, but {why}.": "{player} gør {suit} til trumf, men {why}.",
    "trumps are made already": "trumfen er allerede valgt",
    "{contract} does not allow it": "det kan man ikke i {contract}",
    # The talon and the exchange.
    "The talon is turned": "Talonens øverste kort vendes",
    "The talon is turned, but {contract} turns no card.":
        "Talonens øverste kort vendes, men i {contract} vendes intet kort.",
    "{card} is turned, but {top} lies on top of the talon.":
        "{card} vendes, men {top} ligger øverst i talonen.",
    "{player} yields first choice of the talon, which is not his to yield.":
        "{player} lader den anden købe først, men står ikke selv til at købe først.",
    "discards": "sælger kort",
    "draws": "køber kort",
    "{player} discarded {count} and no draw is recorded.":
        "{player} solgte {count} kort, men det er ikke skrevet ned, hvad der blev købt.",
    "{player} discarded {count} and draws {drawn}.": "{player} solgte {count} kort og køber {drawn}.",
    "{player} discards, but has exchanged already.": "{player} sælger kort, men har allerede byttet.",
    "{player} discards, but has exchanged already in {contract}.":
        "{player} sælger kort, men har allerede byttet i dette spil ({contract}).",
    "{player} discards, but may not exchange in {contract}.":
        "{player} sælger kort, men må ikke bytte i {contract}.",
    "{player} discards {count}, but the talon is empty.": "{player} sælger {count} kort, men talonen er tom.",
    "{player} discards {count}, but has to exchange {bound}.":
        "{player} sælger {count} kort, men her byttes der {bound}.",
    "at least {count}": "mindst {count}",
    "at most {count}": "højst {count}",
    "{player} discards {card}, which is not in the hand.": "{player} sælger {card}, som ikke er på hånden.",
    "{player} draws {drawn}; the talon has {left} left.":
        "{player} køber {drawn} kort; der er {left} tilbage i talonen.",
    "{player} draws {card}, but {top} lies there in the talon.":
        "{player} køber {card}, men på det sted i talonen ligger {top}.",
    "{player} draws {card}, which lies elsewhere in the talon.":
        "{player} køber {card}, som ligger et andet sted i talonen.",
    # Hands and what is told of them.
    "{player}'s dealt hand is recorded after the exchange has begun.":
        "De kort, {player} fik givet, er skrevet ned, efter at byttet er begyndt.",
    "{player}'s hand has been recorded already.": "De kort, {player} fik givet, er allerede skrevet ned.",
    "{player} was dealt {count} cards; a hand has nine.": "{player} fik givet {count} kort; en hånd har ni.",
    "{player} was dealt no {cards}, but has shown it.": "{player} fik ikke givet {cards}, men har vist det.",
    "The talon is laid with {count} cards; it has thirteen.":
        "Talonen er lagt med {count} kort; den har tretten.",
    "{card} lies on top, but {turned} was turned.": "{card} ligger øverst, men {turned} blev vendt.",
    "{players} looked at what was left of the talon; under these rules it stays face down.":
        "{players} så resten af talonen; efter disse regler bliver den liggende med bagsiden op.",
    "{count} cards were seen in the talon; {left} are left of it.":
        "Der blev set {count} kort i talonen; der er {left} tilbage i den.",
    "{player} shows {card}, which is not in the hand.": "{player} viser {card}, som ikke er på hånden.",
    "{player}'s hand is stated with {count} cards; it has {expected} then.":
        "Hånden hos {player} er skrevet ned med {count} kort; den har {expected} på det tidspunkt.",
    "{sentence} {another}": "{sentence} {another}",
    "{cards}, certainly still there, is missing.": "{cards} mangler, men er der helt sikkert endnu.",
    "{player}'s hand is stated without {cards}, which is certainly in it.":
        "Hånden hos {player} er skrevet ned uden {cards}, som helt sikkert er på den.",
    "{card} is stated in {player}'s hand, which cannot hold it.":
        "{card} er skrevet på hånden hos {player}, men kan ikke være der.",
    "{card} is stated in {other}'s hand, but {player} plays it to trick {trick} (entry {entry}).":
        "{card} er skrevet på hånden hos {other}, men {player} spiller det i stik {trick} (post {entry}).",
    # A card in two places: where it is said to be, and where it is.
    "was dealt to {player}": "blev givet til {player}",
    "lies in the talon": "ligger i talonen",
    "is stated in {player}'s hand": "er skrevet på hånden hos {player}",
    "is shown by {player}": "vises af {player}",
    "is turned": "vendes",
    "is discarded by {player}": "sælges af {player}",
    "is drawn by {player}": "købes af {player}",
    "{card} {where}, but it has been played (entry {entry}).":
        "{card} {where}, men er allerede spillet (post {entry}).",
    "{card} {where}, but {other} ({seat}) has it.": "{card} {where}, men {other} ({seat}) har det.",
    "{card} {where}, but it has been laid away.": "{card} {where}, men er lagt væk.",
    "{card} {where}, but it lies in the talon.": "{card} {where}, men ligger i talonen.",
    "{card} stands twice in {where}.": "{card} står to gange {where}.",
    "{player}'s hand": "på hånden hos {player}",
    "the talon": "i talonen",
    "what {player} shows": "i det, {player} viser",
    "{player}'s discard": "i det, {player} sælger",
    "{player}'s draw": "i det, {player} køber",
    # The play.
    "plays {card}": "spiller {card}",
    "{player} plays {card} to {lead} at trick {trick}, holding {cards}: a revoke.":
        "{player} lægger {card} på {lead} i stik {trick}, men har {cards} på hånden: kulørsvigt.",
    "{player} leads, but cannot have won trick {trick}.":
        "{player} spiller ud, men kan ikke have taget stik {trick}.",
    "{player} plays {card} after the deal was over; it does not count.":
        "{player} spiller {card}, efter at spillet er slut; det tæller ikke.",
    "The record jumps from trick {number} to trick {trick}: entries are missing.":
        "Optegnelsen springer fra stik {number} til stik {trick}: der mangler noget.",
    "The card is recorded for trick {trick}, but trick {number} is being played.":
        "Kortet er skrevet til stik {trick}, men der spilles stik {number}.",
    "{player} plays a card, but can have none like {card} left.":
        "{player} spiller et kort, men kan ikke have flere som {card}.",
    "{player} plays {card}, which has been played already (entry {entry}).":
        "{player} spiller {card}, som allerede er spillet (post {entry}).",
    "{player} plays {card}, which is not in the hand{whose}.":
        "{player} spiller {card}, som ikke er på hånden{whose}.",
    ": {other} has it": ": {other} har det",
    "{player} plays {card}, which has been laid away.": "{player} spiller {card}, som er lagt væk.",
    "{player} plays {card}, but {other} has it.": "{player} spiller {card}, men {other} har det.",
    # All nine tricks.
    "{player} announces all nine tricks; {why}.": "{player} melder alle ni stik, men {why}.",
    "under these rules play stops at the fifth trick": "efter disse regler stopper spillet ved femte stik",
    "under these rules the lead to the sixth trick is the challenge":
        "efter disse regler melder man ved at spille ud til sjette stik",
    "he has announced it already": "det er allerede meldt",
    "only the declarer of a game may": "det kan kun spilføreren i et trumfspil",
    "it must be announced at the latest on winning the fifth trick":
        "det skal meldes senest, når femte stik er taget",
    "a trick has been lost already": "der er allerede tabt et stik",
    "it is announced on winning the fifth trick, not before":
        "det meldes, når femte stik er taget, og ikke før",
    # Claims, giving up, surrender, puestas.
    "claims": "lægger op",
    "{player} claims, but it makes {count} tricks of nine.":
        "{player} lægger op, men det giver {count} stik af ni.",
    "{player} claims, but {other} has {count} already.":
        "{player} lægger op, men {other} har allerede {count}.",
    "{player} answers a claim, but none is on the table.":
        "{player} svarer på en oplægning, men ingen har lagt op.",
    "{player} answers his own claim; it is for the others to answer.":
        "{player} har selv lagt op; det er de andre, der skal svare.",
    "{player} gives up, but {why}.": "{player} kaster kortene, men {why}.",
    "{player} gives up, but the deal is over.": "{player} kaster kortene, men spillet er slut.",
    "only the declarer may give up": "det kan kun spilføreren",
    "these rules do not know it": "det kender disse regler ikke",
    "the contract is not known yet": "det vides ikke endnu, hvad der spilles",
    "giving up {contract} as {pays} is not open to him now": "{contract} kan ikke kastes for {pays} nu",
    "bête": "bet",
    "kodille": "kruk",
    "{player} offers to surrender, but {why}.": "{player} vil give op, men {why}.",
    "{player} offers to surrender, but the deal is over.": "{player} vil give op, men spillet er slut.",
    "only Ombre may": "det kan kun spilføreren",
    "these rules know no surrender": "det kender disse regler ikke",
    "who has forbidden a surrender has to play it out":
        "den, der har sagt nej til en overgivelse, skal spille til ende",
    "he has offered it already": "det er allerede tilbudt",
    "only a game can be surrendered": "det kan man kun i et trumfspil",
    "who has challenged for the vole has to play it out": "den, der har meldt vole, skal spille til ende",
    "the contract is not made yet": "der er ikke valgt spil endnu",
    "he has his own exchange before him": "skal selv bytte først",
    "trick {trick} has been begun": "stik {trick} er begyndt",
    "{player} answers a surrender, but none is on the table.":
        "{player} svarer på en overgivelse, men ingen vil give op.",
    "{player} answers his own surrender; it is for the others to answer.":
        "{player} vil selv give op; det er de andre, der skal svare.",
    "{player} sets a puesta aside, but {why}.": "{player} lægger en puesta til side, men {why}.",
    "these rules have no pool": "disse regler har ingen pulje",
    "it is for the loser to set it aside": "det er taberen, der kan gøre det",
    "he has lost none in this deal": "har ikke tabt nogen i dette spil",
    "the table has agreed to do so from a pool of {chips} on":
        "bordet har aftalt først at gøre det ved en pulje på {chips}",
    # A slip, against itself and against the cards.
    "The slip tells another result than the one recorded before it; correct the one that is wrong.":
        "Sedlen siger noget andet end den, der blev skrevet før; ret den, der er forkert.",
    "{contract!r} is no contract of these rules: {known}.":
        "»{contract}« er intet spil i disse regler: {known}.",
    "The slip tells of all nine tricks, which these rules do not pay in this contract.":
        "Sedlen har alle ni stik, som disse regler ikke betaler for i det spil.",
    "The slip says that all have passed, and tells of a game all the same.":
        "Sedlen siger, at alle meldte pas, men har alligevel et spil.",
    "The slip has {count} tricks; there are nine.": "Sedlen har {count} stik; der er ni.",
    "The slip says {outcome}, its tricks make {made}.": "Sedlen siger {outcome}, men stikkene giver {made}.",
    "The slip says that {contract} was given up, which these rules do not allow.":
        "Sedlen siger, at {contract} blev kastet, og det tillader disse regler ikke.",
    "The slip has {contract} in {suit}, which there is not.":
        "Sedlen har {contract} i {suit}, og det findes ikke.",
    "The slip tells of {extras}.": "Sedlen har {extras}.",
    "primeras or estuches, which these rules do not know":
        "primeras eller estuches, som disse regler ikke kender",
    "primeras or estuches, which {contract} does not pay":
        "primeras eller estuches, som {contract} ikke betaler",
    "all nine tricks made, and the outcome {outcome}": "alle ni stik taget, men resultatet {outcome}",
    "all nine tricks failed, and the outcome {outcome}": "alle ni stik glippet, men resultatet {outcome}",
    "kodille, which there is none of where all nine tricks were challenged for":
        "kruk, og det kan man ikke blive, når alle ni stik var meldt",
    "all nine tricks made, and {count} tricks": "alle ni stik taget, men {count} stik",
    "all nine tricks failed, and {count} tricks": "alle ni stik glippet, men {count} stik",
    "the first five tricks won, and {count} tricks": "de fem første stik taget, men {count} stik",
    "The slip says {told}: the cards say otherwise.": "Sedlen siger, {told}; kortene siger noget andet.",
    "{player} as declarer": "at {player} var spilfører",
    "{contract} as the contract": "at spillet var {contract}",
    "another trump suit": "at trumfen var en anden",
    "the outcome {outcome}, which by the cards is {due}":
        "at det blev {outcome}, hvor det efter kortene blev {due}",
    "primeras": "at der var primeras",
    "no primeras": "at der ikke var primeras",
    "{count} estuches, which are {due}": "at der var {count} estuches, hvor der var {due}",
    "that all have passed": "at alle meldte pas",
    "{count} tricks for {player}, who won {won}": "at {player} fik {count} stik, hvor det var {won}",
    # What was paid, and what was ruled.
    "Paid: {told}.": "Betalt: {told}.",
    "{player} {paid:+d} instead of {due:+d}": "{player} {paid:+d} i stedet for {due:+d}",
    "{chips:+d} in all, which nobody paid": "{chips:+d} i alt, som ingen har betalt",
    "{player}, who is not in this deal": "{player}, som ikke er med i spillet",
    "{player} named twice": "{player} nævnt to gange",
    "The ruling pays {payments}.": "Afgørelsen betaler {payments}.",
    "{chips:+d} in all, and there is no pool that gives or takes it":
        "{chips:+d} i alt, men der er ingen pulje at tage af eller lægge i",
    "By the ruling {chips} are taken out of the pool, in which {lies} lie.":
        "Afgørelsen tager {chips} fra puljen, hvor der ligger {lies}.",
    # A table and its deals.
    "A chip is said to be worth {worth!r}, so nothing is counted in money; "
    "write a number above 0, such as 0.25 or 10.":
        "En jeton er sat til »{worth}«, så der regnes ikke i penge; skriv et tal over 0, som 0.25 eller 10.",
    "The ruleset {ruleset!r}{revision} is not known here; no deal can be seated by it.":
        "Regelsættet »{ruleset}«{revision} kendes ikke her; efter det kan ingen få plads.",
    "The table was closed before this was entered.": "Bordet var lukket, før dette blev skrevet.",
    "This table has been opened already.": "Bordet er allerede åbnet.",
    "{event} belongs to a deal, not to a table.": "{event} hører til et spil, ikke til et bord.",
    "{player} sits down, but sits there already.": "{player} sætter sig, men sidder der allerede.",
    "{player} leaves, but does not sit at this table.": "{player} går, men sidder ikke ved bordet.",
    "{player} is to deal first, but does not sit at this table.":
        "{player} skal give først, men sidder ikke ved bordet.",
    "{player} does not sit at this table.": "{player} sidder ikke ved bordet.",
    "{player} pays himself, which changes nothing.": "{player} betaler til sig selv; det ændrer ingenting.",
    "{player} pays {other} nothing.": "{player} betaler ingenting til {other}.",
    "{player} pays {other} {chips}, less than nothing: it counts as {back} from {other} to {player}.":
        "{player} betaler {chips} til {other}: det tæller som {back} fra {other} til {player}.",
    "{player} is named twice; one player has one place.":
        "{player} er nævnt to gange; en spiller har én plads.",
    "Nobody sits at this table; three to six can play.":
        "Der sidder ingen ved bordet; man kan være tre til seks.",
    "One player sits at this table; three to six can play.":
        "Der sidder kun én ved bordet; man kan være tre til seks.",
    "{count} players sit at this table; three to six can play.":
        "Der sidder {count} ved bordet; man kan være tre til seks.",
    "This deal has been started already; it counts once.": "Spillet er allerede begyndt; det tæller én gang.",
    "There is a deal number {number} already.": "Der er allerede et spil nummer {number}.",
    "The record of this deal is not here; what it pays does not count.":
        "Optegnelsen af dette spil er her ikke; det tæller ikke med.",
    "By the record {recorded}; by the order of the deals {due}.":
        "Skrevet ned: {recorded}. Efter turen: {due}.",
    "{dealer} deals and {players} play{out}": "{dealer} giver, og {players} spiller{out}",
    ", {players} sitting out": ", {players} sidder over",
    "nobody can be seated": "ingen kan få plads",
    "The deal is opened with {recorded}; by the earlier deals it is {due}.":
        "Spillet er åbnet med {recorded}; efter de tidligere spil skal det være {due}.",
    "{chips} in the pool": "{chips} i puljen",
    "{chips} in the pool and {aside} set aside": "{chips} i puljen og {aside} lagt til side",
    "{players}, paid here, did not play; what was paid does not count.":
        "{players} er med i betalingen, men spillede ikke med; betalingen tæller ikke.",
    "What was paid does not add up to nothing, and there is no pool; what was paid does not count.":
        "Betalingen går ikke op, og der er ingen pulje; den tæller ikke.",
    "{chips} are taken out of the pool, in which {lies} lie; what was paid does not count.":
        "Der tages {chips} fra puljen, hvor der ligger {lies}; betalingen tæller ikke.",
    **BESTPLAY_FORMS,
    **UNSEEN_FORMS,
}  # fmt: skip

DANISH_SEPARATORS: Final = {" ": " ", " and ": " og ", " or ": " eller ", ", ": ", ", "; ": "; "}
"""What stands between the texts of a list."""

DANISH_RULE_SECTIONS: Final = {
    "1. Pack": "1. Kortene",
    "2. Deal": "2. Givningen",
    "3. Auction": "3. Meldingerne",
    "3. Naming": "3. Valg af spil",
    "4. Exchange": "4. Byttet",
    "5. Play": "5. Spillet",
    "5. Nolo ouvert": "5. Nolo ouvert",
    "6. Outcome": "6. Opgørelse",
    "6. Giving up": "6. At kaste",
    "6. All nine tricks": "6. Alle ni stik",
    "7. Payments": "7. Takster",
    "8. Pool": "8. Puljen",
    "8. Payments": "8. Takster",
    "8. Extras": "8. Tilvalg",
    "8. Surrender": "8. Overgivelse",
    "8. Reserved puestas": "8. Puester til side",
    "9. Record": "9. Optegnelsen",
    "9. Ruling": "9. Afgørelsen",
    "9. Penalties": "9. Straf",
}
"""The sections of the rules in Danish; one that is not here keeps its name."""

DANISH_FINDING_KINDS: Final = {
    **TABLE_FINDING_KINDS,
    "unknown_card": "ukendt kort",
    "card_duplicated": "samme kort to steder",
    "hand_size": "forkert antal kort",
    "hand_mismatch": "hånden passer ikke",
    "card_not_held": "kort, der ikke var på hånden",
    "talon_mismatch": "talonen passer ikke",
    "contradiction": "kortene modsiger hinanden",
    "trick_mismatch": "stikket passer ikke",
    "wrong_phase": "på et forkert tidspunkt",
    "wrong_seat": "uden for tur",
    "bid_too_low": "for lav melding",
    "bid_not_allowed": "melding, der ikke er tilladt",
    "contract_not_allowed": "spil, der ikke kan vælges",
    "exchange_not_allowed": "bytte, der ikke er tilladt",
    "exchange_count": "for få eller for mange kort byttet",
    "exchange_mismatch": "solgt og købt stemmer ikke",
    "revoke": "kulørsvigt",
    "slam_not_allowed": "tout, der ikke kan meldes",
    "abandon_not_allowed": "kast, der ikke er tilladt",
    "reserve_not_allowed": "puest, der ikke kan lægges til side",
    "claim_not_possible": "krav, der ikke kan opfyldes",
    "result_mismatch": "resultatet stemmer ikke",
    "settlement_mismatch": "betalingen stemmer ikke",
    "pool_mismatch": "puljen stemmer ikke",
    "correction_not_possible": "rettelse, der ikke kan udføres",
    "unknown_ruleset": "ukendt regelsæt",
    "unknown_switch": "ukendt valg i reglerne",
    "seating_mismatch": "sidder anderledes, end turen er",
    "table_mismatch": "passer ikke til bordet",
    "entry_after_close": "efter at bordet er lukket",
    "beginning_missing": "variantens begyndelse mangler",
    "penalty_possible": "mulig straf",
    "incomplete": "ufuldstændigt",
    "matador_withheld": "matador holdt tilbage",
    "play_after_end": "spillet efter slutningen",
}
"""What is found, by its code, in a word or two; in English it is called by the code itself."""

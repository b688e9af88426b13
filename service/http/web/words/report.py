"""What the report on a deal says, and the page on which rulings and corrections are entered."""

from collections.abc import Mapping
from typing import Final

from service.presentation.text.shared_report_words import SHARED_REPORT_PHRASES

_OF_THE_PAGE: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "report": "Report on a deal",
        "report_open": "report",
        "report_print": "Print it",
        "report_walk": "Walk through it",
        "report_players": "Players",
        "report_date": "Opened",
        "report_rules": "Rules",
        "report_switches": "House rules",
        "report_table": "Table",
        "report_number": "Deal",
        "report_board": "Board",
        "report_dealer": "Dealer",
        "report_pool": "Pool",
        "report_record": "Record",
        "report_result": "Result",
        "report_no_course": "The record does not tell it card by card.",
        "report_dealt": "The hands as dealt",
        "report_held": "The hands before the lead",
        "report_calls": "The calls",
        "report_exchange": "The exchange",
        "report_tricks": "The tricks",
        "report_trick": "Trick",
        "report_key": (
            "A dot leads to the trick, a line below it wins it. A small figure leads to what was"
            " found there."
        ),
        "report_leads": "leads",
        "report_takes": "takes the trick",
        "report_played": "was played",
        "report_lawful": "was open",
        "report_beyond": "Played, and does not count",
        "report_talon": "Talon",
        "report_unseen": "{count} unseen",
        "report_no_cards": "no cards",
        "report_found": "What was found",
        "report_matter": "Matter {number}: entry {seq}",
        "report_clause_of": "clause {numbers}",
        "report_clauses_of": "clauses {numbers}",
        "report_then": "Open then",
        "report_open_key": "Underlined was open to him.",
        "report_played_key": "In a box: what he played.",
        "report_later_key": "What leans was known only later.",
        "report_cost": "What it cost",
        "report_worth": "In best play, all hands known",
        "report_worth_card": "Card",
        "report_worth_end": "Ends",
        "report_worth_unlawful": "not lawful",
        "report_unseen_leaning": "Cards that lean are possible only if somebody broke a rule of play.",
        "report_unseen_certain": "Underlined cards are certain.",
        "report_not_mended": "Nothing was corrected.",
        "report_was": "It was",
        "report_is": "It is now",
        "report_gone": "Nothing stands there now.",
        "report_rulings": "What was called and ruled",
        "report_not_ruled": "Nothing was called or ruled.",
        "report_entry": "Entry {seq}",
        "report_by_link": "with the link …{name}",
        "report_money": "The settlement",
        "report_pays": "Who pays whom",
        "report_why": "Why",
        "report_player": "Player",
        "report_due": "Due",
        "report_paid": "Paid",
        "report_parted": "Too much (+), too little (−)",
        "report_right": "What was paid at the table is what is due.",
        "report_wrong": "What was paid at the table is not what is due.",
        "report_not_paid": "What was paid at the table is not recorded.",
        "report_undecided": "What is due cannot be said, so what was paid is held to nothing.",
        "report_possible": "Still possible",
        "report_clauses": "The clauses in force",
        "report_clauses_lead": (
            "Of {rules}, revision {revision}, which never changes; read in: {source}, "
            "unless something else is said."
        ),
        "report_entries": "The record, entry by entry",
        "report_proof": "What vouches for the record",
        "report_holds": (
            "Every entry of this record has its place in the log of all records, and led to the root below "
            "when this was made. With this sheet it can be shown at any time that nothing in the record was "
            "changed, taken out or moved since. That nothing was before, a checkpoint kept earlier shows."
        ),
        "report_fails": (
            "This record does not lead to the root below. Do not rely on it, and run spadille "
            "verify."
        ),
        "report_origin": "Log",
        "report_size": "Entries in it",
        "report_root": "Root hash",
        "report_key_id": "Signing key",
        "report_positions": "Places in the log",
        "report_position": "entries {entries} at {positions}",
        "report_beginning": (
            "Entries 1.1 to 1.{count} belong to the deal that this one leaves: its own log has them."
        ),
        "report_hidden": "{count} of them are proved without what they say, which you may not know.",
        "report_erased": "{count} of them were erased, as the law may ask, and say nothing any more.",
        "report_checkpoint": "The checkpoint, whole:",
        "report_check": "To check it without this service: save the proof from",
        "report_check_with": (
            "and hold it to the checkpoint above, kept in a file, and to the key that you were "
            "given by whoever keeps the service, not by this page:"
        ),
        "report_not_proved": "That what was recorded is what happened at the table, no log can prove.",
        "report_unvouched": "Nothing vouches for this record but where it was read: {place}.",
        "report_digest": (
            "Another copy is the same record if its canonical lines (spadille convert --to "
            "jsonl) have this SHA-256:"
        ),
        "report_sign": "The director",
        "report_sign_date": "Place and date",
        "report_sign_name": "Name",
        "report_sign_hand": "Signature",
        "report_enter": "Write into the record",
        "report_enter_lead": (
            "What is written here is added to the record in your name; nothing is taken out of "
            "it."
        ),
        "report_noscript": "Writing needs JavaScript.",
        "report_recorder": "Cards, bids and tricks are put right in the recorder",
        "report_accept": "Put it right so",
        "report_accept_heading": "Proposed correction",
        "report_unsure_heading": "What may have been",
        "report_unsure": (
            "Only the play speaks for it, and it would clear whoever seems to have revoked. Say how you know."
        ),
        "report_reason": "Reason",
        "report_reason_at": "Reason (entry {seq})",
        "report_ruling": "A ruling",
        "report_ruling_text": "The ruling, and its reason",
        "report_outcome": "Outcome",
        "report_at_fault": "At fault",
        "report_nobody": "nobody",
        "report_unsaid": "not said",
        "report_payments": "Payments (plus is paid, minus pays)",
        "report_paid_so": "Payments",
        "report_penalty": "Penalty points",
        "report_rule": "Write the ruling",
        "report_call": "An irregularity that was called",
        "report_call_kind": "What it was",
        "report_call_seat": "Whose it was",
        "report_call_by": "Called by",
        "report_call_text": "In words",
        "report_call_write": "Write it down",
        "report_void": "The deal does not count",
        "report_void_write": "Void the deal",
        "report_written": "Written. The report is shown anew.",
        "report_no_answer": "Nobody answered. What you wrote is still here: send it again.",
        "report_stale": (
            "Others have written meanwhile. The report is shown anew above: read it, and send "
            "again if it still holds."
        ),
        "report_no_number": "This is not a whole number: {text}",
        "report_needed": "Here something is missing.",
        "report_uneven": (
            "The payments come to {chips} in all, and there is no pool. Put them right, or send them again "
            "as they are."
        ),
    },
    "da": {
        "report": "Rapport om et spil",
        "report_open": "rapport",
        "report_print": "Skriv ud",
        "report_walk": "Gå det igennem",
        "report_players": "Spillere",
        "report_date": "Åbnet",
        "report_rules": "Regler",
        "report_switches": "Husregler",
        "report_table": "Bord",
        "report_number": "Spil",
        "report_board": "Board",
        "report_dealer": "Giver",
        "report_pool": "Pulje",
        "report_record": "Optegnelse",
        "report_result": "Resultat",
        "report_no_course": "Optegnelsen fortæller det ikke kort for kort.",
        "report_dealt": "Kortene som de blev givet",
        "report_held": "Kortene før udspillet",
        "report_calls": "Meldingerne",
        "report_exchange": "Byttet",
        "report_tricks": "Stikkene",
        "report_trick": "Stik",
        "report_key": (
            "En prik spiller ud, en streg under tager stikket. Et lille tal fører til det, der "
            "er fundet der."
        ),
        "report_leads": "spiller ud",
        "report_takes": "tager stikket",
        "report_played": "blev lagt",
        "report_lawful": "var muligt",
        "report_beyond": "Lagt, men tæller ikke",
        "report_talon": "Talon",
        "report_unseen": "{count} ikke set",
        "report_no_cards": "ingen kort",
        "report_found": "Hvad der er fundet",
        "report_matter": "Sag {number}: post {seq}",
        "report_clause_of": "punkt {numbers}",
        "report_clauses_of": "punkt {numbers}",
        "report_then": "Muligt da",
        "report_open_key": "Det understregede var muligt.",
        "report_played_key": "I ramme: det, han lagde.",
        "report_later_key": "Det, der hælder, kendtes først senere.",
        "report_cost": "Hvad det kostede",
        "report_worth": "I bedste spil, når alle hænder kendes",
        "report_worth_card": "Kort",
        "report_worth_end": "Ender",
        "report_worth_unlawful": "ikke tilladt",
        "report_unseen_leaning": "Skrå kort er kun mulige, hvis nogen brød en spilleregel.",
        "report_unseen_certain": "Understregede kort er sikre.",
        "report_not_mended": "Intet er rettet.",
        "report_was": "Der stod",
        "report_is": "Der står nu",
        "report_gone": "Der står ikke noget nu.",
        "report_rulings": "Hvad der er rejst og afgjort",
        "report_not_ruled": "Intet er rejst eller afgjort.",
        "report_entry": "Post {seq}",
        "report_by_link": "med linket …{name}",
        "report_money": "Afregningen",
        "report_pays": "Hvem betaler hvem",
        "report_why": "Hvorfor",
        "report_player": "Spiller",
        "report_due": "Skal have",
        "report_paid": "Betalt",
        "report_parted": "For meget (+), for lidt (−)",
        "report_right": "Det, der blev betalt ved bordet, er det, der skal betales.",
        "report_wrong": "Det, der blev betalt ved bordet, er ikke det, der skal betales.",
        "report_not_paid": "Hvad der blev betalt ved bordet, er ikke noteret.",
        "report_undecided": (
            "Hvad der skal betales, kan ikke siges, så det betalte er ikke sammenholdt med "
            "noget."
        ),
        "report_possible": "Endnu muligt",
        "report_clauses": "De gældende punkter",
        "report_clauses_lead": (
            "Af {rules}, udgave {revision}, som aldrig ændres, gengivet på engelsk; læst i: {source}, "
            "hvor der ikke står andet."
        ),
        "report_entries": "Optegnelsen, post for post",
        "report_proof": "Hvad der borger for optegnelsen",
        "report_holds": (
            "Hver post i optegnelsen har sin plads i loggen over alle optegnelser og førte til roden "
            "nedenfor, da dette blev lavet. Med dette ark kan det altid vises, at intet i optegnelsen siden "
            "er ændret, taget ud eller flyttet. At intet er det før, viser et kontrolpunkt, der er gemt "
            "tidligere."
        ),
        "report_fails": (
            "Optegnelsen fører ikke til roden nedenfor. Stol ikke på den, og kør spadille "
            "verify."
        ),
        "report_origin": "Log",
        "report_size": "Poster i den",
        "report_root": "Rodens hash",
        "report_key_id": "Nøglens id",
        "report_positions": "Pladser i loggen",
        "report_position": "post {entries} på {positions}",
        "report_beginning": (
            "Post 1.1 til 1.{count} hører til det spil, som dette forlader: dets egen log har dem."
        ),
        "report_hidden": "{count} af dem er bevist uden det, de siger, som du ikke må vide.",
        "report_erased": "{count} af dem er slettet, som loven kan kræve, og siger ikke noget mere.",
        "report_checkpoint": "Hele kontrolpunktet:",
        "report_check": "Sådan kan det efterprøves uden denne tjeneste: gem beviset fra",
        "report_check_with": (
            "og hold det op mod kontrolpunktet ovenfor, gemt i en fil, og mod den nøgle, du har "
            "fået af den, der passer tjenesten, og ikke af denne side:"
        ),
        "report_not_proved": "At det, der er noteret, er det, der skete ved bordet, kan ingen log bevise.",
        "report_unvouched": "Intet borger for optegnelsen andet end stedet, den er læst: {place}.",
        "report_digest": (
            "En anden kopi er den samme optegnelse, hvis dens kanoniske linjer (spadille convert"
            " --to jsonl) har denne SHA-256:"
        ),
        "report_sign": "Turneringslederen",
        "report_sign_date": "Sted og dato",
        "report_sign_name": "Navn",
        "report_sign_hand": "Underskrift",
        "report_enter": "Skriv i optegnelsen",
        "report_enter_lead": "Det, der skrives her, føjes til optegnelsen i dit navn; intet tages ud af den.",
        "report_noscript": "Man skal bruge JavaScript for at skrive.",
        "report_recorder": "Kort, meldinger og stik rettes i noteringen",
        "report_accept": "Ret det sådan",
        "report_accept_heading": "Foreslået rettelse",
        "report_unsure_heading": "Hvad der kan have været",
        "report_unsure": (
            "Kun spillets gang taler for det, og så var det ikke kulørsvigt. Skriv, hvor du ved det fra."
        ),
        "report_reason": "Begrundelse",
        "report_reason_at": "Begrundelse (post {seq})",
        "report_ruling": "En afgørelse",
        "report_ruling_text": "Afgørelsen og dens begrundelse",
        "report_outcome": "Udfald",
        "report_at_fault": "Skyld i det",
        "report_nobody": "ingen",
        "report_unsaid": "ikke sagt",
        "report_payments": "Betaling (plus får, minus giver)",
        "report_paid_so": "Betaling",
        "report_penalty": "Strafpoint",
        "report_rule": "Skriv afgørelsen",
        "report_call": "En indsigelse, der blev rejst",
        "report_call_kind": "Hvad det var",
        "report_call_seat": "Hvem det var",
        "report_call_by": "Rejst af",
        "report_call_text": "Med ord",
        "report_call_write": "Skriv den ned",
        "report_void": "Spillet gælder ikke",
        "report_void_write": "Erklær spillet ugyldigt",
        "report_written": "Skrevet ned. Rapporten vises på ny.",
        "report_no_answer": "Ingen svarede. Det, du skrev, står her endnu: send det igen.",
        "report_stale": (
            "Andre har skrevet imens. Rapporten vises på ny ovenfor: læs den, og send igen, hvis"
            " det stadig gælder."
        ),
        "report_no_number": "Dette er ikke et helt tal: {text}",
        "report_needed": "Her mangler noget.",
        "report_uneven": (
            "Betalingerne giver {chips} i alt, og der er ingen pulje. Ret dem, eller send dem igen som de er."
        ),
    },
}  # fmt: skip

REPORT_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    lang: {**words, **{f"report_{key}": alike[lang] for key, alike in SHARED_REPORT_PHRASES.items()}}
    for lang, words in _OF_THE_PAGE.items()
}
"""The words of the page by language; those that other reports have, too, are called ``report_`` and so on."""

COMMON_IRREGULARITIES: Final[Mapping[str, list[str]]] = {
    "en": [
        "revoke", "lead out of turn", "bid out of turn", "wrong number drawn",
        "misdeal", "exposed card", "talk or signs",
    ],
    "da": [
        "kulørsvigt", "udspil uden for tur", "melding uden for tur", "forkert antal købt",
        "fejlgivning", "kort vist ved uheld", "snak eller tegn",
    ],
}  # fmt: skip
"""Usual irregularities in words, as the recorder offers them (``static/js/messages/recorder-en.js``)."""

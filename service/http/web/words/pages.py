"""What the pages say, in each language the project speaks.

The templates take these texts, with those of the other modules here, as ``t``. What the scripts of a page say
while they run stands in ``static/js/messages``, such as ``replayer-en.js`` and ``replayer-da.js``.
"""

from collections.abc import Mapping
from typing import Final

from service.http.web.words.club import CLUB_WORDS
from service.http.web.words.reading_comparison import READING_WORDS
from service.http.web.words.recorder import RECORD_WORDS
from service.http.web.words.report import REPORT_WORDS
from service.http.web.words.table import TABLE_WORDS
from service.http.web.words.table_report import TABLE_REPORT_WORDS
from service.presentation.i18n.card_words import SPANISH_GAMES, SPANISH_SUITS

PAGE_LANGUAGES: Final[Mapping[str, str]] = {"da": "Dansk", "en": "English"}
"""The languages of the pages: code and own name."""

FALLBACK_LANGUAGE: Final = "en"

_ENGLISH: Final[Mapping[str, str]] = {
    "site": "Spadille",
    "tagline": "Deals of L’Hombre, written down, scored and played again.",
    "skip": "To the content",
    "navigation": "Pages",
    "language": "Language",
    "library": "The library",
    "library_lead": "Deals worth playing again: from books, and from the evenings of clubs.",
    "library_empty": "The library has no deals yet.",
    "library_of_club": "From the club’s evenings",
    "library_of_books": "From books",
    "search": "Search",
    "search_player": "Player",
    "search_card": "Card held",
    "search_ruleset": "Rules",
    "search_contract": "Game",
    "search_outcome": "How it ended",
    "search_finding": "What is found in it",
    "search_any": "any",
    "search_all": "The whole library",
    "search_found": "{count} deals",
    "search_found_one": "One deal",
    "search_none": "No deal is like that. The library has an example of each game and fault: ask for less.",
    "deals": "Recorded deals",
    "deals_lead": "What has been written down at the tables here.",
    "deals_empty": "No deal has been recorded here yet.",
    "deals_begin": "Open a table, and each of its deals stands here; or record a single deal card by card.",
    "deals_wait": "Those of the tables that are shared with you stand here.",
    "deals_program": "A program records them by",
    "deals_damaged": "Something here cannot be read: the store is damaged. Tell whoever looks after it.",
    "deal_untitled": "Deal",
    "next_page": "Older deals",
    "open_deal": "Not finished",
    "table": "The table, seen from above",
    "margin": "Beside the table",
    "controls": "Walk through the deal",
    "start": "To the deal",
    "trick_back": "Back a trick",
    "back": "Back a card",
    "on": "On a card",
    "trick_on": "On a trick",
    "end": "To the end",
    "scrubber": "Where in the deal",
    "one_file": "to open without a network (HTML)",
    "seeing": "How it is seen",
    "sharing": "Share it",
    "desk": "The desk",
    "desk_lead": "Write a deal as text, and see it played beside.",
    "desk_open": "Write in it",
    "desk_new": "Write a deal",
    "desk_members": "Members of the club stand in it by their ids:",
    "desk_text": "The deal as text",
    "desk_note": "A note to what is seen",
    "desk_mark": "Mark",
    "desk_add": "Put it in",
    "desk_keep": "Keep it here",
    "desk_take": "Take it as a file",
    "desk_tidy": "Lay the text out",
    "desk_afresh": "Begin afresh",
    "struck_out": "Struck out of its evening: it counts there no longer.",
    "embed_gone": "This deal is no longer published.",
    "whole_page": "The deal on a page of its own",
    "notation": "The deal as text",
    "column_open": "As a column, to print",
    "column_print": "Print it",
    "column_walk": "Walk through it",
    "made_with": "Replayed by Spadille. The whole deal is in this file.",
    "key_help": "Keys: ← → a card, with shift a trick; space plays. On the buttons also ↑ ↓, Home, End.",
    "noscript": "This page needs JavaScript to move the cards. The whole deal can also be read as a file:",
    "noscript_file": "the deal as JSON",
    "source": "Source",
    "download": "As a file",
    "leaves": "A variation of",
    "variations": "What if …",
    "sitting_out": "Sitting out",
    "error_heading": "That did not work",
    "enter": "Logging in",
    "enter_waiting": "One moment …",
    "enter_none": "There is no link here to log in with. Open the whole link that you were given.",
    "enter_refused": "This link does not hold any longer. Ask whoever gave it to you for another.",
    "enter_failed": "That did not work just now.",
    "enter_again": "Try again",
    "enter_ask": "A link brought you here that logs you in. Go on?",
    "enter_open": "Open",
    "enter_other": "This browser is logged in as {here}. The link is for {asked}. "
    "Only one of them can write here.",
    "enter_instead": "Continue as {asked}",
    "enter_stay": "Stay {here}",
    "enter_somebody": "somebody else",
    "enter_noscript": "Logging in needs JavaScript: the link is read by your browser alone.",
    "leave": "Log out",
    "leave_waiting": "Some of what you wrote is not sent yet. It is lost if you log out now.",
    "leave_anyway": "Log out all the same",
    "leave_failed": "There is no network, so nobody can be logged out.",
    "install": "Keep Spadille on this device",
    "install_how": "To keep Spadille on this phone: tap Share, then Add to Home Screen.",
    "away": "There is no network",
    "away_lead": "What you write is kept on this device and sent when the network is back.",
    "away_tables": "These tables open without one",
    "away_deals": "Deals card by card",
    "away_none": "No table has been opened on this device yet.",
    "away_again": "Try again",
    "deals_login": "You are not logged in. With the link that you were given, you see the deals it is for.",
    "forgotten": "someone who left",
    "looks": "Cards",
    "looks_terms": "Spanish terms",
    "looks_suits": "Four colours",
    "error_home": "To the library",
    "api": "The API",
}

_DANISH: Final[Mapping[str, str]] = {
    "site": "Spadille",
    "tagline": "L’hombrespil, skrevet ned, regnet ud og spillet igen.",
    "skip": "Til indholdet",
    "navigation": "Sider",
    "language": "Sprog",
    "library": "Biblioteket",
    "library_lead": "Spil, der er værd at spille igen: fra bøger og fra klubbernes aftener.",
    "library_empty": "Der er ingen spil i biblioteket endnu.",
    "library_of_club": "Fra klubbens aftener",
    "library_of_books": "Fra bøger",
    "search": "Søg",
    "search_player": "Spiller",
    "search_card": "Kort på hånden",
    "search_ruleset": "Regler",
    "search_contract": "Spil",
    "search_outcome": "Udfald",
    "search_finding": "Fejl i spillet",
    "search_any": "alle",
    "search_all": "Hele biblioteket",
    "search_found": "{count} spil",
    "search_found_one": "Ét spil",
    "search_none": "Ingen spil er sådan. Her er et eksempel på hvert spil og hver fejl. Søg på mindre.",
    "deals": "Noterede spil",
    "deals_lead": "Hvad der er skrevet ned ved bordene her.",
    "deals_empty": "Der er ikke noteret noget spil her endnu.",
    "deals_begin": "Åbn et bord, så står hvert af dets spil her; eller notér et enkelt spil kort for kort.",
    "deals_wait": "Her står spillene fra de borde, der er delt med dig.",
    "deals_program": "Et program noterer dem gennem",
    "deals_damaged": "Noget her kan ikke læses: lageret er beskadiget. Sig det til den, der passer det.",
    "deal_untitled": "Spil",
    "next_page": "Ældre spil",
    "open_deal": "Ikke færdigt",
    "table": "Bordet, set ovenfra",
    "margin": "Ved siden af bordet",
    "controls": "Gå gennem spillet",
    "start": "Til givningen",
    "trick_back": "Et stik tilbage",
    "back": "Et kort tilbage",
    "on": "Et kort frem",
    "trick_on": "Et stik frem",
    "end": "Til slutningen",
    "scrubber": "Hvor i spillet",
    "one_file": "til at åbne uden net (HTML)",
    "seeing": "Sådan ses det",
    "sharing": "Del spillet",
    "desk": "Skrivebordet",
    "desk_lead": "Skriv et spil som tekst, og se det spillet ved siden af.",
    "desk_open": "Skriv i det",
    "desk_new": "Skriv et spil",
    "desk_members": "Klubbens medlemmer står i den med deres id:",
    "desk_text": "Spillet som tekst",
    "desk_note": "En note til det, der ses",
    "desk_mark": "Tegn",
    "desk_add": "Sæt den ind",
    "desk_keep": "Gem det her",
    "desk_take": "Tag det som fil",
    "desk_tidy": "Sæt teksten op",
    "desk_afresh": "Begynd forfra",
    "struck_out": "Streget ud af sin aften: det tæller der ikke længere.",
    "embed_gone": "Dette spil er ikke længere udgivet.",
    "whole_page": "Spillet på sin egen side",
    "notation": "Spillet som tekst",
    "column_open": "Som spalte, til at skrive ud",
    "column_print": "Skriv ud",
    "column_walk": "Gå det igennem",
    "made_with": "Afspilles af Spadille. Hele spillet er i denne fil.",
    "key_help": "Taster: ← → et kort, med skift et stik; mellemrum afspiller. "
    "På knapperne også ↑ ↓, Home, End.",
    "noscript": "Siden skal bruge JavaScript for at flytte kortene. Hele spillet kan også læses som fil:",
    "noscript_file": "spillet som JSON",
    "source": "Kilde",
    "download": "Som fil",
    "leaves": "En variation af",
    "variations": "Hvad nu hvis …",
    "sitting_out": "Sidder over",
    "error_heading": "Det gik ikke",
    "enter": "Du logges ind",
    "enter_waiting": "Et øjeblik …",
    "enter_none": "Her er ikke noget link at logge ind med. Åbn hele det link, du har fået.",
    "enter_refused": "Linket gælder ikke længere. Bed om et nyt, der hvor du fik det.",
    "enter_failed": "Det gik ikke lige nu.",
    "enter_again": "Prøv igen",
    "enter_ask": "Et link førte dig hertil og logger dig ind. Vil du gå videre?",
    "enter_open": "Åbn",
    "enter_other": "I denne browser er du logget ind som {here}. Linket er til {asked}. "
    "Kun en af dem kan skrive her.",
    "enter_instead": "Fortsæt som {asked}",
    "enter_stay": "Bliv ved med at være {here}",
    "enter_somebody": "en anden",
    "enter_noscript": "Du skal bruge JavaScript for at logge ind: kun din browser læser linket.",
    "leave": "Log ud",
    "leave_waiting": "Noget af det, du har skrevet, er ikke sendt endnu. Det går tabt, hvis du logger ud nu.",
    "leave_anyway": "Log ud alligevel",
    "leave_failed": "Der er intet net, så ingen kan logges ud.",
    "install": "Læg Spadille på enheden",
    "install_how": "Sådan lægger du Spadille på telefonen: tryk på Del og så på Føj til hjemmeskærm.",
    "away": "Der er intet net",
    "away_lead": "Det, du skriver, gemmes på denne enhed og sendes, når nettet er tilbage.",
    "away_tables": "Disse borde kan åbnes uden",
    "away_deals": "Spil kort for kort",
    "away_none": "Der er ikke åbnet noget bord på denne enhed endnu.",
    "away_again": "Prøv igen",
    "deals_login": "Du er ikke logget ind. Med det link, du har fået, ser du de spil, det gælder.",
    "forgotten": "en, der er gået ud",
    "looks": "Kortene",
    "looks_terms": "Spanske ord",
    "looks_suits": "Fire farver",
    "error_home": "Til biblioteket",
    "api": "API’et",
}

_TEXTS_OF_MODULES: Final = (
    TABLE_WORDS,
    RECORD_WORDS,
    CLUB_WORDS,
    READING_WORDS,
    REPORT_WORDS,
    TABLE_REPORT_WORDS,
)

_TEXTS: Final[Mapping[str, Mapping[str, str]]] = {
    lang: {
        name: text
        for words in (own, *(part[lang] for part in _TEXTS_OF_MODULES))
        for name, text in words.items()
    }
    for lang, own in (("en", _ENGLISH), ("da", _DANISH))
}


def page_words(language: str) -> Mapping[str, str]:
    """The texts of the pages in ``language`` (a code of ``PAGE_LANGUAGES``); English for any other."""
    return _TEXTS.get(language, _TEXTS[FALLBACK_LANGUAGE])


_SUITS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"},
    "da": {"S": "spar", "H": "hjerter", "C": "klør", "D": "ruder"},
}

_CONTRACTS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "simple": "simple game",
        "spade-game": "spade game",
        "tourne": "tourné",
        "simple-nolo": "simple nolo",
        "grand-tourne": "grand tourné",
        "spade-solo": "spade solo",
        "pure-nolo": "pure nolo",
        "nolo-ouvert": "nolo ouvert",
    },
    "da": {
        "simple": "spil",
        "spade-game": "bedre spil",
        "tourne": "tourné",
        "simple-nolo": "købe-nolo",
        "grand-tourne": "tourné respect",
        "spade-solo": "solo spar",
        "pure-nolo": "ren nolo",
        "nolo-ouvert": "nolo ouvert",
        "play": "spil",
    },
}

_SUIT_IN_NAME: Final = frozenset({"spade-game", "spade-solo", "oros"})

_RESULTS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "won": "{game}: {name} won",
        "bete": "{game}: {name} bête",
        "codille": "{game}: {name} codille",
        "passed_out": "All passed",
        "abandoned": "{game}: {name} gave up",
        "forfeited": "{game}: forfeited",
        "voided": "Void",
    },
    "da": {
        "won": "{game}: {name} vandt",
        "bete": "{game}: {name} bet",
        "codille": "{game}: {name} kruk",
        "passed_out": "Alle meldte pas",
        "abandoned": "{game}: {name} gav op",
        "forfeited": "{game}: fortabt",
        "voided": "Gælder ikke",
    },
}


def format_result(
    language: str,
    outcome: str | None,
    *,
    name: str = "",
    contract: str = "",
    trump: str | None = None,
    spanish: bool = False,
) -> str:
    """How a deal ended, as one phrase for a list: "Solo in hearts: Bo won".

    ``outcome`` is an outcome code of the score, or None while the deal is open; ``name`` is the
    declarer's, ``contract`` a contract's id, ``trump`` a suit's letter; both in ``spanish`` where that
    is asked for. A code that the pages do not know is shown as it is.
    """
    chosen = language if language in _TEXTS else FALLBACK_LANGUAGE
    if outcome is None:
        return _TEXTS[chosen]["open_deal"]
    game = _CONTRACTS[chosen].get(contract, contract)
    suits = SPANISH_SUITS if spanish else _SUITS[chosen]
    if spanish:
        game = SPANISH_GAMES.get(contract, game)
    if trump and contract not in _SUIT_IN_NAME:
        game += f" {'i' if chosen == 'da' else 'in'} {suits.get(trump, trump)}"
    game = game[:1].upper() + game[1:]
    return _RESULTS[chosen].get(outcome, outcome).format(name=name, game=game)

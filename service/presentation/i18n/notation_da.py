"""What the reader of the notation tells of a text that it cannot read, in Danish.

The reader writes its sentences in English, and puts into them what was read and what is to be written.
Here each form of them stands with its Danish one; what has none is told as it is. Words that are to be
written stay those of the notation, which reads Danish ones too.
"""

import re
from collections.abc import Mapping
from typing import Final

NOTATION_SENTENCE_FORMS: Final = {
    "In place of {read}, write {expected}.": "I stedet for {read} skal her stå {expected}.",
    "Nothing more stands here; write {expected}.": "Her står ikke mere; skriv {expected}.",
    "There is nothing here; write {expected}.": "Her står ingenting; skriv {expected}.",
    "No deal begins with {read}; write {expected}.": "Intet spil begynder med {read}; skriv {expected}.",
    "The heading lacks {expected}; write it on a line of its own below this one.":
        "Hovedet mangler {expected}; skriv det på en linje for sig under denne.",
    "There is no tag {read}: a deal has no date of its own; write {expected}.":
        "Der er intet mærke {read}: et spil har ingen dato for sig selv; skriv {expected}.",
    "There is no tag {read} here; write {expected}.": "Her er intet mærke {read}; skriv {expected}.",
    "{read}: stands here a second time; write each tag once.":
        "{read}: står her for anden gang; skriv hvert mærke én gang.",
    "{read} stands here twice; write each of them once.":
        "{read} står her to gange; skriv hver af dem én gang.",
    "{read} goes on with the line above, or is something of its own; write {expected}.":
        "{read} hører til linjen ovenfor eller er noget for sig; skriv {expected}.",
    "{read}: is a tag; write it further up, before the first hand, bid or card.":
        "{read}: er et mærke; skriv det længere oppe, før den første hånd, melding eller det første kort.",
    "Nobody can tell from what stands above who passes; write F, M or B before {read}.":
        "Af det, der står ovenfor, kan ingen se, hvem der melder pas; skriv F, M eller B foran {read}.",
    "Nobody can tell from what stands above who played {read}; write F, M or B before it.":
        "Af det, der står ovenfor, kan ingen se, hvem der lagde {read}; skriv F, M eller B foran.",
    "Nobody can tell whose {read} tricks these are; write M 5, or tricks 2-5-2.":
        "Ingen kan se, hvis {read} stik det er; skriv M 5, eller tricks 2-5-2.",
    "These may be the hand of {read}, or cards played; write {expected}.":
        "Det kan være hånden hos {read} eller kort, der er lagt; skriv {expected}.",
    "{read} may be a suit or a rank here; write {expected} before the cards of a suit, or whole cards.":
        "{read} kan her være en farve eller en værdi; skriv {expected} foran kortene i en farve, eller hele "
        "kort.",
    "{read} may be a card of its own or ranks of the suit before it; write {expected}.":
        "{read} kan være et kort for sig eller værdier i farven foran; skriv {expected}.",
    "{read} stands for a suit here a second time, or is a rank in another language; write {expected}.":
        "{read} står her for en farve for anden gang, eller er en værdi på et andet sprog; skriv {expected}.",
    "{read} stands alone here, where the suits before it do not, and may be a rank; write {expected}.":
        "{read} står her alene, hvor farverne før ikke gør, og kan være en værdi; skriv {expected}.",
    "{read} may be a mark or a card here; write {expected}.":
        "{read} kan her være et tegn eller et kort; skriv {expected}.",
    "{read} may be the name of a file, or {sign} a sign; write {expected}.":
        "{read} kan være navnet på en fil, eller {sign} et tegn; skriv {expected}.",
    "{read} may begin with forehand or with declarer here; write {expected}.":
        "{read} kan her begynde med forhånd eller med melderen; skriv {expected}.",
    "{read} may be bete or codille; write {expected}.": "{read} kan være bet eller kruk; skriv {expected}.",
    "Only trumps are named here; write {expected}.": "Her nævnes kun trumf; skriv {expected}.",
    "The cards of this deal can be read in several languages; write {expected}, above the first hand.":
        "Kortene i dette spil kan læses på flere sprog; skriv {expected} over den første hånd.",
    "This {read} is never closed; write {expected}, and indent the lines in which it goes on.":
        "Dette {read} bliver aldrig lukket; skriv {expected}, og ryk de linjer ind, hvor det går videre.",
    "No brace is open that this {read} could close; leave it out.":
        "Ingen klamme er åben, som dette {read} kan lukke; lad det ude.",
    "This line has more than {count} words and signs; write a line for each thing that happens.":
        "Denne linje har mere end {count} ord og tegn; skriv en linje for hver ting, der sker.",
    "No card of {read} stands above; write @ and the entry's number.":
        "Ovenfor står intet kort af {read}; skriv @ og postens nummer.",
    "More than one card of {read} stands above; write @ and the entry's number.":
        "Ovenfor står mere end ét kort af {read}; skriv @ og postens nummer.",
    "A log has at most {count}; begin the next one with Deal: and its title.":
        "En log har højst {count}; begynd den næste med Deal: og dens titel.",
    "This deal takes more than {count} MiB; begin the next one with Deal: and its title.":
        "Dette spil fylder mere end {count} MiB; begynd det næste med Deal: og dets titel.",
    "A line is at most {count} bytes long; go on in an indented line below it.":
        "En linje er højst {count} byte lang; fortsæt i en indrykket linje under den.",
    "There is a NUL byte here; the file is damaged or is no text. Write the line again.":
        "Her er en NUL-byte; filen er beskadiget eller er ikke tekst. Skriv linjen igen.",
    "The byte {read} is not UTF-8 here; save the file as UTF-8 and read it again.":
        "Byten {read} er ikke UTF-8 her; gem filen som UTF-8, og læs den igen.",
}  # fmt: skip
"""The forms of the sentences."""

NOTATION_EXPECTED_FORMS: Final = {
    "what this seat does: hand, bids, passes, names, discards, draws, stands, shows, holds, a card, …":
        "hvad denne plads gør: hånd, melder, pas, vælger, sælger, køber, viser, har, et kort, …",
    "a seat (F, M, B), the number of a trick, a note in braces, or Talon, Turned, Result, Ruling, Gap, "
    "Settled, Correction, …":
        "en plads (F, M, B), nummeret på et stik, en note i klammer, eller Talon, Turned, Result, Ruling, "
        "Gap, Settled, Correction, …",
    "a deal, such as one that begins with Deal: and its title":
        "et spil, såsom et, der begynder med Deal: og dets titel",
    "its heading first: Deal: a title, Rules: dlu, Players: Anna, Bo, Carl, each on a line":
        "først hovedet: Deal: en titel, Rules: dlu, Players: Anna, Bo, Carl, hver på en linje",
    "Players: … (forehand, middlehand, backhand)": "Players: … (forhånd, mellemhånd, baghånd)",
    "three, in the order of forehand, middlehand, backhand":
        "tre, i rækkefølgen forhånd, mellemhånd, baghånd",
    "it in the title (Deal: …) or the source (Source: …)":
        "den i titlen (Deal: …) eller kilden (Source: …)",
    "{near}: …, if that is meant, or another tag of this log":
        "{near}: …, hvis det er det, der menes, eller et andet af loggens mærker",
    "a tag of this log: {tags}": "et af loggens mærker: {tags}",
    "it at the beginning of the line, or the whole text in quotation marks":
        "det først på linjen, eller hele teksten i anførselstegn",
    "one text in quotation marks, or none of them at the beginning":
        "én tekst i anførselstegn, eller ingen af dem i begyndelsen",
    "the next card with its seat, or the end of the line":
        "det næste kort med dets plads, eller linjens slutning",
    "{seat} hand …, or a seat before each card": "{seat} hånd …, eller en plads foran hvert kort",
    "{seat} the mark, or a seat before the card": "{seat} for tegnet, eller en plads foran kortet",
    "{more}, or the end of the sentence": "{more}, eller sætningens slutning",
    "the end of the sentence": "sætningens slutning",
    "the end of the line": "linjens slutning",
    "a card, such as SA, ♥7 or ?? (the letters of cards: Letters: en, da, es or fr)":
        "et kort, såsom SE, ♥7 eller ?? (kortenes bogstaver: Letters: en, da, es eller fr)",
    "cards, such as SA H7 ??, or none": "kort, såsom SE H7 ??, eller ingen",
    "a suit, such as S, ♥ or clubs": "en farve, såsom S, ♥ eller klør",
    "a seat: F, M or B": "en plads: F, M eller B",
    "seats, such as F M, or none": "pladser, såsom F M, eller ingen",
    "numbers, or none": "tal, eller ingen",
    "a number for each seat, such as 5-2-2 or F 5 M 2": "et tal for hver plads, såsom 5-2-2 eller F 5 M 2",
    "chips for each, such as F +2 M -1 B -1": "jetoner for hver, såsom F +2 M -1 B -1",
    "the number of an entry, such as @12 or @30.1, or @last or @trick 1 B":
        "nummeret på en post, såsom @12 eller @30.1, eller @last eller @trick 1 B",
    "the number of an entry: none stands above": "nummeret på en post: ovenfor står ingen",
    "the number of a trick, and the seat that played": "nummeret på et stik og den plads, der spillede",
    "a text in quotation marks, such as \"…\"": "en tekst i anførselstegn, såsom »…«",
    "why it is corrected, in quotation marks, such as \"The wrong card\"":
        "hvorfor det rettes, i anførselstegn, såsom »Det forkerte kort«",
    "{near}, or this word in quotation marks": "{near}, eller dette ord i anførselstegn",
    "a name that these rules have, such as {near}, or this one in quotation marks":
        "et navn, som disse regler har, såsom {near}, eller dette i anførselstegn",
    "the game before them (names solo in S), or chooses S where only trumps are due":
        "spillet foran (names solo in S), eller chooses S, hvor kun trumf skal nævnes",
    "bete (bet) or codille (kodille, kruk)": "bet eller kruk",
    "ranks apart, or each card with its suit": "værdierne hver for sig, eller hvert kort med sin farve",
    "one mark, at the entry or in the note": "ét tegn, ved posten eller i noten",
    "a moment or an id, without spaces": "et tidspunkt eller et id, uden mellemrum",
    "the next tag on a line of its own": "det næste mærke på en linje for sig",
    "a tag of the opening, such as Rules or Forehand": "et mærke fra åbningen, såsom Rules eller Forehand",
    "bookkeeping, each piece once: {pieces}": "bogføring, hvert stykke én gang: {pieces}",
    "one of {choices}": "et af: {choices}",
    "a UUID of 36 characters, such as {example}": "et UUID på 36 tegn, såsom {example}",
    "the number of an entry (30), or of a part of a correction ({part})":
        "nummeret på en post (30), eller på en del af en rettelse ({part})",
    "a list of at most {count} cards": "en liste med højst {count} kort",
    ") behind what the correction puts in": ") bag det, som rettelsen sætter ind",
    "; or ]": "; eller ]",
    "an object with {names}": "en plads til hver: {names}",
    "a number": "et tal",
    "a text of at most {count} characters": "en tekst på højst {count} tegn",
    "a text of {least} to {count} characters": "en tekst på {least} til {count} tegn",
    "a whole number from {least} to {most}": "et helt tal fra {least} til {most}",
    "Letters: {language}, on a line of its own": "Letters: {language}, på en linje for sig",
}  # fmt: skip
"""The forms of what is to be written."""

_PLACEHOLDER: Final = re.compile(r"\\\{(\w+)\\\}")


def _compile_forms(forms: Mapping[str, str]) -> list[tuple[re.Pattern[str], str]]:
    """Each English form as a pattern, the longest first, with its Danish form."""
    sorted_forms = sorted(forms.items(), key=lambda one: -len(one[0]))
    return [
        (re.compile(_PLACEHOLDER.sub(r"(?P<\1>.+)", re.escape(form)), re.DOTALL), danish)
        for form, danish in sorted_forms
    ]


_SENTENCE_PATTERNS: Final = _compile_forms(NOTATION_SENTENCE_FORMS)
_EXPECTED_PATTERNS: Final = _compile_forms(NOTATION_EXPECTED_FORMS)


def translate_notation_message(sentence: str) -> str:
    """A sentence of the notation's reader in Danish; as it is, where it has no Danish form."""
    for pattern, danish in _SENTENCE_PATTERNS:
        found = pattern.fullmatch(sentence)
        if found is not None:
            parts = {
                name: _translate_expected(text) if name == "expected" else _quote_read_text(text)
                for name, text in found.groupdict().items()
            }
            return danish.format(**parts)
    return sentence


def _translate_expected(text: str) -> str:
    for pattern, danish in _EXPECTED_PATTERNS:
        found = pattern.fullmatch(text)
        if found is not None:
            return danish.format(**found.groupdict())
    return text


def _quote_read_text(text: str) -> str:
    """What was read, which is quoted as Danish quotes, unless it is nothing."""
    if text == "the end of the line":
        return "linjens slutning"
    return f"»{text[1:-1]}«" if text[:1] == text[-1:] == '"' and len(text) > 2 else text

"""The words of ``compare``, in English and in Danish: two accounts of one deal, and in what they differ."""

from typing import Final

from engine.rulesets.model import BilingualText

COMPARISON_PHRASES: Final = {
    "account": BilingualText("{number}. {name}: {count} entries", "{number}. {name}: {count} poster"),
    "sound": BilingualText(
        "{account}, which do not contradict each other.", "{account}, som ikke strider mod hinanden."
    ),
    "contradicting": BilingualText("{account}, which cannot all be:", "{account}, som ikke alle kan passe:"),
    "agree": BilingualText("Both can be right.", "Begge kan have ret."),
    "disagree": BilingualText("They cannot both be right.", "De kan ikke begge have ret."),
    "one_cannot": BilingualText(
        "Of nothing do they tell otherwise, but what {name} tells cannot all be.",
        "De siger intet imod hinanden, men det, {name} siger, kan ikke alt sammen passe.",
    ),
    "neither_can": BilingualText(
        "Neither can be right as it stands. The merged record follows {name} where they tell otherwise; "
        "read both before it is kept.",
        "Ingen af dem kan passe, som de står. Den samlede optegnelse følger {name}, hvor de siger hver sit; "
        "læs begge, før den gemmes.",
    ),
    "alike": BilingualText("Told alike: {count}.", "Ens: {count}."),
    "count_only": BilingualText("By one alone: {count}.", "Kun hos den ene: {count}."),
    "count_more": BilingualText("One tells more: {count}.", "Den ene siger mere: {count}."),
    "count_otherwise": BilingualText("Told otherwise: {count}.", "Hver sit: {count}."),
    "only": BilingualText("{place}: told by {name} alone.", "{place}: står kun hos {name}."),
    "filled": BilingualText(
        "Left out: {name} notes that entries are missing, and {other} has them.",
        "Udeladt: {name} skriver, at der mangler poster, og {other} har dem.",
    ),
    "otherwise": BilingualText(
        "{place}: told otherwise ({fields}); the merged record follows {name}.",
        "{place}: fortalt forskelligt ({fields}); den samlede optegnelse følger {name}.",
    ),
    "more": BilingualText(
        "{place}: one tells what the other leaves open ({fields}).",
        "{place}: den ene siger, hvad den anden lader stå åbent ({fields}).",
    ),
    "notes": BilingualText(
        "Notes of {name} alone, all of them kept: {seqs}.",
        "Noter alene hos {name}, som alle er beholdt: {seqs}.",
    ),
    "entry": BilingualText("{name}, entry {seq}: {what}.", "{name}, post {seq}: {what}."),
    "place": BilingualText("Entry {seq} of both together", "Post {seq} af begge tilsammen"),
}
"""The lines of the comparison; ``{name}`` is an account's."""

EVENT_FIELD_WORDS: Final = {
    "after": BilingualText("after which entry", "efter hvilken post"),
    "answer": BilingualText("the answer", "svaret"),
    "at_fault": BilingualText("who is at fault", "hvis skyld"),
    "author": BilingualText("who says so", "hvem der siger det"),
    "bid": BilingualText("the call", "meldingen"),
    "board": BilingualText("the board", "mappen"),
    "branch": BilingualText("where it leaves another deal", "hvor det forlader et andet spil"),
    "by_seat": BilingualText("who calls it", "hvem der gør indsigelse"),
    "card": BilingualText("the card", "kortet"),
    "cards": BilingualText("the cards", "kortene"),
    "contract": BilingualText("the contract", "spillets art"),
    "dealer": BilingualText("the dealer", "giveren"),
    "declarer": BilingualText("the declarer", "spilføreren"),
    "engine": BilingualText("by which program", "af hvilket program"),
    "estuches": BilingualText("the estuches", "estucher"),
    "kind": BilingualText("of what kind", "af hvilken slags"),
    "mark": BilingualText("the mark", "tegnet"),
    "number": BilingualText("the deal's number", "spillets nummer"),
    "of": BilingualText("which entry", "hvilken post"),
    "on": BilingualText("on which entry", "til hvilken post"),
    "outcome": BilingualText("the outcome", "udfaldet"),
    "payments": BilingualText("the payments", "betalingerne"),
    "pays": BilingualText("as what it is paid", "hvad det betales som"),
    "penalty": BilingualText("the penalty points", "strafpoint"),
    "player": BilingualText("the player", "spilleren"),
    "players": BilingualText("the players", "spillerne"),
    "pool": BilingualText("the pool", "puljen"),
    "primeras": BilingualText("the primeras", "primeras"),
    "reason": BilingualText("the reason", "grunden"),
    "replaces": BilingualText("which entries", "hvilke poster"),
    "reserved": BilingualText("the reserved puestas", "puester til side"),
    "revision": BilingualText("the revision of the rules", "reglernes udgave"),
    "ruleset": BilingualText("the rules", "reglerne"),
    "said": BilingualText("the words said", "ordene"),
    "seat": BilingualText("the seat", "pladsen"),
    "seats": BilingualText("the seats", "pladserne"),
    "slam": BilingualText("all nine tricks", "alle ni stik"),
    "source": BilingualText("the source", "kilden"),
    "switches": BilingualText("the house rules", "husreglerne"),
    "table": BilingualText("the table", "bordet"),
    "text": BilingualText("the text", "teksten"),
    "title": BilingualText("the title", "titlen"),
    "trick": BilingualText("which trick", "hvilket stik"),
    "tricks": BilingualText("the tricks", "stikkene"),
    "trump": BilingualText("the trumps", "trumfen"),
    "why": BilingualText("what for", "hvorfor"),
    "with_": BilingualText("what stands instead", "hvad der står i stedet"),
}
"""What a field of an event is called where two accounts differ in it."""

"""The words of ``compare``, in English and in Danish: two accounts of one deal, and in what they differ."""

from typing import Final

from engine.rulesets.model import Words

COMPARED: Final = {
    "account": Words("{number}. {name}: {count} entries", "{number}. {name}: {count} poster"),
    "sound": Words(
        "{account}, which do not contradict each other.", "{account}, som ikke strider mod hinanden."
    ),
    "contradicting": Words("{account}, which cannot all be:", "{account}, som ikke alle kan passe:"),
    "agree": Words("Both can be right.", "Begge kan have ret."),
    "disagree": Words("They cannot both be right.", "De kan ikke begge have ret."),
    "one_cannot": Words(
        "Of nothing do they tell otherwise, but what {name} tells cannot all be.",
        "De siger intet imod hinanden, men det, {name} siger, kan ikke alt sammen passe.",
    ),
    "neither_can": Words(
        "Neither can be right as it stands. The merged record follows {name} where they tell otherwise; "
        "read both before it is kept.",
        "Ingen af dem kan passe, som de står. Den samlede optegnelse følger {name}, hvor de siger hver sit; "
        "læs begge, før den gemmes.",
    ),
    "alike": Words("Told alike: {count}.", "Ens: {count}."),
    "count_only": Words("By one alone: {count}.", "Kun hos den ene: {count}."),
    "count_more": Words("One tells more: {count}.", "Den ene siger mere: {count}."),
    "count_otherwise": Words("Told otherwise: {count}.", "Hver sit: {count}."),
    "only": Words("{place}: told by {name} alone.", "{place}: står kun hos {name}."),
    "filled": Words(
        "Left out: {name} notes that entries are missing, and {other} has them.",
        "Udeladt: {name} skriver, at der mangler poster, og {other} har dem.",
    ),
    "otherwise": Words(
        "{place}: told otherwise ({fields}); the merged record follows {name}.",
        "{place}: fortalt forskelligt ({fields}); den samlede optegnelse følger {name}.",
    ),
    "more": Words(
        "{place}: one tells what the other leaves open ({fields}).",
        "{place}: den ene siger, hvad den anden lader stå åbent ({fields}).",
    ),
    "notes": Words(
        "Notes of {name} alone, all of them kept: {seqs}.",
        "Noter alene hos {name}, som alle er beholdt: {seqs}.",
    ),
    "entry": Words("{name}, entry {seq}: {what}.", "{name}, post {seq}: {what}."),
    "place": Words("Entry {seq} of both together", "Post {seq} af begge tilsammen"),
}
"""The lines of the comparison; ``{name}`` is an account's."""

FIELDS: Final = {
    "after": Words("after which entry", "efter hvilken post"),
    "answer": Words("the answer", "svaret"),
    "at_fault": Words("who is at fault", "hvis skyld"),
    "author": Words("who says so", "hvem der siger det"),
    "bid": Words("the call", "meldingen"),
    "board": Words("the board", "mappen"),
    "branch": Words("where it leaves another deal", "hvor det forlader et andet spil"),
    "by_seat": Words("who calls it", "hvem der gør indsigelse"),
    "card": Words("the card", "kortet"),
    "cards": Words("the cards", "kortene"),
    "contract": Words("the contract", "spillets art"),
    "dealer": Words("the dealer", "giveren"),
    "declarer": Words("the declarer", "spilføreren"),
    "engine": Words("by which program", "af hvilket program"),
    "estuches": Words("the estuches", "estucher"),
    "kind": Words("of what kind", "af hvilken slags"),
    "mark": Words("the mark", "tegnet"),
    "number": Words("the deal's number", "spillets nummer"),
    "of": Words("which entry", "hvilken post"),
    "on": Words("on which entry", "til hvilken post"),
    "outcome": Words("the outcome", "udfaldet"),
    "payments": Words("the payments", "betalingerne"),
    "pays": Words("as what it is paid", "hvad det betales som"),
    "penalty": Words("the penalty points", "strafpoint"),
    "player": Words("the player", "spilleren"),
    "players": Words("the players", "spillerne"),
    "pool": Words("the pool", "puljen"),
    "primeras": Words("the primeras", "primeras"),
    "reason": Words("the reason", "grunden"),
    "replaces": Words("which entries", "hvilke poster"),
    "reserved": Words("the reserved puestas", "puester til side"),
    "revision": Words("the revision of the rules", "reglernes udgave"),
    "ruleset": Words("the rules", "reglerne"),
    "said": Words("the words said", "ordene"),
    "seat": Words("the seat", "pladsen"),
    "seats": Words("the seats", "pladserne"),
    "slam": Words("all nine tricks", "alle ni stik"),
    "source": Words("the source", "kilden"),
    "switches": Words("the house rules", "husreglerne"),
    "table": Words("the table", "bordet"),
    "text": Words("the text", "teksten"),
    "title": Words("the title", "titlen"),
    "trick": Words("which trick", "hvilket stik"),
    "tricks": Words("the tricks", "stikkene"),
    "trump": Words("the trumps", "trumfen"),
    "why": Words("what for", "hvorfor"),
    "with_": Words("what stands instead", "hvad der står i stedet"),
}
"""What a field of an event is called where two accounts differ in it."""

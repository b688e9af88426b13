"""What each policy means, in a sentence a player can check (RULES 2–6)."""

from typing import Final

from engine.rulesets.model import BilingualText

POLICY_LABELS: Final[dict[str, BilingualText]] = {
    "direction": BilingualText("direction", "retning"),
    "next_dealer": BilingualText("next dealer", "næste giver"),
    "sits_out": BilingualText("who sits out", "hvem sidder over"),
    "all_pass": BilingualText("all pass", "alle passer"),
    "auction": BilingualText("auction", "auktion"),
    "self_right": BilingualText("self", "kan selv"),
    "red_trumps": BilingualText("red trumps", "røde trumfer"),
    "matadors": BilingualText("matadors", "matadorer"),
    "defender_order": BilingualText("defenders exchange", "modspillerne bytter"),
    "first_without_declarer": BilingualText("where declarer may not", "hvor spilføreren ikke må"),
    "foul": BilingualText("foul in the exchange", "fejl i byttet"),
    "revoke": BilingualText("mending a revoke", "rettelse af kulørsvigt"),
    "favoured": BilingualText("favoured suit", "favoritfarve"),
}
"""What each point of a ruleset is called."""

POLICY_MEANINGS: Final[dict[str, dict[str, BilingualText]]] = {
    "direction": {
        "anticlockwise": BilingualText("Deal and play move to the right.", "Der gives og spilles mod uret."),
        "clockwise": BilingualText("Deal and play move to the left.", "Der gives og spilles med uret."),
    },
    "next_dealer": {
        "in-order-of-play": BilingualText(
            "The next in the order of play deals next.", "Den næste i spillets retning giver næste gang."
        ),
        "against-order-of-play": BilingualText(
            "The one before in the order of play deals next.",
            "Den forrige i spillets retning giver næste gang.",
        ),
    },
    "sits_out": {
        "opposite-dealer": BilingualText(
            "Of four, the player opposite the dealer sits out.", "Af fire sidder den over for giveren over."
        ),
        "dealer": BilingualText("Of four, the dealer sits out.", "Af fire sidder giveren over."),
    },
    "all_pass": {
        "next-dealer": BilingualText(
            "Thrown in; the deal moves on.", "Kortene kastes; giveturen går videre."
        ),
        "same-dealer": BilingualText("Dealt again by the same dealer.", "Den samme giver om."),
    },
    "auction": {
        "duels": BilingualText(
            "Forehand against middlehand, then the survivor against backhand.",
            "Forhånd mod mellemhånd, derefter vinderen mod baghånd.",
        ),
        "rounds": BilingualText(
            "Round and round, those who have passed skipped.",
            "På omgang; den, der har passet, springes over.",
        ),
    },
    "self_right": {
        "elder-outbid": BilingualText(
            "The elder of a duel, directly after being outbid, may take over the same bid.",
            "Den, der sidder først i duellen, kan selv, lige når han er overmeldt.",
        ),
        "outbid": BilingualText(
            "Whoever has just been outbid may take over the same bid.",
            "Den, der lige er overmeldt, kan selv.",
        ),
        "elder": BilingualText(
            "The elder of two may hold an equal bid.", "Den, der sidder først, kan holde samme melding."
        ),
    },
    "red_trumps": {
        "ponto-fourth": BilingualText(
            "The red ace of trumps (ponto) is the fourth trump.",
            "Trumfs røde es (ponto) er den fjerde trumf.",
        ),
        "ace-after-jack": BilingualText(
            "The red ace of trumps stands behind the jack.", "Trumfs røde es kommer efter knægten."
        ),
    },
    "matadors": {
        "forced-by-higher": BilingualText(
            "A matador is compelled only by a higher matador that was led.",
            "En matador tvinges kun af en højere matador, der er spillet ud.",
        ),
        "can-beat-lead": BilingualText(
            "Who has only matadors is free if one of them beats the card led.",
            "Den, der kun har matadorer, er fri, hvis en af dem kan stikke udspillet.",
        ),
        "absolute": BilingualText("Matadors never have to be played.", "Matadorer skal aldrig lægges."),
    },
    "defender_order": {
        "in-order-of-play": BilingualText(
            "In the order of play after the declarer.", "I spillets retning efter spilføreren."
        ),
        "against-order-of-play": BilingualText("Against the order of play.", "Imod spillets retning."),
    },
    "first_without_declarer": {
        "sits-first": BilingualText(
            "The defender who sits first begins.", "Den modspiller, der sidder først, begynder."
        ),
        "after-declarer": BilingualText(
            "The defender after the declarer begins.", "Modspilleren efter spilføreren begynder."
        ),
    },
    "foul": {
        "not-stated": BilingualText(
            "Not stated: the director rules.", "Står der ikke: turneringslederen afgør."
        ),
        "as-bete": BilingualText(
            "Declarer pays as bête; a defender pays declarer's winnings for all.",
            "Spilføreren betaler som bet; en modspiller betaler gevinsten for alle.",
        ),
        "value-to-each": BilingualText(
            "The offender pays the value of the game to each.",
            "Den skyldige betaler spillets takst til hver.",
        ),
    },
    "revoke": {
        "not-stated": BilingualText(
            "Not stated how long a revoke can be mended: the table rules.",
            "Det står ikke, hvor længe kulørsvigt kan rettes: bordet afgør det.",
        ),
        "until-folded": BilingualText(
            "A revoke can be mended until the trick is folded; then it is established.",
            "Kulørsvigt kan rettes, til stikket er vendt; så står den fast.",
        ),
    },
    "favoured": {
        "none": BilingualText("There is none.", "Ingen."),
        "C": BilingualText(
            "Clubs outrank the others and pay more.", "Klør går over de andre og betaler mere."
        ),
        "D": BilingualText(
            "Diamonds outrank the others and pay more.", "Ruder går over de andre og betaler mere."
        ),
        "H": BilingualText(
            "Hearts outrank the others and pay more.", "Hjerter går over de andre og betaler mere."
        ),
        "S": BilingualText(
            "Spades outrank the others and pay more.", "Spar går over de andre og betaler mere."
        ),
    },
}
"""For each point what each of its policies means; the tests hold it to `POLICIES`."""

ZERO_MEANINGS: Final[dict[str, BilingualText]] = {
    "most": BilingualText("There is no limit.", "Der er ingen grænse."),
    "reserve_at": BilingualText("The loser of a puesta chooses.", "Den, der taber en puesta, bestemmer."),
}
"""What nought means at a point of a ruleset that is a number."""

"""What a person writes, and what it is read as; and what may be read in two ways, which is asked about."""

from __future__ import annotations

import io

import pytest

from engine.core.events import DealOpened
from schemas.notation import format_notation_log, read_notation_logs
from schemas.wire.jsonlines import ParsedLog, UnreadableLog

HEADING = "Deal: By hand\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"
PLAY = "F bids solo; M passes; B passes\nF names solo in H\nM stands; B stands\n"
"""An auction after which forehand leads."""
TRICK = "1. F SA  M S3  B S4\n"


def read_hand(text: str, heading: str = HEADING) -> ParsedLog | UnreadableLog:
    (log,) = read_notation_logs(io.BytesIO((heading + text + "\n").encode("utf-8")), "hand.deal")
    return log


def body(text: str, heading: str = HEADING) -> str:
    """What stands below the heading when the text is written in canonical form; a line's ends are slashes."""
    log = read_hand(text, heading)
    assert isinstance(log, ParsedLog), log.problems
    below = format_notation_log(log.log).split("\n\n", 1)[1]
    return " / ".join(" ".join(line.split()) for line in below.splitlines() if line)


def problems_in(text: str, heading: str = HEADING) -> list[tuple[int, int, str]]:
    """The line (below the heading), the column and the sentence of each problem."""
    log = read_hand(text, heading)
    assert isinstance(log, UnreadableLog), format_notation_log(log.log)
    above = heading.count("\n")
    return [(one.line - above, one.column, one.message) for one in log.problems]


HAND = "F hand SA SK S2 HQ HJ H7 D4 C5 C6"


def test_a_hand_in_every_writing(subtests: pytest.Subtests) -> None:
    for text in [
        HAND,
        "F: SA SK S2 HQ HJ H7 D4 C5 C6",
        "f hand sa sk s2 hq hj h7 d4 c5 c6",
        "FOREHAND HAND AS KS 2S QH JH 7H 4D 5C 6C",
        "F hand ♠A ♠K ♠2 ♥Q ♥J ♥7 ♦4 ♣5 ♣6",
        "F hand A♠ K♠ 2♠ Q♥ J♥ 7♥ 4♦ 5♣ 6♣",
        "F hand ♤A ♤K ♤2 ♡Q ♡J ♡7 ♢4 ♧5 ♧6",
        "F hand SAK2 HQJ7 D4 C56",
        "F: ♠AK2 ♥QJ7 ♦4 ♣56",
        "F hand S A K 2 H Q J 7 D 4 C 5 6",
        "F hand S: A K 2 H: Q J 7 D: 4 C: 5 6",
        "F hand ♠ A K 2, ♥ Q J 7, ♦ 4, ♣ 5 6",
        "F hand S A, K, 2, H Q, J, 7, D 4, C 5, 6",
        "F hand SA, SK, S2, HQ, HJ, H7, D4, C5, C6",
        "F hand SA/SK/S2 HQ/HJ/H7 D4 C5/C6",
        "F hand spades A K 2, hearts Q J 7, diamonds 4, clubs 5 6",
        "F hånd sE sK s2 hD hKn h7 r4 k5 k6",
        "Anna: sE sK s2 hD hB h7 r4 k5 k6",
        "Forhånd fik spar E K 2 hjerter D Kn 7 ruder 4 klør 5 6".replace("E K 2", "EK2"),
        "F hånd sEK2 hDKn7 r4 k56",
        "F hånd ♠EK2 ♥DKn7 ♦4 ♣56",
        "F hand eA eR e2 cC cS c7 o4 b5 b6",
        "F hand espadas A R 2 copas CS7 oros 4 bastos 5 6",
        "F hand e1 e12 e2 c11 c10 c7 o4 b5 b6",
        "F hand pA pR p2 cD cV c7 k4 t5 t6",
        "F hand pique A R 2 cœur D V 7 carreau 4 trèfle 5 6",
        "F hånd spar E K 2, hjerter D Kn 7, ruder 4, klør 5 6",
        "F hand S: E K 2, H: D Kn 7, R: 4, K: 5 6",
        "F hand ♠ E K 2 ♥ D Kn 7 ♦ 4 ♣ 5 6",
        "F hand espadas A R 2 copas C S 7 oros 4 bastos 5 6",
        "F hand ♠️A ♠️K ♠️2 ♥️Q ♥️J ♥️7 ♦️4 ♣️5 ♣️6",
        "F hand ♠A K 2 ♥Q J 7 ♦4 ♣5 6",
        "F hand SAK 2 HQ J7 D4 C5 6",
    ]:
        with subtests.test(text=text):
            assert body(text) == HAND


def test_what_a_person_writes(subtests: pytest.Subtests) -> None:
    for text, canonical in [
        # calls
        ("F bids simple, M passes, B passes", "F bids simple; M passes; B passes"),
        (
            "F melder spil, M bedre spil, B passer; F pas",
            "F bids simple; M bids spade-game; B passes / F passes",
        ),
        ("Anna spil; Bo pas; Carl pas", "F bids simple; M passes; B passes"),
        ("anna siger Solo", "F bids solo"),
        ("F bids pass", "F passes"),
        ("F solo in hearts", "F bids solo in H"),
        ("F solo hjerter", "F bids solo in H"),
        ('F solo "Jeg spiller solo!"', 'F bids solo "Jeg spiller solo!"'),
        ("F bids solo! {Bold.}", "F bids solo {! Bold.}"),
        ("F passes?; M solo", "F passes {?} / M bids solo"),
        ("Mellemhånd nævner bedre spil på spar", "M names spade-game in S"),
        ("M vælger tourné", "M names tourne"),
        ("M names Alm. spil in clubs", "M names simple in C"),
        ("Anna says simple. M solo. B passes. F passes.", "F bids simple; M bids solo; B passes / F passes"),
        ("F pass M pass B pass", "F passes; M passes; B passes"),
        ("F solo M passes and B passes", "F bids solo; M passes; B passes"),
        ("M names Alm. spil in clubs. B SA", "M names simple in C / 1. B SA"),
        ("F bids solo, pass, pass", "F bids solo; M passes; B passes"),
        ("pass, pass, pas", "F passes; M passes; B passes"),
        ("All pass", "F passes; M passes; B passes"),
        ("F bids solo. Alle pas.", "F bids solo; M passes; B passes"),
        # exchange
        ("F kaster S7, H7, D2; F køber ??, ??, ??", "F discards S7 H7 D2 / F draws ?? ?? ??"),
        ("F discards 3 cards; F draws 3 cards", "F discards ?? ?? ?? / F draws ?? ?? ??"),
        ("Carl discards 3; draws 2", "B discards ?? ?? ?? / B draws ?? ??"),
        ("Bo sælger S7 H7, køber 2 kort", "M discards S7 H7 / M draws ?? ??"),
        ("Exchange: M stands.\nbyttet:\nB kaster 1.", "M stands / B discards ??"),
        ("Auction: Anna pass, Bo simple, Carl pass.", "F passes; M bids simple; B passes"),
        ("F kaster 1 kort; M står", "F discards ?? / M stands"),
        ("F discards 3 draws 3", "F discards ?? ?? ?? / F draws ?? ?? ??"),
        ("F discards 3 and draws 3.", "F discards ?? ?? ?? / F draws ?? ?? ??"),
        ("F kaster 3 og køber 2; M kaster 0", "F discards ?? ?? ?? / F draws ?? ?? / M stands"),
        ("F discards 3, takes 3", "F discards ?? ?? ?? / F draws ?? ?? ??"),
        ("F exchanges 1. Bo bytter 2 kort.", "F discards ?? / F draws ?? / M discards ?? ?? / M draws ?? ??"),
        (
            "F discards 3. M stands. B discards C3 H7 draws 2.",
            "F discards ?? ?? ?? / M stands / B discards C3 H7 / B draws ?? ??",
        ),
        ("F has SA SK", "F holds SA SK"),
        ("F gives up; M giver op som kruk", "F abandons / M abandons as codille"),
        ("F surrenders; M accepts; B forbids", "F surrenders / M accepts surrender / B forbids surrender"),
        ("F claims 6-2-1; M godtager, B contests", "F claims 6-2-1 / M accepts claim / B contests claim"),
        ("B revokes. F accepts claim", "Irregularity B revoke / F accepts claim"),
        ("vendt HK", "Turned HK"),
        ("Seen by Anna Bo S4 H2", "Seen by F M S4 H2"),
        # plays
        (TRICK, "1. F SA M S3 B S4"),
        ("1.F SA, M S3, B S4", "1. F SA M S3 B S4"),
        ("1. Anna SA, Bo S3, Carl S4", "1. F SA M S3 B S4"),
        ("1: F: SA M: S3 B: S4", "1: F SA M S3 B S4"),
        ("F plays SA, M S3, B S4", "1. F SA M S3 B S4"),
        ("Anna spiller sE\nBo s3\nCarl s4", "1. F SA M S3 B S4"),
        ("Trick 1 F SA M S3 B S4", "1. F SA M S3 B S4"),
        ("Stik 1: F sE M s3 B s4", "1: F SA M S3 B S4"),
        ("1) F SA M S3 B S4", "1. F SA M S3 B S4"),
        ("F SA S3 S4\n2. SK S5 S6", "1. F SA M S3 B S4 / 2. F SK M S5 B S6"),
        ("1. F SA! M S3?! B S4", "1. F SA {!} / M S3 {?!} / B S4"),
        ("1. F SA ! {Bold.} M S3", "1. F SA {! Bold.} / M S3"),
        ("1. F SA?? M S3", "1. F SA {??} / M S3"),
        ("3) M HK B H2", "3: M HK B H2"),
        ("1. F SA and M S3 and B S4. 2. F SK", "1. F SA M S3 B S4 / 2. F SK"),
        (f"{TRICK}Withdrawn @last\nB S5", "1. F SA M S3 B S4 / Withdrawn @4 / B S5"),
        (f'{TRICK}Correction of @trick 1 B "x" (B S6)', '1. F SA M S3 B S4 / Correction of @4 "x" (B S6)'),
        (
            f"{TRICK}Withdrawn @stik 1 B\nB S5\n{{So.}} on @trick 1 B",
            "1. F SA M S3 B S4 / Withdrawn @4 / B S5 {So.}",
        ),
        # slips
        ("Result M solo H tricks 5-2-2", "Result M solo in H, tricks 5-2-2"),
        ("Result M solo in H, won, 5-2-2 tricks", "Result M solo in H, won, tricks 5-2-2"),
        ("Result F solo H 5-2-2", "Result F solo in H, tricks 5-2-2"),
        ("Result M solo in H, won, 5+2+2", "Result M solo in H, won, tricks 2-5-2"),
        ("Result 5+2+2, B, solo", "Result B solo, tricks 2-2-5"),
        ("Result M solo in H, won, 6 tricks", "Result M solo in H, won, tricks M 6"),
        ("Result B solo in H, won, M 5", "Result B solo in H, won, tricks M 5"),
        ("Resultat M solo i hjerter, vundet, 5 stik", "Result M solo in H, won, tricks M 5"),
        ("Result M solo in H, won, 5", "Result M solo in H, won, tricks M 5"),
        ("Result: M, solo in ♥, won, tricks 2-5-2", "Result M solo in H, won, tricks 2-5-2"),
        ("Resultat M solo i hjerter vundet stik 2-5-2", "Result M solo in H, won, tricks 2-5-2"),
        ("Resultat Bo solo hjerter bet", "Result M solo in H, bete"),
        ("Result Bo, won, tricks F 2 M 5 B 2", "Result M, won, tricks 2-5-2"),
        ("Resultat Carl spil i klør kruk", "Result B simple in C, codille"),
        ("Afregnet Anna 2, Bo −1, Carl −1", "Settled Anna +2 Bo -1 Carl -1"),
    ]:
        with subtests.test(text=text, canonical=canonical):
            if text.startswith("F SA S3"):
                text = PLAY + text
                canonical = body(PLAY) + " / " + canonical
            assert body(text) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1. SA S3 S4", "1. F SA M S3 B S4"),
        ("SA S3 S4\nSK S5 S6", "1. F SA M S3 B S4 / 2. F SK M S5 B S6"),
        ("F SA S3 S4", "1. F SA M S3 B S4"),
        ("1. H3 HK H2\n2. S3 S4 SK\n3. D3", "1. F H3 M HK B H2 / 2. M S3 B S4 F SK / 3. F D3"),
        ("1. SA S3! {Why?} S4", "1. F SA M S3 {! Why?} / B S4"),
        ("SA\nS3\nWithdrawn @9\nS7\nS4\nSK", "1. F SA M S3 / Withdrawn @9 / M S7 B S4 / 2. F SK"),
    ],
)
def test_the_winner_of_a_trick_leads_and_the_next_in_turn_follows(text: str, canonical: str) -> None:
    assert body(PLAY + text) == f"{body(PLAY)} / {canonical}"


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        # Words of a language say whose letters the cards have.
        ("F hånd: spar K D 7 6, hjerter K D 4, klør 5 6", "F hand SK SQ S7 S6 HK HQ H4 C5 C6"),
        ("F hand hjerter 7 D 4, ruder 4 5", "F hand H7 HQ H4 D4 D5"),
        ("F hand oros A C 7, espadas 5 4, bastos A 7, copas 3 2", "F hand DA DQ D7 S5 S4 CA C7 H3 H2"),
        ("F hånd SK KD H7 H6", "F hand SK CQ H7 H6"),
        ("F hånd sE rE", "F hand SA DA"),
        ("Resultat M solo i k", "Result M solo in C"),
        # Suits are written alike in a list, so that a letter alone is a rank.
        ("F hand ♠ K D 7 6 ♥ K D 4", "F hand SK SQ S7 S6 HK HQ H4"),
        ("F hand spar E K D", "F hand SA SK SQ"),
        ("F hand S: E K D, H: K 7", "F hand SA SK SQ HK H7"),
        ("F hand copas A R C S", "F hand HA HK HQ HJ"),
        ("F hand s E K r 7", "F hand SA SK D7"),
        # Nothing in a suit.
        ("F hand S A K 2, H -, D 7 6, C none", "F hand SA SK S2 D7 D6"),
        ("F hand ♠AK2, ♥—, ♦76 ♣–", "F hand SA SK S2 D7 D6"),
    ],
)
def test_whose_letters_they_are_is_seen(text: str, canonical: str) -> None:
    assert body(text) == canonical


def test_danish_kings_stand_apart_where_the_letters_are_named() -> None:
    danish = HEADING.rstrip() + "\nBogstaver: da\n\n"
    assert body("F hand ♠ E K D; M hand S: E K D", danish) == "F hand SA SK SQ / M hand SA SK SQ"
    ((_, _, message),) = problems_in("F hand s E K D", danish)
    assert message.startswith("K may be a suit or a rank here")


TWO_ALPHABETS = "The cards of this deal can be read in several languages"


def test_what_may_mean_two_things_is_asked_about(subtests: pytest.Subtests) -> None:
    for text, line, column, asks in [
        # Which letters: the Danish klør dame, or the English king of diamonds with the rank first.
        ("F hand SK KD H7 H6", -3, 1, f"{TWO_ALPHABETS}; write Letters: en or da"),
        ("F hand sE rE", -3, 1, f"{TWO_ALPHABETS}; write Letters: da or es"),
        ("Result M solo in k", -3, 1, f"{TWO_ALPHABETS}; write Letters: da or fr"),
        ("F hand S K D 7 6", -3, 1, f"{TWO_ALPHABETS}; write Letters: en or da"),
        ("F hand SK D 7 6", -3, 1, f"{TWO_ALPHABETS}; write Letters: en or da"),
        ("F hand ♠ K D7 H6", -3, 1, f"{TWO_ALPHABETS}; write Letters: en or da"),
        # Words are Danish, but the king of diamonds is as the canonical form has it.
        ("F hånd DK H7", -3, 1, f"{TWO_ALPHABETS}; write Letters: en or da"),
        ("F hand S K D 7 6, H K D 4, C 5 6", 1, 23, "D is a suit for the second time, or a rank"),
        ("F hand ♠ A K 2 D 4 C 5 6", 1, 16, "D is alone, unlike the suits before it, and may be"),
        ("F hand spar E KD", 1, 15, "KD may be a whole card, or ranks of the suit before it; write"),
        ("F hånd s E k 2", 1, 12, "k may be a suit or a rank here; write k: before"),
        # A hand, or what three play.
        ("F SA SK SQ", 1, 3, "This may be the hand of F, or cards that were played; write F hand …"),
        ("Anna: SA SK", 1, 7, "This may be the hand of F, or cards that were played; write F hand …"),
        (
            f"{TRICK}F SK SQ SJ S7",
            2,
            3,
            "This may be the hand of F, or cards that were played; write F hand …",
        ),
        # A mark, or a card that nobody recorded.
        (f"{PLAY}1. SA ?? S4", 4, 7, "?? may be a mark or a card here; write {??} for the mark, or a seat"),
        # Who leads.
        ("1. SA S3 S4", 1, 4, "The text above does not show who played SA; write F, M or B"),
        (f"{TRICK}2. SK", 2, 4, "The text above does not show who played SK; write F, M or B"),
        (f"{PLAY}{TRICK}3. SK", 5, 4, "The text above does not show who played SK; write F"),
        (f"{PLAY}1. F SA  M S3\n2. SK", 5, 4, "The text above does not show who played SK"),
        (f"{PLAY}{TRICK}Gap\nSK", 6, 1, "The text above does not show who played SK; write F"),
        # A name that no rules have, a slip of the pen.
        ("F bids sollo", 1, 8, 'In place of "sollo", write a name in these rules, such as solo, or'),
        ("Result M wins", 1, 10, 'In place of "wins", write a name in these rules, such as'),
        ("Result M solo tabt", 1, 15, "tabt may be bete or codille; write bete (bet) or codille"),
        ("Result M solo in H, lost, 3-3-3", 1, 21, "lost may be bete or codille; write bete (bet) or"),
        (
            "Result M solo in H, won, 5-2-2",
            1,
            26,
            "5-2-2 may begin with forehand or with declarer here; write "
            "tricks 5-2-2 for F 5 M 2 B 2, or 5+2+2 for F 2 M 5 B 2.",
        ),
        ("Result solo in H, won, 5", 1, 24, "It is not clear whose 5 tricks these are; write M 5, or"),
        (
            "F names spades",
            1,
            9,
            "Only trumps can be named here; write the game before them (names solo in S), or",
        ),
        # What is left out, where nobody can tell it.
        ("F bids solo; M passes; B passes; pass", 1, 34, "The text above does not show who passes"),
        (
            "F bids solo; M passes; B passes\nAll pass",
            2,
            1,
            "The text above does not show who pass",
        ),
        ("M accepts", 1, 10, "Nothing more follows; write “claim”."),
        (
            "1. F SA\nWithdrawn @trick 2 F",
            2,
            18,
            "There is no card of forehand in trick 2 above; write @ and",
        ),
        ("Withdrawn @trick 2", 1, 19, "Nothing more follows; write a seat: F, M or B."),
        (
            '1. F SA\nCorrection of @2 "x" (F S7)\nWithdrawn @trick 1 F',
            3,
            18,
            "There is more than one card of",
        ),
        ("Correction of @1 (F SA)", 1, 24, "Nothing more follows; write the reason for the correction"),
        (
            "Correction of @1 to F SA",
            1,
            18,
            'In place of "to", write the reason for the correction in quotation',
        ),
        ("F discards 3 7", 1, 12, 'In place of "3", write cards, such as SA H7 ??, or none.'),
        # What belongs to the heading, or to nothing.
        ("F passes\nPool: 5", 2, 1, "Pool: is a tag; move it up, before the first hand"),
    ]:
        with subtests.test(text=text, line=line, column=column, asks=asks):
            ((where, at, message),) = problems_in(text)
            assert (where, at) == (line, column), message
            assert message.startswith(asks) and message.endswith(".")


@pytest.mark.parametrize(
    ("heading", "line", "column", "asks"),
    [
        ("Dato: 20/11\nRules: dlu\nPlayers: A, B, C\n", 2, 7, 'In place of "20/11", write a date, such as'),
        ("Rules: dlu\nPlayers: A, B, C\nDate: 30.2.1766\n", 4, 7, 'In place of "30.2.1766", write a date'),
        ("Rules: dlu\nPlayers: A, B, C\nPol: 5\n", 4, 1, 'There is no tag "Pol" here; write Pool: …'),
        ("Rules: dlu\nPlayers: Solo, Hand\n", 3, 10, "In place of 2 players, write three, in the"),
        ("Rules: dlu\nPlayers: A, B, C\nSource: Pope\n  Pool: 5\n", 5, 3, '"Pool: 5" continues the'),
        ("Rules: dlu\nPlayers: A, B, C\nSource: Pope\n  F passes\n", 5, 3, '"F passes" continues the'),
    ],
)
def test_a_heading_that_may_mean_two_things(heading: str, line: int, column: int, asks: str) -> None:
    log = read_hand("F solo", f"Deal: x\n{heading}")
    assert isinstance(log, UnreadableLog)
    (problem,) = log.problems
    assert (problem.line, problem.column) == (line, column), problem
    assert problem.message.startswith(asks)


def test_a_long_text_that_looks_like_a_tag_comes_back() -> None:
    source = "Told at the club by one who was there, and who wrote it down in his own hand the Pool: 5"
    log = read_hand("", HEADING.rstrip() + f'\nSource: "{source}"\n')
    assert isinstance(log, ParsedLog)
    text = format_notation_log(log.log)
    assert '\n  Pool: 5"' in text
    assert read_hand("", text).log == log.log


@pytest.mark.parametrize("written", ['"The Game of Ombre", Dublin 1766', '"One" {two', '"A \\" b" c "d'])
def test_a_source_may_begin_with_a_title_in_quotation_marks(written: str) -> None:
    log = read_hand("", HEADING.rstrip() + f"\nSource: {written}\n")
    assert isinstance(log, ParsedLog) and isinstance(log.log[0].event, DealOpened)
    assert log.log[0].event.source == written
    text = format_notation_log(log.log)
    assert f"Source:     {written}\n" in text
    assert read_hand("", text).log == log.log


def test_a_player_who_is_called_as_a_game_is_stands_for_nobody() -> None:
    heading = "Deal: x\nRules: dlu\nPlayers: Solo, Bo, Carl\n\n"
    assert body("Result solo, won", heading) == "Result solo, won"
    ((_, _, message),) = problems_in("Solo passes", heading)
    assert message.startswith('In place of "Solo"')


def test_a_game_that_is_called_as_a_player_is_stands_in_quotation_marks() -> None:
    heading = "Deal: x\nRules: our-club\nPlayers: Anna, Bo, Carl\n\n"
    assert body('Result "Bo", won', heading) == 'Result "Bo", won'
    assert body("Result Bo, won", heading) == "Result M, won"
    assert body("Result Bo gask, won", heading) == "Result M gask, won"


@pytest.mark.parametrize(
    ("written", "meant", "again"),
    [("DLU", "dlu", "dlu"), ("Five-Matadors", "five-matadors", "five-matadors"), ('"DLU"', "DLU", '"DLU"'),
     ("Spar Es", "Spar Es", "Spar Es")],
)  # fmt: skip
def test_rules_in_capitals_are_those_rules_and_in_quotation_marks_what_stands_there(
    written: str, meant: str, again: str
) -> None:
    found = read_hand("", f"Deal:\nRules: {written}\nPlayers: Anna, Bo, Carl\n")
    assert isinstance(found, ParsedLog)
    opened = found.log[0].event
    assert isinstance(opened, DealOpened) and opened.ruleset == meant
    assert f"\nRules:      {again}\n" in format_notation_log(found.log)
    assert read_hand("", format_notation_log(found.log)).log == found.log


def test_names_in_a_tag_may_be_any_words() -> None:
    log = read_hand("", "Deal: x\nRules: DLU\nPlayers: Solo, Hand, Pass the Elder\nDealer: B\n")
    assert isinstance(log, ParsedLog)
    text = format_notation_log(log.log)
    assert "Rules:      dlu\nForehand:   Solo\nMiddlehand: Hand\nBackhand:   Pass the Elder\n" in text
    assert "Dealer:     Pass the Elder\n" in text


def test_quotation_marks_keep_what_would_be_read_as_a_seat() -> None:
    log = read_hand("", 'Deal: x\nRules: dlu\nDealer: "b"\nPlayers: Anna, Bo, Carl\n')
    assert isinstance(log, ParsedLog)
    text = format_notation_log(log.log)
    assert '"b"' in text
    assert read_hand("", text).log == log.log


FILE_NAME = "may be the name of a file, or"


@pytest.mark.parametrize(
    ("text", "column", "asks"),
    [
        ("{see C:\\temp\\new}", 6, f"C:\\t {FILE_NAME} \\t a sign; write C:\\\\t for a backslash"),
        ("{see C:\\new}", 6, f"C:\\n {FILE_NAME} \\n a sign; write C:\\\\n for a backslash"),
        ('Gap "see C:\\new"', 10, f"C:\\n {FILE_NAME} \\n a sign; write C:\\\\n for a backslash"),
        ("{!  a\\q}", 6, "In place of \\q, write \\\\ for a backslash, or one of \\} \\n \\u0000."),
        ("{a\\tb}", 3, "In place of \\t, write \\\\ for a backslash"),
        ("Irregularity M reveke", 16, 'In place of "reveke", write revoke, or this word in quotation marks.'),
    ],
)
def test_a_word_or_a_backslash_is_never_dropped(text: str, column: int, asks: str) -> None:
    ((line, at, message),) = problems_in(text)
    assert (line, at) == (1, column), message
    assert message.startswith(asks)


def test_signs_with_a_backslash_in_a_note() -> None:
    assert body("{a \\} brace, \\\\ and \\! }") == "{a \\} brace, \\\\ and !}"
    assert body('Irregularity M "reveke"') == 'Irregularity M "reveke"'


def test_ids_stand_in_quotation_marks_or_not() -> None:
    number = "019aa7b2-7c00-7000-8000-000000000001"
    evening = "Evening: x\nRules: dlu\nPlayers: Anna, Bo, Carl\n\n"
    assert body(f'Gap [id "{number}"]') == body(f"Gap [id {number}]") == f"Gap [id {number}]"
    assert body('Started 1 "deal-1"', evening) == body("Started 1 deal-1", evening) == "Started 1 deal-1"


EVENING = "Evening: Thursday\nRules: dlu\nPlayers: Bo, Carl, Dora, Anna\n\nSeats Anna, Bo, Carl, Dora\n"
IN_IT = "Deal: One\nDealer: Anna\nNumber: 1\n\nF passes; M passes; Anna passes\n"


def logs(text: str) -> list[ParsedLog | UnreadableLog]:
    return list(read_notation_logs(io.BytesIO(text.encode()), "evening.deal"))


def test_deals_below_an_evening_take_rules_and_seats_from_it() -> None:
    _, first, second = logs(EVENING + IN_IT + IN_IT.replace("Anna", "Dora").replace("One", "Two"))
    assert isinstance(first, ParsedLog) and isinstance(second, ParsedLog)
    below, next_below = format_notation_log(first.log), format_notation_log(second.log)
    assert "Rules:      dlu\nForehand:   Bo\nMiddlehand: Dora\nBackhand:   Anna\nSitting out: Carl\n" in below
    assert "Forehand:   Anna\nMiddlehand: Carl\nBackhand:   Dora\nSitting out: Bo\n" in next_below
    assert read_hand("", below).log == first.log


@pytest.mark.parametrize(
    "text",
    [
        EVENING + IN_IT.replace("Dealer: Anna\n", ""),
        EVENING + "Left Bo\n" + IN_IT,
        EVENING + IN_IT.replace("Anna", "Erik"),
        HEADING + EVENING + IN_IT,
    ],
    ids=["no dealer", "players change", "a stranger deals", "the evening is not first"],
)
def test_nobody_is_seated_where_nobody_can_tell_who_sits_there(text: str) -> None:
    assert any("lacks Players: …" in one.message for one in logs(text)[-1].problems)

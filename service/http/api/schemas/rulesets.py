"""What is published of a ruleset: its data as tables, and where each clause was read."""

from typing import Any

from marshmallow import Schema, fields, validate

from engine.core.vocabulary import Chips
from engine.rulesets.model import POLICIES
from engine.rulesets.policies import MEANINGS
from schemas.rulesets.ruleset_values import MOST
from schemas.wire.declaration import kind_of
from service.http.api.schemas.fields import (
    SUIT,
    Answer,
    Vocabulary,
    Whole,
    flag,
    link_map,
    list_of,
    nested_in,
    said,
)


class WordsSchema(Answer):
    """The same words in English and in Danish."""

    en = said("In English.")
    da = said("In Danish.")


class BidSchema(Answer):
    """What may be said in the auction."""

    id = said("Its id: what a log calls it.")
    rank = Whole("A higher one outbids, an equal one does not.")
    words = nested_in(WordsSchema)
    needs_black_aces = flag("Only with spadille and basta dealt.")
    only_over = list_of(fields.String(), "Where not empty: only over one of these bids.")
    as_self_over = list_of(fields.String(), "Over these the elder may say it in place of self.")
    extra = said("The extra that has to be agreed on for it; empty where none.")
    after_all_pass = flag("An undertaking after all have passed.")
    challenges_slam = flag("Whoever plays by it has to win all nine tricks.")


class LimitsSchema(Answer):
    """Fewest and most cards."""

    min = Whole("The fewest.")
    max = Whole("The most.")


class ContractSchema(Answer):
    """What is played."""

    id = said("Its id: what a log calls it.")
    words = nested_in(WordsSchema)
    aim = said("`game` or `nolo`.")
    trump = said(
        "How trumps are made: `chosen`, `chosen-after-draw`, a suit, `favoured`, `turned`, `aces` or `none`."
    )
    declarer_exchange = nested_in(LimitsSchema, "Null where he plays his hand as dealt.", null=True)
    defenders_exchange = flag("Whether the defenders exchange.")
    first_defender_most = Whole("How many cards the first defender may exchange.")
    needs_black_aces = flag("Only with both black aces in his hand, which he shows.")
    ends_at = Whole("The declarer's trick that ends it early; null where it is played to its end.", null=True)
    codille_from = Whole("At how many tricks a nolo is kodille; null where it never is.", null=True)
    laid_open = said("When the declarer lays his hand open.")
    bete_on_giving_up = flag("Whether giving up is paid as bête only.")
    extra = said("The extra that has to be agreed on for it; empty where none.")
    must_hold_trump = flag("Only in a suit of which he holds a trump.")
    favoured_form = said("The contract that this one is in the favoured suit; empty where none.")


class NameableSchema(Answer):
    """A contract that a winning bid lets its winner name."""

    contract = said("The contract's id.")
    trumps = list_of(Vocabulary(SUIT), "The trumps to choose from.")


class NamingTableSchema(Answer):
    """What the winner of a bid may name."""

    bid = said("The bid's id.")
    names = list_of(NameableSchema)


class TariffSchema(Answer):
    """Chips from (won) or to each opponent."""

    contract = said("The contract's id.")
    won = Vocabulary(kind_of(Chips), "Null where the source does not say.", null=True)
    bete = Vocabulary(kind_of(Chips), "Null where it cannot occur, or the source does not say.", null=True)
    codille = list_of(
        Vocabulary(kind_of(Chips)),
        "By the tricks beyond those that make it one; the last serves for all more. Empty: not stated.",
    )
    most = Whole("What a kodille pays at most, where that is agreed; 0 where it is not.")


class BaseSchema(Answer):
    """What a contract is worth in a pool game."""

    contract = said("The contract's id.")
    worth = Whole("Chips for each opponent.")


class PoolRulesSchema(Answer):
    """Stakes round a pool."""

    stake = Whole("What the dealer lays into the pool.")
    bases = list_of(BaseSchema)
    primeras = Whole("What the first five tricks in a row are worth.")
    estuches_most = Whole("How many estuches are paid at most.")
    vole = Whole("What all nine tricks are worth.")
    reserve_at = Whole("From this pool on puestas are set aside; 0: at the loser's choice.")


class SlamSchema(Answer):
    """All nine tricks."""

    worth = Whole("Chips from each opponent.")
    announced = said("`never`, `until-sixth-lead` or `after-fifth-trick`.")


class GivingUpSchema(Answer):
    """Giving up before the end."""

    bete_from = said("From when it is paid as bête: `naming` or `play`.")
    bete_until = said("Until when it is: `second-card` or `declarers-first-card`.")
    codille_any_time = flag("Whether he may give up as kodille at any time.")


class SurrenderRulesSchema(Answer):
    """Surrender to the opponents."""

    before_trick = Whole("The trick that must not have been begun.")


class NeedlessSchema(Answer):
    """A bid that is needless where a lower one would have been enough."""

    bid = said("The bid that was made.")
    enough = said("The one that would have been enough.")


class PenaltiesSchema(Answer):
    """Calls for which the director may give penalty points."""

    points = Whole("How many for each such call.")
    needless = list_of(NeedlessSchema)
    suit_named = flag("Whether naming a suit with a bid is one.")


class SwitchSchema(Answer):
    """A single point that a table may agree on otherwise."""

    id = said("What a deal's `switches` call it.")
    words = nested_in(WordsSchema)
    sets = said("The point of the ruleset that it sets.")
    values = fields.List(fields.Raw(), required=True, metadata={"description": "What it may be."})
    spans = flag("Whether it may be any whole number from the first of the values to the last.")
    stands = fields.Raw(
        required=True, metadata={"description": "How it stands here: a flag, a number or a word."}
    )


def policy(point: str) -> fields.String:
    """A policy by its name, with what each of them means."""
    each = (f"`{name}`: {words.en}" for name, words in MEANINGS[point].items())
    return fields.String(
        required=True,
        validate=validate.OneOf(POLICIES[point]),
        metadata={"description": " ".join(each)},
    )


class PoliciesSchema(Answer):
    """Which of the ways that the engine knows this ruleset goes."""

    direction = policy("direction")
    next_dealer = policy("next_dealer")
    sits_out = policy("sits_out")
    all_pass = policy("all_pass")
    auction = policy("auction")
    self_right = policy("self_right")
    red_trumps = policy("red_trumps")
    matadors = policy("matadors")
    defender_order = policy("defender_order")
    first_without_declarer = policy("first_without_declarer")
    foul = said("What a foul in the exchange pays.")
    revoke = policy("revoke")
    favoured = said("The suit that outranks the others; `none` where there is none.")
    sitter_pays = flag("Whether who sits out pays and is paid like a defender.")
    may_yield = flag("Whether the first choice in the exchange may be yielded.")
    talon_may_be_seen = flag("Whether what is left of the talon may be looked at.")
    remis_en_quatre = flag("Whether one trick, and four to each defender, is bête and no kodille.")


class ClauseSchema(Answer):
    """A point of the rules in our words."""

    point = said("Which point of the rules it is.")
    text = said("What holds there.")
    source = said("Where it was read.")
    ours = flag("Whether the source is silent and we decided.")
    silent = flag("Whether the source does not say, and nothing follows.")
    on = list_of(said("A code of a finding, what one is about, or a contract that it says what pays."))


class RulesetInShortSchema(Answer):
    """A ruleset in a list."""

    id = said("Its id: what a deal's `ruleset` calls it.")
    revision = Whole("A published revision never changes.", least=1)
    words = nested_in(WordsSchema)
    revisions = list_of(Whole(least=1), "All revisions that there are.")
    own = flag("Whether it is the club's own; the others come with Spadille.")
    source = said("Where it was read.")
    links = link_map()


class RulesetSchema(RulesetInShortSchema):
    """A ruleset: data, and the policies that it chooses."""

    chip = nested_in(WordsSchema, "What is paid with.")
    bids = list_of(BidSchema)
    contracts = list_of(ContractSchema)
    naming = list_of(NamingTableSchema)
    tariff = list_of(TariffSchema)
    pool = nested_in(PoolRulesSchema, "Null where there is no pool.", null=True)
    slam = nested_in(SlamSchema, "Null where all nine tricks pay nothing more.", null=True)
    giving_up = nested_in(GivingUpSchema, "Null where nobody may give up.", null=True)
    surrender = nested_in(SurrenderRulesSchema, "Null where nobody may surrender.", null=True)
    penalties = nested_in(PenaltiesSchema, "Null where there are no penalty points.", null=True)
    forced_bid = said(
        "The bid by which the holder of spadille plays where that is forced; empty where never."
    )
    extras = list_of(fields.String(), "The optional extras that are agreed on.")
    policies = nested_in(PoliciesSchema)
    switches = list_of(SwitchSchema)
    clauses = list_of(ClauseSchema)


class RulesetsSchema(Answer):
    """The newest revision of every ruleset."""

    rulesets = list_of(RulesetInShortSchema)


def part(kind: str | list[str], means: str, **more: Any) -> fields.Raw:
    """A member of a ruleset that is sent, whose inside `schemas.rulesets.rulesets` reads."""
    return fields.Raw(metadata={"type": kind, "description": means, **more})


def parts(means: str) -> fields.Raw:
    """A list of objects of a ruleset that is sent."""
    return part("array", means, items={"type": "object"})


class RulesetSentSchema(Schema):
    """A ruleset of a club's own: whole, as it is answered, or `based_on` another with what differs.

    Based on another, lists whose members have a name are bettered member by member, `clauses` are added to
    those that there are, and anything else takes the place of what was there.
    """

    id = part(
        "string", "The id in the address, or left out.", pattern="^[a-z0-9]([a-z0-9._-]{0,58}[a-z0-9])?$"
    )
    revision = part("integer", "Left out: the next.", minimum=1, maximum=MOST)
    based_on = part("string", "The id of the ruleset that it is based on; then the rest may be left out.")
    based_on_revision = part(
        "integer", "Which revision of that; unless told otherwise the newest.", minimum=1
    )
    words = part("object", "What it is called: `en` and `da`.")
    source = part("string", "Where it is written down.", minLength=1)
    chip = part("object", "What is paid with: `en` and `da`.")
    bids = parts("What may be said in the auction; named by `id`.")
    contracts = parts("What is played; named by `id`.")
    naming = parts("What the winner of each bid may name; named by `bid`.")
    tariff = parts("What each contract pays; named by `contract`.")
    pool = part(
        ["object", "null"],
        "Stakes round a pool; its `bases` are named by `contract`; null where there is none.",
    )
    slam = part(["object", "null"], "All nine tricks; null where they pay nothing more.")
    giving_up = part(["object", "null"], "Giving up before the end; null where there is none.")
    surrender = part(["object", "null"], "Surrender to the opponents; null where there is none.")
    penalties = part(
        ["object", "null"], "Calls for which there are penalty points; null where there are none."
    )
    forced_bid = part("string", "The bid by which spadille plays where that is forced; empty where never.")
    extras = part("array", "The optional extras that are agreed on.", items={"type": "string"})
    policies = part("object", "Which of the ways that the engine knows it goes.")
    switches = parts("Points that a table may agree on otherwise; named by `id`.")
    clauses = parts("Points of the rules in words, each with its source.")

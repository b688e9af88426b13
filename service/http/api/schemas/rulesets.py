"""The answers about rulesets: data as tables, and the source of each clause."""

from typing import Any

from marshmallow import Schema
from marshmallow.fields import Raw, String

from engine.rulesets.policies import POLICIES, POLICY_MEANINGS
from schemas.rulesets.ruleset_values import MAX_RULESET_NUMBER
from service.http.api.schemas import fields
from service.http.api.schemas.fields import ResponseSchema


class WordsSchema(ResponseSchema):
    """The same words in English and in Danish."""

    en = fields.string("In English.")
    da = fields.string("In Danish.")


class BidSchema(ResponseSchema):
    """What may be said in the auction."""

    id = fields.string("Its id: what a log calls it.")
    rank = fields.integer("A higher one outbids, an equal one does not.")
    words = fields.nested(WordsSchema)
    needs_black_aces = fields.boolean("Only with spadille and basta dealt.")
    only_over = fields.list_of(fields.string(), "Where not empty: only over one of these bids.")
    as_self_over = fields.list_of(fields.string(), "Over these the elder may say it in place of self.")
    extra = fields.string("The extra that has to be agreed on for it; empty where none.")
    after_all_pass = fields.boolean("An undertaking after all have passed.")
    challenges_slam = fields.boolean("Whoever plays by it has to win all nine tricks.")


class LimitsSchema(ResponseSchema):
    """Fewest and most cards."""

    min = fields.integer("The fewest.")
    max = fields.integer("The most.")


class ContractSchema(ResponseSchema):
    """What is played."""

    id = fields.string("Its id: what a log calls it.")
    words = fields.nested(WordsSchema)
    aim = fields.string("`game` or `nolo`.")
    trump = fields.string(
        "How trumps are made: `chosen`, `chosen-after-draw`, a suit, `favoured`, `turned`, `aces` or `none`."
    )
    declarer_exchange = fields.nested(LimitsSchema, "Null where he plays his hand as dealt.", allow_none=True)
    defenders_exchange = fields.boolean("Whether the defenders exchange.")
    first_defender_most = fields.integer("How many cards the first defender may exchange.")
    needs_black_aces = fields.boolean("Only with both black aces in his hand, which he shows.")
    ends_at = fields.integer(
        "The declarer's trick that ends it early; null where it is played to its end.", allow_none=True
    )
    codille_from = fields.integer(
        "At how many tricks a nolo is codille; null where it never is.", allow_none=True
    )
    laid_open = fields.string("When the declarer lays his hand open.")
    bete_on_giving_up = fields.boolean("Whether giving up is paid as bête only.")
    extra = fields.string("The extra that has to be agreed on for it; empty where none.")
    must_hold_trump = fields.boolean("Only in a suit of which he holds a trump.")
    favoured_form = fields.string("The contract that this one is in the favoured suit; empty where none.")


class NameableContractSchema(ResponseSchema):
    """A contract that a winning bid lets its winner name."""

    contract = fields.string("The contract's id.")
    trumps = fields.list_of(fields.suit(), "The trumps to choose from.")


class NamingTableSchema(ResponseSchema):
    """What the winner of a bid may name."""

    bid = fields.string("The bid's id.")
    names = fields.list_of(NameableContractSchema)


class TariffSchema(ResponseSchema):
    """Chips from (won) or to each opponent."""

    contract = fields.string("The contract's id.")
    won = fields.chips("Null where the source does not say.", allow_none=True)
    bete = fields.chips("Null where it cannot occur, or the source does not say.", allow_none=True)
    codille = fields.list_of(
        fields.chips(),
        "By the tricks beyond those that make it one; the last serves for all more. Empty: not stated.",
    )
    most = fields.integer("What a codille pays at most, where that is agreed; 0 where it is not.")


class ContractBaseSchema(ResponseSchema):
    """What a contract is worth in a pool game."""

    contract = fields.string("The contract's id.")
    worth = fields.integer("Chips for each opponent.")


class PoolRulesSchema(ResponseSchema):
    """Stakes round a pool."""

    stake = fields.integer("What the dealer lays into the pool.")
    bases = fields.list_of(ContractBaseSchema)
    primeras = fields.integer("What the first five tricks in a row are worth.")
    estuches_most = fields.integer("How many estuches are paid at most.")
    vole = fields.integer("What all nine tricks are worth.")
    reserve_at = fields.integer("From this pool on puestas are set aside; 0: at the loser's choice.")


class SlamSchema(ResponseSchema):
    """All nine tricks."""

    worth = fields.integer("Chips from each opponent.")
    announced = fields.string("`never`, `until-sixth-lead` or `after-fifth-trick`.")


class GivingUpSchema(ResponseSchema):
    """Giving up before the end."""

    bete_from = fields.string("From when it is paid as bête: `naming` or `play`.")
    bete_until = fields.string("Until when it is: `second-card` or `declarers-first-card`.")
    codille_any_time = fields.boolean("Whether he may give up as codille at any time.")


class SurrenderRulesSchema(ResponseSchema):
    """Surrender to the opponents."""

    before_trick = fields.integer("The trick that must not have been begun.")


class NeedlessBidSchema(ResponseSchema):
    """A bid that is needless where a lower one would have been enough."""

    bid = fields.string("The bid that was made.")
    enough = fields.string("The one that would have been enough.")


class PenaltiesSchema(ResponseSchema):
    """Calls for which the director may give penalty points."""

    points = fields.integer("How many for each such call.")
    needless = fields.list_of(NeedlessBidSchema)
    suit_named = fields.boolean("Whether naming a suit with a bid is one.")


class SwitchSchema(ResponseSchema):
    """A single point that a table may agree on otherwise."""

    id = fields.string("What a deal's `switches` call it.")
    words = fields.nested(WordsSchema)
    sets = fields.string("The point of the ruleset that it sets.")
    values = fields.list_of(Raw(), "What it may be.")
    spans = fields.boolean("Whether it may be any whole number from the first of the values to the last.")
    stands = Raw(required=True, metadata={"description": "How it stands here: a flag, a number or a word."})


def policy_field(policy_name: str) -> String:
    """A policy, with the meanings of its values."""
    meanings = (f"`{name}`: {words}" for name, words in POLICY_MEANINGS[policy_name].items())
    return fields.string(" ".join(meanings), choices=POLICIES[policy_name])


class PoliciesSchema(ResponseSchema):
    """Which of the ways that the engine knows this ruleset goes."""

    direction = policy_field("direction")
    next_dealer = policy_field("next_dealer")
    sits_out = policy_field("sits_out")
    all_pass = policy_field("all_pass")
    auction = policy_field("auction")
    self_right = policy_field("self_right")
    red_trumps = policy_field("red_trumps")
    matadors = policy_field("matadors")
    defender_order = policy_field("defender_order")
    first_without_declarer = policy_field("first_without_declarer")
    foul = fields.string("Not stated: what a foul in the exchange pays.")
    revoke = policy_field("revoke")
    favoured = fields.string("The suit that outranks the others; `none` where there is none.")
    sitter_pays = fields.boolean("Whether who sits out pays and is paid like a defender.")
    may_yield = fields.boolean("Whether the first choice in the exchange may be yielded.")
    talon_may_be_seen = fields.boolean("Whether what is left of the talon may be looked at.")
    remis_en_quatre = fields.boolean("Whether one trick, and four to each defender, is bête and no codille.")


class ClauseSchema(ResponseSchema):
    """A point of the rules in our words."""

    point = fields.string("Which point of the rules it is.")
    text = fields.string("What holds there.")
    source = fields.string("Where it was read.")
    ours = fields.boolean("Whether the source is silent and we decided.")
    silent = fields.boolean("Whether the source does not say, and nothing follows.")
    on = fields.list_of(
        fields.string("A code of a finding, what one is about, or a contract that it says what pays.")
    )


class RulesetSummarySchema(ResponseSchema):
    """A ruleset in a list."""

    id = fields.string("Its id: what a deal's `ruleset` calls it.")
    revision = fields.integer("A published revision never changes.", min_value=1)
    words = fields.nested(WordsSchema)
    revisions = fields.list_of(fields.integer(min_value=1), "All revisions that there are.")
    own = fields.boolean("Whether it is the club's own; the others come with Spadille.")
    source = fields.string("Where it was read.")
    links = fields.links()


class RulesetSchema(RulesetSummarySchema):
    """A ruleset: data, and the policies that it chooses."""

    chip = fields.nested(WordsSchema, "What is paid with.")
    bids = fields.list_of(BidSchema)
    contracts = fields.list_of(ContractSchema)
    naming = fields.list_of(NamingTableSchema)
    tariff = fields.list_of(TariffSchema)
    pool = fields.nested(PoolRulesSchema, "Null where there is no pool.", allow_none=True)
    slam = fields.nested(SlamSchema, "Null where all nine tricks pay nothing more.", allow_none=True)
    giving_up = fields.nested(GivingUpSchema, "Null where nobody may give up.", allow_none=True)
    surrender = fields.nested(SurrenderRulesSchema, "Null where nobody may surrender.", allow_none=True)
    penalties = fields.nested(PenaltiesSchema, "Null where there are no penalty points.", allow_none=True)
    forced_bid = fields.string(
        "The bid by which the holder of spadille plays where that is forced; empty where never."
    )
    extras = fields.list_of(fields.string(), "The optional extras that are agreed on.")
    policies = fields.nested(PoliciesSchema)
    switches = fields.list_of(SwitchSchema)
    clauses = fields.list_of(ClauseSchema)


class RulesetsSchema(ResponseSchema):
    """The newest revision of every ruleset."""

    rulesets = fields.list_of(RulesetSummarySchema)


def ruleset_part_field(json_type: str | list[str], description: str, **extra_metadata: Any) -> Raw:
    """A member of a submitted ruleset, which `schemas.rulesets.ruleset_json` reads."""
    return Raw(metadata={"type": json_type, "description": description, **extra_metadata})


def ruleset_parts_field(description: str) -> Raw:
    """A list of objects in a submitted ruleset."""
    return ruleset_part_field("array", description, items={"type": "object"})


class RulesetInputSchema(Schema):
    """A ruleset of a club's own: whole, as it is answered, or `based_on` another with what differs.

    Based on another, lists whose members have a name are bettered member by member, `clauses` are added to
    those that there are, and anything else takes the place of what was there.
    """

    id = ruleset_part_field(
        "string", "The id in the address, or left out.", pattern="^[a-z0-9]([a-z0-9._-]{0,58}[a-z0-9])?$"
    )
    revision = ruleset_part_field("integer", "Left out: the next.", minimum=1, maximum=MAX_RULESET_NUMBER)
    based_on = ruleset_part_field(
        "string", "The id of the ruleset that it is based on; then the rest may be left out."
    )
    based_on_revision = ruleset_part_field(
        "integer", "Which revision of that; unless told otherwise the newest.", minimum=1
    )
    words = ruleset_part_field("object", "What it is called: `en` and `da`.")
    source = ruleset_part_field("string", "Where it is written down.", minLength=1)
    chip = ruleset_part_field("object", "What is paid with: `en` and `da`.")
    bids = ruleset_parts_field("What may be said in the auction; named by `id`.")
    contracts = ruleset_parts_field("What is played; named by `id`.")
    naming = ruleset_parts_field("What the winner of each bid may name; named by `bid`.")
    tariff = ruleset_parts_field("What each contract pays; named by `contract`.")
    pool = ruleset_part_field(
        ["object", "null"],
        "Stakes round a pool; its `bases` are named by `contract`; null where there is none.",
    )
    slam = ruleset_part_field(["object", "null"], "All nine tricks; null where they pay nothing more.")
    giving_up = ruleset_part_field(["object", "null"], "Giving up before the end; null where there is none.")
    surrender = ruleset_part_field(
        ["object", "null"], "Surrender to the opponents; null where there is none."
    )
    penalties = ruleset_part_field(
        ["object", "null"], "Calls for which there are penalty points; null where there are none."
    )
    forced_bid = ruleset_part_field(
        "string", "The bid by which spadille plays where that is forced; empty where never."
    )
    extras = ruleset_part_field("array", "The optional extras that are agreed on.", items={"type": "string"})
    policies = ruleset_part_field("object", "Which of the ways that the engine knows it goes.")
    switches = ruleset_parts_field("Points that a table may agree on otherwise; named by `id`.")
    clauses = ruleset_parts_field("Points of the rules in words, each with its source.")

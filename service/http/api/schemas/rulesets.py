"""The answers about rulesets: data as tables, and the source of each clause."""

from typing import Any

from marshmallow import Schema
from marshmallow.fields import Raw, String

from engine.rulesets.policies import POLICIES, POLICY_MEANINGS
from schemas.answers import fields
from schemas.answers.response_schema import ResponseSchema
from schemas.rulesets.ruleset_values import MAX_RULESET_NUMBER


class WordsSchema(ResponseSchema):
    """The same words in English and in Danish."""

    en = fields.string("In English.")
    da = fields.string("In Danish.")


class BidSchema(ResponseSchema):
    """A call in the auction."""

    id = fields.string("Its id in logs.")
    rank = fields.integer("A higher rank outbids; an equal one does not.")
    words = fields.nested(WordsSchema)
    needs_black_aces = fields.boolean("Only with spadille and basta dealt.")
    only_over = fields.list_of(fields.string(), "If not empty: only over one of these bids.")
    as_self_over = fields.list_of(fields.string(), "Over these the elder may bid it instead of self.")
    extra = fields.string("The extra that must be agreed for it; empty without one.")
    after_all_pass = fields.boolean("A game that must be played after all have passed.")
    challenges_slam = fields.boolean("Its declarer must win all nine tricks.")


class LimitsSchema(ResponseSchema):
    """Fewest and most cards."""

    min = fields.integer("The fewest.")
    max = fields.integer("The most.")


class ContractSchema(ResponseSchema):
    """A contract."""

    id = fields.string("Its id in logs.")
    words = fields.nested(WordsSchema)
    aim = fields.string("`game` or `nolo`.")
    trump = fields.string(
        "How trumps are made: `chosen`, `chosen-after-draw`, a suit, `favoured`, `turned`, `aces` or `none`."
    )
    declarer_exchange = fields.nested(
        LimitsSchema, "Null if the declarer plays the hand as dealt.", allow_none=True
    )
    defenders_exchange = fields.boolean("Whether the defenders exchange.")
    first_defender_most = fields.integer("How many cards the first defender may exchange.")
    needs_black_aces = fields.boolean("Only with both black aces in the hand, which the declarer shows.")
    ends_at = fields.integer(
        "The declarer's trick that ends it early; null if it is always played out.", allow_none=True
    )
    codille_from = fields.integer(
        "The number of tricks that make a nolo codille; null for never.", allow_none=True
    )
    laid_open = fields.string("When the declarer lays the hand open.")
    bete_on_giving_up = fields.boolean("Whether giving up is paid as bête only.")
    extra = fields.string("The extra that must be agreed for it; empty without one.")
    must_hold_trump = fields.boolean("Only in a suit in which the declarer holds a trump.")
    favoured_form = fields.string(
        "The contract of which this is the form in the favoured suit; empty without one."
    )


class NameableContractSchema(ResponseSchema):
    """A contract that the winner of a bid may name."""

    contract = fields.string("The contract's id.")
    trumps = fields.list_of(fields.suit(), "The possible trumps.")


class NamingTableSchema(ResponseSchema):
    """What the winner of a bid may name."""

    bid = fields.string("The bid's id.")
    names = fields.list_of(NameableContractSchema)


class TariffSchema(ResponseSchema):
    """Chips from (won) or to each opponent."""

    contract = fields.string("The contract's id.")
    won = fields.chips("Null if the source does not say.", allow_none=True)
    bete = fields.chips("Null if it cannot occur, or the source does not say.", allow_none=True)
    codille = fields.list_of(
        fields.chips(),
        "By tricks above the least; the last value holds for all more. Empty: not stated.",
    )
    most = fields.integer("The most that a codille pays, if agreed; else 0.")


class ContractBaseSchema(ResponseSchema):
    """What a contract is worth in a pool game."""

    contract = fields.string("The contract's id.")
    worth = fields.integer("Chips for each opponent.")


class PoolRulesSchema(ResponseSchema):
    """Stakes round a pool."""

    stake = fields.integer("What the dealer pays into the pool.")
    bases = fields.list_of(ContractBaseSchema)
    primeras = fields.integer("What the first five tricks in a row pay.")
    estuches_most = fields.integer("The most estuches that are paid.")
    vole = fields.integer("What all nine tricks pay.")
    reserve_at = fields.integer("The pool from which puestas are set aside; 0: at the loser's choice.")


class SlamSchema(ResponseSchema):
    """All nine tricks."""

    worth = fields.integer("Chips from each opponent.")
    announced = fields.string("`never`, `until-sixth-lead` or `after-fifth-trick`.")


class GivingUpSchema(ResponseSchema):
    """Giving up before the end."""

    bete_from = fields.string("From when it is paid as bête: `naming` or `play`.")
    bete_until = fields.string("Until when it is: `second-card` or `declarers-first-card`.")
    codille_any_time = fields.boolean("Whether the declarer may give up as codille at any time.")


class SurrenderRulesSchema(ResponseSchema):
    """Surrender to the opponents."""

    before_trick = fields.integer("The trick that must not have begun.")


class NeedlessBidSchema(ResponseSchema):
    """A needlessly high bid."""

    bid = fields.string("The bid that was made.")
    enough = fields.string("The bid that would have been enough.")


class PenaltiesSchema(ResponseSchema):
    """Calls for which the director may give penalty points."""

    points = fields.integer("The points for each such call.")
    needless = fields.list_of(NeedlessBidSchema)
    suit_named = fields.boolean("Whether naming a suit with a bid counts.")


class SwitchSchema(ResponseSchema):
    """A point on which tables may differ."""

    id = fields.string("Its name in a deal's `switches`.")
    words = fields.nested(WordsSchema)
    sets = fields.string("The point of the ruleset that it sets.")
    values = fields.list_of(Raw(), "Its values.")
    spans = fields.boolean("Whether any whole number from the first to the last value is allowed.")
    stands = Raw(required=True, metadata={"description": "Its value here: a flag, a number or a word."})


def policy_field(policy_name: str) -> String:
    """A policy, with the meanings of its values."""
    meanings = (f"`{name}`: {words}" for name, words in POLICY_MEANINGS[policy_name].items())
    return fields.string(" ".join(meanings), choices=POLICIES[policy_name])


class PoliciesSchema(ResponseSchema):
    """The choices of this ruleset among the engine's policies."""

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
    favoured = fields.string("The suit that outranks the others, or `none`.")
    sitter_pays = fields.boolean("Whether a player who sits out pays and is paid like a defender.")
    may_yield = fields.boolean("Whether the first player may yield the first choice in the exchange.")
    talon_may_be_seen = fields.boolean("Whether players may look at the rest of the talon.")
    remis_en_quatre = fields.boolean(
        "Whether one trick, with four for each defender, is bête and not codille."
    )


class ClauseSchema(ResponseSchema):
    """A point of the rules in our words."""

    point = fields.string("The point of the rules.")
    text = fields.string("The rule.")
    source = fields.string("Its source.")
    ours = fields.boolean("Whether the source is silent and we decided.")
    silent = fields.boolean("Whether the source does not say, and nothing follows.")
    on = fields.list_of(
        fields.string("A code of a finding, what one is about, or a contract that it says what pays.")
    )


class RulesetSummarySchema(ResponseSchema):
    """A ruleset in a list."""

    id = fields.string("Its id, as in a deal's `ruleset`.")
    revision = fields.integer("A published revision never changes.", min_value=1)
    words = fields.nested(WordsSchema)
    revisions = fields.list_of(fields.integer(min_value=1), "All its revisions.")
    own = fields.boolean("Whether it is the club's own; the others come with Spadille.")
    source = fields.string("Its source.")
    links = fields.links()


class RulesetSchema(RulesetSummarySchema):
    """A ruleset: data, and the policies that it chooses."""

    chip = fields.nested(WordsSchema, "The unit of payment.")
    bids = fields.list_of(BidSchema)
    contracts = fields.list_of(ContractSchema)
    naming = fields.list_of(NamingTableSchema)
    tariff = fields.list_of(TariffSchema)
    pool = fields.nested(PoolRulesSchema, "Null without a pool.", allow_none=True)
    slam = fields.nested(SlamSchema, "Null if all nine tricks pay nothing extra.", allow_none=True)
    giving_up = fields.nested(GivingUpSchema, "Null if nobody may give up.", allow_none=True)
    surrender = fields.nested(SurrenderRulesSchema, "Null if nobody may surrender.", allow_none=True)
    penalties = fields.nested(PenaltiesSchema, "Null without penalty points.", allow_none=True)
    forced_bid = fields.string("The bid by which the holder of spadille must play; empty without one.")
    extras = fields.list_of(fields.string(), "The optional extras that are agreed.")
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
    """One of the club's own rulesets: whole, as in an answer, or `based_on` another with its differences.

    With `based_on`, lists whose members have a name are changed member by member, `clauses` are added, and
    anything else is replaced.
    """

    id = ruleset_part_field(
        "string", "The id in the address, or left out.", pattern="^[a-z0-9]([a-z0-9._-]{0,58}[a-z0-9])?$"
    )
    revision = ruleset_part_field("integer", "By default the next.", minimum=1, maximum=MAX_RULESET_NUMBER)
    based_on = ruleset_part_field("string", "The id of the base ruleset; then the rest is optional.")
    based_on_revision = ruleset_part_field(
        "integer", "The revision of the base; by default the newest.", minimum=1
    )
    words = ruleset_part_field("object", "The name: `en` and `da`.")
    source = ruleset_part_field("string", "The source.", minLength=1)
    chip = ruleset_part_field("object", "The unit of payment: `en` and `da`.")
    bids = ruleset_parts_field("The calls in the auction; by `id`.")
    contracts = ruleset_parts_field("The contracts; by `id`.")
    naming = ruleset_parts_field("What the winner of each bid may name; by `bid`.")
    tariff = ruleset_parts_field("What each contract pays; by `contract`.")
    pool = ruleset_part_field(
        ["object", "null"],
        "Stakes round a pool, its `bases` by `contract`; null without a pool.",
    )
    slam = ruleset_part_field(["object", "null"], "All nine tricks; null if they pay nothing extra.")
    giving_up = ruleset_part_field(["object", "null"], "Giving up before the end; null if not allowed.")
    surrender = ruleset_part_field(["object", "null"], "Surrender to the opponents; null if not allowed.")
    penalties = ruleset_part_field(["object", "null"], "Calls with penalty points; null without any.")
    forced_bid = ruleset_part_field(
        "string", "The bid by which the holder of spadille must play; empty without one."
    )
    extras = ruleset_part_field("array", "The optional extras that are agreed.", items={"type": "string"})
    policies = ruleset_part_field("object", "The choices among the engine's policies.")
    switches = ruleset_parts_field("Points on which tables may differ; by `id`.")
    clauses = ruleset_parts_field("Clauses in words, each with its source.")

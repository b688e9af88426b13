"""What is published of a ruleset: its data as tables, and where each clause was read."""

from typing import Any

from marshmallow import Schema, fields, validate

from engine.core.field_types import Chips
from engine.rulesets.model import POLICIES
from engine.rulesets.policy_texts import POLICY_MEANINGS
from schemas.rulesets.ruleset_values import MAX_RULESET_NUMBER
from schemas.wire.field_specs import field_kind
from service.http.api.schemas.fields import (
    SUIT_KIND,
    IntegerField,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    links_field,
    list_field,
    nested_field,
    string_field,
)


class WordsSchema(ResponseSchema):
    """The same words in English and in Danish."""

    en = string_field("In English.")
    da = string_field("In Danish.")


class BidSchema(ResponseSchema):
    """What may be said in the auction."""

    id = string_field("Its id: what a log calls it.")
    rank = IntegerField("A higher one outbids, an equal one does not.")
    words = nested_field(WordsSchema)
    needs_black_aces = boolean_field("Only with spadille and basta dealt.")
    only_over = list_field(fields.String(), "Where not empty: only over one of these bids.")
    as_self_over = list_field(fields.String(), "Over these the elder may say it in place of self.")
    extra = string_field("The extra that has to be agreed on for it; empty where none.")
    after_all_pass = boolean_field("An undertaking after all have passed.")
    challenges_slam = boolean_field("Whoever plays by it has to win all nine tricks.")


class LimitsSchema(ResponseSchema):
    """Fewest and most cards."""

    min = IntegerField("The fewest.")
    max = IntegerField("The most.")


class ContractSchema(ResponseSchema):
    """What is played."""

    id = string_field("Its id: what a log calls it.")
    words = nested_field(WordsSchema)
    aim = string_field("`game` or `nolo`.")
    trump = string_field(
        "How trumps are made: `chosen`, `chosen-after-draw`, a suit, `favoured`, `turned`, `aces` or `none`."
    )
    declarer_exchange = nested_field(LimitsSchema, "Null where he plays his hand as dealt.", allow_none=True)
    defenders_exchange = boolean_field("Whether the defenders exchange.")
    first_defender_most = IntegerField("How many cards the first defender may exchange.")
    needs_black_aces = boolean_field("Only with both black aces in his hand, which he shows.")
    ends_at = IntegerField(
        "The declarer's trick that ends it early; null where it is played to its end.", allow_none=True
    )
    codille_from = IntegerField(
        "At how many tricks a nolo is kodille; null where it never is.", allow_none=True
    )
    laid_open = string_field("When the declarer lays his hand open.")
    bete_on_giving_up = boolean_field("Whether giving up is paid as bête only.")
    extra = string_field("The extra that has to be agreed on for it; empty where none.")
    must_hold_trump = boolean_field("Only in a suit of which he holds a trump.")
    favoured_form = string_field("The contract that this one is in the favoured suit; empty where none.")


class NameableContractSchema(ResponseSchema):
    """A contract that a winning bid lets its winner name."""

    contract = string_field("The contract's id.")
    trumps = list_field(VocabularyField(SUIT_KIND), "The trumps to choose from.")


class NamingTableSchema(ResponseSchema):
    """What the winner of a bid may name."""

    bid = string_field("The bid's id.")
    names = list_field(NameableContractSchema)


class TariffSchema(ResponseSchema):
    """Chips from (won) or to each opponent."""

    contract = string_field("The contract's id.")
    won = VocabularyField(field_kind(Chips), "Null where the source does not say.", allow_none=True)
    bete = VocabularyField(
        field_kind(Chips), "Null where it cannot occur, or the source does not say.", allow_none=True
    )
    codille = list_field(
        VocabularyField(field_kind(Chips)),
        "By the tricks beyond those that make it one; the last serves for all more. Empty: not stated.",
    )
    most = IntegerField("What a kodille pays at most, where that is agreed; 0 where it is not.")


class ContractBaseSchema(ResponseSchema):
    """What a contract is worth in a pool game."""

    contract = string_field("The contract's id.")
    worth = IntegerField("Chips for each opponent.")


class PoolRulesSchema(ResponseSchema):
    """Stakes round a pool."""

    stake = IntegerField("What the dealer lays into the pool.")
    bases = list_field(ContractBaseSchema)
    primeras = IntegerField("What the first five tricks in a row are worth.")
    estuches_most = IntegerField("How many estuches are paid at most.")
    vole = IntegerField("What all nine tricks are worth.")
    reserve_at = IntegerField("From this pool on puestas are set aside; 0: at the loser's choice.")


class SlamSchema(ResponseSchema):
    """All nine tricks."""

    worth = IntegerField("Chips from each opponent.")
    announced = string_field("`never`, `until-sixth-lead` or `after-fifth-trick`.")


class GivingUpSchema(ResponseSchema):
    """Giving up before the end."""

    bete_from = string_field("From when it is paid as bête: `naming` or `play`.")
    bete_until = string_field("Until when it is: `second-card` or `declarers-first-card`.")
    codille_any_time = boolean_field("Whether he may give up as kodille at any time.")


class SurrenderRulesSchema(ResponseSchema):
    """Surrender to the opponents."""

    before_trick = IntegerField("The trick that must not have been begun.")


class NeedlessBidSchema(ResponseSchema):
    """A bid that is needless where a lower one would have been enough."""

    bid = string_field("The bid that was made.")
    enough = string_field("The one that would have been enough.")


class PenaltiesSchema(ResponseSchema):
    """Calls for which the director may give penalty points."""

    points = IntegerField("How many for each such call.")
    needless = list_field(NeedlessBidSchema)
    suit_named = boolean_field("Whether naming a suit with a bid is one.")


class SwitchSchema(ResponseSchema):
    """A single point that a table may agree on otherwise."""

    id = string_field("What a deal's `switches` call it.")
    words = nested_field(WordsSchema)
    sets = string_field("The point of the ruleset that it sets.")
    values = fields.List(fields.Raw(), required=True, metadata={"description": "What it may be."})
    spans = boolean_field("Whether it may be any whole number from the first of the values to the last.")
    stands = fields.Raw(
        required=True, metadata={"description": "How it stands here: a flag, a number or a word."}
    )


def policy_field(policy_name: str) -> fields.String:
    """A policy by its name, with what each of them means."""
    meanings = (f"`{name}`: {words}" for name, words in POLICY_MEANINGS[policy_name].items())
    return fields.String(
        required=True,
        validate=validate.OneOf(POLICIES[policy_name]),
        metadata={"description": " ".join(meanings)},
    )


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
    foul = string_field("What a foul in the exchange pays.")
    revoke = policy_field("revoke")
    favoured = string_field("The suit that outranks the others; `none` where there is none.")
    sitter_pays = boolean_field("Whether who sits out pays and is paid like a defender.")
    may_yield = boolean_field("Whether the first choice in the exchange may be yielded.")
    talon_may_be_seen = boolean_field("Whether what is left of the talon may be looked at.")
    remis_en_quatre = boolean_field("Whether one trick, and four to each defender, is bête and no kodille.")


class ClauseSchema(ResponseSchema):
    """A point of the rules in our words."""

    point = string_field("Which point of the rules it is.")
    text = string_field("What holds there.")
    source = string_field("Where it was read.")
    ours = boolean_field("Whether the source is silent and we decided.")
    silent = boolean_field("Whether the source does not say, and nothing follows.")
    on = list_field(
        string_field("A code of a finding, what one is about, or a contract that it says what pays.")
    )


class RulesetSummarySchema(ResponseSchema):
    """A ruleset in a list."""

    id = string_field("Its id: what a deal's `ruleset` calls it.")
    revision = IntegerField("A published revision never changes.", min_value=1)
    words = nested_field(WordsSchema)
    revisions = list_field(IntegerField(min_value=1), "All revisions that there are.")
    own = boolean_field("Whether it is the club's own; the others come with Spadille.")
    source = string_field("Where it was read.")
    links = links_field()


class RulesetSchema(RulesetSummarySchema):
    """A ruleset: data, and the policies that it chooses."""

    chip = nested_field(WordsSchema, "What is paid with.")
    bids = list_field(BidSchema)
    contracts = list_field(ContractSchema)
    naming = list_field(NamingTableSchema)
    tariff = list_field(TariffSchema)
    pool = nested_field(PoolRulesSchema, "Null where there is no pool.", allow_none=True)
    slam = nested_field(SlamSchema, "Null where all nine tricks pay nothing more.", allow_none=True)
    giving_up = nested_field(GivingUpSchema, "Null where nobody may give up.", allow_none=True)
    surrender = nested_field(SurrenderRulesSchema, "Null where nobody may surrender.", allow_none=True)
    penalties = nested_field(PenaltiesSchema, "Null where there are no penalty points.", allow_none=True)
    forced_bid = string_field(
        "The bid by which the holder of spadille plays where that is forced; empty where never."
    )
    extras = list_field(fields.String(), "The optional extras that are agreed on.")
    policies = nested_field(PoliciesSchema)
    switches = list_field(SwitchSchema)
    clauses = list_field(ClauseSchema)


class RulesetsSchema(ResponseSchema):
    """The newest revision of every ruleset."""

    rulesets = list_field(RulesetSummarySchema)


def ruleset_part_field(json_type: str | list[str], description: str, **extra_metadata: Any) -> fields.Raw:
    """A member of a ruleset that is sent, whose inside `schemas.rulesets.ruleset_json` reads."""
    return fields.Raw(metadata={"type": json_type, "description": description, **extra_metadata})


def ruleset_parts_field(description: str) -> fields.Raw:
    """A list of objects of a ruleset that is sent."""
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

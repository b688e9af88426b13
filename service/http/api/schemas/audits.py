"""The shape of the report on a deal."""

from schemas.wire.events import BareEventSchema, EventSchema
from service.http.api.schemas.fields import (
    CARD,
    SEAT,
    SEQ,
    Answer,
    Vocabulary,
    Whole,
    flag,
    link_map,
    list_of,
    nested_in,
    said,
)
from service.http.api.schemas.points import (
    NAME,
    FindingSchema,
    LegalSchema,
    MendingSchema,
    ScoreSchema,
    StateSchema,
    chips_by_name,
    finding_list,
    names_of_members,
)


class MatterSchema(Answer):
    """An entry at which something is found, and how the deal stood before it."""

    entry = nested_in(EventSchema)
    findings = finding_list()
    follows = list_of(
        FindingSchema, "What would not be found if the mistake that is found there were put right."
    )
    corrections = list_of(
        BareEventSchema, "`correction_made` entries that would put it right, if a person accepts them."
    )
    state = nested_in(
        StateSchema,
        "The deal before it; null where the entry does not stand in the history, as a correction.",
        null=True,
    )
    legal = nested_in(LegalSchema, "What might happen then; null where nothing might.", null=True)
    cost = Whole(
        "Chips that the card cost the side that played it; null where it is no card, or not all hands are "
        "known. Less than nothing where an unlawful card gained.",
        null=True,
    )
    told = said("That as a sentence; null where a lawful card cost nothing.", null=True)


class MendedSchema(MendingSchema):
    """A correction, or something taken back at the table, and what stands there because of it."""

    since = list_of(EventSchema, "What it put in, as far as that still stands.")


class SettledSchema(Answer):
    """What was paid at the table."""

    seq = Vocabulary(SEQ)
    paid = chips_by_name()
    parted = chips_by_name(null=True)


class RuledSchema(Answer):
    """A ruling on what the deal pays, and what it changes."""

    seq = Vocabulary(SEQ)
    in_force = flag(
        "Whether the deal is paid by it; a later ruling, or a deal declared void, takes its place."
    )
    without = chips_by_name(null=True)
    pays = chips_by_name(null=True)
    changed = chips_by_name(null=True)


class PenaltySchema(Answer):
    """The penalty points of one seat, kept apart from the chips."""

    seat = Vocabulary(SEAT)
    possible = Whole("Points that the ruleset states for the offences found, whether any were given or not.")
    offences = list_of(Vocabulary(SEQ), "The entries at which they were found.")
    given = Whole("Points that the director gave, whatever for.")
    rulings = list_of(Vocabulary(SEQ), "The entries by which he gave them.")


class ProposalSchema(Answer):
    """Corrections that would make the record possible; nothing is corrected by itself."""

    corrections = list_of(BareEventSchema, "`correction_made` entries to append, if a person accepts them.")
    reasons = list_of(said(), "Why it stands where it does among the others.")
    alike = list_of(Vocabulary(CARD), "Cards that would do as well there as the one that is put in.")


class MisprintsSchema(Answer):
    """What may be written wrongly in a record that cannot be."""

    contradicting = list_of(Vocabulary(SEQ), "Entries of which one at least is wrong.")
    complete = flag("Whether everything was looked at.")
    proposals = list_of(ProposalSchema, "The likeliest first, twenty at most.")


class MistakeSchema(Answer):
    """A mistake of the pen that may explain what is found; nothing is corrected by itself."""

    finding = nested_in(FindingSchema)
    corrections = list_of(
        BareEventSchema, "`correction_made` entries that would put it right, if a person accepts them."
    )


class PutRightSchema(Answer):
    """The deal as it would stand with the corrections that are proposed for mistakes of the pen."""

    mistakes = list_of(MistakeSchema)
    score = nested_in(ScoreSchema)
    settled = list_of(SettledSchema)


class AuditSchema(Answer):
    """The report on a deal, for whoever has to judge it."""

    title = said("What the deal is called; null where it has no name, or you may not know it.", null=True)
    ruleset = Vocabulary(NAME, "Null where its opening is missing.", null=True)
    ok = flag("Whether nothing is impossible or against the rules.")
    findings = finding_list()
    score = nested_in(ScoreSchema)
    course = list_of(EventSchema, "The entries of the effective history.")
    matters = list_of(MatterSchema)
    mendings = list_of(MendedSchema)
    rulings = list_of(EventSchema, "What was called, ruled and declared void.")
    ruled = list_of(RuledSchema, "Of these the rulings on what the deal pays.")
    penalties = list_of(PenaltySchema, "Of whoever may get some, or got some.")
    settled = list_of(SettledSchema)
    put_right = nested_in(
        PutRightSchema, "Null where no mistake of the pen explains anything that is found.", null=True
    )
    instead = list_of(
        PutRightSchema, "The slips that may have been instead of a revoke that is found, each put right."
    )
    misprints = nested_in(MisprintsSchema, "Null where the record can be.", null=True)
    names = names_of_members(required=False)
    links = link_map()

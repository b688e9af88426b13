"""The shapes of reports on a deal and on a table."""

from schemas.answers import fields
from schemas.answers.audits import BaseAuditSchema
from schemas.answers.fields import QuerySchema
from schemas.answers.table_audits import BaseTableAuditSchema
from schemas.rulesets.other_rules_text import MAX_OTHER_RULES_LENGTH


class AuditSchema(BaseAuditSchema):
    """The report on a deal, for a judge."""

    names = fields.member_names(required=False)
    links = fields.links()


TableAuditQuery = QuerySchema.from_dict(
    {
        "rescore_with": fields.query_text(
            "Rescore the evening by other rules: a ruleset (`la-bete`), a revision (`dlu@1`), and house "
            "rules after commas (`dlu@1,sitter-pays=yes`).",
            MAX_OTHER_RULES_LENGTH,
        )
    },
    name="TableAuditQuery",
)
"""The rules to rescore the evening by."""


class TableAuditSchema(BaseTableAuditSchema):
    """The report on a table, for a judge."""

    names = fields.member_names()
    links = fields.links()

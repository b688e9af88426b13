"""The queries and answers about whole files."""

from engine.core.field_types import FieldKind
from schemas.i18n.catalogs import MESSAGE_LANGUAGES
from service.http.api.schemas import fields
from service.http.api.schemas.fields import QuerySchema, ResponseSchema
from service.http.api.schemas.points import UnreadableLineSchema


class SlipSheetQuery(QuerySchema):
    """How a sheet is written."""

    lang = fields.query_choice(("da", "en"), "The language of its columns and words.", default="da")


class SpreadsheetQuery(QuerySchema):
    """For whom rows are written."""

    lang = fields.query_choice(
        MESSAGE_LANGUAGES,
        "For a person's spreadsheet in this language: heads and words, a file name, a mark that says UTF-8; "
        "Danish with semicolons between the cells and decimal commas. Unless told as programs read it: "
        "commas, codes, no mark.",
    )


class ImportedRecordSchema(ResponseSchema):
    """What became of one log."""

    kind = fields.word(FieldKind("choice", choices=("deal", "table")), "What was recorded.")
    id = fields.uuid()
    log = fields.integer("Which log of the file it was, from 1.", min_value=1)
    version = fields.integer("The record's version now; 0 where it was not imported.")
    new = fields.integer("So many of its entries had not been stored before.")
    detail = fields.string("Why it was not imported; null where it was.", allow_none=True)
    links = fields.links()


class ImportedRulesetSchema(ResponseSchema):
    """What became of one ruleset."""

    id = fields.string("Its id.")
    revision = fields.integer("Its revision.", min_value=1)
    new = fields.boolean("Whether it had not been published before.")
    detail = fields.string("Why it was not published; null where it was.", allow_none=True)


class ImportResultSchema(ResponseSchema):
    """What became of a file's logs, and what of it could not be read."""

    rulesets = fields.list_of(ImportedRulesetSchema)
    records = fields.list_of(ImportedRecordSchema)
    problems = fields.list_of(UnreadableLineSchema)
    unlisted = fields.integer("Problems beyond those told in full.")

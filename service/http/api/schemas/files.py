"""The answers about whole files."""

from engine.core.field_types import FieldKind
from schemas.i18n.catalogs import MESSAGE_LANGUAGES
from service.http.api.schemas.fields import (
    IntegerField,
    QueryParameter,
    ResponseSchema,
    VocabularyField,
    boolean_field,
    links_field,
    list_field,
    string_field,
)
from service.http.api.schemas.points import UnreadableLineSchema
from service.http.api.schemas.records import UUID_KIND, QuerySchema


class SlipSheetQuery(QuerySchema):
    """How a sheet is written."""

    lang = QueryParameter(
        FieldKind("choice", choices=("da", "en")), "The language of its columns and words.", default="da"
    )


class SpreadsheetQuery(QuerySchema):
    """For whom rows are written."""

    lang = QueryParameter(
        FieldKind("choice", choices=MESSAGE_LANGUAGES),
        "For a person's spreadsheet in this language: heads and words, a file name, a mark that says UTF-8; "
        "Danish with semicolons between the cells and decimal commas. Unless told as programs read it: "
        "commas, codes, no mark.",
    )


class ImportedRecordSchema(ResponseSchema):
    """What became of one log."""

    kind = VocabularyField(FieldKind("choice", choices=("deal", "table")), "What was recorded.")
    id = VocabularyField(UUID_KIND)
    log = IntegerField("Which log of the file it was, from 1.", min_value=1)
    version = IntegerField("The record's version now; 0 where it was not imported.")
    new = IntegerField("So many of its entries had not been stored before.")
    detail = string_field("Why it was not imported; null where it was.", allow_none=True)
    links = links_field()


class ImportedRulesetSchema(ResponseSchema):
    """What became of one ruleset."""

    id = string_field("Its id.")
    revision = IntegerField("Its revision.", min_value=1)
    new = boolean_field("Whether it had not been published before.")
    detail = string_field("Why it was not published; null where it was.", allow_none=True)


class ImportResultSchema(ResponseSchema):
    """What became of a file's logs, and what of it could not be read."""

    rulesets = list_field(ImportedRulesetSchema)
    records = list_field(ImportedRecordSchema)
    problems = list_field(UnreadableLineSchema)
    unlisted = IntegerField("Problems beyond those told in full.")

"""The pages of the reports on a deal, with forms for rulings and corrections, and on a table."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from flask import Response, request

from engine import Log
from engine.audit_report import AuditReport
from engine.core.cards import SEAT_NAMES
from engine.core.events import CorrectionMade
from engine.core.field_types import ALL_OUTCOMES
from engine.core.log import inherited_count
from engine.diagnosis.misprints import group_proposals
from engine.view import view
from schemas.i18n.card_words import OUTCOME_TERMS
from schemas.i18n.catalogs import gettext
from schemas.wire.event_writer import event_object
from service.application.member_names import replace_ids_with_names
from service.application.published_deals import find_published_title
from service.application.queries import Queries
from service.auth.grants import UnknownGrant
from service.auth.login_links import STARTUP_LINK_LABEL
from service.config.urls import API_PREFIX
from service.eventstore import StreamInfo
from service.http.api.anonymous_limits import HEAVY_REQUEST_COST, REPORT_REQUEST_COST, heavy_work
from service.http.api.routes.identity import can_manage
from service.http.api.routes.replays import find_replay
from service.http.service_context import queries, service_context, transparency_log
from service.http.web.display_preferences import page_language
from service.http.web.page_texts import COMMON_IRREGULARITIES
from service.http.web.pages import (
    display_name,
    format_record_date,
    member_display_name,
    page_url,
    pages,
    render_page,
    render_record_page,
)
from service.http.web.views.deal import requested_viewer, viewer_argument
from service.http.web.views.recorder import can_read_table
from service.presentation.reports.attestation import build_attestation, build_unattested_record
from service.presentation.reports.card_markup import report_template_variables
from service.presentation.reports.deal_article import MAX_PROPOSALS, ArticleContext, build_deal_article
from service.presentation.reports.table_article import TableArticleContext, build_table_article
from service.presentation.text.findings import format_engine_text
from service.presentation.text.style import TextStyle
from service.records.deal_points import VIEWERS_BY_NAME, build_deal_point

AUTHOR_ROLES: Final[Mapping[str, str]] = {
    "owner": "the owner",
    "organiser": "the organiser",
    "recorder": "a recorder",
}
"""Who recorded an entry if no name may be shown; players and viewers record nothing but notes."""


@pages.get("/replays/<name>/report")
def replay_report(name: str) -> Response:
    """The report on a deal of the library."""
    deal = find_replay(name)
    log = view(deal.read_log(), VIEWERS_BY_NAME[requested_viewer() or "all"])
    source_label = gettext("the library, “{title}”", page_language()).format(title=deal.name)
    _, context = build_report(
        log, ArticleContext(build_unattested_record(log, source_label), title=deal.title)
    )
    return render_page(
        "report.html",
        nav_section="library",
        page_url=page_url("web.replay", name=name),
        hidden_cards_url=page_url("web.replay_hidden_cards", name=name, **viewer_argument()),
        **context,
    )


@pages.get("/deals/<stream:deal>/report")
def recorded_report(deal: str) -> Response:
    """The report on a recorded deal, as far as the reader may know it."""
    record_queries, viewer_name = queries(), requested_viewer()
    info = record_queries.find_deal(deal)
    record_view = record_queries.expanded_record_view(info, viewer_name)
    log = replace_ids_with_names(record_view.log, record_queries.deal_member_names(record_view))
    article_context = ArticleContext(
        build_record_attestation(record_queries, info, viewer_name, inherited_count(log)),
        title=find_published_title(record_queries, info) or "",
        table_title=find_table_title(record_queries, info),
        record_id=info.stream,
        author_names=list_known_authors(record_queries, record_view.log),
    )
    report, context = build_report(log, article_context)
    if viewer_name is None and record_queries.caller.has_permission("write", info):
        context |= build_entry_forms(record_queries, info, report)
    return render_record_page(
        "report.html",
        nav_section="deals",
        page_url=page_url("web.recorded", deal=deal),
        hidden_cards_url=page_url("web.recorded_hidden_cards", deal=deal, **viewer_argument()),
        **context,
    )


def build_report(log: Log, article_context: ArticleContext) -> tuple[AuditReport, dict[str, Any]]:
    """The report on a deal, and the variables of its template."""
    lang = page_language()
    with heavy_work(REPORT_REQUEST_COST):
        report = build_deal_point(log, None, None, service_context().book).report
        article = build_deal_article(report, lang, article_context)
        return report, report_template_variables(article, lang)


def find_table_title(record_queries: Queries, info: StreamInfo) -> str:
    """The title of a deal's table; empty if it has none or the reader may not see it."""
    if info.root == info.stream or not can_read_table(info.root):
        return ""
    return record_queries.summary(record_queries.find_table(info.root))["title"] or ""


def build_record_attestation(
    record_queries: Queries, info: StreamInfo, viewer_name: str | None, inherited_count: int
) -> dict[str, Any]:
    """The proof of a record by a new checkpoint of the log of all records."""
    note = transparency_log().sign_checkpoint(None)
    proof = record_queries.build_proof([info], note, viewer_name)
    proof_url = (
        f"{request.host_url.rstrip('/')}{API_PREFIX}/deals/{info.stream}/proof?size={note.checkpoint.size}"
    )
    return build_attestation(proof, transparency_log().verifiers, proof_url, inherited_count)


def list_known_authors(record_queries: Queries, log: Log) -> dict[str, str]:
    """Who recorded entries, by the ids of grants: the labels if the caller manages these, else the roles."""
    names = {}
    for grant_id in {entry.metadata.recorded_by for entry in log} - {None}:
        try:
            grant = record_queries.register.find_grant(grant_id or "")
        except UnknownGrant:
            continue
        label = grant.terms.label
        if label and label != STARTUP_LINK_LABEL and can_manage(grant):
            names[grant.id] = label
        elif grant.terms.role in AUTHOR_ROLES:
            names[grant.id] = gettext(AUTHOR_ROLES[grant.terms.role], page_language())
    return names


def build_entry_forms(record_queries: Queries, info: StreamInfo, report: AuditReport) -> dict[str, Any]:
    """The variables of the forms with which a writer adds to the record.

    Players who sit out have the key with which the record names them.
    """
    lang, summary, rules = page_language(), record_queries.summary(info), report.audit.state.opening.rules
    seats = [
        {"key": seat, "name": display_name(summary, summary["players"][seat]), "sits": True}
        for seat in SEAT_NAMES
    ]
    sitting_out = [
        {"key": item, "name": display_name(summary, item), "sits": False}
        for item in summary["players"]["sitting_out"]
    ]
    return {
        "deal": info.stream,
        "version": info.version,
        "record_url": page_url("web.record", deal=info.stream),
        "participants": [*seats, *sitting_out],
        "outcomes": [{"id": item, "name": gettext(OUTCOME_TERMS[item], lang)} for item in ALL_OUTCOMES],
        "irregularities": [gettext(item, lang, "irregularity") for item in COMMON_IRREGULARITIES],
        "has_pool": rules.ruleset.pool is not None or not rules.is_known,
        "proposals": list_proposed_corrections(report, lang),
    }


class ProposedCorrections(NamedTuple):
    """Corrections as events to append; ``unsure``: they explain what may instead be a revoke."""

    corrections: list[dict[str, Any]]
    unsure: bool


def list_proposed_corrections(report: AuditReport, lang: str) -> list[ProposedCorrections]:
    """The proposed corrections as events to append, with their reasons in the language of the page.

    First those of cards, as numbered in the report, then those of other mistakes. The beginning of a
    variation (entries 1.1, 1.2, …) belongs to another record and is not corrected here.
    """
    groups = group_proposals(report.misprints.proposals if report.misprints else ())[:MAX_PROPOSALS]
    card_corrections = [item.first.corrections for item in groups]
    other_corrections = [
        item.corrections
        for item in report.entry_reports
        if item.corrections and item.corrections not in card_corrections
    ]
    unsure_corrections = [item.explanation.mistakes[-1].corrections for item in report.alternatives]
    return [
        ProposedCorrections(
            [
                {**event_object(item), "reason": format_engine_text(item.reason, TextStyle(lang))}
                for item in corrections
            ],
            corrections in unsure_corrections,
        )
        for corrections in (*card_corrections, *other_corrections)
        if not any(map(_concerns_parent_deal, corrections))
    ]


def _concerns_parent_deal(correction: CorrectionMade) -> bool:
    """Whether a correction concerns the parent deal of a variation."""
    return any(str(seq).startswith("1.") for seq in (*correction.replaces, correction.after))


@pages.get("/tables/<stream:table>/report")
def table_report(table: str) -> Response:
    """The report on a table, as far as the reader may know it and its deals."""
    record_queries = queries()
    info = record_queries.find_table(table)
    summary = record_queries.summary(info)
    with heavy_work(HEAVY_REQUEST_COST):
        report, _ = record_queries.table_report(info)
    names = record_queries.member_names(info, [player for player, _ in report.ledger.totals])
    article_context = TableArticleContext(
        title=summary["title"] or "",
        date=format_record_date(summary),
        record_id=info.stream,
        member_names={player_id: member_display_name(player_id, names) for player_id in names},
        report_url=lambda deal: page_url("web.recorded_report", deal=deal),
    )
    context = report_template_variables(
        build_table_article(report, page_language(), article_context), page_language()
    )
    sheet_url = page_url("web.sheet", table=info.stream)
    return render_record_page("table_report.html", nav_section="tables", sheet_url=sheet_url, **context)

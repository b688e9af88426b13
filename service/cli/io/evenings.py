"""The evenings of a season, read from files or from a store."""

from datetime import date
from typing import NamedTuple, cast

from engine.rulesets import RulesetBook
from engine.tables import compute_ledger, fold_evening_deal
from service.cli.io.deals import collect_tables
from service.cli.io.inputs import Inputs
from service.cli.io.safe_group import EXIT_FAULTY, EXIT_SOUND, EXIT_UNREADABLE, print_to_stderr
from service.cli.io.store_location import StoreLocation
from service.cli.io.terminal_text import sanitize_line
from service.projections.seasons import EveningResult, Season, build_evening_result, evening_date


class SeasonEvenings(NamedTuple):
    """The evenings, how their players are called where that is not the name in the record, an exit status."""

    evenings: list[EveningResult]
    names: dict[str, str]
    exit_status: int


def read_file_evenings(files: tuple[str, ...], season: Season, book: RulesetBook) -> SeasonEvenings:
    """The tables of files that were played in the season."""
    inputs, evenings = Inputs(files), list[EveningResult]()
    found = collect_tables(inputs.read_all_logs(), book)
    if not found:
        inputs.report_unreadable("There is no table here; the log of a table begins with table_opened.")
    for one in found:
        log = one.table_log.log
        try:
            day = evening_date(log)
        except ValueError:  # without any date or time
            day = date.min
            if season.first or season.last:
                place = sanitize_line(f"{one.table_log.file}, log {one.table_log.number}")
                inputs.report_unreadable(f"{place}: nothing says when this was played; it is left out.")
                continue
        deals = {name: fold_evening_deal(deal.log, book) for name, deal in one.deals.items()}
        ledger = compute_ledger(log, deals, book)
        if ledger is not None and day in season:
            table = str(log[0].metadata.id)
            evenings.append(build_evening_result(table, day, one.table.opening_event, ledger))
    return SeasonEvenings(evenings, {}, EXIT_UNREADABLE if inputs.has_unreadable else EXIT_SOUND)


def read_store_evenings(place: StoreLocation, season: Season) -> SeasonEvenings:
    """The evenings of a store in the season, as its owner reads them; a service may be writing to it."""
    # What a store needs takes a while to load; the other commands do without it.
    from service.application.evening_queries import EveningQueries
    from service.application.queries import Queries
    from service.auth.access_register import AccessRegister
    from service.auth.caller import OWNER_CALLER
    from service.auth.register_factory import has_register, open_access_register
    from service.auth.request_identity import Credentials, RequestIdentity
    from service.eventstore import EventStore
    from service.projections.summaries import SummaryCache
    from service.records.club_rules import ClubRules
    from service.records.variations import Variations

    place.require_store_file()
    at = (place.file, place.address)
    register = open_access_register(*at) if has_register(*at) else AccessRegister()
    with place.open_reader() as reader, register:
        store, identity = cast(EventStore, reader), RequestIdentity(register, Credentials(), OWNER_CALLER)
        rules, summaries = ClubRules(store), SummaryCache()
        queries = Queries(store, identity, register, summaries, rules, Variations(store))
        evening_queries = EveningQueries(queries, store, summaries)
        evenings, damaged = evening_queries.list_evenings(season)
        names = {member: name for member, name in evening_queries.list_member_names(evenings).items() if name}
    for table in damaged:
        print_to_stderr(f"The table {table} is damaged, and is left out.")
    return SeasonEvenings(evenings, names, EXIT_FAULTY if damaged else EXIT_SOUND)

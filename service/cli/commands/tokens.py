"""``spadille tokens``: who may do what, from the computer on which the service runs, also while it runs."""

import re
import shlex
from pathlib import Path
from typing import Any, Final

import click

from engine.core.cards import SEAT_NAMES
from service.auth.access_register import AccessRegister
from service.auth.grants import ROLES, Grant, GrantTerms, Role, Scope, ScopeKind, UnknownGrant
from service.auth.login_links import format_login_link
from service.auth.timestamps import add_days
from service.cli.io import options
from service.cli.io.output import print_json_line, print_lines
from service.cli.io.safe_group import CommandFailed, print_to_stderr
from service.cli.io.store_location import StoreLocation, resolve_register_location
from service.cli.io.terminal_text import sanitize_line
from service.config.program import program_command
from service.eventstore.clock import utc_now
from service.eventstore.errors import StoreError
from service.presentation.text.layout import align_columns
from service.presentation.text.style import TextStyle
from service.records.hidden_characters import find_name_fault

_PERIOD: Final = re.compile(r"([1-9][0-9]{0,4})([hdw])")
_DAYS_IN: Final = {"h": 1 / 24, "d": 1.0, "w": 7.0}
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

GRANT_COLUMN_WORDS: Final = ("grant", "role", "for", "used", "ends", "called")
SCOPE_PHRASES: Final = {"everything": "everything", "table": "table {id}", "deal": "deal {id}"}
MISSING_RECORD_PHRASES: Final = {
    "table": "There is no table {id} here yet; the grant applies once there is one.",
    "deal": "There is no deal {id} here yet; the grant applies once there is one.",
}


def _parse_period(value: str) -> float:
    """A period in days: "12h", "30d", "8w"."""
    found = _PERIOD.fullmatch(value)
    if found is None:
        raise click.BadParameter(
            f"{value!r} is not a period: write hours, days or weeks, as in 12h, 30d, 8w."
        )
    return int(found[1]) * _DAYS_IN[found[2]]


def _parse_record_id(value: str) -> str:
    return _parse_id(value, "a deal or a table: copy it from its address")


def _parse_grant_id(value: str) -> str:
    return _parse_id(value, "a grant: the first column of spadille tokens list has them")


def _parse_id(value: str, description: str) -> str:
    """An id; ``description`` says of what, and where to find it."""
    if not _UUID.fullmatch(value.lower()):
        raise click.BadParameter(f"{value!r} is not the id of {description}.")
    return value.lower()


def _parse_visible_name(value: str) -> str:
    """A name without hidden characters."""
    if fault := find_name_fault(value):
        raise click.BadParameter(f"{sanitize_line(value)!r}: {fault}")
    return value


@click.group(epilog="Example: spadille tokens make recorder --label phone --for 30d")
def tokens() -> None:
    """Create, list and revoke tokens and links to the service.

    The commands work on the folder of the records, or on the PostgreSQL store of --store or SPADILLE_STORE.
    The service can be running; a revocation applies immediately.
    """


@tokens.command("list", epilog="Example: spadille tokens list --all")
@click.option("--all", "every", is_flag=True, help="List expired and revoked grants too.")
@options.data
@options.store
@options.style
@options.output_format
def list_tokens(every: bool, data: Path | None, store: str | None, style: TextStyle, output: str) -> None:
    """List who may do what; tokens are never shown.

    Each grant has its id, role and scope, when it was last used and when it expires.
    """
    with _open_access_register(resolve_register_location(data, store)) as register:
        found = register.list_grants() if every else register.list_active_grants()
    if output == "json":
        for grant in found:
            print_json_line(grant.to_json_object(utc_now()))
    elif not found:
        click.echo(style.phrase("There are no grants yet."))
    else:
        headings = [style.phrase(heading) for heading in GRANT_COLUMN_WORDS]
        print_lines(align_columns([headings, *(_grant_row(one, style) for one in found)]), style)


@tokens.command(
    "make",
    epilog="Example: spadille tokens make player --deal ID --seat forehand",
)
@click.argument("role", type=click.Choice(ROLES))
@click.option("--table", type=_parse_record_id, metavar="ID", help="Limit it to this table and its deals.")
@click.option("--deal", type=_parse_record_id, metavar="ID", help="Limit it to this deal.")
@click.option("--seat", type=click.Choice(SEAT_NAMES), help="The seat of a player in a deal.")
@click.option(
    "--person", type=_parse_visible_name, metavar="NAME", help="The player with this name, or a member's id."
)
@click.option("--label", type=_parse_visible_name, metavar="TEXT", default="", help="A label for lists.")
@click.option(
    "--for", "period", type=_parse_period, metavar="PERIOD", help="How long it is valid: 12h, 30d, 8w."
)
@click.option("--once", is_flag=True, help="Make a link that logs one browser in, once.")
@click.option("--public", is_flag=True, help="Publish it: everybody may read it, without a token.")
@click.option(
    "--title", type=_parse_visible_name, metavar="TEXT", help="The title of a published deal in the library."
)
@click.option("--link", "address", metavar="ADDRESS", help="Print a link to the service at this address.")
@options.data
@options.store
@options.style
def make_token(
    data: Path | None,
    store: str | None,
    style: TextStyle,
    address: str | None,
    **grant_options: Any,
) -> None:
    """Make a token for a ROLE, or a link that logs a browser in.

    The token is shown only once; the service stores only its digest.
    """
    terms = _parse_terms(**grant_options)
    place = resolve_register_location(data, store)
    with _open_access_register(place) as register:
        result = register.create_grant(terms)
    if terms.scope.id is not None and not _is_record_known(place, terms.scope):
        print_to_stderr(style.phrase(MISSING_RECORD_PHRASES[terms.scope.kind], id=terms.scope.id))
    if result.token is None:
        print_to_stderr(style.phrase("Everybody can see it now; grant {id}.", id=result.grant.id))
        return
    click.echo(format_login_link(address, result.token, terms.scope.page_path) if address else result.token)
    text = style.phrase(
        "The token is shown only once; grant {id}. Revoke it with: {program} tokens revoke {id}{data}",
        program=program_command(),
        id=result.grant.id,
        data=_store_arguments(place, data, store),
    )
    print_to_stderr(text)


@tokens.command("revoke", epilog="Example: spadille tokens revoke 018f5e2a-0000-7000-8000-000000000001")
@click.argument("grant", metavar="GRANT", type=_parse_grant_id)
@options.data
@options.store
@options.style
def revoke_token(grant: str, data: Path | None, store: str | None, style: TextStyle) -> None:
    """Revoke a GRANT by its id, with all grants that were made with it."""
    place = resolve_register_location(data, store)
    with _open_access_register(place) as register:
        had_owner = register.has_owner()
        try:
            register.revoke_grant(grant)
        except UnknownGrant:
            list_command = f"{program_command()} tokens list --all{_store_arguments(place, data, store)}"
            raise CommandFailed(f"There is no grant {grant}. List the grants with: {list_command}") from None
        has_owner = register.has_owner()
    print_to_stderr(style.phrase("Revoked: {id}. It is no longer valid, here or in any browser.", id=grant))
    if had_owner and not has_owner:
        text = style.phrase(
            "There is no owner left. To make one: {program} tokens make owner{data}",
            program=program_command(),
            data=_store_arguments(place, data, store),
        )
        print_to_stderr(text)


def _parse_terms(
    role: Role,
    table: str | None,
    deal: str | None,
    seat: str | None,
    person: str | None,
    label: str,
    period: float | None,
    once: bool,
    public: bool,
    title: str | None,
) -> GrantTerms:
    """The terms of a grant; options that do not go together end the command."""
    kind: ScopeKind = "table" if table else "deal" if deal else "everything"
    terms = GrantTerms(
        role,
        Scope(kind, table or deal),
        seat,
        person,
        label,
        add_days(utc_now(), period) if period else None,
        once,
        public,
        title or None,
    )
    fault = "a table and a deal; name one of them" if table and deal else terms.find_fault()
    if fault:
        raise click.UsageError(f"These options do not fit together: {fault}.")
    return terms


def _open_access_register(location: StoreLocation) -> AccessRegister:
    """Open the register of a store, in its folder or on PostgreSQL."""
    from service.auth.register_factory import open_access_register

    if location.address is not None:
        location.open_reader().close()
    return open_access_register(location.file, location.address)


def _is_record_known(location: StoreLocation, scope: Scope) -> bool:
    """Whether the record that a scope names exists; True if the store cannot be read."""
    from service.records.repository import UnknownRecord, record_info

    try:
        with location.open_reader() as reader:
            record_info(reader, scope.kind, scope.id or "")
    except UnknownRecord:
        return False
    except StoreError:
        pass
    return True


def _store_arguments(location: StoreLocation, data: Path | None, store: str | None) -> str:
    """The arguments that name the same store in another command."""
    data_argument = f" --data {shlex.quote(str(data))}" if data else ""
    return f"{data_argument} --store {shlex.quote(location.display_name)}" if store else data_argument


def _grant_row(grant: Grant, style: TextStyle) -> list[str]:
    terms, never = grant.terms, style.phrase("never")
    scope = style.phrase(SCOPE_PHRASES[terms.scope.kind], id=terms.scope.id)
    if seat := terms.seat or sanitize_line(terms.person or ""):
        scope = style.phrase("{seat} in {scope}", seat=seat, scope=scope)
    if terms.public:
        scope = style.phrase("everybody, ") + scope
    end = style.phrase("revoked") if grant.revoked_at else (terms.expires_at or never)[:10]
    return [grant.id, terms.role, scope, grant.used_on or never, end, sanitize_line(terms.label)]

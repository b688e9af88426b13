"""``spadille tokens``: who may do what, from the computer on which the service runs, also while it runs."""

import re
import shlex
from pathlib import Path
from typing import Any, Final

import click

from engine.core.cards import SEAT_NAMES
from engine.rulesets.model import Words
from service.auth.first_login import link
from service.auth.grants import ROLES, Extent, Grant, Role, Scope, Terms, UnknownGrant
from service.auth.moments import after_days
from service.auth.register import Register
from service.cli.io import options
from service.cli.io.output import emit, say
from service.cli.io.safe_group import UNREADABLE, Ended, tell
from service.cli.io.stores import Place, place_of_register
from service.cli.io.terminal_text import printable
from service.eventstore.clock import utc_now
from service.eventstore.errors import StoreError
from service.presentation.text.layout import columns
from service.presentation.text.style import style_here
from service.records.hidden_characters import fault_in_name

_PERIOD: Final = re.compile(r"([1-9][0-9]{0,4})([hdw])")
_DAYS_IN: Final = {"h": 1 / 24, "d": 1.0, "w": 7.0}
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

HEADINGS: Final = (
    Words("grant", "ret"),
    Words("role", "rolle"),
    Words("for", "gælder"),
    Words("used", "brugt"),
    Words("ends", "slutter"),
    Words("called", "kaldt"),
)
TOLD: Final = {
    "everything": Words("everything", "alt"),
    "table": Words("table {id}", "bord {id}"),
    "deal": Words("deal {id}", "spil {id}"),
    "seat": Words("{seat} in {scope}", "{seat} i {scope}"),
    "never": Words("never", "aldrig"),
    "revoked": Words("revoked", "taget tilbage"),
    "public": Words("everybody, ", "alle, "),
    "none": Words("Nobody holds anything yet.", "Ingen har nogen ret endnu."),
    "made": Words(
        "This is shown once; grant {id}. Take it back with: spadille tokens revoke {id}{data}",
        "Dette vises kun nu; ret {id}. Tag den tilbage med: spadille tokens revoke {id}{data}",
    ),
    "no_table": Words(
        "There is no table {id} here yet; it holds when there is one.",
        "Der er intet bord {id} her endnu; retten gælder, når der er et.",
    ),
    "no_deal": Words(
        "There is no deal {id} here yet; it holds when there is one.",
        "Der er intet spil {id} her endnu; retten gælder, når der er et.",
    ),
    "published": Words("Everybody may see it now; grant {id}.", "Alle kan se det nu; ret {id}."),
    "no_owner": Words(
        "Nobody is an owner now. To make one: spadille tokens make owner{data}",
        "Nu er der ingen ejer. En ny laves med: spadille tokens make owner{data}",
    ),
    "taken_back": Words(
        "Revoked: {id}. It holds no longer, here and in every browser.",
        "Taget tilbage: {id}. Den gælder ikke længere, hverken her eller i nogen browser.",
    ),
}


class PeriodType(click.ParamType[float]):
    """A period in days: "12h", "30d", "8w"."""

    name = "period"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Reads a number with its unit."""
        found = _PERIOD.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r} is no period: write hours, days or weeks, as in 12h, 30d, 8w.", param, ctx)
        return int(found[1]) * _DAYS_IN[found[2]]


class IdType(click.ParamType[str]):
    """The id of something; ``of`` says of what, and where it stands."""

    name = "id"

    def __init__(self, of: str) -> None:
        self.of = of

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Reads a UUID."""
        text = str(value).lower()
        if not _UUID.fullmatch(text):
            self.fail(f"{value!r} is no id of {self.of}.", param, ctx)
        return text


RECORD_ID: Final = IdType("a deal or a table: copy it from its address")
GRANT_ID: Final = IdType("a grant: spadille tokens list shows them, in its first column")


@click.group(epilog="Example: spadille tokens make recorder --label phone --for 30d")
def tokens() -> None:
    """Hand out tokens and links to the service, list them, take them back.

    It works on the folder of the records, or on the PostgreSQL that --store or SPADILLE_STORE names, also
    while the service runs; what is taken back holds no longer at once.
    """


@tokens.command("list", epilog="Example: spadille tokens list --all")
@click.option("--all", "every", is_flag=True, help="Also those that hold no longer.")
@options.data
@options.store
@options.lang
@options.output_format
@click.pass_context
def list_tokens(
    ctx: click.Context, every: bool, data: Path | None, store: str | None, lang: str | None, output: str
) -> None:
    """List who may do what; never a token.

    Each with its id, role, what it is for, when it was last used and when it ends.
    """
    with _register(place_of_register(ctx, data, store)) as register:
        found = register.grants() if every else register.active_grants()
    style = style_here(lang)
    if output == "json":
        for grant in found:
            emit(grant.told(utc_now()))
    elif not found:
        click.echo(TOLD["none"][style.lang])
    else:
        rows = [[heading[style.lang] for heading in HEADINGS], *(_row(one, style.lang) for one in found)]
        say(columns(rows), style)


class NameType(click.ParamType[str]):
    """A name without characters that hide."""

    name = "name"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name as it is. Ends the command where it has such characters."""
        if fault := fault_in_name(value):
            self.fail(f"{printable(value)!r}: {fault}", param, ctx)
        return value


NAME: Final = NameType()


@tokens.command(
    "make",
    epilog="Example: spadille tokens make player --deal ID --seat forehand",
)
@click.argument("role", type=click.Choice(ROLES))
@click.option("--table", type=RECORD_ID, metavar="ID", help="Only for this table and its deals.")
@click.option("--deal", type=RECORD_ID, metavar="ID", help="Only for this deal.")
@click.option("--seat", type=click.Choice(SEAT_NAMES), help="The seat of a player, in a deal.")
@click.option("--person", type=NAME, metavar="NAME", help="The player of this name, or member's id.")
@click.option("--label", type=NAME, metavar="TEXT", default="", help="What it is called in lists.")
@click.option("--for", "period", type=PeriodType(), metavar="PERIOD", help="How long: 12h, 30d, 8w.")
@click.option("--once", is_flag=True, help="Good for logging a browser in, one time.")
@click.option("--public", is_flag=True, help="For everybody, without a token: publish it.")
@click.option("--title", type=NAME, metavar="TEXT", help="Of a published deal: its title in the library.")
@click.option("--link", "address", metavar="ADDRESS", help="Print a link to the service there.")
@options.data
@options.store
@options.lang
@click.pass_context
def make_token(
    ctx: click.Context,
    /,
    data: Path | None,
    store: str | None,
    lang: str | None,
    address: str | None,
    **asked: Any,
) -> None:
    """Make a token for a ROLE, or a link that logs a browser in.

    It is printed this once; only its digest is kept.
    """
    terms = _terms(ctx, **asked)
    said = style_here(lang).lang
    place = place_of_register(ctx, data, store)
    with _register(place) as register:
        made = register.make(terms)
    if terms.scope.id is not None and not _is_there(place, terms.scope):
        tell(TOLD[f"no_{terms.scope.kind}"][said].format(id=terms.scope.id))
    if made.token is None:
        tell(TOLD["published"][said].format(id=made.grant.id))
        return
    click.echo(link(address, made.token, terms.scope.page) if address else made.token)
    tell(TOLD["made"][said].format(id=made.grant.id, data=_again(place, data, store)))


@tokens.command("revoke", epilog="Example: spadille tokens revoke 018f5e2a-0000-7000-8000-000000000001")
@click.argument("grant", metavar="GRANT", type=GRANT_ID)
@options.data
@options.store
@options.lang
@click.pass_context
def revoke_token(
    ctx: click.Context, grant: str, data: Path | None, store: str | None, lang: str | None
) -> None:
    """Take a GRANT back, by its id, and with it whatever was made by it."""
    place = place_of_register(ctx, data, store)
    with _register(place) as register:
        had_owner = register.has_owner()
        try:
            register.revoke(grant)
        except UnknownGrant:
            others = f"spadille tokens list --all{_again(place, data, store)}"
            tell(f"There is no grant {grant}. Those there are: {others}")
            ctx.exit(UNREADABLE)
        has_owner = register.has_owner()
    said = style_here(lang).lang
    tell(TOLD["taken_back"][said].format(id=grant))
    if had_owner and not has_owner:
        tell(TOLD["no_owner"][said].format(data=_again(place, data, store)))


def _terms(
    ctx: click.Context,
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
) -> Terms:
    """What the options say. Ends the command where they do not go together."""
    kind: Extent = "table" if table else "deal" if deal else "everything"
    terms = Terms(
        role,
        Scope(kind, table or deal),
        seat,
        person,
        label,
        after_days(utc_now(), period) if period else None,
        once,
        public,
        title or None,
    )
    fault = "a table or a deal, not both" if table and deal else terms.fault()
    if fault:
        raise click.UsageError(f"That does not go together: {fault}.", ctx)
    return terms


def _register(place: Place) -> Register:
    """The register beside the store, in its folder or on PostgreSQL. Ends the command where it cannot be
    used."""
    from service.auth.opening import open_register

    try:
        if place.address is not None:
            place.reader().close()
        return open_register(place.file, place.address)
    except StoreError as error:
        raise Ended(printable(str(error)), UNREADABLE) from None


def _is_there(place: Place, scope: Scope) -> bool:
    """Whether there is the record that a scope names. Of a store that cannot be read it is not told."""
    from service.records.records import UnknownRecord, described

    try:
        with place.reader() as reader:
            described(reader, scope.kind, scope.id or "")
    except UnknownRecord:
        return False
    except StoreError:
        pass
    return True


def _again(place: Place, data: Path | None, store: str | None) -> str:
    """What names the same store in another command."""
    named = f" --data {shlex.quote(str(data))}" if data else ""
    return f"{named} --store {shlex.quote(place.named)}" if store else named


def _row(grant: Grant, lang: str) -> list[str]:
    terms = grant.terms
    scope = TOLD[terms.scope.kind][lang].format(id=terms.scope.id)
    who = terms.seat or printable(terms.person or "")
    where = TOLD["seat"][lang].format(seat=who, scope=scope) if who else scope
    ends = TOLD["revoked"][lang] if grant.revoked_at else (terms.expires_at or TOLD["never"][lang])[:10]
    public = TOLD["public"][lang] if terms.public else ""
    used = grant.used_on or TOLD["never"][lang]
    return [grant.id, terms.role, public + where, used, ends, printable(terms.label)]

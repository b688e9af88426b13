"""Who may ask what, as the contract tells it: how a caller shows himself, and which role it takes.

The one place that decides is `service.auth.caller`; what is said of it here is held to that by a test
that tries every role at every operation.
"""

from typing import Any, Final, NamedTuple

from apispec import APISpec, BasePlugin

from service.auth.credentials import SECURE_COOKIE_NAME
from service.auth.grants import Role

Json = dict[str, Any]

TOKEN_SCHEME: Final = "token"
SESSION_SCHEME: Final = "session"
SECURITY_SCHEMES: Final[dict[str, Json]] = {
    TOKEN_SCHEME: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "spadille_t_ and 49 letters and digits",
        "description": "For programs. `POST /api/v1/grants` makes one, and `spadille tokens make`.",
    },
    SESSION_SCHEME: {
        "type": "apiKey",
        "in": "cookie",
        "name": SECURE_COOKIE_NAME,
        "description": "For browsers: `POST /api/v1/session` sets it in exchange for a token. Over plain "
        "http, which is for the service's own computer, it is called `spadille-` and the port. A change that "
        "comes with it has to come from a page of ours (`Sec-Fetch-Site`, `Origin`).",
    },
}


class OperationPermission(NamedTuple):
    """Who may ask it: the lowest role that may (``min_role``, None for everybody); a sentence for people.

    ``allows_anonymous`` says that nobody need show anything: the answer then holds what everybody may know.
    """

    min_role: Role | None
    description: str
    allows_anonymous: bool = False


ANYONE: Final = OperationPermission(None, "Everybody may ask it.", allows_anonymous=True)
ANYONE_FILTERED: Final = OperationPermission(
    None, "Everybody may ask it; the answer holds what the caller may read.", allows_anonymous=True
)
ANYONE_ABOUT_SELF: Final = OperationPermission(
    None, "Everybody may ask it; it is about the caller himself.", allows_anonymous=True
)
RECORD_VIEWERS: Final = OperationPermission(
    "viewer",
    "It takes a viewer of this record, or whoever may more; everybody, where it is published. The answer "
    "holds what the caller may know.",
    allows_anonymous=True,
)
NOTE_WRITERS: Final = OperationPermission(
    "player", "It takes a recorder of this record, or whoever may more; for notes alone, a player of it."
)
TABLE_COMPANIONS: Final = OperationPermission(
    "viewer",
    "It takes a viewer of a table at which the member sat, or whoever may more; everybody, where it is "
    "published. The answer holds what the caller may know.",
    allows_anonymous=True,
)
TABLE_RECORDERS: Final = OperationPermission(
    "recorder", "It takes a recorder of this table, or whoever may more."
)
CLUB_RECORDERS: Final = OperationPermission(
    "recorder", "It takes a recorder of everything, or whoever may more."
)
IMPORTERS: Final = OperationPermission(
    "recorder",
    "It takes a recorder of everything, or whoever may more; for tables and rulesets, an organiser of "
    "everything.",
)
SCOPE_ORGANISERS: Final = OperationPermission(
    "organiser", "It takes an organiser, of everything or of the place that is meant."
)
CLUB_ORGANISERS: Final = OperationPermission(
    "organiser", "It takes an organiser of everything, or the owner."
)
OWNERS: Final = OperationPermission("owner", "It takes the owner.")

OPERATION_PERMISSIONS: Final[dict[str, OperationPermission]] = {
    **dict.fromkeys(
        (
            "transparency_show_checkpoint", "transparency_show_consistency", "transparency_show_key",
            "transparency_list_leaves", "health_show_health", "health_show_readiness",
            "rulesets_list_rulesets", "rulesets_show_ruleset",
            "logs_compare", "logs_evidence", "logs_odds", "logs_replay", "logs_score", "logs_validate",
            "replays_list_replays", "replays_show_replay",
            "replays_list_events", "replays_download_text", "replays_download_events", "replays_findings",
            "replays_audit", "replays_evidence", "replays_odds",
            "replays_legal", "replays_replay", "replays_score", "replays_state", "replays_state_png",
            "replays_state_svg",
        ),
        ANYONE,
    ),
    **dict.fromkeys((
            "deals_list_deals", "tables_list_tables", "replays_list_variations", "seasons_list_seasons",
            "seasons_show_season", "seasons_download_standings",
        ),
        ANYONE_FILTERED,
    ),
    **dict.fromkeys(("identity_show_session", "identity_log_out", "identity_log_in"), ANYONE_ABOUT_SELF),
    **dict.fromkeys(
        (
            "deals_show_deal", "deals_list_events", "deals_download_text", "deals_download_events",
            "deals_evidence", "deals_odds",
            "deals_audit", "deals_findings", "deals_legal", "deals_follow", "deals_replay", "deals_score",
            "deals_state", "deals_state_png", "deals_state_svg", "deals_list_variations",
            "transparency_prove_deal", "transparency_prove_table",
            "tables_show_table", "tables_list_events", "tables_download_text", "tables_download_events",
            "tables_show_ledger", "tables_show_audit", "tables_download_ledger", "tables_follow",
            "files_export_table", "files_export_slips",
        ),
        RECORD_VIEWERS,
    ),
    "seasons_show_figures": TABLE_COMPANIONS,
    **dict.fromkeys(("deals_append_events", "tables_append_events"), NOTE_WRITERS),
    **dict.fromkeys(
        (
            "tables_record_start", "slip_batches_start", "slip_batches_read",
            "slip_batches_parse",
        ),
        TABLE_RECORDERS,
    ),
    "deals_record_deal": CLUB_RECORDERS,
    "files_import_file": IMPORTERS,
    **dict.fromkeys(
        ("identity_list_grants", "identity_make_grant", "identity_revoke_grant", "identity_show_grant"),
        SCOPE_ORGANISERS,
    ),
    **dict.fromkeys(
        (
            "tables_record_table", "rulesets_publish_ruleset", "members_list_members",
            "members_enrol_member", "members_forget_member", "members_show_member", "members_amend_member",
        ),
        CLUB_ORGANISERS,
    ),
    **dict.fromkeys(("identity_list_sessions", "identity_end_session", "files_export_everything"), OWNERS),
}  # fmt: skip
"""Who may ask each operation, by its id."""


class PermissionsPlugin(BasePlugin):
    """Tells of each operation who may ask it, as OpenAPI's ``security`` and as a sentence."""

    def init_spec(self, spec: APISpec) -> None:
        """Tells how a caller shows himself."""
        for name, scheme in SECURITY_SCHEMES.items():
            spec.components.security_scheme(name, scheme)

    def operation_helper(self, path: str | None = None, operations: Json | None = None, **_: Any) -> None:
        """Adds it to an address's operations."""
        for operation in (operations or {}).values():
            permission = OPERATION_PERMISSIONS[operation["operationId"]]
            operation["security"] = security_requirements(permission)
            operation["description"] = (
                f"{operation.get('description', '')}\n\n{permission.description}".strip()
            )


def security_requirements(permission: OperationPermission) -> list[Json]:
    """What OpenAPI calls security requirements, any one of which is enough.

    The name in a list is the role that it takes at least (`service.auth.grants.Role`).
    """
    if permission is ANYONE:
        return []
    roles = [permission.min_role] if permission.min_role else []
    return [*([{}] if permission.allows_anonymous else []), {TOKEN_SCHEME: roles}, {SESSION_SCHEME: roles}]

"""Who may ask an operation. Each route names one of these, which is enforced and published.

`service.auth` alone decides which role a caller has, and what a role allows.
"""

from typing import Final, NamedTuple

from service.auth.caller import Caller
from service.auth.grants import CLUB_WIDE_PERMISSIONS, PERMISSIONS_BY_ROLE, ROLES, Permission, Role
from service.eventstore import StreamInfo


class OperationPermission(NamedTuple):
    """The permission that an operation requires (None: no permission), and a sentence about it.

    ``allows_anonymous``: callers without a token get an answer, too; it holds what everybody may know.
    """

    description: str
    required: Permission | None = None
    allows_anonymous: bool = False
    hides_what_is_denied: bool = False

    @property
    def min_role(self) -> Role | None:
        """The lowest role that may; None for everybody."""
        return next((role for role in reversed(ROLES) if self.required in PERMISSIONS_BY_ROLE[role]), None)

    @property
    def is_club_wide(self) -> bool:
        """Whether it concerns no single record, so that it is required before anything is read."""
        return self.required in CLUB_WIDE_PERMISSIONS

    @property
    def is_denied_openly(self) -> bool:
        """Whether the answer to other callers is 403; otherwise it is 404, as if there were nothing."""
        return self.required is not None and not (self.allows_anonymous or self.hides_what_is_denied)

    def require(self, caller: Caller, record: StreamInfo | None = None) -> None:
        """Raise `PermissionDenied` unless the caller may do that: to this record, or everywhere."""
        if self.required is not None:
            caller.require_permission(self.required, record)


ANYONE: Final = OperationPermission("Open to everybody.", allows_anonymous=True)
ANYONE_FILTERED: Final = OperationPermission(
    "Open to everybody; the answer holds what the caller may read.", allows_anonymous=True
)
ANYONE_ABOUT_SELF: Final = OperationPermission(
    "Open to everybody; the answer is about the caller.", allows_anonymous=True
)
RECORD_VIEWERS: Final = OperationPermission(
    "Requires the viewer role for this record, or higher; a published record is open to everybody. The "
    "answer holds what the caller may know.",
    "see_public",
    allows_anonymous=True,
)
TABLE_COMPANIONS: Final = OperationPermission(
    "Requires the viewer role for a table of this member, or higher; a published one is open to "
    "everybody. The answer holds what the caller may know.",
    "see_public",
    allows_anonymous=True,
)
NOTE_WRITERS: Final = OperationPermission(
    "Requires the recorder role for this record, or higher; for notes alone, the player role.", "note"
)
TABLE_RECORDERS: Final = OperationPermission("Requires the recorder role for this table, or higher.", "write")
CLUB_RECORDERS: Final = OperationPermission(
    "Requires the recorder role for everything, or higher.", "open_deals"
)
IMPORTERS: Final = OperationPermission(
    "Requires the recorder role for everything, or higher; for tables and rulesets, the organiser role "
    "for everything.",
    "open_deals",
)
GRANT_MAKERS: Final = OperationPermission(
    "Requires the organiser role, for everything or for the place in question.", "grant"
)
GRANT_KEEPERS: Final = GRANT_MAKERS._replace(hides_what_is_denied=True)
_CLUB_ORGANISERS_DESCRIPTION: Final = "Requires the organiser role for everything, or the owner."
TABLE_OPENERS: Final = OperationPermission(_CLUB_ORGANISERS_DESCRIPTION, "open_tables")
RULES_PUBLISHERS: Final = OperationPermission(_CLUB_ORGANISERS_DESCRIPTION, "publish_rules")
MEMBER_KEEPERS: Final = OperationPermission(_CLUB_ORGANISERS_DESCRIPTION, "members")
OVERSEERS: Final = OperationPermission("Requires the owner role.", "oversee")

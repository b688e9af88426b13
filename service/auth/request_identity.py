"""Who a caller is, and whether they still are, while an answer goes on for long."""

import math

from service.auth.access_register import NO_EXPIRY, AccessRegister, CredentialGrants
from service.auth.caller import Caller
from service.auth.credentials import Credentials, identify_caller
from service.auth.grants import UnknownToken
from service.auth.timestamps import seconds_between
from service.eventstore.clock import utc_now


class RequestIdentity:
    """Who shows that. Raises `UnknownToken`.

    ``fixed_caller`` is the caller instead, whatever is shown, where there is one.
    """

    def __init__(
        self, register: AccessRegister, credentials: Credentials, fixed_caller: Caller | None = None
    ) -> None:
        self._register, self._credentials, self._fixed_caller = register, credentials, fixed_caller
        # Asked for when it is first asked whether he still holds it all: few answers go on for so long.
        self._checked_version: tuple[int, int] | None = None
        self.caller = fixed_caller or identify_caller(register, credentials)

    def is_still_valid(self) -> bool:
        """Whether he still has all that he had. It costs little while the register does not change."""
        if self._fixed_caller is not None:
            return True
        if self._is_expired():
            return False
        state = self._register.data_version()
        if state == self._checked_version:
            return True
        try:
            now = identify_caller(self._register, self._credentials)
        except UnknownToken:
            return False
        self._checked_version = state
        current_grant_ids = {grant.id for grant in now.grants}
        return now.is_authenticated == self.caller.is_authenticated and current_grant_ids >= {
            grant.id for grant in self.caller.grants
        }

    def seconds_left(self) -> float:
        """In how many seconds the first of what he has ends; infinitely many where nothing does."""
        ends = self._earliest_expiry()
        if self._fixed_caller is not None or ends == NO_EXPIRY:
            return math.inf
        return seconds_between(utc_now(), ends)

    def _is_expired(self) -> bool:
        """Whether something of it has come to its end."""
        return self._earliest_expiry() <= utc_now()

    def _earliest_expiry(self) -> str:
        return CredentialGrants(
            self.caller.own_grants, self.caller.session, self.caller.public_grants
        ).earliest_expiry

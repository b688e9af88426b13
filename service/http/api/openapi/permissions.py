"""Who may ask what, as the contract tells it: how a caller shows himself, and which role it takes."""

from typing import Any, Final

from service.auth.request_identity import SECURE_COOKIE_NAME
from service.http.api.operation_permissions import ANYONE, OperationPermission

Json = dict[str, Any]

TOKEN_SCHEME: Final = "token"
SESSION_SCHEME: Final = "session"
PERMISSION_KEY: Final = "permission"
"""Under it an operation has its `OperationPermission`, until it is told of."""
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


def describe_permission(operation: Json) -> None:
    """Tells who may ask an operation, as OpenAPI's ``security`` and as a sentence."""
    permission = operation.pop(PERMISSION_KEY)
    operation["security"] = security_requirements(permission)
    operation["description"] = f"{operation.get('description', '')}\n\n{permission.description}".strip()


def security_requirements(permission: OperationPermission) -> list[Json]:
    """OpenAPI's security requirements, any one of which is enough, with the lowest role that may."""
    if permission == ANYONE:
        return []
    roles = [permission.min_role] if permission.min_role else []
    return [*([{}] if permission.allows_anonymous else []), {TOKEN_SCHEME: roles}, {SESSION_SCHEME: roles}]

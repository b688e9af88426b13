"""The header `Vary`: the headers of a request on which the answer depends."""

from flask import Response


def vary_on(response: Response, *header_names: str) -> Response:
    """The answer, which depends on these headers of the request."""
    headers = response.headers
    known_names = headers["Vary"].split(", ") if "Vary" in headers else []
    headers["Vary"] = ", ".join(dict.fromkeys([*known_names, *header_names]))
    return response

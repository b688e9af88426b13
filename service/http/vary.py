"""The header `Vary`: the headers of a request on which the answer depends."""

from flask import Response


def vary_on(response: Response, *header_names: str) -> Response:
    """The answer, which depends on these headers of the request."""
    known_names = response.headers.get("Vary")
    names = header_names if known_names is None else dict.fromkeys((*known_names.split(", "), *header_names))
    response.headers["Vary"] = ", ".join(names)
    return response

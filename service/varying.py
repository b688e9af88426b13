"""What of a request its answer depends on: said to whoever keeps answers, in the header Vary."""

from flask import Response


def depends_on(answer: Response, *headers: str) -> None:
    """Say that the answer depends on these headers of the request too, each once."""
    said = answer.headers.get("Vary")
    there = said.lower().split(", ") if said else []
    more = [header for header in headers if header.lower() not in there]
    if more:
        answer.headers["Vary"] = ", ".join([said, *more] if said else more)

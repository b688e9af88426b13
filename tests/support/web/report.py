"""What a report page says."""

import re


def plain(html: str) -> str:
    body = re.sub(r"<(script|style|svg).*?</\1>", "", html.partition("<main")[2], flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())

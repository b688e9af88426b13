"""Single lines of JSON Lines."""

OPENED = (
    b'{"type":"deal_opened","ruleset":"dlu",'
    b'"players":{"forehand":"Anna","middlehand":"Bo","backhand":"Carl"}}'
)
TABLE = b'{"type":"table_opened","ruleset":"dlu","players":["Anna","Bo","Carl"]}'
GAP = b'{"type":"gap_noted"}'
RUBBISH = b"rubbish\n"

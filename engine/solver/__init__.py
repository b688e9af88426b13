"""What would have happened: the value of every legal card when all hands are known, by exact search.

Modules, each on those before it: cards as bits (`layout`), every way in which the tricks can fall and what
it pays (`falls`), those in the order in which the sides want them (`tally`), the search (`search`), a point
of a record as a position (`position`), its value (`values`), what is asked of a record (`course`), and the
same over the deals that can have been where hands are hidden (`likely`).
"""

from engine.solver.course import Answer, Choice, Course, Played, Point, best_course, best_play
from engine.solver.falls import End
from engine.solver.likely import (
    LikelyAnswer,
    LikelyCourse,
    LikelyPlayed,
    LikelyPoint,
    Looked,
    Outlook,
    Share,
    likely_course,
    likely_play,
)
from engine.solver.values import Value

__all__ = [
    "Answer",
    "Choice",
    "Course",
    "End",
    "LikelyAnswer",
    "LikelyCourse",
    "LikelyPlayed",
    "LikelyPoint",
    "Looked",
    "Outlook",
    "Played",
    "Point",
    "Share",
    "Value",
    "best_course",
    "best_play",
    "likely_course",
    "likely_play",
]

"""What would have happened: the value of every legal card when all hands are known, by exact search.

Modules, each on those before it: cards as bits (`layout`), every way in which the tricks can fall and what
it pays (`falls`), those in the order in which the sides want them (`tally`), the search (`search`), a point
of a record as a position (`position`), its value (`values`), and what is asked of a record (`course`).
"""

from engine.bestplay.course import Answer, Choice, Course, Played, Point, best_course, best_play
from engine.bestplay.falls import End
from engine.bestplay.values import Value

__all__ = [
    "Answer",
    "Choice",
    "Course",
    "End",
    "Played",
    "Point",
    "Value",
    "best_course",
    "best_play",
]

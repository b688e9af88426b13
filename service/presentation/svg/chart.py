"""A chart of running totals: a line for each player, named at its end, told apart without colour.

The same as the chart of a score sheet (``static/js/evening/chart.js``), drawn for pages that need no script.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from service.presentation.svg.elements import clean, document, element, worded

LEFT, TOP, BOTTOM = 40.0, 14.0, 26.0
LETTER: Final = 7.4
NARROW: Final = 480
LABEL: Final = 17.0
LOWEST: Final = 280.0
STROKES: Final = ("none", "7 4", "2 4", "12 4 2 4", "5 3 1 3 1 3", "1 3")
"""Dashes of the lines, by turns."""


class Line(NamedTuple):
    """How a player stood before the first evening and after each; None until he came."""

    name: str
    points: tuple[int | None, ...]


class Scale(NamedTuple):
    """Round levels from below the least to above the most, nothing among them."""

    least: int
    most: int
    marks: tuple[int, ...]


class _Sheet(NamedTuple):
    """Where a chart's points lie, in pixels."""

    width: float
    height: float
    end: float
    steps: int
    scale: Scale
    letters: int

    def x(self, step: int) -> float:
        return LEFT + step / self.steps * (self.end - LEFT)

    def y(self, value: int) -> float:
        span = (self.scale.most - value) / (self.scale.most - self.scale.least)
        return TOP + span * (self.height - TOP - BOTTOM)


def chart_of(lines: Sequence[Line], *, told: str, chips: Callable[[int], str], width: int) -> str | None:
    """The chart as SVG, ``width`` pixels wide; ``told`` says the same in words.

    None where there is nothing to draw yet. Its colours are those of the page that it stands in.
    """
    steps = max((len(line.points) for line in lines), default=1) - 1
    if steps < 1:
        return None
    letters = min(12 if width < NARROW else 24, max(len(line.name) for line in lines))
    height = max(LOWEST if width >= NARROW else 230.0, TOP + BOTTOM + LABEL * len(lines))
    scale = scale_of([one for line in lines for one in line.points if one is not None])
    sheet = _Sheet(width, height, width - 26 - letters * LETTER, steps, scale, letters)
    drawn = element(
        "svg", *_frame(sheet, chips), *_drawn(lines, sheet), viewBox=f"0 0 {width} {height:g}",
        class_="chart", preserveAspectRatio="xMinYMid meet", role="img", aria_label=clean(told),
    )  # fmt: skip
    return document(drawn)


def _frame(sheet: _Sheet, chips: Callable[[int], str]) -> Iterator[Element]:
    for value in sheet.scale.marks:
        at = sheet.y(value)
        kind = "chart-zero" if value == 0 else "chart-level"
        yield element("path", d=f"M{LEFT:g} {at:.1f}H{sheet.end:.1f}", class_=kind)
        yield _label(LEFT - 7, at + 4, chips(value), "end", "chart-mark")
    for step in step_marks(sheet.steps, sheet.end - LEFT):
        yield _label(sheet.x(step), sheet.height - 6, str(step), "middle", "chart-mark")


def _drawn(lines: Sequence[Line], sheet: _Sheet) -> Iterator[Element]:
    last = [next((one for one in reversed(line.points) if one is not None), 0) for line in lines]
    ends = spread([sheet.y(value) for value in last], sheet.height - BOTTOM)
    for place, (line, value, end) in enumerate(zip(lines, last, ends, strict=True)):
        known = [(step, one) for step, one in enumerate(line.points) if one is not None]
        path = "".join(
            f"{'L' if place else 'M'}{sheet.x(step):.1f} {sheet.y(one):.1f}"
            for place, (step, one) in enumerate(known)
        )
        x, y = sheet.x(sheet.steps), sheet.y(value)
        dashes = STROKES[place % len(STROKES)]
        yield element("path", d=path, class_="chart-line", stroke_dasharray=dashes)
        yield element("circle", cx=round(x, 1), cy=round(y, 1), r=3, class_="chart-end")
        yield element("path", d=f"M{x + 3:.1f} {y:.1f}L{x + 12:.1f} {end:.1f}", class_="chart-lead")
        yield _label(x + 15, end + 5, _shortened(line.name, sheet.letters), "start", "chart-name")


def _label(x: float, y: float, text: str, anchor: str, kind: str) -> Element:
    return worded("text", text, x=round(x, 1), y=round(y, 1), text_anchor=anchor, class_=kind)


def _shortened(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1].strip()}…"


def scale_of(values: Sequence[int]) -> Scale:
    """The scale on which all of the values have room."""
    least, most = min(0, *values, 0), max(0, *values, 0)
    rough = max(1.0, (most - least) / 4)
    power = 1
    while power * 10 <= rough:
        power *= 10
    step = next(one * power for one in (1, 2, 5, 10) if one * power >= rough)
    first = least // step
    last = max(first + 1, -(-most // step))
    return Scale(first * step, last * step, tuple(range(first * step, last * step + 1, step)))


def step_marks(steps: int, room: float) -> list[int]:
    """The steps that are numbered below: the last, and round ones before it."""
    every = next((one for one in (1, 5, 10, 20) if steps / one * 26 < room), 50)
    marks = [step for step in range(1, steps + 1) if step % every == 0]
    if marks and marks[-1] == steps:
        return marks
    return [*(step for step in marks if steps - step > every / 3), steps]


def spread(wanted: Sequence[float], lowest: float) -> list[float]:
    """Heights near ``wanted`` for labels of which none covers another, none below ``lowest``."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    found = list(wanted)
    for before, place in pairwise(order):
        found[place] = max(found[place], found[before] + LABEL)
    if order and found[order[-1]] > lowest:
        found[order[-1]] = lowest
        for after, place in pairwise(reversed(order)):
            found[place] = min(found[place], found[after] - LABEL)
    return found

"""A chart of running totals: a line for each player, with the name at its end, distinct by dashes and colour.

The same as the chart of a score sheet (``static/js/evening/chart.js``), for pages without a script.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple
from xml.etree.ElementTree import Element

from service.presentation.svg.elements import clean_xml_text, serialize_svg, svg_element, svg_text_element

LEFT, TOP, BOTTOM = 40.0, 14.0, 26.0
LETTER_WIDTH: Final = 7.4
NARROW_CHART_WIDTH: Final = 480
LABEL_SPACING: Final = 17.0
MIN_CHART_HEIGHT: Final = 280.0
LINE_DASHES: Final = ("none", "7 4", "2 4", "12 4 2 4", "5 3 1 3 1 3", "1 3")
"""Dashes of the lines, by turns."""
LINE_COLOURS: Final = 12
"""So many colours ``css/score-sheet.css`` has for lines."""


class ChartLine(NamedTuple):
    """A player's total before the first evening and after each; None until the first one attended."""

    name: str
    points: tuple[int | None, ...]


class ChartScale(NamedTuple):
    """Round levels from below the least to above the greatest value, including zero."""

    minimum: int
    maximum: int
    levels: tuple[int, ...]


class _ChartLayout(NamedTuple):
    """The layout of a chart, in pixels."""

    width: float
    height: float
    plot_right: float
    steps: int
    scale: ChartScale
    max_name_length: int

    def x(self, step: int) -> float:
        return LEFT + step / self.steps * (self.plot_right - LEFT)

    def y(self, value: int) -> float:
        span = (self.scale.maximum - value) / (self.scale.maximum - self.scale.minimum)
        return TOP + span * (self.height - TOP - BOTTOM)


def draw_totals_chart(
    lines: Sequence[ChartLine], *, description: str, format_chips: Callable[[int], str], width: int
) -> str | None:
    """Draw the chart as SVG, ``width`` pixels wide; ``description`` is its text alternative.

    None where there is nothing to draw yet. Its colours are those of its page.
    """
    steps = max((len(line.points) for line in lines), default=1) - 1
    if steps < 1:
        return None
    letters = min(12 if width < NARROW_CHART_WIDTH else 24, max(len(line.name) for line in lines))
    height = max(
        MIN_CHART_HEIGHT if width >= NARROW_CHART_WIDTH else 230.0, TOP + BOTTOM + LABEL_SPACING * len(lines)
    )
    scale = build_chart_scale([one for line in lines for one in line.points if one is not None])
    sheet = _ChartLayout(width, height, width - 26 - letters * LETTER_WIDTH, steps, scale, letters)
    drawn = svg_element(
        "svg", *_draw_frame(sheet, format_chips), *_draw_lines(lines, sheet),
        viewBox=f"0 0 {width} {height:g}", class_="chart", preserveAspectRatio="xMinYMid meet", role="img",
        aria_label=clean_xml_text(description),
    )  # fmt: skip
    return serialize_svg(drawn)


def _draw_frame(sheet: _ChartLayout, format_chips: Callable[[int], str]) -> Iterator[Element]:
    for value in sheet.scale.levels:
        at = sheet.y(value)
        kind = "chart-zero" if value == 0 else "chart-level"
        yield svg_element("path", d=f"M{LEFT:g} {at:.1f}H{sheet.plot_right:.1f}", class_=kind)
        yield _draw_label(LEFT - 7, at + 4, format_chips(value), "end", "chart-mark")
    for step in labelled_steps(sheet.steps, sheet.plot_right - LEFT):
        yield _draw_label(sheet.x(step), sheet.height - 6, str(step), "middle", "chart-mark")


def _draw_lines(lines: Sequence[ChartLine], sheet: _ChartLayout) -> Iterator[Element]:
    last = [next((one for one in reversed(line.points) if one is not None), 0) for line in lines]
    label_positions = spread_labels([sheet.y(value) for value in last], sheet.height - BOTTOM)
    for place, (line, value, end) in enumerate(zip(lines, last, label_positions, strict=True)):
        known = [(step, one) for step, one in enumerate(line.points) if one is not None]
        path = "".join(
            f"{'L' if place else 'M'}{sheet.x(step):.1f} {sheet.y(one):.1f}"
            for place, (step, one) in enumerate(known)
        )
        x, y = sheet.x(sheet.steps), sheet.y(value)
        dashes, colour = LINE_DASHES[place % len(LINE_DASHES)], f"line-{place % LINE_COLOURS + 1}"
        yield svg_element("path", d=path, class_=f"chart-line {colour}", stroke_dasharray=dashes)
        yield svg_element("circle", cx=round(x, 1), cy=round(y, 1), r=3, class_=f"chart-end {colour}")
        lead = f"M{x + 3:.1f} {y:.1f}L{x + 12:.1f} {end:.1f}"
        yield svg_element("path", d=lead, class_=f"chart-lead {colour}")
        yield _draw_label(
            x + 15, end + 5, _shorten_name(line.name, sheet.max_name_length), "start", "chart-name"
        )


def _draw_label(x: float, y: float, text: str, anchor: str, kind: str) -> Element:
    return svg_text_element("text", text, x=round(x, 1), y=round(y, 1), text_anchor=anchor, class_=kind)


def _shorten_name(name: str, letters: int) -> str:
    return name if len(name) <= letters else f"{name[: letters - 1].strip()}…"


def build_chart_scale(values: Sequence[int]) -> ChartScale:
    """Build a scale for all of the values."""
    minimum, maximum = min(0, *values, 0), max(0, *values, 0)
    rough = max(1.0, (maximum - minimum) / 4)
    power = 1
    while power * 10 <= rough:
        power *= 10
    step = next(one * power for one in (1, 2, 5, 10) if one * power >= rough)
    first = minimum // step
    last = max(first + 1, -(-maximum // step))
    return ChartScale(first * step, last * step, tuple(range(first * step, last * step + 1, step)))


def labelled_steps(steps: int, room: float) -> list[int]:
    """The steps that have a number below the chart: the last, and round ones before it."""
    every = next((one for one in (1, 5, 10, 20) if steps / one * 26 < room), 50)
    marks = [step for step in range(1, steps + 1) if step % every == 0]
    if marks and marks[-1] == steps:
        return marks
    return [*(step for step in marks if steps - step > every / 3), steps]


def spread_labels(preferred: Sequence[float], lowest: float) -> list[float]:
    """Heights near ``preferred`` for labels that do not overlap, none below ``lowest``."""
    order = sorted(range(len(preferred)), key=lambda place: preferred[place])
    found = list(preferred)
    for before, place in pairwise(order):
        found[place] = max(found[place], found[before] + LABEL_SPACING)
    if order and found[order[-1]] > lowest:
        found[order[-1]] = lowest
        for after, place in pairwise(reversed(order)):
            found[place] = min(found[place], found[after] - LABEL_SPACING)
    return found

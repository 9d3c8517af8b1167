"""A report as one HTML page: it asks nothing of any network, and can be read in the dark, on paper and aloud."""

from __future__ import annotations

import re
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from jobctrl.analytics import charts
from jobctrl.analytics.report_cells import made_up, shown
from jobctrl.analytics.sections import Report, Section


def page(report: Report, stands: str, notice: str, *, personal: bool) -> str:
    """The whole page; *notice* says what of it is personal."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    text = files("jobctrl.analytics").joinpath("templates/report.html").read_text(encoding="utf-8")
    invented = any(made_up(section.frame) for section in report.sections)
    return environment.from_string(text).render(
        report=report,
        stands=stands,
        notice=notice,
        personal=personal,
        made_up=charts.MADE_UP if invented else "",
        sections=[(section, shown(section), _picture(section)) for section in report.sections],
        # The pictures are drawn in these; the page puts its own in their place where it is dark.
        ink=charts.INK,
        muted=charts.MUTED,
        grid=charts.GRID,
        red=charts.RED,
    )


def _picture(section: Section) -> Markup:
    """The section's picture with names of its own: several stand in one page."""
    if section.chart is None or section.frame.is_empty():
        return Markup("")
    drawn = charts.svg(section.chart)
    drawn = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", drawn)
    drawn = re.sub(r'(\sid="|url\(#|href="#)', rf"\1{section.key}-", drawn)
    # Its title and its axes are told in the words beside it: a reader that hears the page need not hear each mark.
    return Markup(drawn.replace("<svg", '<svg aria-hidden="true" focusable="false"', 1))

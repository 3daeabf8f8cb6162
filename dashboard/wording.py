"""Figures as text: a value, its interval and its count, each in its unit."""

from __future__ import annotations

from analysis.key_figures import Figure
from analysis.wording import counted

_FORMS = {"share": "{:.1%}", "hands": "{:,.0f}", "points": "{:.2f}", "seconds": "{:.1f}", "money": "{:.2f}"}
_SIGNED = {"points_per_hand", "points_per_100", "net_per_hand", "points_in", "points_out", "points_against"}
UNKNOWN = "–"


def value_text(figure: Figure, value: float | None) -> str:
    """A value in the unit of the figure: ``30.3%``, ``+1.25``, ``2,400``."""
    if value is None:
        return UNKNOWN
    form = "{:+.2f}" if figure.metric.name in _SIGNED else _FORMS[figure.metric.unit]
    return form.format(value).replace("-", "−")


def interval_text(figure: Figure) -> str:
    """The interval, ``-0.31 to +2.81``; empty where there is none."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{value_text(figure, figure.low)} to {value_text(figure, figure.high)}"


def count_text(figure: Figure) -> str:
    """What the figure was counted over, ``n 2,400 hands, 50 sessions``."""
    if figure.metric.method == "count":
        return f"in {counted(figure.sessions, 'sessions')}"
    if figure.metric.over == "seconds of play":
        return f"n {figure.n / 3600:,.1f} hours of play"
    return f"n {counted(figure.n, figure.metric.over)}"


def small_text(figure: Figure) -> str:
    """A warning where the sample is small, with what would help; empty where it is not."""
    if not figure.small:
        return ""
    if figure.more_hands and figure.metric.unit != "money":
        return f"small sample: +{_rounded(figure.more_hands)} hands needed"
    return f"small sample: {counted(figure.sessions, 'sessions')}"


def _rounded(number: int) -> str:
    """A number to two digits, as an estimate deserves."""
    digits = max(len(str(number)) - 2, 0)
    return f"{round(number, -digits):,}"

"""The list of figures for people: on the command line, and in the README."""

from __future__ import annotations

from collections.abc import Iterator

from analysis.metrics import BY_CATEGORY, METRICS, Metric

_INTERVALS = {
    "wilson": "Wilson, sessions compared",
    "sessions": "sessions resampled",
    "spread": "sessions resampled",
    "count": "none",
}


def metric_rows() -> Iterator[tuple[str, ...]]:
    """Name, what it is, what is counted over what, unit and interval of every figure."""
    for metric in METRICS:
        yield metric.name, metric.definition, _counted(metric), metric.unit, _INTERVALS[metric.method]


def _counted(metric: Metric) -> str:
    return "hands" if metric.method == "count" else f"{metric.of} / {metric.over}"


def metrics_markdown() -> str:
    """The README's table. Figures by category of rows, of which there are many, share one line."""
    head = "| figure | what it is | counted | unit | interval |\n|---|---|---|---|---|\n"
    plain = {metric.name for metric in METRICS if metric.section != BY_CATEGORY}
    lines = [f"| `{name}` | {' | '.join(cells)} |" for name, *cells in metric_rows() if name in plain]
    many = sum(metric.section == BY_CATEGORY for metric in METRICS)
    lines.append(
        f"| {many} by category, such as `back_flush`, `royalties_back_flush`, `royalties_legal_back_flush` "
        "| How often a legal board has this row, and what it brings a hand and a legal board. "
        "| boards / legal boards, royalties / hands or legal boards | share, points | as above |"
    )
    return head + "\n".join(lines) + "\n"

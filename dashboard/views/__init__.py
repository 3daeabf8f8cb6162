"""The pages, in the order in which the dashboard lists them. A page fetches answers and shows them, no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dashboard.views import imports, luck, overview, rates, rules, variance

if TYPE_CHECKING:
    from analysis.filters import Filters
    from dashboard.cached import Snapshot


@dataclass(frozen=True)
class View:
    """A page about the database: its address, its name, an icon of Streamlit's, and what draws it."""

    path: str
    title: str
    icon: str
    show: Callable[[Snapshot, Filters], None]


VIEWS = (
    View("overview", "Overview", ":material/insights:", overview.show),
    View("rates", "Rates", ":material/percent:", rates.show),
    View("variance", "Variance", ":material/ssid_chart:", variance.show),
    View("luck", "Luck", ":material/casino:", luck.show),
    View("rules", "Rules", ":material/balance:", rules.show),
    View("imports", "Imports", ":material/inventory_2:", imports.show),
)

"""What the spread of a hand's points is made of: by part, with covariances, and by who is in Fantasyland."""

from __future__ import annotations

import numpy as np
import polars as pl

from analysis.sums import COMPONENTS, STATES, RuleSums


def exact_covariances(sums: RuleSums) -> list[list[int]]:
    """Covariances of the components times the square of the number of seats: whole numbers, so their sums are exact."""
    seats = int(sums.states[:, 0].sum())
    products, totals = sums.products.tolist(), sums.totals.tolist()
    return [
        [seats * products[i][j] - totals[i] * totals[j] for j in range(len(COMPONENTS))] for i in range(len(COMPONENTS))
    ]


def spread_parts(rules: str, sums: RuleSums) -> pl.DataFrame:
    exact = exact_covariances(sums)
    unit = max(int(sums.states[:, 0].sum()) ** 2, 1)
    whole = sum(map(sum, exact))
    rows = [
        {
            "rules": rules,
            "component": name,
            "variance": exact[place][place] / unit,
            "with_others": (sum(exact[place]) - exact[place][place]) / unit,
            "contribution": sum(exact[place]) / unit,
            "share": sum(exact[place]) / whole if whole else None,
        }
        for place, name in enumerate(COMPONENTS)
    ]
    return pl.DataFrame(rows, schema_overrides={"share": pl.Float64})


def covariances(rules: str, sums: RuleSums) -> pl.DataFrame:
    exact = exact_covariances(sums)
    unit = max(int(sums.states[:, 0].sum()) ** 2, 1)
    return pl.DataFrame(
        [
            {"rules": rules, "component": name, "other": other, "covariance": exact[i][j] / unit}
            for i, name in enumerate(COMPONENTS)
            for j, other in enumerate(COMPONENTS)
        ]
    )


def state_parts(rules: str, sums: RuleSums) -> pl.DataFrame:
    """The variance by who is in Fantasyland: inside each state, and between their means."""
    seats, points, squares = (sums.states[:, k].astype(np.float64) for k in range(3))
    whole = max(float(seats.sum()), 1.0)
    mean = points.sum() / whole
    own = np.divide(points, seats, out=np.full(len(seats), np.nan), where=seats > 0)
    variance = np.divide(squares, seats, out=np.full(len(seats), np.nan), where=seats > 0) - own**2
    share = seats / whole
    return pl.DataFrame(
        {
            "rules": rules,
            "state": list(STATES),
            "seats": sums.states[:, 0],
            "share": share,
            "points": own,
            "sd": np.sqrt(np.maximum(variance, 0.0)),
            "within": np.where(seats > 0, share * variance, 0.0),
            "between": np.where(seats > 0, share * (own - mean) ** 2, 0.0),
        }
    ).with_columns(pl.col("points", "sd").fill_nan(None))

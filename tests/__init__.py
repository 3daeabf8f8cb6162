"""Tests by feature. `naive` is the slow twin of the scorer, `deals` makes the deals that both are tried on."""

"""Logs and simulations into validated tables."""

"""Answers into pages, and the root of the command line."""

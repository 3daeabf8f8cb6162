"""The rules of the game: cards, row strength, rule sets, scoring, settlement.

The bottom layer: it imports nothing of ours and does no IO but reading a rule file.
"""

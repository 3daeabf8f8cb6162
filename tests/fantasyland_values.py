"""What a Fantasyland hand is taken to be worth in tests of play, so that they need not search for it."""

VALUES = {13: 6.0, 14: 10.0, 15: 14.0, 16: 19.0, 17: 24.0}

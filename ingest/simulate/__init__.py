"""Dealing and playing: whole simulated sessions by agents that read the rules they play."""

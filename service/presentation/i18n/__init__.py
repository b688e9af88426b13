"""Dates, and the words of the game, in each language."""

"""Losses of held-out verdicts and votes."""

"""Verdicts: reading, validating, counting, and saying what they can identify."""

"""ANCHOR's estimators."""

"""DIAL's estimators."""

"""DIAL's studies."""

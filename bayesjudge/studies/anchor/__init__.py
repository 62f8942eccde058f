"""ANCHOR's studies."""

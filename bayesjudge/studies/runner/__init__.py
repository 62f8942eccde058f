"""Replications of a simulation study on many workers."""

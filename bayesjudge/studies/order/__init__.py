"""OSCAR's studies: what an omitted order effect does."""

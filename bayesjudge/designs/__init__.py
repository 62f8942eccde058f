"""From the table of verdicts to arrays."""

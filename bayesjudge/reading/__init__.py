"""From files and frames to the table of verdicts."""

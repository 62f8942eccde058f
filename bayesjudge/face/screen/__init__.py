"""What the commands print: text, grids of numbers, rankings, judges and findings."""

"""A program as functions of one flat vector, its maximum and its chains."""

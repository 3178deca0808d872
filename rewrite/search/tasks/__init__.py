"""Tasks other than search: the space of a puzzle, distances, comparisons, explanations."""

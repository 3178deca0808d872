"""What else is asked of a puzzle beside a goal: its space, distances, comparisons, explanations."""

"""Projections of a puzzle on few of its fields, and the choice of those that are worth a table."""

"""Projections of a puzzle onto few of its fields, and the choice of those worth a table."""

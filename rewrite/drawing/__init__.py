"""Drawings of states as SVG: marks with looks, and what changed from one to the next."""

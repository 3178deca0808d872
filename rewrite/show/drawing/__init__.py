"""Drawings of states as SVG: marks with looks, and the changes from one drawing to the next."""

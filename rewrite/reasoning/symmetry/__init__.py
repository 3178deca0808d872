"""Symmetries: what they do to states, proving those that are declared, finding others."""

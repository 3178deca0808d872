"""Symmetries: their action on states, proofs of declared ones, and detection of others."""

"""Runs a compiled Program in Python, by specialised source generated from it."""

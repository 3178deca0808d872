"""Views of states, texts that can be drawn too (State -> Picture), and texts of whole paths."""

"""Views of states as text that can also be drawn (State -> Picture), and texts of whole paths."""

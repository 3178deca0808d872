"""Text forms of states and paths: pure functions, and frozen callables State -> str."""

"""A search saved in a folder: its question, who is working on it, and its progress.

The core writes data files; the manifest, written last, names them with their lengths. Nothing read
from a folder is executed.
"""

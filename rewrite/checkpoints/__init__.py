"""A search kept in a folder: what was asked, who works on it, and how far it is.

The core writes data files; the manifest, written last, names them with their lengths. Nothing that
is read from a folder is run.
"""

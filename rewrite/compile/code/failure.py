"""EngineFailure: code met what it is not made for."""


class EngineFailure(Exception):
    """Something failed while a state was expanded; the definition is asked to say what."""

"""The one error of the embedded servers: its text is a sentence for the person at the terminal."""


class ServiceError(Exception):
    """An embedded server cannot be had; callers print the sentence and exit with 1."""

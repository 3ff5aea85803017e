"""What is wrong with a configuration and has no place in a file."""

from __future__ import annotations


class ConfigError(Exception):
    """Something that the command line or the environment says of the configuration can't be."""

    def __init__(self, subject: str, message: str) -> None:
        super().__init__(f"{subject}: {message}")
        self.subject = subject
        """What is at fault: an option, a variable, a path."""
        self.message = message

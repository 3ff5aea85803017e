"""What can't be converted, and what is told of what can."""

from __future__ import annotations

from sbatchlint.records import dataclass


class Refused(Exception):
    """A command that is not converted.

    *subject* names the word or option, *message* says why and what to do.
    """

    def __init__(self, subject: str, message: str) -> None:
        super().__init__(f"{subject}: {message}")
        self.subject = subject
        self.message = message


@dataclass(frozen=True, slots=True)
class Note:
    """Something that the script does otherwise than the command, and why."""

    subject: str
    message: str

"""The shape of a token: fixed text and runs of characters.

One description serves three uses: the regular expression that recognises the token, the bound on its
entropy, and the made-up tokens of the tests.
"""

from __future__ import annotations

import re
import string

from sbatchlint.records import dataclass

DIGITS = string.digits
LETTERS = string.ascii_letters
HEX = "0123456789abcdef"
BASE32 = string.ascii_uppercase + "234567"
UPPER = string.ascii_uppercase + DIGITS
LOWER = string.ascii_lowercase + DIGITS
ALNUM = LETTERS + DIGITS
URLSAFE = ALNUM + "_-"
BASE64 = ALNUM + "+/"


@dataclass(frozen=True, slots=True)
class Run:
    """Between *least* and *most* characters of *alphabet*; exactly *least* when *most* is left out."""

    alphabet: str
    least: int
    most: int = 0

    @property
    def longest(self) -> int:
        """The greatest number of characters."""
        return self.most or self.least

    @property
    def regex(self) -> str:
        """The run as a regular expression without groups."""
        bounds = f"{self.least},{self.most}" if self.most else f"{self.least}"
        return f"[{re.escape(self.alphabet)}]{{{bounds}}}"


Part = str | Run


def regex_of(parts: tuple[Part, ...]) -> str:
    """Return the regular expression of *parts* in order."""
    return "".join(re.escape(part) if isinstance(part, str) else part.regex for part in parts)


def edge_class(parts: tuple[Part, ...]) -> str:
    """Return the characters that may not touch the token on either side, as a regex class.

    Those of its own runs and all of an identifier: so a match is never a piece of something longer,
    and no character is looked at for more than one token (which keeps the search linear).
    """
    own = {char for part in parts if isinstance(part, Run) for char in part.alphabet}
    return f"[{re.escape(''.join(sorted(own | set(ALNUM + '_'))))}]"

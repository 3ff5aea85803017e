"""How sure a statement about a script is.

Three grades are enough for every judgement that rules make: what the script says, what it says
unless somebody overrides it, and what it does not say.
"""

from __future__ import annotations

from enum import IntEnum


class Certainty(IntEnum):
    """Ordered from best to worst, so that ``max`` of several grades is the grade of their combination."""

    KNOWN = 0
    """The script fixes the value: nothing but an edit of the script changes it."""
    ASSUMED = 1
    """A default (``${TP:-2}``, Slurm's own default of one node): the environment may override it."""
    UNKNOWN = 2
    """The script does not tell."""

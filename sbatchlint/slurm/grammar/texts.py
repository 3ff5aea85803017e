"""Texts that Slurm takes as they are, up to a length.

Source: ``_validate_job_desc`` in ``src/slurmctld/job_mgr.c``, the same from 20.11 to 26.05.
"""

from __future__ import annotations

from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused, Stage

STRING_LIMIT = 1024
"""Bytes of the longest name, comment or list."""

_NOT_UTF8 = regex("[\udc80-\udcff]")
"""How Source keeps bytes that are not UTF-8."""

_LIMITED_TEXTS = frozenset(
    "account comment job-name mail-user mcs-label network qos wckey extra partition reservation".split()
)
"""Options of free text whose length the controller checks in every release."""


def refuse_longer(text: str, limit: int) -> None:
    """Refuse text of more than *limit* bytes in UTF-8; a byte that is not UTF-8 counts as one."""
    size = len(_NOT_UTF8.sub("?", text).encode("utf-8", "surrogatepass"))
    if size > limit:
        raise Refused(
            "Batch job submission failed: Pathname of a file, directory or other parameter too long",
            f"it has {size} bytes and may have {limit}",
            stage=Stage.CONTROLLER,
        )


def _text(text: str, context: Context) -> str:
    if context.option in _LIMITED_TEXTS:
        refuse_longer(text, STRING_LIMIT)
    return text


GRAMMARS = (
    Grammar("string", "free text", (("TEXT", ""),), ("x", "a b", ""), (), _text, ()),
    Grammar("name", "a name", (("NAME", ""),), ("x", ""), (), _text, ()),
    Grammar("user", "a user", (("NAME", ""),), ("x", ""), (), _text, ()),
)

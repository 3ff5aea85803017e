"""One item of a request for generic resources: ``gpu``, ``gpu:8``, ``gpu:h100:8``, ``gpu=8``.

Sources: ``_get_next_gres`` and ``gres_job_state_validate`` of ``src/interfaces/gres.c``, ``valid_tres_cnt``
of ``src/slurmctld/job_mgr.c``, ``slurm_get_next_tres`` of ``src/common/slurm_protocol_defs.c``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.base import Refused, Stage
from sbatchlint.slurm.grammar.c_text import BLANKS, lower, wrap
from sbatchlint.slurm.options import Release

INVALID_GRES = "Invalid generic resource (gres) specification"
INVALID_TRES = "Invalid Trackable RESource (TRES) specification"
INVALID_GRES_TYPE = "Invalid GRES specification (with and without type identification)"

READS_AS_TRES = (23, 11)
"""From here on an item's count stands behind its last ``=`` or, without one, its last ``:``."""
CHECKS_TRES = (21, 8)
"""From here to 23.02 the controller reads the end of an item again: what begins with a digit is a count."""

_NUMBER = regex(rf"[{BLANKS}]*([+-]?)([0-9]+)")
_ULLONG_MAX = 2**64 - 1
_SUFFIX = {"": 1}
for _power, _letter in enumerate("kmgtp", start=1):
    _SUFFIX |= {_letter: 1024**_power, f"{_letter}ib": 1024**_power, f"{_letter}b": 1000**_power}
_SHARED = frozenset({"mps", "shard"})
"""Parts of a GPU, which Slurm never gives beside whole ones."""


@dataclass(frozen=True, slots=True)
class Gres:
    """So many generic resources of one name and, perhaps, one type."""

    name: str
    """``gpu``, ``shard``, ``nvme`` ..., as the cluster calls it: case counts."""
    type: str | None
    """``h100`` and its like; None where any will do."""
    count: int
    """Zero where the item was written in vain: Slurm drops it."""


@dataclass(frozen=True, slots=True)
class GresRequest:
    """What one option asks for, per node, task, socket or job as the option says."""

    items: tuple[Gres, ...]
    """In the order they were written, those of count 0 too, which Slurm drops."""
    help: bool = False
    """True for ``--gres=help``: the names are printed and nothing is submitted."""

    def effective(self) -> tuple[Gres, ...]:
        """Give what Slurm keeps: of the same name and type the last, and none of count 0."""
        kept: dict[tuple[str, str | None], Gres] = {}
        for item in self.items:
            if item.count:
                kept[item.name, item.type] = item
        return tuple(kept.values())

    def count(self, name: str = "gpu") -> int:
        """Give how many of this name are asked for, of all types together."""
        return sum(item.count for item in self.effective() if item.name == name)

    def types(self, name: str = "gpu") -> tuple[str, ...]:
        """Give the types that are asked for by name: ``--gpus=gpu:8`` asks for the type ``gpu``."""
        return tuple(item.type for item in self.effective() if item.name == name and item.type)


def gres_request(texts: Iterable[str], release: Release) -> GresRequest:
    """Read items that one option asks for together; empty ones are passed over, or refused where Slurm does.

    Raises Refused.
    """
    written = list(texts)
    items = tuple(_gres_item(text, release) for text in written if text)
    _check_together(items)
    if CHECKS_TRES <= release < READS_AS_TRES:
        for text in written:
            _check_end(text.rpartition(":")[2])
    return GresRequest(items)


def _gres_item(text: str, release: Release) -> Gres:
    """Read one ``NAME[:TYPE][:COUNT]``.  Raises Refused."""
    return _tres_like(text) if release >= READS_AS_TRES else _by_colons(text)


def _by_colons(item: str) -> Gres:
    name, *rest = item.split(":", 2)
    if "" in rest:
        raise Refused(INVALID_GRES, "nothing stands between or after its colons")
    count = _any_number(rest[-1]) if rest else 1
    if count is None and len(rest) > 1:
        raise Refused(INVALID_GRES, f"{rest[1]} is no count")
    kind = rest[0] if len(rest) > 1 or count is None else None
    count = 1 if count is None else count
    if count and (name in ("", "gres") or re.search("[=/]", name)):
        why = "before 23.11 only : separates its parts" if "=" in name else "no resource has this name"
        raise Refused(INVALID_GRES, why)
    return Gres(name, kind, count)


def _check_end(end: str) -> None:
    if not end:
        raise Refused(INVALID_TRES, "an item is empty", stage=Stage.CONTROLLER)
    if end[0] in "0123456789" and _any_number(end) is None:
        raise Refused(
            INVALID_TRES, f"{end} begins like a count, so write :1 behind it", stage=Stage.CONTROLLER
        )


def _tres_like(item: str) -> Gres:
    name, kind, count = tres_words(item)
    if not name and count:
        raise Refused(INVALID_TRES, "the name of a resource is missing")
    if count and (name == "gres" or "/" in name):
        raise Refused(INVALID_GRES, "no resource has this name")
    return Gres(name, kind or None, count)


def tres_words(item: str) -> tuple[str, str | None, int]:
    """Give name, type and count of an item, as releases from 23.11 on take it apart."""
    separator = "=" if "=" in item else ":"
    name, found, end = item.rpartition(separator)
    kind: str | None = None
    if not found:
        name, count = end, 1
        if (only := plain_number(end)) is not None:
            name, count = "", only
    elif not end:
        raise Refused(INVALID_TRES, f"nothing stands after its {separator}")
    elif (number := plain_number(end)) is not None:
        count = number
    elif separator == "=":
        raise Refused(INVALID_TRES, f"{end} is no count")
    else:
        kind, count = end, 1
    name, colon, middle = name.partition(":")
    if colon and kind is not None:
        raise Refused(INVALID_TRES, f"{kind} is no count")
    return name, middle if colon else kind, count


def plain_number(text: str) -> int | None:
    """Read a count that begins with a digit: ``8``, ``2k``, ``1MiB``; None for anything else."""
    return _any_number(text) if text[:1].isascii() and text[:1].isdigit() else None


def _any_number(text: str) -> int | None:
    """Read a count as ``strtoull`` does: blanks and a sign may stand in front, and no digit is zero."""
    match = _NUMBER.match(text)
    sign, digits = (match[1], match[2]) if match else ("", "0")
    multiplier = _SUFFIX.get(lower(text[match.end() :] if match else text))
    size = int(digits) if len(digits) <= 40 else _ULLONG_MAX
    number = min(_ULLONG_MAX, size)
    if sign == "-" and size <= _ULLONG_MAX:
        number = wrap(-number, 64, signed=False)
    if number == _ULLONG_MAX or multiplier is None:
        return None
    return wrap(number * multiplier, 64, signed=False)


def _check_together(items: Iterable[Gres]) -> None:
    """Refuse what one job can't ask for at once: a name with and without a type, GPUs and parts of them."""
    asked = [item for item in items if item.count]
    for name in {item.name for item in asked}:
        if {item.type is None for item in asked if item.name == name} == {True, False}:
            detail = f"{name} stands once with a type and once without"
            raise Refused(INVALID_GRES_TYPE, detail)
    names = {item.name for item in asked}
    if "gpu" in names and names & _SHARED:
        raise Refused(INVALID_GRES, f"gpu and {min(names & _SHARED)} exclude each other")

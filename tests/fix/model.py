r"""What a sweep of fixes has to give, worked out in another way: cell by cell, with sets, and slowly.

A text is a row of cells, one for each character; the cell of a line end knows whether it was ``\r\n``.
Nothing here is taken from :mod:`sbatchlint.fix` but the plain data.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sbatchlint.fix.edit import Edit, Fix


def cells(data: bytes) -> list[str]:
    """Cut the text of a file into cells."""
    return re.findall(r"\r\n|.", data.decode("utf-8", "surrogateescape"), re.DOTALL)


def is_sound(row: Sequence[str], fix: Fix) -> bool:
    """Tell whether *fix* lies in the text, agrees with itself and changes something."""
    edits = list(dict.fromkeys(fix.edits))
    for edit in edits:
        if edit.span.start < 0 or edit.span.end > len(row) or edit.span.start > edit.span.end:
            return False
        if "\r" in edit.text:
            return False
    for at, one in enumerate(edits):
        for other in edits[at + 1 :]:
            if one.span == other.span or _inside(one, other) or _inside(other, one) or _share(one, other):
                return False
    turned = fix.unix_line_ends and "\r\n" in row
    return turned or any(_read(row, edit) != edit.text for edit in edits)


def _read(row: Sequence[str], edit: Edit) -> str:
    return "".join(row[edit.span.start : edit.span.end]).replace("\r\n", "\n")


def _covered(edit: Edit) -> set[int]:
    return set(range(edit.span.start, edit.span.end))


def _share(one: Edit, other: Edit) -> bool:
    return bool(_covered(one) & _covered(other))


def _inside(one: Edit, other: Edit) -> bool:
    """Tell whether *one* inserts between two characters that *other* replaces."""
    return not _covered(one) and {one.span.start - 1, one.span.start} <= _covered(other)


def _clash(one: Edit, other: Edit) -> bool:
    if _covered(one) and _covered(other):
        return _share(one, other)
    return bool(
        set(range(one.span.start, one.span.end + 1)) & set(range(other.span.start, other.span.end + 1))
    )


def taken(fixes: Sequence[Fix]) -> list[Fix]:
    """Return which of *fixes*, all sound, are made: each in its turn, unless an edit is in its way.

    What is made already is no longer asked for.
    """
    made: list[Fix] = []
    in_turn = sorted(fixes, key=lambda fix: [(edit.span.start, edit.span.end) for edit in fix.edits])
    for fix in dict.fromkeys(in_turn):
        edits = {edit for other in made for edit in other.edits}
        if not any(_clash(one, other) for one in set(fix.edits) - edits for other in edits):
            made.append(fix)
    return made


def applied(row: Sequence[str], fixes: Sequence[Fix]) -> bytes:
    """Return the file's bytes once all edits of *fixes*, which don't clash, are made."""
    edits = {edit for fix in fixes for edit in fix.edits}
    gone = {at for edit in edits for at in _covered(edit)}
    written: list[str] = []
    for at in range(len(row) + 1):
        for edit in sorted(edits):
            if edit.span.start == at:
                ends = [cell for cell in row[at:] if cell in ("\n", "\r\n")]
                written.append(edit.text.replace("\n", ends[0] if ends else "\n"))
        if at < len(row) and at not in gone:
            written.append(row[at])
    text = "".join(written)
    if any(fix.unix_line_ends for fix in fixes):
        text = re.sub(r"\r+\n", "\n", text)
    return text.encode("utf-8", "surrogateescape")

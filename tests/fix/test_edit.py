"""Making fixes."""

from __future__ import annotations

from sbatchlint.fix.edit import Edit, Fix, Safety
from sbatchlint.source import Span

LATER, EARLIER = Edit(Span(4, 5), "x"), Edit(Span(1, 2), "y")


def test_edits_are_in_order_and_safety_is_what_was_said() -> None:
    assert Fix.safe("t", LATER, EARLIER) == Fix("t", (EARLIER, LATER), Safety.SAFE)
    assert Fix.unsafe("t", LATER, EARLIER) == Fix("t", (EARLIER, LATER), Safety.UNSAFE)
    for fix in (Fix.safe("t", LATER), Fix.unsafe("t", LATER)):
        assert (fix.revives, fix.unix_line_ends) == (False, False)


def test_reviving() -> None:
    assert Fix.reviving("t", LATER, EARLIER) == Fix("t", (EARLIER, LATER), Safety.SAFE, revives=True)
    assert Fix.reviving("t", LATER, certain=False) == Fix("t", (LATER,), Safety.UNSAFE, revives=True)


def test_line_ends() -> None:
    assert Fix.line_ends("t") == Fix("t", (), Safety.SAFE, unix_line_ends=True)

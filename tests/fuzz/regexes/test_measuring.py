"""The measurement finds what is known to be slow, and nothing in what is known not to be."""

from __future__ import annotations

import pytest

from tests.fuzz.regexes.collecting import Use, collect
from tests.fuzz.regexes.measuring import superlinear

pytestmark = pytest.mark.slow

_SLOW = [
    (r"\s*x", False),
    (r"a.*b", False),
    (r"(a+)+b", True),
    (r"(?:a|a)*b", True),
    (r"\(.*\)x", False),
    (r"x*y*x*z", True),
    (r"[a-z]*r[a-z]*!", True),
    (r"--\S*one", False),
    (r"(?:ab)*(?:ab)*c", True),
    (r"'(?:[^'\\]|\\.)*'x", False),
    (r"\d+(?=%)", False),
    (r"(?:\w+\s?)*;", True),
]
_QUICK = [
    (r"\s*x", True),
    (r"a[^b]*b", True),
    (r"[a-z]{1,20}=\w+", False),
    (r"#[^\n]*", False),
    (r"(?<!\w)\w+", False),
    (r"'(?:[^'\\]|\\.)*'", True),
    (r"\s+", False),
    (r"(?:a|b)*c", True),
    (r"^x*$", True),
]


@pytest.mark.parametrize(("pattern", "at_start"), _SLOW)
def test_slow(pattern: str, at_start: bool) -> None:
    assert superlinear(Use("", pattern, 0, frozenset({"match"} if at_start else {"search"}))) is not None


@pytest.mark.parametrize(("pattern", "at_start"), _QUICK)
def test_quick(pattern: str, at_start: bool) -> None:
    assert superlinear(Use("", pattern, 0, frozenset({"match"} if at_start else {"search"}))) is None


def test_collecting() -> None:
    uses, built = collect()
    assert len(uses) > 600 and len(built) < 60
    places = {use.place for use in uses}
    assert {"sbatchlint/digits.py _WHOLE", "rules/resources/time_format.py _PYTHON"} <= places
    assert next(use for use in uses if use.place == "sbatchlint/digits.py _WHOLE").at_start

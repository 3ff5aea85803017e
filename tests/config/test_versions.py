"""``required-version``, held against the library that reads such texts for Python packages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from sbatchlint.config.versions import allows

VERSIONS = st.lists(st.integers(0, 3), min_size=1, max_size=3).map(lambda parts: ".".join(map(str, parts)))
CLAUSES = st.tuples(st.sampled_from(["==", "!=", ">=", "<=", ">", "<"]), VERSIONS).map("".join)


@given(st.lists(CLAUSES, min_size=1, max_size=3), VERSIONS)
def test_it_says_what_packaging_says(clauses: list[str], version: str) -> None:
    assert allows(", ".join(clauses), version) is (version in SpecifierSet(",".join(clauses)))


@pytest.mark.parametrize("text", ["", "latest", "~=1.0", ">=", "1.x", ">=1,"])
def test_what_can_not_be_read(text: str) -> None:
    assert allows(text, "1.0") is None


def test_a_bare_number_is_that_release() -> None:
    assert allows("0.3", "0.3.0") and not allows("0.3", "0.3.1")

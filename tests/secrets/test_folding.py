"""Folded text is searched for small letters as ``re.IGNORECASE`` searches the text itself."""

from __future__ import annotations

import re
import sys
from string import ascii_lowercase

from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.secrets.folding import folded

_ALL = "".join(map(chr, range(sys.maxunicode + 1)))


def test_each_letter_is_found_where_case_is_ignored() -> None:
    small = folded(_ALL)
    assert len(small) == len(_ALL)
    for letter in ascii_lowercase:
        ignoring = {match.start() for match in re.finditer(letter, _ALL, re.IGNORECASE)}
        assert {match.start() for match in re.finditer(letter, small)} == ignoring


@given(st.text(st.sampled_from("tToOkK\u212aeEnNsS\u017f_pPaATıİ é"), max_size=40))
def test_words_are_found_at_the_same_places(text: str) -> None:
    pattern = r"token|key|_pat(?![a-z])"
    found = [match.span() for match in re.finditer(pattern, folded(text))]
    assert found == [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]

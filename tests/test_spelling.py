"""Which word is meant."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.spelling import nearest

WORDS = st.text("abc-_XYZ019", min_size=1, max_size=8)


@given(st.lists(WORDS, min_size=1), st.data())
def test_a_known_word_in_other_letters_is_found_again(known: list[str], data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(known))
    assert nearest(word.swapcase(), known) == next(one for one in known if one.lower() == word.lower())


@given(WORDS, st.lists(WORDS), st.floats(0.1, 1))
def test_what_is_found_is_one_of_the_known(word: str, known: list[str], least: float) -> None:
    assert nearest(word, known, least) in {*known, None}


def test_of_names_equally_near_the_one_with_most_letters_in_place_is_meant() -> None:
    assert nearest("SB1O1", ["SB711", "SB110", "SB111", "SB101", "SB121"]) == "SB101"


def test_what_is_like_none_of_them_is_none() -> None:
    assert nearest("sbatch", ["gpu", "cpu"]) is None

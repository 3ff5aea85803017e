"""What is in a file counts, and no time of it; paths mean what they lead to."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from unittest import mock

import pytest

from tests.cache.attacks.recalling import BAD, GOOD, at_the_same_time, cached, is_recalled, plain
from tests.cache.process import run


def test_scripts_here_have_equal_lengths() -> None:
    assert len(BAD) == len(GOOD)


def test_another_text_of_the_same_size_and_time(folder: Path) -> None:
    assert cached(folder, ".").status == 1
    at_the_same_time(folder / "a.sh", GOOD)
    at_the_same_time(folder / "sub" / "b.sh", GOOD)
    assert cached(folder, ".").status == 0
    assert cached(folder, ".") == plain(folder, ".")


def test_a_script_that_goes_back_and_forth_in_one_tick_of_the_clock(folder: Path) -> None:
    for text, status in ((GOOD, 0), (BAD, 1), (GOOD, 0), (BAD, 1)):
        at_the_same_time(folder / "a.sh", text)
        assert cached(folder, "a.sh").status == status
        assert is_recalled(folder, "a.sh") or status == 0


@pytest.mark.parametrize("moment", [0, 1, 2**31 - 1, 4_000_000_000])
def test_a_file_of_any_time(moment: int, folder: Path) -> None:
    cached(folder, ".")
    os.utime(folder / "a.sh", (moment, moment))
    assert is_recalled(folder, ".")


@pytest.mark.parametrize("moment", [0.0, 1_000_000_000.0, 8_000_000_000.0])
def test_a_clock_that_jumps(moment: float, folder: Path) -> None:
    expected = cached(folder, ".")
    for module in ("sbatchlint.cache.folder.time", "sbatchlint.cache.pack.time"):
        with mock.patch(module, return_value=moment):
            assert cached(folder, ".") == expected
            (folder / "a.sh").write_text(BAD + f"# {module}\n")
            assert cached(folder, ".") == plain(folder, ".")
    assert cached(folder, ".") == plain(folder, ".")


def test_a_folder_listed_in_another_order_is_the_same(folder: Path) -> None:
    cached(folder, ".")
    for name in ("a.sh", "sub"):
        (folder / name).rename(folder / "aside")
        (folder / "aside").rename(folder / name)
    assert is_recalled(folder, ".")


def test_a_folder_reached_by_a_link(folder: Path) -> None:
    (folder.parent / "link").symlink_to(folder)
    for where in (folder, folder.parent / "link"):
        assert cached(where, ".") == plain(where, ".")
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "a.sh").write_text(GOOD)
    (folder.parent / "link").unlink()
    (folder.parent / "link").symlink_to(folder.parent / "other")
    assert cached(folder.parent / "link", "a.sh").status == 0


def test_a_way_back_through_a_link_that_leads_elsewhere_later(folder: Path) -> None:
    others = folder.parent / "others" / "deep"
    others.mkdir(parents=True)
    (others.parent / "a.sh").write_text(GOOD)
    assert cached(folder, "sub/../a.sh").status == 1
    shutil.rmtree(folder / "sub")
    (folder / "sub").symlink_to(others)
    assert cached(folder, "sub/../a.sh").status == 0


def test_the_same_words_in_another_folder(folder: Path) -> None:
    (folder / "sub" / "a.sh").write_text(GOOD)
    cache, streams = folder.parent / "cache", folder.parent / "streams"
    assert [run(["a.sh"], each, cache, streams).status for each in (folder, folder / "sub", folder)] == [
        1,
        0,
        1,
    ]

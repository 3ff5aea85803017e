"""Paths as the programs that read the reports want them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.report.places import Home


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("jobs/a.sh", "jobs/a.sh"),
        ("./jobs//a.sh", "jobs/a.sh"),
        ("jobs/../a.sh", "a.sh"),
        ("-", "-"),
        ("..a/b.sh", "..a/b.sh"),
    ],
)
def test_paths_are_seen_from_the_folder(
    path: str, seen: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Home().path(path) == seen
    assert Home(str(tmp_path.parent)).path(path) == (seen if path == "-" else f"{tmp_path.name}/{seen}")


def test_a_file_outside_has_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Home().path("../x/a.sh") == str(tmp_path.parent / "x/a.sh")
    assert Home("/repo").path("/repository/a.sh") == "/repository/a.sh"
    assert Home("/").path("/a.sh") == "a.sh"


def test_pages() -> None:
    home = Home("/repo", "https://host/blob/main/")
    assert home.page("/repo/a#b?.sh", 3, 3) == "https://host/blob/main/a%23b%3F.sh#L3"
    assert home.page("/repo/a.sh", 3, 5) == "https://host/blob/main/a.sh#L3-L5"
    assert home.page("/a.sh", 3, 3) == home.page("-", 1, 1) == Home("/repo").page("/repo/a.sh", 1, 1) == ""

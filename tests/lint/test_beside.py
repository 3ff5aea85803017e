"""Which files may be read because a script sources them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.lint.beside import reader


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    jobs = tmp_path / "jobs"
    (jobs / "conf").mkdir(parents=True)
    (jobs / "env.sh").write_bytes(b"A=\xff\r\n")
    (jobs / "conf" / "model.sh").write_text("B=2\n")
    (jobs / "binary.sh").write_bytes(b"C=\0")
    (jobs / "large.sh").write_text("#" * 300_000)
    (tmp_path / "outside.sh").write_text("D=4\n")
    return jobs


@pytest.mark.parametrize(
    ("path", "text"),
    [("env.sh", "A=\udcff\n"), ("./env.sh", "A=\udcff\n"), ("conf/model.sh", "B=2\n")],
)
def test_files_beside_the_script(folder: Path, path: str, text: str) -> None:
    assert reader(str(folder))(path) == text


@pytest.mark.parametrize(
    "path",
    ["", "missing.sh", "conf", "binary.sh", "large.sh", "../outside.sh", "conf/../../outside.sh", "a\0b"],
)
def test_nothing_else(folder: Path, path: str) -> None:
    assert reader(str(folder))(path) is None


def test_no_absolute_path_and_no_folder_at_all(folder: Path) -> None:
    assert reader(str(folder))(str(folder / "env.sh")) is None
    assert reader(None)("env.sh") is None

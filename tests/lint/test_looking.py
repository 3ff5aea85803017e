"""Looking whether files are there."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.lint.ask.needed import absent_paths
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.looking import looker
from sbatchlint.source import Source


def absent(folder: Path, *body: str, **environment: str) -> list[str]:
    text = "\n".join(["#!/bin/bash", "#SBATCH --nodes=1", *body, ""])
    options = LintOptions(look=looker(str(folder), environment))
    return [one.path.shown for one in absent_paths(Job(Source.from_text(text), options))]


def test_relative_to_the_folder_of_submission(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    assert absent(tmp_path, "python a.py", "python b.py") == ["b.py"]


def test_the_home_folder_is_that_of_the_submitter(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "a.py").touch()
    body = ("python ~/a.py", "python $HOME/b.py", "python $SLURM_SUBMIT_DIR/c.py")
    assert absent(tmp_path, *body, HOME=str(home)) == ["$HOME/b.py", "c.py"]
    assert absent(tmp_path, *body) == ["c.py"]


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "repo").touch()
    assert absent(tmp_path, "python repo/a.py") == ["repo/a.py"]


def test_what_nobody_can_tell_is_not_absent(tmp_path: Path) -> None:
    look = looker(str(tmp_path), {})
    assert look("a\0b") is None and look("x" * 5000) is None
    body = ("python $REPO/a.py", "python /opt/no/such/a.py", "python /tmp/no/such/a.py")
    assert absent(tmp_path, *body) == []


def test_megatron_names_its_data_without_the_end(tmp_path: Path) -> None:
    (tmp_path / "c4_text_document.bin").touch()
    assert absent(tmp_path, "python -m t --data-path ./c4_text_document --valid-data-path ./none") == ["none"]


def test_through_a_mount(tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").touch()
    run = "apptainer exec -B code:/code docker://alpine python"
    assert absent(tmp_path, f"{run} /code/a.py", f"{run} /code/b.py", f"{run} /own/c.py") == ["/code/b.py"]


def test_nobody_looks_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(Source.from_text("#!/bin/bash\npython /lustre/none.py\n"))
    assert list(absent_paths(job)) == [] and job.needs.paths

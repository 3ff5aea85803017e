"""What comes from the changes since a revision, in real repositories."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sbatchlint.adopt.git import GitError
from sbatchlint.adopt.revision import Since
from sbatchlint.lint.fixing import fix_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.adopt.linting import all_rules, lines, lint, said
from tests.adopt.repository import Repository

HEAD = ["#!/bin/bash", "#SBATCH --nodes=2", "#SBATCH --gpus-per-node=8"]
OLD = 'srun bash -c "echo $SLURM_PROCID"'
NEW = 'srun bash -c "echo $SLURM_NODEID"'
BEFORE = lines(HEAD, OLD, "date")
AFTER = lines(HEAD, "# a comment", OLD, NEW, "date")
ONLY_NEW = [("SB401", 6)]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "work")


def since(
    repository: Repository, path: str | Path, text: str, revision: str = "HEAD"
) -> list[tuple[str, int]]:
    """Return the findings on *text*, called *path* in *repository*, since *revision*."""
    whole = str(path) if os.path.isabs(path) else str(repository.folder / path)
    comparison = Since(revision, str(repository.folder))
    result = lint(Source.from_text(text, whole), comparison.sift)
    assert result.internal_errors == ()
    return said(result)


def test_only_what_is_in_changed_lines(repository: Repository) -> None:
    first = repository.commit(job=BEFORE)
    repository.commit(job=AFTER)
    assert said(lint(AFTER)) == [("SB401", 5), ("SB401", 6)]
    assert since(repository, "job.sh", AFTER) == []
    for revision in (first, first[:9], "HEAD~1", "main~1", "HEAD^{commit}~1"):
        assert since(repository, "job.sh", AFTER, revision) == ONLY_NEW


def test_staged_or_not_is_all_the_same(repository: Repository) -> None:
    repository.commit(job=BEFORE)
    repository.write("job.sh", AFTER)
    assert since(repository, "job.sh", AFTER) == ONLY_NEW
    repository.git("add", "-A")
    assert since(repository, "job.sh", AFTER) == ONLY_NEW


def test_an_untracked_file_counts_wholly(repository: Repository) -> None:
    repository.commit(job=BEFORE)
    repository.write("new.sh", BEFORE)
    assert since(repository, "new.sh", BEFORE) == said(lint(BEFORE))
    assert since(repository, "no/such/folder/new.sh", BEFORE) == said(lint(BEFORE))


def test_a_moved_file_is_compared_with_what_it_was(repository: Repository) -> None:
    filler = [f"echo {number}" for number in range(20)]
    repository.commit(job=lines(HEAD, OLD, filler))
    repository.git("mv", "job.sh", "moved to.sh")
    assert since(repository, "moved to.sh", lines(HEAD, OLD, NEW, filler)) == [("SB401", 5)]
    repository.git("-c", "diff.renames=false", "commit", "-q", "-m", "moved")
    repository.git("config", "diff.renames", "false")
    assert since(repository, "moved to.sh", lines(HEAD, OLD, NEW, filler), "HEAD~1") == [("SB401", 5)]


def test_what_a_line_that_was_taken_out_brings_about(repository: Repository) -> None:
    quiet = lines(HEAD, "# sbatchlint: ignore[SB401] on purpose", OLD)
    repository.commit(job=quiet)
    assert said(lint(quiet)) == []
    assert since(repository, "job.sh", lines(HEAD, OLD)) == [("SB401", 4)]


def test_a_cause_in_a_changed_line_counts(repository: Repository) -> None:
    run = "srun torchrun --nproc_per_node=8 train.py"
    one, eight = (lines(HEAD, f"#SBATCH --ntasks-per-node={n}", "date", run) for n in (4, 8))
    repository.commit(job=one)
    codes = {code for code, _ in since(repository, "job.sh", eight)}
    assert codes == {"SB301"}
    assert since(repository, "job.sh", one) == []


@pytest.mark.parametrize(
    "name",
    ["it's.sh", 'a "b".sh', "é ü.sh", ":(top)x.sh", "-x.sh", "a\tb.sh", "[a]*.sh", "caf\udce9.sh"],
    ids=ascii,
)
def test_names_of_any_kind(repository: Repository, name: str) -> None:
    repository.write(f"in {name}/{name}", BEFORE)
    repository.commit()
    assert since(repository, f"in {name}/{name}", AFTER) == ONLY_NEW


def test_a_link_is_followed(repository: Repository, tmp_path: Path) -> None:
    repository.commit(job=BEFORE)
    link = tmp_path / "link.sh"
    link.symlink_to(repository.folder / "job.sh")
    assert since(repository, link, AFTER) == ONLY_NEW


def test_other_line_ends_are_no_change_of_lines(repository: Repository) -> None:
    repository.commit(job=BEFORE)
    repository.git("config", "core.autocrlf", "true")
    crlf = since(repository, "job.sh", AFTER.replace("\n", "\r\n"))
    assert ("SB401", 6) in crlf
    assert ("SB401", 5) not in crlf


def test_a_worktree(repository: Repository, tmp_path: Path) -> None:
    repository.commit(job=BEFORE)
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "branch")
    assert since(repository, tmp_path / "tree" / "job.sh", AFTER) == ONLY_NEW


def test_a_submodule_is_compared_with_what_it_was_then(tmp_path: Path) -> None:
    inner = Repository(tmp_path / "inner")
    inner.commit(job=BEFORE)
    outer = Repository(tmp_path / "outer")
    outer.commit(top=BEFORE)
    outer.git("submodule", "add", "-q", str(inner.folder), "sub")
    outer.commit()
    inside = Repository(outer.folder / "sub")
    inside.commit(job=AFTER)
    assert since(outer, "sub/job.sh", AFTER) == ONLY_NEW
    assert since(outer, "top.sh", BEFORE) == []
    assert since(outer, "sub/job.sh", AFTER, "HEAD~1") == said(lint(AFTER))  # there was no submodule yet
    assert since(inside, outer.folder / "sub" / "job.sh", AFTER) == []  # seen from inside, HEAD is its own


def test_where_two_branches_parted(repository: Repository) -> None:
    repository.commit(job=BEFORE)
    repository.git("checkout", "-q", "-b", "branch")
    repository.commit(job=AFTER)
    repository.git("checkout", "-q", "main")
    repository.commit(job=lines(HEAD, "date"))
    repository.git("checkout", "-q", "branch")
    assert since(repository, "job.sh", AFTER, "main...") == ONLY_NEW
    assert since(repository, "job.sh", AFTER, "main...branch") == ONLY_NEW
    assert ("SB401", 5) in since(repository, "job.sh", AFTER, "main")


def test_a_fix_is_offered_for_the_new_alone(repository: Repository) -> None:
    repository.commit(job=BEFORE)
    path = str(repository.folder / "job.sh")
    comparison = Since("HEAD", str(repository.folder))
    options = LintOptions(sieve=comparison.sift)
    fixed = fix_source(Source.from_text(AFTER, path), all_rules(), options, unsafe=True)
    assert fixed.converged.applied
    assert fixed.converged.source.text.splitlines()[4] == OLD
    assert NEW not in fixed.converged.source.text


@pytest.mark.parametrize(
    "revision", ["nope", "-x", "--all", "", " ", "HEAD:job.sh", "a b", "nope...", "0" * 40, "^HEAD", ":/nope"]
)
def test_no_such_revision(repository: Repository, revision: str) -> None:
    repository.commit(job=BEFORE)
    with pytest.raises(GitError, match="no revision"):
        Since(revision, str(repository.folder)).check(str(repository.folder / "job.sh"))


def test_a_commit_by_the_words_of_its_message(repository: Repository) -> None:
    repository.commit(job=BEFORE)
    repository.git("commit", "-q", "--allow-empty", "-m", "a... known place")
    for revision in (":/known", "HEAD^{/known}"):
        assert since(repository, "job.sh", AFTER, revision) == ONLY_NEW


def test_a_repository_of_somebody_else(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.commit(job=BEFORE)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    with pytest.raises(GitError, match=r"belongs to somebody else.*safe\.directory"):
        Since("HEAD", str(repository.folder)).check(str(repository.folder))


def test_a_shallow_clone_says_so(repository: Repository, tmp_path: Path) -> None:
    first = repository.commit(job=BEFORE)
    repository.commit(job=AFTER)
    shallow = Repository(tmp_path / "shallow")
    shallow.git("fetch", "-q", "--depth=1", f"file://{repository.folder}", "main")
    shallow.git("checkout", "-q", "FETCH_HEAD")
    with pytest.raises(GitError, match="this clone is shallow"):
        Since(first, str(shallow.folder)).check(str(shallow.folder))
    assert since(shallow, "job.sh", lines(HEAD, "# a comment", OLD, NEW, NEW, "date")) == [("SB401", 7)]


def test_a_repository_with_longer_names_of_objects(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "work", "--object-format=sha256")
    repository.commit(job=BEFORE)
    assert since(repository, "job.sh", BEFORE) == []
    assert since(repository, "job.sh", AFTER) == ONLY_NEW


def test_no_repository(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="not in a git repository"):
        Since("HEAD", str(tmp_path)).check(str(tmp_path))


def test_no_git(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(GitError, match="git is not installed"):
        Since("HEAD", str(repository.folder)).check(str(repository.folder))


def test_called_from_a_hook_of_another_repository(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(job=BEFORE)
    other = Repository(tmp_path / "other")
    for name, value in (
        ("GIT_DIR", ".git"),
        ("GIT_INDEX_FILE", ".git/x"),
        ("GIT_WORK_TREE", "."),
        ("GIT_PREFIX", ""),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(other.folder)
    assert since(repository, "job.sh", AFTER) == ONLY_NEW


def test_nothing_of_the_repository_is_run_or_written(repository: Repository, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    repository.commit(job=BEFORE)
    repository.write(".gitattributes", "*.sh filter=spy diff=spy\n")
    spy = tmp_path / "spy"
    spy.write_text(f"#!/bin/sh\necho $0 >> {ran}\ncat\n")
    spy.chmod(0o755)
    for setting in (
        "core.fsmonitor",
        "diff.external",
        "diff.spy.textconv",
        "filter.spy.clean",
        "filter.spy.smudge",
    ):
        repository.git("config", setting, str(spy))
    for hook in ("post-index-change", "reference-transaction"):
        (repository.folder / ".git" / "hooks" / hook).symlink_to(spy)
    repository.write("job.sh", AFTER)
    ran.unlink(missing_ok=True)
    index = (repository.folder / ".git" / "index").read_bytes()
    assert since(repository, "job.sh", AFTER) == ONLY_NEW
    assert since(repository, "other.sh", AFTER) == said(lint(AFTER))
    assert not ran.exists()
    assert (repository.folder / ".git" / "index").read_bytes() == index


def test_an_unchanged_file_costs_one_look_at_the_tree(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"job{number}" for number in range(5)]
    repository.commit(**dict.fromkeys(names, BEFORE))
    asked: list[list[str]] = []
    run = subprocess.run

    def counted(command: list[str], **more: object) -> object:
        asked.append(command)
        return run(command, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", counted)
    comparison = Since("HEAD", str(repository.folder))
    for name in names:
        source = Source.from_text(BEFORE, str(repository.folder / f"{name}.sh"))
        assert lint(source, comparison.sift).findings == ()
    assert sum("git" in command[0] for command in asked) == 3

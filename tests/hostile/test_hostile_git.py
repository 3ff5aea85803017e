"""What a repository's own git can bring about: nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.processes import plain_environment, process

_EVIL = "#!/bin/sh\n: > {folder}/../EVIL-${{0##*/}}-$1\nexit 0\n"
"""It needs no program, so that it works whatever PATH is."""


def _marks(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.parent.glob("EVIL*"))


def _git(folder: Path, *words: str) -> str:
    who = {f"GIT_{one}_{what}": "a" for one in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    command = ["/usr/bin/env", "git", "-C", str(folder), *words]
    done = subprocess.run(command, env={**plain_environment(), **who}, capture_output=True, check=True)
    return done.stdout.decode().strip()


_SETTINGS = (
    "core.fsmonitor core.sshCommand core.gitProxy core.askPass core.editor core.pager "
    "core.alternateRefsCommand pager.cat-file pager.ls-tree pager.diff-index diff.external "
    "diff.evil.textconv diff.evil.command filter.evil.clean filter.evil.smudge filter.evil.process "
    "remote.origin.uploadpack gpg.program sequence.editor uploadpack.packObjectsHook"
).split()
_PROMISES = ("ext::{evil} ext", "{folder}", "file://{folder}", "ssh://x.example/y", "http://127.0.0.1:1/x")


def _hostile_repository(folder: Path, address: str) -> None:
    evil = folder.parent / "evil.sh"
    put(evil, _EVIL.format(folder=folder))
    evil.chmod(0o755)
    _git(folder, "init", "-q", ".")
    put(folder / "job.sh", HEAD + WRONG)
    put(folder / "moved.sh", HEAD + WRONG)
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "1")
    lost = [_git(folder, "rev-parse", "HEAD:job.sh")]
    put(folder / "job.sh", HEAD + WRONG + "echo 2\n")
    _git(folder, "mv", "moved.sh", "new.sh")
    put(folder / "new.sh", HEAD + WRONG + "echo 3\n")
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "2")
    for hook in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"):
        put(folder / ".git/hooks" / hook, _EVIL.format(folder=folder))
        (folder / ".git/hooks" / hook).chmod(0o755)
    for name in _SETTINGS:
        _git(folder, "config", name, f"{evil} {name}")
    _git(folder, "config", "credential.helper", f"!{evil} credential")
    _git(folder, "config", "alias.rev-parse", f"!{evil} alias")
    put(folder / ".gitattributes", "* diff=evil filter=evil\n")
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": address.format(evil=evil, folder=folder),
        "protocol.allow": "always",
        "protocol.ext.allow": "always",
    }.items():
        _git(folder, "config", name, value)
    for blob in lost:
        (folder / ".git/objects" / blob[:2] / blob[2:]).unlink()


@pytest.mark.parametrize("address", _PROMISES)
def test_no_setting_of_a_repository_makes_git_run_anything(folder: Path, address: str) -> None:
    _hostile_repository(folder, address)
    for mark in folder.parent.glob("EVIL*"):
        mark.unlink()
    done = process(folder, "check", "--diff-against", "HEAD~1", ".")
    assert done.returncode == 2
    assert b"job.sh: not compared: its older version is not in this clone" in done.stderr
    assert not _marks(folder)


def test_that_repository_is_hostile(folder: Path) -> None:
    """Else the test above would prove nothing."""
    _hostile_repository(folder, _PROMISES[0])
    command = ["git", "-C", str(folder), "status"]
    subprocess.run(command, env=plain_environment(), capture_output=True, check=False)
    assert _marks(folder)


def test_nor_one_of_the_repository_around_it(folder: Path) -> None:
    inner = folder / "sub"
    inner.mkdir()
    _hostile_repository(folder, "{folder}")
    _git(inner, "init", "-q", ".")
    put(inner / "job.sh", HEAD + WRONG)
    _git(inner, "add", ".")
    _git(inner, "commit", "-qm", "1")
    for mark in folder.parent.glob("EVIL*"):
        mark.unlink()
    done = process(folder, "check", "--diff-against", "HEAD", "sub")
    assert done.returncode in (0, 1, 2)
    assert not _marks(folder)

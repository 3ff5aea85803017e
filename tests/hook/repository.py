"""A git repository made for a test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.packaging import copy_of_what_is_installed


class Repository:
    """A git repository in a temporary folder, out of reach of the tester's own settings."""

    def __init__(self, folder: Path, home: Path) -> None:
        """Make *folder* and a repository in it, on branch `main`; *home* is the home of who works there."""
        self.folder = folder
        self.home = home
        folder.mkdir()
        git = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        self.environment = git | {
            "HOME": str(home),
            "PRE_COMMIT_HOME": str(home / "pre-commit"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "GIT_CONFIG_NOSYSTEM": "1",
            **{
                f"GIT_{who}_{what}": "t@example.org"
                for who in ("AUTHOR", "COMMITTER")
                for what in ("NAME", "EMAIL")
            },
        }
        self.run("git", "init", "-q")
        self.run("git", "symbolic-ref", "HEAD", "refs/heads/main")

    def run(self, *command: str, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run *command* here, with *environment* added; unless told not to *check*, it has to succeed."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    def write(self, name: str, text: str) -> Path:
        """Write a file, and its folders; return where it is."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def commit(self, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Commit everything; without *check*, a hook may refuse it."""
        self.run("git", "add", "--all")
        return self.run("git", "commit", "-q", "-m", "change", check=check)

    def head(self) -> str:
        """Return the name of the commit that is checked out."""
        return self.run("git", "rev-parse", "HEAD").stdout.strip()


ADDRESS, RELEASE = "https://github.com/YOUR-ORG/sbatchlint", "v0.1.0"
"""Where the pages of docs/ say that the tool is kept, and which release they take."""


def repository_of_the_tool(place: Path) -> Repository:
    """Return a repository in *place* with the project's files as they are now; its home stands beside it.

    For a git that has this home, it is what stands at ADDRESS, and has the tag RELEASE.
    """
    home = place / "home"
    home.mkdir()
    repository = Repository(place / "sbatchlint", home)
    settings = f'[url "{repository.folder.as_uri()}"]\n\tinsteadOf = {ADDRESS}\n'
    (home / ".gitconfig").write_text(settings)
    copy_of_what_is_installed(repository.folder)
    repository.commit()
    repository.run("git", "tag", RELEASE)
    return repository

"""Git repositories for the tests, that no setting of the tester's reaches."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_NAME = {"NAME": "Ada", "EMAIL": "ada@example.org", "DATE": "2024-01-01T00:00:00Z"}
_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    **{f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _NAME.items()},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


class Repository:
    """A repository in *folder*, which is made with *options* of ``git init``."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)

    def git(self, *arguments: str) -> str:
        """Return what git prints."""
        command = ["git", "-C", str(self.folder), "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, env=_ENVIRONMENT, capture_output=True, check=True)
        return done.stdout.decode().strip()

    def write(self, name: str, text: str | bytes) -> Path:
        """Write a file of the working tree."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def commit(self, **files: str) -> str:
        """Write *files*, whose names get ``.sh``, commit everything, and return the commit's name."""
        for name, text in files.items():
            self.write(f"{name}.sh", text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "work")
        return self.git("rev-parse", "HEAD")

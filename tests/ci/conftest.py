"""The action, ready to be used in a repository of a test, and the tool's own repository."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.ci.documents import action
from tests.ci.runner import Runner, plain_environment
from tests.hook.repository import Repository, repository_of_the_tool
from tests.packaging import PROJECT


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return an empty repository."""
    (tmp_path / "home").mkdir()
    return Repository(tmp_path / "work space", tmp_path / "home")


@pytest.fixture
def runner(repository: Repository, tmp_path: Path) -> Runner:
    """Return a runner in *repository* that takes the installation, which is slow, as done already."""
    python = tmp_path / "installed" / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    runner = Runner(action(), PROJECT, repository.folder, plain_environment() | repository.environment)
    runner.preset["install"] = {"folder": str(tmp_path / "installed")}
    return runner


@pytest.fixture
def without_pip(repository: Repository, tmp_path: Path) -> Repository:
    """Return *repository* with a pip that notes what it is to install."""
    pip = tmp_path / "bin" / "pip"
    pip.parent.mkdir()
    pip.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> "{tmp_path}/installed.txt"\n')
    pip.chmod(0o755)
    repository.environment["PATH"] = f"{pip.parent}{os.pathsep}{repository.environment['PATH']}"
    return repository


@pytest.fixture(scope="session")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return a repository with the project's files as they are now."""
    return repository_of_the_tool(tmp_path_factory.mktemp("tool"))

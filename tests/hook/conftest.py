"""The repository that hooks are taken from."""

from __future__ import annotations

import shutil

import pytest

from tests.hook.repository import Repository, repository_of_the_tool


@pytest.fixture(scope="session")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """Return a repository with the project's files as they are now."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    return repository_of_the_tool(tmp_path_factory.mktemp("tool"))

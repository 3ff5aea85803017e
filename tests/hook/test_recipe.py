"""What docs/ci.md says of pre-commit, done by the real pre-commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ci.documents import Block, blocks
from tests.ci.scripts import ALSO_EARLY, EARLY, GOOD, SRUN_ONLY
from tests.hook.repository import Repository

pytestmark = pytest.mark.slow

PLAIN, WITH_BASELINE = (block for block in blocks("ci.md", "yaml") if block.file == ".pre-commit-config.yaml")
User = Callable[[Block], Repository]


@pytest.fixture
def user(tool: Repository, tmp_path: Path) -> User:
    """Return what makes a repository with the hook of a block in it."""

    def make(block: Block) -> Repository:
        repository = Repository(tmp_path / "jobs", tool.home)
        repository.write(block.file, block.text)
        repository.run("pre-commit", "install")
        repository.commit()
        return repository

    return make


def test_the_recipe(user: User) -> None:
    repository = user(PLAIN)
    repository.write("train.sh", SRUN_ONLY)
    done = repository.commit(check=False)
    assert done.returncode == 1
    assert "SB101" in done.stdout + done.stderr


@pytest.mark.parametrize(
    "settings",
    [
        'exclude = ["old", "*.template.sh"]',
        'extend-exclude = ["old/**", "*.template.sh"]',
        'include = ["new/*.sh"]',
    ],
)
def test_what_the_configuration_excludes_is_left_alone(user: User, settings: str) -> None:
    """The hook names files, and a named file is checked even if excluded, unless --force-exclude is given."""
    repository = user(PLAIN)
    repository.write("sbatchlint.toml", settings + "\n")
    repository.write("old/train.sh", SRUN_ONLY)
    repository.write("job.template.sh", SRUN_ONLY)
    repository.commit()
    repository.write("new/train.sh", EARLY)
    done = repository.commit(check=False)
    assert done.returncode == 1
    assert "SB401" in done.stdout + done.stderr
    assert "SB101" not in done.stdout + done.stderr


def test_a_mistake_in_the_configuration_is_shown(user: User) -> None:
    repository = user(PLAIN)
    repository.write("sbatchlint.toml", 'ingore = ["SB101"]\n')
    repository.write("train.sh", GOOD)
    done = repository.commit(check=False)
    assert done.returncode == 1
    assert "sbatchlint.toml:1" in done.stdout + done.stderr


def test_a_baseline_by_argument(user: User) -> None:
    repository = user(WITH_BASELINE)
    repository.write("train.sh", SRUN_ONLY)
    repository.run("sbatchlint", "--write-baseline", "sbatchlint-baseline.json", "train.sh")
    repository.commit()
    repository.write("train.sh", SRUN_ONLY.replace("\n\n", "\n# a line more\n\n"))
    repository.commit()
    repository.write("train.sh", SRUN_ONLY + ALSO_EARLY)
    done = repository.commit(check=False)
    assert done.returncode == 1
    assert "SB401" in done.stdout + done.stderr and "SB101" not in done.stdout + done.stderr

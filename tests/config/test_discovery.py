"""Which files hold in a folder, held against a walk upward that remembers nothing."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.config.discovery import Discovery
from sbatchlint.config.errors import ConfigError
from sbatchlint.config.globs import Globs, fault

FOLDERS = ["", "a", "a/b", "a/b/c", "d"]
NAMES = st.sampled_from(["sbatchlint.toml", "pyproject.toml"])
TREES = st.dictionaries(st.tuples(st.sampled_from(FOLDERS), NAMES), st.integers(0, 3), max_size=5)


@settings(max_examples=50)
@given(TREES, st.lists(st.sampled_from(FOLDERS), min_size=1, max_size=5))
def test_the_closest_file(tree: dict[tuple[str, str], int], asked: list[str]) -> None:
    texts = ["[tool.sbatchlint]\n", "[project]\n", "# sbatchlint\n", "[[[\n"]
    with TemporaryDirectory() as root:
        for folder in FOLDERS:
            Path(root, folder).mkdir(exist_ok=True)
        for (folder, name), number in tree.items():
            Path(root, folder, name).write_text("" if name == "sbatchlint.toml" else texts[number])
        discovery = Discovery({"SBATCHLINT_SITE_CONFIG": ""})
        for folder in asked:
            found = discovery.closest(str(Path(root, folder)))
            assert found == _walked(Path(root, folder), Path(root), tree)


def _walked(folder: Path, root: Path, tree: dict[tuple[str, str], int]) -> str | None:
    relative = os.path.relpath(folder, root).replace(".", "", 1)
    if (relative, "sbatchlint.toml") in tree:
        return str(folder / "sbatchlint.toml")
    if tree.get((relative, "pyproject.toml")) == 0:
        return str(folder / "pyproject.toml")
    return None if folder == root else _walked(folder.parent, root, tree)


def test_a_site_file_that_is_named_has_to_be_there(tmp_path: Path) -> None:
    discovery = Discovery({"SBATCHLINT_SITE_CONFIG": str(tmp_path / "nowhere.toml")})
    with pytest.raises(ConfigError) as first:
        discovery.layers(str(tmp_path))
    with pytest.raises(ConfigError) as second:
        discovery.layers(str(tmp_path))
    assert first.value is second.value


def test_the_site_file_is_no_layer_twice(tmp_path: Path) -> None:
    """Neither in its own folder nor where a project extends it."""
    site = tmp_path / "sbatchlint.toml"
    site.write_text("pedantic = true\n")
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "sbatchlint.toml").write_text('extend = "../sbatchlint.toml"\n')
    discovery = Discovery({"SBATCHLINT_SITE_CONFIG": str(site)})
    assert [layer.kind.value for layer in discovery.layers(str(tmp_path))] == ["site"]
    assert [layer.kind.value for layer in discovery.layers(str(tmp_path / "jobs"))] == ["site", "project"]


@pytest.mark.parametrize(
    ("globs", "path", "matches"),
    [
        (["*.sh"], "/p/a/job.sh", True),
        (["a"], "/p/a/job.sh", True),
        (["/job.sh"], "/p/a/job.sh", False),
        (["a/*", "!a/job.sh"], "/p/a/job.sh", False),
        (["/home/me/"], "/home/me/job.sh", True),
        (["/home/me/"], "/p/home/me/job.sh", True),
        (["me/"], "/home/me/job.sh", True),
        (["*"], "/p", False),
        ([], "/p/a", False),
    ],
)
def test_globs_count_from_their_folder_and_outside_of_it_from_the_root(
    globs: list[str], path: str, matches: bool
) -> None:
    assert Globs(globs, "/p").match(path) is matches


@given(st.text(alphabet="ab/*?[]!.#~\\ ", max_size=8))
def test_of_a_glob_with_a_fault_it_can_be_said(glob: str) -> None:
    """Whatever is written: it is refused in words, or it can be used."""
    if not fault(glob):
        Globs([glob], "/p").match("/p/a/b")

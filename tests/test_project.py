"""The project as a whole: what is packaged, what the README promises, who imports the parsers."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from importlib import metadata, resources
from pathlib import Path

import pytest
import tomli

import sbatchlint
from tests.packaging import PROJECT, copy_of_what_is_installed

PYPROJECT = tomli.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
ROOTS = {"sbatchlint": "sbatchlint", "rules": "sbatchlint_rules"}
"""The folders whose contents are installed, and under which name."""


def shipped() -> Iterator[tuple[Path, str]]:
    """Yield every file that has to be installed, and where."""
    for folder, package in ROOTS.items():
        for path in sorted((PROJECT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path, str(Path(package) / path.relative_to(PROJECT / folder))


def test_every_package_is_listed() -> None:
    found = {
        str(Path(place).parent).replace("/", ".") for path, place in shipped() if path.name == "__init__.py"
    }
    assert sorted(PYPROJECT["tool"]["setuptools"]["packages"]) == sorted(found)


def test_no_folder_with_modules_lacks_an_init_file() -> None:
    folders = {path.parent for path, _ in shipped() if path.suffix == ".py"}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


@pytest.mark.slow
def test_sdist_and_wheel_hold_every_file(tmp_path: Path) -> None:
    """The wheel is built from the sdist, so what is missing in that is missing in both."""
    copy = copy_of_what_is_installed(tmp_path / "copy")
    command = [sys.executable, "-m", "build", "--outdir", str(tmp_path), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel_names = set(wheel.namelist())
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as sdist:
        sdist_names = {name.partition("/")[2] for name in sdist.getnames()}
    files = list(shipped())
    assert {place for _, place in files} <= wheel_names
    assert {str(path.relative_to(PROJECT)) for path, _ in files} <= sdist_names
    assert any(name.endswith("licenses/LICENSE") for name in wheel_names)


def test_the_installed_packages_find_their_data() -> None:
    for path, place in shipped():
        package, _, inside = place.partition("/")
        if path.suffix == ".json":
            assert resources.files(package).joinpath(inside).is_file(), place


def test_the_version_is_said_once() -> None:
    assert metadata.version("sbatchlint") == sbatchlint.__version__


def test_the_license() -> None:
    assert PYPROJECT["project"]["license"] == "GPL-3.0-or-later"
    assert "GNU GENERAL PUBLIC LICENSE" in (PROJECT / "LICENSE").read_text("utf-8")[:200]


def test_ci_runs_the_command_that_the_readme_gives() -> None:
    script = (PROJECT / ".ci" / "run").read_text("utf-8")
    given = re.search(r'^readme_tests="(.*)"$', script, re.MULTILINE)
    assert given is not None
    commands = re.findall(
        r"^```sh\n(.*?)\n```$", (PROJECT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert given.group(1) in commands


def imported_names(path: Path) -> set[str]:
    """Return the top-level packages that a module imports anywhere."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("parser", ["bashlex", "tree_sitter", "tree_sitter_bash"])
def test_each_parser_is_imported_by_one_file_of_the_shell_layer(parser: str) -> None:
    users = [path for path, _ in shipped() if path.suffix == ".py" and parser in imported_names(path)]
    assert len(users) == 1, users
    assert users[0].parent == PROJECT / "sbatchlint" / "shell"


def test_rules_import_the_rule_api_and_their_own_helpers_alone() -> None:
    allowed = {"sbatchlint.api"}
    for path in (PROJECT / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            house = {name for name in names if name.partition(".")[0] == "sbatchlint"}
            assert house <= allowed, f"{path}:{getattr(node, 'lineno', 0)}"

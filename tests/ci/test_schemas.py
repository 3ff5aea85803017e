"""What docs/ci.md and action.yml say is well formed: its readers, and the shell, would take it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.ci.documents import Block, action, blocks, path_of_tool, read_yaml
from tests.packaging import PROJECT

YAML_BLOCKS = blocks("ci.md", "yaml")
CHECKS = {
    ".github/workflows/sbatchlint.yml": ["check-jsonschema", "--builtin-schema", "vendor.github-workflows"],
    ".gitlab-ci.yml": [
        "check-jsonschema",
        *("--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"),
    ],
    ".pre-commit-config.yaml": ["pre-commit", "validate-config"],
}
"""By the file that a block is: the program that says whether it is right."""


def run(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of a test dependency."""
    command = [str(path_of_tool(name)), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def written(block: Block, folder: Path) -> Path:
    """Write *block* to the file that it says it is."""
    path = folder / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, "utf-8")
    return path


def test_every_recipe_is_there() -> None:
    assert {block.file for block in YAML_BLOCKS} == set(CHECKS)


@pytest.mark.parametrize("block", YAML_BLOCKS, ids=lambda block: f"{block.file}:{block.line}")
def test_a_block_is_what_its_reader_takes(block: Block, tmp_path: Path) -> None:
    program, *arguments = CHECKS[block.file]
    done = run(program, *arguments, written(block, tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "file", [".github/workflows/sbatchlint.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml"]
)
def test_the_checks_find_faults(file: str, tmp_path: Path) -> None:
    block = next(block for block in YAML_BLOCKS if block.file == file)
    wrong = re.sub(r"\b(steps|script|rev):", "stpes:", block.text)
    program, *arguments = CHECKS[file]
    assert run(program, *arguments, written(Block("yaml", wrong, "", 1), tmp_path)).returncode == 1


def test_the_action_fits_githubs_schema() -> None:
    done = run("check-jsonschema", "--builtin-schema", "vendor.github-actions", PROJECT / "action.yml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hooks_fit_pre_commits_schema() -> None:
    done = run("pre-commit", "validate-manifest", PROJECT / ".pre-commit-hooks.yaml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_zizmor_finds_no_hole_in_the_action_and_the_workflows(tmp_path: Path) -> None:
    """Its audits of injection, of permissions and of credentials left behind; pins are up to the reader."""
    files = [PROJECT / "action.yml"]
    for number, block in enumerate(YAML_BLOCKS):
        if block.file.startswith(".github/"):
            files.append(written(block, tmp_path / str(number)))
    rules = tmp_path / "zizmor.yml"
    rules.write_text('rules: {unpinned-uses: {config: {policies: {"*": ref-pin}}}}\n', "utf-8")
    done = run("zizmor", "--offline", "--no-progress", "--config", rules, *files)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("step", action()["runs"]["steps"], ids=lambda step: str(step["id"]))
def test_shellcheck_finds_nothing_in_the_steps(step: dict[str, str], tmp_path: Path) -> None:
    script = tmp_path / "script.sh"
    script.write_text("#!/bin/bash\nset -eo pipefail\n" + step["run"], "utf-8")
    done = run("shellcheck", "--enable=quote-safe-variables,check-extra-masked-returns", script)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_step_has_an_expression_in_its_script() -> None:
    for step in action()["runs"]["steps"]:
        assert "${{" not in step["run"]
        for match in re.finditer(r"\$\{\{(.*?)\}\}", "".join(step["env"].values())):
            assert re.fullmatch(r" [a-z_]+(\.[\w-]+)+ ", match[1])


def test_every_input_and_output_is_in_the_page_with_its_default() -> None:
    page = (PROJECT / "docs" / "ci.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (`[^`]*`|) ?\|", page, re.MULTILINE))
    defaults = {name: each["default"] for name, each in action()["inputs"].items()}
    assert {name: default.strip("`") for name, default in rows.items() if name in defaults} == defaults
    for name in action()["outputs"]:
        assert f"`{name}`" in page


def test_workflows_use_inputs_that_the_action_has() -> None:
    used = 0
    for block in YAML_BLOCKS:
        if not block.file.startswith(".github/"):
            continue
        for step in read_yaml(block.text)["jobs"]["sbatchlint"]["steps"]:
            if "sbatchlint@" in step.get("uses", ""):
                used += 1
                assert step["with"].keys() <= action()["inputs"].keys()
    assert used >= 4


def test_links_lead_somewhere() -> None:
    page = PROJECT / "docs" / "ci.md"
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).is_file()] == []
    assert links

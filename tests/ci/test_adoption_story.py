"""A team adopts sbatchlint as docs/adopting.md and docs/ci.md say, and is told of what is new alone.

Every command, script and file comes out of the code blocks of the two pages, as written there.
"""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.ci.documents import blocks, read_yaml
from tests.ci.gitlab import GITLAB, run_job
from tests.ci.runner import Run, Runner
from tests.ci.scripts import ALSO_EARLY, EARLY, GOOD, MISSPELT, SRUN_ONLY
from tests.hook.repository import Repository

BASELINE = "sbatchlint-baseline.json"


def written(heading: str, language: str) -> str:
    """Return the first block in *language* under the heading of adopting.md that begins with *heading*."""
    found = (block for block in blocks("adopting.md", language) if block.heading.startswith(heading))
    return next(found).text


def command(heading: str) -> list[str]:
    """Return the command that is shown under a heading of adopting.md, with what it prints."""
    line = written(heading, "console").splitlines()[0]
    assert line.startswith("$ sbatchlint ")
    return shlex.split(line.removeprefix("$ "))


@dataclass(frozen=True, slots=True)
class Team:
    """A repository with the hook and both kinds of CI."""

    repository: Repository
    runner: Runner
    temp: Path

    def commit(self, *, hook: bool) -> str:
        """Commit everything through the *hook*, or past it; return what the hook says if it refuses."""
        before = self.repository.head()
        self.repository.run("git", "add", "--all")
        past = [] if hook else ["--no-verify"]
        done = self.repository.run("git", "commit", "-q", "-m", "change", *past, check=False)
        assert (done.returncode == 0) == (self.repository.head() != before)
        return done.stdout + done.stderr if done.returncode else ""

    def github(self) -> Run:
        """Run the workflow with code scanning on the commit."""
        (block,) = (block for block in blocks("ci.md", "yaml") if block.heading == "Code scanning")
        steps = read_yaml(block.text)["jobs"]["sbatchlint"]["steps"]
        (inputs,) = (step["with"] for step in steps if "sbatchlint@" in step["uses"])
        names = {name.replace("-", "_"): str(value) for name, value in inputs.items()}
        number = len(list(self.temp.iterdir())) if self.temp.exists() else 0
        return self.runner.run(self.temp / str(number), **names)

    def told(self) -> dict[str, list[str]]:
        """Return what each output of CI names, as `path:line code`; all agree whether to pass."""
        run = self.github()
        assert run.outputs["exit-status"] == str(run.status)
        sarif = json.loads((self.repository.folder / "sbatchlint.sarif").read_text("utf-8"))
        assert run_job(GITLAB[0], self.repository) == run.status
        quality = json.loads((self.repository.folder / "gl-code-quality-report.json").read_text("utf-8"))
        return {
            "github": sorted(_annotated(line) for line in run.commands("error") + run.commands("warning")),
            "sarif": sorted(map(_in_sarif, sarif["runs"][0]["results"])),
            "gitlab": sorted(
                f"{each['location']['path']}:{each['location']['lines']['begin']} {each['description'][:5]}"
                for each in quality
            ),
        }

    def entries(self) -> list[str]:
        """Return the lines of the baseline that hold findings."""
        text = (self.repository.folder / BASELINE).read_text("utf-8")
        return [line for line in text.splitlines() if '"code"' in line]

    def append(self, name: str, text: str) -> str:
        """Add *text* to a script; return the place where it begins, as `path:line`."""
        path = self.repository.folder / name
        before = path.read_text("utf-8")
        path.write_text(before + text, "utf-8")
        return f"{name}:{before.count(chr(10)) + 1}"

    def refused(self, finding: str) -> bool:
        """Tell whether the hook stops a commit with *finding*, a `path:line code`, and no other."""
        said = self.commit(hook=True)
        place, code = finding.rsplit(" ", 1)
        return f"--> {place}:" in said and f"[{code}]" in said and said.count("[SB") == 1


def _annotated(line: str) -> str:
    values = dict(part.split("=", 1) for part in line.split("::")[1].partition(" ")[2].split(","))
    return f"{values['file']}:{values['line']} {values['title'][:5]}"


def _in_sarif(result: Any) -> str:
    place = result["locations"][0]["physicalLocation"]
    return f"{unquote(place['artifactLocation']['uri'])}:{place['region']['startLine']} {result['ruleId']}"


def everywhere(*findings: str) -> dict[str, list[str]]:
    """Return what :meth:`Team.told` gives where each output names *findings*."""
    return dict.fromkeys(("github", "sarif", "gitlab"), sorted(findings))


@pytest.fixture
def team(without_pip: Repository, runner: Runner, tool: Repository, tmp_path: Path) -> Team:
    """Return a team with a script that has faults, and nothing else yet."""
    repository = without_pip
    # The hook is installed from where the tool is kept; CI finds the tool installed.
    repository.environment["HOME"] = str(tool.home)
    repository.environment["PRE_COMMIT_HOME"] = str(tool.home / "pre-commit")
    repository.write("jobs/pretrain.sh", written("Beginning with", "sbatch"))
    repository.write(".gitignore", "sbatchlint.sarif\nsbatchlint.xml\ngl-code-quality-report.json\n")
    repository.commit()
    return Team(repository, runner, tmp_path / "temp")


def adopt(team: Team) -> None:
    """Do what the two pages say: look, fix, write down the rest, set up the hook and CI."""
    repository = team.repository
    assert repository.run(*command("1."), check=False).returncode == 1
    assert repository.run(*command("2."), check=False).returncode == 1
    # Scripts that nobody has had time for.
    repository.write("jobs/old/convert.sh", SRUN_ONLY)
    repository.write("jobs/old/a b.sbatch", EARLY)
    repository.write("jobs/misspelt.slurm", MISSPELT)
    repository.write("jobs/good.sh", GOOD)
    repository.commit()
    assert len(team.told()["github"]) == 4
    repository.run(*command("3."))
    repository.write("sbatchlint.toml", written("3.", "toml"))
    for file in (".pre-commit-config.yaml", ".gitlab-ci.yml"):
        block = next(block for block in blocks("ci.md", "yaml") if block.file == file)
        repository.write(file, block.text)
    repository.run("pre-commit", "install")
    assert team.commit(hook=True) == ""


@pytest.mark.slow
def test_the_story(team: Team) -> None:
    repository = team.repository
    adopt(team)
    known = team.entries()
    assert len(known) == 4
    assert team.told() == everywhere()

    # Lines shift in every script: what is known stays silent in the hook and in CI.
    for path in sorted((repository.folder / "jobs").rglob("*.s*")):
        first, _, rest = path.read_text("utf-8").partition("\n")
        path.write_text(f"{first}\n# A line more.\n\n{rest}# And one at the end.\n", "utf-8")
    assert team.commit(hook=True) == ""
    assert team.told() == everywhere()

    # New faults: the one of the page, and one more of a kind that the script has already.  The hook names the
    # new one and no other; whoever goes past the hook meets CI, which does the same.
    for name, text in (("jobs/pretrain.sh", written("4.", "sh")), ("jobs/old/a b.sbatch", ALSO_EARLY)):
        new = f"{team.append(name, text)} SB401"
        assert team.refused(new)
        assert team.commit(hook=False) == ""
        assert team.told() == everywhere(new)
        assert repository.run(*command("4."), check=False).stdout.count("[SB") == 1
        repository.run("git", "revert", "--no-edit", "HEAD")
        assert team.told() == everywhere()

    # An old fault is mended: a run tells that the baseline can shrink, and it does.
    repository.write("jobs/misspelt.slurm", GOOD)
    done = repository.run(*command("4."))
    assert BASELINE in done.stderr and "--write-baseline" in done.stderr
    repository.run(*command("3."))
    assert len(team.entries()) == 3 and set(team.entries()) < set(known)
    assert team.commit(hook=True) == ""
    assert team.told() == everywhere()
    assert "--write-baseline" not in repository.run(*command("4.")).stderr

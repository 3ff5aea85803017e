"""The steps of action.yml, run by bash as GitHub's runner runs them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.ci.documents import action
from tests.ci.runner import Run, Runner
from tests.ci.scripts import EARLY, GOOD, MISSPELT, SRUN_ONLY
from tests.hook.repository import Repository


def codes(run: Run) -> list[str]:
    """Return the codes in the annotations, in order."""
    found = []
    for line in (line for name in ("error", "warning", "notice") for line in run.commands(name)):
        found += [word for word in ("SB101", "SB401", "SB609") if word in line]
    return sorted(found)


def test_findings_fail_the_step(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("jobs/train.sh", SRUN_ONLY)
    run = runner.run(tmp_path / "temp")
    assert run.status == 1
    assert run.outputs == {"exit-status": "1", "count": "1", "sarif-file": "", "markdown-file": ""}
    assert "error[SB101]" in run.log and "#SBATCH --mpi=pmix" in run.log
    (annotation,) = run.commands("error")
    assert "file=jobs/train.sh" in annotation and "line=3" in annotation and "SB101" in annotation
    assert "SB101" in run.summary and "jobs/train.sh" in run.summary


def test_nothing_found(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("train.sh", GOOD)
    run = runner.run(tmp_path / "temp")
    assert (run.status, run.outputs["exit-status"], run.outputs["count"]) == (0, "0", "0")
    assert codes(run) == []


def test_paths_stand_one_in_a_line(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("left out/c.sh", MISSPELT)
    repository.write("first jobs/a.sh", SRUN_ONLY)
    repository.write("-second*  job.sh", EARLY)
    run = runner.run(tmp_path / "temp", paths="first jobs\r\n\n-second*  job.sh\n")
    assert codes(run) == ["SB101", "SB401"]


def test_arguments_stand_one_in_a_line(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("a.sh", SRUN_ONLY)
    repository.write("b.sh", EARLY)
    assert codes(runner.run(tmp_path / "temp", args="--ignore\nSB101\n--env=A=b c\n")) == ["SB401"]


COMMANDS = """x$(touch owned)`touch owned`"; touch owned; '; touch owned; '"\ntouch owned\n;touch owned #"""


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(action()["inputs"]) - {"python"}))
def test_no_input_becomes_a_command(
    runner: Runner, repository: Repository, tmp_path: Path, name: str
) -> None:
    repository.write("a.sh", SRUN_ONLY)
    repository.commit()
    run = runner.run(tmp_path / "temp", **{name: COMMANDS})
    assert run.status in (1, 2)
    assert not list(repository.folder.rglob("owned"))
    assert run.outputs["exit-status"] in ("", "1", "2")


def test_the_checked_files_give_the_runner_no_command(
    runner: Runner, repository: Repository, tmp_path: Path
) -> None:
    repository.write("::warning ::of a name.sh", "#!/bin/bash\n#SBATCH -N 1\0\n")
    repository.write("a.sh", SRUN_ONLY + "\n::warning ::of a text $SLURM_PROCID\n  ::add-mask::e\n")
    repository.write("%0A::warning ::of an escape.sh", EARLY)
    repository.write("a\n::warning ::of a line.sh", EARLY)
    run = runner.run(tmp_path / "temp", paths="\n".join([".", "::warning ::of a missing file"]))
    assert run.status == 2
    assert run.commands("add-mask") == []
    assert [line for line in run.commands("warning") if "::of" in line.partition("file=")[0]] == []
    assert {line.split()[0].split(",")[0] for line in run.commands("warning")} <= {"::warning"}
    assert len(run.commands("error")) >= 3


BROKEN = """\
#!/bin/sh
case "$*" in
  *"-m sbatchlint"*) echo "::add-mask::owned"; echo "  ::warning ::owned" >&2; exit 1 ;;
esac
exec "{python}" "$@"
"""


def test_whatever_sbatchlint_prints_is_no_command_and_a_crash_is_no_finding(
    runner: Runner, repository: Repository, tmp_path: Path
) -> None:
    repository.write("a.sh", GOOD)
    (tmp_path / "installed/venv/bin/python").write_text(BROKEN.format(python=sys.executable))
    run = runner.run(tmp_path / "temp")
    assert run.log.count("owned") == 2
    assert run.commands("add-mask") == run.commands("warning") == []
    assert (run.status, run.outputs["exit-status"], run.outputs["count"]) == (2, "2", "")
    assert len(run.commands("error")) == 1


def test_modules_of_the_checked_repository_are_not_run(
    runner: Runner, repository: Repository, tmp_path: Path
) -> None:
    for name in ("json", "secrets", "sbatchlint", "argparse", "sitecustomize", "encodings/__init__"):
        repository.write(f"{name}.py", "open('owned', 'w')\n")
    repository.write("a.sh", SRUN_ONLY)
    assert codes(runner.run(tmp_path / "temp")) == ["SB101"]
    assert not (repository.folder / "owned").exists()


def test_files_for_other_steps(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("a.sh", SRUN_ONLY)
    run = runner.run(tmp_path / "temp", sarif_file="out/a b.sarif", markdown_file="md/c.md")
    assert run.outputs["sarif-file"] == "out/a b.sarif"
    assert run.outputs["markdown-file"] == "md/c.md"
    sarif = json.loads((repository.folder / "out/a b.sarif").read_text("utf-8"))
    assert [result["ruleId"] for result in sarif["runs"][0]["results"]] == ["SB101"]
    assert (repository.folder / "md/c.md").read_text("utf-8") == run.summary


def test_annotations_and_summary_can_be_left_out(
    runner: Runner, repository: Repository, tmp_path: Path
) -> None:
    repository.write("a.sh", SRUN_ONLY)
    run = runner.run(tmp_path / "temp", annotations="false", summary="false")
    assert (run.status, run.commands("error"), run.summary) == (1, [], "")


def test_fail_on(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("a.sh", EARLY)
    run = runner.run(tmp_path / "temp", fail_on="error")
    assert (run.status, run.outputs["count"], codes(run)) == (0, "1", ["SB401"])
    assert runner.run(tmp_path / "again", fail_on="warning").status == 1


def test_a_baseline(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("a.sh", SRUN_ONLY)
    repository.run("sbatchlint", "--write-baseline", "known.json", "a.sh")
    assert runner.run(tmp_path / "temp", baseline="known.json").status == 0
    repository.write("b.sh", EARLY)
    assert codes(runner.run(tmp_path / "again", baseline="known.json")) == ["SB401"]


def test_a_configuration_file(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("a.sh", SRUN_ONLY)
    repository.write("ci/lint.toml", 'ignore = ["SB101"]\n')
    assert runner.run(tmp_path / "temp", config="ci/lint.toml").status == 0


def test_a_mistake_in_the_configuration(runner: Runner, repository: Repository, tmp_path: Path) -> None:
    repository.write("a.sh", SRUN_ONLY)
    repository.write("sbatchlint.toml", 'ingore = ["SB101"]\n')
    run = runner.run(tmp_path / "temp")
    assert (run.status, run.outputs["exit-status"], run.outputs["count"]) == (2, "2", "")
    assert "ignore" in run.log
    mistake, end = run.commands("error")
    assert "unknown key 'ingore'" in mistake and "could be checked" in end


RULE = '''\
"""Rules of a site."""

from sbatchlint.api import Rule

open("owned", "w")
'''


def test_rules_of_the_checked_repository_need_leave(
    runner: Runner, repository: Repository, tmp_path: Path
) -> None:
    repository.write("site_rules/__init__.py", RULE)
    repository.write("sbatchlint.toml", 'plugins = ["./site_rules"]\n')
    repository.write("a.sh", GOOD)
    runner.environment["SBATCHLINT_ALLOW_PLUGINS"] = "1"
    run = runner.run(tmp_path / "temp")
    assert run.status == 2 and "--allow-plugins" in run.log
    assert not (repository.folder / "owned").exists()
    runner.run(tmp_path / "again", allow_plugins="true")
    assert (repository.folder / "owned").exists()


@pytest.mark.parametrize("name", ["only-changed-lines", "annotations", "summary", "allow-plugins"])
def test_what_is_neither_true_nor_false(
    runner: Runner, repository: Repository, tmp_path: Path, name: str
) -> None:
    repository.write("a.sh", GOOD)
    run = runner.run(tmp_path / "temp", **{name: "yes"})
    assert run.status == 2
    assert run.commands("error") == [f"::error title=sbatchlint::the input {name} takes true or false"]


def test_an_old_python_is_named(runner: Runner, tmp_path: Path) -> None:
    old = tmp_path / "python3.9"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    runner.preset.clear()
    run = runner.run(tmp_path / "temp", python=str(old))
    assert run.status == 2
    assert ["3.10" in line for line in run.commands("error")] == [True]

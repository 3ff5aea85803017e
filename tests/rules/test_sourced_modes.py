"""Files that a script sources may say `set -e` or `pipefail`: how sure the rules are that rest on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, findings, job

END = ("srun python fit.py", "echo done")
PIPE = ("srun python fit.py | tee fit.log",)
FOLDER = ('cd "$RUN_FOLDER"', "rm -rf checkpoints", "srun python fit.py")
RESTING = {"SB353": END, "SB354": PIPE, "SB362": FOLDER}
MODES = {"SB353": "set -e", "SB354": "set -eo pipefail", "SB362": "set -e"}


def _confidences(text: str, code: str) -> list[str]:
    return [found.confidence.value for found in findings(text, code)]


@pytest.mark.parametrize("code", RESTING)
@pytest.mark.parametrize(
    "line",
    [
        'source "${SLURM_SUBMIT_DIR:-$(pwd)}/slurm/env.sh"',
        ". ./common.sh",
        "[ -f setup.sh ] && source setup.sh",
        "source $SETTINGS",
        "HERE=/home/me/project; source $HERE/config.conf",
        "init() { source lib/common.sh; }; init",
        "source lib/conda_env_strict.sh",
        "set +e; source lib/common.sh",
    ],
)
def test_a_file_of_ones_own_may_switch_a_mode_on(code: str, line: str) -> None:
    assert _confidences(job(line, *RESTING[code]), code) == ["medium"]


@pytest.mark.parametrize("code", RESTING)
@pytest.mark.parametrize(
    "line",
    [
        "source venv/bin/activate",
        "source activate pytorch",
        "V=/data/venv/bin/activate; source $V",
        'source "$(conda info --base)/etc/profile.d/conda.sh"',
        "source ~/.bashrc",
        "source $HOME/.bash_profile",
        ". /etc/profile",
        "source /usr/share/lmod/lmod/init/bash",
        ". $SPACK_ROOT/share/spack/setup-env.sh",
        "source /opt/intel/oneapi/setvars.sh",
        "source .env",
        "(source lib/common.sh)",
        "source lib/common.sh; set +e; set +o pipefail",
    ],
)
def test_what_leaves_the_modes_alone_changes_nothing(code: str, line: str) -> None:
    assert _confidences(job(line, *RESTING[code]), code) == ["high"]


@pytest.mark.parametrize("code", RESTING)
@pytest.mark.parametrize("switches", [True, False])
def test_a_file_that_stands_beside_the_script_is_read(code: str, switches: bool, tmp_path: Path) -> None:
    (tmp_path / "env.sh").write_text((MODES[code] if switches else "N=1") + "\n")
    source = Source.from_text(job("source env.sh", *RESTING[code]), str(tmp_path / "job.sh"))
    result = lint_source(source, all_rules(), LintOptions(folder=str(tmp_path)))
    found = [one.confidence.value for one in result.findings if one.code == code]
    assert found == ([] if switches else ["high"])


@pytest.mark.parametrize("code", RESTING)
def test_a_file_that_the_script_writes_itself_is_known(code: str) -> None:
    document = ("cat > strict.sh <<EOF", MODES[code], "EOF", "source strict.sh")
    assert _confidences(job(*document, *RESTING[code]), code) == []


def test_a_file_that_is_sourced_behind_the_work_comes_too_late() -> None:
    assert _confidences(job("srun python fit.py | tee fit.log; echo $?", ". lib/end.sh"), "SB354") == ["high"]


def test_a_false_test_at_the_end_fails_the_job_either_way() -> None:
    text = job("source lib/common.sh", "srun python fit.py", "[ -f a ] && rm a")
    assert _confidences(text, "SB353") == ["high"]

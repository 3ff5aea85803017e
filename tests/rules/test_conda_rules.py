"""SB605, SB606 and SB608: what a batch shell knows of conda and of modules."""

from __future__ import annotations

import pytest

from tests.rules.checking import fixed, job, lines

HOOK = "source /opt/conda/etc/profile.d/conda.sh"


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (["set -u", HOOK, "conda activate t"], 5),
        (["set -o nounset", HOOK, "conda activate t"], 5),
        (["set -o errexit -o nounset -o pipefail", HOOK, "mamba activate t"], 5),
        (["set -e", "set -euo pipefail", 'eval "$(conda shell.bash hook)"', "conda activate t"], 6),
        (["set -u", "source activate t"], 4),
        (["set -u", "source ~/.bashrc"], 4),
        (["set -u", "setup() {", HOOK, "conda activate t", "}", "setup"], 6),
        (["set -u", HOOK, "set +u", "set -u", "conda activate t"], 7),
    ],
)
def test_set_u_is_on(body: list[str], line: int) -> None:
    assert lines(job(*body, ntasks=1), "SB605") == [(line, "warning")]


@pytest.mark.parametrize(
    "body",
    [
        [HOOK, "conda activate t", "set -u"],
        ["set -u", HOOK, "set +u", "conda activate t", "set -u"],
        ["set -u", HOOK, "set +o nounset", "conda activate t"],
        ["set -eo pipefail", HOOK, "conda activate t"],
        ["(set -u)", HOOK, "conda activate t"],
        ["set -u", "source venv/bin/activate"],
        ["set -u", "conda list; conda run -n t python x"],
    ],
)
def test_set_u_is_off(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), "SB605") == []


def test_every_such_command_gets_its_pause() -> None:
    text = job("set -u", "source ~/.bashrc", "  conda activate t  # ours", ntasks=1)
    mended = job(
        "set -u", "set +u; source ~/.bashrc; set -u", "  set +u; conda activate t; set -u  # ours", ntasks=1
    )
    assert fixed(text).converged.source.text == mended


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        (["conda activate t"], "error"),
        (["export A=1", "conda activate t; srun python x"], "error"),
        (["conda activate t && srun python x"], "warning"),
        (["mamba activate t"], "error"),
        (["conda init bash", "conda activate t"], "error"),
        (["setup() { conda activate t; }", "setup"], "warning"),
        (["if [ -n $1 ]; then conda activate t; fi"], "warning"),
    ],
)
def test_conda_is_not_known(body: list[str], severity: str) -> None:
    assert [found for _, found in lines(job(*body, ntasks=1), "SB606")] == [severity]


@pytest.mark.parametrize(
    "body",
    [
        [HOOK, "conda activate t"],
        [". /opt/conda/etc/profile.d/conda.sh", "conda activate t"],
        ['source "$(conda info --base)/etc/profile.d/conda.sh"', "conda activate t"],
        ['eval "$(conda shell.bash hook)"', "conda activate t"],
        ["source ~/.bashrc", "conda activate t"],
        ["module load anaconda3", "conda activate t"],
        ["ml miniforge", "conda activate t"],
        ["conda() { :; }", "conda activate t"],
        ["conda run -n t python x"],
        ["# conda activate t"],
        ["echo conda activate t"],
    ],
)
def test_conda_may_be_known(body: list[str]) -> None:
    assert lines(job(*body, ntasks=1), "SB606") == []


@pytest.mark.parametrize(
    "first", ["#!/bin/bash -l", "#!/bin/bash --login", "#!/usr/bin/env -S bash -l", "#!/bin/bash -i"]
)
def test_a_login_shell_reads_the_start_files(first: str) -> None:
    assert lines(f"{first}\n#SBATCH --ntasks=1\nconda activate t\n", "SB606") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#!/bin/sh\n#SBATCH --ntasks=1\nmodule load cuda\n", [(3, "info")]),
        ("#!/bin/dash\n#SBATCH --ntasks=1\nml cuda\n", [(3, "info")]),
        ("#!/bin/bash\n#SBATCH --export=NONE\nmodule load cuda\n", [(3, "info")]),
        ("#!/bin/bash\n#SBATCH --ntasks=1\nmodule load cuda\n", []),
        ("#!/bin/sh -l\n#SBATCH --ntasks=1\nmodule load cuda\n", []),
        ("#!/bin/sh\n#SBATCH --ntasks=1\n. /etc/profile.d/modules.sh\nmodule load cuda\n", []),
        ("#!/bin/bash\n#SBATCH --export=ALL\nmodule load cuda\n", []),
    ],
)
def test_module_where_nothing_sets_it_up(text: str, expected: list[tuple[int, str]]) -> None:
    assert lines(text, "SB608") == expected


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ([HOOK, "srun bash -c 'conda activate t && python x'"], True),
        ([HOOK, "CMD='conda activate t; python x'", 'srun bash -c "$CMD"'], True),
        ([HOOK, "srun bash -lc 'conda activate t && python x'"], False),
        ([f"srun bash -c '{HOOK}; conda activate t; python x'"], False),
        (["srun bash -c 'eval \"$(conda shell.bash hook)\"; conda activate t; python x'"], False),
        ([HOOK, "srun --container-image=/i.sqsh bash -c 'conda activate t; python x'"], False),
        ([HOOK, "conda activate t", "srun python x"], False),
    ],
)
def test_a_tasks_shell_starts_anew(body: list[str], found: bool) -> None:
    assert [severity for _, severity in lines(job(*body, ntasks=2), "SB606")] == (
        ["warning"] if found else []
    )

"""What the rules of the launch family mend, and what they leave to the author."""

from __future__ import annotations

import pytest

from sbatchlint.api import Safety
from sbatchlint.cluster.profile import Profile
from sbatchlint.lint.engine import lint_source
from sbatchlint.lint.job import LintOptions
from sbatchlint.source import Source
from tests.rules.checking import all_rules, findings, fixed, job

NODES = {"nodes": 2, "ntasks_per_node": 1, "gpus_per_node": 8}
SMALL = {"nodes": 1, "ntasks_per_node": 2, "gpus_per_node": 2}
TORCHRUN = "torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=n0:24000 t.py"
JOB_PORT = "$((20000 + SLURM_JOB_ID % 10000))"


@pytest.mark.parametrize(
    ("code", "size", "before", "after"),
    [
        (
            "SB311",
            NODES,
            f"{TORCHRUN} 2>&1 | tee log",
            f"srun {TORCHRUN} 2>&1 | tee log",
        ),
        ("SB314", SMALL, 'export MASTER_PORT="29500"', f"export MASTER_PORT={JOB_PORT}"),
        ("SB320", NODES, "HEAD=n0", "export HEAD=n0"),
        ("SB322", NODES, "H=127.0.0.1", 'H=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)'),
        ("SB335", SMALL, "export CUDA_VISIBLE_DEVICES=0,1,2", "# export CUDA_VISIBLE_DEVICES=0,1,2"),
    ],
)
def test_a_clear_case_is_mended(code: str, size: dict[str, object], before: str, after: str) -> None:
    use = {
        "SB311": "",
        "SB314": "export MASTER_ADDR=$(hostname)\nsrun python own.py",
        "SB320": "srun bash -c 'python own.py --address $HEAD'",
        "SB322": "srun torchrun --nnodes=2 --rdzv_backend=c10d --rdzv_endpoint=$H:24000 t.py",
        "SB335": "srun python own.py",
    }[code]
    lines = fixed(job(before, use, **size)).converged.source.text.splitlines()
    assert after in lines


@pytest.mark.parametrize(
    ("code", "body", "size"),
    [
        # the tasks per node are not what torchrun needs
        ("SB311", ["torchrun --nnodes=2 t.py"], {**NODES, "ntasks_per_node": 8}),
        # somebody else is told of the port as well
        ("SB314", ["export MASTER_ADDR=h MASTER_PORT=29500", "curl h:29500", "srun python own.py"], SMALL),
        # it is set in a branch only
        ("SB320", ["if true; then", "  H=$(hostname)", "fi", "srun bash -c 'python own.py $H'"], NODES),
        # the first GPU alone may be what is meant
        ("SB335", ["export CUDA_VISIBLE_DEVICES=0", "srun python own.py"], SMALL),
        # nothing says that this shell is the only one to read it
        ("SB321", ["srun python own.py --rank '$SLURM_PROCID'"], NODES),
    ],
)
def test_a_doubtful_case_is_left_alone(code: str, body: list[str], size: dict[str, object]) -> None:
    found = findings(job(*body, **size), code)
    assert found and all(one.fix is None or one.fix.safety is not Safety.SAFE for one in found)


def _codes(text: str, cluster: Profile) -> set[str]:
    result = lint_source(Source.from_text(text, "job.sh"), all_rules(), LintOptions(cluster=cluster))
    return {found.code for found in result.findings}


def test_a_partition_of_whole_nodes_has_no_port_to_share() -> None:
    text = job("export MASTER_ADDR=h MASTER_PORT=29500", "srun python own.py", partition="gpu", **SMALL)
    whole = Profile.model_validate({"partitions": [{"name": "gpu", "over_subscribe": "EXCLUSIVE"}]})
    shared = Profile.model_validate({"partitions": [{"name": "gpu", "over_subscribe": "NO"}]})
    assert "SB314" not in _codes(text, whole)
    assert "SB314" in _codes(text, shared)


def test_a_default_plugin_for_mpi_is_enough() -> None:
    text = job("srun --container-image=i.sqsh all_reduce_perf -b 8", **NODES)
    assert "SB333" not in _codes(text, Profile.model_validate({"settings": {"mpi_default": "pmix"}}))
    assert "SB333" in _codes(text, Profile.model_validate({"settings": {"mpi_default": "none"}}))

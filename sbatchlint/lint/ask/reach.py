"""Whether a script brings anything to the nodes other than the batch host."""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.launch.plan import LaunchPlan, Program, Step

_REMOTE = frozenset(
    "ssh pdsh clush pssh parallel-ssh rsh dsh mpirun mpiexec mpiexec.hydra mpiexec.slurm orterun "
    "prun prterun horovodrun jsrun ibrun aprun flux ray deepspeed colossalai composer dask dask-scheduler "
    "srun sbatch salloc submitit snakemake nextflow parsl mpiexec.mpich mpprun".split()
)
_IDLE = frozenset(
    "hostname echo nvidia-smi rocm-smi mkdir rm cp mv ls cat date true env printenv sleep scontrol bash sh "
    "free lscpu numactl nproc awk head ip ifconfig uname df which".split()
)
_OF_HOSTS = ("sshlogin", "slf", "S")
"""What the names of parallel's options for other hosts begin with; a value may be glued to ``-S``."""


def reaches_other_nodes(plan: LaunchPlan, besides: str = "") -> bool:
    """Whether a step does some work on other nodes than the batch host, or may; or ssh and its like do.

    The launcher *besides* does not count.
    """
    if any(_may_be_elsewhere(step) for step in plan.steps):
        return True
    for program in plan.host_programs:
        names = {layer.name for layer in program.layers} | {program.name or ""}
        names.discard(besides)
        unknown = program.target.text is None and not program.layers
        if names & _REMOTE or unknown or _runs_remote(program):
            return True
    return False


def _runs_remote(program: Program) -> bool:
    """Tell whether GNU parallel is told of other hosts (``--sshlogin``, ``--sshloginfile``, ``-S``)."""
    return any(
        layer.name == "parallel" and any(option.name.startswith(_OF_HOSTS) for option in layer.options)
        for layer in program.layers
    )


def _may_be_elsewhere(step: Step) -> bool:
    if not step.programs:
        return True
    if _is_alone(step):
        return False
    return any(program.name is None or program.name not in _IDLE for program in step.programs)


def _is_alone(step: Step) -> bool:
    """Whether the step has one node, which it does not choose, to itself: the script waits for its end."""
    nodes = step.geometry.nodes
    chosen = any(step.get(name) is not None for name in ("nodelist", "exclude", "relative"))
    one = nodes is not None and nodes.value == 1 and nodes.certainty is Certainty.KNOWN
    return one and not chosen and not step.background and not step.conditional

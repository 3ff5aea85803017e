"""The variables of the submitting shell that sbatch reads as if they were options.

The facts are the tables ``early_env_vars`` and ``env_vars`` of ``src/sbatch/opt.c`` in releases 20.11 to
26.05, and ``slurm_process_option`` for what a flag's variable means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.slurm.grammar.c_text import leading_integer
from sbatchlint.slurm.options import OptionSpec, Release, option_table
from sbatchlint.slurm.variable_table import variable_rows

_PREFIX = "SBATCH_"
_NUMBER = regex(r"\s*[+-]?[0-9]+")


@dataclass(frozen=True, slots=True)
class SubmitVariable:
    """One variable that sbatch reads, and the option that it stands for."""

    name: str
    option: str
    """Long name without dashes."""
    since: Release | None = None
    """First series that reads it; None where every supported one does."""

    def read_by(self, release: Release | None) -> bool:
        """Tell whether sbatch of *release* (None: of any) reads the variable."""
        return release is None or self.since is None or release >= self.since


def _variables() -> Iterator[SubmitVariable]:
    for name, option, since in variable_rows(_TABLE):
        yield SubmitVariable(name if name.startswith("SLURM_") else _PREFIX + name, option, since)


_TABLE = """
IGNORE_PBS=ignore-pbs DEBUG=verbose ACCOUNT=account ARRAY_INX=array ACCTG_FREQ=acctg-freq BATCH=batch
BURST_BUFFER=bb CLUSTER_CONSTRAINT=cluster-constraint CLUSTERS=clusters SLURM_CLUSTERS=clusters
CONSOLIDATE_SEGMENTS=consolidate-segments@25.11 CONTAINER=container@21.08 CONTAINER_ID=container-id@23.02
CONTAINER_TYPE=container-type@26.05 CONSTRAINT=constraint CORE_SPEC=core-spec CPU_FREQ_REQ=cpu-freq
CPUS_PER_GPU=cpus-per-gpu DELAY_BOOT=delay-boot DISTRIBUTION=distribution EXCLUSIVE=exclusive EXPORT=export
GET_USER_ENV=get-user-env GRES=gres GRES_FLAGS=gres-flags GPUS=gpus GPU_BIND=gpu-bind GPU_FREQ=gpu-freq
GPUS_PER_NODE=gpus-per-node GPUS_PER_SOCKET=gpus-per-socket GPUS_PER_TASK=gpus-per-task SLURM_HINT=hint
HINT=hint JOB_NAME=job-name MEM_BIND=mem-bind MEM_PER_CPU=mem-per-cpu MEM_PER_GPU=mem-per-gpu
MEM_PER_NODE=mem NETWORK=network NO_KILL=no-kill NO_REQUEUE=no-requeue OPEN_MODE=open-mode
OVERCOMMIT=overcommit PARTITION=partition POWER=power PROFILE=profile QOS=qos REQ_SWITCH=switches
REQUEUE=requeue RESERVATION=reservation SEGMENT_SIZE=segment@25.05 SIGNAL=signal SPREAD_JOB=spread-job
SPREAD_SEGMENTS=spread-segments@25.11 THREAD_SPEC=thread-spec THREADS_PER_CORE=threads-per-core@21.08
TIMELIMIT=time TRES_BIND=tres-bind@23.11 TRES_PER_TASK=tres-per-task@23.02 USE_MIN_NODES=use-min-nodes
WAIT=wait WAIT_ALL_NODES=wait-all-nodes WCKEY=wckey ERROR=error@22.05 INPUT=input@22.05 OUTPUT=output@22.05
"""
SUBMIT_VARIABLES: tuple[SubmitVariable, ...] = tuple(_variables())
"""In the order in which sbatch reads them: of two for one option the later one counts."""

_OTHERS = frozenset({"SBATCH_WAIT4SWITCH"})
"""Read by sbatch too, for what no option of its own says."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What one variable says."""

    variable: SubmitVariable
    spec: OptionSpec
    value: str | None
    """None for a flag, and for an option whose value may be missing where the variable is empty."""
    unset: bool = False
    """True for a flag's variable that takes back what a directive set, such as ``SBATCH_REQUEUE=no``."""


def settings(environment: Iterable[tuple[str, str]], release: Release | None) -> tuple[Setting, ...]:
    """Return what sbatch of *release* (None: of the newest known) reads in *environment*, in its order."""
    given = dict(environment)
    if not given:
        return ()
    found = []
    for variable in SUBMIT_VARIABLES:
        text = given.get(variable.name)
        spec = option_table().get(variable.option)
        if text is None or not variable.read_by(release) or not spec.accepted("sbatch", release):
            continue
        kind = spec.argument("sbatch", release).value
        if kind == "none":
            found.append(Setting(variable, spec, None, not _switches_on(text)))
        else:
            found.append(Setting(variable, spec, None if kind == "optional" and not text else text))
    return tuple(found)


def unread(
    environment: Iterable[tuple[str, str]], release: Release | None
) -> tuple[tuple[str, OptionSpec], ...]:
    """Return the variables that look like an option of sbatch but are not read, with that option."""
    given = [name for name, _ in environment if name.startswith(_PREFIX)]
    if not given:
        return ()
    known = {variable.name for variable in SUBMIT_VARIABLES if variable.read_by(release)} | _OTHERS
    return tuple(
        (name, spec) for name in given if name not in known for spec in _named(name.removeprefix(_PREFIX))
    )


def _named(name: str) -> tuple[OptionSpec, ...]:
    """Find the option of sbatch that a variable's name spells, if there is one."""
    long = next((one.option for one in SUBMIT_VARIABLES if one.name == _PREFIX + name), None)
    try:
        spec = option_table().get(long or name.lower().replace("_", "-"))
    except KeyError:
        return ()
    return (spec,) if spec.accepted("sbatch") else ()


def _switches_on(text: str) -> bool:
    """Tell whether a flag's variable sets the flag: empty, ``yes``, or a number that is not 0."""
    if not text or text.lower() == "yes":
        return True
    return _NUMBER.fullmatch(text) is not None and leading_integer(text)[0] != 0

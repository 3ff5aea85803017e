"""The variables that srun reads as if they were options: below its own options, above what the job has.

The facts are the table ``env_vars`` of ``src/srun/opt.c`` in the last release of each series, 20.11 to 26.05.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from sbatchlint.records import dataclass
from sbatchlint.slurm.options import SUPPORTED_RELEASES, Release
from sbatchlint.slurm.variable_table import variable_rows

_TABLE = """
SLURM_ACCOUNT=account SLURM_ACCTG_FREQ=acctg-freq SLURM_BCAST=bcast SLURM_BCAST_EXCLUDE=bcast-exclude@21.08
SLURM_BURST_BUFFER=bb SLURM_CLUSTERS=clusters SLURM_CLUSTER_CONSTRAINT=cluster-constraint
SLURM_COMPRESS=compress SLURM_CONSOLIDATE_SEGMENTS=consolidate-segments@25.11 SLURM_CONSTRAINT=constraint
SLURM_CORE_SPEC=core-spec SLURM_CPUS_PER_TASK=cpus-per-task SLURM_CPU_BIND=cpu-bind
SLURM_CPU_FREQ_REQ=cpu-freq SLURM_CPUS_PER_GPU=cpus-per-gpu SLURM_DELAY_BOOT=delay-boot
SLURM_DEPENDENCY=dependency SLURM_DISABLE_STATUS=disable-status SLURM_DISTRIBUTION=distribution
SLURM_EPILOG=epilog SLURM_EXACT=exact SLURM_EXCLUSIVE=exclusive SLURM_EXPORT_ENV=export
SRUN_EXPORT_ENV=export SLURM_EXTERNAL_LAUNCHER=external-launcher@23.11 SLURM_GPUS=gpus
SLURM_GPU_BIND=gpu-bind SLURM_GPU_FREQ=gpu-freq SLURM_GPUS_PER_NODE=gpus-per-node
SLURM_GPUS_PER_SOCKET=gpus-per-socket SLURM_GPUS_PER_TASK=gpus-per-task SLURM_GRES=gres
SLURM_GRES_FLAGS=gres-flags SLURM_HINT=hint SLURM_JOB_ID=jobid SLURM_JOB_NAME=job-name
SLURM_JOB_NUM_NODES=nodes SLURM_KILL_BAD_EXIT=kill-on-bad-exit SLURM_LABELIO=label
SLURM_MEM_BIND=mem-bind SLURM_MEM_PER_CPU=mem-per-cpu SLURM_MEM_PER_GPU=mem-per-gpu
SLURM_MEM_PER_NODE=mem SLURM_MPI_TYPE=mpi SLURM_NCORES_PER_SOCKET=cores-per-socket SLURM_NETWORK=network
SLURM_NO_KILL=no-kill SLURM_NPROCS=ntasks SLURM_NTASKS=ntasks SLURM_NSOCKETS_PER_NODE=sockets-per-node
SLURM_NTASKS_PER_CORE=ntasks-per-core@23.02 SLURM_NTASKS_PER_NODE=ntasks-per-node
SLURM_NTASKS_PER_GPU=ntasks-per-gpu SLURM_OOM_KILL_STEP=oom-kill-step@24.11 SLURM_OPEN_MODE=open-mode
SLURM_OVERCOMMIT=overcommit SLURM_OVERLAP=overlap SLURM_PARTITION=partition SLURM_PROFILE=profile
SLURM_PROLOG=prolog SLURM_QOS=qos SLURM_REMOTE_CWD=chdir SLURM_REQ_SWITCH=switches
SLURM_RESERVATION=reservation SLURM_RESV_PORTS=resv-ports SLURM_SEND_LIBS=send-libs@21.08
SLURM_SIGNAL=signal SLURM_SPREAD_JOB=spread-job SLURM_SPREAD_SEGMENTS=spread-segments@25.11
SLURM_SRUN_MULTI=multi-prog SLURM_STDERRMODE=error SLURM_STDINMODE=input SLURM_STDOUTMODE=output
SLURM_TASK_EPILOG=task-epilog SLURM_TASK_PROLOG=task-prolog SLURM_THREAD_SPEC=thread-spec
SLURM_THREADS=threads SLURM_THREADS_PER_CORE=threads-per-core SLURM_TIMELIMIT=time
SLURM_TRES_BIND=tres-bind@23.11 SLURM_TRES_PER_TASK=tres-per-task@23.02 SLURM_UNBUFFEREDIO=unbuffered
SLURM_USE_MIN_NODES=use-min-nodes SLURM_WAIT=wait SLURM_WCKEY=wckey SLURM_WORKING_DIR=chdir
SRUN_CPUS_PER_TASK=cpus-per-task@22.05 SRUN_CONTAINER=container@21.08 SRUN_CONTAINER_ID=container-id@23.02
SRUN_CONTAINER_TYPE=container-type@26.05 SLURM_DEBUG=verbose@22.05 SRUN_ERROR=error@23.02
SRUN_INPUT=input@23.02 SRUN_OUTPUT=output@23.02 SRUN_SEGMENT_SIZE=segment@25.05
"""
"""In the order in which srun reads them, with the first series that does where not all do."""
_EXCEPT: Mapping[str, frozenset[Release]] = {
    "SLURM_CPUS_PER_TASK": frozenset(((22, 5), (23, 2))),
    "SRUN_CPUS_PER_TASK": frozenset(release for release in SUPPORTED_RELEASES if release > (23, 2)),
}
"""Series that do not read a variable which an older one reads."""


@dataclass(frozen=True, slots=True)
class SrunVariable:
    """One variable, and the option that it stands for."""

    name: str
    option: str
    """Long name without dashes."""
    series: frozenset[Release]
    """The series that read it."""

    def read_by(self, release: Release | None) -> bool | None:
        """Tell whether srun of *release* reads it; None where the release decides and is not told.

        A series newer than those known is taken to be as the newest of them.
        """
        if release is None:
            return True if len(self.series) == len(SUPPORTED_RELEASES) else None
        known = [series for series in SUPPORTED_RELEASES if series <= release]
        return (known[-1] if known else SUPPORTED_RELEASES[0]) in self.series


def _variables() -> Iterator[tuple[str, SrunVariable]]:
    for name, option, since in variable_rows(_TABLE):
        series = {release for release in SUPPORTED_RELEASES if since is None or release >= since}
        yield name, SrunVariable(name, option, frozenset(series - _EXCEPT.get(name, frozenset())))


SRUN_VARIABLES: Mapping[str, SrunVariable] = MappingProxyType(dict(_variables()))
"""By name, in the order in which srun reads them: of two for one option the later one counts."""

__all__ = ["SRUN_VARIABLES", "SrunVariable"]

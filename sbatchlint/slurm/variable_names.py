"""The names of the ``SLURM_`` variables: whether Slurm knows one, and which one was meant.

The names were gathered from Slurm's sources, releases 20.11 to 26.05: what sbatch, srun, salloc, slurmctld,
slurmd and slurmstepd set for jobs, steps, prologs and epilogs, what the commands read, and what the manual
pages say.
"""

from __future__ import annotations

from functools import lru_cache

from sbatchlint.regex import regex
from sbatchlint.slurm.environment import ALWAYS_SET, PER_TASK, STEP_VARIABLES
from sbatchlint.slurm.srun_environment import SRUN_VARIABLES
from sbatchlint.slurm.submit_environment import SUBMIT_VARIABLES

_OTHERS = """
ARBITRARY_NODELIST ARCH ARRAY_JOB_ID ARRAY_TASK_COUNT ARRAY_TASK_ID ARRAY_TASK_MAX ARRAY_TASK_MIN
ARRAY_TASK_STEP CHECKPOINT CHECKPOINT_IMAGE_DIR CONF CONFIG_FETCH CONF_OUT CONF_SERVER CONTAINER
CONTAINER_ID CONTAINER_TYPE DEBUG_FLAGS DIST_LLLP DIST_PLANESIZE EXIT_ERROR EXIT_IMMEDIATE GET_USER_ENV
GPUS_ON_NODE GTID HET_JOB_ID HET_JOB_NODELIST HET_JOB_OFFSET HET_SIZE HOSTFILE JOB_ACCOUNT JOB_COMMENT
JOB_CONSTRAINTS JOB_CORE_SPEC_COUNT JOB_CORE_SPEC_TYPE JOB_CPUS JOB_DEPENDENCY JOB_DERIVED_EC JOB_END_TIME
JOB_EXCLUSIVE JOB_EXIT_CODE JOB_EXIT_CODE2 JOB_EXIT_CODE_MAX JOB_EXIT_CODE_MIN JOB_EXTRA JOB_GPUS JOB_GRES
JOB_GROUP JOB_LICENSES JOB_MAIL_TYPE JOB_MEM JOB_MICS JOB_MOUNTPOINT_SRC JOB_NICS JOB_NTASKS
JOB_OVERSUBSCRIBE JOB_PARTITION JOB_QOS JOB_QUEUED_TIME JOB_RESERVATION JOB_RESTART_COUNT JOB_RUN_TIME
JOB_SEGMENT_SIZE JOB_SELINUX_CONTEXT JOB_SLUID JOB_STAGE_OUT_TIME JOB_START_TIME JOB_STATE JOB_STDERR
JOB_STDIN JOB_STDOUT JOB_TERM_SIGNAL_MAX JOB_WORK_DIR JSON JWT MEM_BIND_LIST MEM_BIND_PREFER MEM_BIND_SORT
MEM_BIND_TYPE MEM_BIND_VERBOSE NNODES NODEFILE NODE_ALIASES NODE_IS_HEALTHY NODE_NAME NS_PID
NTASKS_PER_SOCKET NTASKS_PER_TRES OS PACK_JOB_ID PACK_JOB_NODELIST PACK_JOB_OFFSET PACK_SIZE POWER
PROLOG_CPU_MASK PTY_PORT PTY_WIN_COL PTY_WIN_ROW RESTART_COUNT RESUME_FILE SCRIPT_CONTEXT SHARDS_ON_NODE
SLINGSHOT_CXI_LIB SLINGSHOT_CXI_VERSION SRUN_CR_SOCKET SRUN_REDUCE_TASK_EXIT_MSG SRUN_TLS_CERT STEPMGR
STEP_GRES STEP_KILLED_MSG_NODE_ID STEP_LAUNCHER_IPADDR STEP_LOCALID STEP_MICS STEP_NICS STEP_NODEID
STEP_PROCID STORAGE_HOSTNAME STORAGE_PORT STORAGE_USER TASKS_PER_NODE TIME_FORMAT TOPOLOGY_ADDR_PATTERN
TREE_WIDTH UID UMASK USER VERSION WAIT4SWITCH WORKING_CLUSTER X11_SETUP_FAILED YAML
"""
"""Those in none of the tables of the batch shell, of steps and of options; without ``SLURM_``."""
_DAEMON = (
    "SLURMD_BOOT_TIME",
    "SLURMD_DEBUG",
    "SLURMD_OOM_ADJ",
    "SLURMD_TRES_BIND",
    "SLURMD_TRES_FREQ",
)
_OF_OPTIONS = (*SRUN_VARIABLES, *(variable.name for variable in SUBMIT_VARIABLES))
KNOWN_NAMES: frozenset[str] = frozenset(
    (
        *ALWAYS_SET,
        *PER_TASK,
        *STEP_VARIABLES,
        *(name for name in _OF_OPTIONS if name.startswith("SLURM_")),
        *(f"SLURM_{name}" for name in _OTHERS.split()),
        *_DAEMON,
    )
)
"""Every variable that some release sets or reads; families that are counted are not among them."""
_FAMILY = regex(
    r"\w+_(?:HET|PACK)_GROUP_\d+|SLURM_(?:SPANK|PMI|PMI2|PMIX|RLIMIT|ARCHIVE|SACK|PLUGIN|TEST)_\w*|SLURM_SPANK\w*"
)
_OF_JOBS = (
    "ARRAY_JOB_ID ARRAY_TASK_COUNT ARRAY_TASK_ID ARRAY_TASK_MAX ARRAY_TASK_MIN ARRAY_TASK_STEP CPUS_PER_GPU "
    "CPUS_PER_TASK GPUS GPUS_PER_NODE GPUS_PER_TASK GPUS_ON_NODE JOB_ACCOUNT JOB_GPUS JOB_NAME JOB_NUM_NODES "
    "JOB_PARTITION JOB_QOS JOB_RESERVATION JOB_START_TIME JOB_END_TIME MEM_PER_CPU MEM_PER_GPU MEM_PER_NODE "
    "NNODES NPROCS NTASKS NTASKS_PER_NODE NTASKS_PER_GPU RESTART_COUNT TASKS_PER_NODE"
)
JOB_NAMES: frozenset[str] = frozenset(
    (*(f"SLURM_{name}" for name in _OF_JOBS.split()), *ALWAYS_SET, *PER_TASK, *STEP_VARIABLES)
)
"""The variables that scripts of jobs have a use for; what a misspelt name is compared with."""
_LONG_NAME = 14
_MEANT = {
    "SLURM_JOB_NUM_TASKS": "SLURM_NTASKS",
    "SLURM_NUM_TASKS": "SLURM_NTASKS",
    "SLURM_NTASKS_PER_JOB": "SLURM_NTASKS",
    "SLURM_NUM_NODES": "SLURM_NNODES",
    "SLURM_NODES": "SLURM_NNODES",
    "SLURM_RANK": "SLURM_PROCID",
    "SLURM_GLOBAL_RANK": "SLURM_PROCID",
    "SLURM_LOCAL_RANK": "SLURM_LOCALID",
    "SLURM_NODE_RANK": "SLURM_NODEID",
    "SLURM_TASK_ID": None,
    "SLURM_TASKID": None,
    "SLURM_JOB_NODES": None,
}
"""What names that people make up stand for; None where that is one of two things."""


def is_known(name: str) -> bool:
    """Tell whether any supported release of Slurm sets or reads the variable *name*."""
    return name in KNOWN_NAMES or _FAMILY.fullmatch(name) is not None


@lru_cache(maxsize=4096)
def nearest(name: str) -> str | None:
    """Return the variable of jobs that *name* stands for; None for none, or for one of several.

    A misspelt name is one slip away, a long one two.
    """
    if name in _MEANT:
        return _MEANT[name]
    most = 2 if len(name) > _LONG_NAME else 1
    close = sorted((letters_apart(name, known, most), known) for known in JOB_NAMES)
    best = close[0]
    if best[0] > most or (len(close) > 1 and close[1][0] == best[0]):
        return None
    return best[1]


def letters_apart(one: str, other: str, most: int) -> int:
    """Count the letters to add, drop, change or swap; any number above *most* where that is too many."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, right in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


__all__ = ["JOB_NAMES", "KNOWN_NAMES", "is_known", "letters_apart", "nearest"]

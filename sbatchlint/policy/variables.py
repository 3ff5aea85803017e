"""What a policy's expression may speak of: one table for the checker, the values and the reference."""

from __future__ import annotations

from sbatchlint.policy.types import BOOL, DURATION, INT, STRING, Type, list_of, map_of
from sbatchlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Field:
    """One value."""

    name: str
    type: Type
    says: str
    """What it is, and what it is where the script does not say."""
    options: tuple[str, ...] = ()
    """The options of sbatch that it comes from: a finding points at them."""
    shown: bool = True
    """Whether a message may show it."""


@dataclass(frozen=True, slots=True)
class Thing:
    """A variable with fields, or the elements of a list."""

    name: str
    says: str
    fields: tuple[Field, ...]

    def get(self, name: str) -> Field | None:
        """Return the field called *name*."""
        return next((field for field in self.fields if field.name == name), None)


_NODES = ("nodes", "ntasks", "ntasks-per-node", "gpus")
_TASKS = ("ntasks", "ntasks-per-node", "nodes")
_GPUS = (
    "gpus-per-node",
    "gres",
    "gpus",
    "gpus-per-task",
    "tres-per-task",
    "ntasks-per-gpu",
    "gpus-per-socket",
)

JOB = Thing(
    "job",
    "what sbatch understands: directives, the environment's SBATCH_* and the command line together",
    (
        Field("name", STRING, "--job-name; empty where none is given", ("job-name",)),
        Field(
            "account",
            STRING,
            "--account in lower case, as Slurm keeps it; empty where none is given",
            ("account",),
        ),
        Field("partition", STRING, "--partition as written; empty where none is given", ("partition",)),
        Field("partitions", list_of(STRING), "the partitions any of which will do", ("partition",)),
        Field("qos", STRING, "--qos; empty where none is given", ("qos",)),
        Field(
            "time",
            DURATION,
            "--time; longer than any for UNLIMITED, unknown where none is given",
            ("time",),
        ),
        Field("time_min", DURATION, "--time-min; unknown where none is given", ("time-min",)),
        Field("nodes", INT, "number of nodes, where it is one number", _NODES),
        Field("nodes_min", INT, "least number of nodes", _NODES),
        Field("nodes_max", INT, "greatest number of nodes", _NODES),
        Field("ntasks", INT, "number of tasks that a plain srun starts", _TASKS),
        Field("ntasks_per_node", INT, "number of tasks of a plain srun on each node", _TASKS),
        Field("cpus_per_task", INT, "--cpus-per-task; 1 is assumed without it", ("cpus-per-task",)),
        Field("cpus_per_gpu", INT, "--cpus-per-gpu; unknown where none is given", ("cpus-per-gpu",)),
        Field("asks_for_gpus", BOOL, "whether any GPUs are asked for, however many", _GPUS),
        Field("gpus", INT, "number of GPUs of the whole job; 0 where none are asked for", _GPUS),
        Field("gpus_per_node", INT, "GPUs on each node; 0 where none are asked for", _GPUS),
        Field("gpus_per_task", INT, "--gpus-per-task; 0 where no GPUs are asked for", _GPUS),
        Field("gpu_type", STRING, "the type of GPU that is named; empty for none or several", _GPUS),
        Field(
            "memory_per_node",
            INT,
            "--mem in bytes; unknown for 0 (all of it) and without it",
            ("mem",),
        ),
        Field("all_memory", BOOL, "whether --mem=0 asks for all memory of the nodes", ("mem",)),
        Field("memory_per_cpu", INT, "--mem-per-cpu in bytes; unknown where none is given", ("mem-per-cpu",)),
        Field("memory_per_gpu", INT, "--mem-per-gpu in bytes; unknown where none is given", ("mem-per-gpu",)),
        Field(
            "exclusive",
            BOOL,
            "whether --exclusive asks for nodes that no other job shares; some partitions give them unasked",
            ("exclusive", "oversubscribe"),
        ),
        Field("nodelist", list_of(STRING), "the nodes of --nodelist, ranges written out", ("nodelist",)),
        Field("exclude", list_of(STRING), "the nodes of --exclude, ranges written out", ("exclude",)),
        Field("array", BOOL, "whether the job is an array", ("array",)),
        Field("array_tasks", INT, "number of the array's tasks; 0 for a job that is none", ("array",)),
        Field("array_at_once", INT, "how many of them may run at once (%N); 0 for no limit", ("array",)),
        Field("output", STRING, "--output as written; empty where none is given", ("output",)),
        Field("error", STRING, "--error as written; empty where none is given", ("error",)),
        Field("chdir", STRING, "--chdir; empty where none is given", ("chdir",)),
        Field("comment", STRING, "--comment; empty where none is given", ("comment",), shown=False),
        Field("constraint", STRING, "--constraint as written; empty where none is given", ("constraint",)),
        Field("dependency", STRING, "--dependency as written; empty where none is given", ("dependency",)),
        Field(
            "licenses",
            list_of(STRING),
            "the licences that the job takes: matlab, or matlab@server",
            ("licenses",),
        ),
        Field("license_counts", map_of(INT), "how many the job takes of each licence", ("licenses",)),
        Field("reservations", list_of(STRING), "the reservations any of which will do", ("reservation",)),
        Field("mail_user", STRING, "--mail-user; empty where none is given", ("mail-user",), shown=False),
        Field("mail_types", STRING, "--mail-type as written; empty where none is given", ("mail-type",)),
        Field("nice", INT, "--nice; 0 where none is given", ("nice",)),
        Field(
            "requeue",
            BOOL,
            "whether the job may be started again; unknown where the cluster decides",
            ("requeue", "no-requeue"),
        ),
        Field("component", INT, "which part of a heterogeneous job this is, from 0"),
        Field("components", INT, "how many parts the job has; 1 unless it is heterogeneous"),
        Field(
            "options",
            map_of(STRING),
            "every option given, by its long name; empty for one without a value",
        ),
    ),
)
MOUNT = Thing(
    "mount",
    "one mount of a container",
    (
        Field("source", STRING, "the path on the host"),
        Field("target", STRING, "the path in the container"),
        Field("flags", list_of(STRING), "what follows the two paths: ro, rw ..."),
    ),
)
CONTAINER = Thing(
    "container",
    "a container, whatever starts it",
    (
        Field("runtime", STRING, "pyxis, apptainer, docker ..."),
        Field("image", STRING, "the image as given"),
        Field("mounts", list_of(Type("mount")), "the mounts that the script asks for"),
        Field("mounts_home", BOOL, "whether the home folder is mounted; unknown where the site decides"),
        Field("workdir", STRING, "the folder its command starts in; empty where none is given"),
    ),
)
PROGRAM = Thing(
    "program",
    "a program, behind its launchers, containers and wrappers",
    (
        Field("name", STRING, "base name of the script, module or program"),
        Field("module", BOOL, "whether it is a Python module (python -m)"),
        Field("words", list_of(STRING), "its command line, beginning with the launcher or interpreter"),
        Field("launcher", STRING, "torchrun, accelerate ...; empty where there is none"),
        Field("framework", STRING, "the training framework, in lower case; empty where none is recognised"),
        Field("environment", map_of(STRING), "what the script itself sets for it"),
        Field("started_by", list_of(STRING), "what starts it, outermost first: timeout, bash ..."),
        Field("login_shell", BOOL, "whether one of them is a login shell (bash -l)"),
        Field("in_step", BOOL, "whether srun starts it; else the batch host does"),
    ),
)
STEP = Thing(
    "step",
    "one srun",
    (
        Field("nodes", INT, "number of nodes"),
        Field("tasks", INT, "number of tasks"),
        Field("tasks_per_node", INT, "number of tasks on each node, where it is the same on all"),
        Field("gpus_per_node", INT, "number of GPUs on each node"),
        Field("containers", list_of(Type("container")), "the containers its programs run in"),
        Field("background", BOOL, "whether it is started in the background"),
        Field("nested", BOOL, "whether it is started inside another step"),
        Field("options", map_of(STRING), "the options of its own line, by their long names"),
        Field("programs", list_of(Type("program")), "what it starts"),
    ),
)
SCRIPT = Thing(
    "script",
    "the file that is checked",
    (
        Field("path", STRING, "its absolute path; unknown for standard input"),
        Field("name", STRING, "its name without folders; unknown for standard input"),
        Field("text", STRING, "all of its text, comments too", shown=False),
        Field("shebang", STRING, "what follows #! on its first line; empty where there is none"),
    ),
)
CLUSTER = Thing(
    "cluster",
    "the cluster profile; all of it unknown where none is given",
    (
        Field("name", STRING, "its name"),
        Field("partitions", list_of(STRING), "the names of its partitions"),
        Field("default_partition", STRING, "the partition of a job that asks for none"),
    ),
)
THINGS = {thing.name: thing for thing in (JOB, STEP, PROGRAM, CONTAINER, MOUNT, SCRIPT, CLUSTER)}

VARIABLES = (
    Field("job", Type("job"), "the job, or one part of a heterogeneous job at a time"),
    Field("steps", list_of(Type("step")), "the steps that the script itself starts with srun, in order"),
    Field("programs", list_of(Type("program")), "all programs, those that the batch host starts too"),
    Field("containers", list_of(Type("container")), "all containers"),
    Field("env", map_of(STRING), "the variables that the batch script sets, as they are at its end"),
    Field("script", Type("script"), "the file that is checked"),
    Field("cluster", Type("cluster"), "what is known of the cluster"),
)
BY_NAME = {variable.name: variable for variable in VARIABLES}
"""The variables by their names."""

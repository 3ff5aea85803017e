"""Broken values of directives: times, memory, GPUs, arrays, logs, signals."""

from __future__ import annotations

from tests.rules.mutations.mutation import Mutation, both, command, directive, each, everywhere

MUTATIONS = (
    Mutation("hours and minutes only", "SB203", each(r"^(#SBATCH (?:-t |--time=)).*", r"\g<1>48:00")),
    Mutation("time with a unit", "SB202", each(r"^(#SBATCH (?:-t |--time=)).*", r"\g<1>8h")),
    Mutation("time as a decimal", "SB202 SB203", each(r"^(#SBATCH (?:-t |--time=)).*", r"\g<1>1.5")),
    Mutation(
        "days and hours with a colon",
        "SB202 SB203",
        each(r"^(#SBATCH (?:-t |--time=)).*", r"\g<1>2:00:00:00"),
    ),
    Mutation("memory in GiB", "SB204", each(r"^(#SBATCH --mem=)\w+", r"\g<1>16GiB")),
    Mutation("memory without its unit", "SB205", each(r"^(#SBATCH --mem=\d{2,3})G", r"\1")),
    Mutation(
        "memory by node and by CPU", "SB206", directive("#SBATCH --mem-per-cpu=4G", when="^#SBATCH --mem=")
    ),
    Mutation("GPUs of type gpu", "SB211", each("^(#SBATCH --gpus[a-z-]*=)", r"\1gpu:")),
    Mutation("gres with a word for its number", "SB208", each("^(#SBATCH --gres=gpu):", r"\1:h100:all")),
    Mutation("gres without a name", "SB208", each("^#SBATCH --gpus-per-node=", "#SBATCH --gres=")),
    Mutation(
        "two different numbers of GPUs",
        "SB231",
        directive("#SBATCH --gres=gpu:2", when="^#SBATCH --gpus-per-node=[148]", unless="hetjob"),
    ),
    Mutation(
        "no GPUs asked for",
        "SB201",
        each(r"^#SBATCH --(?:gpus|gres).*\n", "", unless="--exclusive|hetjob"),
        pedantic=True,
    ),
    Mutation(
        "tasks that are not nodes times tasks per node",
        "SB212",
        directive("#SBATCH --ntasks=99", when="^#SBATCH --ntasks-per-node=", unless="hetjob"),
    ),
    Mutation(
        "more nodes than tasks",
        "SB214",
        each("^(#SBATCH --nodes=)1$", r"\g<1>8", when="^#SBATCH --ntasks=[14]$"),
    ),
    Mutation("array indices with a colon", "SB207", each("^(#SBATCH --array=)0-3", r"\g<1>0:3")),
    Mutation("array that begins at 1", "SB221", each("^(#SBATCH --array=)0-3", r"\g<1>1-4")),
    Mutation("one log for all tasks of an array", "SB217", each("^(#SBATCH --output=.*)%A_%a", r"\1all")),
    Mutation(
        "log in a folder of the job's number",
        "SB219",
        each("^(#SBATCH (?:-o |--output=))", r"\1logs/%j/"),
        release="22.05",
    ),
    Mutation(
        "log folder made by the job itself",
        "SB219",
        both(each("^(#SBATCH (?:-o |--output=))", r"\1logs/"), command("mkdir -p logs")),
        release="22.05",
    ),
    Mutation(
        "log without the job's id",
        "SB232",
        each("^(#SBATCH (?:-o |--output=)).*%j.*", r"\1train.log", unless="--open-mode"),
        pedantic=True,
    ),
    Mutation("log cut off on requeue", "SB218", each(r"^#SBATCH --open-mode.*\n", "", when="--requeue")),
    Mutation(
        "signal to the steps, trapped in the batch shell", "SB355", each("^(#SBATCH --signal=)B:", r"\1")
    ),
    Mutation(
        "signal to the batch shell, which has no trap", "SB355", each("^(#SBATCH --signal=)(?!B:)", r"\1B:")
    ),
    Mutation("unknown signal", "SB209", each("^(#SBATCH --signal=(?:B:)?)[A-Z0-9]+", r"\1USR3")),
    Mutation("unknown kind of dependency", "SB209", each("^(#SBATCH --dependency=).*", r"\1after_ok:123")),
    Mutation("nodes as a word", "SB209", each("^(#SBATCH (?:-N |--nodes=)).*", r"\1two")),
    Mutation(
        "no number of CPUs, though it is read",
        "SB223",
        everywhere(r"^#SBATCH --cpus-per-task.*\n", "", when="SLURM_CPUS_PER_TASK"),
    ),
    Mutation(
        "a job's name by which Lightning knows a shell",
        "SB332",
        each("^(#SBATCH --job-name=).*", r"\1bash", when="--trainer.num_nodes"),
    ),
    Mutation(
        "the batch script in a container",
        "SB503",
        directive("#SBATCH --container-image=/lustre/images/a.sqsh", when="^srun"),
    ),
)

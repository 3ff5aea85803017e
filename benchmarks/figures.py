"""What public sbatch scripts look like, in numbers.

Measured on 1,515 distinct scripts of 56 public repositories that hold a ``#SBATCH`` line; 491 of them launch
AI work on several nodes, and how they launch was measured on those.  Shares are of scripts, from 0 to 1.
How the lines divide was measured on 431 of them, whose 54,000 lines of code have 18% distinct ones:
such scripts are copied from each other.
"""

from __future__ import annotations

LENGTHS = ((0.0, 8), (0.25, 32), (0.5, 60), (0.75, 118), (0.95, 272), (0.99, 600), (1.0, 1164))
"""Lines of a script by the share of scripts that are no longer: median 60, 95% under 273, longest 1,164.

The ends and the quarters are set by hand; between two points the length grows by factors."""

TRAINING = 491 / 1515
"""The share of scripts that launch AI work on several nodes."""

TRAINING_FEATURES = {
    "srun": 0.87,
    "srun_bash_c_double": 0.44,
    "srun_bash_c_single": 0.35,
    "command_in_variable": 0.57,
    "srun_options_in_variable": 0.18,
    "srun_in_variable": 0.10,
    "hostnames": 0.69,
    "pyxis": 0.41,
    "array": 0.28,
    "here_document": 0.38,
    "function": 0.13,
    "source": 0.51,
    "torch.distributed.run": 0.20,
    "torch.distributed.launch": 0.17,
    "torchrun": 0.10,
    "python": 0.21,
    "accelerate": 0.03,
    "ray": 0.04,
    "mpirun": 0.04,
}
"""How the scripts that launch AI work on several nodes do it.

63% have an ``srun ... bash -c`` of either kind."""

FEATURES = {
    "no_output": 456 / 1515,
    "no_time": 320 / 1515,
    "log_folder_missing": 119 / 1515,
    "log_folder_late": 169 / 1515,
    "cpus_per_task": 288 / 1515,
    "literal_port": 201 / 1515,
    "constant_log": 197 / 1515,
    "tee_without_pipefail": 144 / 1515,
    "echo_at_the_end": 106 / 1515,
    "folder_of_the_script": 58 / 1515,
    "mail_type_twice": 24 / 1515,
    "switched_off_directive": 33 / 1515,
    "directive_in_here_document": 22 / 1515,
    "commented_directives": 1 / 3,
    "case": 31 / 1515,
    "time": 33 / 1515,
}
"""What scripts of all kinds hold: slips, and what is written seldom."""

TESTS_IN_DOUBLE_BRACKETS = 2061 / 1515
"""``[[ ]]`` in a script, on average."""

SUMS = 670 / 1515
"""``$(( ))`` in a script, on average."""

SHORT_OPTIONS = 0.15
"""The share of directives with a short option."""

LINES = {"code": 0.66, "blank": 0.14, "comment": 0.12, "directive": 0.08}
"""What the lines are; 35 of 100 lines of code end in a backslash."""

"""All that a rule may use.  Rules, built-in or not, import from here and from nowhere else.

In the order in which a rule meets them: the rule and the job that it is asked about, what it reports,
what it proposes, and where.
"""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.misfit import Misfit, MisfitKind, Outcome
from sbatchlint.fix.edit import Edit, Fix, Safety
from sbatchlint.launch.plan import (
    Arg,
    Container,
    EarlyExpansion,
    JobText,
    LaunchPlan,
    Layer,
    LayerKind,
    LayerOption,
    Program,
    Step,
    Submission,
)
from sbatchlint.launch.values import Choice, Text, Unknown, Value
from sbatchlint.lint.ask.agents import Agent, Number, agents, number_of
from sbatchlint.lint.ask.array_lists import Pick, picks
from sbatchlint.lint.ask.background import Unawaited, unawaited_steps
from sbatchlint.lint.ask.commands import Written, option_state, shebang_words, written_commands
from sbatchlint.lint.ask.complaints import (
    bad_values,
    complaints,
    meant_option,
    problem_of,
    release_range,
    said,
    sbatch_option,
    severity_of,
    swallowed_options,
    use_of,
    who_does,
)
from sbatchlint.lint.ask.containers import CLIENTS as SLURM_CLIENTS
from sbatchlint.lint.ask.containers import (
    Contained,
    brings_clients,
    contained,
    lies_under,
    mount_source,
    mount_target,
    refusal_of_value,
    steps_in_containers,
)
from sbatchlint.lint.ask.continuations import (
    BrokenBackslash,
    StrayArguments,
    broken_backslashes,
    stray_arguments,
    stray_arguments_in_strings,
)
from sbatchlint.lint.ask.dashes import Dashes, DashSlip, dash_slips
from sbatchlint.lint.ask.deferred import TaskCode, is_deferred, is_kept_back, may_be_exported, task_codes
from sbatchlint.lint.ask.directives import (
    add_directive,
    as_shell_word,
    refused_option,
    refused_value,
    remove_options,
)
from sbatchlint.lint.ask.dumps import dumps_of_environment, goes_to_log
from sbatchlint.lint.ask.endings import Ending, EndingKind, hiding_end
from sbatchlint.lint.ask.environment import (
    fills,
    mentions,
    reads_settings,
    step_that_warms_uv,
    uv_installs,
)
from sbatchlint.lint.ask.expansions import Expansion, expansions
from sbatchlint.lint.ask.finetuning import Preparation, prepares_on_one_rank
from sbatchlint.lint.ask.flow import reaches_only_steps
from sbatchlint.lint.ask.folders import UncheckedFolder, unchecked_folders
from sbatchlint.lint.ask.gpus import (
    GpuNeed,
    asks_for_gpus,
    gpu_need,
    gpus_per_task,
    is_probe,
    meant_for_cpus,
    unasked_gpus,
)
from sbatchlint.lint.ask.host_paths import MissingPath, missing_paths, on_shared_storage
from sbatchlint.lint.ask.installing import environment_is_own, install_command
from sbatchlint.lint.ask.job_ids import IdFilter, job_id_filters
from sbatchlint.lint.ask.job_log import MissingLog, missing_logs
from sbatchlint.lint.ask.launchers import Processes, command_name, per_node_launchers, processes_of
from sbatchlint.lint.ask.locality import Locality, Owner, locality_of
from sbatchlint.lint.ask.lookalikes import (
    AlmostDirective,
    Lookalike,
    almost_directives,
    options_of_line,
)
from sbatchlint.lint.ask.loops import StarvedLoop, loops_that_srun_starves
from sbatchlint.lint.ask.needed import absent_paths, needed_paths, services
from sbatchlint.lint.ask.odd_characters import OddKind, OddText, odd_characters
from sbatchlint.lint.ask.odd_code import OddCode, odd_code
from sbatchlint.lint.ask.per_task import PER_TASK_RANKS, differing_values
from sbatchlint.lint.ask.pipes import HidingPipe, PipeInTask, hiding_pipes, pipes_in_tasks
from sbatchlint.lint.ask.placeholders import Placeholder, is_template, placeholders
from sbatchlint.lint.ask.pyxis_directives import (
    move_to_only_srun,
    names_container,
    pyxis_directives,
    sbatch_takes_pyxis,
)
from sbatchlint.lint.ask.reach import ToldNumber, option_numbers, reaches_other_nodes
from sbatchlint.lint.ask.removals import Emptiness, Removal, removals
from sbatchlint.lint.ask.restarts import (
    Deletion,
    NewFolder,
    folders_made_anew,
    knows_of_restarts,
    repeated_deletions,
)
from sbatchlint.lint.ask.script_folder import FolderOfScript, script_folders
from sbatchlint.lint.ask.secret_names import (
    is_secret_name,
    names_secrets,
    secret_expansions,
    secrets_in_words,
)
from sbatchlint.lint.ask.settings import VariableSetting, settings_of
from sbatchlint.lint.ask.sharing import Sharing, shares_nodes
from sbatchlint.lint.ask.shell_modes import line_end, may_switch_on, runs_in_bash
from sbatchlint.lint.ask.side_by_side import Queue, queued_steps
from sbatchlint.lint.ask.signals import (
    Trap,
    is_in_function,
    mentions_word,
    runs_something_else,
    traps_of,
    waits_for_jobs,
)
from sbatchlint.lint.ask.site_defaults import default_memory, default_minutes
from sbatchlint.lint.ask.sleeps import Barrier, sleeping_barriers
from sbatchlint.lint.ask.slurm_variables import Mention, expects_missing, sets_variable, slurm_mentions
from sbatchlint.lint.ask.srun_line import SrunLine, only_srun
from sbatchlint.lint.ask.srun_options import BadSrunOption, bad_srun_options
from sbatchlint.lint.ask.srun_values import BadSrunValue, bad_srun_values
from sbatchlint.lint.ask.stray import StrayText, stray_texts
from sbatchlint.lint.ask.tasks import Crowd, most_tasks_on_a_node, starts_by_slots
from sbatchlint.lint.ask.work import does_work, is_monitor, is_small, work_at
from sbatchlint.lint.finding import Confidence, Finding, Related, Severity
from sbatchlint.lint.job import Job
from sbatchlint.lint.rule import Fixable, Rule
from sbatchlint.needs.need import (
    Credential,
    NeededPath,
    PathKind,
    Service,
    ServiceKind,
    Side,
    Switch,
)
from sbatchlint.slurm.directives import DirectiveLine
from sbatchlint.slurm.environment import JobVariable, job_variables
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.getopt import ProblemKind, Use
from sbatchlint.slurm.grammar.filenames import FilePattern
from sbatchlint.slurm.grammar.gres_items import GresRequest
from sbatchlint.slurm.options import Argument, parse_release
from sbatchlint.slurm.request import Count, JobRequest, OptionUse, Origin, RequestProblem
from sbatchlint.slurm.variable_names import is_known, nearest
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect, Verdict
from sbatchlint.source import Position, Source, Span
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.entrypoints import LaunchClass
from sbatchlint.training.frameworks import Framework, FrameworkName, recognise
from sbatchlint.training.native import IdleGpus, idle_gpus
from sbatchlint.training.parallelism import (
    Mismatch,
    dense_mismatch,
    expert_mismatch,
    least_world_of,
    legal_nodes,
)
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.ranks import Term, World
from sbatchlint.training.runs import TrainingRun, training_runs

__all__ = [  # noqa: RUF022 - in the order of the docstring
    # the rule and its job
    "Rule",
    "Fixable",
    "Job",
    "Certainty",
    # what the job asks for
    "JobRequest",
    "OptionUse",
    "Origin",
    "Argument",
    "Count",
    "FilePattern",
    "GresRequest",
    "parse_release",
    "ProblemKind",
    "RequestProblem",
    "DirectiveLine",
    # the variables that Slurm sets for it
    "JobVariable",
    "job_variables",
    "is_known",
    "nearest",
    "Mention",
    "slurm_mentions",
    "sets_variable",
    "expects_missing",
    "VariableSetting",
    "settings_of",
    "default_minutes",
    "default_memory",
    "IdFilter",
    "job_id_filters",
    "Pick",
    "picks",
    # what Slurm makes of that
    "Verdict",
    "Complaint",
    "ComplaintKind",
    "Effect",
    "complaints",
    "severity_of",
    "who_does",
    "release_range",
    "said",
    "problem_of",
    "use_of",
    "bad_values",
    "swallowed_options",
    "meant_option",
    "sbatch_option",
    # what the cluster has against it
    "Misfit",
    "MisfitKind",
    "Outcome",
    # what it starts
    "LaunchPlan",
    "Submission",
    "JobText",
    "Step",
    "Geometry",
    "Use",
    "Container",
    "EarlyExpansion",
    "Program",
    "Layer",
    "LayerKind",
    "LayerOption",
    "Arg",
    "Value",
    "Text",
    "Unknown",
    "Choice",
    # what several rules ask
    "Crowd",
    "most_tasks_on_a_node",
    "starts_by_slots",
    "Processes",
    "Agent",
    "Number",
    "agents",
    "is_deferred",
    "may_be_exported",
    "is_kept_back",
    "task_codes",
    "TaskCode",
    "Sharing",
    "shares_nodes",
    "ToldNumber",
    "option_numbers",
    "reaches_other_nodes",
    "number_of",
    "differing_values",
    "PER_TASK_RANKS",
    "command_name",
    "per_node_launchers",
    "processes_of",
    "BadSrunOption",
    "bad_srun_options",
    "BadSrunValue",
    "bad_srun_values",
    "SrunLine",
    "only_srun",
    "move_to_only_srun",
    "names_container",
    "pyxis_directives",
    "sbatch_takes_pyxis",
    "reaches_only_steps",
    "options_of_line",
    "StrayText",
    "stray_texts",
    "odd_characters",
    "OddText",
    "odd_code",
    "OddCode",
    "OddKind",
    "dash_slips",
    "Dashes",
    "DashSlip",
    "expansions",
    "Expansion",
    "Placeholder",
    "placeholders",
    "is_template",
    "almost_directives",
    "AlmostDirective",
    "Lookalike",
    "add_directive",
    "as_shell_word",
    "refused_option",
    "refused_value",
    "remove_options",
    "GpuNeed",
    "gpu_need",
    "asks_for_gpus",
    "gpus_per_task",
    "meant_for_cpus",
    "is_probe",
    "unasked_gpus",
    "FolderOfScript",
    "script_folders",
    "Unawaited",
    "unawaited_steps",
    "Trap",
    "is_in_function",
    "mentions_word",
    "runs_something_else",
    "traps_of",
    "waits_for_jobs",
    "Queue",
    "queued_steps",
    "Barrier",
    "sleeping_barriers",
    "UncheckedFolder",
    "unchecked_folders",
    "MissingLog",
    "missing_logs",
    "Deletion",
    "NewFolder",
    "folders_made_anew",
    "knows_of_restarts",
    "repeated_deletions",
    "BrokenBackslash",
    "StrayArguments",
    "broken_backslashes",
    "stray_arguments",
    "stray_arguments_in_strings",
    "StarvedLoop",
    "loops_that_srun_starves",
    "Ending",
    "EndingKind",
    "hiding_end",
    "HidingPipe",
    "hiding_pipes",
    "PipeInTask",
    "pipes_in_tasks",
    "line_end",
    "may_switch_on",
    "runs_in_bash",
    "does_work",
    "is_monitor",
    "is_small",
    "work_at",
    "Preparation",
    "prepares_on_one_rank",
    "Locality",
    "Owner",
    "locality_of",
    "Contained",
    "contained",
    "steps_in_containers",
    "SLURM_CLIENTS",
    "brings_clients",
    "mount_source",
    "mount_target",
    "lies_under",
    "refusal_of_value",
    "MissingPath",
    "missing_paths",
    "on_shared_storage",
    "fills",
    "mentions",
    "reads_settings",
    "uv_installs",
    "Emptiness",
    "Removal",
    "removals",
    "is_secret_name",
    "names_secrets",
    "secret_expansions",
    "secrets_in_words",
    "dumps_of_environment",
    "goes_to_log",
    "Written",
    "written_commands",
    "option_state",
    "shebang_words",
    "install_command",
    "environment_is_own",
    "step_that_warms_uv",
    # what it trains, and on how many ranks
    "training_runs",
    "TrainingRun",
    "Framework",
    "FrameworkName",
    "recognise",
    "LaunchClass",
    "Quantities",
    "Quantity",
    "Reading",
    "World",
    "Term",
    "Mismatch",
    "dense_mismatch",
    "expert_mismatch",
    "least_world_of",
    "legal_nodes",
    "IdleGpus",
    "idle_gpus",
    # what it needs from outside
    "services",
    "Service",
    "ServiceKind",
    "Switch",
    "Credential",
    "needed_paths",
    "absent_paths",
    "NeededPath",
    "PathKind",
    "Side",
    # what it reports
    "Finding",
    "Related",
    "Severity",
    "Confidence",
    # what it proposes
    "Fix",
    "Edit",
    "Safety",
    # where
    "Source",
    "Span",
    "Position",
]

"""All that a rule may use.  Rules, built-in or not, import from here and from nowhere else.

The list at the end has it by subject, in the order in which a rule meets them: the rule and the job that it
is asked about, what is asked, what it reports, what it proposes, and where.
"""

from __future__ import annotations

from sbatchlint.certainty import Certainty
from sbatchlint.cluster.misfit import Misfit, MisfitKind, Outcome
from sbatchlint.digits import whole_number
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
from sbatchlint.lint.ask.agents import Agent, agents, has_torchrun_variables
from sbatchlint.lint.ask.array_files import files_of_all_tasks
from sbatchlint.lint.ask.array_lists import Pick, picks
from sbatchlint.lint.ask.background import Unawaited, unawaited_steps
from sbatchlint.lint.ask.batch_files import names_made_file
from sbatchlint.lint.ask.code_text import line_end, words_in_code
from sbatchlint.lint.ask.commands import Written, shebang_words, written_commands
from sbatchlint.lint.ask.complaints import (
    bad_values,
    complaints,
    in_releases,
    problem_of,
    said,
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
from sbatchlint.lint.ask.deepspeed import asks_mpi_for_ranks
from sbatchlint.lint.ask.deferred import TaskCode, is_deferred, is_kept_back, may_be_exported, task_codes
from sbatchlint.lint.ask.directives import (
    add_directive,
    as_shell_word,
    refused_option,
    refused_value,
    remove_options,
)
from sbatchlint.lint.ask.dumps import dumps_of_environment
from sbatchlint.lint.ask.endings import Ending, EndingKind, hiding_end
from sbatchlint.lint.ask.environment import fills, mentions, reads_settings, step_that_warms_uv, uv_installs
from sbatchlint.lint.ask.expansions import Expansion, expansions
from sbatchlint.lint.ask.finetuning import Preparation, prepares_on_one_rank
from sbatchlint.lint.ask.first_line import misspelt_shebang
from sbatchlint.lint.ask.flow import reaches_only_steps
from sbatchlint.lint.ask.folders import UncheckedFolder, unchecked_folders
from sbatchlint.lint.ask.given_variables import GivenVariable, given_variables, programs_given, renamed
from sbatchlint.lint.ask.gpu_generation import GpuGeneration, gpu_generation
from sbatchlint.lint.ask.gpus import (
    GpuNeed,
    allocates_without_gpus,
    asks_for_gpus,
    gpu_need,
    gpus_per_task,
    is_probe,
    meant_for_cpus,
    unasked_gpus,
)
from sbatchlint.lint.ask.host_paths import SHARED_ROOTS, MissingPath, missing_paths, on_shared_storage
from sbatchlint.lint.ask.installing import environment_is_own, install_command
from sbatchlint.lint.ask.job_ids import IdFilter, job_id_filters
from sbatchlint.lint.ask.job_log import MissingLog, missing_logs
from sbatchlint.lint.ask.late_directives import LateDirective, LateKind, late_directives
from sbatchlint.lint.ask.launchers import Processes, command_name, per_node_launchers, processes_of
from sbatchlint.lint.ask.line_values import LineValue, line_values
from sbatchlint.lint.ask.locality import Locality, Owner, is_of_node, locality_of
from sbatchlint.lint.ask.lookalikes import AlmostDirective, Lookalike, almost_directives, options_of_line
from sbatchlint.lint.ask.loops import StarvedLoop, loops_that_srun_starves
from sbatchlint.lint.ask.meeting import (
    FIRST_NODE,
    PORT_OF_JOB,
    MeetingPoint,
    meeting_addresses,
    meeting_ports,
)
from sbatchlint.lint.ask.needed import absent_paths
from sbatchlint.lint.ask.numbers import Number, ToldNumber, number_of, option_numbers
from sbatchlint.lint.ask.odd_characters import OddKind, OddText, odd_characters
from sbatchlint.lint.ask.odd_code import OddCode, odd_code
from sbatchlint.lint.ask.option_names import meant_option, resembles_option, sbatch_option
from sbatchlint.lint.ask.out_of_reach import services_out_of_reach
from sbatchlint.lint.ask.per_task import PER_TASK_RANKS, differing_values
from sbatchlint.lint.ask.pipes import HidingPipe, PipeInTask, hiding_pipes, pipes_in_tasks
from sbatchlint.lint.ask.placeholders import Placeholder, is_template, placeholders
from sbatchlint.lint.ask.pyxis_directives import (
    move_to_only_srun,
    names_container,
    pyxis_directives,
    sbatch_takes_pyxis,
)
from sbatchlint.lint.ask.reach import reaches_other_nodes
from sbatchlint.lint.ask.removals import Emptiness, Removal, is_recursive, removals
from sbatchlint.lint.ask.restarts import (
    Deletion,
    NewFolder,
    folders_made_anew,
    knows_of_restarts,
    repeated_deletions,
)
from sbatchlint.lint.ask.saved_runs import RemovedRuns, removed_runs, saves_by_default
from sbatchlint.lint.ask.script_folder import FolderOfScript, script_folders
from sbatchlint.lint.ask.secret_names import names_secrets, secret_expansions, secrets_in_words
from sbatchlint.lint.ask.settings import DECLARING, VariableSetting, settings_of
from sbatchlint.lint.ask.sharing import Sharing, shares_nodes, takes_most_memory
from sbatchlint.lint.ask.shell_modes import may_switch_on, mode_set_by, runs_in_bash, starts_with
from sbatchlint.lint.ask.shown_secrets import is_throw_away, printed_secrets
from sbatchlint.lint.ask.side_by_side import Queue, queued_steps
from sbatchlint.lint.ask.signals import Trap, is_in_function, runs_something_else, traps_of, waits_for_jobs
from sbatchlint.lint.ask.site_defaults import default_memory, default_minutes
from sbatchlint.lint.ask.sleeps import Barrier, sleeping_barriers
from sbatchlint.lint.ask.slurm_variables import (
    Mention,
    expects_missing,
    sets_variable,
    slurm_mentions,
    variables_of,
)
from sbatchlint.lint.ask.srun_line import SrunLine, add_to_srun, only_srun
from sbatchlint.lint.ask.srun_options import BadSrunOption, bad_srun_options
from sbatchlint.lint.ask.srun_values import BadSrunValue, bad_srun_values
from sbatchlint.lint.ask.stray import StrayText, stray_texts
from sbatchlint.lint.ask.submit_options import BadSubmitOption, bad_submit_options
from sbatchlint.lint.ask.tasks import (
    TASK_COUNTS,
    Crowd,
    most_tasks_on_a_node,
    reads_task_count,
    starts_by_slots,
)
from sbatchlint.lint.ask.tracing import Traced, TracedTask, traced_commands, traced_tasks, traces_itself
from sbatchlint.lint.ask.unfilled import Unfilled, unfilled
from sbatchlint.lint.ask.usage import is_given_when_submitted
from sbatchlint.lint.ask.work import does_work, is_small, work_at
from sbatchlint.lint.finding import Confidence, Finding, Related, Severity
from sbatchlint.lint.job import Job
from sbatchlint.lint.rule import API_VERSION, Fixable, Rule
from sbatchlint.needs.need import Credential, NeededPath, PathKind, Service, ServiceKind, Side, Switch
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.secrets.names import is_secret_name
from sbatchlint.slurm.directives import DirectiveLine
from sbatchlint.slurm.environment import JobVariable, job_variables
from sbatchlint.slurm.geometry import Geometry
from sbatchlint.slurm.getopt import ProblemKind, Use
from sbatchlint.slurm.gpu_type import gpu_type
from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.grammar.filenames import FilePattern
from sbatchlint.slurm.grammar.gres_items import GresRequest
from sbatchlint.slurm.grammar.times import Duration
from sbatchlint.slurm.option_values import readings
from sbatchlint.slurm.options import Argument, parse_release
from sbatchlint.slurm.request import Count, JobRequest, OptionUse, Origin, RequestProblem
from sbatchlint.slurm.variable_names import is_known, nearest
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect, Verdict
from sbatchlint.source import Position, Source, Span
from sbatchlint.training.clashes.clashes import Clash, clashes
from sbatchlint.training.clashes.option_words import GivenOption, GivenOptions
from sbatchlint.training.constraints import batches, grids, model, stages
from sbatchlint.training.constraints.base import Constraint
from sbatchlint.training.dialects import Quantity
from sbatchlint.training.entrypoints import LaunchClass
from sbatchlint.training.frameworks import Framework, FrameworkName, recognise
from sbatchlint.training.model_memory import LARGEST_GPU, NeededMemory, gpu_memory, needed_memory
from sbatchlint.training.native import IdleGpus, idle_gpus
from sbatchlint.training.parallelism import Parallelism
from sbatchlint.training.quantities import Quantities, Reading
from sbatchlint.training.recipe_readings import RecipeGpus, recipe_gpus
from sbatchlint.training.runs import TrainingRun
from sbatchlint.training.size.models import RECIPES_REVISION
from sbatchlint.training.variables.table import Life, Meant, Variable, meant_variable, variable, variables
from sbatchlint.training.variables.values import Refusal, refusal_of
from sbatchlint.training.violations import Violation, legal_nodes, legal_values, mends, violation
from sbatchlint.training.worlds.world import Term, World

# fmt: off
__all__ = [  # noqa: RUF022 - in the order of the docstring
    # the rule and its job
    "API_VERSION", "Rule", "Fixable", "Job", "Certainty",
    # what the job asks for
    "JobRequest", "OptionUse", "Origin", "Argument", "Count", "Duration", "FilePattern", "GresRequest",
    "parse_release", "Stage", "ProblemKind", "RequestProblem", "DirectiveLine", "sbatch_option",
    "meant_option", "resembles_option",
    # what is odd about its directives
    "AlmostDirective", "Lookalike", "almost_directives", "options_of_line", "StrayText", "stray_texts",
    "OddKind", "OddText", "odd_characters", "Dashes", "DashSlip", "dash_slips", "Expansion", "expansions",
    "Placeholder", "placeholders", "is_template", "Unfilled", "unfilled", "is_given_when_submitted",
    "swallowed_options",
    "LateDirective", "LateKind", "late_directives",
    # what Slurm makes of them
    "Verdict", "Complaint", "ComplaintKind", "Effect", "complaints", "bad_values", "severity_of",
    "who_does", "in_releases", "said", "problem_of", "use_of",
    # what the cluster has against it
    "Misfit", "MisfitKind", "Outcome", "default_minutes", "default_memory", "Sharing", "shares_nodes",
    "takes_most_memory",
    # changing directives
    "add_directive", "remove_options", "refused_option", "refused_value", "as_shell_word",
    "pyxis_directives", "names_container", "sbatch_takes_pyxis", "move_to_only_srun",
    # the script's text and commands
    "words_in_code", "Written", "written_commands", "shebang_words", "line_end", "runs_in_bash",
    "misspelt_shebang", "starts_with", "may_switch_on", "mode_set_by", "is_in_function", "DECLARING",
    "VariableSetting", "settings_of", "mentions", "reads_settings",
    # its slips
    "BrokenBackslash", "broken_backslashes", "StrayArguments", "stray_arguments",
    "stray_arguments_in_strings", "OddCode", "odd_code", "UncheckedFolder", "unchecked_folders",
    "FolderOfScript", "script_folders", "MissingLog", "missing_logs", "IdFilter", "job_id_filters",
    "Emptiness", "Removal", "removals", "is_recursive", "RemovedRuns", "removed_runs", "saves_by_default",
    # how it ends, waits and is started again
    "Ending", "EndingKind", "hiding_end", "HidingPipe", "hiding_pipes", "PipeInTask", "pipes_in_tasks",
    "Unawaited", "unawaited_steps", "Trap", "traps_of", "waits_for_jobs", "runs_something_else", "Barrier",
    "sleeping_barriers", "StarvedLoop", "loops_that_srun_starves", "Deletion", "repeated_deletions",
    "NewFolder", "folders_made_anew", "knows_of_restarts",
    # the variables that Slurm sets for it
    "JobVariable", "job_variables", "variables_of", "is_known", "nearest", "Mention", "slurm_mentions",
    "sets_variable", "expects_missing", "Pick", "picks", "files_of_all_tasks", "TASK_COUNTS",
    "reads_task_count",
    # what it starts
    "LaunchPlan", "Submission", "JobText", "Step", "Geometry", "Use", "Container", "EarlyExpansion",
    "Program", "Layer", "LayerKind", "LayerOption", "Arg", "Value", "Text", "Unknown", "Choice",
    "does_work", "is_small", "work_at",
    # its steps
    "Crowd", "most_tasks_on_a_node", "starts_by_slots", "reaches_other_nodes", "Queue", "queued_steps",
    "PER_TASK_RANKS", "differing_values", "names_made_file", "TaskCode", "task_codes", "is_deferred",
    "may_be_exported", "is_kept_back", "reaches_only_steps", "SrunLine", "only_srun", "add_to_srun",
    "BadSrunOption", "bad_srun_options", "BadSrunValue", "bad_srun_values", "BadSubmitOption",
    "bad_submit_options", "LineValue", "line_values", "readings",
    # its launchers
    "Agent", "agents", "has_torchrun_variables", "whole_number", "Number", "number_of", "ToldNumber",
    "option_numbers", "Processes", "processes_of", "per_node_launchers", "command_name", "MeetingPoint",
    "meeting_addresses", "meeting_ports", "FIRST_NODE", "PORT_OF_JOB", "asks_mpi_for_ranks",
    # its GPUs
    "GpuNeed", "gpu_need", "asks_for_gpus", "allocates_without_gpus", "gpus_per_task", "meant_for_cpus",
    "is_probe", "unasked_gpus",
    "GpuGeneration", "gpu_generation",
    # its containers, folders and installations
    "Contained", "contained", "steps_in_containers", "SLURM_CLIENTS", "brings_clients", "mount_source",
    "mount_target", "lies_under", "refusal_of_value", "MissingPath", "missing_paths", "on_shared_storage",
    "SHARED_ROOTS", "Locality", "Owner", "locality_of", "is_of_node", "fills", "Preparation",
    "prepares_on_one_rank", "install_command", "environment_is_own", "uv_installs", "step_that_warms_uv",
    # its secrets
    "is_secret_name", "names_secrets", "secret_expansions", "secrets_in_words", "is_throw_away",
    "printed_secrets", "dumps_of_environment",
    "Traced", "traced_commands", "TracedTask", "traced_tasks", "traces_itself",
    # what it trains, and on how many ranks
    "TrainingRun", "Framework", "FrameworkName", "recognise", "LaunchClass", "Quantities",
    "Quantity", "Reading", "World", "Term", "legal_nodes", "IdleGpus", "idle_gpus",
    # whether they can be laid out so
    "Parallelism", "Constraint", "grids", "model", "stages", "batches", "Violation", "violation",
    "legal_values", "mends", "RECIPES_REVISION",
    "RecipeGpus", "recipe_gpus", "NeededMemory", "needed_memory", "gpu_memory", "gpu_type",
    "LARGEST_GPU", "Clash", "clashes", "GivenOption", "GivenOptions",
    # the environment variables of its programs
    "GivenVariable", "given_variables", "programs_given", "renamed", "Variable", "variable", "variables",
    "Life", "Meant", "meant_variable", "Refusal", "refusal_of",
    # what it needs from outside
    "Service", "ServiceKind", "Switch", "Credential", "NeededPath", "PathKind", "Side", "absent_paths",
    "services_out_of_reach",
    # what a rule reports
    "Finding", "Related", "Severity", "Confidence",
    # what it proposes
    "Fix", "Edit", "Safety",
    # where
    "Source", "Span", "Position",
    # in the rule's own code
    "dataclass", "regex",
]
# fmt: on

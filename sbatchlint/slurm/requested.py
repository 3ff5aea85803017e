"""What a job's options ask for, as typed values.

Each reading is None where the option is not given, and where the release refuses its value.  Without a
release the newest one reads.  ``get`` tells where an option is written.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TypeVar

from sbatchlint.slurm.grammar.arrays import ArraySpec
from sbatchlint.slurm.grammar.base import Refused
from sbatchlint.slurm.grammar.dependencies import Dependencies
from sbatchlint.slurm.grammar.features import Constraint
from sbatchlint.slurm.grammar.filenames import FilePattern
from sbatchlint.slurm.grammar.gres_items import GresRequest
from sbatchlint.slurm.grammar.hosts import HostFile, HostList
from sbatchlint.slurm.grammar.jobs import NameList
from sbatchlint.slurm.grammar.licenses import Licenses
from sbatchlint.slurm.grammar.mail import MailTypes
from sbatchlint.slurm.grammar.memory import Memory
from sbatchlint.slurm.grammar.moments import Moment
from sbatchlint.slurm.grammar.node_counts import NodeCount
from sbatchlint.slurm.grammar.signals import WarningSignal
from sbatchlint.slurm.grammar.times import Duration
from sbatchlint.slurm.grammar.tres import TresRequest
from sbatchlint.slurm.option_use import OptionUse, Origin
from sbatchlint.slurm.option_values import read_value
from sbatchlint.slurm.options import KNOWN_RELEASES, parse_release
from sbatchlint.slurm.resources import Resources

_T = TypeVar("_T")
_MEMORY = ("mem", "mem-per-cpu", "mem-per-gpu")


class Requested(Resources):
    """Typed values of a job's options."""

    release: str | None
    uses: tuple[OptionUse, ...]

    @abstractmethod
    def get(self, name: str) -> OptionUse | None:
        """Return the use of an option that counts."""

    def value(self, name: str, kind: type[_T]) -> _T | None:
        """Return the typed value of option *name* if it is given and a *kind*.

        Raises KeyError for a name that no command has.
        """
        use = self.get(name)
        if use is None or use.value is None or self.unsure:
            return None
        release = parse_release(self.release) or KNOWN_RELEASES[-1]
        value = read_value(use.spec.long, use.value, release)
        return value if isinstance(value, kind) and not isinstance(value, Refused) else None

    def _text(self, name: str) -> str | None:
        """Return a value that is not empty, as it is."""
        use = self.get(name)
        return None if use is None or self.unsure else use.value or None

    # --- size and time -------------------------------------------------------------------------

    @cached_property
    def node_count(self) -> NodeCount | None:
        """What ``--nodes`` says, before other options narrow it."""
        return self.value("nodes", NodeCount)

    @cached_property
    def time_limit(self) -> Duration | None:
        """The time limit, in minutes and seconds; its ``minutes`` are None for no limit."""
        return self.value("time", Duration)

    @cached_property
    def time_min(self) -> Duration | None:
        """The least time limit that will do."""
        return self.value("time-min", Duration)

    @cached_property
    def memory_per_node(self) -> Memory | None:
        """Memory of each node in MiB; 0 stands for all of it."""
        return self._memory("mem")

    @cached_property
    def memory_per_cpu(self) -> Memory | None:
        """Memory for each CPU in MiB."""
        return self._memory("mem-per-cpu")

    @cached_property
    def memory_per_gpu(self) -> Memory | None:
        """Memory for each GPU in MiB."""
        return self._memory("mem-per-gpu")

    def _memory(self, name: str) -> Memory | None:
        """Of three ways to say it, one from the script or command line is stronger than a variable's."""
        own = self.get(name)
        stronger = (self.get(other) for other in _MEMORY if other != name)
        variable = own is not None and own.origin is Origin.ENVIRONMENT
        if variable and any(use is not None and use.origin is not Origin.ENVIRONMENT for use in stronger):
            return None
        return self.value(name, Memory)

    # --- GPUs ----------------------------------------------------------------------------------

    @cached_property
    def gpus_of_job(self) -> GresRequest | None:
        """What ``--gpus`` asks for, by type."""
        return self.value("gpus", GresRequest)

    @cached_property
    def gres_of_node(self) -> GresRequest | None:
        """What each node must give: ``--gpus-per-node`` and ``--gres`` together."""
        given = [self.value(name, GresRequest) for name in ("gpus-per-node", "gres")]
        found = [request for request in given if request is not None]
        if not found:
            return None
        return GresRequest(tuple(item for request in found for item in request.items))

    @cached_property
    def gres_of_task(self) -> GresRequest | None:
        """What each task must get: ``--gpus-per-task``, or ``--tres-per-task``."""
        tres = self.value("tres-per-task", TresRequest)
        return self.value("gpus-per-task", GresRequest) or (None if tres is None else tres.gres)

    # --- where and when ------------------------------------------------------------------------

    @cached_property
    def partitions(self) -> tuple[str, ...] | None:
        """Names of the partitions any of which will do."""
        names = self.value("partition", NameList)
        return names.names if names is not None and names.names else None

    @cached_property
    def account(self) -> str | None:
        """The account to charge."""
        return self._text("account")

    @cached_property
    def qos(self) -> str | None:
        """The quality of service."""
        return self._text("qos")

    @cached_property
    def reservation(self) -> tuple[str, ...] | None:
        """Names of the reservations any of which will do."""
        names = self.value("reservation", NameList)
        return names.names if names is not None and names.names else None

    @cached_property
    def constraint(self) -> Constraint | None:
        """The features that nodes must have."""
        return self.value("constraint", Constraint)

    @cached_property
    def licenses(self) -> Licenses | None:
        """The licences that the job takes."""
        return self.value("licenses", Licenses)

    @cached_property
    def nodelist(self) -> HostList | HostFile | None:
        """The hosts that must be among the job's."""
        return self.value("nodelist", HostList) or self.value("nodelist", HostFile)

    @cached_property
    def excluded(self) -> HostList | HostFile | None:
        """The hosts that must not be among the job's."""
        return self.value("exclude", HostList) or self.value("exclude", HostFile)

    @cached_property
    def begin(self) -> Moment | None:
        """The earliest start."""
        return self.value("begin", Moment)

    @cached_property
    def deadline(self) -> Moment | None:
        """When the job must be done."""
        return self.value("deadline", Moment)

    @cached_property
    def dependency(self) -> Dependencies | None:
        """The jobs that this one waits for."""
        return self.value("dependency", Dependencies)

    @cached_property
    def array(self) -> ArraySpec | None:
        """The indices of a job array, and how many may run at once."""
        return self.value("array", ArraySpec)

    # --- files and names -----------------------------------------------------------------------

    @cached_property
    def job_name(self) -> str | None:
        """The name that is given, be it empty; without one Slurm takes the script's file name."""
        use = self.get("job-name")
        return None if use is None or self.unsure else use.value

    @cached_property
    def comment(self) -> str | None:
        """The comment."""
        return self._text("comment")

    @cached_property
    def chdir(self) -> str | None:
        """The working directory as written; without one it is the directory of submission."""
        return self._text("chdir")

    @cached_property
    def output(self) -> FilePattern | None:
        """The file for standard output; Slurm writes ``slurm-%j.out`` without one."""
        return self.value("output", FilePattern)

    @cached_property
    def error(self) -> FilePattern | None:
        """The file for standard error; it goes to ``output`` without one."""
        return self.value("error", FilePattern)

    @cached_property
    def input(self) -> FilePattern | None:
        """The file for standard input; ``/dev/null`` without one."""
        return self.value("input", FilePattern)

    # --- conduct -------------------------------------------------------------------------------

    @cached_property
    def signal(self) -> WarningSignal | None:
        """The signal before the end."""
        return self.value("signal", WarningSignal)

    @cached_property
    def mail_types(self) -> MailTypes | None:
        """The events of which mail is sent."""
        return self.value("mail-type", MailTypes)

    @cached_property
    def mail_user(self) -> str | None:
        """Whom mail is sent to; the submitting user without it."""
        return self._text("mail-user")

    @cached_property
    def nice(self) -> int | None:
        """What is taken from the priority; ``--nice`` alone is 100."""
        use = self.get("nice")
        if use is not None and not use.value and not self.unsure:
            return 100
        return self.value("nice", int)

    @cached_property
    def requeue(self) -> bool | None:
        """Whether the job may be started again; the cluster decides where this is None."""
        names = ("requeue", "no-requeue")
        last = next((use for use in reversed(self.uses) if use.spec.long in names), None)
        return None if last is None or self.unsure else last.spec.long == names[0]

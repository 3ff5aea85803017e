"""Commands that show lines of a log: ``grep -E "iteration|loss" log | head``."""

from __future__ import annotations

from sbatchlint.lint.ask.shell_modes import may_switch_on
from sbatchlint.lint.job import Job
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Command, Pipeline, Simple

_FINDING = frozenset("grep egrep fgrep zgrep rg".split())
"""They fail where no line matches."""
_SHOWING = frozenset("cat head tail sort uniq awk sed cut tr wc column tac nl fold echo printf".split())
_JUDGES = regex(
    r"(?i)pass|success|succeed|compl|done|finish|\bok\b|error|fail|traceback|exception|\bloss_?check"
)
"""What is searched for to know whether a run went well: the status is meant to tell."""
_QUIET = regex(r"(?<!\S)(?:-[a-zA-Z]*[qc][a-zA-Z]*|--quiet|--silent|--count)(?!\S)")


@dataclass(frozen=True, slots=True)
class LogSearch:
    """Such a command, or a pipe of several."""

    name: str
    """The command whose status counts."""
    may_fail: bool
    """True where a search that finds nothing makes it fail."""


def log_search(job: Job, command: Command) -> LogSearch | None:
    """Read *command* as one that shows lines of a log; None for all else, and for one that judges a run."""
    parts = command.commands if isinstance(command, Pipeline) else (command,)
    if isinstance(command, Pipeline) and command.negated:
        return None
    text = job.source.slice(command.span)
    names = [part.name if isinstance(part, Simple) else None for part in parts]
    finds = [name in _FINDING for name in names]
    known = all(name in _FINDING or name in _SHOWING for name in names)
    if not known or not any(finds) or _JUDGES.search(text) or _QUIET.search(text):
        return None
    deciding = max(place for place, found in enumerate(finds) if found)
    may_fail = deciding == len(parts) - 1 or may_switch_on(job, "pipefail")
    return LogSearch((names[deciding] if may_fail else names[-1]) or "", may_fail)


__all__ = ["LogSearch", "log_search"]

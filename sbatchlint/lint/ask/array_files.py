"""Files that every task of a job array overwrites with what its program prints."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.ask.commands import Written, written_commands
from sbatchlint.lint.ask.settings import settings_of
from sbatchlint.lint.ask.work import has_work
from sbatchlint.lint.job import Job
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Pipeline
from sbatchlint.source import Span

_OVERWRITES = frozenset((">", ">|", "&>", ">&"))
_VARIABLE = regex(r"\$(?:(\w+)|\{(\w+)\})")
_PLAIN = regex(r"[\w./~:+,=@-]*")
_SAME = frozenset("HOME USER LOGNAME SLURM_SUBMIT_DIR SLURM_JOB_NAME SLURM_ARRAY_JOB_ID".split())
"""Variables that have one value in all tasks of an array."""
_OF_NODE = regex(r"/(?:tmp|var/tmp|dev|proc|run|local|localscratch|scratch/local)(?:/|$)")
_ROOTED = regex(r"/|~|\$\{?(?:HOME|SLURM_SUBMIT_DIR)\b")
_FORM = regex(r"<[^<>\n]*>[ \t]*$")
"""A blank to fill in, ``<CONFIG>.yaml``, which the shell reads as two redirections."""
_GOES = frozenset(("cd", "pushd"))
_DEEPEST = 3
"""Variables that are set from variables are followed so far."""


def files_of_all_tasks(job: Job) -> Iterator[tuple[Span, str]]:
    """Yield where the batch shell sends the output of work to a file that has one name in all array tasks.

    With each place goes the name.  Left out are additions (``>>``), what a condition decides, files of a
    node, and relative names where the script may have gone to a folder of the task.
    """
    stays = True
    for command in written_commands(job):
        if command.name in _GOES:
            stays = stays and all(_is_same(job, word.span) for word in command.arguments)
        for span in _overwritten(job, command):
            name = job.source.slice(span).strip("\"'")
            if (stays or _ROOTED.match(name)) and _is_same(job, span) and not _OF_NODE.match(name):
                yield span, name


def _overwritten(job: Job, command: Written) -> Iterator[Span]:
    if command.place.may_be_skipped:
        return
    if command.name == "tee":
        pipe = command.place.nearest(Pipeline)
        adds = any(word is None or word.startswith("-") for word in command.words[:1])
        if pipe is not None and not adds and has_work(job, pipe.span):
            yield from (word.span for word in command.arguments)
    elif has_work(job, command.span):
        for redirect in command.node.redirects:
            line = job.source.line_around(redirect.span.start).start
            before = job.source.text[line : redirect.target.span.start]
            if redirect.operator in _OVERWRITES and not _FORM.search(before):
                yield redirect.target.span


def _is_same(job: Job, span: Span, depth: int = 0) -> bool:
    """Whether a word is the same in all tasks: literal, or of variables that are set once to such a word."""
    text = job.source.slice(span)
    if text[:1] == "'" and text.find("'", 1) == len(text) - 1:
        return True
    if not _PLAIN.fullmatch(_VARIABLE.sub("", text.replace('"', ""))) or text.isdigit() or depth > _DEEPEST:
        return False
    names = (one or other for one, other in _VARIABLE.findall(text))
    return all(name in _SAME or _is_set_once(job, name, depth + 1) for name in names)


def _is_set_once(job: Job, name: str, depth: int) -> bool:
    found = [setting for setting in settings_of(job) if setting.name == name]
    if len(found) != 1 or found[0].conditional or found[0].value is None:
        return False
    return _is_same(job, found[0].value, depth)

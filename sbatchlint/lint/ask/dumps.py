"""Commands that print the whole environment."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.lint.ask.commands import Written, written_commands
from sbatchlint.lint.job import Job
from sbatchlint.shell.syntax import (
    CommandSubstitution,
    Function,
    Pipeline,
    ProcessSubstitution,
    Redirect,
    Simple,
)
from sbatchlint.source import Span

_DUMPS = {
    "env": ((), ("-0",)),
    "printenv": ((), ("-0",)),
    "export": ((), ("-p",)),
    "declare": ((), ("-x",), ("-p",), ("-px",), ("-xp",)),
    "typeset": ((), ("-x",)),
    "set": ((),),
}


def dumps_of_environment(job: Job) -> Iterator[tuple[str, Span]]:
    """Yield the commands that print all variables into the log, as they would be typed, and where.

    Left out is what is filtered, kept in a variable, compared, thrown away or written into another file.
    """
    functions = {place.name for place in _functions(job)}
    for command in written_commands(job):
        text = _dump(command.name, command.words) if command.name in _DUMPS else None
        if text is None or command.name in functions or not goes_to_log(job, command):
            continue
        yield text, command.span
    for _, program in job.plan.programs():
        if program.name not in _DUMPS:
            continue
        words = tuple(argument.value.text for argument in program.arguments)
        text = _dump(program.name, words)
        inner = any(layer.kind.value == "shell" for layer in program.layers)
        if text is not None and inner and program.span is not None and not _goes_on(job, program.span):
            yield text, program.span


def _functions(job: Job) -> Iterator[Function]:
    for statement in job.script.body:
        if isinstance(statement.command, Function):
            yield statement.command


def _dump(name: str | None, words: tuple[str | None, ...]) -> str | None:
    known = _DUMPS.get(name or "")
    if known is None or words not in known:
        return None
    return " ".join([name or "", *(word or "" for word in words)])


def goes_to_log(job: Job, command: Written) -> bool:
    """Whether what *command* prints ends up, whole, in the job's output."""
    return _goes_to_log(job, command, frozenset())


def _goes_to_log(job: Job, command: Written, seen: frozenset[str]) -> bool:
    """The same, asked on behalf of what the functions *seen* print."""
    if command.node.assignments or any(_leads_away(redirect) for redirect in command.node.redirects):
        return False
    if command.place.inside(CommandSubstitution, ProcessSubstitution):
        return False
    functions = [node.name for node in command.place.around if isinstance(node, Function)]
    if functions and not _on_errors(command) and _gives_its_output_away(job, functions[-1], seen):
        return False
    around = [node for node in command.place.around if isinstance(node, Pipeline)]
    return all(_prints_on(pipeline, command.node) for pipeline in around)


def _gives_its_output_away(job: Job, function: str, seen: frozenset[str]) -> bool:
    """Whether each call of *function* keeps or pipes what it prints: that is how a function returns text."""
    if function in seen:
        return True
    calls = [call for call in written_commands(job) if call.name == function]
    return bool(calls) and not any(_goes_to_log(job, call, seen | {function}) for call in calls)


def _on_errors(command: Written) -> bool:
    """Whether it prints on standard error, which ``$(...)`` does not take."""
    return any(one.operator == ">&" and one.target.literal == "2" for one in command.node.redirects)


def _leads_away(redirect: Redirect) -> bool:
    """Whether it sends what is printed elsewhere; ``>&2`` does not, for both are in the log."""
    errors = redirect.operator == ">&" and redirect.target.literal in ("1", "2")
    return ">" in redirect.operator and not errors and redirect.descriptor in ("", "1")


def _prints_on(pipeline: Pipeline, node: Simple) -> bool:
    """Whether what *node* prints goes through the pipeline whole, and to the log."""
    behind = [one for one in pipeline.commands if one.span.start > node.span.start]
    for one in behind:
        if not isinstance(one, Simple) or one.name not in ("sort", "tee", "cat"):
            return False
        if any(">" in redirect.operator for redirect in one.redirects):
            return False
    return True


def _goes_on(job: Job, span: Span) -> bool:
    """Whether what is printed by a command inside a string is piped or redirected."""
    rest = job.source.text[span.end : span.end + 80].split("\n", 1)[0]
    end = min((rest.find(sign) for sign in ";&'\"" if sign in rest), default=len(rest))
    return any(sign in rest[:end] for sign in "|>")

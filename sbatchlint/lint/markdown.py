"""Shell blocks in Markdown: whole batch scripts, and command lines that people are told to type."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sbatchlint.lint.engine import FileResult, in_full, is_told, lint_source, unsieved
from sbatchlint.lint.finding import Finding, Related
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.registry import RuleSet
from sbatchlint.lint.scopes import Suppressed
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Script
from sbatchlint.source import Source, Span

_FENCE = regex(r"^(?P<indent>[ \t]*)(?P<fence>`{3,99}|~{3,99})(?P<rest>[^\n]*)$", re.MULTILINE)
_OPENS = regex(r"[ \t]*(?P<language>[\w-]*)[^`]*")
_CLOSES = regex(r"[`~]*[ \t]*")
_LANGUAGES = frozenset(
    ("", "sh", "bash", "shell", "zsh", "console", "shell-session", "sbatch", "slurm", "text")
)
_DIRECTIVE = regex(r"^#SBATCH", re.MULTILINE)
_COMMAND = regex(r"(?:^[ \t]*(?:[A-Z_]+=\S*[ \t]+)?|[;&|(][ \t]*)(?:srun|salloc)\s", re.MULTILINE)
_OF_WHOLE_SCRIPTS = frozenset(("SB001", "SB002", "SB012", "SB114"))
"""What is no fault of a block in a text: it is a part of a script, with places to fill in."""
_PROMPT = regex(r"(?:[\w.@:~/()\[\]-]*[$%>]|[\w.@:~/()\[\]-]+#)\s+")
_ROOT_PROMPT = regex(rf"#\s+|{_PROMPT.pattern}")
"""With the bare ``#`` of root, which is a comment where the block does not say that it is a session."""
_SESSIONS = frozenset(("console", "shell-session"))


@dataclass(frozen=True, slots=True)
class Block:
    """One block, as text of its own."""

    text: str
    starts: tuple[int, ...]
    """For each line of ``text``, where it begins in the whole file."""
    lines: tuple[int, ...]
    """For each line of ``text``, where it begins there."""
    batch: bool
    """Whether it is a batch script, with directives, and not lines to be typed."""

    def outer(self, offset: int) -> int:
        """Return the offset in the whole file of one in the block."""
        line = bisect_right(self.lines, offset) - 1
        return self.starts[line] + offset - self.lines[line]


def blocks(source: Source) -> Iterator[Block]:
    """Yield the blocks of *source* that start something under Slurm."""
    for first, language, last in _fenced(source.text):
        if language not in _LANGUAGES:
            continue
        prompt = _ROOT_PROMPT if language in _SESSIONS else _PROMPT
        start = first.end() + 1
        block = _block(start, source.text[start : last.start()], len(first["indent"]), prompt)
        if block.batch or _COMMAND.search(block.text):
            yield block


def _fenced(text: str) -> Iterator[tuple[re.Match[str], str, re.Match[str]]]:
    """Yield the first and the last line of each block, with its language in small letters."""
    fences = list(_FENCE.finditer(text))
    ends = _ends(fences)
    at = 0
    while at < len(fences):
        opens, end = _OPENS.fullmatch(fences[at]["rest"]), ends[at]
        if opens is not None and end is not None:
            yield fences[at], opens["language"].lower(), fences[end]
            at = end
        at += 1


def _ends(fences: Sequence[re.Match[str]]) -> list[int | None]:
    """Return for each fence the next one that ends it if it opens a block: as long, or longer."""
    found: list[int | None] = []
    following: dict[str, int] = {}
    for number in range(len(fences) - 1, -1, -1):
        fence = fences[number]["fence"]
        found.append(following.get(fence))
        if _CLOSES.fullmatch(fences[number]["rest"]):
            following.update((fence[:length], number) for length in range(3, len(fence) + 1))
    return found[::-1]


def lint_markdown(source: Source, rules: RuleSet, options: LintOptions) -> FileResult:
    """Ask each rule about each block of *source*; places are those of the whole file.  Nothing is fixed."""
    findings: list[Finding] = []
    result = FileResult(source)
    inside = options if options.sieve is None else unsieved(options)
    for block in blocks(source):
        inner = Source(source.path, block.text)
        one = lint_source(inner, rules, replace(inside, interactive=not block.batch))
        told = [finding for finding in one.findings if finding.code not in _OF_WHOLE_SCRIPTS]
        findings += (_outside(block, finding) for finding in told)
        result = replace(
            result,
            suppressed=(*result.suppressed, *(_set_outside(block, each) for each in one.suppressed)),
            internal_errors=(*result.internal_errors, *one.internal_errors),
            hidden=result.hidden + one.hidden,
            beside=(*result.beside, *one.beside),
        )
    return _sieved(replace(result, findings=tuple(findings)), rules, options)


def job_of_text(source: Source, options: LintOptions) -> Job:
    """Return what stands for the whole file where a job is wanted: no shell is read in it."""
    job = Job(source, options)
    job.script = Script(Span(0, len(source.text)), (), ())
    return job


def _sieved(result: FileResult, rules: RuleSet, options: LintOptions) -> FileResult:
    """Hold back what the sieve of *options* knows, of the whole file at once."""
    if options.sieve is None:
        return result
    job = job_of_text(result.source, options)

    def again(source: Source) -> tuple[Finding, ...]:
        return in_full(lint_markdown(source, rules, unsieved(options))).findings

    passed = set(options.sieve(job, result.findings, again))
    told = [finding for finding in result.findings if is_told(finding, options)]
    return replace(
        result,
        findings=tuple(finding for finding in told if finding in passed),
        known=tuple(finding for finding in told if finding not in passed),
        hidden=len(passed) - len(passed.intersection(told)),
    )


def _block(start: int, body: str, indent: int, prompts: re.Pattern[str]) -> Block:
    texts: list[str] = []
    starts: list[int] = []
    session = any(prompts.match(line[_margin(line, indent) :]) for line in body.splitlines())
    follows = False
    for line in body.splitlines(keepends=True):
        cut = _margin(line, indent)
        prompt = prompts.match(line, cut) if session else None
        if session and prompt is None and not follows:
            cut = len(line.rstrip("\n"))  # what a command printed
        elif prompt is not None:
            cut = prompt.end()
        follows = line.rstrip("\n").endswith("\\") and (prompt is not None or follows)
        starts.append(start + cut)
        texts.append(line[cut:])
        start += len(line)
    lines, at = [], 0
    for text in texts:
        lines.append(at)
        at += len(text)
    whole = "".join(texts)
    return Block(whole, tuple(starts) or (start,), tuple(lines) or (0,), bool(_DIRECTIVE.search(whole)))


def _margin(line: str, indent: int) -> int:
    """How much of the block's own indentation the line has."""
    return min(indent, len(line) - len(line.lstrip(" \t")))


def _outside(block: Block, finding: Finding) -> Finding:
    related = tuple(Related(_moved(block, each.span), each.message) for each in finding.related)
    return replace(finding, span=_moved(block, finding.span), related=related, fix=None)


def _set_outside(block: Block, one: Suppressed) -> Suppressed:
    by = None if one.by is None else replace(one.by, span=_moved(block, one.by.span))
    return replace(one, finding=_outside(block, one.finding), by=by)


def _moved(block: Block, span: Span) -> Span:
    start = block.outer(span.start)
    return Span(start, max(start, block.outer(span.end) if len(span) else start))

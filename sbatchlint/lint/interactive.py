"""Command lines that people type, or keep in a script without directives: what job they are for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sbatchlint.launch.plan import Arg, LaunchPlan, Submission
from sbatchlint.slurm.getopt import Use, parse
from sbatchlint.slurm.option_use import OptionUse, Origin
from sbatchlint.slurm.request import JobRequest, read_request
from sbatchlint.source import Source, Span

_BLANK = Source.from_text("")


def unknown_request(source: Source, release: str | None) -> JobRequest:
    """Return a job that was asked for somewhere else: nothing of it is known."""
    return replace(read_request(_BLANK, release), source=source, elsewhere=True)


def allocation(plan: LaunchPlan) -> Submission | None:
    """Return the one ``salloc`` of *plan*, if it surely runs; None where there is none, or several."""
    found = [one for one in plan.submissions if one.command == "salloc"]
    return found[0] if len(found) == 1 and not found[0].conditional else None


def allocated_request(source: Source, salloc: Submission, release: str | None) -> JobRequest | None:
    """Return what *salloc* asks for, each option where it is written; None where that is not all known."""
    texts = [word.text for word in salloc.words[1:]]
    words = [text for text in texts if text is not None]
    if len(words) < len(texts):
        return None
    parsed = parse(words, "salloc", release)
    if parsed.problems:
        return None
    uses = tuple(_use(source, use, salloc.words[1:]) for use in parsed.uses)
    return replace(unknown_request(source, release), uses=uses, elsewhere=False)


def with_command_of(plan: LaunchPlan, salloc: Submission | None) -> LaunchPlan:
    """Return *plan* with the steps of the command that *salloc* starts in its allocation."""
    inner = None if salloc is None else salloc.plan
    if inner is None:
        return plan
    return replace(
        plan,
        steps=(*plan.steps, *inner.steps),
        host_programs=(*plan.host_programs, *inner.host_programs),
        file_uses=(*plan.file_uses, *inner.file_uses),
        written=plan.written | inner.written,
        incomplete=plan.incomplete or inner.incomplete,
    )


def _use(source: Source, use: Use, words: Sequence[Arg]) -> OptionUse:
    name = words[use.name_word]
    span = name.span
    if span is not None and use.value_word is not None and use.value_word != use.name_word:
        last = words[use.value_word].span
        span = span if last is None else span.cover(last)
    line = None if span is None else source.position(span.start).line
    return OptionUse(use.spec, use.value, span, _value_span(source, use, words), line, Origin.COMMAND_LINE)


def _value_span(source: Source, use: Use, words: Sequence[Arg]) -> Span | None:
    """Where the value is written, if the word stands there as it is, without quotes."""
    if use.value is None or use.value_word is None:
        return None
    word = words[use.value_word]
    if word.span is None or source.slice(word.span) != word.text:  # `$T` and `10` are of one length
        return None
    return Span(word.span.start + use.value_start, word.span.end)

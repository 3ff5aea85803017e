"""Checking all files of a run: what is known is recalled, the rest checked side by side, told in order."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sbatchlint.cache.witness import Seen, Watch, is_watched, spoil, take_over
from sbatchlint.cli.console import Console, write
from sbatchlint.cli.inputs import Input
from sbatchlint.cli.progress import Progress
from sbatchlint.files import find_program
from sbatchlint.records import dataclass

if TYPE_CHECKING:
    from sbatchlint.cli.check_options import CheckOptions
    from sbatchlint.cli.checking import Checked, Checker
    from sbatchlint.cli.warm_results import Results
    from sbatchlint.config.file_settings import FileSettings

_FIRST = 2
"""How many files are checked before there are several processes, which need not load so much then."""


def check_all(options: CheckOptions, console: Console, inputs: Sequence[Input]) -> list[Checked]:
    """Check, and if it is asked for fix, all *inputs*; return what became of those that could be checked."""
    run = _Run(options, console)
    tasks = [task for given in inputs for task in run.task(given)]
    if not tasks:
        return []
    try:
        found = _Telling(run, tasks).results()
    finally:
        run.save()
    return found


@dataclass(frozen=True, slots=True)
class _Task:
    given: Input
    checker: Checker
    fixes: bool
    results: Results | None

    def is_known(self) -> bool:
        return self.checker.knows(self.given, fixes=self.fixes)

    def done(self, *, write: bool) -> Checked | None:
        return self.checker.fix(self.given, write=write) if self.fixes else self.checker.check(self.given)


class _Run:
    """What the files of one run have in common."""

    def __init__(self, options: CheckOptions, console: Console) -> None:
        self.options = options
        self.console = console
        self._checkers: dict[int, tuple[Checker, Results | None]] = {}
        self._fixes = options.fix or (options.diff and not options.adoption.adds_ignores)
        whole = options.configuration.run_wide(options.configuration.home)
        if whole is not None and any(layer.file.plugins for layer in whole.layers):
            spoil()  # what they bring may be named, even where it holds for none of the files

    def task(self, given: Input) -> list[_Task]:
        """Return what is to be done with *given*; nothing where its configuration is wrong."""
        settings = None if given.passed_over else self.options.configuration.settings(given.path)
        if given.from_stdin:
            spoil()
        if settings is None:
            return []
        if id(settings) not in self._checkers:
            results = self._results(settings)
            self._checkers[id(settings)] = _checker(self.options, settings, self.console, results), results
        checker, results = self._checkers[id(settings)]
        return [_Task(given, checker, self._fixes, results)]

    def _results(self, settings: FileSettings) -> Results | None:
        """Return what is kept of files for which *settings* hold; None where nothing is to be kept."""
        from sbatchlint.cli.warm_results import Results, settings_of

        told = settings_of(settings.rules, settings.options, follow=settings.follow)
        if told is None or self.options.test_only or self.options.adoption.since is not None:
            spoil()
            return None
        if self.options.cache is None:
            return None
        return Results(self.options.cache, told, self.options.adoption)

    def save(self) -> None:
        """Keep what was found for other runs."""
        for _, results in self._checkers.values():
            reason = "" if results is None else results.save()
            if reason and self.options.verbose:
                self.console.remark(self.options.cache or "", f"nothing is kept there: {reason}")


def _checker(
    options: CheckOptions, settings: FileSettings, console: Console, results: Results | None
) -> Checker:
    """Return what checks the files for which *settings* hold."""
    from sbatchlint.cli.checking import Checker

    assumed = replace(settings.options, sieve=options.adoption.sieve)
    if options.test_only:
        from sbatchlint.cluster.asking import SbatchAsker

        assumed = replace(assumed, ask=SbatchAsker(assumed.sbatch_args, find_program("sbatch") or "sbatch"))
    return Checker(
        settings.rules,
        console,
        unsafe=options.unsafe_fixes,
        verbose=options.verbose,
        follow=settings.follow,
        assumed=assumed,
        results=results,
        time_limit=options.time_limit,
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What another process has to say of one file."""

    checked: tuple[Any, ...] | None
    """The fields of a Checked but those that are known here."""
    text: str
    """What it would have written to standard error."""
    troubles: tuple[tuple[str, str], ...]
    failed: bool
    seen: Seen
    new: dict[str, Any]
    """What is to be kept."""
    answered: dict[Any, Any]
    """What a baseline answered."""


class _Telling:
    """Does the tasks and tells of each in its turn."""

    def __init__(self, run: _Run, tasks: Sequence[_Task]) -> None:
        self._run = run
        self._console = run.console
        self._tasks = tasks
        self._write = not run.options.diff
        self._results: list[Checked | None] = [None] * len(tasks)
        self._early: dict[int, Callable[[], None]] = {}
        self._next = 0
        wanted = not run.options.quiet
        self._progress = Progress(sys.__stderr__, len(tasks), wanted=wanted)

    def results(self) -> list[Checked]:
        from sbatchlint.cli.jobs import how_many, side_by_side

        todo = [number for number, task in enumerate(self._tasks) if not task.is_known()]
        processes = how_many(len(todo), self._run.options.jobs)
        todo = todo[_FIRST:] if processes > 1 else []
        waiting = set(todo)
        for number in range(len(self._tasks)):
            if number not in waiting:
                self._in_turn(number, lambda number=number: self._here(number))  # type: ignore[misc]
        if todo:
            side_by_side(
                len(todo),
                lambda index: self._elsewhere(todo[index]),
                processes,
                lambda index, told: self._in_turn(todo[index], lambda: self._take(todo[index], told)),
                lambda index, why: self._in_turn(todo[index], lambda: self._lost(todo[index], why)),
            )
        self._progress.wipe()
        return [result for result in self._results if result is not None]

    def _in_turn(self, number: int, tell: Callable[[], None]) -> None:
        """Call *tell* when all before *number* have had their turn."""
        self._early[number] = tell
        while self._next in self._early:
            self._early.pop(self._next)()
            self._next += 1
        self._progress.advance()

    def _here(self, number: int) -> None:
        task = self._tasks[number]
        if not self._progress.shown:
            self._results[number] = task.done(write=self._write)
            return
        with _Listening() as heard:
            self._results[number] = task.done(write=self._write)
        self._tell(heard.getvalue())

    def _elsewhere(self, number: int) -> _Told:
        """Do a task in a process of its own; what it leaves behind here goes with that process."""
        task, console = self._tasks[number], self._console
        console.failed, known = False, len(console.troubles)
        with Watch() if is_watched() else nullcontext(Seen()) as seen, _Listening() as heard:
            checked = task.done(write=self._write)
        return _Told(
            None if checked is None else _carried(checked),
            heard.getvalue(),
            tuple(console.troubles[known:]),
            console.failed,
            seen,
            {} if task.results is None else task.results.taken(),
            self._answered(task.given),
        )

    def _answered(self, given: Input) -> dict[Any, Any]:
        baseline = self._run.options.adoption.baseline_of(given.path)
        answered = {} if baseline is None else baseline.answered
        return {source: marks for source, marks in answered.items() if source.path == given.path}

    def _take(self, number: int, told: _Told) -> None:
        task = self._tasks[number]
        self._tell(told.text)
        self._console.troubles += told.troubles
        self._console.failed = self._console.failed or told.failed
        take_over(told.seen)
        if task.results is not None:
            task.results.add(told.new)
        baseline = self._run.options.adoption.baseline_of(task.given.path)
        if baseline is not None:
            baseline.answered.update(told.answered)
        if told.checked is not None:
            self._results[number] = task.checker.carried_over(task.given, *told.checked)

    def _lost(self, number: int, why: str) -> None:
        self._progress.wipe()
        self._console.complain(self._tasks[number].given.path, f"not checked: {why}")

    def _tell(self, text: str) -> None:
        if text:
            self._progress.wipe()
            sys.stdout.flush()
            write(sys.stderr, text)
            sys.stderr.flush()


class _Listening:
    """``with _Listening() as heard``: what is written to the terminal meanwhile gets into *heard*."""

    def __enter__(self) -> io.StringIO:
        self._before = sys.stdout, sys.stderr
        heard = io.StringIO()
        sys.stdout = sys.stderr = heard
        return heard

    def __exit__(self, *_: object) -> None:
        sys.stdout, sys.stderr = self._before


def _carried(checked: Checked) -> tuple[Any, ...]:
    return checked.report, checked.before, checked.after, checked.result, checked.fixes

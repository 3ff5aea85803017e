"""Checking, and if wanted fixing, one file."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sbatchlint.cache.witness import Watch, spoil
from sbatchlint.cli.console import Console, Printed
from sbatchlint.cli.inputs import Input, Kind
from sbatchlint.cli.lateness import ADVICE, TIME_LIMIT, fixed_in_time, is_late, sayings, without_fixes
from sbatchlint.cli.saving import save_source
from sbatchlint.fix.guards import Guards
from sbatchlint.lint.deadline import OutOfTime, clock, limited
from sbatchlint.lint.engine import FileResult, InternalError, lint_source
from sbatchlint.lint.fixing import FixResult, fix_source, with_fixes_that_hold, without_refused
from sbatchlint.lint.job import LintOptions
from sbatchlint.lint.markdown import lint_markdown
from sbatchlint.lint.registry import RuleSet
from sbatchlint.records import dataclass
from sbatchlint.report.mask import Mask
from sbatchlint.report.model import FileReport
from sbatchlint.source import Source
from sbatchlint.writing.trouble import reason_and_remedy

if TYPE_CHECKING:
    from sbatchlint.cli.warm_results import Results

REPORT_IT = "; please report this line (--verbose tells more, and may quote the script)"
"""What to do about a fault of the tool."""
Keep = Callable[[FileResult, bool], None]
"""Takes a result, and whether no rule offered a fix."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one file."""

    given: Input
    report: FileReport
    """What is found in it as it stands at the end of the run."""
    before: Source
    after: Source
    """The fixed text, whether or not it was to be written; *before* where nothing was to be fixed."""
    result: FileResult
    """What the report was made of."""
    rules: RuleSet
    options: LintOptions
    """With *rules*, how it was looked at; nothing else is needed to look at another version of it."""
    fixes: int = 0
    """How many fixes make *after* of *before*."""
    ignored: int = 0
    """How many findings are answered by comments in *after* that were written in this run."""


class Checker:
    """Checks files one after the other; what goes wrong with one is told and does not stop the rest."""

    def __init__(
        self,
        rules: RuleSet,
        console: Console,
        *,
        unsafe: bool,
        verbose: bool,
        follow: bool = True,
        assumed: LintOptions | None = None,
        results: Results | None = None,
        time_limit: float = TIME_LIMIT,
    ) -> None:
        """*follow* lets a script's own files be read where it sources them; *results* are other runs'.

        *time_limit* is in seconds for one file; 0 for none.
        """
        self._time_limit = time_limit
        self._assumed = assumed or LintOptions()
        self._rules = rules
        self._follow = follow
        self._console = console
        self._unsafe = unsafe
        self._verbose = verbose
        self._guards = Guards()
        self._results = results
        self._recalled: dict[str, FileResult | None] = {}

    def knows(self, given: Input, *, fixes: bool) -> bool:
        """Tell whether another run told what :meth:`check`, or with *fixes* :meth:`fix`, will give."""
        if self._results is None:
            return False
        source = Source.from_bytes(given.data, given.path)
        unfixable = fixes and given.kind is not Kind.MARKDOWN
        self._recalled[given.path] = self._results.recall(given, source, unfixable=unfixable)
        return self._recalled[given.path] is not None

    def check(self, given: Input) -> Checked | None:
        """Check *given*; ``None`` if the tool failed."""
        return self._guarded(given, self._check)

    def fix(self, given: Input, *, write: bool) -> Checked | None:
        """Fix *given*, in its file if *write*; ``None`` if the tool failed.

        A file that cannot be written is reported as it is.  Standard input is never written here, and
        Markdown is left as it is.
        """
        if given.kind is Kind.MARKDOWN:
            return self.check(given)
        return self._guarded(given, self._fix_and_write if write else self._fix_only)

    def carried_over(
        self, given: Input, report: FileReport, before: Source, after: Source, result: FileResult, fixes: int
    ) -> Checked:
        """Return what this checker, in another process, has made of *given*."""
        return Checked(given, report, before, after, result, self._rules, self._options(given), fixes)

    def _guarded(self, given: Input, work: Callable[[Input, Source, Mask], Checked]) -> Checked | None:
        known = self._recalled.get(given.path)
        source = Source.from_bytes(given.data, given.path) if known is None else known.source
        mask = None
        try:
            mask = Mask.found_in(source) if known is None else Mask(source)
            self._tell_bad_bytes(source)
            with (
                contextlib.redirect_stdout(Printed()),  # where a plugin's rule prints something
                limited(self._time_limit),
            ):
                return work(given, source, mask)
        except OutOfTime as late:
            spoil()
            self._console.complain(given.path, f"not checked: {late}{ADVICE}")
            return None
        except Exception as error:  # one file's trouble is not the others'
            self._tell(given.path, mask, InternalError.caught(error))
            return None

    def _check(self, given: Input, source: Source, mask: Mask) -> Checked:
        result = self._recalled.get(given.path)
        if result is None:
            with self._kept(given, source) as keep:
                result = self._found(given, source, keep)
        mask = self._mask(given, source, result)
        if given.kind is not Kind.MARKDOWN:
            self._tell_answer(given, source, mask)
        self._tell_all(result, mask)
        return self._checked(given, result, mask, source, source)

    def _mask(self, given: Input, source: Source, result: FileResult, *versions: Source) -> Mask:
        """Return what hides the secrets of *source*, and of all that was read beside for *result*."""
        return Mask.of_job(source, self._options(given), *versions, *result.beside)

    def _found(self, given: Input, source: Source, keep: Keep) -> FileResult:
        options = self._options(given)
        if given.kind is Kind.MARKDOWN:
            result = lint_markdown(source, self._rules, options)
            keep(result, False)
            return result
        result = lint_source(source, self._rules, options)
        nothing_to_fix = all(finding.fix is None for finding in result.findings)
        result = self._promising(result, options)
        keep(result, nothing_to_fix)
        return result

    def _promising(self, result: FileResult, options: LintOptions) -> FileResult:
        """Return *result* with the fixes that hold; with none if there was no time to try them."""
        if is_late(result):
            return without_fixes(result)
        try:
            return with_fixes_that_hold(result, self._rules, options, guards=self._guards)
        except OutOfTime as late:
            return without_fixes(result, late)

    @contextlib.contextmanager
    def _kept(self, given: Input, source: Source) -> Iterator[Keep]:
        """Give what takes a result, to be kept for other runs with all that it rests on.

        A finding may quote the script, and what the command line says of its variables and arguments.
        """
        taken: list[tuple[FileResult, bool]] = []
        if self._results is None or not Mask.of_job(source, self._options(given)).hides_nothing:
            yield lambda result, nothing_to_fix: None
            return
        with Watch() as seen:
            yield lambda result, nothing_to_fix: taken.append((result, nothing_to_fix))
        for result, nothing_to_fix in taken:
            self._results.keep(given, result, seen, nothing_to_fix=nothing_to_fix)

    def _tell_answer(self, given: Input, source: Source, mask: Mask) -> None:
        """Say when sbatch would start the job, where it was asked and takes it."""
        if self._assumed.ask is None:
            return
        try:
            answer = self._assumed.ask(source)
        except OSError as error:
            reason = error.strerror or str(error)
            self._console.complain(given.path, f"sbatch --test-only could not be asked: {reason}")
            return
        if answer.accepted and answer.said:
            said = mask.text(answer.said.splitlines()[-1].removeprefix("sbatch: "))
            self._console.remark(given.path, f"sbatch --test-only: {said}")

    def _fix_only(self, given: Input, source: Source, mask: Mask) -> Checked:
        result, mask = self._fixed(given, source)
        return self._checked_fixed(given, result, mask)

    def _fix_and_write(self, given: Input, source: Source, mask: Mask) -> Checked:
        result, mask = self._fixed(given, source)
        if not given.from_stdin and result.converged.changed:
            try:
                save_source(given, result.converged.before, result.converged.source)
            except OSError as error:
                self._console.complain(given.path, f"not fixed {reason_and_remedy(error)}")
                mask = self._mask(given, source, result.before)
                return self._checked(given, result.before, mask, source, source)
        return self._checked_fixed(given, result, mask)

    def _checked_fixed(self, given: Input, result: FixResult, mask: Mask) -> Checked:
        fixes = len(result.converged.applied)
        after = without_refused(result.after, result.converged)
        return self._checked(given, after, mask, result.converged.before, result.converged.source, fixes)

    def _checked(
        self, given: Input, result: FileResult, mask: Mask, before: Source, after: Source, fixes: int = 0
    ) -> Checked:
        report = report_of(result, mask, fixed=fixes)
        return Checked(given, report, before, after, result, self._rules, self._options(given), fixes)

    def _options(self, given: Input) -> LintOptions:
        folder = given.folder if self._follow else None
        return replace(self._assumed, folder=folder, interactive=given.kind is Kind.INTERACTIVE)

    def _fixed(self, given: Input, source: Source) -> tuple[FixResult, Mask]:
        with self._kept(given, source) as keep:
            options = self._options(given)
            before = self._recalled.get(given.path) or lint_source(source, self._rules, options)
            fix = partial(
                fix_source,
                source,
                self._rules,
                options,
                unsafe=self._unsafe,
                guards=self._guards,
                before=before,
            )
            result = fixed_in_time(before, fix)
            if self._recalled.get(given.path) is None and _is_unfixable(result):
                keep(result.before, True)
        mask = self._mask(given, result.converged.source, result.after, source, *result.before.beside)
        self._tell_all(result.after, mask)
        if is_late(result.after):
            self._console.complain(source.path, "not fixed, since it was not checked to the end")
        for dropped in result.converged.dropped:
            title, reason = mask.text(dropped.fix.title), mask.text(dropped.reason)
            self._console.remark(source.path, f"{dropped.finding.code}: not fixed ({title}): {reason}")
        return result, mask

    def _tell_bad_bytes(self, source: Source) -> None:
        if source.text.isascii():
            return
        bad = next((at for at, char in enumerate(source.text) if "\udc80" <= char <= "\udcff"), None)
        if bad is not None:
            line, column = source.position(bad)
            value = ord(source.text[bad]) - 0xDC00
            self._console.complain(
                f"{source.path}:{line}:{column}",
                f"byte 0x{value:02x} is not UTF-8; checked all the same, but save it as UTF-8",
            )

    def _tell_all(self, result: FileResult, mask: Mask) -> None:
        clock().stop()
        for saying in sayings(result.internal_errors):
            self._console.complain(result.source.path, saying)
        same: dict[tuple[str, str], list[InternalError]] = {}
        for error in result.internal_errors:
            if error.late:
                continue
            same.setdefault((error.kind, error.message), []).append(error)
        for errors in same.values():
            self._tell(result.source.path, mask, *errors)

    def _tell(self, path: str, mask: Mask | None, *errors: InternalError) -> None:
        """Tell of a fault of the tool, which may break several rules.

        The line may be passed on as it is: it quotes nothing.  Without a *mask* nothing else is shown.
        """
        error, codes = errors[0], [each.code for each in errors if each.code]
        where = f" in rule{'s' * (len(codes) > 1)} {', '.join(codes)}" if codes else ""
        what = f"{error.kind} at {error.place}" if error.place else error.kind
        self._console.complain(path, f"internal error{where}: {what}{'' if self._verbose else REPORT_IT}")
        if self._verbose and mask:
            self._console.trace(mask.text(error.traceback))


def _is_unfixable(result: FixResult) -> bool:
    return result.before is result.after and all(one.fix is None for one in result.before.findings)


def report_of(result: FileResult, mask: Mask, fixed: int = 0) -> FileReport:
    """Return what is told of *result*."""
    return FileReport(
        result.source,
        mask,
        result.findings,
        result.suppressed,
        fixed,
        result.hidden,
        baselined=len(result.known),
    )

"""Asking every chosen rule about one file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sbatchlint.lint.builtin import SuppressionRule
from sbatchlint.lint.deadline import OutOfTime, clock
from sbatchlint.lint.finding import Finding
from sbatchlint.lint.import_errors import said_by
from sbatchlint.lint.job import Job, LintOptions
from sbatchlint.lint.registry import Registry, RuleSet
from sbatchlint.lint.rule import Rule
from sbatchlint.lint.scopes import Suppressed, find_suppressions
from sbatchlint.lint.well_formed import problem_of
from sbatchlint.records import dataclass
from sbatchlint.source import Source

__all__ = ["LEFT_OUT", "FileResult", "InternalError", "LintOptions", "Suppressed", "in_full", "lint_source"]

_LONGEST_NAME = 60
LEFT_OUT = "it was left out"
"""What is said of a rule that was not asked, since the file's time was over."""


@dataclass(frozen=True, slots=True)
class InternalError:
    """A fault of the tool, met while it looked at a file; the file's other findings still stand."""

    code: str
    """The code of the rule that broke; empty where the engine itself did."""
    kind: str
    """The exception's type."""
    message: str
    """What the exception says; it may quote the script."""
    traceback: str
    """With the message."""
    place: str = ""
    """Where it was raised: the last two parts of the path, and the line.  That tells nobody's secrets."""

    @classmethod
    def caught(cls, error: BaseException, code: str = "") -> InternalError:
        """Record *error*, which is being handled."""
        import traceback  # loads slowly, and is seldom needed

        trace = "".join(traceback.format_exception(error))
        return cls(code, kind_of(error), said_by(error), trace, place_of(error))

    @property
    def late(self) -> bool:
        """Whether it is no fault, but that there was not enough time."""
        return self.kind == OutOfTime.__name__


def kind_of(error: BaseException) -> str:
    """Return the name of the exception's type, which a plugin may have made of anything."""
    name = type(error).__name__
    return name if name.isidentifier() and len(name) <= _LONGEST_NAME else "an exception"


def place_of(error: BaseException) -> str:
    """Return where *error* was raised, in words that tell nothing of whose machine it is."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    return f"{'/'.join(frames[-1].filename.split('/')[-2:])}:{frames[-1].lineno}" if frames else ""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What was found in one file, in the order of the text."""

    source: Source
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    """Findings that a comment of the script answers, or that an exception sets aside."""
    internal_errors: tuple[InternalError, ...] = ()
    hidden: int = 0
    """How many findings are not told because nobody asked for notes and doubtful ones."""
    known: tuple[Finding, ...] = ()
    """Findings that the options' sieve holds back: they were there before."""
    beside: tuple[Source, ...] = ()
    """Files that the script sources and that were read for it: a finding may quote them."""


def lint_source(source: Source, rules: RuleSet, options: LintOptions | None = None) -> FileResult:
    """Ask each of *rules* about *source*.

    Never raises for what stands in the file or for what a rule does: a rule that breaks is recorded as
    an internal error, and what it found before is kept.  So is a rule that was not done in time, where there
    is a :mod:`~sbatchlint.lint.deadline`; OutOfTime is raised only where nothing can be told then.
    """
    job = Job(source, options)
    findings: dict[Finding, None] = {}
    errors: list[InternalError] = []
    ran: set[str] = set()
    excepted: dict[str, str] = {}
    for rule in rules.looking:
        if clock().over:
            errors.append(InternalError(rule.code, OutOfTime.__name__, LEFT_OUT, ""))
            continue
        try:
            clock().begin()
            severity = rules.severities.get(rule.code)
            for finding in _checked(rule, job):
                findings[finding if severity is None else replace(finding, severity=severity)] = None
            ran.add(rule.code)
            excepted[rule.code] = rule.excepted(job)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # what a rule does must not hide the others' findings
            errors.append(InternalError.caught(error, rule.code))
    try:
        standing, suppressed = _suppress(job, rules, list(findings), ran)
    except OutOfTime as error:  # told; a comment that was not read may answer any of the findings
        errors.append(InternalError.caught(error))
        standing, suppressed = [], []
    except Exception as error:  # told; the findings stand, unsuppressed
        errors.append(InternalError.caught(error))
        standing, suppressed = list(findings), []
    standing, aside = _set_aside(job, standing, excepted)
    suppressed = [*suppressed, *aside]
    try:
        new = _sieved(job, sorted(standing, key=_order), rules)
    except Exception as error:  # told; nothing is held back
        errors.append(InternalError.caught(error))
        new = sorted(standing, key=_order)
    passed = set(new)
    told = tuple(finding for finding in new if is_told(finding, job.options))
    known = (finding for finding in standing if finding not in passed and is_told(finding, job.options))
    return FileResult(
        source,
        told,
        tuple(sorted(suppressed, key=lambda one: _order(one.finding))),
        tuple(errors),
        hidden=len(new) - len(told),
        known=tuple(sorted(known, key=_order)),
        beside=tuple(Source.from_text(text, path) for path, text in job.beside.items()),
    )


def _sieved(job: Job, findings: list[Finding], rules: RuleSet) -> list[Finding]:
    """Return those of *findings* that the sieve of the options lets pass."""
    if job.options.sieve is None:
        return findings

    def again(source: Source) -> tuple[Finding, ...]:
        return in_full(lint_source(source, rules, unsieved(job.options))).findings

    return list(job.options.sieve(job, findings, again))


def in_full(result: FileResult) -> FileResult:
    """Return *result*.  Raises OutOfTime where it holds only what was found in time."""
    if any(error.late for error in result.internal_errors):
        raise OutOfTime("too long")
    return result


def unsieved(options: LintOptions) -> LintOptions:
    """Return *options* for another version of the text: everything is told, and the cluster is not asked."""
    return replace(options, sieve=None, ask=None, pedantic=True)


def is_told(finding: Finding, options: LintOptions) -> bool:
    """Tell whether *finding* is shown in a run with *options*."""
    return options.pedantic or finding.prominent or finding.code in options.asked_for


def _order(finding: Finding) -> tuple[int, str, int, str]:
    return finding.span.start, finding.code, finding.span.end, finding.message


def _checked(rule: Rule, job: Job) -> Iterator[Finding]:
    """Yield what *rule* finds; a finding that cannot be shown is the rule's fault."""
    for finding in rule.check(job):
        problem = problem_of(finding, len(job.source.text))
        if problem:
            raise ValueError(problem)
        if finding.code != rule.code:
            raise ValueError(f"finding with another rule's code: {finding.code}")
        yield finding


def _suppress(
    job: Job, rules: RuleSet, findings: list[Finding], ran: set[str]
) -> tuple[list[Finding], list[Suppressed]]:
    """Set the suppressed findings aside, and add what is wrong with the suppressions."""
    if "sbatchlint" not in job.source.text:
        return findings, []
    registry = rules.registry
    suppressions = find_suppressions(job.source, job.script, lambda key: _codes(registry, key))
    standing, suppressed = suppressions.sift(job.source, findings)
    if job.script.unparsed or "plan" in job.late or job.plan.incomplete:
        ran = set()  # what was not looked at may hold the finding that a suppression answers
    about = [
        finding
        for rule in rules.rules
        if isinstance(rule, SuppressionRule)
        for finding in rule.report(job.source, suppressions, ran, registry.suggest)
    ]
    more_standing, more_suppressed = suppressions.sift(job.source, about)
    return [*standing, *more_standing], [*suppressed, *more_suppressed]


def _set_aside(
    job: Job, findings: list[Finding], excepted: dict[str, str]
) -> tuple[list[Finding], list[Suppressed]]:
    """Part *findings* by what the rules' exceptions, reasons by code, say.

    It comes after the comments, so that none is called idle as long as an exception holds.
    """
    standing = [finding for finding in findings if not excepted.get(finding.code)]
    aside = [
        Suppressed(finding, None, excepted[finding.code])
        for finding in findings
        if excepted.get(finding.code) and is_told(finding, job.options)
    ]
    return standing, aside


def _codes(registry: Registry, key: str) -> tuple[str, ...]:
    """Return the codes that *key* stands for in a suppression: a code, a name, a prefix or a family.

    What is said of suppressions themselves is answered by its own code or name alone: else a comment could
    hide that it answers nothing.
    """
    rule = registry.find(key)
    if rule is not None:
        return (rule.code,)
    return tuple(one.code for one in registry.group(key) if not issubclass(one, SuppressionRule))

"""Fixing until nothing changes, and dropping each fix that would do harm."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Generic

from sbatchlint.fix.apply import Round, UnsoundFix, apply_fixes, check_sound
from sbatchlint.fix.edit import Fix, Safety
from sbatchlint.fix.guards import Guards
from sbatchlint.fix.matching import P, new_problems
from sbatchlint.fix.shift import Shift
from sbatchlint.records import dataclass
from sbatchlint.source import Source, Span

ROUNDS = 10
"""How often a file is fixed and linted again at most."""


@dataclass(frozen=True, slots=True)
class Applied(Generic[P]):
    """A finding whose fix was applied; its places refer to the source of that round."""

    finding: P
    fix: Fix
    round: int


@dataclass(frozen=True, slots=True)
class Dropped(Generic[P]):
    """A finding whose fix was refused, and why; its places refer to the source of that moment."""

    finding: P
    fix: Fix
    reason: str


@dataclass(frozen=True, slots=True)
class Converged(Generic[P]):
    """The outcome of fixing one file."""

    before: Source
    source: Source
    applied: tuple[Applied[P], ...]
    remaining: tuple[P, ...]
    """What lint says of the final source."""
    dropped: tuple[Dropped[P], ...]
    stable: bool
    """False where fixes were still waiting when the rounds were used up."""

    @property
    def changed(self) -> bool:
        """Whether there is anything to write."""
        return self.source != self.before


def converge(
    source: Source,
    lint: Callable[[Source], Sequence[P]],
    *,
    unsafe: bool = False,
    bookkeeping: Collection[str] = (),
    rounds: int = ROUNDS,
    guards: Guards | None = None,
) -> Converged[P]:
    """Fix *source* in rounds until no fix is left that helps.

    *lint* gives the findings of a source; where it raises for a fixed one, that fix is
    dropped.  With *unsafe* the unsafe fixes are applied too, after the safe ones.  *bookkeeping* are the
    codes of findings about the linter's own comments: their fixes may delete such a comment, are applied
    last, and a fix is not blamed for bringing one about.
    """
    fixing = _Fixing(source, lint, unsafe, frozenset(bookkeeping), guards or Guards())
    number = 0
    while number < rounds and fixing.step(number + 1):
        number += 1
    return Converged(
        source,
        fixing.source,
        tuple(fixing.applied),
        tuple(fixing.findings),
        tuple(fixing.dropped),
        stable=not fixing.next_group(),
    )


class _Fixing(Generic[P]):
    def __init__(
        self,
        source: Source,
        lint: Callable[[Source], Sequence[P]],
        unsafe: bool,
        bookkeeping: frozenset[str],
        guards: Guards,
    ) -> None:
        self.source = source
        self.findings: Sequence[P] = lint(source)
        self.applied: list[Applied[P]] = []
        self.dropped: list[Dropped[P]] = []
        self._lint = lint
        self._unsafe = unsafe
        self._bookkeeping = bookkeeping
        self._guards = guards
        self._refused: set[tuple[str, Span, str]] = set()
        """Code, place in the present source and title of the fixes not to be tried again."""

    def step(self, number: int) -> bool:
        """Do one round; False if there was nothing to do."""
        group = self.next_group()
        if not group:
            return False
        done, trial = self._sweep(group)
        if trial is not None:
            self.applied.extend(Applied(finding, fix, number) for finding, fix in done)
            self._move_to(trial)
        return True

    def next_group(self) -> list[tuple[P, Fix]]:
        """Return the findings to fix next: the safe fixes, else the unsafe, else the bookkeeping."""
        groups: tuple[list[tuple[P, Fix]], ...] = ([], [], [])
        for finding in self.findings:
            fix = finding.fix
            if fix is None or (finding.code, finding.span, fix.title) in self._refused:
                continue
            if finding.code in self._bookkeeping:
                groups[2].append((finding, fix))
            elif fix.safety is Safety.SAFE:
                groups[0].append((finding, fix))
            elif self._unsafe:
                groups[1].append((finding, fix))
        return next((group for group in groups if group), [])

    def _sweep(self, group: list[tuple[P, Fix]]) -> _Kept[P]:
        """Apply as much of *group* as does no harm; refuse the rest, but for what has to wait."""
        sound = [pair for pair in group if self._is_sound(*pair)]
        taken = set(apply_fixes(self.source, [fix for _, fix in sound]).taken)
        wanted = [pair for pair in sound if pair[1] in taken]
        return self._settle(([], None), wanted) if wanted else ([], None)

    def _settle(self, kept: _Kept[P], more: list[tuple[P, Fix]]) -> _Kept[P]:
        """Add to *kept* what does no harm of *more*, halving it until the guilty ones stand alone."""
        trial = self._try([*kept[0], *more])
        if not isinstance(trial, str):
            return [*kept[0], *more], trial
        if len(more) == 1:
            self._refuse(*more[0], trial)
            return kept
        half = len(more) // 2
        return self._settle(self._settle(kept, more[:half]), more[half:])

    def _is_sound(self, finding: P, fix: Fix) -> bool:
        try:
            check_sound(self.source, fix)
        except UnsoundFix as error:
            self._refuse(finding, fix, str(error))
            return False
        return True

    def _refuse(self, finding: P, fix: Fix, reason: str) -> None:
        self.dropped.append(Dropped(finding, fix, reason))
        self._refused.add((finding.code, finding.span, fix.title))

    def _try(self, pairs: list[tuple[P, Fix]]) -> _Trial[P] | str:
        """Apply the fixes of *pairs* together; return what comes of it, or what harm."""
        made = apply_fixes(self.source, [fix for _, fix in pairs])
        try:
            harm = self._harm_to_text(pairs, made.source)
            if harm is not None:
                return harm
            findings = self._lint(made.source)
        except Exception as error:  # what cannot be checked is not kept, and stops no other fix
            return f"it could not be checked: {error}"
        return self._harm(pairs, made, findings) or _Trial(made, findings)

    def _harm_to_text(self, pairs: list[tuple[P, Fix]], after: Source) -> str | None:
        harm = self._guards.breaks_syntax(self.source, after)
        keep_comments = any(
            fix.safety is Safety.SAFE and finding.code not in self._bookkeeping for finding, fix in pairs
        )
        if harm is None and keep_comments:
            revived = [edit.span for _, fix in pairs if fix.revives for edit in fix.edits]
            harm = self._guards.loses_comment(self.source, after, revived)
        return harm

    def _harm(self, pairs: list[tuple[P, Fix]], made: Round, findings: Sequence[P]) -> str | None:
        """Return what is worse in *findings* than before, apart from what *pairs* should have mended."""
        shift = Shift(made.edits)
        mended = {id(finding) for finding, _ in pairs}
        others = [finding for finding in self.findings if id(finding) not in mended]
        for new in new_problems(others, findings, (self.source, made.source), shift):
            for finding, _ in pairs:
                place = shift.outer(finding.span)
                if new.code == finding.code and place.start <= new.span.end and new.span.start <= place.end:
                    return "the finding would still be there"
            if new.serious and new.code not in self._bookkeeping:
                return f"it would bring about {new.code}: {new.message}"
        return None

    def _move_to(self, trial: _Trial[P]) -> None:
        shift = Shift(trial.made.edits)
        self._refused = {(code, shift.inner(span), title) for code, span, title in self._refused}
        self.source = trial.made.source
        self.findings = trial.findings


@dataclass(frozen=True, slots=True)
class _Trial(Generic[P]):
    made: Round
    findings: Sequence[P]


_Kept = tuple[list[tuple[P, Fix]], _Trial[P] | None]
"""Fixes that do no harm together, and what came of applying them."""

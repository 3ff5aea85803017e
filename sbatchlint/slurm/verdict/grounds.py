"""Making complaints from the options that they are about."""

from __future__ import annotations

from sbatchlint.slurm.grammar.base import Stage
from sbatchlint.slurm.option_use import OptionUse
from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect
from sbatchlint.slurm.verdict.settings import Settings


def about(
    settings: Settings,
    names: tuple[str, ...],
    kind: ComplaintKind,
    said: str = "",
    *,
    effect: Effect = Effect.REFUSED,
    detail: str = "",
    stage: Stage = Stage.CLIENT,
) -> Complaint:
    """Return a complaint about the options *names* of which at least one is given.

    It points at the first of them that is written in the script, or else at the first at all.
    """
    uses = [use for use in map(settings.use, names) if use is not None]
    return of_uses(uses, kind, said, effect=effect, detail=detail, stage=stage)


def of_uses(
    uses: list[OptionUse],
    kind: ComplaintKind,
    said: str = "",
    *,
    effect: Effect = Effect.REFUSED,
    detail: str = "",
    stage: Stage = Stage.CLIENT,
) -> Complaint:
    """Return a complaint about *uses*, the first written one in front."""
    written = sorted(uses, key=lambda use: use.span is None)
    first = written[0]
    return Complaint(
        kind,
        effect,
        said,
        detail,
        tuple(dict.fromkeys(use.spec.long for use in written)),
        stage,
        first.span,
        tuple(use.span for use in written[1:] if use.span is not None),
        first.line,
        origin=first.origin,
        variable=first.variable,
    )

"""Which nodes have the features that a constraint asks for."""

from __future__ import annotations

from collections.abc import Collection

from sbatchlint.slurm.grammar.features import Constraint, Feature


def has_features(features: Collection[str], constraint: Constraint) -> bool | None:
    """Tell whether a node with *features* may be one of the job's.

    None where several nodes have to be looked at together: counts, and brackets of alternatives.
    """
    if any(member.count is not None for member in constraint.members):
        return None
    answer: bool | None = True
    for operator, member in zip(("&", *constraint.operators), constraint.members, strict=False):
        one = _member(features, member)
        if one is None or answer is None:
            return None
        # Slurm goes from left to right, whatever joins them.
        answer = (answer and one) if operator == "&" else (answer or one)
    return answer


def _member(features: Collection[str], member: Feature | Constraint) -> bool | None:
    if isinstance(member, Feature):
        return None if member.name.startswith("!") else member.name in features
    if member.bracket == "[":
        return None
    return has_features(features, member)

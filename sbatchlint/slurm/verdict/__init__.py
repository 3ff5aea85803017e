"""What sbatch and the controller make of a script: what they refuse, pass over, or take otherwise.

:func:`judge` is the one way in.
"""

from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect, Verdict
from sbatchlint.slurm.verdict.judge import judge

__all__ = ["Complaint", "ComplaintKind", "Effect", "Verdict", "judge"]

"""What sbatch and the controller make of a script: what they refuse, pass over, or take otherwise.

:func:`judge` is the way in, :func:`judge_read` for a script whose directives have been read.
"""

from sbatchlint.slurm.verdict.complaint import Complaint, ComplaintKind, Effect, Verdict
from sbatchlint.slurm.verdict.judge import judge, judge_read

__all__ = ["Complaint", "ComplaintKind", "Effect", "Verdict", "judge", "judge_read"]

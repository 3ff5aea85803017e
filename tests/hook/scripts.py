"""Scripts that are committed."""

from __future__ import annotations

GOOD = "#!/bin/bash\n#SBATCH --nodes=1\n#SBATCH --time=00:10:00\n\nsrun hostname\n"
BAD = {
    "SB101": GOOD.replace("#SBATCH --time", "#SBATCH --mpi=pmix\n#SBATCH --time"),
    "SB002": GOOD.replace("srun hostname", "srun hostname  # sbatchlint: ignore[SB001] no longer true"),
}
"""By the rule that finds something in them."""

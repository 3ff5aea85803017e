#!/bin/bash
#SBATCH --nodes=1

echo BAD, "é 模型" | tee "<b>&" BAD
echo RISKY HINT
echo BAD # sbatchlint: ignore[bad-word] quoted | as "is"

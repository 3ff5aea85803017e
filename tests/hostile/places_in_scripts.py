"""Texts in scripts and in what they source."""

from __future__ import annotations

from pathlib import Path

from sbatchlint.report.formats import FORMATS
from tests.hostile.places import CHECKS, DIFF, HEAD, PLANS, SUBMIT, WRONG, job, put, scene


@scene("directive", [*CHECKS, *PLANS, SUBMIT, DIFF])
def _directive(folder: Path, text: str) -> None:
    more = (
        f"#SBATCH --job-name={text}\n#SBATCH --partition={text}\n#SBATCH --nodse={text}\n#SBATCH -t {text}\n"
    )
    job(folder, head=f"{HEAD}{more}#SBATCH --output={text}/%j\n#SBATCH --gres=gpu:{text}:8\n#SBATCH {text}\n")


@scene("command line", [*CHECKS, *PLANS, SUBMIT, DIFF])
def _command_line(folder: Path, text: str) -> None:
    job(
        folder,
        f"srun --nodse={text} --container-image='{text}' --container-mounts='{text}:/x' python '{text}'\n"
        f"srun python $X{text}\n"
        f"export A='{text}'\nsrun env B=\"{text}\" bash -c 'python x.py --a={text}; exec {text}'\n"
        f"cd '{text}'\nsource '{text}'\nssh '{text}' date\nfor ((i{text}; do\n",
    )


@scene("comment", [*CHECKS, DIFF, SUBMIT])
def _comment(folder: Path, text: str) -> None:
    job(
        folder,
        f"srun python a.py  # sbatchlint: ignore[{text}] {text}\n"
        f"# sbatchlint: ignore[SB301] {text}\n# {text}\n"
        f"# sbatchlint: {text}\n",
    )


@scene("first line", [*CHECKS, *PLANS, SUBMIT])
def _first_line(folder: Path, text: str) -> None:
    job(folder, head=HEAD.replace("/bin/bash", f"/opt/{text}/bash -l {text}"))


@scene("foreign directive", [*CHECKS, SUBMIT])
def _foreign(folder: Path, text: str) -> None:
    job(folder, head=f"{HEAD}#PBS -l nodes={text}\n#PBS -N {text}\n#BSUB -q {text}\n")


@scene("standard input", [("check", "-"), ("check", "--stdin-filename", "x.sh", "-"), ("plan", "-")])
def _stdin(folder: Path, text: str) -> None:
    _command_line(folder, text)


@scene("sourced file", [*CHECKS, *PLANS, SUBMIT, DIFF])
def _sourced(folder: Path, text: str) -> None:
    launch = "LAUNCH='torchrun --nproc-per-node=8 train.py'"
    put(folder / "env.sh", f"export P='{text}'\nOPT=--nodse={text}\nIMG='{text}'\n{launch}\n# {text}\n")
    steps = 'srun $OPT --container-image="$IMG" $LAUNCH --a="$P"\nsrun python "$P" --b $P\ncd "$P"\n'
    job(folder, f"source env.sh\n{steps}")


@scene("Markdown", [("check", "--include-markdown", "--output-format", name, "page.md") for name in FORMATS])
def _markdown(folder: Path, text: str) -> None:
    put(
        folder / "page.md", f"# {text}\n\n```sbatch\n{HEAD}{WRONG}srun --nodse={text} {text}\n```\n\n{text}\n"
    )

"""Broken containers: images, mounts, options, what is called inside."""

from __future__ import annotations

from tests.rules.mutations.mutation import Mutation, each

MUTATIONS = (
    Mutation(
        "mount dropped",
        "SB508",
        each(r"^ *--container-mounts=\S+(?: \\)?\n", "", unless="--container-name"),
        pedantic=True,
    ),
    Mutation(
        "mount on another path", "SB508", each(r"(--container-mounts=/lustre:)/lustre", r"\1/workspace")
    ),
    Mutation("relative mount", "SB509", each(r"(--container-mounts=/lustre:)/", r"\1")),
    Mutation("mount without a target", "SB509", each(r"(--container-mounts=/lustre:)/lustre", r"\1")),
    Mutation(
        "mount over the image's programs",
        "SB510",
        each(r"(--container-mounts=/lustre:/lustre)", r"\1,/scratch/local:/usr"),
    ),
    Mutation(
        "home folder left to the site",
        "SB511",
        each(r"^ *--no-container-mount-home(?: \\)?\n", ""),
        pedantic=True,
    ),
    Mutation(
        "image from a registry",
        "SB512",
        each(r"(--container-image=)/lustre\S+", r"\1nvcr.io#nvidia/pytorch:24.05-py3"),
        pedantic=True,
    ),
    Mutation("constant name of a container", "SB504", each(r"^NAME=.*", "NAME=nemo"), pedantic=True),
    Mutation("image file without a path", "SB507", each(r"(--container-image=)/lustre/images/", r"\1")),
    Mutation("--nv behind the image", "SB505", each(r"exec --nv (--bind \S+) (\S+)", r"exec \1 \2 --nv")),
    Mutation("--nv dropped", "SB506", each(r"exec --nv ", "exec "), pedantic=True),
    Mutation("bind dropped", "SB508", each(r"--bind /scratch:/scratch ", "")),
    Mutation(
        "scontrol inside the container",
        "SB502",
        each(
            r"(?<==)\$MASTER_ADDR",
            "$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)",
            when="apptainer exec",
        ),
    ),
    Mutation(
        "srun inside the container",
        "SB359 SB502",
        each(r"(?<=bash -c ')torchrun", "srun torchrun", when="apptainer exec"),
    ),
    Mutation(
        "bind behind the image", "SB505", each(r"exec --nv --bind (\S+) (\S+)", r"exec --nv \2 --bind \1")
    ),
    Mutation(
        "blank between mounts",
        "SB509",
        each(r"(--container-mounts=/lustre:/lustre)", r"\1, /scratch:/scratch"),
    ),
)

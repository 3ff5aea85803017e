"""The containers of steps and programs: image, mounts, folder and variables."""

from __future__ import annotations

import pytest

from sbatchlint.launch.layer_containers import container_of_layer
from sbatchlint.launch.plan import Container, LayerKind
from tests.launch.agreement import plan_of

HEAD = "#!/bin/bash\n#SBATCH --nodes=2\n"


def of_step(line: str) -> Container:
    (step,) = plan_of(f"{HEAD}{line}\n").steps
    assert step.container is not None
    return step.container


def of_program(text: str) -> Container:
    (program,) = plan_of(f"{HEAD}{text}\n").host_programs
    (layer,) = (layer for layer in program.layers if layer.kind is LayerKind.CONTAINER)
    return container_of_layer(layer, program.environment)


@pytest.mark.parametrize(
    ("mounts", "complete"),
    [
        ("/a:/b", True),
        ("/a:/b,/c", True),
        ("$HOME/code:/code", True),
        ("$DATA:/data", True),
        ("$HOME/code", True),
        ("$HOME/code:$HOME/code", True),
        ("/a:/b,$DATA/x:/x:ro", True),
        ("$MOUNTS", False),
        ("/a:/b,$MORE", False),
        ("$A:$B", False),
        ("/a:/b$MORE", True),
        ("${DIR:-/x}:/y", True),
    ],
)
def test_pyxis_mounts(mounts: str, complete: bool) -> None:
    assert of_step(f"srun --container-image=i --container-mounts={mounts} train").mounts_complete is complete


def test_pyxis_folder() -> None:
    assert of_step("srun --container-image=i --container-workdir=/w train").workdir is not None
    assert of_step("srun --container-image=i train").workdir is None


@pytest.mark.parametrize(
    ("line", "image", "mounts", "workdir", "variables"),
    [
        (
            "apptainer exec --pwd /w -B /a:/a,/b --env A=1,B=2 i.sif train",
            "i.sif",
            ["/a:/a", "/b"],
            "/w",
            ["A=1", "B=2"],
        ),
        (
            "export SINGULARITY_BIND=/c,/d APPTAINERENV_A=1\nsingularity exec -B /b i.sif train",
            "i.sif",
            ["/b", "/c", "/d"],
            None,
            ["A=1"],
        ),
        (
            "export A=1\n"
            "docker run -it -v /a:/a,ro --mount type=bind,src=/b,dst=/b -w /w -e A -e B=2 -e C i train",
            "i",
            ["/a:/a,ro", "type=bind,src=/b,dst=/b"],
            "/w",
            ["A=1", "B=2"],
        ),
        ("podman-hpc run --rm --gpu -v /a:/a i train", "i", ["/a:/a"], None, []),
        ("shifter --image=i:1 -V /a:/a train", "i:1", ["/a:/a"], None, []),
        ("enroot start -m /a:/a -e A=1 i train", "i", ["/a:/a"], None, ["A=1"]),
    ],
)
def test_started_by_a_command(
    line: str, image: str, mounts: list[str], workdir: str | None, variables: list[str]
) -> None:
    container = of_program(line)
    assert container.image.text == image
    assert [mount.text for mount, _ in container.mounts] == mounts
    assert (container.workdir and container.workdir.text) == workdir
    assert [f"{name}={value.text}" for name, value, _ in container.environment] == variables
    assert container.mounts_complete


def test_entry_point() -> None:
    (program,) = plan_of("docker run --entrypoint python i train.py --x\n").host_programs
    assert [layer.name for layer in program.layers] == ["docker", "python"]
    assert program.target.text == "train.py"


@pytest.mark.parametrize(
    ("line", "image", "command", "complete"),
    [
        ("singularity exec --nv $SIF python train.py", "$SIF", "train.py", True),
        ("singularity exec $CONTAINER_PATH bash -c 'python train.py'", "$CONTAINER_PATH", "train.py", True),
        ("singularity exec $MY_OPTS $CONTAINER python train.py", "$CONTAINER", "train.py", False),
        ("singularity exec $A $B /bin/bash -c 'python train.py'", "$B", "train.py", False),
        ("singularity exec $NV my.sif python train.py", "my.sif", "train.py", False),
        ("singularity exec $CONTAINER_ARGS python train.py", "$CONTAINER_ARGS", "train.py", False),
        ("singularity exec $CONTAINER $CMD", "$CONTAINER", "$CMD", True),
        ("singularity exec $1 $2 --lr 1", "$1", "$2", True),
        ("singularity exec $1 $PYTHON train.py", "$1", "$PYTHON", True),
        ("docker run --rm $IMAGE python train.py", "$IMAGE", "train.py", True),
        ("docker run $DOCKER_ARGS $IMAGE python train.py", "$IMAGE", "train.py", False),
        ("docker run $FLAGS org/image:1 python train.py", "org/image:1", "train.py", False),
    ],
)
def test_an_unknown_word_at_the_place_of_the_image(
    line: str, image: str, command: str, complete: bool
) -> None:
    (program,) = plan_of(f"{HEAD}{line}\n").host_programs
    (layer,) = (layer for layer in program.layers if layer.kind is LayerKind.CONTAINER)
    option = layer.get("image")
    assert option is not None
    assert option.arg.value.show() == image
    assert program.target.show() == command
    assert layer.complete is complete

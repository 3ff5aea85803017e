"""SB601: caches that each node or container has for itself."""

from __future__ import annotations

import pytest

from tests.rules.checking import findings, job, lines

CODE = "SB601"
EIGHT = {"nodes": 2, "ntasks_per_node": 8, "gpus_per_node": 8}
CONTAINER = "--container-image=/i.sqsh --container-mounts=/lustre:/lustre --no-container-mount-home"
RECIPE = "python /opt/Megatron-Bridge/scripts/training/run_recipe.py --recipe llama3_8b_sft_config"
PACKED = f"{RECIPE} dataset.enable_offline_packing=true"
HF = "export HF_HOME=/lustre/hf"


def severities(*body: str, **options: object) -> list[str]:
    return [severity for _, severity in lines(job(*body, **{**EIGHT, **options}), CODE)]


def nemo(value: str, run: str = f"srun {CONTAINER} {PACKED}") -> list[str]:
    return severities(HF, f"export NEMO_HOME={value}", run)


# --- data that one rank prepares ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", ["/tmp/nemo", "/tmp/nemo_$USER", "/dev/shm/x", "/var/tmp/n", "/root/.cache/nemo"]
)
def test_packed_data_on_a_folder_of_the_node_is_an_error(value: str) -> None:
    assert nemo(value) == ["error"]


def test_the_error_names_the_value_and_the_exception() -> None:
    (found,) = findings(job(HF, "export NEMO_HOME=/tmp/nemo", f"srun {CONTAINER} {PACKED}", **EIGHT), CODE)
    assert "NEMO_HOME=/tmp/nemo" in found.message
    assert "NoneType" in found.notes[0]
    assert found.related


@pytest.mark.parametrize(
    ("value", "run"),
    [
        ("$TMPDIR/nemo", f"srun {CONTAINER} {PACKED}"),
        ("/tmp/nemo", f"srun --container-mounts=$MORE {CONTAINER} {PACKED}"),
        ("/tmp/nemo", f"srun {CONTAINER} {RECIPE}"),
        ("/root/nemo", f"srun --container-image=/i.sqsh --container-mounts=/lustre {PACKED}"),
        ("/cache/nemo", f"srun {CONTAINER} {PACKED}"),
        ("/tmp/nemo", f"if [ $A = 1 ]; then srun {CONTAINER} {PACKED}; fi"),
        ("${NEMO_HOME:-/tmp/nemo}", f"srun {CONTAINER} {PACKED}"),
        ("/tmp/nemo", f"srun {CONTAINER} python finetune_llama.py"),
    ],
)
def test_with_anything_not_known_it_is_a_warning(value: str, run: str) -> None:
    assert nemo(value, run) == ["warning"]


@pytest.mark.parametrize(
    ("value", "run"),
    [
        ("/lustre/nemo", f"srun {CONTAINER} {PACKED}"),
        ("$WORK/nemo", f"srun {CONTAINER} {PACKED}"),
        ("/cache/nemo", f"srun --container-image=/i.sqsh --container-mounts=/lustre/c:/cache {PACKED}"),
        ("/cache/nemo", f"srun --container-image=/i.sqsh --container-mounts=$WORK/c:/cache {PACKED}"),
        ("/tmp/nemo", f"srun --container-image=/i.sqsh --container-mounts=/lustre/tmp:/tmp {PACKED}"),
        (
            "/root/nemo",
            f"srun --container-image=/i.sqsh --container-mounts=$HOME:/root,/lustre:/lustre {PACKED}",
        ),
        ("/root/nemo", f"srun --container-image=/i.sqsh --container-mount-home {PACKED}"),
        ("/cache/nemo", f"srun --container-image=/i.sqsh --container-mounts=$MOUNTS {PACKED}"),
        ("/cache/nemo", f"srun --container-image=/i.sqsh {PACKED}"),
        ("/tmp/nemo", f"srun {CONTAINER} {PACKED} dataset.dataset_root=/lustre/data"),
        ("/tmp/nemo", f"NEMO_DATASETS_CACHE=/lustre/d srun {CONTAINER} {PACKED}"),
        ("/tmp/nemo", f"srun --export=ALL,NEMO_HOME=/lustre/n {CONTAINER} {PACKED}"),
        ("/tmp/nemo", f"srun -N1 -n8 {CONTAINER} {PACKED}"),
        ("/tmp/nemo", "srun hostname"),
    ],
)
def test_a_shared_folder_or_one_node_is_in_order(value: str, run: str) -> None:
    found = findings(job(HF, f"export NEMO_HOME={value}", run, **EIGHT), CODE)
    assert [one for one in found if one.severity.value != "info"] == []


def test_a_mount_from_the_node_is_no_shared_folder() -> None:
    run = f"srun --container-image=/i.sqsh --container-mounts=/lustre,/tmp/c:/cache {PACKED}"
    assert nemo("/cache/nemo", run) == ["warning"]


@pytest.mark.parametrize("options", [{"nodes": 1}, {"nodes": 1, "array": "0-7"}])
def test_one_node_needs_nothing_shared(options: dict[str, object]) -> None:
    body = [HF, "export NEMO_HOME=/tmp/nemo", f"srun {CONTAINER} {PACKED}"]
    assert severities(*body, **options) == []


# --- not set at all -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "run",
    [
        f"srun {CONTAINER} {RECIPE}",
        f"srun {CONTAINER} {PACKED}",
        f"srun --container-image=/i.sqsh {RECIPE}",
        f'CMD="uv run --no-sync {PACKED}"\nsrun {CONTAINER} bash -c "$CMD"',
        f"srun {CONTAINER} {RECIPE.replace('llama3_8b_sft_config', 'qwen3_8b_peft_config')}",
    ],
)
def test_unset_in_a_container_is_a_warning(run: str) -> None:
    (found,) = findings(job(HF, run, **EIGHT), CODE)
    assert found.severity.value == "warning"
    assert "NEMO_HOME is not set in this script" in found.message


def test_unset_is_said_once() -> None:
    run = f"srun {CONTAINER} {PACKED}"
    assert severities(HF, run, run.replace("8b", "70b")) == ["warning"]


@pytest.mark.parametrize(
    "lines_before",
    [
        ["export NEMO_HOME"],
        ["export NEMO_DATASETS_CACHE=${NEMO_DATASETS_CACHE:?}"],
        ['[ -n "${NEMO_HOME:-}" ] || echo "set NEMO_HOME"'],
        ["source ./cluster_env.sh"],
        [". /lustre/settings"],
    ],
)
def test_a_variable_that_is_expected_from_outside(lines_before: list[str]) -> None:
    assert severities(HF, *lines_before, f"srun {CONTAINER} {PACKED}") == []


@pytest.mark.parametrize(
    "run",
    [
        f"srun {PACKED}",
        f"srun --container-image=/i.sqsh --container-mount-home {PACKED}",
        f"srun --container-image=/i.sqsh --container-mounts=$HOME:/root,/lustre:/lustre {PACKED}",
        f"srun {CONTAINER} {RECIPE.replace('llama3_8b_sft_config', 'qwen3_vl_8b_sft_config')}",
        f"srun {CONTAINER} {RECIPE.replace('llama3_8b_sft_config', 'llama3_8b_pretrain_config')}",
        f"srun {CONTAINER} {RECIPE} --dataset mock",
        f"srun {CONTAINER} python train_sft.py",
    ],
)
def test_unset_is_right_without_container_or_without_such_data(run: str) -> None:
    assert severities("export NCCL_DEBUG=WARN", HF, "source venv/bin/activate", run) == []


def test_a_comment_does_not_set_anything() -> None:
    assert severities(HF, "# export NEMO_HOME=/path", f"srun {CONTAINER} {PACKED}") == ["warning"]


# --- Hugging Face ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_DATASETS_CACHE"])
def test_downloads_to_each_node_are_a_remark(name: str) -> None:
    (found,) = findings(job(f"export {name}=/tmp/hf", "srun python t.py", **EIGHT), CODE)
    assert found.severity.value == "info"
    assert "each of 2 nodes" in found.message


def test_downloads_that_go_with_the_container_are_a_warning() -> None:
    assert severities("export HF_HOME=/root/.cache/huggingface", f"srun {CONTAINER} python t.py") == [
        "warning"
    ]


@pytest.mark.parametrize(
    "body",
    [
        ["export HF_HOME=/lustre/hf", "srun python t.py"],
        ["export HF_HOME=$SCRATCH/hf", "srun python t.py"],
        ["HF_HOME=/tmp/hf", "srun python t.py"],
        [
            "export HF_HOME=/tmp/hf",
            "srun --ntasks-per-node=1 -n2 rsync -a /lustre/hf/ /tmp/hf/",
            "srun python t.py",
        ],
        ["export TRITON_CACHE_DIR=/tmp/t TORCHINDUCTOR_CACHE_DIR=/tmp/i TMPDIR=/tmp/x", "srun python t.py"],
        ["export HF_HOME=/tmp/hf", "python t.py"],
    ],
)
def test_shared_or_local_on_purpose(body: list[str]) -> None:
    assert severities(*body) == []


def test_unset_in_a_bridge_container_without_home_is_a_remark() -> None:
    run = f"srun {CONTAINER} {RECIPE.replace('sft', 'pretrain')}"
    (found,) = findings(job(run, **EIGHT), CODE)
    assert (found.severity.value, "HF_HOME is not set" in found.message) == ("info", True)


# --- uv -------------------------------------------------------------------------------------------------

NEMO_IMAGE = "--container-image=nvcr.io/nvidia/nemo:25.09 --container-mounts=/lustre"
SYNC = f"srun -N1 -n1 --ntasks-per-node=1 {NEMO_IMAGE} uv sync"


def test_a_uv_cache_of_each_node_is_a_remark() -> None:
    assert severities("export UV_CACHE_DIR=/tmp/uv", "srun uv run python t.py") == ["info"]


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (f"srun {NEMO_IMAGE} uv run python t.py", ["info"]),
        (f"{SYNC}\nsrun {NEMO_IMAGE} uv run python t.py", ["warning"]),
        (f"srun {NEMO_IMAGE} --container-env=UV_CACHE_DIR uv run python t.py", []),
        (f"srun {NEMO_IMAGE} bash -c 'export UV_CACHE_DIR=/lustre/uv; uv run python t.py'", []),
        (f"srun {NEMO_IMAGE} uv run --no-sync python t.py", []),
        (f"srun {NEMO_IMAGE} python t.py", []),
        (f"srun {NEMO_IMAGE.replace('nemo:', 'pytorch:')} uv run python t.py", []),
    ],
)
def test_the_image_of_nemo_has_a_uv_cache_of_its_own(run: str, expected: list[str]) -> None:
    assert severities("export UV_CACHE_DIR=/lustre/uv", run) == expected


def test_the_overruled_variable_says_how_to_keep_it() -> None:
    (found,) = findings(
        job("export UV_CACHE_DIR=/lustre/uv", f"srun {NEMO_IMAGE} uv run python t.py", **EIGHT), CODE
    )
    assert "--container-env=UV_CACHE_DIR" in found.help
    assert "/opt/uv_cache" in found.message


@pytest.mark.parametrize("mounts", ["$MOUNTS", "${MOUNTS:?}", "/lustre:/lustre,$MORE", "$(cat mounts)"])
@pytest.mark.parametrize(
    "setting", ["true", "export NEMO_HOME=/root/.cache/nemo", "export NEMO_HOME=/cache/nemo"]
)
def test_quiet_where_a_mount_that_is_not_known_may_be_the_one(mounts: str, setting: str) -> None:
    run = f"srun --container-image=/i.sqsh --container-mounts={mounts} --no-container-mount-home {PACKED}"
    assert severities(HF, setting, run) == []


def test_quiet_where_enroot_is_told_to_mount_the_home_folder() -> None:
    run = f"srun --container-image=/i.sqsh --container-mounts=/lustre {PACKED}"
    assert severities(HF, run) == ["warning"]
    assert severities(HF, "export ENROOT_MOUNT_HOME=y", run) == []

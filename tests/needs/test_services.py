"""Outside services that a job calls, and the switches that make it independent of them."""

from __future__ import annotations

import pytest

from sbatchlint.certainty import Certainty
from sbatchlint.needs.need import ServiceKind
from tests.needs.needing import needs, service, services

HUB = ("model hub", "huggingface.co")
WANDB = ("experiment tracker", "api.wandb.ai")
PYPI = ("package index", "PyPI")


@pytest.mark.parametrize(
    ("line", "called"),
    [
        ("pip install -U transformers", PYPI),
        ("python -m pip install transformers", PYPI),
        ("pip3.11 install -e .", PYPI),
        ("uv sync", PYPI),
        ("uv pip install torch", PYPI),
        ("srun uv run train.py", PYPI),
        ("conda install -y numpy", ("package index", "conda channels")),
        ("git clone https://user@github.com/a/b.git", ("git host", "github.com")),
        ("git clone git@gitlab.com:a/b.git", ("git host", "gitlab.com")),
        ("cd /repo && git pull", ("git host", "")),
        ("git clone https://huggingface.co/gpt2", HUB),
        ("wget https://example.org/data.tar", ("download", "example.org")),
        ("curl -O https://huggingface.co/gpt2/resolve/main/vocab.json", HUB),
        ("hf download org/model", HUB),
        ("huggingface-cli upload org/model .", HUB),
        ("python t.py --tokenizer-model org/name", HUB),
        ("torchrun t.py --model_name_or_path=org/name-7B", HUB),
        ("python t.py model.hf_path=org/name", HUB),
        ("lm_eval --model hf --model_args pretrained=org/name,dtype=auto", HUB),
        ("vllm serve Qwen/Qwen2-7B", HUB),
        ("python t.py --dataset allenai/c4", HUB),
        ("python -c \"AutoModel.from_pretrained('gpt2')\"", HUB),
        ("python t.py --wandb-project mine", WANDB),
        ("python t.py --report_to wandb", WANDB),
        ("python t.py logger.wandb_project=mine", WANDB),
        ("wandb agent me/project/abc", WANDB),
        ("export WANDB_PROJECT=mine; python t.py", WANDB),
        ("python t.py --report_to mlflow", ("experiment tracker", "")),
        ("srun --container-image=nvcr.io#nvidia/nemo:25.07 hostname", ("container registry", "nvcr.io")),
        ("srun --container-image=nvcr.io/nvidia/nemo:25.07 hostname", ("container registry", "nvcr.io")),
        ("srun --container-image=ubuntu hostname", ("container registry", "Docker Hub")),
        ("apptainer exec docker://img.example.org/a/b:1 hostname", ("container registry", "img.example.org")),
        ("apptainer pull x.sif docker://alpine", ("container registry", "Docker Hub")),
        ("enroot import -o x.sqsh docker://alpine", ("container registry", "Docker Hub")),
        ("docker pull registry.example.org/a/b", ("container registry", "registry.example.org")),
        ("aws s3 cp s3://bucket/x .", ("object store", "amazonaws.com")),
    ],
)
def test_what_is_called(line: str, called: tuple[str, str]) -> None:
    assert called in services(line)


@pytest.mark.parametrize(
    "line",
    [
        "pip list",
        "pip install --no-index --no-deps ./wheels/a.whl",
        "uv run --no-sync train.py",
        "uv venv",
        "conda env list",
        "conda create -p /env --clone /base",
        "git status",
        "git clone /lustre/repo.git",
        "git submodule status",
        "curl http://localhost:8000/health",
        "curl http://10.0.0.1:8000/health",
        "curl http://$HEAD:8000/health",
        "curl http://head-node/metrics",
        "hf cache scan",
        "wandb offline",
        "python t.py --model ./org/name",
        "python t.py --model models/name",
        "python t.py --config conf/a.yaml",
        "python t.py --data data/train",
        "python t.py --wandb-project ''",
        "python t.py --use_wandb false",
        "python t.py --wandb-project mine --wandb-offline true",
        "python t.py log.wandb.project=mine log.wandb.offline=True",
        "python t.py create_wandb_logger=False wandb_name=a",
        "python t.py --report_to tensorboard",
        "python t.py --no-wandb; export WANDB_PROJECT=a; python t.py --no-wandb",
        "srun --container-image=/images/a.sqsh hostname",
        "apptainer exec image.sif hostname",
        "docker exec running hostname",
        "srun --container-image=dockerd://local hostname",
        "rclone version",
    ],
)
def test_what_calls_nothing(line: str) -> None:
    assert services(line) == []


@pytest.mark.parametrize(
    ("lines", "switch"),
    [
        (("export HF_HUB_OFFLINE=1", "python t.py --model org/name"), "HF_HUB_OFFLINE"),
        (("TRANSFORMERS_OFFLINE=true python t.py --model org/name",), "TRANSFORMERS_OFFLINE"),
        (("export HF_DATASETS_OFFLINE=1", "python t.py --dataset org/name"), "HF_DATASETS_OFFLINE"),
        (("export HF_ENDPOINT=https://mirror.example", "hf download org/name"), "HF_ENDPOINT"),
        (("export WANDB_MODE=offline", "python t.py --use_wandb"), "WANDB_MODE"),
        (("export WANDB_MODE=${WANDB_MODE:-offline}", "python t.py --use_wandb"), "WANDB_MODE"),
        (("export PIP_INDEX_URL=https://mirror.example", "pip install a"), "PIP_INDEX_URL"),
        (("pip install --index-url=https://mirror.example a",), "--index-url"),
        (("pip install -i https://mirror.example a",), "--index-url"),
        (("pip install --no-index -f /wheels a",), "--no-index"),
        (("export UV_OFFLINE=1", "uv sync"), "UV_OFFLINE"),
        (("uv sync --offline",), "--offline"),
        (("docker run -e HF_HUB_OFFLINE=1 local/image python t.py --model org/name",), "HF_HUB_OFFLINE"),
    ],
)
def test_a_switch_that_is_set(lines: tuple[str, ...], switch: str) -> None:
    one = next(one for one in needs(*lines).services if one.kind is not ServiceKind.REGISTRY)
    assert one.independent
    assert [each.name for each in one.switches if each.is_set] == [switch]


@pytest.mark.parametrize(
    "lines",
    [
        ("HF_HUB_OFFLINE=1", "python t.py --model org/name"),
        ("export HF_HUB_OFFLINE=0", "python t.py --model org/name"),
        ("export HF_DATASETS_OFFLINE=1", "python t.py --model org/name"),
        ("export WANDB_MODE=online", "python t.py --use_wandb"),
        ("export WANDB_MODE=offline", "wandb sync run"),
        ("export HF_HUB_OFFLINE=1", "docker run local/image python t.py --model org/name"),
    ],
)
def test_a_switch_that_does_not_reach(lines: tuple[str, ...]) -> None:
    calls = [one for one in needs(*lines).services if one.kind is not ServiceKind.REGISTRY]
    assert calls and not any(one.independent for one in calls)


def test_a_switch_whose_value_nobody_knows() -> None:
    one = service("export WANDB_MODE=$MODE", "python t.py --use_wandb")
    assert [each.is_set for each in one.switches if each.name == "WANDB_MODE"] == [None]
    assert not one.independent


def test_a_command_is_sure_and_an_option_is_not() -> None:
    assert service("pip install a").certainty is Certainty.KNOWN
    assert service("python t.py --model org/name").certainty is Certainty.ASSUMED
    assert service("uv sync").certainty is Certainty.ASSUMED


def test_where_it_is_called() -> None:
    host, task = needs("pip install a", "srun pip install a").services
    assert host.step is None and task.step is not None
    assert service("if [ $A ]; then pip install a; fi").conditional


def test_a_loop_calls_once() -> None:
    assert len(needs("for i in 1 2 3; do pip install a; done").services) == 1


def test_several_options_tell_of_one_tracker() -> None:
    assert services("python t.py --wandb-project a --wandb-entity b --report_to wandb") == [WANDB]

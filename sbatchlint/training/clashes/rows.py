"""Which options Megatron refuses together: the facts, a row for each.

The facts are those of ``validate_args`` in NVIDIA/Megatron-LM@d98e8a64 (megatron/training/arguments.py) and
of ``TransformerConfig`` (megatron/core/transformer/transformer_config.py), compared with six older forks;
for Megatron-Bridge those of NVIDIA-NeMo/Megatron-Bridge@067f987d (src/megatron/bridge/training/config.py).
"""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.training.dialects import Quantity


@dataclass(frozen=True, slots=True)
class Excludes:
    """Two options, ``--name`` or ``--name=value``, of which only one may be given; ``!0`` is any but 0."""

    option: str
    other: str
    says: str = ""
    """The beginning of the framework's own message; empty where it has no fixed words."""
    always: bool = True
    """False where older releases let it pass."""
    beside: tuple[str, ...] = ()
    """If not empty, it is only asked where one of these is given, too."""


@dataclass(frozen=True, slots=True)
class Needs:
    """An option that stands only beside one of others; *says* and *always* as of :class:`Excludes`."""

    option: str
    others: tuple[str, ...]
    says: str = ""
    always: bool = True
    unless: tuple[str, ...] = ()
    """Options beside which it is not asked."""


@dataclass(frozen=True, slots=True)
class Limits:
    """An option with which a quantity must be 1, or must not; the rest as of :class:`Needs`."""

    option: str
    quantity: Quantity
    one: bool
    """True where the quantity must be 1, False where it must be above 1."""
    says: str
    unless: tuple[str, ...] = ()
    help: str = ""
    """What to do; empty for leaving the option out."""
    always: bool = True


Row = Excludes | Needs | Limits

_VPP = (
    "--num-layers-per-virtual-pipeline-stage",
    "--num-virtual-stages-per-pipeline-rank",
    "--pipeline-model-parallel-layout",
)
_ONE_VPP = "No more than one of the following arguments can be set at the same time"
_BY_ITERATION, _BY_SAMPLE = "expected iteration-based", "expected sample-based"
_A2A = "--overlap-moe-expert-parallel-comm"
_A2A_RECOMPUTE = "disable full recomputation when enabling overlap_moe_expert_parallel_comm"
_A2A_SHARED = "disable moe_shared_expert_overlap when enabling overlap_moe_expert_parallel_comm"
_TP_OVERLAP = (
    "Tensor parallel communication/GEMM overlap can happen only when sequence parallelism is enabled"
)

_UNEVEN_CHUNKS = (
    "please use --num-virtual-stages-per-pipeline-rank to specify virtual pipeline parallel degree "
    "when enable uneven pipeline parallelism"
)
_FSDP2_FORMAT = "--use-torch-fsdp2 requires --ckpt-format torch_dist or torch_dcp"
_FSDP_OPTIMIZERS = ("muon", "dist_muon", "adaptive_muon", "lion", "soap")
_FSDP_FORMAT = "Megatron-FSDP requires the fsdp_dtensor checkpointing format!"
_SAVED = ("checkpoint.save", "checkpoint.load")

MEGATRON_LM: tuple[Row, ...] = (
    Excludes("--fp16", "--bf16"),
    Excludes("--train-samples", "--train-iters", f"{_BY_ITERATION} training"),
    Excludes("--lr-decay-samples", "--train-iters", f"{_BY_ITERATION} learning rate decay"),
    Excludes("--lr-warmup-samples=!0", "--train-iters", f"{_BY_ITERATION} learning rate warmup"),
    Excludes("--lr-decay-iters", "--train-samples", f"{_BY_SAMPLE} learning rate decay"),
    Excludes("--lr-warmup-iters=!0", "--train-samples", f"{_BY_SAMPLE} learnig rate warmup"),
    Excludes(_VPP[0], _VPP[1], _ONE_VPP, always=False),
    Excludes(_VPP[0], _VPP[2], _ONE_VPP),
    Excludes(_VPP[1], _VPP[2], _ONE_VPP),
    Excludes(_VPP[0], "--decoder-first-pipeline-num-layers", _UNEVEN_CHUNKS, always=False),
    Excludes(_VPP[0], "--decoder-last-pipeline-num-layers", _UNEVEN_CHUNKS, always=False),
    Excludes("--use-torch-fsdp2", "--use-megatron-fsdp"),
    Excludes("--ckpt-format=torch", "--use-torch-fsdp2", _FSDP2_FORMAT),
    Excludes("--ckpt-format=zarr", "--use-torch-fsdp2", _FSDP2_FORMAT),
    *(Excludes(f"--optimizer={one}", "--use-megatron-fsdp") for one in _FSDP_OPTIMIZERS),
    *(Excludes(f"--optimizer={one}", "--use-torch-fsdp2") for one in _FSDP_OPTIMIZERS),
    Excludes("--fp16", "--use-torch-fsdp2", "--use-torch-fsdp2 not supported with fp16 yet"),
    Excludes(
        "--use-distributed-optimizer",
        "--use-torch-fsdp2",
        "--use-torch-fsdp2 is not supported with MCore's distributed optimizer",
    ),
    Excludes(
        "--use-distributed-optimizer",
        "--megatron-fsdp-version=2",
        "--megatron-fsdp-version 2 is not compatible with --use-distributed-optimizer",
    ),
    Excludes("--recompute-granularity=full", _A2A, _A2A_RECOMPUTE),
    Excludes("--moe-shared-expert-overlap", _A2A, _A2A_SHARED),
    Limits("--use-torch-fsdp2", Quantity.PP, True, "--use-torch-fsdp2 is not supported with pipeline"),
    Limits("--use-torch-fsdp2", Quantity.EP, True, "--use-torch-fsdp2 is not supported with expert"),
    Limits("--ckpt-format=torch_dcp", Quantity.TP, True, "--ckpt-format torch_dcp is not tested with"),
    Limits("--ckpt-format=torch_dcp", Quantity.PP, True, "--ckpt-format torch_dcp is not tested with"),
    Limits(_A2A, Quantity.EP, False, f"{_A2A[2:].replace('-', '_')} is only supported with expert model"),
    Limits(
        _A2A,
        Quantity.PP,
        True,
        "If enabling EP A2A overlap, virtual_pipeline_model_parallel_size must be specified",
        unless=(*_VPP, "--hybrid-layer-pattern", "--hybrid-override-pattern"),
        help="set --num-virtual-stages-per-pipeline-rank",
    ),
    Needs(
        _A2A,
        ("--moe-token-dispatcher-type=alltoall", "--moe-token-dispatcher-type=flex"),
        "overlap_moe_expert_parallel_comm is supported with alltoall/flex token dispatcher",
    ),
    Needs("--ckpt-format=torch_dcp", ("--use-torch-fsdp2",), "--ckpt-format torch_dcp is only tested with"),
    Needs(
        "--ckpt-format=fsdp_dtensor", ("--use-megatron-fsdp",), "--ckpt-format fsdp_dtensor is only tested"
    ),
    Needs(
        "--use-megatron-fsdp",
        ("--ckpt-format=fsdp_dtensor",),
        "Megatron-FSDP requires the `fsdp_dtensor` checkpointing format.",
        always=False,
        unless=("--use-torch-fsdp2",),
    ),
    Needs(
        "--use-torch-fsdp2",
        ("--no-gradient-accumulation-fusion",),
        "--use-torch-fsdp2 is not supported with gradient accumulation fusion",
    ),
    Needs(
        "--use-torch-fsdp2",
        ("--untie-embeddings-and-output-weights",),
        "--use-torch-fsdp2 requires --untie-embeddings-and-output-weights",
    ),
    Needs(
        "--overlap-param-gather",
        ("--use-distributed-optimizer",),
        "--overlap-param-gather only supported with distributed optimizer",
        unless=("--use-megatron-fsdp", "--use-custom-fsdp", "--optimizer=!adam"),
    ),
    Needs(
        "--overlap-param-gather",
        ("--overlap-grad-reduce",),
        "Must use --overlap-param-gather with --overlap-grad-reduce",
        always=False,
    ),
    Needs("--tp-comm-overlap", ("--sequence-parallel",), _TP_OVERLAP),
    Limits("--tp-comm-overlap", Quantity.TP, False, _TP_OVERLAP, always=False),
    Needs(
        "--recompute-granularity=full",
        ("--recompute-method",),
        "Using recompute_granularity: full so recompute_method must be",
    ),
)
BRIDGE: tuple[Row, ...] = (
    Excludes(
        "dist.use_torch_fsdp2=true",
        "dist.use_megatron_fsdp=true",
        "use_megatron_fsdp and use_torch_fsdp2 are mutually exclusive.",
    ),
    Excludes(
        "dist.use_megatron_fsdp=true",
        "dist.use_tp_pp_dp_mapping=true",
        "use_tp_pp_dp_mapping is not supported with Megatron FSDP",
    ),
    *(
        Excludes(f"checkpoint.ckpt_format={one}", "dist.use_megatron_fsdp=true", _FSDP_FORMAT, beside=_SAVED)
        for one in ("torch", "torch_dist", "zarr")
    ),
    Excludes(
        "dataset.enable_offline_packing=true",
        "dataset.enable_in_batch_packing=true",
        "enable_offline_packing and enable_in_batch_packing are mutually exclusive.",
    ),
    Limits(
        "dataset.enable_offline_packing=true",
        Quantity.MBS,
        True,
        "Micro batch size should be 1 when training with packed sequence",
        help="set train.micro_batch_size=1, and divide the global batch by the same",
    ),
    Excludes(
        "train.micro_batch_size=1",
        "dataset.enable_in_batch_packing=true",
        "micro_batch_size should be greater than 1 when using enable_in_batch_packing=True.",
    ),
)

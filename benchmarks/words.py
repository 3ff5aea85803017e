"""The names and numbers that the made scripts are filled with, in no more variety than public ones have."""

from __future__ import annotations

JOBS = (
    *(
        "pretrain",
        "finetune",
        "sft",
        "eval",
        "llama3-8b",
        "gpt-7b",
        "mixtral",
        "qwen2.5",
        "bloom-176b",
        "clip",
    ),
    *(
        "preprocess",
        "tokenize",
        "resnet50",
        "vit-l",
        "diffusion",
        "nemo-asr",
        "megatron",
        "deepspeed",
        "bench",
    ),
)
PARTITIONS = (
    "gpu",
    "batch",
    "a100",
    "h100",
    "gpu_p5",
    "gpu_p13",
    "normal",
    "boost_usr_prod",
    "hopper-prod",
    "cpu",
)
ACCOUNTS = ("six@a100", "ajs@v100", "nlp", "my_account", "llmservice", "coreai", "bsc-train", "eolus@cpu")
TIMES = (
    "01:00:00",
    "20:00:00",
    "04:00:00",
    "100:00:00",
    "72:00:00",
    "00:30:00",
    "1-00:00:00",
    "48:00:00",
    "240",
)
MODULES = (
    *("cuda/12.1", "gcc/11.2", "openmpi/4.1.5", "python/3.10", "anaconda3/2023.9", "nccl/2.18", "cudnn/8.9"),
    *("singularity", "aws-ofi-nccl", "pytorch-gpu/py3/2.1.1", "cmake", "git-lfs"),
)
SETTINGS = (
    *("NCCL_DEBUG=INFO", "OMP_NUM_THREADS=8", "CUDA_DEVICE_MAX_CONNECTIONS=1", "HF_DATASETS_OFFLINE=1"),
    *(
        "TRANSFORMERS_OFFLINE=1",
        "NCCL_IB_DISABLE=0",
        "NCCL_SOCKET_IFNAME=ib0",
        "TOKENIZERS_PARALLELISM=false",
    ),
    *("FI_PROVIDER=efa", "FI_EFA_USE_DEVICE_RDMA=1", "NCCL_ASYNC_ERROR_HANDLING=1", "PYTHONUNBUFFERED=1"),
    *(
        "TORCH_NCCL_AVOID_RECORD_STREAMS=1",
        "NVTE_FUSED_ATTN=0",
        "WANDB_MODE=offline",
        "CUDA_LAUNCH_BLOCKING=1",
    ),
    *("HF_HOME=$SCRATCH/huggingface", "TRANSFORMERS_CACHE=$WORK/models", "HF_DATASETS_CACHE=$WORK/datasets"),
    *("PYTHONPATH=$PWD:$PYTHONPATH", "LD_LIBRARY_PATH=/opt/amazon/efa/lib:$LD_LIBRARY_PATH", "LOGLEVEL=INFO"),
    *("TRITON_CACHE_DIR=/tmp/triton", "NCCL_P2P_LEVEL=NVL", "UCX_TLS=rc", "TORCH_CPP_LOG_LEVEL=INFO"),
)
FOLDERS = (
    "$WORK",
    "$SCRATCH",
    "/lustre/fsw/llm",
    "$HOME",
    "/fsx/checkpoints",
    "/gpfswork/rech/six",
    "/data",
    "$DSDIR",
)
FILES = (
    "train",
    "data",
    "tokenizer",
    "checkpoints",
    "tensorboard",
    "logs",
    "config",
    "dataset",
    "output",
    "cache",
)
PROGRAMS = (
    *(
        "pretrain_gpt.py",
        "train.py",
        "finetune.py",
        "run_clm.py",
        "main.py",
        "evaluate.py",
        "scripts/train.py",
    ),
    *("tools/preprocess_data.py", "examples/nlp/language_modeling/megatron_gpt_pretraining.py", "convert.py"),
)
OPTIONS = (
    *(
        "--tensor-model-parallel-size $TP_SIZE",
        "--pipeline-model-parallel-size $PP_SIZE",
        "--num-layers {layers}",
    ),
    *("--hidden-size {hidden}", "--num-attention-heads {heads}", "--seq-length {tokens}"),
    *("--micro-batch-size {few}", "--global-batch-size {batch}", "--train-iters {steps}", "--lr {rate}"),
    *("--max-position-embeddings 8192", "--min-lr 1e-6", "--lr-decay-style cosine", "--weight-decay 0.1"),
    *(
        "--clip-grad 1.0",
        "--bf16",
        "--log-interval {few}",
        "--save-interval {steps}",
        "--eval-interval {steps}",
    ),
    *("--eval-iters {few}", "--save $CHECKPOINT_PATH", "--load $CHECKPOINT_PATH", "--data-path $DATA_PATH"),
    *("--vocab-file $VOCAB_FILE", "--merge-file $MERGE_FILE", "--tokenizer-type PretrainedFromHF"),
    *("--tokenizer-name-or-path $TOKENIZER", "--split 949,50,1", "--distributed-backend nccl"),
    *("--adam-beta1 0.9", "--adam-beta2 0.95", "--init-method-std 0.006", "--seed {layers}"),
    *("--tensorboard-dir $TENSORBOARD_PATH", "--use-flash-attn", "--sequence-parallel", "--swiglu"),
    *("--use-distributed-optimizer", "--no-bias-gelu-fusion", "--num-workers {few}"),
    *(
        "--num-layers $NLAYERS --hidden-size $NHIDDEN",
        "--num-attention-heads $NHEADS",
        "--seq-length $SEQ_LEN",
    ),
)
"""Of Megatron; sizes fit each other, so that no more is wrong with the scripts than with public ones."""

PLAIN_OPTIONS = (
    *("--input {path}", "--output-prefix {path}", "--model_name_or_path {path}", "--data_dir $DATA_PATH"),
    *("--batch_size {batch}", "--epochs {few}", "--lr {rate}", "--workers {few}", "--seed {layers}"),
    *("--output_dir {path}", "--max_steps {steps}", "--arch resnet50", "--dataset-impl mmap", "--append-eod"),
    *("--json-key inputs", "--fp16", "--config configs/{word}.yaml", "--exp_name {work}", "--resume"),
    *(
        "--logging_steps {steps}",
        "--save_steps {steps}",
        "--num_beams {few}",
        "--task {word}",
        "--debug False",
    ),
)
"""Of all the other programs."""

NUMBERS = {
    "few": ("1", "2", "4"),
    "layers": ("12", "16", "24", "32", "40", "42", "70"),
    "heads": ("16", "32"),
    "hidden": ("1024", "2048", "4096", "8192"),
    "tokens": ("512", "1024", "2048", "4096", "8192", "1536", "640", "7168"),
    "batch": ("512", "1024", "2048"),
    "steps": ("100", "1000", "1500", "10000", "300000", "500", "2000", "3750", "5000", "250"),
    "rate": ("1e-4", "6e-5", "3e-4", "1.5e-4", "2e-5", "1e-5", "4e-6", "0.0008"),
}
PATHS = (
    *(
        "CHECKPOINT_PATH",
        "DATA_PATH",
        "TENSORBOARD_PATH",
        "LOGS_PATH",
        "TOKENIZER",
        "VOCAB_FILE",
        "MERGE_FILE",
    ),
    *("OUTPUT_PATH", "REPO_PATH"),
)
"""Variables that hold a path."""

SIZES = ("NLAYERS", "NHIDDEN", "NHEADS", "SEQ_LEN", "BATCH", "EPOCHS", "SIZE")
"""Variables that hold a number."""

ARGUMENTS = ("GPT_ARGS", "OPTIMIZER_ARGS", "DATA_ARGS", "OUTPUT_ARGS", "EXTRA_ARGS", "OPTIONS")
"""Variables that hold options."""

COMMENTS = (
    *(
        "so processes know who to talk to",
        "defining the right environment variables",
        "do not remove this line",
    ),
    *("number of nodes", "TODO: check on the new partition", "activate the environment", "load the modules"),
    *(
        "force crashing on nccl issues like hanging broadcast",
        "where the data lies",
        "from here the training",
    ),
    *("export NCCL_DEBUG=INFO", "python train.py --debug", "model", "paths", "hyperparameters"),
    *(
        "Copyright (c) the authors of this script",
        "see the README of the repository",
        "sbatch this_script.sh",
    ),
)
SAYINGS = (
    '"START TIME: $(date)"',
    '"END TIME: $(date)"',
    '"NODELIST=$SLURM_NODELIST"',
    '"Job $SLURM_JOB_ID"',
    "done",
)
IMAGES = ("nvcr.io/nvidia/pytorch:23.12-py3", "$CONTAINER_IMAGE", "/lustre/images/nemo-24.07.sqsh", "$IMAGE")
REMARKS = (
    "set the",
    "this needs the",
    "old:",
    "path of the",
    "we keep the",
    "check the",
    "see also the",
    "use another",
)
PURPOSES = (
    *(
        "of the last run",
        "for the whole node",
        "before the training begins",
        "as agreed with the admins",
        "on the fast disk",
    ),
    *("which are shared by all users of the project", "if the job has been restarted", "(only needed once)"),
)

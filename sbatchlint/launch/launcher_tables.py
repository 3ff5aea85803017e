"""Commands that start many processes of a program, and how their options count them.

Sources: torch/distributed/run.py; nvidia_resiliency_ext 0.4 (launcher.py); accelerate 1.15
(commands/launch.py); DeepSpeed (launcher/runner.py); composer 0.32 (cli/launcher.py); ColossalAI
(cli/launcher); lightning-fabric 2.6 (cli.py); mpirun(1) of Open MPI 4.1 and prterun(1) of 5.0; the manuals of
Hydra and of Intel MPI.
"""

from __future__ import annotations

from sbatchlint.launch.command_table import CommandTable, words
from sbatchlint.launch.plan import LayerKind

_TORCHRUN = (
    "--nnodes --nproc-per-node --rdzv-backend --rdzv-endpoint --rdzv-id --rdzv-conf --max-restarts "
    "--monitor-interval --start-method --event-log-handler --role --log-dir -r --redirects -t --tee "
    "--local-ranks-filter --node-rank --master-addr --master-port --local-addr --logs-specs --numa-binding "
    "--signals-to-handle --duplicate-stdout-filters --duplicate-stderr-filters --shutdown-timeout"
)
_FAULT_TOLERANT = (
    "--term-timeout --workers-stop-timeout --ft-cfg-path --fault-tol-cfg-path --ft-restart-policy "
    "--restart-policy --ft-pci-topo-file --ft-param-pci-topo-file --ft-link-down-path-template "
    "--ft-param-link-down-path-template --ft-enable-nic-monitor --ft-param-enable-nic-monitor"
)
_SECTIONS = (
    "workload-check-interval initial-rank-heartbeat-timeout rank-heartbeat-timeout "
    "node-health-check-interval safety-factor rank-termination-signal log-level "
    "rank-out-of-section-timeout rank-section-timeouts restart-check-interval"
)


def _torchrun(name: str, extra: str = "") -> CommandTable:
    return CommandTable(
        name,
        LayerKind.LAUNCHER,
        words(_TORCHRUN) | words(extra),
        underscores=True,
        python=True,
        module_flags=words("-m --module"),
        program_flags=words("--no-python"),
        processes=words("--nproc-per-node"),
        machines=words("--nnodes"),
        environment="PET_",
        unread=words("--logs-specs --numa-binding"),
    )


_PYTORCH = (
    _torchrun("torchrun"),
    _torchrun("torch.distributed.launch"),
    _torchrun(
        "ft_launcher",
        " ".join((_FAULT_TOLERANT, *(f"--ft-{name} --ft-param-{name}" for name in _SECTIONS.split()))),
    ),
    CommandTable(
        "accelerate",
        LayerKind.LAUNCHER,
        words(
            "--config-file --num-processes --num-machines --machine-rank --main-process-ip "
            "--main-process-port --mixed-precision --num-cpu-threads-per-process --rdzv-backend "
            "--rdzv-conf --gpu-ids --dynamo-backend --dynamo-mode --max-restarts --monitor-interval "
            "--log-dir --role -t --tee --vm --env --main-training-function --mpirun-hostfile --mpirun-ccl "
            "--deployment-method --aws-access-key-id --aws-secret-access-key --tpu-name --tpu-zone"
        )
        | words(
            "--deepspeed-config-file --zero-stage --offload-optimizer-device --offload-param-device "
            "--offload-optimizer-nvme-path --offload-param-nvme-path --gradient-accumulation-steps "
            "--gradient-clipping --zero3-init-flag --zero3-save-16bit-model --deepspeed-hostfile "
            "--deepspeed-exclusion-filter --deepspeed-inclusion-filter --deepspeed-multinode-launcher "
            "--deepspeed-moe-layer-cls-names"
        )
        | words(
            "--fsdp-version --fsdp-offload-params --fsdp-min-num-params --fsdp-sharding-strategy "
            "--fsdp-reshard-after-forward --fsdp-auto-wrap-policy --fsdp-transformer-layer-cls-to-wrap "
            "--fsdp-backward-prefetch --fsdp-state-dict-type --fsdp-forward-prefetch --fsdp-use-orig-params "
            "--fsdp-cpu-ram-efficient-loading --fsdp-sync-module-states --fsdp-activation-checkpointing "
            "--fsdp-activation-checkpointing-offload"
        )
        | words(
            "--megatron-lm-tp-degree --megatron-lm-pp-degree --megatron-lm-num-micro-batches "
            "--megatron-lm-sequence-parallelism --megatron-lm-recompute-activations "
            "--megatron-lm-use-distributed-optimizer --megatron-lm-gradient-clipping "
            "--megatron-lm-use-custom-fsdp --megatron-lm-no-load-optim --megatron-lm-eod-mask-loss "
            "--megatron-lm-overlap-cpu-optimizer-d2h-h2d --megatron-lm-no-save-optim "
            "--megatron-lm-optimizer-cpu-offload --megatron-lm-use-precision-aware-optimizer "
            "--megatron-lm-decoder-last-pipeline-num-layers --megatron-lm-recompute-granularity "
            "--megatron-lm-recompute-method --megatron-lm-recompute-num-layers "
            "--megatron-lm-attention-backend --megatron-lm-expert-model-parallel-size "
            "--megatron-lm-context-parallel-size --megatron-lm-attention-dropout "
            "--megatron-lm-hidden-dropout --megatron-lm-attention-softmax-in-fp32 "
            "--megatron-lm-expert-tensor-parallel-size --megatron-lm-calculate-per-token-loss "
            "--megatron-lm-use-rotary-position-embeddings"
        )
        | words(
            "--fp8-backend --fp8-margin --fp8-interval --fp8-format --fp8-amax-history-len "
            "--fp8-amax-compute-algo --fp8-override-linear-precision --fp8-opt-level "
            "--fp8-enable-fsdp-float8-all-gather --fp8-pad-inner-dim --tp-size "
            "--parallelism-config-cp-backend --parallelism-config-dp-replicate-size "
            "--parallelism-config-dp-shard-size --parallelism-config-tp-size --parallelism-config-cp-size "
            "--parallelism-config-cp-comm-strategy --parallelism-config-sp-size "
            "--parallelism-config-sp-backend --parallelism-config-sp-seq-length "
            "--parallelism-config-sp-seq-length-is-variable --parallelism-config-sp-attn-implementation"
        ),
        flags=words("--tpu --cpu --debug --quiet -q --tpu-cluster --no-tpu-cluster --tpu-use-sudo"),
        subcommands=words("launch"),
        underscores=True,
        python=True,
        module_flags=words("-m --module"),
        program_flags=words("--no-python"),
        world=words("--num-processes"),
        machines=words("--num-machines"),
    ),
    CommandTable(
        "deepspeed",
        LayerKind.LAUNCHER,
        words(
            "-H --hostfile -i --include -e --exclude --num-nodes --num-gpus --num-accelerators "
            "--min-elastic-nodes --max-elastic-nodes --master-port --master-addr --node-rank --launcher "
            "--launcher-args --autotuning --bind-core-list --enable-each-rank-log --venv-script --ssh-port"
        ),
        underscores=True,
        python=True,
        module_flags=words("--module"),
        program_flags=words("--no-python"),
        processes=words("--num-gpus --num-accelerators"),
        machines=words("--num-nodes"),
    ),
    CommandTable(
        "composer",
        LayerKind.LAUNCHER,
        words(
            "-n --nproc --stdout --stderr --world-size --base-rank --node-rank --master-addr --master-port "
            "--run-directory"
        ),
        underscores=True,
        python=True,
        module_flags=words("-m --module-mode"),
        program_flags=words("-c --command-mode"),
        processes=words("-n --nproc"),
        world=words("--world-size"),
    ),
    CommandTable(
        "colossalai",
        LayerKind.LAUNCHER,
        words(
            "-H -host --host --hostfile --include --exclude --num-nodes --nproc-per-node --master-port "
            "--master-addr --extra-launch-args --ssh-port"
        ),
        subcommands=words("run"),
        underscores=True,
        python=True,
        module_flags=words("-m"),
        processes=words("--nproc-per-node"),
        machines=words("--num-nodes"),
    ),
    *(
        CommandTable(
            name,
            LayerKind.LAUNCHER,
            words(
                "--accelerator --strategy --devices --num-nodes --node-rank --main-address --main-port "
                "--precision"
            ),
            subcommands=subcommands,
            underscores=True,
            python=True,
            machines=words("--num-nodes"),
        )
        for name, subcommands in (("fabric", words("run")), ("lightning", frozenset(("run", "run model"))))
    ),
)

_OPEN_MPI = (
    "-n -np --np -c --n -N --N --npernode -npernode --npersocket -npersocket --map-by -map-by --bind-to "
    "-bind-to --rank-by -rank-by -x --hostfile -hostfile -machinefile --machinefile --default-hostfile "
    "-default-hostfile -H --host -host -wdir --wdir -wd --wd -output-filename --output-filename --prefix "
    "-prefix -rf --rankfile -rankfile --timeout -am --am -cf --cartofile -cpu-list --cpu-list -cpu-set "
    "--cpu-set -cpus-per-proc --cpus-per-proc -cpus-per-rank --cpus-per-rank --app -app -max-restarts "
    "--max-restarts -path --path --ppr -ppr -launch-agent --launch-agent -personality --personality "
    "-stdin --stdin -tune --tune --output --display --runtime-options --rtos --dvm-uri --pmix-prefix "
    "--preload-files -report-uri --report-uri -report-pid --report-pid -ompi-server --ompi-server "
    "--fwd-mpirun-port --dvm --stream-buffering --xml-file --add-hostfile"
)
_HYDRA = (
    "-f -hosts --hosts -ppn --ppn -perhost --perhost -grr -wdir -genvlist -envlist -iface -launcher "
    "--launcher -bootstrap -rmk -ranks-per-proc -bind-to -map-by -membind -configfile -hostos -localhost "
    "-tune -binding -outfile-pattern -errfile-pattern -prepend-pattern -umask -s -arch -usize -pmi-port "
    "-gpath -path"
)
_MPI = (
    *(
        CommandTable(
            name,
            LayerKind.LAUNCHER,
            words(_OPEN_MPI) | words(_HYDRA),
            double=words("-mca --mca -gmca --gmca --prtemca --pmixmca -prtemca -pmixmca -genv -env"),
            contexts=True,
            processes=words("-N --N -npernode --npernode -ppn --ppn -perhost --perhost"),
            world=words("-n --n -np --np -c"),
        )
        for name in (
            "mpirun",
            "mpiexec",
            "orterun",
            "prun",
            "prterun",
            "mpiexec.hydra",
            "mpiexec.slurm",
            "oshrun",
        )
    ),
    CommandTable(
        "horovodrun",
        LayerKind.LAUNCHER,
        words(
            "-np --num-proc -H --hosts -hostfile --hostfile -p --ssh-port --network-interface "
            "--network-interfaces --output-filename --start-timeout --min-np --max-np --min-num-proc "
            "--max-num-proc --slots-per-host --slots --elastic-timeout --reset-limit --cooldown-range "
            "--host-discovery-script --fusion-threshold-mb --cycle-time-ms --cache-capacity --config-file "
            "--log-level --mpi-args --binding-args --thread-affinity --timeline-filename "
            "--autotune-log-file -i --ssh-identity-file"
        ),
        world=words("-np --num-proc"),
    ),
    CommandTable(
        "jsrun",
        LayerKind.LAUNCHER,
        words(
            "-n --nrs -a --tasks_per_rs -c --cpu_per_rs -g --gpu_per_rs -r --rs_per_host -l "
            "--latency_priority -d --launch_distribution -b --bind -E --env -o --stdio_stdout -k "
            "--stdio_stderr -X --exit_on_error -p --np -D --env_eval -M --smpiargs -F --env_all -U "
            "--use_spindle -e --stdio_mode"
        ),
        world=words("-p --np"),
    ),
    CommandTable("ibrun", LayerKind.LAUNCHER, words("-n -o -np"), world=words("-n -np")),
    CommandTable(
        "aprun",
        LayerKind.LAUNCHER,
        words("-n -N -d -j -cc -cp -L -l -m -S -e -r -p --pes --pes-per-node --depth --node-list"),
        world=words("-n --pes"),
        processes=words("-N --pes-per-node"),
    ),
    CommandTable(
        "flux",
        LayerKind.LAUNCHER,
        words(
            "-n --ntasks -N --nodes -c --cores-per-task -g --gpus-per-task -o --setopt -t --time-limit "
            "--env -q -B"
        ),
        subcommands=words("run submit"),
        world=words("-n --ntasks"),
        machines=words("-N --nodes"),
    ),
    CommandTable(
        "ray",
        LayerKind.LAUNCHER,
        words(
            "--address --min-nodes --num-cpus --num-gpus --resources --working-dir --runtime-env "
            "--runtime-env-json --submission-id --entrypoint-num-cpus --entrypoint-num-gpus "
            "--entrypoint-memory --entrypoint-resources --metadata-json --log-style --log-color --headers "
            "--verify"
        ),
        subcommands=frozenset(("symmetric-run", "job submit")),
    ),
)

LAUNCHERS = (*_PYTORCH, *_MPI)

__all__ = ["LAUNCHERS"]

"""Commands that start another one in their place: limits, binding, profilers, environments of packages.

Sources: the manual pages; ``uv help run`` of uv 0.13; the user guides of Nsight Systems and Nsight Compute.
"""

from __future__ import annotations

from sbatchlint.launch.command_table import CommandTable, words
from sbatchlint.launch.plan import LayerKind


def _wrapper(name: str, valued: str = "", operands: int = 0, subcommands: str = "") -> CommandTable:
    return CommandTable(
        name,
        LayerKind.WRAPPER,
        words(valued),
        operands=operands,
        subcommands=words(subcommands),
        bundles=True,
    )


_SHELL_AND_SYSTEM = (
    CommandTable(
        "env",
        LayerKind.WRAPPER,
        words("-u --unset -C --chdir -S --split-string -a --argv0"),
        assignments=True,
        bundles=True,
    ),
    _wrapper("exec", "-a"),
    _wrapper("command"),
    _wrapper("builtin"),
    _wrapper("coproc"),
    _wrapper("time", "-f --format -o --output"),
    _wrapper("timeout", "-k --kill-after -s --signal", operands=1),
    _wrapper("nohup"),
    _wrapper("setsid"),
    _wrapper("nice", "-n --adjustment"),
    _wrapper("ionice", "-c --class -n --classdata -p --pid -P --pgid -u --uid"),
    _wrapper("chrt", "-T --sched-runtime -P --sched-period -D --sched-deadline -p --pid", operands=1),
    _wrapper(
        "numactl",
        "-i --interleave -w --weighted-interleave -p --preferred -P --preferred-many -m --membind "
        "-N --cpunodebind -C --physcpubind --shm --shmmode --shmid --file -f --offset --length",
    ),
    CommandTable(
        "taskset",
        LayerKind.WRAPPER,
        words("-c --cpu-list"),
        operands=1,
        instead=words("-c --cpu-list"),
        bundles=True,
    ),
    _wrapper("hwloc-bind", "--cpubind --membind --mempolicy --restrict --pid --tid", operands=1),
    _wrapper("prlimit", "-p --pid -o --output"),
    _wrapper("stdbuf", "-i --input -o --output -e --error"),
    _wrapper("unbuffer"),
    CommandTable(
        "setarch",
        LayerKind.WRAPPER,
        words("-p --pid"),
        operands=1,
        late=True,
        operand_words=words(
            "x86_64 linux64 linux32 i386 i486 i586 i686 athlon aarch64 arm64 armv8l ppc64le uname26"
        ),
        bundles=True,
    ),
    _wrapper(
        "sudo", "-u --user -g --group -C --close-from -h --host -p --prompt -r --role -t --type -D --chdir -T"
    ),
    CommandTable(
        "flock",
        LayerKind.WRAPPER,
        words("-w --wait --timeout -E --conflict-exit-code"),
        operands=1,
        late=True,
        shell_code=words("-c --command"),
        bundles=True,
    ),
    CommandTable(
        "script",
        LayerKind.WRAPPER,
        words(
            "-I --log-in -O --log-out -B --log-io -T --log-timing -m --logging-format -E --echo -o "
            "--output-limit"
        ),
        shell_code=words("-c --command"),
        argument_mark="--",
        bundles=True,
    ),
    _wrapper("unshare", "-R --root -w --wd -S --setuid -G --setgid --propagation --setgroups --map-user"),
    _wrapper("systemd-run", "-p --property -u --unit -E --setenv --slice -M --machine --uid --gid --nice"),
    _wrapper("dbus-run-session", "--config-file --dbus-daemon"),
    _wrapper(
        "xvfb-run", "-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args"
    ),
    _wrapper("tini", "-p -e"),
    _wrapper("dumb-init"),
    _wrapper("with-contenv"),
    _wrapper("catchsegv"),
    _wrapper("trtllm-llmapi-launch"),
    _wrapper("nvidia_entrypoint.sh"),
    _wrapper("likwid-pin", "-c -t -s"),
    _wrapper("likwid-perfctr", "-C -c -g -t -T -S -V -o -O -s -M -i -F"),
    _wrapper("dplace", "-s -x -c -n -o -r"),
)

_PROFILERS = (
    _wrapper(
        "strace", "-o -e -p -s -u -P -E -a -I -O -S -X -b -U --output --trace --string-limit --user --env"
    ),
    _wrapper("ltrace", "-o -e -p -s -u -n -a -A -D -F -l -x -w"),
    CommandTable(
        "gdb",
        LayerKind.WRAPPER,
        words(
            "-ex --ex -x --command -iex --eval-command -ix -d --directory --cd -s --symbols -l -b -p --pid"
        ),
        argument_mark="--args",
    ),
    CommandTable(
        "cuda-gdb",
        LayerKind.WRAPPER,
        words(
            "-ex --ex -x --command -iex --eval-command -ix -d --directory --cd -s --symbols -l -b -p --pid"
        ),
        argument_mark="--args",
    ),
    _wrapper("valgrind"),
    CommandTable(
        "compute-sanitizer",
        LayerKind.WRAPPER,
        words(
            "--tool --leak-check --report-api-errors --show-backtrace --demangle --print-limit "
            "--log-file --save --read --kernel-name --kernel-regex --kernel-regex-exclude "
            "--launch-count --launch-skip --target-processes --target-processes-filter --injection-path "
            "--error-exitcode --num-callers-device --num-callers-host --print-level --prefix --port "
            "--max-connections --padding --filter --exclude --suppressions"
        ),
        switches=words(
            "--check-device-heap --check-exit-code "
            "--check-api-memory-access --check-cache-control --track-unused-memory "
            "--nvtx --force-blocking-launches --require-cuda-init --binary-patching "
            "--generate-coredump --xml --print-session-details"
        ),
    ),
    _wrapper("cuda-memcheck", "--tool --log-file --save --error-exitcode --prefix --language --print-limit"),
    CommandTable(
        "nsys",
        LayerKind.WRAPPER,
        words(
            "-o --output -t --trace -s --sample -c --capture-range --capture-range-end -y --delay -d "
            "--duration -e --env-var --cuda-graph-trace --cuda-event-trace --gpu-metrics-device "
            "--gpu-metrics-devices --gpu-metrics-set --gpu-metrics-frequency --gpu-video-device "
            "--nic-metrics --ib-switch-metrics-device --ib-net-info-devices --session-new --session "
            "--export --kill --wait -p --nvtx-capture --nvtx-domain-include --nvtx-domain-exclude "
            "--cudabacktrace --python-functions-trace --python-nvtx-annotations "
            "--python-sampling-frequency --python-backtrace -b --backtrace --sampling-period "
            "--sampling-frequency --sampling-trigger --samples-per-backtrace --cpuctxsw --pytorch --dask "
            "--mpi-impl --opengl-gpu-workload --vulkan-gpu-workload --cpu-core-events --cpu-core-metrics "
            "--cpu-socket-events --cpu-socket-metrics --event-sample --event-sampling-interval --ftrace "
            "--hotkey-capture --os-events --cpu-cluster-events --osrt-threshold --osrt-backtrace-depth "
            "--osrt-backtrace-stack-size --osrt-backtrace-threshold --osrt-file-access "
            "--cuda-flush-interval --run-as --storage-metrics --syscall --soc-metrics "
            "--soc-metrics-frequency --soc-metrics-set --xhv-trace --enable --command-file"
        ),
        switches=words(
            "-f --force-overwrite -x --stop-on-exit -w --show-output -n --inherit-environment --stats "
            "--cuda-memory-usage --cuda-um-cpu-page-faults --cuda-um-gpu-page-faults --gpuctxsw "
            "--python-sampling --stop-on-range-end --ftrace-keep-user-config --resolve-symbols --isr "
            "--start-later --discard-environment --trace-fork-before-exec --process-scope --hw-trace "
            "--nvtx-pushpop"
        ),
        subcommands=words("profile launch"),
    ),
    CommandTable(
        "ncu",
        LayerKind.WRAPPER,
        words(
            "-o --export -k --kernel-name --kernel-name-base --kernel-id -c --launch-count -s "
            "--launch-skip --launch-skip-before-match --set --section --section-folder "
            "--section-folder-recursive --metrics --target-processes --target-processes-filter "
            "--nvtx-include --nvtx-exclude --replay-mode --log-file --devices --filter-mode "
            "--cache-control --clock-control --app-replay-mode --app-replay-match --app-replay-buffer "
            "--range-filter --range-replay-options --graph-profiling --pm-sampling-interval "
            "--sampling-interval --sampling-max-passes --sampling-buffer-size --source-folders --rule "
            "--mode --port --hostname --chips --injection-path-32 --injection-path-64 --preload-library "
            "--call-stack-type --config-file-path --communicator --warp-sampling-interval "
            "--warp-sampling-max-passes --page --print-units --print-summary"
        ),
        switches=words(
            "--check-exit-code --profile-from-start --import-source --kill --apply-rules --config-file"
        ),
    ),
    _wrapper(
        "nvprof", "-o --export-profile --log-file --events --metrics --kernels --devices --profile-from-start"
    ),
    _wrapper("rocprof", "-i -o -d -t -m --timestamp --ctx-limit --heartbeat --obj-tracking --trace-period"),
    CommandTable(
        "rocprofv3",
        LayerKind.WRAPPER,
        words(
            "-i --input -o --output-file -d --output-directory --pmc --kernel-include-regex --log-level -T"
        ),
        argument_mark="--",
    ),
    CommandTable("rocprof-sys-run", LayerKind.WRAPPER, argument_mark="--"),
    CommandTable("rocprof-sys-sample", LayerKind.WRAPPER, argument_mark="--"),
    CommandTable(
        "hpcrun", LayerKind.WRAPPER, words("-e --event -o --output -c --count -f -fp --process-fraction")
    ),
    CommandTable(
        "perf",
        LayerKind.WRAPPER,
        words(
            "-e --event -F --freq -c --count -o --output -C --cpu -p --pid -t --tid --call-graph -m "
            "--mmap-pages -r --repeat -I --interval-print -x --field-separator -D --delay -j "
            "--branch-filter -k"
        ),
        subcommands=words("stat record trace"),
        bundles=True,
    ),
    CommandTable(
        "vtune",
        LayerKind.WRAPPER,
        words(
            "-c -collect -r -result-dir -k -knob -d -duration --collect --result-dir --knob --duration "
            "-app-working-dir"
        ),
        argument_mark="--",
    ),
    CommandTable(
        "py-spy",
        LayerKind.WRAPPER,
        words("-o --output -f --format -d --duration -r --rate -p --pid"),
        subcommands=words("record top"),
        bundles=True,
    ),
)

_UV = (
    "-w --with --with-editable --with-requirements --env-file --python-platform -p --python --package "
    "--project --directory --index --default-index -i --index-url --extra-index-url -f --find-links "
    "--index-strategy --keyring-provider -P --upgrade-package --upgrade-group --resolution --prerelease "
    "--prerelease-package --fork-strategy --exclude-newer --exclude-newer-package --no-sources-package "
    "--reinstall-package --link-mode -C --config-setting --config-settings-package "
    "--no-build-isolation-package --no-build-package --no-binary-package --cache-dir --refresh-package "
    "--color --allow-insecure-host --config-file --trusted-host --python-preference --python-fetch "
    "--preview-features --from -c --constraints -b --build-constraints --overrides --torch-backend "
    "--extra --no-extra --group --no-group --only-group --no-editable-package"
)
_ENVIRONMENTS = (
    CommandTable(
        "uv",
        LayerKind.WRAPPER,
        words(_UV),
        subcommands=frozenset(("run", "tool run")),
        scripts=True,
        module_flags=words("-m --module"),
        script_flags=words("-s --script --gui-script"),
        bundles=True,
    ),
    CommandTable("uvx", LayerKind.WRAPPER, words(_UV), bundles=True),
    _wrapper("pipx", "--spec --python --index-url -i --pip-args", subcommands="run"),
    _wrapper("poetry", "-C --directory -P --project", subcommands="run"),
    _wrapper("pipenv", "--python --pypi-mirror", subcommands="run"),
    _wrapper(
        "pixi",
        "-e --environment --manifest-path -m -x --executable --platform --color",
        subcommands="run exec",
    ),
    CommandTable(
        "pdm",
        LayerKind.WRAPPER,
        words("-p --project --venv -c --config"),
        subcommands=words("run"),
        scripts=True,
    ),
    _wrapper("rye", "--pyproject", subcommands="run"),
    _wrapper("hatch", "-e --env -p --project --config --data-dir --cache-dir", subcommands="run"),
    *(
        _wrapper(
            name,
            "-n --name -p --prefix --cwd -r --root-prefix --rc-file -e --env -a --attach",
            subcommands="run",
        )
        for name in ("conda", "mamba", "micromamba")
    ),
)

_REPEATING = (
    CommandTable(
        "xargs",
        LayerKind.WRAPPER,
        words(
            "-a --arg-file -d --delimiter -E -I -L --max-lines -n --max-args -P --max-procs -s --max-chars "
            "--process-slot-var"
        ),
        repeats=True,
        bundles=True,
    ),
    CommandTable(
        "parallel",
        LayerKind.WRAPPER,
        words(
            "-j --jobs -P --max-procs --delay --joblog --results --res --retries --timeout -a --arg-file "
            "-N --max-replace-args -n --max-args -L --max-lines -I --tmpdir --colsep -C --header "
            "--tagstring --halt --memfree --memsuspend --load --nice --env --workdir --wd -d --delimiter "
            "--arg-sep --arg-file-sep --block --recstart --recend --basefile --return --termseq --limit "
            "--seqreplace --slotreplace"
        ),
        repeats=True,
        joins=True,
    ),
)

WRAPPERS = (*_SHELL_AND_SYSTEM, *_PROFILERS, *_ENVIRONMENTS, *_REPEATING)

__all__ = ["WRAPPERS"]

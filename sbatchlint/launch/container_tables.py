"""Containers that a script starts by their own commands.

Sources: apptainer-exec(1) and apptainer-run(1), docker-run(1), podman-run(1), the documentation of enroot,
shifter, sarus and podman-hpc.
"""

from __future__ import annotations

from sbatchlint.launch.command_table import CommandTable, words
from sbatchlint.launch.plan import LayerKind

_APPTAINER = words(
    "-B --bind --mount --pwd --cwd -W --workdir -H --home --env --env-file -o --overlay -S --scratch --app "
    "--network --network-args --hostname --security --add-caps --drop-caps --apply-cgroups --dns --fusemount "
    "--pem-path --cpus --memory --memory-reservation --memory-swap --blkio-weight --blkio-weight-device "
    "--cpu-shares --cpuset-cpus --cpuset-mems --pids-limit --shell -s --authfile --netns-path --cdi-dirs "
    "--device --docker-host"
)
_DOCKER = words(
    "-a --attach -v --volume -e --env --env-file -w --workdir --name --mount --gpus --shm-size --ipc "
    "--network --net --network-alias --net-alias -u --user --device --device-cgroup-rule "
    "--device-read-bps --device-read-iops --device-write-bps --device-write-iops --ulimit -p --publish "
    "--expose --runtime --cap-add --cap-drop --security-opt -h --hostname --domainname --add-host -m "
    "--memory --memory-reservation --memory-swap --memory-swappiness --cpus --cpu-period --cpu-quota "
    "--cpu-rt-period --cpu-rt-runtime -c --cpu-shares --cpuset-cpus --cpuset-mems -l --label --label-file "
    "--annotation --tmpfs --pid --pids-limit --userns --uts --platform --restart --group-add "
    "--blkio-weight --blkio-weight-device --cgroup-parent --cgroupns --cgroup-conf --cgroups --cidfile "
    "--conmon-pidfile --detach-keys --dns --dns-option --dns-search --health-cmd --health-interval "
    "--health-retries --health-start-period --health-timeout --ip --ip6 --isolation --kernel-memory "
    "--link --link-local-ip --log-driver --log-opt --mac-address --oom-score-adj --pull --stop-signal "
    "--stop-timeout --storage-opt --sysctl --use-api-socket --volume-driver --volumes-from --authfile "
    "--arch --os --variant --pod --pidfile --requires --secret --subuidname --subgidname --uidmap "
    "--gidmap --umask --timeout --tz --systemd --sdnotify --shm-size-systemd --chrootdirs "
    "--decryption-key --env-merge --unsetenv --image-volume --preserve-fd --preserve-fds --passwd-entry "
    "--group-entry --hooks-dir --hostuser --init-path --seccomp-policy --personality"
)
_OF_DOCKER = words(
    "-H --host --context --config --log-level --tlscacert --tlscert --tlskey --root --runroot --url "
    "--connection --storage-driver --cgroup-manager --conmon --module"
)


def _apptainer(name: str) -> CommandTable:
    return CommandTable(
        name,
        LayerKind.CONTAINER,
        _APPTAINER,
        subcommands=words("exec run shell"),
        runscripts=words("run"),
        image_operand=True,
        bundles=True,
    )


def _docker(name: str) -> CommandTable:
    return CommandTable(
        name,
        LayerKind.CONTAINER,
        _DOCKER | _OF_DOCKER,
        subcommands=frozenset(("run", "exec", "shared-run", "container run", "container exec")),
        image_operand=True,
        entry_options=words("--entrypoint"),
        bundles=True,
    )


CONTAINERS = (
    _apptainer("apptainer"),
    _apptainer("singularity"),
    _docker("docker"),
    _docker("nvidia-docker"),
    _docker("podman"),
    _docker("podman-hpc"),
    CommandTable(
        "enroot",
        LayerKind.CONTAINER,
        words("-m --mount -e --env -c --conf"),
        subcommands=words("start exec"),
        image_operand=True,
        bundles=True,
    ),
    CommandTable(
        "shifter",
        LayerKind.CONTAINER,
        words("-i --image -V --volume -e --env --env-file -w --workdir -m --module"),
        bundles=True,
    ),
    CommandTable(
        "sarus",
        LayerKind.CONTAINER,
        words("--mount -w --workdir -e --env --entrypoint --device --annotation --name -n"),
        subcommands=words("run"),
        image_operand=True,
    ),
    CommandTable(
        "ch-run",
        LayerKind.CONTAINER,
        words("-b --bind -c --cd --join-ct --join-pid --join-tag -g --gid -u --uid -m --mount"),
        image_operand=True,
    ),
)

__all__ = ["CONTAINERS"]

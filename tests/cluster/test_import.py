"""From configuration files and saved outputs to a profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbatchlint.cluster import commands
from sbatchlint.cluster.assemble import profile_from
from sbatchlint.cluster.configuration import UnreadableFile, read_configuration
from sbatchlint.cluster.outputs import SINFO_FORMAT, read_dump, take_output
from sbatchlint.cluster.profile import Profile
from sbatchlint.cluster.records import Records
from sbatchlint.cluster.resources import read_gres

SLURM_CONF = """\
# The cluster "old\\#name"
clustername=alps
EnforcePartLimits=YES
GRESTypes=gpu,nvme  # both
SelectTypeParameters=CR_Core_Memory
Licenses=matlab:10,comsol
DefMemPerCPU=4000
NodeName=DEFAULT Sockets=2 CoresPerSocket=32 \\
    ThreadsPerCore=2 RealMemory=500000 Feature=amd
NodeName=gpu[01-04] Gres=gpu:h100:4 CoreSpecCount=2 MemSpecLimit=10000
nodename=big1,big2 Gres=gpu:8,nvme:2 RealMemory=1000000
NodeName=cpu[1-3] CPUs=64 ThreadsPerCore=1 Feature="amd,fat" State=UNKNOWN
NodeName=later[1-9] State=FUTURE
NodeSet=fat Feature=fat
include parts.conf
"""
PARTS = """\
PartitionName=DEFAULT MaxTime=1-0 State=UP
PartitionName=gpu Nodes=gpu[01-04],big[1-2] Default=YES MaxNodes=4 AllowAccounts=a,b QOS=part
PartitionName=fat Nodes=fat MaxTime=INFINITE MinNodes=2 State=DRAIN OverSubscribe=EXCLUSIVE
PartitionName=all Nodes=ALL DefaultTime=30 MaxMemPerNode=400000 ReqResv=YES AllowQos=ALL
"""
GRES_CONF = """\
AutoDetect=off
NodeName=big[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3]
NodeName=big[1-2] Name=gpu Type=mi300 Count=4
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slurm.conf").write_text(SLURM_CONF, "utf-8")
    (tmp_path / "parts.conf").write_text(PARTS, "utf-8")
    (tmp_path / "gres.conf").write_text(GRES_CONF, "utf-8")
    return tmp_path


@pytest.fixture
def profile(folder: Path) -> Profile:
    return profile_from(read_configuration(folder / "slurm.conf"), release="24.05")


def test_settings_of_a_file_and_the_defaults_of_slurm(profile: Profile) -> None:
    settings = profile.settings
    assert (profile.name, profile.release, profile.licenses) == ("alps", "24.05", {"matlab": 10, "comsol": 1})
    assert (settings.enforce_part_limits, settings.max_array_size) == ("ALL", 1001)
    assert settings.gres_types == ("gpu", "nvme") and settings.default_memory_per_cpu_mib == 4000
    assert settings.default_memory_per_node_mib is None and settings.accounting is False


def test_node_types_of_a_file(profile: Profile) -> None:
    kinds = {kind.hosts: kind for kind in profile.node_types or ()}
    assert list(kinds) == ["gpu[01-04]", "cpu[1-3]", "big[1-2]"]
    gpu, cpu, big = kinds.values()
    assert (gpu.cpus, gpu.memory_mib, gpu.gpus, gpu.features) == (124, 490000, {"h100": 4}, ("amd",))
    assert (cpu.cpus, cpu.threads_per_core, cpu.gpus, cpu.features) == (64, 1, {}, ("amd", "fat"))
    assert (big.cpus, big.gpus, big.gres) == (128, {"a100": 4, "mi300": 4}, {"nvme": 2})


def test_partitions_of_a_file(profile: Profile) -> None:
    gpu, fat, every = profile.partitions or ()
    assert (gpu.default, gpu.max_time, gpu.max_nodes, gpu.allow_accounts) == (True, 1440, 4, ("a", "b"))
    assert (fat.nodes, fat.state, fat.max_time, fat.min_nodes) == ("cpu[1-3]", "DRAIN", "UNLIMITED", 2)
    assert fat.over_subscribe == "EXCLUSIVE"
    assert every.host_names is not None and len(every.host_names) == 9
    assert (every.default_time, every.max_memory_per_node_mib, every.allow_qos) == (30, 400000, None)
    assert every.requires_reservation and gpu.qos == "part"


def test_types_that_no_file_tells_may_be_any(folder: Path) -> None:
    (folder / "gres.conf").write_text("AutoDetect=nvml\n", "utf-8")
    profile = profile_from(read_configuration(folder / "slurm.conf"))
    assert [kind.gpus for kind in profile.node_types or () if kind.hosts == "big[1-2]"] == [{"*": 8}]


def test_files_that_cannot_be_read(folder: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"none\.conf: cannot be read"):
        read_configuration(folder / "none.conf")
    (folder / "parts.conf").write_text("include slurm.conf\n", "utf-8")
    with pytest.raises(UnreadableFile, match="deep"):
        read_configuration(folder / "slurm.conf")


def test_plugins(folder: Path) -> None:
    (folder / "plugstack.conf").write_text(
        "required /usr/lib/slurm/spank_pyxis.so sbatch_support=0\noptional other.so\n", "utf-8"
    )
    profile = profile_from(read_configuration(folder / "slurm.conf"))
    assert {name: one.sbatch_support for name, one in (profile.plugins or {}).items()} == {
        "pyxis": False,
        "other": None,
    }
    assert profile.containers.runtime == "pyxis"


@pytest.mark.parametrize(
    ("text", "gpus", "others"),
    [
        ("gpu:h100:8(S:0-1),nvme:2", {"h100": 8}, {"nvme": 2}),
        ("gpu:a100:2,gpu:1g.5gb:14", {"a100": 2, "1g.5gb": 14}, {}),
        ("gpu:8", {"*": 8}, {}),
        ("gpu", {"*": 1}, {}),
        ("shard:no_consume:4K", {}, {"shard": 4096}),
        ("(null)", {}, {}),
        (None, {}, {}),
    ],
)
def test_gres(text: str | None, gpus: dict[str, int], others: dict[str, int]) -> None:
    found = read_gres(text)
    assert (found.gpus, found.others) == (gpus, others)


CONFIG = """\
Configuration data as of 2026-01-01T00:00:00
AccountingStorageEnforce = associations,limits,qos
AccountingStorageType   = accounting_storage/slurmdbd
ClusterName             = alps
DefMemPerNode           = UNLIMITED
EnforcePartLimits       = NO
KillOnBadExit           = 1
LaunchParameters        = (null)
MaxArraySize            = 2001
SLURM_VERSION           = 23.11.4
WaitTime                = 30 sec

Slurmctld(primary) at head is UP
"""
NODES = """\
NodeName=gpu01 Arch=x86_64 CoresPerSocket=32
   CPUAlloc=0 CPUEfctv=60 CPUTot=64 CPULoad=0.1
   AvailableFeatures=h100,ib
   ActiveFeatures=h100
   Gres=gpu:h100:8(S:0-1)
   RealMemory=1000000 AllocMem=0 Sockets=2 Boards=1 MemSpecLimit=1000
   State=IDLE ThreadsPerCore=1 TmpDisk=100 Weight=1
   OS=Linux 6.1 #1 SMP
NodeName=gpu02 Arch=x86_64 CoresPerSocket=32
   CPUAlloc=0 CPUEfctv=60 CPUTot=64 CPULoad=0.1
   AvailableFeatures=h100,ib
   ActiveFeatures=h100
   Gres=gpu:h100:8(S:0-1)
   RealMemory=1000000 AllocMem=0 Sockets=2 Boards=1 MemSpecLimit=1000
   State=DOWN ThreadsPerCore=1 TmpDisk=100 Weight=1
   Reason=broken CPUTot=0
"""
PARTITION = "PartitionName=gpu AllowQos=ALL Default=YES MaxTime=UNLIMITED Nodes=gpu[01-02] State=UP QoS=N/A\n"
QOS = """\
Name|MaxWall|MaxTRES|Flags
normal|||
long|7-00:00:00|cpu=512,gres/gpu=16|DenyOnLimit,PartitionTimeLimit
"""
ACCOUNTS = "Account\nroot\nphysics\nphysics\n"
HELP = """\
Usage: sbatch [OPTIONS...]

Options provided by plugins:
      --container-image=[USER@]x  [pyxis] image
      --site-thing=n   a
      --no-such   b
"""


def dump(folder: Path) -> Records:
    outputs = {"a": CONFIG, "b": NODES, "c": PARTITION, "d": QOS, "e": ACCOUNTS, "f": HELP, "g": "else"}
    outputs["h"] = "LicenseName=matlab\n    Total=10 Used=0\n"
    for name, text in outputs.items():
        (folder / name).write_text(text, "utf-8")
    return read_dump(folder)


def test_a_folder_of_saved_outputs(tmp_path: Path) -> None:
    profile = profile_from(dump(tmp_path))
    settings = profile.settings
    assert (profile.release, settings.max_array_size, settings.wait_time_seconds) == ("23.11.4", 2001, 30)
    assert (settings.kill_on_bad_exit, settings.job_requeue) == (True, None)
    assert settings.accounting and settings.accounting_enforce == ("associations", "limits", "qos")
    assert settings.default_memory_per_node_mib == "UNLIMITED"
    (kind,) = profile.node_types or ()
    assert (kind.hosts, kind.cpus, kind.memory_mib, kind.gpus) == ("gpu[01-02]", 60, 999000, {"h100": 8})
    assert kind.features == ("h100", "ib")
    normal, long = profile.qos or ()
    assert (normal.max_time, long.max_time, long.max_gpus, long.max_nodes) == (
        "UNLIMITED",
        10080,
        16,
        "UNLIMITED",
    )
    assert long.overrides_partition and profile.accounts == ("root", "physics")
    assert profile.licenses == {"matlab": 10} and profile.known_options == ("--site-thing=", "--no-such")
    assert profile.plugins is not None and profile.plugins["pyxis"].sbatch_support is True


def test_one_line_a_thing_is_the_same(tmp_path: Path) -> None:
    many, one = Records(), Records()
    take_output(NODES, many)
    take_output(
        "\n".join(" ".join(part.split()) for part in NODES.split("\nNodeName")).replace("\n=", "\nNodeName="),
        one,
    )
    assert [node["realmemory"] for node in many.nodes] == [node["realmemory"] for node in one.nodes]


def test_sinfo_where_nodes_are_not_shown() -> None:
    records = Records(from_controller=True)
    head = "NODELIST|CPUS|SOCKETS|CORES|THREADS|MEMORY|TMP_DISK|AVAIL_FEATURES|GRES\n"
    assert take_output(head + "gpu01|64|2|32|1|1000+|10|h100|gpu:h100:8\n" * 2, records)
    assert head.count("|") == SINFO_FORMAT.count("|")
    (kind,) = profile_from(records).node_types or ()
    assert (kind.hosts, kind.memory_mib, kind.gpus) == ("gpu01", 1000, {"h100": 8})


def test_commands_that_are_missing_or_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, body in {"scontrol": "echo no controller >&2; exit 1", "sinfo": "sleep 9"}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin", prepend=None)
    monkeypatch.setattr(commands, "SECONDS", 0.3)
    monkeypatch.setattr(commands, "_SACCTMGR", ())
    told: dict[str, str] = {}
    assert commands.ask_live(told.__setitem__).empty()
    assert told["scontrol --all show config"] == "failed: no controller"
    assert "no answer within" in next(what for command, what in told.items() if command.startswith("sinfo"))


@pytest.mark.parametrize(
    ("line", "private"),
    [
        ("JobContainerType=job_container/tmpfs", True),
        ("NamespaceType=namespace/linux", True),
        ("NamespaceType=namespace/tmpfs", True),
        ("JobContainerType=job_container/none", None),
        ("MpiDefault=none", None),
    ],
)
def test_a_tmp_for_each_job(tmp_path: Path, line: str, private: bool | None) -> None:
    (tmp_path / "slurm.conf").write_text(line + "\n", "utf-8")
    assert profile_from(read_configuration(tmp_path / "slurm.conf")).settings.private_tmp is private


@pytest.mark.parametrize(
    ("options", "scope"),
    [
        ("container_scope=job sbatch_support=1", "job"),
        ("container_scope=global", "global"),
        ("execute_entrypoint=0", None),
    ],
)
def test_the_scope_of_containers(tmp_path: Path, options: str, scope: str | None) -> None:
    (tmp_path / "slurm.conf").write_text("ClusterName=a\n", "utf-8")
    (tmp_path / "plugstack.conf").write_text(f"required /usr/lib/slurm/spank_pyxis.so {options}\n", "utf-8")
    profile = profile_from(read_configuration(tmp_path / "slurm.conf"))
    assert (profile.containers.runtime, profile.containers.container_scope) == ("pyxis", scope)


@pytest.mark.parametrize(
    "setting", ["CPUs", "RealMemory", "Gres=gpu:", "MaxNodes", "MaxArraySize", "Licenses=q:"]
)
def test_a_number_of_any_length_breaks_nothing(tmp_path: Path, setting: str) -> None:
    long = "9" * 5000
    pair = f"{setting}{long}" if ":" in setting else f"{setting}={long}"
    of_node = pair if setting in ("CPUs", "RealMemory", "Gres=gpu:") else ""
    of_partition = pair if setting == "MaxNodes" else ""
    of_cluster = pair if setting in ("MaxArraySize", "Licenses=q:") else ""
    path = tmp_path / "slurm.conf"
    path.write_text(
        f"ClusterName=z\n{of_cluster}\nNodeName=a[1-2] {of_node}\n"
        f"PartitionName=p Nodes=a[1-2] {of_partition}\n",
        "utf-8",
    )
    imported = profile_from(read_configuration(path))
    assert [partition.name for partition in imported.partitions or ()] == ["p"]

"""Reading a profile: what it says, and what is said of mistakes in it."""

from __future__ import annotations

import pytest

from sbatchlint.cluster.load import load_profile, read_profile
from sbatchlint.cluster.profile import Profile
from sbatchlint.cluster.write import profile_toml
from sbatchlint.source import Source
from sbatchlint.toml.read import TomlError

GOOD = """\
name = "alps" # a comment
release = "24.05.1"
known-options = ["--foo=", "--bar"]
accounts = ["a", "b"]
compute-internet = false

[mirrors]
pypi = "https://me@pypi.example.org:8443/simple"
docker = "registry.example.org:5000/cache"
hosts = [".lab.example.org"]

[licenses]
matlab = 10
"odd name" = 1

[settings]
enforce-part-limits = "any"
max-array-size = 1001
private-tmp = true

[containers]
runtime = "pyxis"
mounts = ["/data:/data"]
mounts-home = false
container-scope = "job"
image-cache = "/data/images"

[plugins]
pyxis = { version = "0.20", sbatch-support = true }

[[file-systems]]
path = "/scratch"
shared = true

[[partitions]]
name = "batch"
nodes = "gpu[01-16],cpu1"
max-time = "2-00:00:00"
max-nodes = "unlimited"

[[partitions]]
name = "few"
node-types = ["small"]

[[node-types]]
hosts = "gpu[01-16]"
gpus = { h100 = 8 }

[[node-types]]
name = "small"
count = 3
gpus = 4

[[qos]]
name = "long"
flags = ["PartitionTimeLimit"]
"""


def read(text: str) -> Profile:
    return read_profile(Source.from_text(text, "cluster.toml"))


def mistakes(text: str) -> list[tuple[int, str, str, str]]:
    source = Source.from_text(text, "cluster.toml")
    with pytest.raises(TomlError) as caught:
        read_profile(source)
    return [
        (source.position(one.span.start).line, source.slice(one.span), one.message, one.help)
        for one in caught.value.mistakes
    ]


def test_what_it_says() -> None:
    profile = read(GOOD)
    assert profile.series == (24, 5)
    assert profile.settings.enforce_part_limits == "ANY"
    batch, few = profile.partitions or ()
    assert (batch.max_time, batch.max_nodes, few.max_nodes) == (2880, "UNLIMITED", None)
    assert batch.host_names is not None and len(batch.host_names) == 17
    large, small = profile.node_types or ()
    assert (large.number, large.gpu_types, large.cpus) == (16, {"h100": 8}, None)
    assert (small.number, small.gpu_types, small.gpu_count) == (3, {"": 4}, 4)
    assert (profile.qos or ())[0].overrides_partition


def test_what_it_says_of_network_and_containers() -> None:
    profile = read(GOOD)
    assert profile.compute_internet is False
    assert profile.mirrors.host_names == (".lab.example.org", "pypi.example.org", "registry.example.org")
    assert profile.settings.private_tmp is True
    containers = profile.containers
    assert (containers.mounts_home, containers.container_scope) == (False, "job")
    assert containers.image_cache == "/data/images"


def test_it_reads_back_from_what_is_written() -> None:
    profile = read(GOOD)
    assert read(profile_toml(profile)) == profile
    assert read(profile_toml(read(""))) == Profile()


def test_an_empty_file_says_nothing() -> None:
    assert read("") == Profile()


def test_every_name_of_a_release_to_come_is_the_newest_known() -> None:
    assert read('release = "31.05"').series == (26, 5)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('relase = "24.05"', (1, "relase", "unknown key 'relase'", "did you mean 'release'?")),
        (
            "[[partitions]]\nname='a'\nmax_tim = 3",
            (3, "max_tim", "unknown key 'max_tim'", "did you mean 'max-time'?"),
        ),
        ("[[node-types]]\nmemory = 3", (2, "memory", "unknown key 'memory'", "did you mean 'memory-mib'?")),
        ("\n[[partitions]]", (2, "[[partitions]]", "'name' is missing here", "")),
        (
            'release = "new"',
            (1, '"new"', 'release: not a release of Slurm; write it as "24.05"', ""),
        ),
        (
            '[settings]\nenforce-part-limits = "ALLE"',
            (2, '"ALLE"', "enforce-part-limits: 'ALLE' is no value for it", "did you mean 'ALL'?"),
        ),
        (
            '[containers]\ncontainer-scope = "jobs"',
            (2, '"jobs"', "container-scope: 'jobs' is no value for it", "did you mean 'job'?"),
        ),
        (
            "[mirrors]\npip = 'x'",
            (2, "pip", "unknown key 'pip'", "known here: conda, docker, hosts, huggingface, pypi"),
        ),
        (
            'known-options = ["foo"]',
            (1, '["foo"]', 'known-options: \'foo\' is no option; write "--foo=" or "--bar"', ""),
        ),
        (
            "name = ",
            (
                1,
                "",
                "no valid TOML: invalid value",
                "texts stand in quotes, and true and false are written small",
            ),
        ),
        ("[plugins]\npyxis = true", (2, "true", "pyxis: a table is wanted here: { key = value }", "")),
        ("known-options = 3", (1, "3", "known-options: a list is wanted here: [ ... ]", "")),
        ("name = 3", (1, "3", "name: a text in quotes is wanted here", "")),
        (
            "[[partitions]]\nname = 'a'\nnode-types = ['big', 'smal']\n[[node-types]]\nname = 'small'\n"
            "[[node-types]]\nname = 'big'",
            (3, "'smal'", "no [[node-types]] has the name 'smal'", "did you mean 'small'?"),
        ),
        (
            "[[partitions]]\nname = 'a'\nnode-types = ['x']\n[[node-types]]\nname = 'small'",
            (3, "'x'", "no [[node-types]] has the name 'x'", "known here: small"),
        ),
        (
            "[[partitions]]\nname = 'a'\nnode-types = ['x']",
            (3, "'x'", "no [[node-types]] has the name 'x'", "write a [[node-types]] of this name"),
        ),
        (
            "[[partitions]]\nname = 'a'\n[[partitions]]\nname = 'b'\n[[partitions]]\nname = 'a'",
            (6, "'a'", "there is a partition 'a' above already", ""),
        ),
    ],
)
def test_mistakes(text: str, found: tuple[int, str, str, str]) -> None:
    assert mistakes(text) == [found]


def test_each_mistake_is_told_once_and_at_its_place() -> None:
    text = (
        '[[partitions]]\nname = "ä"\nnodes = "gpu[1"\nmax-time = "2days"\nmax-nodes = -1\n'
        '[[node-types]]\ngpus = { h100 = "eight", a100 = 8 }\n'
    )
    found = [(line, place) for line, place, _, _ in mistakes(text)]
    assert found == [(3, '"gpu[1"'), (4, '"2days"'), (5, "-1"), (7, '"eight"')]


def test_two_default_partitions() -> None:
    ((line, _, message, _),) = mistakes(
        "[[partitions]]\nname='a'\ndefault=true\n[[partitions]]\nname='b'\ndefault=true"
    )
    assert line == 1 and "not a and b" in message


def test_a_missing_file() -> None:
    with pytest.raises(FileNotFoundError):
        load_profile("no/such/cluster.toml")

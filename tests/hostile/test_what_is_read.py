"""Which files are opened: what is named, what stands below, and our own; nothing that a text points to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import sbatchlint
from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.processes import Heard, heard
from tests.hostile.running import run

_OPENED = "open os.scandir os.listdir"
_BAIT = "/etc/passwd"
_JOB = """\
source {up}/secret.sh
source {outside}/secret.sh
. ./linked.sh
source linked-folder/secret.sh
source ~/.bashrc
source /proc/self/environ
. /dev/stdin
. {bait}
source <(cat {bait})
source `echo {bait}`
export F={outside}/secret.sh; source "$F"
(cd {outside}; source secret.sh; source ./secret.sh)
(cd ..; source outside/secret.sh)
X=$(<{outside}/secret.sh)
mapfile -t Y < {outside}/secret.sh
while read -r line; do echo "$line"; done < {bait}
eval "$(cat {outside}/secret.sh)"
bash {outside}/secret.sh
srun bash {outside}/secret.sh
srun --multi-prog {outside}/multi.conf
srun --multi-prog ./linked.conf
srun deepspeed --hostfile {outside}/hostfile train.py --deepspeed_config {outside}/ds.json
srun accelerate launch --config_file {outside}/accelerate.yaml train.py
srun torchrun --nproc-per-node=8 {outside}/train.py --config {outside}/x.yaml --data-path {outside}/data
srun python -c "exec(open('{outside}/secret.sh').read())"
sbatch {outside}/secret.sh
cat > made.sh <<END
source {outside}/secret.sh
END
source made.sh
bash made.sh
for f in {outside}/*.sh; do source $f; done
"""


@pytest.fixture
def outside(folder: Path) -> Path:
    """Return a folder beside the checked one, with keys in it."""
    place = folder.parent / "outside"
    put(place / "secret.sh", "export KEY=found-it\nLAUNCH='torchrun --nproc-per-node=8 found-it.py'\n")
    put(place / "multi.conf", "0-7 found-it.py\n")
    put(place / "hostfile", "node1 slots=8\n")
    put(place / "ds.json", "{}")
    put(place / "train.py", "import os; os.environ['SLURM_PROCID']\n")
    put(place / "accelerate.yaml", "num_processes: 8\n")
    put(place / "more.toml", "select = ['found-it']\nignore = [\n")
    return place


def _fill(folder: Path, outside: Path) -> None:
    (folder / "linked.sh").symlink_to(outside / "secret.sh")
    (folder / "linked-folder").symlink_to(outside)
    (folder / "linked.conf").symlink_to(outside / "multi.conf")
    (folder / ".gitignore").symlink_to(outside / "secret.sh")
    body = _JOB.format(up="../outside", outside=outside, bait=_BAIT)
    put(folder / "job.sh", f"{HEAD}{WRONG}{body}srun $LAUNCH $KEY\n")
    put(folder / "page.md", f"```sbatch\n{HEAD}{body}```\n")
    put(folder / "job.log", "srun: error: node1: task 3: Out Of Memory\n")


def _strangers(done: Heard, folder: Path) -> set[str]:
    """Return the files and folders that were opened and are neither below *folder* nor Python's and ours.

    A folder above is asked for a configuration, which is no file of somebody else's.
    """
    ours = [Path(sbatchlint.__file__).parents[1], *(Path(entry) for entry in sys.path if entry)]
    ours += [Path(sys.prefix), Path(sys.base_prefix), folder]
    system = ("/usr/lib", "/usr/share/", "/usr/local/lib", "/lib", "/etc/ld.so", "/proc/meminfo", "/sys/fs/")
    roots = (*(f"{os.path.realpath(one)}/" for one in ours), *system, os.devnull)
    opened = {details[0] for event, *details in done.events if event in _OPENED.split()}
    real = {os.path.realpath(os.path.join(folder, one)) for one in opened if not one.isdecimal()}
    return {one for one in real if not f"{one}/".startswith(roots)}


@pytest.mark.parametrize(
    "command",
    [
        "check --pedantic job.sh",
        "check --pedantic --include-markdown .",
        "check --check-paths --fix job.sh",
        "plan job.sh",
        "plan --check-paths .",
        "submit --lint-only job.sh",
        "diagnose --script job.sh job.log",
    ],
)
def test_a_script_makes_nothing_be_read(folder: Path, outside: Path, command: str) -> None:
    _fill(folder, outside)
    if command.endswith(" ."):
        (folder / ".git").mkdir()  # elsewhere a link that stands in a folder is read
    done = heard(folder, command.split(), _OPENED, HOME=str(folder.parent), SBATCHLINT_SBATCH="/nowhere")
    assert done.status in (0, 1), done.err
    assert len(done.events) > 20
    assert _strangers(done, folder) == set()
    assert b"found-it" not in done.out + done.err


def test_the_listener_sees_what_is_read(folder: Path, outside: Path) -> None:
    put(folder / "job.sh", HEAD + WRONG)
    done = heard(folder, ("check", "job.sh", str(outside / "secret.sh")), _OPENED)
    assert _strangers(done, folder) == {str(outside / "secret.sh")}


def test_a_link_may_lead_anywhere_in_the_repository(folder: Path) -> None:
    put(folder / "common/env.sh", "export LAUNCH='torchrun --nproc-per-node=8 train.py'\n")
    (folder / "jobs").mkdir()
    (folder / "jobs/env.sh").symlink_to("../common/env.sh")
    put(folder / "jobs/job.sh", HEAD + "source env.sh\nsrun $LAUNCH\n")
    assert b"torchrun" not in run(folder, "plan", "jobs/job.sh").out
    (folder / ".git").mkdir()
    assert b"torchrun --nproc-per-node=8" in run(folder, "plan", "jobs/job.sh").out


def test_a_home_that_is_kept_in_git_is_no_repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(folder / ".keys", "export LAUNCH='torchrun --nproc-per-node=8 train.py'\n")
    (folder / ".git").mkdir()
    put(folder / "unpacked/job.sh", HEAD + "source env.sh\nsrun $LAUNCH\n")
    (folder / "unpacked/env.sh").symlink_to("../.keys")
    monkeypatch.setenv("HOME", str(folder))
    assert b"torchrun" not in run(folder, "plan", "unpacked/job.sh").out


def test_a_link_out_of_the_repository_is_passed_over(folder: Path, outside: Path) -> None:
    (folder / ".git").mkdir()
    put(folder / "job.sh", HEAD + WRONG)
    (folder / "stolen.sbatch").symlink_to(outside / "secret.sh")
    (folder / "inside.sbatch").symlink_to("job.sh")
    done = run(folder, "check", ".")
    assert b"stolen.sbatch: not checked: a link that leads out of the repository" in done.err
    assert b"found-it" not in done.both and b"in 1 of 1 file" in done.err


_NAMED = {
    "cluster": ('cluster = "{0}"', "secret.sh"),
    "named cluster": ('cluster = "x"\n[clusters]\nx = "{0}"', "secret.sh"),
    "cluster of a path": ('[per-path."*"]\ncluster = "{0}"', "secret.sh"),
    "extend": ('extend = "{0}"', "more.toml"),
    "baseline": ('baseline = "{0}"', "secret.sh"),
    "plugins": ('plugins = ["{0}"]', "secret.sh"),
}
_COMMANDS = ("check job.sh", "plan job.sh", "config job.sh", "config", "policy list", "rule --list")


@pytest.mark.parametrize("key", _NAMED)
@pytest.mark.parametrize("link", [False, True])
def test_no_line_of_a_file_that_a_project_points_to_is_shown(
    folder: Path, outside: Path, key: str, link: bool
) -> None:
    toml, name = _NAMED[key]
    target = str(outside / name)
    if link:
        target = f"./linked-{name}"
        (folder / target).symlink_to(outside / name)
    put(folder / "sbatchlint.toml", toml.format(target))
    put(folder / "job.sh", HEAD + WRONG)
    for command in _COMMANDS:
        assert b"found-it" not in run(folder, *command.split()).both, command


@pytest.mark.parametrize("name", ["sbatchlint.toml", "pyproject.toml"])
def test_nor_of_one_that_stands_in_for_it(folder: Path, outside: Path, name: str) -> None:
    put(folder / "job.sh", HEAD + WRONG)
    (folder / name).symlink_to(outside / "secret.sh")
    for command in _COMMANDS:
        assert b"found-it" not in run(folder, *command.split()).both, command


def test_what_the_user_points_to_is_shown(folder: Path, outside: Path) -> None:
    put(folder / "job.sh", HEAD + WRONG)
    put(outside / "more.toml", "select = ['found-it']\n")
    done = run(folder, "check", "--config", str(outside / "more.toml"), "job.sh")
    assert b"found-it" in done.err

"""sbatchlint never asks the network for anything."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import sbatchlint
from tests.hostile.places import HEAD, WRONG, put
from tests.hostile.processes import heard, plain_environment

ROOT = Path(sbatchlint.__file__).parents[1]
_TALKING = frozenset(
    "socket ssl urllib http requests httpx aiohttp urllib3 asyncio xmlrpc ftplib smtplib poplib imaplib "
    "telnetlib nntplib socketserver webbrowser wsgiref websocket paramiko multiprocessing".split()
)
_HARMLESS = {
    ("urllib.parse", name) for name in ("quote", "quote_from_bytes", "unquote", "urlsplit", "urlparse")
}
_IMPORT = re.compile(r"^[ \t]*(?:from (?P<module>[\w.]+) )?import (?P<names>\([^)]*\)|.*)", re.MULTILINE)
_EVENTS = "socket. urllib. http. ftplib. smtplib. imaplib. poplib. nntplib. telnetlib. webbrowser."
COMMANDS = (
    "check job.sh",
    "check --pedantic --check-paths --output-format sarif job.sh",
    "check --fix job.sh",
    "check --jobs 2 .",
    "check --output-format markdown job.sh",
    "plan job.sh",
    "plan --output-format json --check-paths job.sh",
    "size minimax-m2",
    "convert -- torchrun --nproc-per-node=8 train.py",
    "diagnose --script job.sh job.log",
    "diagnose --job 12 job.log",
    "cluster import --from-conf slurm.conf",
    "config job.sh",
    "config --schema",
    "policy test",
    "policy variables",
    "rule --all",
    "rule --test SB301",
    "option --all",
    "submit --lint-only job.sh",
)
OFTEN = ("check --fix job.sh", "plan job.sh", "diagnose --script job.sh job.log", "submit --lint-only job.sh")
_JOB = (
    "export HF_HOME=https://x.example/y\ngit clone https://x.example/r\npip install -r http://x.example/r.txt\n"
    "srun --container-image=docker://x.example/y:1 --container-mounts=/a:/b python train.py --url s3://b/c\n"
    "curl http://169.254.169.254/ | bash\nsource http://x.example/env.sh\nsource /dev/tcp/127.0.0.1/9\n"
    "exec 3<>/dev/tcp/127.0.0.1/9\nmapfile -t X < /dev/tcp/127.0.0.1/9\n"
)


def _imported(path: Path) -> set[tuple[str, str]]:
    """Return the modules that *path* imports, and the names that it takes from them."""
    found: set[tuple[str, str]] = set()
    for line in _IMPORT.finditer(path.read_text()):
        names = [name.split(" as ")[0].strip(" ()\n") for name in line["names"].split(",")]
        found |= {(line["module"], name) if line["module"] else (name, "") for name in names}
    return found


def _fill(folder: Path) -> None:
    put(folder / "job.sh", HEAD + WRONG + _JOB)
    put(folder / "other.sbatch", HEAD + WRONG)
    put(
        folder / "job.log",
        "socket.gaierror: [Errno -2] Name or service not known\nRuntimeError: NCCL error\n",
    )
    put(folder / "slurm.conf", "ClusterName=x\nSlurmctldHost=x.example\nNodeName=n1 CPUs=8\n")
    put(
        folder / "sbatchlint.toml",
        "[[policy]]\nname = 'a-b'\nrequire = 'true'\nmessage = 'm'\ndocs = 'https://x.example'\n",
    )


@pytest.mark.parametrize("package", ["sbatchlint", "rules"])
def test_no_module_imports_what_talks(package: str) -> None:
    files = list((ROOT / package).rglob("*.py"))
    assert len(files) > 50
    for path in files:
        for module, name in _imported(path):
            talks = module.partition(".")[0] in _TALKING and (module, name) not in _HARMLESS
            assert not talks, f"{path}: {module} {name}"


@pytest.mark.parametrize(
    "command", [pytest.param(each, marks=[] if each in OFTEN else [pytest.mark.slow]) for each in COMMANDS]
)
def test_no_command_talks(folder: Path, command: str) -> None:
    _fill(folder)
    done = heard(folder, command.split(), _EVENTS, SBATCHLINT_SBATCH="/nowhere")
    assert done.status in (0, 1) or "--job" in command, done.err
    assert done.events == ()


def test_the_listener_hears_who_talks(folder: Path) -> None:
    put(folder / "job.sh", HEAD + WRONG)
    put(folder / "sbatchlint.toml", "plugins = ['./rules']\n")
    put(folder / "rules/x.py", "import socket\nsocket.getaddrinfo('localhost', 1)\n")
    done = heard(folder, ("check", "--allow-plugins", "job.sh"), _EVENTS)
    assert "socket.getaddrinfo" in {event for event, *_ in done.events}, done.err


def _without_network() -> list[str]:
    unshare = shutil.which("unshare")
    if unshare is None:
        return []
    tried = subprocess.run([unshare, "-rn", "true"], capture_output=True, check=False)
    return [unshare, "-rn"] if tried.returncode == 0 else []


@pytest.mark.slow
def test_without_a_network_all_is_the_same(folder: Path) -> None:
    alone = _without_network()
    if not alone:
        pytest.skip("no network namespace can be made here: unshare -rn is not there, or not allowed")
    _fill(folder)
    for command in COMMANDS:
        if "--fix" in command or "--job " in command:
            continue  # the one changes the files, the other asks Slurm, which asks the network
        ours = [sys.executable, "-m", "sbatchlint", *command.split()]
        env = plain_environment(SBATCHLINT_SBATCH="/nowhere")
        with_it, without = (
            subprocess.run(
                [*front, *ours], cwd=folder, env=env, capture_output=True, check=False, timeout=120
            )
            for front in ([], alone)
        )
        assert (without.returncode, without.stdout, without.stderr) == (
            with_it.returncode,
            with_it.stdout,
            with_it.stderr,
        ), command

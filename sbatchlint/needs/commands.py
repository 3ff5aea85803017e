"""Commands whose point it is to call an outside service.

Sources: the manuals of pip, uv, conda, git, curl, wget, huggingface_hub's and wandb's command lines,
apptainer, docker, enroot, the AWS and Google Cloud command lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sbatchlint.launch.plan import LayerKind, Program
from sbatchlint.needs import switches
from sbatchlint.needs.images import registry_host
from sbatchlint.needs.need import ServiceKind
from sbatchlint.needs.switches import Wanted
from sbatchlint.records import dataclass
from sbatchlint.regex import regex

PYPI = "PyPI"
HUB = "huggingface.co"
WANDB_HOST = "api.wandb.ai"
_CONDA = "conda channels"
_URL = regex(r"(?:git\+)?(?:https?|ftp|git|ssh)://(?:[^/@\s]*@)?(?P<host>[^/:?#\s'\"]+)")
_SCP = regex(r"[\w.-]+@(?P<host>[\w-]+\.[\w.-]+):(?!/)")
_NEAR = regex(
    r"(?:localhost|127\.|0\.0\.0\.0|\[|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)|[^.]+$"
)
"""Hosts of the cluster itself."""
_PIP = regex(r"pip(?:\d(?:\.\d+)?)?")


@dataclass(frozen=True, slots=True)
class Call:
    """What a command calls."""

    kind: ServiceKind
    host: str
    by: str
    switches: tuple[Wanted, ...] = ()
    sure: bool = True
    """False where the command may find all that it needs on disk."""


def called_by(program: Program) -> list[Call]:
    """Return what the command itself calls; nothing for a program of which only its options tell."""
    words = [argument.value.show() for argument in program.arguments]
    name = program.name or ""
    calls: list[Call] = []
    if program.is_module and name == "pip":
        calls += _pip(name, words)
    elif not program.is_module:
        reader = _COMMANDS.get("pip" if _PIP.fullmatch(name) else name)
        if reader is not None:
            calls += reader(name, words)
    if program.has_layer("uv") and name != "uv":
        calls += _uv_run(program)
    return calls


def _verbs(words: Sequence[str]) -> list[str]:
    return [word for word in words if not word.startswith("-")]


def _index(by: str, wanted: tuple[Wanted, ...], words: Sequence[str], *, sure: bool = True) -> list[Call]:
    """An installation from an index, and what it fetches from elsewhere."""
    calls = [_git(url, by) for url in words if url.startswith(("git+", "git@"))]
    named = [word for word in _verbs(words) if word not in ("install", "pip", "download", "add", "wheel")]
    files = bool(named) and all(word.startswith((".", "/", "$")) or word.endswith(".whl") for word in named)
    if not ((files or not named) and ("--no-deps" in words or "--no-index" in words)):
        calls.append(Call(ServiceKind.PACKAGE_INDEX, PYPI, by, wanted, sure))
    return [call for call in calls if call is not None]


def _git(url: str, by: str) -> Call:
    return Call(ServiceKind.GIT_HOST, _host_of(url) or "", by)


def _pip(name: str, words: Sequence[str]) -> list[Call]:
    verbs = _verbs(words)
    if verbs[:1] not in (["install"], ["download"], ["wheel"]):
        return []
    return _index(f"{name} {verbs[0]}", switches.PIP, words)


def _uv(_: str, words: Sequence[str]) -> list[Call]:
    verbs = _verbs(words)
    if verbs[:2] in (["pip", "install"], ["pip", "sync"], ["tool", "install"], ["tool", "run"]):
        return _index("uv " + " ".join(verbs[:2]), switches.UV, words[1:])
    if verbs[:1] in (["sync"], ["add"], ["lock"]):
        return [Call(ServiceKind.PACKAGE_INDEX, PYPI, f"uv {verbs[0]}", switches.UV, verbs[0] == "add")]
    return []


def _uv_run(program: Program) -> list[Call]:
    """``uv run`` brings the environment up to date first; one that is has nothing to fetch."""
    layer = next(layer for layer in program.layers if layer.name == "uv")
    if layer.get("no-sync", "offline", "frozen", "no-project") is not None:
        return []
    return [Call(ServiceKind.PACKAGE_INDEX, PYPI, "uv run", switches.UV_RUN, False)]


def _conda(name: str, words: Sequence[str]) -> list[Call]:
    verbs = _verbs(words)
    if verbs[:2] in (["env", "list"], ["env", "export"], ["env", "config"], ["env", "remove"]):
        return []
    if verbs[:1] in (["install"], ["create"], ["update"], ["env"]) and "--clone" not in words:
        return [Call(ServiceKind.PACKAGE_INDEX, _CONDA, f"{name} {verbs[0]}", switches.CONDA)]
    return []


def _installer(*verbs: str) -> Callable[[str, Sequence[str]], list[Call]]:
    def read(name: str, words: Sequence[str]) -> list[Call]:
        found = _verbs(words)[:1]
        if not found or found[0] not in verbs:
            return []
        return [Call(ServiceKind.PACKAGE_INDEX, "", f"{name} {found[0]}")]

    return read


def _git_command(_: str, words: Sequence[str]) -> list[Call]:
    operands = _verbs(words)
    # A word behind -C is a folder and may stand first.
    verb = next((word for word in operands if word in _GIT_VERBS), None)
    if verb is None or operands[:2] in (["submodule", "status"], ["lfs", "install"], ["remote", "-v"]):
        return []
    urls = [word for word in operands if _host_of(word)]
    if verb == "clone" and not urls:
        return (
            []
            if not any("$" in word for word in operands[1:])
            else [Call(ServiceKind.GIT_HOST, "", "git clone")]
        )
    hub = bool(urls) and _host_of(urls[0]) == HUB
    kind = ServiceKind.MODEL_HUB if hub else ServiceKind.GIT_HOST
    return [Call(kind, _host_of(urls[0]) or "" if urls else "", f"git {verb}")]


_GIT_VERBS = frozenset(("clone", "pull", "fetch", "push", "submodule", "lfs", "ls-remote"))


def _download(name: str, words: Sequence[str]) -> list[Call]:
    hosts = dict.fromkeys(host for host in map(_host_of, words) if host and not _NEAR.match(host))
    return [
        Call(ServiceKind.MODEL_HUB if host == HUB else ServiceKind.DOWNLOAD, host, name) for host in hosts
    ]


def _hub(name: str, words: Sequence[str]) -> list[Call]:
    verbs = _verbs(words)
    if not verbs or verbs[0] in ("version", "env", "cache", "scan-cache", "delete-cache", "logout"):
        return []
    by = " ".join([name, *verbs[: 2 if verbs[0] == "auth" else 1]])
    return [Call(ServiceKind.MODEL_HUB, HUB, by, switches.MODEL_HUB, verbs[0] != "download")]


_WANDB_VERBS = frozenset("agent artifact beta job launch launch-agent login pull restore sweep sync".split())


def _wandb(name: str, words: Sequence[str]) -> list[Call]:
    verb = next(iter(_verbs(words)), "")
    if verb not in _WANDB_VERBS:
        return []
    # Logging in and uploading make no sense without the service; the mode is of no account for them.
    wanted = switches.WANDB if verb in ("agent", "sweep") else switches.WANDB[2:]
    return [Call(ServiceKind.TRACKER, WANDB_HOST, f"{name} {verb}", wanted)]


def _pull(name: str, words: Sequence[str]) -> list[Call]:
    verb = next(iter(_verbs(words)), "")
    images = [word for word in words if re.match(r"(?:docker|oras|library|shub|https?)://", word)]
    if name in ("docker", "podman", "podman-hpc"):
        images = _verbs(words)[1:2] if verb == "pull" else []
    if verb not in ("pull", "build", "import", "load") or not images:
        return []
    return [Call(ServiceKind.REGISTRY, registry_host(images[0]), f"{name} {verb}")]


def _store(name: str, words: Sequence[str]) -> list[Call]:
    text = " ".join(words)
    address = re.search(r"\b(?:s3|gs|az|wasbs?|abfss?)://|blob\.core\.windows\.net", text)
    remote = name in ("rclone", "azcopy") and bool(_verbs(words)[1:])
    endpoint = re.search(r"--endpoint-url[= ](\S+)", text)
    host = (_host_of(endpoint[1]) or "" if endpoint else "") or {"aws": "amazonaws.com"}.get(name, "")
    return [Call(ServiceKind.OBJECT_STORE, host, name)] if address or remote else []


def _ngc(name: str, words: Sequence[str]) -> list[Call]:
    verbs = _verbs(words)
    return [Call(ServiceKind.MODEL_HUB, "ngc.nvidia.com", name)] if verbs and verbs[0] != "config" else []


def _host_of(url: str) -> str | None:
    """The host that an address names; None where it is no address, or names none that is known."""
    match = _URL.match(url) or _SCP.match(url)
    if match is None or "$" in match["host"] or "<" in match["host"] or "{" in match["host"]:
        return None
    return match["host"].lower().removeprefix("www.")


_COMMANDS: dict[str, Callable[[str, Sequence[str]], list[Call]]] = {
    "pip": _pip,
    "uv": _uv,
    "conda": _conda,
    "mamba": _conda,
    "micromamba": _conda,
    "apt": _installer("install", "update", "upgrade"),
    "apt-get": _installer("install", "update", "upgrade"),
    "dnf": _installer("install", "update"),
    "yum": _installer("install", "update"),
    "npm": _installer("install", "ci"),
    "poetry": _installer("install", "add", "update"),
    "pdm": _installer("install", "sync", "add"),
    "pixi": _installer("install", "add"),
    "cargo": _installer("install", "fetch"),
    "git": _git_command,
    "wget": _download,
    "curl": _download,
    "aria2c": _download,
    "axel": _download,
    "hf": _hub,
    "huggingface-cli": _hub,
    "wandb": _wandb,
    "apptainer": _pull,
    "singularity": _pull,
    "docker": _pull,
    "podman": _pull,
    "podman-hpc": _pull,
    "enroot": _pull,
    "aws": _store,
    "s5cmd": _store,
    "gsutil": _store,
    "gcloud": _store,
    "rclone": _store,
    "azcopy": _store,
    "ngc": _ngc,
}

INTERPRETED = (LayerKind.INTERPRETER, LayerKind.LAUNCHER)

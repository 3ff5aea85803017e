"""The options of Pyxis: images, mounts, names and namespaces of containers.

Pyxis reads them inside sbatch and srun, the same in every release of Slurm; the words are Pyxis 0.24's.
Source: ``args.c`` of NVIDIA/pyxis.
"""

from __future__ import annotations

from sbatchlint.records import dataclass
from sbatchlint.slurm.grammar.base import Context, Grammar, Refused

_SPECIAL_SOURCES = ("tmpfs", "umount")
_NAME_FLAGS = ("auto", "create", "exec", "no_exec")
_NAMESPACES = ("net", "ipc", "uts")


@dataclass(frozen=True, slots=True)
class Mount:
    """One mount of ``--container-mounts``."""

    source: str
    """A path on the host (a relative one begins with ``.``), ``tmpfs`` or ``umount``."""
    target: str
    """Where it is in the container; the same path where none is given."""
    flags: tuple[str, ...] = ()
    """``ro``, ``rw``, ``rprivate`` and the like, as enroot takes them."""


@dataclass(frozen=True, slots=True)
class ContainerName:
    """The name of a container that outlives the step."""

    name: str
    flag: str = "auto"
    """``auto``, ``create``, ``exec`` or ``no_exec``: whether the container must exist, run, or neither."""


def _mounts(text: str, context: Context) -> tuple[Mount, ...]:
    _demand(text, context)
    return tuple(dict.fromkeys(_mount(item) for item in text.split(",")))


def _mount(item: str) -> Mount:
    source, colon, rest = item.partition(":")
    target, _, flags = rest.partition(":")
    if not source or (colon and not target):
        detail = "an item is SOURCE:TARGET:FLAGS, flags joined by +; a comma begins the next item"
        raise Refused(f"pyxis: --container-mounts: invalid format: {item}", detail)
    target = target if colon else source
    if not _is_path(source) and source not in _SPECIAL_SOURCES:
        said = 'pyxis: mount source must be a relative path, an absolute path, "tmpfs" or "umount"'
        raise _not_added(said, source, target, "a path begins with / or .")
    if not _is_path(target):
        said = "pyxis: mount target must be a relative path or an absolute path"
        raise _not_added(said, source, target, "a path begins with / or .")
    return Mount(source, target, tuple(flags.replace("+", ",").split(",")) if flags else ())


def _is_path(text: str) -> bool:
    return text.startswith((".", "/"))


def _not_added(said: str, source: str, target: str, detail: str) -> Refused:
    return Refused(f"{said}\npyxis: could not add mount entry: {source}:{target}", detail)


def _container_name(text: str, context: Context) -> ContainerName:
    _demand(text, context)
    name, _, flag = text.partition(":")
    if not name:
        raise Refused("pyxis: --container-name: empty name")
    if flag and flag not in _NAME_FLAGS:
        raise Refused('pyxis: --container-name: flag must be "auto", "create", "exec" or "no_exec"')
    return ContainerName(name, flag or "auto")


def _namespaces(text: str, context: Context) -> tuple[str, ...]:
    _demand(text, context)
    for name in text.split(","):
        if not name:
            raise Refused("pyxis: --container-unshare: empty namespace argument")
        if name not in _NAMESPACES:
            said = f"pyxis: --container-unshare: unknown namespace '{name}'"
            raise Refused(said, f"it knows {', '.join(_NAMESPACES)}")
    return tuple(dict.fromkeys(text.split(",")))


def _variables(text: str, context: Context) -> tuple[str, ...]:
    _demand(text, context)
    names = text.split(",")
    if "" in names:
        raise Refused(f"pyxis: --container-env: invalid format: {text}", "a name is empty")
    return tuple(dict.fromkeys(names))


def _text(text: str, context: Context) -> str:
    _demand(text, context)
    if context.option == "container-save" and text.endswith("/"):
        raise Refused("pyxis: --container-save: target is a directory", "it takes the name of a file")
    return text


def _demand(text: str, context: Context) -> None:
    if not text:
        raise Refused(f"pyxis: --{context.option}: argument required")


GRAMMARS = (
    Grammar(
        "image",
        "the image that the container is made of",
        (
            ("IMAGE:TAG", "from Docker Hub"),
            ("REGISTRY#IMAGE:TAG", "from another registry"),
            ("USER@REGISTRY#IMAGE:TAG", "as a user whose secret enroot knows"),
            ("/PATH/FILE.sqsh", "a squashfs file, on each node"),
        ),
        ("ubuntu:22.04", "nvcr.io#nvidia/pytorch:24.05-py3", "/images/a.sqsh", "./a.sqsh"),
        ("",),
        _text,
        ("In a directive an unquoted `#` ends the line: write it as `\\#` or quote the value.",),
    ),
    Grammar(
        "mounts",
        "what is mounted in the container",
        (
            ("PATH", "at the same place"),
            ("SOURCE:TARGET", "a path on the host at a path in the container"),
            ("SOURCE:TARGET:FLAG+FLAG", "with flags such as ro, rw, rprivate"),
            ("tmpfs:TARGET", "an empty file system in memory"),
            ("umount:TARGET", "not mounted although enroot's settings say so"),
            ("ITEM,ITEM", "all of them"),
        ),
        ("/a", "/a:/b", "/a:/b:ro", "/a:/b:ro+rprivate,/c", "tmpfs:/t", "umount:/u", "./a:/b", "/a:/b:"),
        ("", "/a,", ":/b", "/a::ro", "$HOME:/x", "~/x:/y", "/a:b", "/a:/b:ro,rw", "/a, /b", "tmpfs"),
        _mounts,
        ("Blanks are not cut off.", "Several --container-mounts add up."),
    ),
    Grammar(
        "container_name",
        "the name of a container that is kept and used again",
        (
            ("NAME", "made where it is missing, joined where it runs"),
            ("NAME:create", "must not be there yet"),
            ("NAME:exec", "must run already, and is joined"),
            ("NAME:no_exec", "is not joined although it runs"),
        ),
        ("a", "a:create", "a:exec", "a:no_exec", "a:auto", "a:"),
        ("", ":create", "a:x", "a:create:exec"),
        _container_name,
    ),
    Grammar(
        "namespaces",
        "namespaces that the container does not share with the host",
        (("NS,NS", "net, ipc, uts"),),
        ("net", "net,ipc,uts"),
        ("", "net,", "pid", "NET"),
        _namespaces,
    ),
    Grammar(
        "variables",
        "variables whose value in the job replaces the image's",
        (("NAME,NAME", "each of them"),),
        ("PATH", "A,B"),
        ("", "A,", "A,,B"),
        _variables,
    ),
    Grammar(
        "container_path",
        "a path, of the container's file system or of the host's as the option says",
        (("PATH", "absolute, or relative to where the step starts"),),
        ("/a/b", "./a", "a"),
        ("",),
        _text,
        ("--container-save takes the name of a file, which can't end in /.",),
    ),
)

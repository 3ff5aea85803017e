"""The values of Pyxis's options."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sbatchlint.slurm.grammar.base import Refused
from sbatchlint.slurm.grammar.containers import ContainerName, Mount

Read = Callable[..., object]
Refusal = Callable[..., Refused]

SOURCE = 'pyxis: mount source must be a relative path, an absolute path, "tmpfs" or "umount"'
TARGET = "pyxis: mount target must be a relative path or an absolute path"


@pytest.mark.parametrize(
    ("text", "mounts"),
    [
        ("/a", [Mount("/a", "/a")]),
        ("/a:/b", [Mount("/a", "/b")]),
        ("/a:/b:", [Mount("/a", "/b")]),
        ("/a:/b:ro+rprivate", [Mount("/a", "/b", ("ro", "rprivate"))]),
        ("/a:/b,./c:/d:ro", [Mount("/a", "/b"), Mount("./c", "/d", ("ro",))]),
        ("tmpfs:/t,umount:/u", [Mount("tmpfs", "/t"), Mount("umount", "/u")]),
        ("/a,/a:/a", [Mount("/a", "/a")]),
        (".x:.y", [Mount(".x", ".y")]),
    ],
)
def test_mounts(read: Read, text: str, mounts: list[Mount]) -> None:
    assert read("container-mounts", text) == tuple(mounts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "pyxis: --container-mounts: argument required"),
        ("/a,", "pyxis: --container-mounts: invalid format: "),
        (":/b", "pyxis: --container-mounts: invalid format: :/b"),
        ("/a::ro", "pyxis: --container-mounts: invalid format: /a::ro"),
        ("$HOME:/x", f"{SOURCE}\npyxis: could not add mount entry: $HOME:/x"),
        ("/a:/b:ro,rw", f"{SOURCE}\npyxis: could not add mount entry: rw:rw"),
        ("/a, /b", f"{SOURCE}\npyxis: could not add mount entry:  /b: /b"),
        ("/a:b", f"{TARGET}\npyxis: could not add mount entry: /a:b"),
        ("tmpfs", f"{TARGET}\npyxis: could not add mount entry: tmpfs:tmpfs"),
    ],
)
def test_mounts_refused(refusal: Refusal, text: str, said: str) -> None:
    assert refusal("container-mounts", text).said == said


def test_names(read: Read, refusal: Refusal) -> None:
    assert read("container-name", "a") == ContainerName("a", "auto")
    assert read("container-name", "a:") == ContainerName("a", "auto")
    assert read("container-name", "a:no_exec") == ContainerName("a", "no_exec")
    assert refusal("container-name", ":create").said == "pyxis: --container-name: empty name"
    wanted = 'pyxis: --container-name: flag must be "auto", "create", "exec" or "no_exec"'
    assert refusal("container-name", "a:create:exec").said == wanted


def test_namespaces(read: Read, refusal: Refusal) -> None:
    assert read("container-unshare", "net,ipc,net") == ("net", "ipc")
    assert refusal("container-unshare", "net,").said == "pyxis: --container-unshare: empty namespace argument"
    assert refusal("container-unshare", "pid").said == "pyxis: --container-unshare: unknown namespace 'pid'"


def test_variables(read: Read, refusal: Refusal) -> None:
    assert read("container-env", "A,B,A") == ("A", "B")
    assert refusal("container-env", "A,,B").said == "pyxis: --container-env: invalid format: A,,B"


@pytest.mark.parametrize(
    "option", ["container-image", "container-workdir", "container-save", "container-env"]
)
def test_nothing_is_not_enough(refusal: Refusal, option: str) -> None:
    assert refusal(option, "").said == f"pyxis: --{option}: argument required"


def test_paths(read: Read, refusal: Refusal) -> None:
    assert read("container-image", "nvcr.io#nvidia/pytorch:24.05-py3") == "nvcr.io#nvidia/pytorch:24.05-py3"
    assert read("container-workdir", "/a/") == "/a/"
    assert refusal("container-save", "/a/").said == "pyxis: --container-save: target is a directory"

"""Owner, mode, attributes and access list outlast a new content, or nothing is written."""

from __future__ import annotations

import errno
import os
import stat
import struct
from pathlib import Path

import pytest

from sbatchlint.writing.likeness import take_over
from sbatchlint.writing.replace import overwrite_file, replace_file
from sbatchlint.writing.trouble import NotWritten
from tests.writing.conftest import NEW, OLD, become_nobody, in_child, names

ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")


def access_list(group: int, user: int, rights: int) -> bytes:
    """Return an access list that gives *rights* to *user* and those of *group* to the owning group."""
    nobody = 0xFFFFFFFF
    entries = [(1, 6, nobody), (2, rights, user), (4, group, nobody), (0x10, 4, nobody), (0x20, 0, nobody)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def replace(script: Path) -> None:
    replace_file(str(script), NEW, expected=OLD)


def set_attribute(path: Path, name: str, value: bytes) -> None:
    if not hasattr(os, "setxattr"):
        pytest.skip("no extended attributes on this system")
    try:
        os.setxattr(path, name, value)
    except OSError:
        pytest.skip("no such attributes on this file system")


@as_root
@pytest.mark.parametrize("mode", [0o644, 0o4755, 0o2755, 0o6750, 0o1644, 0o7000])
def test_owner_and_every_bit_of_the_mode(script: Path, mode: int) -> None:
    os.chown(script, 12345, 23456)
    script.chmod(mode)
    replace(script)
    status = script.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 23456, mode)


@as_root
def test_a_report_keeps_its_owner_too(script: Path) -> None:
    os.chown(script, 12345, 23456)
    overwrite_file(str(script), NEW)
    assert (script.stat().st_uid, script.stat().st_gid) == (12345, 23456)


@as_root
def test_the_folders_group_is_not_taken(script: Path) -> None:
    """New files in a set-group-ID folder get its group."""
    os.chown(script.parent, 0, 23456)
    script.parent.chmod(0o2775)
    replace(script)
    assert script.stat().st_gid == 0


@as_root
def test_a_group_that_cannot_be_kept(public_folder: Path) -> None:
    public_folder.chmod(0o777)
    script = public_folder / "job.sh"
    script.write_bytes(OLD)
    os.chown(script, 65534, 23456)

    def work() -> None:
        become_nobody()
        with pytest.raises(NotWritten, match="owner or group could not be kept") as caught:
            replace(script)
        assert (caught.value.errno, caught.value.filename) == (errno.EPERM, str(script))
        assert caught.value.remedy == "let its owner do it, or fix a copy"

    assert in_child(work) == 0
    assert (script.read_bytes(), names(public_folder)) == (OLD, ["job.sh"])


def test_an_owner_that_cannot_be_kept(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = []

    def refuse(descriptor: int, user: int, group: int) -> None:
        wanted.append((user, group))
        raise OSError(errno.EINVAL, "no such user here")

    status = script.stat()
    monkeypatch.setattr(os, "fchown", refuse)
    for user, group in ((1, 0), (0, 1)):
        other = status.st_uid + user, status.st_gid + group
        old = os.stat_result((*status[:4], *other, *status[6:]))
        with script.open("rb+") as file, pytest.raises(NotWritten) as caught:
            take_over(file.fileno(), str(script), old, "a name")
        assert wanted.pop() == other
        error = caught.value
        assert (error.errno, error.filename) == (errno.EINVAL, "a name")
        assert (error.strerror, error.remedy) == (
            "its owner or group could not be kept",
            "let its owner do it, or fix a copy",
        )


def test_a_mode_that_the_file_system_does_not_take(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script.chmod(0o755)
    monkeypatch.setattr(os, "fchmod", lambda descriptor, mode: None)
    with pytest.raises(NotWritten, match="its mode could not be kept: ") as caught:
        replace(script)
    assert (caught.value.errno, caught.value.filename) == (errno.EPERM, str(script))
    assert caught.value.strerror == "its mode could not be kept"
    assert caught.value.remedy == "let its owner do it, or fix a copy"
    assert (script.read_bytes(), names(script.parent)) == (OLD, ["job.sh"])
    script.chmod(0o600)
    replace(script)  # the one that new files have
    assert script.read_bytes() == NEW


def test_attributes(script: Path) -> None:
    set_attribute(script, "user.note", b"kept\0\xff")
    set_attribute(script, "user.empty", b"")
    replace(script)
    assert {name: os.getxattr(script, name) for name in os.listxattr(script)} == {
        "user.note": b"kept\0\xff",
        "user.empty": b"",
    }


@pytest.mark.parametrize("mode", [0o640, 0o600, 0o700])
def test_access_list(script: Path, mode: int) -> None:
    set_attribute(script, ACCESS, access_list(4, 12345, 4))
    script.chmod(mode)
    before = os.getxattr(script, ACCESS)
    replace(script)
    assert os.getxattr(script, ACCESS) == before
    assert stat.S_IMODE(script.stat().st_mode) == mode


def test_access_list_that_the_folder_gives_to_new_files(script: Path) -> None:
    """A user who could not read the file can't afterwards."""
    script.chmod(0o640)
    set_attribute(script.parent, DEFAULT, access_list(4, 12345, 6))
    replace(script)
    assert ACCESS not in os.listxattr(script)
    assert stat.S_IMODE(script.stat().st_mode) == 0o640


@pytest.mark.parametrize("name", ["user.note", ACCESS])
@pytest.mark.parametrize("number", [errno.EPERM, errno.ENOTSUP, errno.ENOSPC])
def test_attribute_that_cannot_be_kept(
    script: Path, monkeypatch: pytest.MonkeyPatch, name: str, number: int
) -> None:
    set_attribute(script, name, access_list(4, 12345, 4) if name == ACCESS else b"kept")

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "setxattr", refuse)
    with pytest.raises(NotWritten, match=f"its attribute {name} could not be kept") as caught:
        replace(script)
    error = caught.value
    assert (error.errno, error.filename) == (number, str(script))
    assert error.remedy == "let its owner do it, or fix a copy"
    assert (script.read_bytes(), names(script.parent)) == (OLD, ["job.sh"])


@pytest.mark.parametrize(
    ("name", "asked"), [("security.selinux", True), ("lustre.lov", False), ("security.ima", False)]
)
def test_attribute_that_is_the_systems(
    script: Path, monkeypatch: pytest.MonkeyPatch, name: str, asked: bool
) -> None:
    """A label is taken over where that is allowed; where a file lies and what it is signed with is not."""
    wanted = []

    def refuse(file: object, name: str, value: bytes) -> None:
        wanted.append((name, value))
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "listxattr", lambda file: [name] if file == str(script) else [])
    monkeypatch.setattr(os, "getxattr", lambda file, name: b"value")
    monkeypatch.setattr(os, "setxattr", refuse)
    replace(script)
    assert script.read_bytes() == NEW
    assert wanted == ([(name, b"value")] if asked else [])


def test_attributes_that_cannot_be_read(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is for others stops none of those behind it."""
    set_attribute(script, "user.note", b"kept")
    set_attribute(script, "user.other", b"kept too")
    real = os.getxattr

    def refuse(file: str | int, name: str) -> bytes:
        if name == "user.hidden":
            raise PermissionError(1, "Operation not permitted")
        return b"stripes" if name == "lustre.lov" else real(file, name)

    listed = ["lustre.lov", "user.hidden", "user.note", "user.other"]
    monkeypatch.setattr(os, "listxattr", lambda file: listed)
    monkeypatch.setattr(os, "getxattr", refuse)
    replace(script)
    monkeypatch.undo()
    assert sorted(os.listxattr(script)) == ["user.note", "user.other"]


def test_no_attributes_at_all(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> list[str]:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr(os, "listxattr", refuse)
    replace(script)
    assert script.read_bytes() == NEW
    monkeypatch.delattr(os, "listxattr")
    overwrite_file(str(script), OLD)
    assert script.read_bytes() == OLD

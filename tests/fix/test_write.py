"""Writing back, and not writing back."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbatchlint.fix.write import FileChanged, write_atomically, write_source
from sbatchlint.source import Source

OLD, NEW = b"#!/bin/bash\r\nold \xff\n", b"#!/bin/bash\r\nnew \xff\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "job.sh"
    path.write_bytes(OLD)
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o664, 0o700])
def test_content_and_mode(script: Path, mode: int) -> None:
    script.chmod(mode)
    write_source(Source.from_bytes(OLD, "job.sh"), Source.from_bytes(NEW, "job.sh"), script)
    assert script.read_bytes() == NEW
    assert stat.S_IMODE(script.stat().st_mode) == mode
    assert names(script.parent) == ["job.sh"]


def test_symbolic_link_stays_and_its_target_is_written(script: Path, tmp_path: Path) -> None:
    folder = tmp_path / "links"
    folder.mkdir()
    link = folder / "link.sh"
    link.symlink_to("../job.sh")
    write_atomically(link, NEW, expected=OLD)
    assert link.is_symlink()
    assert os.readlink(link) == "../job.sh"
    assert script.read_bytes() == NEW
    assert names(folder) == ["link.sh"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_owner_is_kept(script: Path) -> None:
    os.chown(script, 12345, 23456)
    write_atomically(script, NEW, expected=OLD)
    assert (script.stat().st_uid, script.stat().st_gid) == (12345, 23456)


def test_extended_attributes_are_kept(script: Path) -> None:
    if not hasattr(os, "setxattr"):
        pytest.skip("no extended attributes on this system")
    try:
        os.setxattr(script, "user.note", b"kept")
    except OSError:
        pytest.skip("no extended attributes on this file system")
    write_atomically(script, NEW, expected=OLD)
    assert os.getxattr(script, "user.note") == b"kept"


def test_a_file_that_changed_is_left_alone(script: Path) -> None:
    script.write_bytes(b"somebody else's\n")
    with pytest.raises(FileChanged, match="changed while it was being checked") as caught:
        write_atomically(script, NEW, expected=OLD)
    assert caught.value.filename == str(script)
    assert script.read_bytes() == b"somebody else's\n"
    assert names(script.parent) == ["job.sh"]


def test_a_file_that_changes_during_the_writing_is_left_alone(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def meanwhile(descriptor: int) -> None:
        fsync(descriptor)
        script.write_bytes(b"somebody else's\n")

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(FileChanged):
        write_atomically(script, NEW, expected=OLD)
    assert script.read_bytes() == b"somebody else's\n"
    assert names(script.parent) == ["job.sh"]


@pytest.mark.parametrize("step", ["fsync", "replace", "fchmod"])
def test_nothing_is_lost_when_a_step_fails(script: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(script, NEW, expected=OLD)
    assert caught.value.filename == str(script)
    assert script.read_bytes() == OLD
    assert names(script.parent) == ["job.sh"]


def test_an_owner_that_cannot_be_kept_stops_the_writing(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    status = script.stat()
    other = os.stat_result((*status[:4], status.st_uid + 1, *status[5:]))
    monkeypatch.setattr(os, "fchown", refused)
    monkeypatch.setattr(os, "stat", lambda path, **options: other)
    with pytest.raises(PermissionError, match="owner or group could not be kept"):
        write_atomically(script, NEW, expected=OLD)
    monkeypatch.undo()
    assert script.read_bytes() == OLD
    assert names(script.parent) == ["job.sh"]


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "none.sh", NEW, expected=OLD)
    with pytest.raises(OSError, match="not a regular file"):
        write_atomically(tmp_path, NEW, expected=OLD)
    assert names(tmp_path) == []


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """Give a folder that users other than this one may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o666), (0o777, 0o444)])
def test_read_only_folder_or_file(public_folder: Path, folder_mode: int, file_mode: int) -> None:
    script = public_folder / "job.sh"
    script.write_bytes(OLD)
    script.chmod(file_mode)
    public_folder.chmod(folder_mode)
    assert _as_nobody(script) == 13, "expected EACCES"
    assert script.read_bytes() == OLD
    assert names(public_folder) == ["job.sh"]


def _as_nobody(script: Path) -> int:
    """Write from a child process that is not root (whom no mode stops); give the errno met, else 0."""
    child = os.fork()
    if child == 0:
        code = 0
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            write_atomically(script, NEW, expected=OLD)
        except OSError as error:
            code = error.errno or 255
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

"""Writing a file anew, and refusing to where it is not what it was or more would change than its content."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sbatchlint.writing.replace import make_file, overwrite_file, replace_file
from sbatchlint.writing.trouble import FileChanged, NotWritten
from tests.writing.conftest import NEW, OLD, names


def replace(path: Path, *, target: Path | None = None) -> None:
    replace_file(str(path), NEW, expected=OLD, target=None if target is None else str(target))


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o664, 0o700])
def test_content_and_mode(script: Path, mode: int) -> None:
    script.chmod(mode)
    replace(script)
    assert script.read_bytes() == NEW
    assert stat.S_IMODE(script.stat().st_mode) == mode
    assert names(script.parent) == ["job.sh"]


def test_what_is_written_already_is_left_alone(script: Path) -> None:
    """Another process that came first with the same is no trouble."""
    script.write_bytes(NEW)
    before = script.stat()
    replace(script)
    assert (script.stat().st_ino, script.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    "name", ["a" * 255, "世" * 85, os.fsdecode(b"\xff\xfe job\n\x1b.sh"), "-", " ", "job sh"]
)
def test_any_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(OLD)
    replace(path)
    assert path.read_bytes() == NEW
    assert names(tmp_path) == [name]
    overwrite_file(str(path), OLD)
    assert path.read_bytes() == OLD
    path.unlink()
    make_file(str(path), NEW)
    assert path.read_bytes() == NEW


def test_relative_path(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(script.parent)
    replace_file("job.sh", NEW, expected=OLD)
    assert script.read_bytes() == NEW


def test_large_file(script: Path) -> None:
    large = OLD * 200_000
    script.write_bytes(large)
    replace_file(str(script), NEW, expected=large)
    assert script.read_bytes() == NEW


@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
def test_mode_of_a_new_file(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        make_file(str(tmp_path / "new"), NEW)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o666 & ~mask


# --- what is said ---


def said(work: Callable[[], None]) -> tuple[int | None, object, str | None, str]:
    with pytest.raises(NotWritten) as caught:
        work()
    error = caught.value
    return error.errno, error.filename, error.strerror, error.remedy


def test_all_that_is_said(script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = (errno.ESTALE, str(script), "it changed while it was being checked", "run it again")
    assert said(lambda: replace_file(str(script), NEW, expected=b"")) == changed
    assert said(lambda: replace(script, target=tmp_path / "other")) == changed
    no_file = "it is not a regular file"
    assert said(lambda: replace(tmp_path)) == (errno.EINVAL, str(tmp_path), no_file, "name a file")
    assert said(lambda: overwrite_file(str(tmp_path), NEW))[1:3] == (str(tmp_path), no_file)
    lost = tmp_path / "no" / "new"
    no_folder = (errno.ENOENT, str(lost), "its folder is not there", "make it, and run it again")
    assert said(lambda: make_file(str(lost), NEW)) == no_folder
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    in_circle = "its symbolic links lead in a circle"
    assert said(lambda: replace(circle)) == (errno.ELOOP, str(circle), in_circle, "name the file itself")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: script.write_bytes(b"other"))
        assert said(lambda: replace(script)) == changed
    script.write_bytes(OLD)
    os.link(script, tmp_path / "second")
    assert said(lambda: replace(script)) == (
        errno.EMLINK,
        str(script),
        "it has 2 names (hard links), and the others would keep the old content",
        "make it a file of its own (cp -p it, mv the copy over it) and run it again",
    )


def test_what_is_said_of_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where not even the half of it can be deleted."""

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, "unlink", refuse)
    new = str(tmp_path / "new")
    told = errno.ENOSPC, new, "the disk is full", "make room and run it again"
    assert said(lambda: make_file(new, NEW)) == told


# --- links -----------------------------------------------------------------------------------------


@pytest.fixture
def link(script: Path) -> Path:
    folder = script.parent / "links"
    folder.mkdir()
    (folder / "middle.sh").symlink_to("../job.sh")
    link = folder / "link.sh"
    link.symlink_to("middle.sh")
    return link


def test_symbolic_link_stays_and_its_target_is_written(script: Path, link: Path) -> None:
    replace(link, target=script)
    assert os.readlink(link) == "middle.sh"
    assert script.read_bytes() == NEW
    assert names(link.parent) == ["link.sh", "middle.sh"]


def test_link_that_leads_nowhere(tmp_path: Path) -> None:
    link = tmp_path / "link.sh"
    link.symlink_to("none.sh")
    with pytest.raises(NotWritten, match="no longer there"):
        replace(link)
    assert names(tmp_path) == ["link.sh"]
    make_file(str(link), NEW)
    assert link.is_symlink()
    assert (tmp_path / "none.sh").read_bytes() == NEW


def test_links_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(NotWritten, match="links lead in a circle"):
        replace(tmp_path / "a")
    assert names(tmp_path) == ["a", "b"]


def test_link_that_leads_elsewhere_than_when_it_was_read(script: Path, link: Path) -> None:
    other = script.with_name("other.sh")
    other.write_bytes(OLD)
    link.unlink()
    link.symlink_to(other)
    with pytest.raises(FileChanged):
        replace(link, target=script)
    assert (script.read_bytes(), other.read_bytes()) == (OLD, OLD)


def test_other_names_of_the_file(script: Path) -> None:
    other = script.with_name("other.sh")
    os.link(script, other)
    with pytest.raises(NotWritten, match="it has 2 names") as caught:
        replace(script)
    assert "make it a file of its own" in caught.value.remedy
    assert (script.read_bytes(), other.read_bytes()) == (OLD, OLD)
    assert script.samefile(other)
    assert names(script.parent) == ["job.sh", "other.sh"]


def test_other_names_of_a_report_keep_what_they_had(script: Path) -> None:
    other = script.with_name("other.sh")
    os.link(script, other)
    overwrite_file(str(script), NEW)
    assert (script.read_bytes(), other.read_bytes()) == (NEW, OLD)


# --- what is no file -------------------------------------------------------------------------------


def make_socket(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)


def make_device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices, and not everywhere")


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, make_socket, make_device])
def test_no_file(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "job.sh"
    make(path)
    before = path.lstat()
    for write in (replace, lambda path: overwrite_file(str(path), NEW)):
        with pytest.raises(NotWritten, match="not a regular file"):
            write(path)
    assert (path.lstat().st_mode, path.lstat().st_ino) == (before.st_mode, before.st_ino)
    assert names(tmp_path) == ["job.sh"]


def test_pipe_that_was_given_open() -> None:
    """As by ``<(...)``."""
    reading, writing = os.pipe()
    try:
        with pytest.raises(NotWritten, match="not a regular file"):
            replace(Path(f"/dev/fd/{writing}"))
    finally:
        os.close(reading)
        os.close(writing)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(NotWritten, match="no longer there"):
        replace(tmp_path / "none.sh")
    with pytest.raises(NotWritten, match="its folder is not there") as caught:
        make_file(str(tmp_path / "none" / "job.sh"), NEW)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(tmp_path / "none" / "job.sh"))
    assert names(tmp_path) == []


# --- what changes under our feet -------------------------------------------------------------------


def test_a_file_that_changed_is_left_alone(script: Path) -> None:
    script.write_bytes(b"somebody else's\n")
    with pytest.raises(FileChanged, match="changed while it was being checked") as caught:
        replace(script)
    assert (caught.value.filename, caught.value.remedy) == (str(script), "run it again")
    assert caught.value.errno == errno.ESTALE
    assert script.read_bytes() == b"somebody else's\n"
    assert names(script.parent) == ["job.sh"]


def write_in_place(script: Path) -> None:
    script.write_bytes(b"somebody else's\n")


def replace_by_same(script: Path) -> None:
    other = script.with_name("other")
    other.write_bytes(OLD)
    other.chmod(0o640)
    other.rename(script)


def replace_by_link(script: Path) -> None:
    script.rename(script.with_name("moved"))
    script.symlink_to("moved")


def replace_by_link_to_same(script: Path) -> None:
    script.with_name("other").write_bytes(OLD)
    script.unlink()
    script.symlink_to("other")


def replace_by_pipe(script: Path) -> None:
    script.unlink()
    os.mkfifo(script)


def replace_by_folder(script: Path) -> None:
    script.unlink()
    script.mkdir()


def give_another_name(script: Path) -> None:
    os.link(script, script.with_name("other"))


CHANGES = [
    write_in_place,
    replace_by_same,
    replace_by_link,
    replace_by_link_to_same,
    replace_by_pipe,
    replace_by_folder,
    give_another_name,
    Path.unlink,
]


def state(folder: Path) -> list[object]:
    """Return all that *folder* holds."""
    found: list[object] = []
    for path in sorted(folder.iterdir()):
        status = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
        found.append((path.name, status.st_ino, status.st_mode, status.st_nlink, content))
    return found


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_during_the_writing_is_left_alone(
    script: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    fsync, after = os.fsync, []

    def meanwhile(descriptor: int) -> None:
        fsync(descriptor)
        change(script)
        after.append([each for each in state(script.parent) if ".tmp" not in str(each)])

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(FileChanged):
        replace(script)
    monkeypatch.undo()
    assert [state(script.parent)] == after


def test_a_link_that_is_turned_during_the_writing(
    script: Path, link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, fsync = script.with_name("other.sh"), os.fsync
    other.write_bytes(OLD)

    def meanwhile(descriptor: int) -> None:
        fsync(descriptor)
        link.unlink()
        link.symlink_to(other)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(FileChanged):
        replace(link)
    assert (script.read_bytes(), other.read_bytes()) == (OLD, OLD)


def test_another_run_that_does_the_same_meanwhile(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsync = os.fsync

    def meanwhile(descriptor: int) -> None:
        fsync(descriptor)
        monkeypatch.setattr(os, "fsync", fsync)
        replace(script)

    monkeypatch.setattr(os, "fsync", meanwhile)
    replace(script)
    assert script.read_bytes() == NEW
    assert names(script.parent) == ["job.sh"]


@pytest.mark.parametrize("change", [replace_by_link, replace_by_pipe, replace_by_folder, Path.unlink])
def test_what_is_no_longer_there_is_no_other_runs_work(
    script: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    """Not even where what is there now leads to the new content."""
    fsync = os.fsync

    def meanwhile(descriptor: int) -> None:
        fsync(descriptor)
        script.write_bytes(NEW)
        change(script)

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(FileChanged):
        replace(script)


def test_many_at_once(script: Path) -> None:
    """All of them are content, and the file is new."""
    children = []
    for _ in range(16):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                replace(script)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 16
    assert script.read_bytes() == NEW
    assert names(script.parent) == ["job.sh"]


# --- file systems ----------------------------------------------------------------------------------


def mount(*words: str) -> None:
    if os.geteuid() != 0 or subprocess.run(["mount", *words], capture_output=True, check=False).returncode:
        pytest.skip("only root may mount, and not everywhere")


def test_link_to_another_file_system(tiny_disk: Path, tmp_path: Path) -> None:
    target, link = tiny_disk / "job.sh", tmp_path / "link.sh"
    target.write_bytes(OLD)
    link.symlink_to(target)
    replace(link)
    assert target.read_bytes() == NEW
    assert (names(tiny_disk), names(tmp_path)) == (["job.sh"], ["link.sh", "tiny"])


def test_file_system_that_can_only_be_read(tiny_disk: Path) -> None:
    target = tiny_disk / "job.sh"
    target.write_bytes(OLD)
    mount("-o", "remount,ro", str(tiny_disk))
    with pytest.raises(NotWritten) as caught:
        replace(target)
    assert caught.value.errno in (errno.EROFS, errno.EACCES)
    assert target.read_bytes() == OLD


def test_file_that_is_a_mount_itself(script: Path) -> None:
    """As containers are given single files."""
    inside = script.with_name("inside.sh")
    inside.touch()
    mount("--bind", str(script), str(inside))
    try:
        with pytest.raises(NotWritten, match="as a mount does"):
            replace(inside)
        assert inside.read_bytes() == script.read_bytes() == OLD
        assert names(script.parent) == ["inside.sh", "job.sh"]
    finally:
        subprocess.run(["umount", str(inside)], check=True)

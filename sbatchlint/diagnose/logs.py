"""The logs of a job as bytes: files, folders, patterns, gzip and standard input, piece by piece."""

from __future__ import annotations

import glob
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import BinaryIO

from sbatchlint.files import open_bytes
from sbatchlint.regex import regex

PIECE = 2 << 20
"""How many bytes are read at a time."""
STDIN = "-"
_MAGIC = b"\x1f\x8b"
_LAYERS = 3
"""How often something may be packed within itself."""
_INSIDE = b"\x1f\x8b\x08"
_OTHER_PACKERS = (
    (regex(rb"\xfd7zXZ\0"), "xzcat"),
    (regex(rb"\x28\xb5\x2f\xfd"), "zstdcat"),
    (regex(rb"BZh[1-9]1AY&SY"), "bzcat"),
    (regex(rb"PK\x03\x04[\s\S]{20}"), "unzip -p"),
    (regex(_INSIDE), "zcat"),
)
_ENDINGS = (".log", ".out", ".err", ".txt", ".output")
Tell = Callable[[str, str], None]
"""Takes a path and what is to be said of it."""


class PackedError(OSError):
    """A log is packed in a way that is not unpacked here; the message says what to do."""


class NoLogError(OSError):
    """There is nothing to read where the user points; the message says what to do."""


def find_logs(words: Iterable[str]) -> list[str]:
    """Return the paths that *words* stand for: files, patterns, and folders with logs; each once.

    Raises NoLogError.
    """
    found: dict[str, str] = {}
    for word in words:
        for path in _paths(word):
            found.setdefault(path if path == STDIN else os.path.realpath(path), path)
    return list(found.values())


def _paths(word: str) -> list[str]:
    if word == STDIN:
        return [word]
    if os.path.isdir(word):
        inside = _in_folder(word)
        if not inside:
            raise NoLogError(f"no log in this folder ({', '.join(_ENDINGS)} or slurm-*, also with .gz)")
        return inside
    if os.path.exists(word) or not glob.has_magic(word):
        return [word]
    matching = sorted(path for path in _matching(word) if not os.path.isdir(path))
    if not matching:
        raise NoLogError("no file matches")
    return matching


def _matching(pattern: str) -> Iterable[str]:
    """Return what *pattern* matches; below ``**`` no link to a folder is followed, as it may lead back."""
    if pattern == "**" or pattern.endswith("/**"):
        pattern += "/*"
    head, deep, tail = pattern.partition("**/")
    if not deep or (head and not head.endswith("/")):
        return glob.glob(pattern)
    tops = [os.path.join(top, "") for top in (glob.glob(head) if head else [os.curdir])]
    seen = ((place, place[len(top) :]) for top in tops for place, _ in _folders(top))
    places = [place if head else below for place, below in seen if "/." not in f"/{below}"]
    return {found for place in places for found in _matching(glob.escape(place) + tail)}


def _in_folder(folder: str) -> list[str]:
    return sorted(
        place + name
        for place, names in _folders(folder)
        for name in names
        if _is_log(name) and os.path.isfile(place + name)
    )


def _folders(top: str) -> Iterator[tuple[str, list[str]]]:
    """Yield *top* and all folders below it, which end in a slash, with the names of what is no folder there.

    They may be nested deeper than Python can call itself.  What can't be looked into is left out.
    """
    waiting = [os.path.join(top, "")]
    while waiting:
        place = waiting.pop()
        try:
            with os.scandir(place) as listing:
                entries = list(listing)
        except OSError:
            continue
        waiting += [os.path.join(entry.path, "") for entry in entries if entry.is_dir(follow_symlinks=False)]
        yield place, [entry.name for entry in entries if not entry.is_dir(follow_symlinks=False)]


def _is_log(name: str) -> bool:
    bare = name.removesuffix(".gz")
    return bare.endswith(_ENDINGS) or bare.startswith("slurm-")


def read_pieces(
    stream: BinaryIO, name: str, tell: Tell, progress: Callable[[int], None] | None = None, size: int = PIECE
) -> Iterator[bytes]:
    """Yield what *stream* holds, unpacked where it is gzip, in pieces of at most about *size* bytes.

    *progress* is told how many bytes of the stream were read.  A packed file that breaks off gives what
    could be read of it, and *tell* hears of it.  Raises OSError where the stream can't be read.
    """
    first = stream.read(size) or b""
    pieces: Iterator[bytes] = _counted(first, stream, progress, size)
    magic = _MAGIC
    for _ in range(_LAYERS):
        if not first.startswith(magic):
            break
        pieces = _unpacked(pieces, name, tell, size)
        first = next(pieces, b"")
        pieces = chain([first], pieces)
        magic = _INSIDE
    packed = next((tool for form, tool in _OTHER_PACKERS if form.match(first)), None)
    if packed is not None:
        raise PackedError(f"it is packed; give what {packed} makes of it")
    yield from (piece for piece in pieces if piece)


def _counted(
    first: bytes, stream: BinaryIO, progress: Callable[[int], None] | None, size: int
) -> Iterator[bytes]:
    piece = first
    while piece:
        if progress is not None:
            progress(len(piece))
        yield piece
        piece = stream.read(size)


def _unpacked(pieces: Iterable[bytes], name: str, tell: Tell, size: int) -> Iterator[bytes]:
    """Unpack gzip, of which several may stand one behind the other."""
    unpacker = zlib.decompressobj(wbits=31)
    try:
        for piece in pieces:
            rest = piece
            while rest:
                if unpacker.eof:
                    rest = rest.lstrip(b"\0")  # padding of a tape or block device
                    if not rest:
                        break
                    unpacker = zlib.decompressobj(wbits=31)
                text = unpacker.decompress(rest, size)
                rest = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
                if text:
                    yield text
    except zlib.error as error:
        tell(name, f"the packed file is damaged ({error}); what could be unpacked of it counts")
        return
    if not unpacker.eof:
        tell(name, "the packed file breaks off; what could be unpacked of it counts")


def open_log(path: str, standard_input: BinaryIO) -> BinaryIO:
    """Open the log at *path*.  Raises OSError."""
    if path == STDIN:
        return standard_input
    if os.path.isdir(path):
        raise IsADirectoryError(21, "is a folder")
    return open_bytes(path, buffering=0)

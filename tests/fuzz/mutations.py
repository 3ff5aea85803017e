"""Changing bytes at random as editors, merges, downloads and worse change files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

_TOKENS = re.compile(rb"\s+|[\w./=-]+|.", re.DOTALL)
ODD = (
    b"\0", b"\r", b"\r\n", b"\n\r", b"\x0b", b"\x0c", b"\x1b[31m", b"\x1b]0;x\x07", b"\x7f", b"\t",
    b"\xc2\x85", b"\xc2\xa0", b"\xe2\x80\xa8", b"\xe2\x80\xa9", b"\xef\xbb\xbf", b"\xe2\x80\x94",
    b"\xe2\x80\x9c", b"\xed\xa0\x80", b"\xed\xb3\xbf", b"\xff", b"\x80", b"\xc3", b"\xf0\x9f\x98\x80",
    b"\xd9\xa3", b"\xe2\x80\xae", b"'", b'"', b"`", b"\\", b"\\\n", b"$", b"$(", b"${", b"$((", b"))",
    b"(", b")", b"{", b"}", b"[[", b"<<E\n", b"#", b"#SBATCH ", b"\n#SBATCH --", b"&", b"|", b";", b";;",
    b"<(", b"<<<", b"2>&1", b"=(", b"!", b"*", b"~", b"if ", b"then ", b"fi\n", b"for ", b"do ",
    b"done\n", b"case ", b"esac\n", b"function ", b"() {\n", b"in ", b"srun ", b"torchrun ", b"bash -c ",
    b"eval ", b"source ", b"set -eu\n", b"export ", b"exit\n", b"trap ", b"0", b"-1",
    b"18446744073709551616", b"1" * 25, b"9" * 5000, b"0x", b"1e999", b"nan", b"%", b"%s", b"{0}",
)  # fmt: skip
"""What editors, keyboards and other systems leave in files, and what opens or closes something in a shell."""


def mutated(data: bytes, chance: Random, most: int = 16_384) -> bytes:
    """Return *data* changed in one to four ways, and at most *most* bytes of it."""
    for _ in range(chance.choice((1, 1, 2, 3, 4))):
        data = chance.choice(_WAYS)(data, chance)
    return data[:most]


def _cut(data: bytes, chance: Random) -> bytes:
    start, end = _range(data, chance)
    return data[:start] + data[end:]


def _end_early(data: bytes, chance: Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _repeat(data: bytes, chance: Random) -> bytes:
    start, end = _range(data, chance)
    return data[:end] + data[start:end] * chance.choice((1, 1, 2, 50)) + data[end:]


def _insert(data: bytes, chance: Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice(ODD) * chance.choice((1, 1, 1, 2, 200)) + data[at:]


def _flip(data: bytes, chance: Random) -> bytes:
    if not data:
        return data
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def _lengthen(data: bytes, chance: Random) -> bytes:
    """Make one word very long."""
    words = list(re.finditer(rb"\S+", data))
    if not words:
        return data
    word = chance.choice(words)
    return data[: word.end()] + word[0][-1:] * chance.choice((300, 5000)) + data[word.end() :]


def _swap_lines(data: bytes, chance: Random) -> bytes:
    return b"".join(_swapped(data.splitlines(keepends=True), chance))


def _swap_tokens(data: bytes, chance: Random) -> bytes:
    return b"".join(_swapped(_TOKENS.findall(data), chance))


def _line_twice(data: bytes, chance: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if lines:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(lines))
    return b"".join(lines)


def _without_a_quote(data: bytes, chance: Random) -> bytes:
    places = [match.start() for match in re.finditer(rb"[\"'`(){}\[\]\\]", data)]
    if not places:
        return data
    at = chance.choice(places)
    return data[:at] + data[at + 1 :]


def _windows(data: bytes, _chance: Random) -> bytes:
    return data.replace(b"\n", b"\r\n")


def _swapped(pieces: Sequence[bytes], chance: Random) -> list[bytes]:
    found = list(pieces)
    if len(found) > 1:
        one, other = chance.randrange(len(found)), chance.randrange(len(found))
        found[one], found[other] = found[other], found[one]
    return found


def _range(data: bytes, chance: Random) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 1, 2, 5, 20, 200)))


_WAYS: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(_cut, _cut, _end_early, _repeat, _insert, _insert, _insert, _flip, _lengthen),
    *(_swap_lines, _swap_tokens, _swap_tokens, _line_twice, _without_a_quote, _without_a_quote, _windows),
)

"""Made-up tokens of the right shape, for documentation examples and tests.

No real-looking token may stand in a file of this project or of a rule package.  Examples write
``{{token:huggingface}}`` instead, and :func:`fill_tokens` puts a random token there when they are checked.
"""

from __future__ import annotations

import random

from sbatchlint.regex import regex
from sbatchlint.secrets.checksum import CHECKSUM_LENGTH, base62_crc32
from sbatchlint.secrets.patterns import Format, formats, is_random, named
from sbatchlint.secrets.shape import Part

_MARK = regex(r"\{\{token:(?P<provider>[a-z0-9-]+)\}\}")


def fill_tokens(text: str) -> str:
    """Replace each ``{{token:PROVIDER}}`` in *text* by a made-up token.

    A provider's mark gives the same token everywhere, so a bad example that is fixed can be compared
    with the good one.  Raises ValueError, naming the provider, where none of that name has a format.
    """
    return _MARK.sub(lambda mark: fake_token(mark["provider"], random.Random(mark.group())), text)


def fake_token(provider: str, generator: random.Random) -> str:
    """Return a random token of the first format of *provider*; ValueError when it has none."""
    for form in formats():
        if form.provider == provider:
            return fake_of(form, generator)
    for shape in named():
        if shape.provider == provider:
            return _random_body(shape.parts, generator)
    raise ValueError(f"no token format is known for {provider!r}")


def fake_of(form: Format, generator: random.Random) -> str:
    """Return a random token of this very format, its checksum right."""
    body = _random_body(form.parts, generator)
    if form.checksum:
        start = body[:-CHECKSUM_LENGTH]
        body = start + base62_crc32(start)
    return form.prefix + body


def _random_body(parts: tuple[Part, ...], generator: random.Random) -> str:
    while True:
        body = "".join(
            part
            if isinstance(part, str)
            else "".join(generator.choices(part.alphabet, k=generator.randint(part.least, part.longest)))
            for part in parts
        )
        if is_random(body, parts):
            return body

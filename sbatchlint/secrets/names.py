"""What the name of a variable, option or key says about its value."""

from __future__ import annotations

from enum import Enum
from functools import cache

from sbatchlint.regex import regex
from sbatchlint.secrets.providers import PROVIDER_OF_WORD

_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_PASSWORDS = frozenset({"password", "passwd", "passphrase", "passcode", "pwd"})
_ALWAYS = frozenset(
    {"secret", "apikey", "authtoken", "accesstoken", "apitoken", "hftoken", "credential", "credentials"}
)
_KEY_OF = frozenset(
    {"access", "account", "api", "app", "application", "auth", "client", "credential", "encryption"}
    | {"license", "private", "secret", "service", "signing", "storage", "user"}
)
_OTHER_KEYS = frozenset(
    {"clearml", "fireworks", "openrouter", "runpod", "swanlab", "tavily", "serper", "modelscope"}
)
_OF_LANGUAGE_MODELS = frozenset(
    {
        "tokenizer",
        "tokenizers",
        "pad",
        "eos",
        "bos",
        "unk",
        "mask",
        "sep",
        "cls",
        "special",
        "max",
        "min",
        "num",
    }
    | {"stop", "image", "video", "audio", "end", "start", "begin", "prompt", "new", "per", "input", "output"}
    | {"vocab", "think", "next", "last", "first", "extra", "separator"}
)
_OF_NO_SECRET = frozenset(
    {"public", "pub", "hash", "digest", "sha", "checksum", "fingerprint", "cache", "idempotency", "sort"}
    | {"partition", "column", "rendezvous", "rdzv"}
)
_NEVER = _OF_LANGUAGE_MODELS | _OF_NO_SECRET
_OF_PLACES = frozenset({"file", "path", "dir", "folder", "name", "id", "type"})
_STRONG = frozenset({"secret", "api", "access", "auth", "apikey"})


class Says(Enum):
    """What a name promises of its value."""

    NOTHING = "nothing"
    SECRET = "secret"
    PASSWORD = "password"


def words_of(name: str) -> tuple[str, ...]:
    """Split *name* into small-letter words, at separators and at capitals: ``accountKey`` gives two."""
    return tuple(word.lower() for word in _WORD.findall(name))


def what_says(words: tuple[str, ...]) -> Says:
    """Tell what a name of these words promises; numbers at its end (``HF_TOKEN_2``) do not count."""
    while words and words[-1].isdigit():
        words = words[:-1]
    if not words or not _NEVER.isdisjoint(words):
        return Says.NOTHING
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    if last in _PASSWORDS:
        return Says.PASSWORD if before or last != "pwd" else Says.NOTHING
    if last in _ALWAYS or last == "token" or (last == "pat" and before in PROVIDER_OF_WORD):
        return Says.SECRET
    if last == "key" and (before in _KEY_OF or before in PROVIDER_OF_WORD or before in _OTHER_KEYS):
        return Says.SECRET
    return Says.NOTHING


@cache
def is_secret_name(name: str) -> bool:
    """Tell whether a variable of this name holds a secret itself, and not the place or the kind of one."""
    words = words_of(name)
    return what_says(words) is not Says.NOTHING and _OF_PLACES.isdisjoint(words)


def says_strongly(words: tuple[str, ...]) -> bool:
    """Tell whether even an identifier such as a UUID is a secret under this name."""
    return not _STRONG.isdisjoint(words)


def provider_of(words: tuple[str, ...]) -> str:
    """Return the provider that a word names, or ``generic``."""
    return next((PROVIDER_OF_WORD[word] for word in words if word in PROVIDER_OF_WORD), "generic")

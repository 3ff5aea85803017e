"""Values that stand where a secret will be, or that are no secret at all."""

from __future__ import annotations

import re

from sbatchlint.regex import regex

_WORDS = (
    "placeholder|credentials|credential|authorization|application|anonymous|huggingface|changeme|"
    "password|passphrase|personal|redacted|deadbeef|cafebabe|internal|abcdefgh|username|"
    "replace|example|passwd|invalid|removed|missing|unknown|default|private|service|project|"
    "account|generate|provide|dummy|wandb|token|value|access|secret|insert|openai|github|"
    "gitlab|hidden|sample|random|string|change|foobar|public|hugging|masked|"
    "admin|guest|paste|apikey|enter|write|place|valid|actual|"
    "your|here|fake|test|with|this|that|mine|none|null|todo|fill|must|user|name|code|qwerty|"
    "pass|root|demo|mock|null|true|false|empty|secure|hello|world|login|auth|face|"
    "key|own|api|the|set|put|add|foo|bar|baz|not|get|use|xxx|aaa|abc|pwd|my"
)
_WORD = regex(_WORDS, re.IGNORECASE)
_REPEATED = regex(r"(.)\1{3,}", re.DOTALL)
_TEMPLATE = regex(r"<.*>|\[.*\]|\{.*\}|%.*%|@.*@|__.*__", re.DOTALL)
_ELLIPSIS = regex(r"\.\.\.|\u2026|\*\*\*|###|\?\?\?")
_REFERENCE = regex(
    r"[~.]{0,2}/|[A-Za-z][A-Za-z0-9+.-]{0,15}://|sha256:|sha512:|file:|\$|`|@/|env:|op:|vault:",
    re.IGNORECASE,
)
_FILE_NAME = regex(
    r"[^=]*\.(?:txt|json|ya?ml|toml|cfg|conf|ini|env|sh|py|pem|key|crt|cer|pub|netrc|token|secret|log|sqsh|sif|"
    r"jsonl|parquet|bin|model|pt|pth|safetensors|csv|gz|tar|zip|out|err|slurm|sbatch)",
    re.IGNORECASE,
)
_NUMBER = regex(r"[-+]?[0-9][0-9_.,:eE+-]*")
_COVERED = 0.45
"""Share of a value that words or a counting-up sequence must cover; random text stays far below."""


def is_placeholder(value: str) -> bool:
    """Tell whether *value* is text that a person is meant to replace, or an example of the vendor's."""
    if len(set(value)) < 4 or _TEMPLATE.fullmatch(value) or _ELLIPSIS.search(value):
        return True
    if value.upper().removesuffix("KEY").endswith("EXAMPLE"):
        return True
    dull = max(_covered(_REPEATED, value), _covered(_WORD, value), _counting(value))
    return dull >= _COVERED * len(value) or _is_periodic(value)


def is_reference(value: str) -> bool:
    """Tell whether *value* names a place or a thing: a path, URL, file, digest, variable or number."""
    return bool(
        "$" in value or _REFERENCE.match(value) or _FILE_NAME.fullmatch(value) or _NUMBER.fullmatch(value)
    )


def _covered(pattern: re.Pattern[str], value: str) -> int:
    return sum(match.end() - match.start() for match in pattern.finditer(value))


def _counting(value: str) -> int:
    """Count the characters in stretches of four and more that count up or down: ``1234``, ``fedcba``."""
    total, start, step = 0, 0, 0
    codes = [ord(char) for char in value.lower().replace("90", "9:")]
    for index in range(1, len(codes) + 1):
        now = codes[index] - codes[index - 1] if index < len(codes) else 0
        if now in (1, -1) and step in (0, now):
            step = now
            continue
        if index - start >= 4:
            total += index - start
        start, step = index, 0
    return total


def _is_periodic(value: str) -> bool:
    """Tell whether *value* is one short piece written three times or more."""
    period = (value + value).find(value, 1)
    return period * 3 <= len(value)

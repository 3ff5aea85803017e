"""Secrets that their surroundings give away: URLs, headers, key blocks, login commands."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from sbatchlint.certainty import Certainty
from sbatchlint.regex import regex
from sbatchlint.secrets.folding import folded
from sbatchlint.secrets.judge import Verdict, judge_named, looks_like_password, looks_like_token
from sbatchlint.secrets.placeholder import is_placeholder, is_reference
from sbatchlint.secrets.randomness import entropy
from sbatchlint.secrets.secret import Kind
from sbatchlint.source import Span

_URL_AUTHORITY = regex(
    r"(?:[^\s/@:\"'`<>{}()\\,;|]{0,128}:(?P<password>[^\s/@\"'`<>{}()\\]{1,256})"
    r"|(?P<user>[^\s/@:\"'`<>{}()\\,;|]{16,256}))@[A-Za-z0-9\[$]"
)
_SIGNATURE = regex(r"(?<=[?&])sig=(?P<value>[A-Za-z0-9%+/]{40,90}=?)")
_BEARER = regex(r"(?<![A-Za-z0-9])Bearer[ ]{1,4}(?P<value>[A-Za-z0-9._~+/=-]{16,2048})", re.IGNORECASE)
_BASIC = regex(r"(?<![A-Za-z0-9])Basic[ ]{1,4}(?P<value>[A-Za-z0-9+/=]{12,512})", re.IGNORECASE)
_REGISTRY_AUTH = regex(r"\"auth\\?\"[ \t]{0,4}:[ \t]{0,4}\\?\"(?P<value>[A-Za-z0-9+/=]{12,1024})\\?\"")
_JWT = regex(
    r"(?<![A-Za-z0-9_-])(?P<header>eyJ[A-Za-z0-9_-]{10,})\.(?P<payload>eyJ[A-Za-z0-9_-]{10,})\.[A-Za-z0-9_-]{16,}"
)
_KEY_BEGIN = regex(r"-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_END = "-----END "
_KEY_MATERIAL = regex(r"[A-Za-z0-9+/=]{40,80}")
_LONGEST_KEY = 16_384
_WANDB_LOGIN = regex(
    r"wandb[ .]login\b[^\n|;]{0,120}?(?<![0-9A-Za-z])(?P<value>(?:local-)?[0-9a-f]{40})(?![0-9a-z])"
)
_NETRC = regex(
    r"machine\s{1,8}(?P<host>[^\s]{1,120})\s{1,8}login\s{1,8}[^\s]{1,80}\s{1,8}password\s{1,8}"
    r"(?P<value>[^\s\"'\\]{1,256})"
)
_CURL_USER = regex(
    r"curl\b[^\n|;]{0,200}?\s(?:-u|--user)[ =]{1,4}[\"']?[^\s\"':$]{1,64}:(?P<value>[^\s\"'$]{1,128})"
)
_LOGIN_PASSWORD = regex(
    r"(?:(?:docker|podman|apptainer|singularity|oras|helm)(?: registry)? login\b[^\n|;]{0,120}?|sshpass)"
    r"\s-p[ ]{0,4}[\"']?(?P<value>[^\s\"']{1,128})"
)


class Hit(NamedTuple):
    """A secret's place and what it is."""

    span: Span
    verdict: Verdict


def _of_users_in_urls(text: str) -> Iterator[tuple[str, Span]]:
    """Yield what stands before the ``@`` of URLs: a ``password``, or a ``user`` that has none."""
    start = text.find("://")
    while start >= 0:
        match = _URL_AUTHORITY.match(text, start + 3)
        if match is not None:
            group = "password" if match["password"] else "user"
            yield group, Span(*match.span(group))
        start = text.find("://", start + 3)


def passwords_in_urls(text: str) -> Iterator[Span]:
    """Yield whatever stands in the place of a password in URLs."""
    return (span for group, span in _of_users_in_urls(text) if group == "password")


def in_urls(text: str) -> Iterator[Hit]:
    """Yield passwords and tokens before the ``@`` of URLs, and the signatures of Azure's SAS URLs."""
    for group, span in _of_users_in_urls(text):
        if _is_url_secret(group, text[span.start : span.end]):
            yield Hit(span, Verdict(Kind.URL, "url", Certainty.ASSUMED))
    for match in _SIGNATURE.finditer(text) if "sig=" in text else ():
        if looks_like_token(match["value"].replace("%", "")):
            yield Hit(Span(*match.span("value")), Verdict(Kind.URL, "azure", Certainty.KNOWN))


def _is_url_secret(group: str, value: str) -> bool:
    return looks_like_token(value) or (group == "password" and looks_like_password(value))


def in_headers(text: str) -> Iterator[Hit]:
    """Yield what follows ``Bearer`` and ``Basic``, and the ``auth`` of a registry's configuration."""
    small = folded(text)
    for match in _BEARER.finditer(text) if "bearer" in small else ():
        if looks_like_token(match["value"].rstrip(".")):
            yield Hit(Span(*match.span("value")), Verdict(Kind.HEADER, "generic", Certainty.ASSUMED))
    for match in _BASIC.finditer(text) if "basic" in small else ():
        if _is_user_and_password(match["value"]):
            yield Hit(Span(*match.span("value")), Verdict(Kind.HEADER, "generic", Certainty.ASSUMED))
    for match in _REGISTRY_AUTH.finditer(text):
        if _is_user_and_password(match["value"]):
            yield Hit(Span(*match.span("value")), Verdict(Kind.NAMED, "docker", Certainty.KNOWN))


def in_commands(text: str) -> Iterator[Hit]:
    """Yield the secrets given to login commands and written in ``.netrc`` lines."""
    for match in _WANDB_LOGIN.finditer(text):
        verdict = judge_named("WANDB_API_KEY", match["value"])
        if verdict is not None:
            yield Hit(Span(*match.span("value")), verdict)
    for match in _NETRC.finditer(text):
        name = "WANDB_API_KEY" if "wandb" in match["host"] else "NETRC_PASSWORD"
        verdict = judge_named(name, match["value"])
        if verdict is not None:
            yield Hit(Span(*match.span("value")), verdict)
    logs_in = "login" in text or "sshpass" in text
    for pattern, provider in ((_CURL_USER, "generic"), (_LOGIN_PASSWORD, "docker")):
        for match in pattern.finditer(text) if logs_in or pattern is _CURL_USER else ():
            value = match["value"]
            if "$" not in value and (looks_like_password(value) or looks_like_token(value)):
                yield Hit(Span(*match.span("value")), Verdict(Kind.HEADER, provider, Certainty.ASSUMED))


def web_tokens(text: str) -> Iterator[Hit]:
    """Yield JSON Web Tokens whose first part says which algorithm signed them."""
    for match in _JWT.finditer(text) if "eyJ" in text else ():
        header, payload = _decoded(match["header"]), _decoded(match["payload"])
        if _has_algorithm(header) and b"John Doe" not in payload:
            yield Hit(Span(*match.span()), Verdict(Kind.FORMAT, "jwt", Certainty.KNOWN))


def private_keys(text: str) -> Iterator[Hit]:
    """Yield PEM private keys, from the first line to the last."""
    position = 0
    while (begin := _KEY_BEGIN.search(text, position)) is not None:
        position = begin.end()
        material = _KEY_MATERIAL.search(text, position, position + 600)
        if material is None or entropy(material.group()) < 3.0 or is_placeholder(material.group()):
            continue
        end = text.find(_KEY_END, material.end(), material.end() + _LONGEST_KEY)
        position = end if end >= 0 else material.end()
        yield Hit(Span(begin.start(), position), Verdict(Kind.PRIVATE_KEY, "private-key", Certainty.KNOWN))


def _is_user_and_password(encoded: str) -> bool:
    user, colon, password = _decoded(encoded).partition(b":")
    text = password.decode("ascii", "replace")
    return bool(user and colon and text.isprintable() and len(text) >= 6 and "\ufffd" not in text) and not (
        is_placeholder(text) or is_reference(text)
    )


def _decoded(encoded: str) -> bytes:
    """Return the bytes of base64 text of either alphabet; nothing where it is none."""
    body = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return b""


def _has_algorithm(header: bytes) -> bool:
    try:
        decoded = json.loads(header)
    except ValueError:
        return False
    return isinstance(decoded, dict) and "alg" in decoded

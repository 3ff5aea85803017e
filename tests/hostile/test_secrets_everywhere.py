"""Secrets, wherever they stand, are in nothing that any command says, writes or keeps."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from sbatchlint.secrets.fake import fake_token
from tests.hostile.places import HEAD, WRONG, Words, job, put
from tests.hostile.running import run
from tests.hostile.scenes import SCENES

_PROVIDERS = ("huggingface", "wandb", "github", "openai", "aws")
_PUBLIC = (
    "command line of ours",  # what somebody types, or calls a file, is repeated where it is wrong
    "names of files and folders",
    "configuration: plugin",  # the name of a package
    "configuration: policy expression",  # names of variables, which are told one by one
    "slurm.conf",  # names that a site gives, which have to come out as they are
    "saved outputs",
    "cluster profile",
)
"""Where a token would be no secret any more."""
_SECRET = [name for name in SCENES if name not in _PUBLIC]


def _tokens() -> Iterator[str]:
    generator = random.Random(7)
    for provider in _PROVIDERS:
        try:
            yield fake_token(provider, generator)
        except ValueError:
            continue


TOKENS = tuple(_tokens())


def _pieces(token: str) -> Iterator[str]:
    """Yield what may not be shown of *token*: each piece that is long enough to be of use."""
    yield from (token[start : start + 14] for start in range(max(1, len(token) - 13)))


def _shown(output: bytes, token: str) -> bool:
    text = output.decode("utf-8", "replace")
    return any(piece in text for piece in _pieces(token))


def _runs(scene: str, share: float) -> Iterator[tuple[str, Words]]:
    chance = random.Random(scene)
    for token in TOKENS:
        for words in SCENES[scene].commands(token):
            if chance.random() < share:
                yield token, words


def _leaks(scene: str, tmp_path: Path, share: float) -> list[str]:
    leaks = []
    for token, words in _runs(scene, share):
        place = tmp_path / token[-8:]
        if not place.exists():
            place.mkdir()
            SCENES[scene].make(place, token)
        data = (place / "job.sh").read_bytes() if (place / "job.sh").exists() else b""
        done = run(place, *words, stdin=data)
        leaks += [f"{words}"] if _shown(done.both, token) else []
    return leaks


@pytest.mark.parametrize("scene", _SECRET)
def test_no_output_shows_a_token(scene: str, tmp_path: Path) -> None:
    assert _leaks(scene, tmp_path, share=0.06) == []


@pytest.mark.slow
@pytest.mark.parametrize("scene", _SECRET)
def test_no_output_of_any_command_shows_a_token(scene: str, tmp_path: Path) -> None:
    assert _leaks(scene, tmp_path, share=1.0) == []


def _random(letters: int) -> str:
    chance = random.Random(letters)
    return "".join(chance.choices("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789", k=letters))


PASSWORD, KEY, HEADER = _random(15), _random(40), _random(26)
SECRETS = {
    "password of an address": ("https://me:" + PASSWORD + "@x.example/r.git", PASSWORD),
    "named": ("DB_" + "PASSWORD=" + PASSWORD, PASSWORD),
    "key of AWS": ("AWS_SECRET_" + "ACCESS_KEY=" + KEY, KEY),
    "header": ("curl -H 'Authorization: Bearer " + HEADER + "'", HEADER),
}


@pytest.mark.parametrize("name", SECRETS)
@pytest.mark.parametrize("place", ["script", "sourced"])
def test_secrets_of_other_kinds(folder: Path, name: str, place: str) -> None:
    text, secret = SECRETS[name]
    line = f"export {text}\n" if "=" in text.split(" ")[0] else f"URL='{text}'\n{text}\n"
    use = "srun python a.py --x $DB_PASSWORD --y $AWS_SECRET_ACCESS_KEY --z $URL\n"
    use += "srun --container-image=$URL x\n"
    put(folder / "env.sh", line if place == "sourced" else "A=1\n")
    job(folder, f"source ./env.sh\n{line if place == 'script' else ''}{use}")
    for words in [*SCENES["directive"].commands(""), ("check", "-v", "--fix", "job.sh")]:
        assert not _shown(run(folder, *words).both, secret), words


def test_nothing_that_is_kept_holds_a_token(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = folder.parent / "cache"
    monkeypatch.setenv("SBATCHLINT_CACHE_DIR", str(cache))
    put(folder / "plain.sh", HEAD + WRONG)  # of which something is kept
    for number, token in enumerate(TOKENS):
        put(folder / f"a{number}.sh", HEAD + WRONG + f"export X_TOKEN={token}\nsrun --nodse={token} x\n")
        put(folder / f"env{number}.sh", f"export Y='{token}'\n")
        put(folder / f"b{number}.sh", HEAD + WRONG + f"source env{number}.sh\nsrun --nodse=$Y python $Y\n")
    for words in (
        ("check", "."),
        ("check", "--jobs", "2", "."),
        ("check", "--write-baseline", "b.json", "."),
    ):
        run(folder, *words)
    kept = [path for path in (*cache.rglob("*"), folder / "b.json") if path.is_file()]
    assert folder / "b.json" in kept and len(kept) > 1
    for path in kept:
        for token in TOKENS:
            assert not _shown(path.read_bytes(), token), path


def test_there_are_tokens() -> None:
    assert len(TOKENS) >= 4

"""Tokens that must be found.  They are made here, from shapes written down apart from the package's table."""

from __future__ import annotations

import base64
import json
import random
import string
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sbatchlint.secrets import Kind, Secret, find_secrets
from sbatchlint.source import Source

ALNUM = string.ascii_letters + string.digits
URLSAFE = ALNUM + "-_"
HEX = "0123456789abcdef"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def text_of(alphabet: str, length: int, generator: random.Random) -> str:
    return "".join(generator.choice(alphabet) for _ in range(length))


def with_checksum(body: str) -> str:
    """Write the CRC-32 as a number in base 62, the way schools teach it."""
    number, digits = crc32(body.encode()), ""
    while number:
        digits = BASE62[number % 62] + digits
        number //= 62
    return body + digits.rjust(6, "0")


FORMATS = [
    ("huggingface", "hf_", ALNUM, 34),
    ("huggingface", "api_org_", string.ascii_letters, 34),
    ("gitlab", "glpat-", URLSAFE, 20),
    ("openrouter", "sk-or-v1-", HEX, 64),
    ("deepseek", "sk-", HEX, 32),
    ("aws", "AKIA", string.ascii_uppercase + "234567", 16),
    ("aws", "ASIA", string.ascii_uppercase + "234567", 16),
    ("google", "AIza", URLSAFE, 35),
    ("nvidia", "nvapi-", URLSAFE, 64),
    ("pypi", "pypi-AgEIcHlwaS5vcmc", URLSAFE, 140),
    ("databricks", "dapi", HEX, 32),
    ("replicate", "r8_", ALNUM, 37),
    ("groq", "gsk_", ALNUM, 52),
    ("xai", "xai-", ALNUM, 80),
    ("perplexity", "pplx-", ALNUM, 48),
    ("neptune", "eyJhcGlfYWRkcmVzcyI6", ALNUM, 120),
    ("vault", "hvs.", URLSAFE, 95),
    ("kaggle", "KGAT_", HEX, 32),
    ("slack", "xoxb-123456789012-", ALNUM, 24),
    ("slack", "https://hooks.slack.com/services/T0AB1CD2EF/B0GH3IJ4KL/", ALNUM, 24),
    ("discord", "https://discord.com/api/webhooks/123456789012345678/", URLSAFE, 68),
    ("telegram", "https://api.telegram.org/bot123456789:", URLSAFE, 35),
]
NAMED = [
    ("wandb", "WANDB_API_KEY", HEX, 40, ""),
    ("aws", "AWS_SECRET_ACCESS_KEY", ALNUM + "+/", 40, ""),
    ("azure", "AZURE_STORAGE_KEY", ALNUM + "+/", 86, "=="),
    ("azure", "AZURE_OPENAI_API_KEY", HEX, 32, ""),
    ("nvidia", "NGC_API_KEY", ALNUM, 84, ""),
    ("comet", "COMET_API_KEY", ALNUM, 25, ""),
    ("cohere", "COHERE_API_KEY", ALNUM, 40, ""),
    ("mistral", "MISTRAL_API_KEY", ALNUM, 32, ""),
    ("together", "TOGETHER_API_KEY", HEX, 64, ""),
    ("kaggle", "KAGGLE_KEY", HEX, 32, ""),
]
SEEDS = st.integers(min_value=0, max_value=2**32)


def secrets_in(text: str) -> tuple[Secret, ...]:
    return find_secrets(Source.from_text(text))


def the_secret(text: str) -> Secret:
    found = secrets_in(text)
    assert len(found) == 1, f"{len(found)} secrets found"
    return found[0]


def github(prefix: str, seed: int = 1) -> str:
    return prefix + with_checksum(text_of(ALNUM, 30, random.Random(seed)))


def hugging_face(seed: int = 1) -> str:
    return "hf_" + text_of(ALNUM, 34, random.Random(seed))


@pytest.mark.parametrize(("provider", "prefix", "alphabet", "length"), FORMATS)
@settings(derandomize=True)
@given(seed=SEEDS)
def test_formats_are_found_with_no_name_beside_them(
    provider: str, prefix: str, alphabet: str, length: int, seed: int
) -> None:
    token = prefix + text_of(alphabet, length, random.Random(seed)).strip("-")
    token += "a" * (len(prefix) + length - len(token))
    secret = the_secret(f'echo "{token}" >> out\n')
    assert (secret.provider, secret.kind, secret.is_certain) == (provider, Kind.FORMAT, True)
    assert f'echo "{token}" >> out'[secret.span.start : secret.span.end] == token.removeprefix("https://")


@pytest.mark.parametrize(("provider", "name", "alphabet", "length", "padding"), NAMED)
@settings(derandomize=True)
@given(seed=SEEDS)
def test_values_without_prefix_are_found_by_name(
    provider: str, name: str, alphabet: str, length: int, padding: str, seed: int
) -> None:
    token = text_of(alphabet, length, random.Random(seed)) + padding
    secret = the_secret(f"export {name}={token}\n")
    assert (secret.provider, secret.name, secret.is_certain) == (provider, name, True)
    assert secret.kind is Kind.NAMED
    assert not secrets_in(f"export COMMIT={token}\n")


@pytest.mark.parametrize("prefix", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_"])
@settings(derandomize=True)
@given(seed=SEEDS)
def test_a_valid_checksum_makes_certain_and_a_wrong_one_does_not(prefix: str, seed: int) -> None:
    token = github(prefix, seed)
    assert the_secret(f"git clone {token}").is_certain
    wrong = token[:-1] + ("a" if token[-1] != "a" else "b")
    assert not the_secret(f"git clone {wrong}").is_certain


def test_tokens_of_several_runs() -> None:
    pick = random.Random(7)
    openai = f"sk-proj-{text_of(URLSAFE, 74, pick)}T3BlbkFJ{text_of(URLSAFE, 73, pick)}x"
    old_openai = f"sk-{text_of(ALNUM, 20, pick)}T3BlbkFJ{text_of(ALNUM, 20, pick)}"
    service = f"sk-svcacct-{text_of(ALNUM, 58, pick)}T3BlbkFJ{text_of(ALNUM, 58, pick)}"
    anthropic = f"sk-ant-api03-{text_of(URLSAFE, 93, pick)}AA"
    wandb = f"wandb_v1_{text_of(ALNUM, 27, pick)}_{text_of(ALNUM, 49, pick)}"
    fine = f"github_pat_{text_of(ALNUM, 22, pick)}_{text_of(ALNUM, 59, pick)}"
    langsmith = f"lsv2_pt_{text_of(HEX, 32, pick)}_{text_of(HEX, 10, pick)}"
    script = f"{openai}\n{old_openai}\n{service}\n{anthropic}\n{wandb}\n{fine}\n{langsmith}\n"
    providers = [secret.provider for secret in secrets_in(script)]
    assert providers == ["openai", "openai", "openai", "anthropic", "wandb", "github", "langsmith"]


@pytest.mark.parametrize(
    "line",
    [
        "HF_TOKEN=@",
        'export HF_TOKEN="@"',
        "export HF_TOKEN='@'",
        "#export HF_TOKEN=@   # mine",
        'export HF_TOKEN="${HF_TOKEN:-@}"',
        ": ${HF_TOKEN:=@}",
        "srun --export=ALL,HF_TOKEN=@,FOO=1 hostname",
        "apptainer exec --env HF_TOKEN=@ image.sif true",
        "#SBATCH --export=ALL,HF_TOKEN=@",
        "setenv HF_TOKEN @",
        'os.environ["HF_TOKEN"] = "@"',
        '{"HF_TOKEN": "@"}',
        "HF_TOKEN: @",
        'CMD="$CMD HF_TOKEN=\\"@\\" python x.py"',
        "if then ((( HF_TOKEN=@",
    ],
)
def test_every_notation_gives_name_and_exact_span(line: str) -> None:
    token = hugging_face()
    text = line.replace("@", token)
    secret = the_secret(text)
    assert text[secret.span.start : secret.span.end] == token
    assert secret.name == "HF_TOKEN"
    opaque = text_of(ALNUM, 28, random.Random(3))
    secret = the_secret(line.replace("@", opaque))
    assert (secret.kind, secret.provider, secret.name) == (Kind.GENERIC, "huggingface", "HF_TOKEN")
    assert not secret.is_certain


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("huggingface-cli login --token @", "token"),
        ("python train.py --wandb-key=@", "wandb-key"),
        ("python train.py --api_key '@'", "api_key"),
        ("python train.py trainer.logger.api_key=@", "trainer.logger.api_key"),
        ("curl -H 'PRIVATE-TOKEN: @' https://git.example.org", "PRIVATE-TOKEN"),
        ("SERVICE_API_KEY_2=@", "SERVICE_API_KEY_2"),
        ("clientSecret: @", "clientSecret"),
        ("MLFLOW_TRACKING_PASSWORD=@", "MLFLOW_TRACKING_PASSWORD"),
    ],
)
def test_generic_names(line: str, name: str) -> None:
    secret = the_secret(line.replace("@", text_of(ALNUM, 30, random.Random(5))))
    assert (secret.kind, secret.name, secret.is_certain) == (Kind.GENERIC, name, False)


def test_a_chosen_password_is_found_and_a_word_is_not() -> None:
    chosen = "".join(["zX7", "!", "kw", "Q2"])
    assert the_secret(f"export DB_PASSWORD={chosen}").kind is Kind.GENERIC
    assert not secrets_in("export DB_PASSWORD=Password123")


def test_wandb_login_and_netrc() -> None:
    key = text_of(HEX, 40, random.Random(2))
    for line in (
        f"wandb login {key}",
        f"wandb login --relogin --host=https://w.example.org {key}",
        f"python -c 'import wandb; wandb.login(key=\"{key}\")'",
        f"machine api.wandb.ai\n  login user\n  password {key}",
        f"--wandb_api_key local-{key}",
    ):
        secret = the_secret(line)
        assert (secret.provider, secret.is_certain) == ("wandb", True)
    assert not secrets_in(f"git checkout {key}")


def test_passwords_in_urls_and_headers() -> None:
    pick = random.Random(11)
    password, token = text_of(ALNUM, 14, pick) + "!7a", text_of(ALNUM, 40, pick)
    basic = base64.b64encode(f"robot:{password}".encode()).decode()
    for line, kind in (
        (f"export https_proxy=http://me:{password}@proxy.example.org:3128", Kind.URL),
        (f"git clone https://{token}@git.example.org/x.git", Kind.URL),
        (f"curl -H 'Authorization: Bearer {token}' https://api.example.org", Kind.HEADER),
        (f"curl -H 'Authorization: Basic {basic}' https://api.example.org", Kind.HEADER),
        (f"curl -sS -u me:{password} https://api.example.org", Kind.HEADER),
        (f"docker login -u me -p {password} nvcr.io", Kind.HEADER),
        (f"sshpass -p '{password}' scp a b:", Kind.HEADER),
    ):
        secret = the_secret(line)
        assert (secret.kind, secret.is_certain) == (kind, False)


def test_a_token_of_known_format_in_a_url_is_named_by_its_provider() -> None:
    secret = the_secret(f"git clone https://oauth2:{github('ghp_')}@github.com/a/b.git")
    assert (secret.provider, secret.kind, secret.name) == ("github", Kind.FORMAT, "")


def test_azure_signature_and_connection_string() -> None:
    pick = random.Random(13)
    signature = text_of(ALNUM, 43, pick) + "%3D"
    url = f"https://x.blob.core.windows.net/c?sv=2024-11-04&se=2027-01-01&sr=c&sp=r&sig={signature}"
    assert the_secret(f'azcopy copy "{url}" .').provider == "azure"
    key = text_of(ALNUM + "+", 86, pick) + "=="
    connection = f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey={key};EndpointSuffix=y"
    assert the_secret(f'export AZURE_STORAGE_CONNECTION_STRING="{connection}"').provider == "azure"


def test_registry_configuration_and_web_token() -> None:
    pick = random.Random(17)
    auth = base64.b64encode(f"$oauthtoken:{text_of(ALNUM, 40, pick)}".encode()).decode()
    assert the_secret(json.dumps({"auths": {"nvcr.io": {"auth": auth}}})).provider == "docker"

    def encode(data: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")

    jwt = f"{encode({'alg': 'HS256'})}.{encode({'sub': 'robot-7'})}.{text_of(URLSAFE, 43, pick)}"
    assert the_secret(f"X={jwt}").provider == "jwt"
    assert not secrets_in(f"X={encode({'name': 'something'})}.{jwt.partition('.')[2]}")


@pytest.mark.parametrize("kind", ["", "RSA ", "OPENSSH ", "EC ", "ENCRYPTED "])
def test_private_keys(kind: str) -> None:
    pick = random.Random(19)
    head, foot = f"-----BEGIN {kind}PRIVATE KEY-----", f"-----END {kind}PRIVATE KEY-----"
    lines = [text_of(ALNUM + "+/", 64, pick) for _ in range(4)]
    secret = the_secret("\n".join(["cat > key <<EOF", head, *lines, foot, "EOF"]))
    assert (secret.kind, secret.provider) == (Kind.PRIVATE_KEY, "private-key")
    one_line = the_secret('{"private_key": "' + "\\n".join([head, *lines, foot]) + '"}')
    assert (one_line.kind, one_line.is_certain) == (Kind.PRIVATE_KEY, True)
    assert not secrets_in("\n".join([head, "...", foot]))
    assert not secrets_in(f"grep -q -e '{head}' file")


def test_one_for_each_place_in_the_order_of_the_text() -> None:
    token = hugging_face()
    found = secrets_in(
        f"export HF_TOKEN={token}\nexport HUGGING_FACE_HUB_TOKEN={token}\nhf auth login {token}\n"
    )
    assert [secret.name for secret in found] == ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", ""]
    assert [secret.span for secret in found] == sorted(secret.span for secret in found)


def test_a_secret_shows_nothing_of_its_value() -> None:
    token, other = hugging_face(1), github("ghp_", 2)
    found = secrets_in(f"TOKEN={token}\n{token}={other}\n")
    assert len(found) == 3
    shown = repr(found) + "".join(map(str, found)) + "".join(secret.title for secret in found)
    for value in (token, other):
        assert value not in shown
        assert value[3:15] not in shown


def test_positions_hold_beside_non_ascii_text_and_undecodable_bytes() -> None:
    token = hugging_face()
    source = Source.from_bytes(
        "# Schlüssel 🔑 \n".encode() + b"\xff\xfe " + f"é=1; HF_TOKEN={token}".encode(), "a.sh"
    )
    (secret,) = find_secrets(source)
    assert source.slice(secret.span) == token

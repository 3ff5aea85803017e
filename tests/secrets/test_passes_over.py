"""What is no secret and must give nothing."""

from __future__ import annotations

import random
import string
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sbatchlint.secrets import find_secrets
from sbatchlint.secrets.patterns import formats
from sbatchlint.source import Source

ALNUM = string.ascii_letters + string.digits
HEX_40 = "".join(random.Random(23).choices("0123456789abcdef", k=40))
HEX_64 = "".join(random.Random(29).choices("0123456789abcdef", k=64))
BASE64_68 = "".join(random.Random(31).choices(ALNUM + "+/", k=68))
UUID = f"{HEX_40[:8]}-{HEX_40[8:12]}-{HEX_40[12:16]}-{HEX_40[16:20]}-{HEX_40[20:32]}"

CLEAN = f"""
export HF_TOKEN=
export HF_TOKEN=""
export HF_TOKEN=<YOUR_TOKEN>
export HF_TOKEN="<your hugging face token>"
export HF_TOKEN=hf_xxxx
export HF_TOKEN=hf_{"x" * 34}
export HF_TOKEN=hf_{"X" * 34}
export HF_TOKEN=hf_your_token_here
export HF_TOKEN=hf_...
export HF_TOKEN="hf_***************************"
export HF_TOKEN=your_token_here
export HF_TOKEN=YOUR_HUGGINGFACE_TOKEN_HERE
export HF_TOKEN=insert-your-own-token-please
export HF_TOKEN={{{{ hf_token }}}}
export HF_TOKEN=__HF_TOKEN__
export HF_TOKEN=%HF_TOKEN%
export HF_TOKEN=REDACTED
export HF_TOKEN=hf_{(string.ascii_letters * 2)[:34]}
export HF_TOKEN=hf_{"1234567890" * 3}1234
export HF_TOKEN=hf_{"abc123" * 5}abc1
export HF_TOKEN=hf_{"Replace" * 4}YourTo
export HF_TOKEN=$TOKEN
export HF_TOKEN=$1
export HF_TOKEN="${{HF_TOKEN:?set it first}}"
export HF_TOKEN="${{HF_TOKEN:-}}"
export HF_TOKEN=${{HF_TOKEN:-$OTHER_TOKEN_FROM_THE_ENVIRONMENT_9aB}}
export HF_TOKEN=$(cat ~/.cache/huggingface/token)
export HF_TOKEN=`cat /run/secrets/hf`
export HF_TOKEN=/run/secrets/hf_token_9f8e7d6c5b4a
export HF_TOKEN_PATH=$HOME/.cache/huggingface/token
export HF_TOKEN=~/tokens/aB3dE5gH7jK9mN1pQ
export HF_TOKEN=file:aB3dE5gH7jK9mN1pQ2rS
export API_KEY=changeme
export API_KEY=none
export API_KEY=EMPTY
export API_KEY=true
export API_KEY=123456789012345678
export OPENAI_API_KEY=sk-{"x" * 48}
export OPENAI_API_KEY=sk-1234567890abcdef1234567890abcdef
export OPENAI_API_KEY=sk-proj-your-project-key-goes-here
export OPENAI_API_KEY=token-abc123
export WANDB_API_KEY=your_wandb_key_here
export WANDB_API_KEY={"0" * 40}
export WANDB_API_KEY={"0123456789abcdef" * 2}01234567
export WANDB_KEY=offline
export AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
export DB_PASSWORD=password
export DB_PASSWORD=Password123
export MASTER_KEY=rank0-controller-node
export CACHE_KEY={HEX_64}
export MODEL_KEY=llama3-70b-instruct-v1.5
export PUBLIC_KEY={BASE64_68}
export JOB_UUID={UUID}
export RUN_TOKEN={UUID}
export RDZV_TOKEN={UUID}
export TOKENIZERS_PARALLELISM=false
export TOKENIZER_MODEL=meta-llama/Meta-Llama-3.1-70B-Instruct
export TOKENIZER_PATH=/models/aB3dE5gH7jK9/tokenizer.model
export PAD_TOKEN='<|endoftext|>'
export EOS_TOKEN=aB3dE5gH7jK9mN1pQ2rS4t
export NUM_TOKENS=300_000_000_000
export MAX_NEW_TOKENS=4096
export TRAIN_TOKENS=$((1024 * 1024))
export SSH_PUBLIC_KEY="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{BASE64_68[:43]} me@example.org"
echo "ssh-rsa {BASE64_68}{BASE64_68} me@login01" >> ~/.ssh/authorized_keys
ssh-keygen -f ~/.ssh/id_ed25519 -N ''
python train.py --tokenizer hf-internal-testing/llama-tokenizer --tokenizer-type HuggingFaceTokenizer
python train.py --hf-token "$HF_TOKEN" --wandb-key ${{WANDB_API_KEY}} --token $(< token.txt)
python train.py model.tokenizer.library=megatron +trainer.num_key_value_heads=8 calculate_per_token_loss=True
python -c 'from hf_hub_utils_and_other_modules_for_download import x; x(token=get_token_from_env_2)'
pip install hf_transfer huggingface_hub==0.25.1 hf-xet
IMAGE=nvcr.io/nvidia/pytorch@sha256:{HEX_64}
git checkout {HEX_40}
COMMIT={HEX_40}
git clone https://github.com/NVIDIA/Megatron-LM.git
git clone https://x-access-token:$GITHUB_TOKEN@github.com/a/b.git
git clone https://user:password@example.org/a.git
git clone https://<user>:<token>@example.org/a.git
git clone git@github.com:NVIDIA/Megatron-LM.git
git clone ssh://git@github.com:22/NVIDIA/Megatron-LM.git
curl -H "Authorization: Bearer $TOKEN" https://api.example.org
curl -H "Authorization: Bearer <token>" https://api.example.org
curl -u $USER:$PASSWORD https://api.example.org
docker login -u '$oauthtoken' -p "$NGC_API_KEY" nvcr.io
docker login -u '$oauthtoken' --password-stdin nvcr.io < ~/.ngc
wandb login --relogin
wandb login $WANDB_API_KEY
machine api.wandb.ai login user password $WANDB_API_KEY
read -s -p "password: " PASSWORD
[ "$API_KEY" = "aB3dE5gH7jK9mN1pQ2rS4t" ] && exit
password = getpass.getpass()
# HF_TOKEN: the token of Hugging Face, see https://huggingface.co/settings/tokens
# API key: see the README
checkpoint=/lustre/ckpt/hf_{HEX_40[:20]}
#SBATCH --job-name=sk-finetune-llama3-8b-instruct-on-many-nodes-v2
#SBATCH --comment=dapi-benchmark
MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
"""


@pytest.mark.parametrize("line", [line for line in CLEAN.splitlines() if line])
def test_nothing_is_found(line: str) -> None:
    found = find_secrets(Source.from_text(line))
    assert not found, [(secret.kind, secret.provider, secret.name) for secret in found]


WORDS = st.sampled_from(
    ("your", "my", "own", "token", "key", "here", "secret", "api", "insert", "placeholder", "hf", "paste")
)
PLACEHOLDERS = st.one_of(
    st.lists(WORDS, min_size=2, max_size=7).map("_".join),
    st.lists(WORDS, min_size=2, max_size=7).map(lambda words: "-".join(words).upper()),
    st.text("abcdefgh ", min_size=1, max_size=40).map(lambda text: f"<{text}>"),
    st.builds(lambda char, count: char * count, st.sampled_from(ALNUM + ".*-"), st.integers(1, 90)),
    st.text(string.ascii_uppercase + "_", min_size=1, max_size=40).map(lambda text: "$A" + text),
    st.text(string.ascii_uppercase + "_", min_size=1, max_size=40).map(lambda text: "${A" + text + "}"),
    st.text(ALNUM + "/_.-", min_size=1, max_size=60).map(lambda text: "/" + text),
    st.integers().map(str),
)
NAMES = st.sampled_from(["HF_TOKEN", "WANDB_API_KEY", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "MY_SECRET"])


@given(NAMES, PLACEHOLDERS, st.sampled_from(["", '"']))
def test_placeholders_are_passed_over(name: str, value: str, quote: str) -> None:
    assert not find_secrets(Source.from_text(f"export {name}={quote}{value}{quote}\n"))


@given(st.sampled_from(formats()), st.sampled_from("xX0*.-_a"), st.integers(1, 120))
def test_a_prefix_with_one_repeated_character_is_passed_over(form: object, char: str, count: int) -> None:
    prefix = form.prefix  # type: ignore[attr-defined]
    assert not find_secrets(Source.from_text(f"export HF_TOKEN={prefix}{char * count}\n"))


NASTY = st.lists(
    st.one_of(
        st.sampled_from([form.prefix for form in formats()]),
        st.sampled_from(
            ["TOKEN=", "password:", '\\"', "'", "${", "}", ":-", "://", "@", "user:", "sig=", "&"]
        ),
        st.sampled_from(
            ["-----BEGIN PRIVATE KEY-----", "-----END ", "wandb login ", "machine a login b password "]
        ),
        st.sampled_from(["Bearer ", "Basic ", "eyJ", ".", " ", "\n", "\\\n", "$", "#"]),
        st.text(max_size=8),
        st.text(ALNUM, min_size=20, max_size=60),
    ),
    max_size=25,
)


@given(NASTY)
def test_any_text_gives_ordered_places_inside_it(pieces: list[str]) -> None:
    source = Source.from_text("".join(pieces))
    spans = [secret.span for secret in find_secrets(source)]
    assert all(0 <= span.start < span.end <= len(source.text) for span in spans)
    assert all(before.end <= after.start for before, after in pairwise(spans))


@given(st.binary(max_size=400))
def test_any_bytes_are_searched_without_failing(data: bytes) -> None:
    assert isinstance(find_secrets(Source.from_bytes(data, "x")), tuple)


@pytest.mark.parametrize(
    "piece",
    [
        "token=",
        "-token-",
        "eyJ",
        "eyJa.",
        "://a:",
        "://",
        "sk-",
        "-sk-",
        "hf_",
        "a.eyJhcGlf",
        "Bearer ",
        "curl -u a:",
        "wandb login ",
        "docker login ",
        "machine a login ",
        "-----BEGIN PRIVATE KEY-----",
        "${KEY:-",
        "sig=",
        "key=a",
        "pypi-AgEIcHlwaS5vcmc",
        "A",
    ],
)
def test_the_time_grows_no_faster_than_the_text(piece: str) -> None:
    def seconds(size: int) -> float:
        source = Source.from_text(piece * (size // len(piece)))
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            find_secrets(source)
            best = min(best, time.process_time() - start)
        return best

    small, large = seconds(20_000), seconds(160_000)
    assert large < 8 * small * 3 + 0.05

"""Which training framework a program belongs to, and how it must be started.

From the command line alone: no file is read.  What is not recognised stays unknown.
"""

from __future__ import annotations

from enum import Enum
from itertools import pairwise

from sbatchlint.launch.options import arg_text
from sbatchlint.launch.plan import LayerKind, Program
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.training.entrypoints import EntryPoint, LaunchClass, by_name, by_path, known_end


class FrameworkName(Enum):
    """The frameworks that are told apart."""

    MEGATRON_BRIDGE = "megatron-bridge"
    MEGATRON_LM = "megatron-lm"
    NEMO = "nemo"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Framework:
    """What a program is, as far as training goes."""

    name: FrameworkName
    launch: LaunchClass = LaunchClass.UNKNOWN
    dialects: tuple[str, ...] = ()
    """The option tables of ``data/dialects/`` that it reads."""
    why: str = ""
    """What it was recognised by, for messages."""
    by_script: bool = False
    """True where the script itself is known, not only the options that it is given."""
    script: str = ""
    """The script's path in its repository, where it is known."""

    @property
    def is_native_bridge(self) -> bool:
        """Whether it is a script of Megatron-Bridge that plain srun starts."""
        return self.name is FrameworkName.MEGATRON_BRIDGE and self.launch is LaunchClass.NATIVE


_MEGATRON_LM = regex(r"pretrain_(gpt|hybrid|mamba|vlm|bert|t5|retro)\.py|train_rl\.py")
_MEGATRON_FLAG = regex(r"--(tensor|pipeline)-model-parallel-size(=|$)")
_BRIDGE_PATH = regex(r"(?i)megatron[-_.]?bridge")
_BRIDGE_OVERRIDE = regex(r"[+~]*(model|train|dist|ddp|optimizer|checkpoint|dataset)\.[a-z_]+=")
_BRIDGE_RECIPE = regex(r"\w+_config")
_NEMO_WORD = regex(r"[+~]*trainer\.(num_nodes|devices)=")
_WITHOUT_GROUP = frozenset("--dry-run --dry_run --dryrun --dump-env --dump_env --help -h --list".split())
"""Options with which a script prints something and starts no process group."""
_OF_PYTHON = ("torchrun", "torch.distributed.launch", "ft_launcher", "accelerate", "deepspeed")
"""Launchers of Python programs."""
_CONVERSION = "scripts/conversion/run_conversion.py"
_ANY = ("unmistakable",)


def recognise(program: Program) -> Framework:
    """Tell what *program* is.  The first sign that applies wins: path, name, options."""
    if _in_shell_file(program):
        return Framework(FrameworkName.UNKNOWN)
    point = by_path(program.target)
    if point is not None:
        return _bridge(point, _words(program), f"{point.path} is a script of Megatron-Bridge")
    name = known_end(program.target).rsplit("/", 1)[-1]
    if _MEGATRON_LM.fullmatch(name):
        return _megatron_lm(f"{name} is a script of Megatron-LM", True)
    shown = program.target.show()
    if not _is_python(program) and by_name(name) is None and not _BRIDGE_PATH.search(shown):
        return Framework(FrameworkName.UNKNOWN)  # without asking for its words: most programs are such
    words = _words(program)
    if _is_python(program) and any(_MEGATRON_FLAG.match(word) for word in words):
        return _megatron_lm("it is given Megatron-LM's options", False)
    return _by_signs(program, name, shown, words)


def _words(program: Program) -> list[str]:
    return [arg_text(arg) for arg in program.arguments]


def _by_signs(program: Program, name: str, shown: str, words: list[str]) -> Framework:
    if program.is_module and shown.startswith("megatron.bridge."):
        why = "it is a module of Megatron-Bridge"
        return Framework(FrameworkName.MEGATRON_BRIDGE, dialects=("bridge-override",), why=why)
    point = by_name(name)
    if point is not None and (_BRIDGE_PATH.search(shown) or _has_recipe(words)):
        return _bridge(point, words, f"{name} is given the options of Megatron-Bridge's script")
    if _BRIDGE_PATH.search(shown) and any(_BRIDGE_OVERRIDE.match(word) for word in words):
        why = "it is under Megatron-Bridge and is given its options"
        return Framework(FrameworkName.MEGATRON_BRIDGE, dialects=("bridge-override",), why=why)
    if _is_python(program) and any(_NEMO_WORD.match(word) for word in words):
        dialects = ("nemo1", "nemo1-inference", "nemo2")
        return Framework(FrameworkName.NEMO, dialects=dialects, why="it is given options of NeMo's trainer")
    return Framework(FrameworkName.UNKNOWN, dialects=_ANY if _is_python(program) else ())


def _has_recipe(words: list[str]) -> bool:
    """Tell whether a recipe of Megatron-Bridge is named: ``--recipe llama32_1b_pretrain_config``."""
    for index, word in enumerate(words):
        option, glued, value = word.partition("=")
        if option == "--recipe":
            recipe = value if glued else "".join(words[index + 1 : index + 2])
            return _BRIDGE_RECIPE.fullmatch(recipe) is not None
    return False


def _bridge(point: EntryPoint, words: list[str], why: str) -> Framework:
    launch = point.launch
    if launch is LaunchClass.NATIVE and not _WITHOUT_GROUP.isdisjoint(words):
        launch = LaunchClass.SINGLE_PROCESS
    if point.path == _CONVERSION and not _converts_on_gpus(words):
        launch = LaunchClass.SINGLE_PROCESS
    return Framework(FrameworkName.MEGATRON_BRIDGE, launch, point.dialects, why, True, point.path)


def _converts_on_gpus(words: list[str]) -> bool:
    """Tell whether ``run_conversion.py`` starts a process group: on GPUs, by default a round trip's only."""
    devices = [word.partition("=")[2] for word in words if word.startswith("--device=")]
    devices += [value for option, value in pairwise(words) if option == "--device"]
    return devices[-1] == "gpu" if devices else "roundtrip" in words


def _megatron_lm(why: str, by_script: bool) -> Framework:
    launch = LaunchClass.ENV_REQUIRED if by_script else LaunchClass.UNKNOWN
    return Framework(FrameworkName.MEGATRON_LM, launch, ("megatron-lm",), why, by_script)


def _is_python(program: Program) -> bool:
    """Tell whether Python runs the program: by its last interpreter or launcher, else by the file's name."""
    last = program.layers[-1] if program.layers else None
    if last is not None and last.kind is LayerKind.INTERPRETER:
        return last.name == "python"
    if last is not None and last.kind is LayerKind.LAUNCHER:
        return last.name in _OF_PYTHON
    return known_end(program.target).endswith(".py")


def _in_shell_file(program: Program) -> bool:
    """Tell whether the target is a shell script, which may start anything."""
    return known_end(program.target).endswith((".sh", ".bash"))

"""The line that each task runs: what stands around the program, and the program's own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from sbatchlint.convert.launchers import Launch, kept_words, told_to
from sbatchlint.convert.quoting import quoted
from sbatchlint.convert.reading import Given, layer_words, option_words
from sbatchlint.convert.refusal import Refused
from sbatchlint.convert.shape import Shape
from sbatchlint.launch.layers import Arg, Layer, LayerKind
from sbatchlint.launch.tables import MODULE_LAUNCHERS
from sbatchlint.records import dataclass

_NO_MATTER = frozenset({"exec", "command", "builtin", "nohup", "setsid", "time", "coproc"})
"""What changes nothing in a task, or is a word of the shell."""
_UV_SYNC = frozenset(
    "extra all-extras no-extra group no-group only-group all-groups no-default-groups no-dev dev only-dev "
    "frozen locked project directory python p package all-packages no-editable config-file index-url "
    "extra-index-url default-index index find-links offline native-tls".split()
)
"""Options that `uv run` and `uv sync` have in common."""
_UV_WITHOUT_SYNC = ("no-sync", "no-project", "script", "s", "gui-script")


@dataclass(frozen=True, slots=True)
class Line:
    """One command line, in shell words."""

    sync: tuple[str, ...]
    """What fills the environment of packages first; empty for nothing."""
    command: tuple[str, ...]
    """Wrappers and the launcher or the interpreter, in known words."""
    launch: Launch | None
    """What the launcher is told of the job."""
    options: tuple[str, ...]
    """Other options of the launcher."""
    program: tuple[str, ...]
    """The program's words."""


def line_of(given: Given, shape: Shape, gpus: int, *, uv: bool) -> Line:
    """Return the line of one task.  *uv* runs it in uv's environment also where the command does not."""
    around = [layer for layer in given.wrappers if not _is_needless(layer)]
    wrappers = [word for layer in around for word in layer_words(layer, given.source)]
    runner, sync = _uv(given, uv=uv)
    if shape is Shape.LAUNCHER:
        head, program = _launched(given)
        if uv and given.uv is None and _texts(head) == ["torchrun"]:
            head = [
                "python",
                "-m",
                "torch.distributed.run",
            ]  # the torch of that environment, whatever PATH finds
        name = given.launcher.name if given.launcher is not None else "torchrun"
        launch = told_to(name, gpus, given)
        options = kept_words(given.launcher) if given.launcher is not None else []
    else:
        (head, program), launch, options = _by_itself(given), None, []
    return Line(
        tuple(_known(word) for word in sync),
        tuple(_known(word) for word in (*wrappers, *runner, *head)),
        launch,
        tuple(_written(given, options)),
        tuple(_written(given, program)),
    )


def _written(given: Given, words: Sequence[Arg | str]) -> Iterator[str]:
    """Yield *words* as they stand in the script."""
    for own, group in groupby(words, key=lambda word: isinstance(word, str)):
        if own:
            yield from (quoted(word) for word in group if isinstance(word, str))
        else:
            yield from given.writer.words([word for word in group if not isinstance(word, str)])


def _is_needless(layer: Layer) -> bool:
    return layer.name in _NO_MATTER or (layer.name == "env" and not layer.options)


def _uv(given: Given, *, uv: bool) -> tuple[list[Arg | str], list[Arg | str]]:
    """Return how uv runs the command, and how it fills its environment before."""
    layer = given.uv
    if layer is None:
        return (["uv", "run", "--no-sync"], ["uv", "sync"]) if uv else ([], [])
    words = list(layer_words(layer, given.source))
    options = [one for one in layer.options if one.name not in ("m", "module")]
    name = words[0]
    if layer.subcommand != "run" or any(layer.get(one) for one in _UV_WITHOUT_SYNC):
        return [name, *layer.subcommand.split(), *option_words(options)], []
    shared = option_words([one for one in options if one.name in _UV_SYNC])
    return [name, "run", "--no-sync", *option_words(options)], [name, "sync", *shared]


def _launched(given: Given) -> tuple[list[Arg | str], list[Arg | str]]:
    """Return the launcher, and what it starts."""
    layer, program = given.launcher, given.program
    if layer is None:
        interpreter, rest = _interpreter(given)
        if program.target.text == "-c" or not interpreter:
            raise Refused(
                given.program.name or "the program", "torchrun starts Python files and modules alone"
            )
        module: list[Arg | str] = ["-m"] if program.is_module else []
        return [*interpreter, "-m", "torch.distributed.run"], [*module, *rest]
    if layer.get("no-python") is not None:
        return _head(given, layer), [*_inner(given, layer), *program.words]
    return _head(given, layer), list(program.words[given.target_index :])


def _head(given: Given, layer: Layer) -> list[Arg | str]:
    """The words that call the launcher."""
    words, options = given.program.words, option_words(layer.options)
    written = given.source.slice(layer.span) if layer.span is not None else layer.name
    if words and words[0].place == layer.span and layer.get("no-python") is None:
        first = next(
            (i for i, word in enumerate(words) if any(word is one for one in options)), given.target_index
        )
        head: list[Arg | str] = list(words[:first])
        text = words[0].text or ""
    else:
        head, text = [written, *layer.subcommand.split()], written
    return ["python", "-m", *head] if text in MODULE_LAUNCHERS else head


def _by_itself(given: Given) -> tuple[list[Arg | str], list[Arg | str]]:
    """Return the interpreter, if there is one, and the program's words."""
    layer, program = given.launcher, given.program
    if layer is not None and layer.get("no-python") is not None:
        return [], [*_inner(given, layer), *program.words]
    interpreter, rest = _interpreter(given)
    module: list[Arg | str] = ["-m"] if program.is_module else []
    if not interpreter and not _is_script_of_python(given):
        return [], list(program.words)
    return [*interpreter, *module], rest


def _interpreter(given: Given) -> tuple[list[Arg | str], list[Arg | str]]:
    """Return the interpreter with its options, and the words from the target on."""
    program, index = given.program, given.target_index
    layer, rest = given.launcher, _from_target(given)
    if layer is None:
        head: list[Arg | str] = [word for word in program.words[:index] if word.text != "-m"]
        return (head or (["python"] if _is_script_of_python(given) else [])), rest
    head = _head(given, layer)
    texts = _texts(head)
    if "-m" in texts:
        return head[: texts.index("-m")], rest
    folder = texts[0].rpartition("/")[0]
    return [f"{folder}/python" if folder else "python"], rest


def _from_target(given: Given) -> list[Arg | str]:
    """The words from the target on; of ``-mpackage.module`` the module alone."""
    program = given.program
    first, *rest = program.words[given.target_index :]
    glued = program.is_module and (first.text or "").startswith("-m")
    return [program.target.text or "" if glued else first, *rest]


def _is_script_of_python(given: Given) -> bool:
    """Tell whether `uv run` or a launcher finds the interpreter for the target."""
    inner = given.program.layers[-1] if given.program.layers else None
    return inner is not None and inner.kind is LayerKind.INTERPRETER


def _inner(given: Given, launcher: Layer) -> list[Arg | str]:
    """The wrappers that the launcher starts."""
    layers = given.program.layers
    index = next(i for i, layer in enumerate(layers) if layer is launcher)
    return [
        word
        for layer in layers[index + 1 :]
        if layer.kind is LayerKind.WRAPPER
        for word in layer_words(layer, given.source)
    ]


def _texts(words: Sequence[Arg | str]) -> list[str]:
    return [word if isinstance(word, str) else (word.text or "") for word in words]


def _known(word: Arg | str) -> str:
    if isinstance(word, str):
        return quoted(word)
    if word.text is None or any(leaf.early is not None for leaf in word.value.leaves()):
        raise Refused(word.value.show(), "it is not known what stands before the program; write the word out")
    return quoted(word.text)

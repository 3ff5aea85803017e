"""Variables: those of the command, those of the shared caches, and where each is set."""

from __future__ import annotations

from collections.abc import Iterator

from sbatchlint.convert.keeping import sets
from sbatchlint.convert.quoting import in_double_quotes
from sbatchlint.convert.reading import Given
from sbatchlint.convert.refusal import Refused
from sbatchlint.convert.site import Site
from sbatchlint.convert.words import expanding
from sbatchlint.launch.values import Unknown, Value
from sbatchlint.records import dataclass
from sbatchlint.regex import regex
from sbatchlint.shell.syntax import Command, Simple
from sbatchlint.training.frameworks import FrameworkName

IN_BODY = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LD_PRELOAD")
"""What a container has of its own, so that the command's part has to be joined to it inside."""
_OF_ONE_NODE = regex(
    r"MASTER_(?:ADDR|PORT)|(?:LOCAL_|NODE_|GROUP_)?RANK|(?:LOCAL_)?WORLD_SIZE|NNODES|NPROC_PER_NODE"
    r"|CUDA_VISIBLE_DEVICES|PET_(?:NNODES|NODE_RANK|NPROC_PER_NODE|STANDALONE|MASTER_\w+|RDZV_\w+)"
)
"""What holds for one node, and what the job's launchers and Slurm say for many."""
_ENTRY = regex(r"(?:^|(?<=:))(?=[^/$~:\"])")


@dataclass(frozen=True, slots=True)
class Variables:
    """Variables as shell text, by name."""

    exports: tuple[tuple[str, str], ...]
    """Set in the batch script."""
    in_body: tuple[tuple[str, str], ...]
    """Set in each task."""
    caches: tuple[tuple[str, str], ...]
    """What the batch script sets besides what the command says."""
    of_file: tuple[str, ...] = ()
    """What lines of the file export."""

    @property
    def for_container(self) -> tuple[str, ...]:
        """The names that the image must not override."""
        caches = [name for name, value in self.caches if value.startswith('"$SHARED/')]
        return tuple(dict.fromkeys([*caches, *(name for name, _ in self.exports), *self.of_file]))


def variables_of(given: Given, site: Site, *, uv: bool) -> Variables:
    """Return what is set for the program; the caches are those that it may have."""
    own = {
        name: value
        for name, value in given.own_environment.items()
        if not _is_itself(name, value) and not of_one_node(name)
    }
    inside = {name: value for name, value in own.items() if name in IN_BODY}
    if site.image:
        inside = {**dict(_of_setup(given)), **inside}
    exports = [(name, _rendered(given, name, value)) for name, value in own.items() if name not in IN_BODY]
    known = {*given.own_environment, *(name for command in given.setup for name in sets(command))}
    caches = [(name, value) for name, value in _caches(given, site, uv=uv) if name not in known]
    exported = given.program.environment.keys() - own.keys() - {*IN_BODY, *given.secrets}
    return Variables(
        tuple(exports),
        tuple((name, _joined(name, value)) for name, value in inside.items()),
        tuple(caches),
        tuple(sorted(name for name in exported if not of_one_node(name))),
    )


def of_one_node(name: str) -> bool:
    """Tell whether a variable's value holds for one node alone, so that a job of many says it itself."""
    return _OF_ONE_NODE.fullmatch(name) is not None


def _is_itself(name: str, value: Value) -> bool:
    """Tell whether *value* is what the variable *name* holds anyway: a token's, after it was taken out."""
    only = value.segments[0] if len(value.segments) == 1 else None
    return isinstance(only, Unknown) and only.name.strip("${}") == name


def _of_setup(given: Given) -> Iterator[tuple[str, Value]]:
    set_before = {name for command in given.setup for name in sets(command)}
    for name, value in given.program.environment.items():
        if name in IN_BODY and name in set_before:
            yield name, value


def only_in_body(command: Command) -> bool:
    """Tell whether *command* sets nothing but variables that are set in the tasks of a container."""
    names = list(sets(command))
    return isinstance(command, Simple) and bool(names) and set(names) <= {*IN_BODY}


def _rendered(given: Given, name: str, value: Value) -> str:
    refers = any(isinstance(one, Unknown) and one.name.strip("${}") == name for one in value.segments)
    try:
        return expanding(value, unset=refers)
    except Refused:
        command = given.around.command
        for assignment in command.assignments if isinstance(command, Simple) else ():
            if assignment.name == name and assignment.value is not None and not assignment.append:
                return given.source.slice(assignment.value.span)
        raise


def _joined(name: str, value: Value) -> str:
    """Return *value* for a task: Python's relative folders are seen from where the task starts."""
    text = expanding(value, unset=True)
    if name != "PYTHONPATH":
        return text
    if not text.startswith('"'):
        text = f'"{in_double_quotes(value.text or "")}"'
    head, body, tail = text[:1], text[1:-1], text[-1:]
    kept = body.replace(":-}", "\0")
    return head + _ENTRY.sub("$PWD/", kept).replace("\0", ":-}") + tail


def _caches(given: Given, site: Site, *, uv: bool) -> Iterator[tuple[str, str]]:
    if site.shared:
        yield "HF_HOME", '"$SHARED/cache/hf"'
        if uv:
            yield "UV_CACHE_DIR", '"$SHARED/cache/uv"'
        if given.framework.name is not FrameworkName.UNKNOWN:
            yield "NEMO_HOME", '"$SHARED/cache/nemo"'
    if uv:
        yield "UV_LOCK_TIMEOUT", "1800"
    yield "TRITON_CACHE_DIR", '"/tmp/triton-$SLURM_JOB_ID"'

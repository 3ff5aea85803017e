"""The batch script of a conversion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sbatchlint.convert.conversion import Conversion
from sbatchlint.convert.quoting import in_double_quotes, quoted, single_quoted
from sbatchlint.convert.shape import Shape
from sbatchlint.convert.site import BLANK
from sbatchlint.report.cells import shown
from sbatchlint.secrets.names import is_secret_name

_WIDEST = 88


def script_text(made: Conversion) -> str:
    """Return the script of *made*, which ends in a line end."""
    directives = [f"#SBATCH {directive}" for directive in directives_of(made)]
    start = start_lines(made)
    modes = ["set -euo pipefail", *([""] if start else []), *start]
    if made.setup:  # files that are sourced may look at variables that are not set
        modes = ["set -eo pipefail", "", *start, "", "set -u"]
    return "\n".join(["#!/bin/bash", *directives, "", *modes, "", *command_lines(made)]) + "\n"


def start_lines(made: Conversion) -> list[str]:
    """Return what comes first: tokens that must be there, where to go, and the statements of the file."""
    site = made.site
    tokens = [_required(name, ":?") for name in made.secrets]
    go = [f"cd {quoted(site.workdir)}"] if site.workdir and not made.with_container else []
    return [*tokens, *([""] if tokens and made.setup else []), *go, *made.setup]


def directives_of(made: Conversion) -> Iterator[str]:
    """Yield what the job asks for, as options of sbatch in the words of a directive."""
    site, size = made.site, made.size
    given = (
        ("job-name", site.job_name),
        ("nodes", str(size.nodes or BLANK)),
        ("ntasks-per-node", str(size.tasks)),
        ("gpus-per-node", str(size.gpus)),
        ("time", site.time),
        ("account", site.account),
        ("partition", site.partition),
        ("qos", site.qos),
        ("output", site.log),
    )
    yield from (f"--{name}={_in_directive(value)}" for name, value in given if value)
    if made.choice.shape is not Shape.SINGLE:
        yield "--exclusive"
    for option in site.directives:
        name, equals, value = option.partition("=")
        yield f"{name}={_in_directive(value)}" if equals else option


def command_lines(made: Conversion) -> list[str]:
    """Return the lines behind the modes of the shell: variables, the container, and the steps."""
    sections = (
        _needs(made),
        _places(made),
        _variables(made),
        _fresh(made),
        _sync(made),
        _meeting(made),
        _run(made),
    )
    lines: list[str] = []
    for section in map(list, sections):
        if section:
            lines += [*([""] if lines else []), *section]
    return lines


def _needs(made: Conversion) -> Iterator[str]:
    yield from (_required(name, ":?" if is_secret_name(name) else "?") for name in made.needed)


def _required(name: str, operator: str) -> str:
    return f': "${{{name}{operator}export {name} in the shell that submits this job}}"'


def _places(made: Conversion) -> Iterator[str]:
    site = made.site
    if site.shared:
        yield f"SHARED={quoted(site.shared)}"
    if not made.with_container:
        return
    if site.workdir:
        yield f"WORKDIR={quoted(site.workdir)}"
    yield "CONTAINER=("
    yield f"  --container-image={quoted(site.image)}"
    mounts = [*(["$SHARED:$SHARED"] if site.shared else []), *map(in_double_quotes, site.mounts)]
    if mounts:
        yield f'  --container-mounts="{",".join(mounts)}"'
    if site.workdir:
        yield '  --container-workdir="$WORKDIR"'
    yield "  --no-container-mount-home"
    if made.variables.for_container:
        yield f"  --container-env={','.join(made.variables.for_container)}"
    yield ")"


def _variables(made: Conversion) -> Iterator[str]:
    for name, value in (*made.variables.caches, *made.variables.exports):
        yield f"export {name}={value}"


def _fresh(made: Conversion) -> Iterator[str]:
    if made.site.fresh:
        yield "# An old run is moved aside, not deleted; a job that was requeued goes on with its own."
        yield f"OLD={quoted(made.site.fresh.rstrip('/') or '/')}"
        yield 'if [ -e "$OLD" ] && [ "${SLURM_RESTART_COUNT:-0}" -eq 0 ]; then'
        yield '  mv -- "$OLD" "$OLD.$(date +%Y-%m-%d_%H%M%S)"'
        yield "fi"


def _sync(made: Conversion) -> Iterator[str]:
    if made.line.sync and made.size.nodes != 1:
        yield "# One task fills the cache of packages before all the others read it."
        container = ' "${CONTAINER[@]}"' if made.with_container else ""
        yield f"srun --nodes=1 --ntasks=1 --ntasks-per-node=1{container} {' '.join(made.line.sync)}"


def _meeting(made: Conversion) -> Iterator[str]:
    native = made.choice.meets
    if not made.meets and not native:
        return
    names = ("MASTER_ADDR", "MASTER_PORT") if native else ("HEAD_NODE", "HEAD_PORT")
    yield 'mapfile -t HOSTS < <(scontrol show hostnames "$SLURM_JOB_NODELIST")'
    yield f'export {names[0]}="${{HOSTS[0]}}" {names[1]}="$((15000 + SLURM_JOB_ID % 10000))"'
    if made.line.launch is not None and made.line.launch.hosts:
        folder = '"$SHARED"' if made.site.shared else '"$PWD"'
        yield f'export HOSTFILE={folder}/"hosts.$SLURM_JOB_ID"'
        yield f'printf \'%s slots={made.size.gpus}\\n\' "${{HOSTS[@]}}" > "$HOSTFILE"'


def _run(made: Conversion) -> Iterator[str]:
    yield "PROGRAM=("
    words = made.line.program
    # The mark of a module stands with its name.
    marked = bool(made.line.options) and made.line.options[-1] == "-m"
    options = made.line.options[:-1] if marked else made.line.options
    yield from (f"  {line}" for line in (*_lines(options), *_lines(("-m", *words) if marked else words)))
    yield ")"
    yield ""
    yield f"# {_what(made)}: {shown(made.choice.why)}."
    start = "srun --kill-on-bad-exit=1" + (' "${CONTAINER[@]}"' if made.with_container else "")
    body = _body(made)
    if body is None:
        yield from _wrapped(start, [*made.line.command, '"${PROGRAM[@]}"'])
    else:
        yield f"{start} \\"
        yield f"  bash -c {single_quoted(body)} bash \\"
        yield '  "${PROGRAM[@]}"'


def _what(made: Conversion) -> str:
    if made.choice.shape is Shape.SINGLE:
        return "One task"
    return "One task for each GPU" if made.choice.shape is Shape.NATIVE else "One launcher on each node"


def _body(made: Conversion) -> str | None:
    """What each task's shell reads; None where srun starts the program itself."""
    line, pieces = made.line, []
    if made.variables.in_body:
        pieces.append(
            "export " + " ".join(f"{name}={value}" for name, value in made.variables.in_body) + "; "
        )
    if line.sync:
        pieces.append(" ".join(line.sync) + " && ")
    if not pieces and line.launch is None:
        return None
    pieces.append(" ".join(["exec", *line.command]))
    for options in () if line.launch is None else line.launch.lines:
        pieces.append(f" \\\n    {options}")
    return "".join([*pieces, ' "$@"'])


def _wrapped(start: str, words: Sequence[str]) -> Iterator[str]:
    line = " ".join([start, *words])
    if len(line) <= _WIDEST:
        yield line
    else:
        yield f"{start} \\"
        yield "  " + " ".join(words)


def _lines(words: Sequence[str]) -> Iterator[str]:
    """Put an option and its value on one line."""
    held = ""
    for word in words:
        is_option = word.startswith("-") and len(word) > 1
        if held and not is_option:
            yield f"{held} {word}"
            held = ""
        else:
            if held:
                yield held
            held = word if is_option and "=" not in word else ""
            if not held:
                yield word
    if held:
        yield held


def _in_directive(value: str) -> str:
    return f'"{value}"' if any(char.isspace() or char in "#'" for char in value) else value

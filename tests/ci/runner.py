"""As much of GitHub's runner as a composite action of shell steps needs.

Sources: the pages "Metadata syntax", "Workflow commands" and "Contexts" of GitHub's documentation.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")
_REFERENCE = re.compile(r"\s*([a-z_]+(?:\.[A-Za-z_][\w-]*)*)\s*")
_COMMAND = re.compile(r"\s*::(?P<name>[\w-]+)(?P<properties> [^:]*)?::(?P<text>.*)")


class UnknownExpression(Exception):
    """An expression that this runner can't evaluate."""


@dataclass(slots=True)
class Run:
    """What became of one use of an action."""

    status: int = 0
    """The exit status of the step that ended it."""
    log: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    summary: str = ""

    def commands(self, name: str) -> list[str]:
        """Return the workflow commands *name* that the runner obeys, as written."""
        obeyed, stopped = [], ""
        for line in self.log.splitlines():
            found = _COMMAND.match(line)
            if found is None:
                continue
            if stopped:
                stopped = "" if found["name"] == stopped else stopped
            elif found["name"] == "stop-commands":
                stopped = found["text"]
            elif found["name"] == name:
                obeyed.append(line)
        assert not stopped, "commands were left stopped"
        return obeyed


class Runner:
    """Runs a composite action in a workspace."""

    def __init__(
        self, action: Mapping[str, Any], action_path: Path, workspace: Path, environment: Mapping[str, str]
    ) -> None:
        """*environment* is the machine's; the runner's own variables and files come on top."""
        self._action = action
        self._action_path = action_path
        self._workspace = workspace
        self.environment = dict(environment)
        self.github: dict[str, Any] = {"event_name": "push", "event": {}}
        self.preset: dict[str, dict[str, str]] = {}
        """Outputs of steps, by id, that are taken as having been run."""

    def run(self, temp: Path, **inputs: str) -> Run:
        """Run the action's steps, with files of the runner in *temp*; names of *inputs* have `_` for `-`."""
        temp.mkdir(parents=True, exist_ok=True)
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert given.keys() <= self._action["inputs"].keys()
        defaults = {name: str(each.get("default", "")) for name, each in self._action["inputs"].items()}
        context: dict[str, Any] = {"inputs": defaults | given, "github": self.github, "steps": {}}
        environment = self.environment | {
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(self._action_path),
            "GITHUB_EVENT_NAME": self.github["event_name"],
            "GITHUB_WORKSPACE": str(self._workspace),
            "RUNNER_TEMP": str(temp),
        }
        run = Run()
        for number, step in enumerate(self._action["runs"]["steps"]):
            outputs = self.preset.get(step["id"])
            if outputs is None and not run.status:
                outputs = self._step(step, temp / f"step{number}", environment, context, run)
            context["steps"][step["id"]] = {"outputs": outputs or {}}
        for name, each in self._action["outputs"].items():
            run.outputs[name] = _filled(each["value"], context)
        return run

    def _step(
        self,
        step: Mapping[str, Any],
        files: Path,
        environment: dict[str, str],
        context: Mapping[str, Any],
        run: Run,
    ) -> dict[str, str]:
        """Run one step, put what it did to *run* and *environment*, and return its outputs."""
        assert step.keys() <= {"name", "id", "shell", "env", "run"} and step["shell"] == "bash"
        files.mkdir()
        commands = ["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"]
        for name in commands:
            (files / name).touch()
        # An expression in the text of a script is how branch names become commands; none is filled in.
        (files / "script.sh").write_text(step["run"], "utf-8")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(files / "script.sh")],
            cwd=self._workspace,
            env=environment
            | {name: str(files / name) for name in commands}
            | {name: _filled(value, context) for name, value in step.get("env", {}).items()},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        run.status = done.returncode
        run.log += done.stdout
        run.summary += (files / "GITHUB_STEP_SUMMARY").read_text("utf-8")
        environment |= _settings((files / "GITHUB_ENV").read_text("utf-8"))
        return _settings((files / "GITHUB_OUTPUT").read_text("utf-8"))


def plain_environment() -> dict[str, str]:
    """Return the tester's environment, less what git, Python or sbatchlint would read from it."""
    return {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("GIT_", "GITHUB_", "PYTHON", "SBATCH", "VIRTUAL_ENV"))
    }


def _filled(text: object, context: Mapping[str, Any]) -> str:
    """Return *text* with each `${{ a.b.c }}` replaced; what is not there is empty, as on GitHub."""

    def value(match: re.Match[str]) -> str:
        reference = _REFERENCE.fullmatch(match[1])
        if reference is None:
            raise UnknownExpression(match[0])
        found: Any = context
        for key in reference[1].split("."):
            found = found.get(key, {})
        return found if isinstance(found, str) else ""

    return _EXPRESSION.sub(value, str(text))


def _settings(text: str) -> dict[str, str]:
    """Read a file of outputs or variables: `name=value`, or `name<<END`, lines and `END`."""
    settings: dict[str, str] = {}
    lines = iter(text.splitlines())
    for line in lines:
        name, several, end = line.partition("<<")
        if several and "=" not in name:
            value = []
            for inner in lines:
                if inner == end:
                    break
                value.append(inner)
            settings[name] = "\n".join(value)
        else:
            name, equals, text = line.partition("=")
            assert equals, line
            settings[name] = text
    return settings

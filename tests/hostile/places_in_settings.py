"""Texts in configuration files and baselines."""

from __future__ import annotations

import json
from pathlib import Path

from tests.hostile.places import EVERYTHING, Maker, in_toml, job, put, scene, settings

_KEYS = {
    "rules": "select = [{0}]\n",
    "globs": "exclude = [{0}]\ninclude = ['*.sh', {0}]\n",
    "cluster": "cluster = {0}\n",
    "clusters": "cluster = 'x'\n[clusters]\nx = {0}\n",
    "release": "slurm-version = {0}\n",
    "sbatch-args": "sbatch-args = ['--nodse', {0}]\n",
    "variable": "[env]\nA = {0}\nSBATCH_PARTITION = {0}\n",
    "name of a variable": "[env]\n{0} = 'x'\n",
    "known option": "known-options = [{0}]\n",
    "plugin": "plugins = [{0}]\n",
    "plugin folder": "plugins = ['./' , {0}]\n",
    "baseline": "baseline = {0}\n",
    "format": "output-format = {0}\n",
    "extend": "extend = {0}\n",
    "required": "required-version = {0}\n",
    "key": "{0} = 1\n",
    "severity": "[severity]\nSB301 = {0}\n{0} = 'info'\n",
    "per-file-ignores": "[per-file-ignores]\n{0} = ['SB1', {0}]\n",
    "per-path": "[per-path.{0}]\ncluster = {0}\n",
    "no TOML": "select = [{0}\n{0}",
    "policy": "[[policy]]\nname = 'a-b'\nrequire = 'false'\nmessage = {0}\nhelp = {0}\ndocs = 'https://x'\n",
    "policy page": "[[policy]]\nname = 'a-b'\nrequire = 'false'\nmessage = 'm'\ndocs = {1}\n",
    "policy expression": "[[policy]]\nname = 'a-b'\nrequire = {0}\nmessage = 'm'\n",
    "policy name": "[[policy]]\nname = {0}\nrequire = 'false'\nmessage = 'm'\n",
    "policy example": "[[policy]]\nname = 'a-b'\nrequire = 'true'\nmessage = 'm'\nexamples.bad = {0}\n",
    "exception": "[[policy]]\nname = 'a-b'\nrequire = 'false'\nmessage = 'm'\n"
    "[[exception]]\npolicy = 'a-b'\npaths = ['*']\nowner = {0}\nreason = {0}\nexpires = 2999-01-01\n",
}


def _configured(toml: str) -> Maker:
    def make(folder: Path, text: str) -> None:
        settings(folder, toml.format(in_toml(text), in_toml(f"https://x/{text}")))

    return make


for _name, _toml in _KEYS.items():
    scene(f"configuration: {_name}", [*EVERYTHING, ("rule", "a-b"), ("check", "--allow-plugins", "job.sh")])(
        _configured(_toml)
    )


@scene("configuration: raw", EVERYTHING)
def _raw_configuration(folder: Path, text: str) -> None:
    settings(folder, f"# {text}\nselect = ['{text}', \"{text}\"]\n{text} = {text}\n")


@scene(
    "baseline",
    [("check", "--baseline", "b.json", "job.sh"), ("check", "--write-baseline", "b.json", "job.sh")],
)
def _baseline(folder: Path, text: str) -> None:
    entry = dict.fromkeys(("path", "code", "place", "finding", "command"), text)
    put(folder / "b.json", json.dumps({"version": 1, "entries": [{**entry, "count": 1}, {text: 1}]}))
    job(folder)


@scene("broken baseline", [("check", "--baseline", "b.json", "job.sh")])
def _broken_baseline(folder: Path, text: str) -> None:
    put(folder / "b.json", json.dumps({"version": text, "entries": text}))
    job(folder)

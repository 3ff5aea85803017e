"""The filter for Slurm's cli_filter/lua under a Lua of our own, with what Slurm gives it stood in for."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path
from typing import Any

from tests.packaging import PROJECT

FILTER = PROJECT / "integrations" / "slurm" / "cli_filter.lua"
LUAS = ("lua51", "lua52", "lua53", "lua54", "lua55", "luajit21")
"""Slurm is built with any of the first four; Debian's 22.05 with the first."""

_STAND_IN = r"""
said = {}
slurm = { SUCCESS = 0, ERROR = -1 }
function slurm.log_info(...) said[#said + 1] = "info: " .. string.format(...) end
function slurm.log_error(...) said[#said + 1] = "error: " .. string.format(...) end

local open, getenv = io.open, os.getenv
files, environment = {}, {}
function io.open(path, mode) return open(files[path] or path, mode) end
function os.getenv(name)
  local value = environment[name]
  if value == nil then value = getenv(name) end
  return value or nil
end

-- The Luas of lupa, but for LuaJIT, are built without popen.
if not pcall(io.popen, "exit") then
  function io.popen(command)
    open(scratch, "wb"):close()
    os.execute("{ " .. command .. "\n} >'" .. scratch .. "'")
    return open(scratch, "rb")
  end
end

-- A local function of the filter, found among what its functions use.
function hidden(name, of, seen)
  of, seen = of or slurm_cli_pre_submit, seen or {}
  seen[of] = true
  for index = 1, 100 do
    local called, value = debug.getupvalue(of, index)
    if not called then break end
    if called == name then return value end
    if type(value) == "function" and not seen[value] then
      local found = hidden(name, value, seen)
      if found then return found end
    end
  end
end
"""


class LuaFilter:
    """The filter as sbatch has loaded it for the command line ``sbatch`` *words*.

    Text is Latin-1 on both sides, so a character is a byte.
    """

    def __init__(
        self, folder: Path, settings: str | None = None, *, words: tuple[str, ...] = (), lua: str = "lua51"
    ) -> None:
        shutil.copy(FILTER, folder / "cli_filter.lua")
        if settings is not None:
            (folder / "sbatchlint_filter.lua").write_text(settings, "utf-8")
        (folder / "cmdline").write_bytes(
            "".join(f"{word}\0" for word in ("sbatch", *words)).encode("latin-1")
        )
        self._lua: Any = importlib.import_module(f"lupa.{lua}").LuaRuntime(encoding="latin-1")
        self.globals: Any = self._lua.globals()
        self.globals.scratch = str(folder / "scratch")
        self.execute = self._lua.execute
        self.execute(_STAND_IN)
        self.globals.files["/proc/self/cmdline"] = str(folder / "cmdline")
        for name in ("SBATCHLINT", "SBATCHLINT_FILTER"):
            self.globals.environment[name] = False
        self.loaded: Any = self._lua.eval("loadfile")(str(folder / "cli_filter.lua"))()
        """What the file returned to Slurm."""

    def begin(self, kind: str = "sbatch") -> int:
        """Call the filter as a command does before it reads its options."""
        answer: int = self.globals.slurm_cli_setup_defaults(self._lua.table_from({"type": kind}))
        return answer

    def submit(self, *, offset: int = 0, argv: tuple[str, ...] = ("/job.sh",), **options: str) -> int:
        """Call the filter as sbatch does for one component; return what it answers."""
        table = self._lua.table_from(
            {"type": "sbatch", **{k.replace("_", "-"): v for k, v in options.items()}}
        )
        table["argv"] = self._lua.table_from(argv)
        answer: int = self.globals.slurm_cli_pre_submit(table, offset)
        return answer

    @property
    def said(self) -> list[str]:
        """What was said through Slurm."""
        return list(self.globals.said.values())

    def function(self, name: str) -> Any:
        """Return the filter's local function *name*."""
        found = self.globals.hidden(name)
        assert found is not None, f"the filter has no function {name}"
        return found

    def table(self, values: tuple[str, ...]) -> Any:
        """Return a list of Lua's."""
        return self._lua.table_from(values)

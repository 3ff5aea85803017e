-- sbatchlint at the door of a cluster: a filter for Slurm's cli_filter/lua plugin.
--
-- Plain `sbatch` is checked as by `sbatchlint submit`.  What is done with errors is a matter of the mode:
--   off      nothing is run
--   warn     findings are shown, the job is submitted
--   enforce  errors refuse the job, warnings are shown
-- A job passes, with a notice, whenever sbatchlint fails, takes too long or cannot check the script.
--
-- Runs under Lua 5.1 to 5.5.  docs/cluster-staff.md says how to install it and how to bring it in.
-- SPDX-License-Identifier: GPL-3.0-or-later

-- Settings --------------------------------------------------------------------------------------------

-- Don't edit them here: a file `sbatchlint_filter.lua` beside this one, or in /etc/sbatchlint, returns a
-- table with those that differ, and outlives an update.
local settings = {
  -- The program: a path, or a list of words.  With -I Python heeds no PYTHONPATH of the user's.
  sbatchlint = { "/opt/sbatchlint/bin/python", "-I", "-m", "sbatchlint" },
  -- The mode where nothing below says otherwise.
  mode = "warn",
  -- Modes by name, e.g. `partitions = { interactive = "off" }`.  A user's counts before a group's, then
  -- come account and partition; among several groups or partitions the strictest counts.
  users = {},
  groups = {},
  accounts = {},
  partitions = {},
  -- The partition of jobs that name none (false: not known).
  default_partition = false,
  -- How long all of it may take.
  seconds = 2,
  -- The site's configuration file (false: /etc/sbatchlint/sbatchlint.toml; a user's SBATCHLINT_SITE_CONFIG
  -- never counts here).
  site_config = false,
  -- If given, this file alone counts, and none of the user's project (false: the usual search).
  config = false,
  -- Whether the plan of a job is shown where nothing was found, as `sbatchlint submit` does.
  plan = false,
  -- A last sentence for those who are refused, e.g. whom to ask.
  help = false,
  -- Where a line for each checked submission goes, e.g. "/usr/bin/logger" (false: nowhere).
  logger = false,
  -- Programs of coreutils.
  timeout = "/usr/bin/timeout",
  id = "/usr/bin/id",
}

local STRENGTH = { off = 0, warn = 1, enforce = 2 }

local function is_mode(value)
  return type(value) == "string" and STRENGTH[value] ~= nil
end

local function is_path(value)
  return type(value) == "string" and value:sub(1, 1) == "/"
end

local function is_text(value)
  return type(value) == "string" and value ~= ""
end

local function is_modes(value)
  if type(value) ~= "table" then
    return false
  end
  for name, mode in pairs(value) do
    if not is_text(name) or not is_mode(mode) then
      return false
    end
  end
  return true
end

local function is_command(value)
  if type(value) ~= "table" then
    return is_path(value)
  end
  local count = 0
  for _, word in pairs(value) do
    count = count + 1
    if type(word) ~= "string" then
      return false
    end
  end
  return count == #value and is_path(value[1])
end

local function is_seconds(value)
  return type(value) == "number" and value >= 0.5 and value <= 10
end

local function is_switch(value)
  return type(value) == "boolean"
end

local function or_false(check)
  return function(value)
    return value == false or check(value)
  end
end

local MODES = { is_modes, 'a table such as { name = "off" }, with "off", "warn" or "enforce"' }
local PATH = { is_path, "an absolute path" }
local PATH_OR_FALSE = { or_false(is_path), "an absolute path or false" }
local TEXT_OR_FALSE = { or_false(is_text), "text or false" }
local CHECKS = {
  sbatchlint = { is_command, "an absolute path, or a list of words that begins with one" },
  mode = { is_mode, '"off", "warn" or "enforce"' },
  users = MODES,
  groups = MODES,
  accounts = MODES,
  partitions = MODES,
  default_partition = TEXT_OR_FALSE,
  seconds = { is_seconds, "a number from 0.5 to 10" },
  site_config = PATH_OR_FALSE,
  config = PATH_OR_FALSE,
  plan = { is_switch, "true or false" },
  help = TEXT_OR_FALSE,
  logger = PATH_OR_FALSE,
  timeout = PATH,
  id = PATH,
}

-- Take the settings of the table that *chunk* returns; return what is wrong, if anything is.
local function take_settings(chunk)
  debug.sethook(function()
    error("it does not end", 2)
  end, "", 10000000)
  local ran, given = pcall(chunk)
  debug.sethook()
  if not ran then
    return tostring(given)
  elseif type(given) ~= "table" then
    return "it returns no table"
  end
  for name, value in pairs(given) do
    local check = CHECKS[name]
    if not check then
      return "there is no setting `" .. tostring(name) .. "`"
    elseif not check[1](value) then
      return "`" .. name .. "` must be " .. check[2]
    end
  end
  for name, value in pairs(given) do
    settings[name] = value
  end
end

local NO_SUCH_FILE = 2

-- Read the first settings file that there is; return what is wrong, if anything is.
local function read_settings()
  local here = debug.getinfo(1, "S").source:match("^@(/.*/)")
  for _, folder in ipairs({ here or "/etc/sbatchlint/", "/etc/sbatchlint/" }) do
    local path = folder .. "sbatchlint_filter.lua"
    local file, message, number = io.open(path, "r")
    if file then
      file:close()
      local chunk, fault = loadfile(path)
      if chunk then
        fault = take_settings(chunk)
      end
      return fault and (path .. ": " .. fault)
    elseif number ~= NO_SUCH_FILE then
      return message
    end
  end
end

-- Slurm refuses every job while this file cannot be loaded, so nothing may go wrong before its end.
local _, fault_of_settings = pcall(read_settings)

-- Saying ----------------------------------------------------------------------------------------------

local function notice(text)
  slurm.log_info("%s", "sbatchlint: " .. text)
end

local function without_controls(text)
  text = text:gsub("%c", function(character)
    return (character == "\t" or character == "\n") and character or "?"
  end)
  return (text:gsub("\194[\128-\159]", "?"))
end

local COLOUR = "\27%[[%d;]*m"

-- *text* with no control characters but line ends, tabs and colours.
local function harmless(text)
  local parts, from = {}, 1
  repeat
    local first, last = text:find(COLOUR, from)
    parts[#parts + 1] = without_controls(text:sub(from, first and first - 1))
    if first then
      parts[#parts + 1] = text:sub(first, last)
      from = last + 1
    end
  until not first
  return table.concat(parts) .. (#parts > 1 and "\27[0m" or "")
end

local function show(output)
  local text = output:gsub("%s+$", "")
  if text ~= "" then
    io.stderr:write(harmless(text), "\n")
  end
end

-- The last line of *output*, where a failing program says why.
local function last_words(output)
  local line = without_controls((output:gsub(COLOUR, ""))):match("([^\n]*%S)%s*$")
  return line and (": " .. line:sub(1, 200)) or ""
end

-- Asking the system -----------------------------------------------------------------------------------

local function contents(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local text = file:read("*a")
  file:close()
  return text
end

-- The parts of *text*, each of which ends with a NUL.  (Lua 5.1 has no NUL in patterns.)
local function split_at_nul(text)
  local parts, from = {}, 1
  repeat
    local stop = text:find("\0", from, true)
    if stop then
      parts[#parts + 1] = text:sub(from, stop - 1)
      from = stop + 1
    end
  until not stop
  return parts
end

-- Seconds since some moment, in hundredths; nil where the system doesn't tell.
local function clock()
  return tonumber((contents("/proc/uptime") or ""):match("^[%d.]+"))
end

-- *word* as the shell reads it back, byte for byte.
local function quoted(word)
  return "'" .. word:gsub("'", "'\\''") .. "'"
end

local function quoted_all(words)
  local parts = {}
  for index, word in ipairs(words) do
    parts[index] = quoted(word)
  end
  return table.concat(parts, " ")
end

-- The words of this very sbatch, its name left out: what it was given, before any option was read.
local function words_of_sbatch()
  local words = split_at_nul(contents("/proc/self/cmdline") or "")
  return table.remove(words, 1) and words
end

-- Whether sbatchlint, started by this filter, has called sbatch.  The variable alone proves nothing: it holds
-- the number of the sbatch that set it, which must be one of our ancestors.
local function called_by_sbatchlint()
  local number = os.getenv("SBATCHLINT_FILTER")
  local process = "self"
  while number and process and process ~= "0" do
    process = (contents("/proc/" .. process .. "/status") or ""):match("\nPPid:%s*(%d+)")
    if process == number then
      return contents("/proc/" .. process .. "/comm") == "sbatch\n"
    end
  end
  return false
end

-- The mode of a job -----------------------------------------------------------------------------------

local function strictest(modes, names, otherwise)
  local found
  for _, name in ipairs(names) do
    local mode = modes[name] or otherwise
    if mode and (not found or STRENGTH[mode] > STRENGTH[found]) then
      found = mode
    end
  end
  return found
end

-- The user's name and groups, by their real ids and not by what the environment says; nil where unknown.
local function user_and_groups()
  local brief = quoted_all({ settings.timeout, "-k", "0.1", "0.4", settings.id })
  local pipe = io.popen("exec 2>/dev/null </dev/null\n" .. brief .. " -un\n" .. brief .. " -Gnz\n", "r")
  local text = pipe and pipe:read("*a") or ""
  if pipe then
    pipe:close()
  end
  local user, groups = text:match("^([^\n]+)\n(.*)$")
  return user, split_at_nul(groups or "")
end

-- The mode for the component of a job that *options* tells of, or nil and why it is not known.
local function mode_of(options)
  if next(settings.users) or next(settings.groups) then
    local user, groups = user_and_groups()
    if not user then
      return nil, "the system does not tell who you are"
    end
    local mode = settings.users[user] or strictest(settings.groups, groups)
    if mode then
      return mode
    end
  end
  local mode = settings.accounts[options.account or ""]
  if mode then
    return mode
  end
  local partitions = {}
  for name in (options.partition or settings.default_partition or ""):gmatch("[^,%s]+") do
    partitions[#partitions + 1] = name
  end
  return strictest(settings.partitions, partitions, settings.mode) or settings.mode
end

-- Running sbatchlint ----------------------------------------------------------------------------------

local MOST_OUTPUT = 200000

-- Read what the shell writes up to the line that begins with *mark*; return the status named there, or nil,
-- and the output before it.  Nobody waits for the end of the pipe: a stray child may hold it open.
local function read_until(pipe, mark)
  local lines, size = {}, 0
  for line in pipe:lines() do
    if line:sub(1, #mark) == mark then
      return line:sub(#mark + 2), table.concat(lines, "\n")
    elseif size < MOST_OUTPUT then
      lines[#lines + 1] = line:sub(1, MOST_OUTPUT)
      size = size + #line
    end
  end
  return nil, table.concat(lines, "\n")
end

local FROM_NOWHERE = "exec </dev/null"
-- sbatch has read its standard input to the end.  A file can be opened once more, what came by a pipe is
-- gone.
local INPUT = { ["/dev/stdin"] = true, ["/dev/fd/0"] = true, ["/proc/self/fd/0"] = true }
local FROM_FILE = [=[[ -f /proc/self/fd/0 ] || { say no-file; exit 0; }
exec </proc/self/fd/0]=]

-- Run *words* for at most *seconds*; return the status as text, or nil, and what it wrote to standard error.
-- With *by_input* the script is what sbatch has read from its standard input: *text*, where that is known.
-- *script* is the name of the script, if it has one.
local function run(words, seconds, by_input, text, script)
  local source = by_input and not text and FROM_FILE or FROM_NOWHERE
  if not by_input and script and script:find("^/dev/fd/") then
    source = source .. "\n[ ! -p " .. quoted(script) .. " ] || { say no-file; exit 0; }"
  end
  local feed = by_input and text and ("printf '%s' " .. quoted(text) .. " | ") or ""
  local mark = "sbatchlint-filter " .. tostring({}):gsub("%W", "")
  local site = settings.site_config
  local limited = { settings.timeout, "-k", "0.2", string.format("%.2f", math.max(seconds - 0.2, 0.1)) }
  -- Whatever option the user's shell has set by SHELLOPTS (-e, -u) must do no harm here.
  local program = table.concat({
    "say() { printf '\\n\\n%s %s\\n' " .. quoted(mark) .. ' "$1"; }',
    "set -- " .. quoted_all(limited) .. " " .. quoted_all(words),
    'if [ -t 2 ] && [ -z "${NO_COLOR-}" ] && [ "${TERM-}" != dumb ]; then export FORCE_COLOR=1; fi',
    "exec 2>/dev/null",
    '[ -x "$1" ] || { say no-timeout; exit 0; }',
    source,
    'export SBATCHLINT_FILTER="$PPID"',
    site and ("export SBATCHLINT_SITE_CONFIG=" .. quoted(site)) or "unset SBATCHLINT_SITE_CONFIG || :",
    "status=0",
    feed .. '"$@" 2>&1 >/dev/null || status=$?',
    'say "$status"',
  }, "\n")
  local pipe = io.popen(program, "r")
  if not pipe then
    return nil, ""
  end
  local status, output = read_until(pipe, mark)
  pipe:close()
  return status, output
end

local function command(words)
  local all = {}
  local function add(list)
    for _, word in ipairs(list) do
      all[#all + 1] = word
    end
  end
  add(type(settings.sbatchlint) == "table" and settings.sbatchlint or { settings.sbatchlint })
  add({ "submit", "--lint-only" })
  add(settings.config and { "--lint-config", settings.config } or {})
  add(words)
  return all
end

-- Whether *output* shows an error.  Status 1 alone would not do: Python itself ends with it when a program
-- cannot be loaded or breaks down.
local function names_an_error(output)
  local text = output:gsub(COLOUR, "")
  return text:find("error[", 1, true) and not ("\n" .. text):find("\nTraceback (most recent", 1, true)
end

-- Whether *output* holds a finding or a complaint, and not the plan alone.
local function says_something(output)
  local text = "\n" .. output:gsub(COLOUR, "")
  for _, sign in ipairs({ "error[", "warning[", "info[", "\nsbatchlint: " }) do
    if text:find(sign, 1, true) then
      return true
    end
  end
  return false
end

-- What is said where no verdict came.
local function why_unchecked(status, output, seconds)
  local number = tonumber(status)
  if status == "no-file" then
    return "the script came by a pipe, which can be read only once; `sbatchlint submit` can check it"
  elseif status == "no-timeout" then
    return "there is no " .. settings.timeout
  elseif status == nil then
    return "it could not be started"
  elseif number == 124 or number == 137 then
    return string.format("it took longer than %g s%s", seconds, number == 137 and " or was killed" or "")
  elseif number == 126 or number == 127 then
    return "it could not be started" .. last_words(output)
  elseif number and number > 128 then
    return "it crashed (signal " .. (number - 128) .. ")"
  end
  return "it failed (status " .. status .. ")" .. last_words(output)
end

-- A script that comes by a pipe, as in `sbatch <<END`, is there for sbatch alone, which reads it between our
-- two calls.  So the first of them looks at it with tee(2), which takes nothing out of the pipe.  That works
-- when all of it is there and its writer is gone; a shell's here-document is.
local PEEK = [=[
import ctypes, os, select
SPLICE_F_NONBLOCK, MOST = 2, 65536
writers = select.poll()
writers.register(0, 0)
if writers.poll(300):
    ours, end = os.pipe()
    count = ctypes.CDLL(None).tee(0, end, MOST, SPLICE_F_NONBLOCK)
    if 0 < count < MOST:
        os.write(1, os.read(ours, count))
]=]

local peeked = { seconds = 0 }

-- Whether any job may be checked, as far as can be told before its options are read.
local function may_matter()
  if settings.mode ~= "off" then
    return true
  end
  for _, modes in ipairs({ settings.users, settings.groups, settings.accounts, settings.partitions }) do
    for _, mode in pairs(modes) do
      if mode ~= "off" then
        return true
      end
    end
  end
  return false
end

-- Look at what is in the pipe on standard input, where no word of the command line can be a script.
local function peek()
  local words = words_of_sbatch()
  local python = type(settings.sbatchlint) == "table" and settings.sbatchlint[1]
  if not words or not python or not python:match("/python[%d.]*$") or not may_matter() then
    return
  end
  local started = clock()
  local look = { settings.timeout, "-k", "0.1", "0.5", python, "-I", "-S", "-c", PEEK }
  local program = table.concat({
    "exec 2>/dev/null",
    "[ -p /proc/self/fd/0 ] || exit 0",
    "set -- " .. quoted_all(words),
    'for word do case $word in --wr*) exit 0;; esac; [ ! -f "$word" ] || exit 0; done',
    quoted_all(look),
  }, "\n")
  local pipe = io.popen(program, "r")
  local text = pipe and pipe:read("*a") or ""
  if pipe then
    pipe:close()
  end
  peeked = { text = text ~= "" and text or nil, seconds = started and (clock() - started) or 0 }
end

local MOST_INPUT = 65536

-- Where sbatch begins to read its standard input: others may have read some lines of the file before it.
local begins_at = 0

local function note_where_input_begins()
  begins_at = tonumber((contents("/proc/self/fdinfo/0") or ""):match("pos:%s*(%d+)")) or 0
end

-- The text of standard input, a file, from where sbatch began; nil where it is too long to be handed on.
local function input_from_there()
  local file = io.open("/proc/self/fd/0", "rb")
  if not file then
    return nil
  end
  local text = file:seek("set", begins_at) and file:read(MOST_INPUT + 1) or nil
  file:close()
  return text and #text <= MOST_INPUT and text or nil
end

-- Check this submission, show what there is to show, and return "clean", "errors" or "unchecked".
local function check(options, started)
  local words = words_of_sbatch()
  if not words then
    notice("the job was not checked: the command line cannot be read")
    return "unchecked"
  end
  local script = options.wrap == nil and (options.argv or {})[1] or nil
  local unnamed = options.wrap == nil and not script
  local by_input = unnamed or INPUT[script] or false
  local text = peeked.text
  if unnamed and not text and begins_at > 0 then
    text = input_from_there()
    if not text then
      notice("the job was not checked: its script begins in the middle of a long file")
      return "unchecked"
    end
  end
  local spent = peeked.seconds + (started and (clock() - started) or 0)
  local status, output = run(command(words), settings.seconds - spent, by_input, text, script)
  if status == "0" then
    if settings.plan or says_something(output) then
      show(output)
    end
    return "clean"
  elseif status == "1" and names_an_error(output) then
    show(output)
    return "errors"
  elseif status == "2" then
    show(output)
    notice("the job was not checked, for the reason above")
  else
    notice("the job was not checked: " .. why_unchecked(status, output, settings.seconds))
  end
  return "unchecked"
end

-- Leave a line for those who count; it tells nothing of the script.
local function record(mode, outcome, started)
  if settings.logger then
    local took = started and string.format(" seconds=%.2f", clock() - started) or ""
    local uid = (contents("/proc/self/status") or ""):match("\nUid:%s*(%d+)") or "?"
    local line = "uid=" .. uid .. " mode=" .. mode .. " outcome=" .. outcome .. took
    local words = { settings.logger, "-t", "sbatchlint", "-p", "user.info", "--", line }
    os.execute(quoted_all(words) .. " </dev/null >/dev/null 2>&1 &")
  end
end

-- What Slurm calls ------------------------------------------------------------------------------------

-- Of this sbatch.  Slurm asks once for each component of a heterogeneous job, which is one command line.
local outcome
local said = {}

local function notice_once(text)
  if not said[text] then
    said[text] = true
    notice(text)
  end
end

local function pre_submit(options)
  if options.type ~= "sbatch" or options["test-only"] == "set" or options.external == "set" then
    return slurm.SUCCESS -- nothing is submitted, or no script
  elseif fault_of_settings then
    notice_once("jobs are not checked: " .. tostring(fault_of_settings))
    return slurm.SUCCESS
  end
  local started = clock()
  local mode, unknown = mode_of(options)
  if not mode then
    notice_once("the job was not checked: " .. unknown)
    return slurm.SUCCESS
  elseif mode == "off" or (mode == "warn" and os.getenv("SBATCHLINT") == "off") then
    return slurm.SUCCESS
  elseif called_by_sbatchlint() then
    notice_once("this sbatch was called by sbatchlint itself and is not checked again")
    return slurm.SUCCESS
  end
  if os.getenv("SBATCHLINT") == "off" then
    notice_once("SBATCHLINT=off does not count here, errors refuse the job")
  end
  if not outcome then
    outcome = check(options, started)
    record(mode, outcome, started)
  end
  if outcome == "errors" and mode == "enforce" then
    local help = settings.help and (" " .. settings.help) or ""
    slurm.log_error("%s", "sbatchlint: the job was not submitted, because of the errors above." .. help)
    return slurm.ERROR
  end
  return slurm.SUCCESS
end

function slurm_cli_pre_submit(options, offset)
  local ran, result = pcall(pre_submit, options)
  if ran then
    return result
  end
  pcall(notice, "the job was not checked: " .. tostring(result))
  return slurm.SUCCESS
end

local called = false

-- Called for the first time before sbatch reads its script.
function slurm_cli_setup_defaults(options, early)
  if not called and not fault_of_settings then
    called = true
    pcall(function()
      if options.type == "sbatch" then
        note_where_input_begins()
        peek()
      end
    end)
  end
  return slurm.SUCCESS
end

function slurm_cli_post_submit(offset, job_id, step_id)
  return slurm.SUCCESS
end

return slurm.SUCCESS

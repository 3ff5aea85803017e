-- Settings for sbatchlint's cli_filter.lua; this file belongs beside it, or in /etc/sbatchlint.
-- All of them, with what they mean, stand at the top of cli_filter.lua.  Leave out what shall stay as it is.

return {
  sbatchlint = { "/opt/sbatchlint/bin/python", "-I", "-m", "sbatchlint" },

  -- Begin with "off" for all and "warn" for yourselves; docs/cluster-staff.md goes on from there.
  mode = "off",
  groups = { ["hpc-staff"] = "warn" },

  -- partitions = { batch = "enforce", interactive = "warn" },
  -- default_partition = "batch",
  -- logger = "/usr/bin/logger",
  -- help = "Questions: hpc-help@example.org",
}

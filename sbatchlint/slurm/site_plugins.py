"""Options that plugins of well-known sites add to sbatch, besides Pyxis's, which are in the option table.

A script that uses one is in order where the plugin is installed; nothing can be said of it elsewhere.
Sources: Shifter's Slurm plugin (NERSC), the user guides of CSCS for its container engine and for uenv, and
public scripts of many users of Shanghai AI Laboratory's clusters (``--quotatype=reserved``).
"""

from __future__ import annotations

PLUGIN_OPTIONS = frozenset("image volume module entrypoint ccm environment uenv view quotatype".split())
"""Long names without dashes."""

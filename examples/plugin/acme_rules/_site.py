"""What both rules know of the cluster."""

from __future__ import annotations

PROJECTS = ("llm", "speech", "vision")
"""The projects that have an account."""
FABRIC_MODULE = "acme-fabric"
"""Makes NCCL use the cluster's own network; without it NCCL falls back on TCP."""

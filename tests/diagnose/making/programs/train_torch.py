"""A stand-in for training on real torch.distributed, with gloo; it fails as ``train.py`` does."""

import datetime
import os
import time

import torch
import torch.distributed as dist
import train  # type: ignore[import-not-found]  # it lies beside this file
from torch.distributed.elastic.multiprocessing.errors import record


def main() -> None:
    """Join, add up a tensor in each step, leave."""
    failing = os.environ.get("FAIL", "") if train.told("FAIL_RANK", "-1") == train.RANK else ""
    if failing == "import":
        train.fail(failing)
    patience = datetime.timedelta(seconds=train.told("COLLECTIVE_SECONDS", "60"))
    dist.init_process_group("gloo", timeout=patience)
    print(f"[rank{dist.get_rank()}] joined a world of {dist.get_world_size()}", flush=True)
    for step in range(1, train.STEPS + 1):
        if failing and train.told("FAIL_AT", "4") == step:
            train.fail(failing)
        loss = torch.full((4,), 1.0 / step)
        dist.all_reduce(loss)
        if dist.get_rank() == 0:
            train.report(step, loss[0].item())
        time.sleep(train.PACE)
    dist.destroy_process_group()


if __name__ == "__main__":
    record(main)()

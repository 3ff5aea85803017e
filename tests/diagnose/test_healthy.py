# ruff: noqa: E501
"""Logs that look bad and are fine: a failure that is none is the worst that can be told."""

from __future__ import annotations

import pytest

from sbatchlint.diagnose.diagnosis import State
from tests.diagnose.scenes import diagnose

END = "Epoch 9: 100%|####| 10/10 [00:01<00:00,  9.5it/s, loss=0.3]\n"
HEALTHY = {
    "a plugin of NCCL that is not there": "n1:1:2 [0] NCCL INFO NET/Plugin: dlerror=libnccl-net.so: cannot open "
    "shared object file: No such file or directory No plugin found\n",
    "tensorflow without a GPU": "2021-01-01 10:00:00.1: E tensorflow/cuda_driver.cc:271] failed call to cuInit: "
    "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected\n" + END,
    "a command that is not needed": "module: command not found\n" + END,
    "the hub, tried again": "ReadTimeoutError(host='huggingface.co') thrown while requesting HEAD\n"
    "Retrying in 1s [Retry 1/5].\n" + END,
    "wandb's server": "wandb: ERROR Error while calling W&B API: internal server error (<Response [500]>)\n"
    "wandb: Waiting for W&B process to finish... (success).\n",
    "DeepSpeed's end": "[2024-01-05 11:00:00,1] [INFO] [launch.py:348:main] Process 300 exits successfully.\n",
    "a build": "[ 12%] Building CXX object src/error.cc.o\n-- Performing Test HAVE_X - Failed\n[100%] Built\n",
    "pip's remark": "ERROR: pip's dependency resolver does not currently take into account all packages\n"
    "Successfully installed numpy-1.23\n",
    "a monitor that is stopped": "step 1000 loss 2.1\n/var/spool/slurmd/job9/slurm_script: line 44: 4411 "
    "Terminated              nvidia-smi dmon\n/var/spool/slurmd/job9/slurm_script: line 44: 4412 Killed"
    "                  uvicorn app:main\ndone\n",
    "steps that wait": "srun: Job 12 step creation temporarily disabled, retrying (Requested nodes are busy)\n"
    "srun: Step created for job 12\n",
    "numbers called errors": "Word Error: 3.2%\nTest Error: \n Accuracy: 71.3%, Avg loss: 0.9\nMSE Error: 0.02\n",
    "an import that fails in a warning": "WARNING 03-27 22:19:38 [utils.py:1] Failed to import from vllm._C with "
    "ModuleNotFoundError(\"No module named 'vllm._C'\")\n",
    "a handled traceback": 'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\nRuntimeError: '
    "CUDA Setup failed\nwarn: continuing\nstep 10, loss 2.0\nTraining complete\n",
    "a probe": "probe: error: argument -x: not supported here\nEpoch 4: loss 0.1\n",
    "Enroot's information": "pyxis:     [INFO] Authenticating with user: <anonymous>\n" + END,
    "a library that tensorflow does without": "2021-01-01 10:00:00.1: W tensorflow/dso_loader.cc:60] Could not "
    "load dynamic library 'libcudart.so.11.0'; dlerror: cannot open shared object file\n" + END,
}


@pytest.mark.parametrize("log", HEALTHY.values(), ids=HEALTHY)
def test_nothing_is_made_of_it(log: str) -> None:
    assert diagnose(log).state is State.NO_FAILURE

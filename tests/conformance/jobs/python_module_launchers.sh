#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1

export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n1)
export MASTER_PORT=29400 WORLD_SIZE=$((SLURM_NNODES * 4))
srun python -m torch.distributed.run --nnodes $SLURM_NNODES --nproc_per_node 4 train.py
srun bash -c 'accelerate launch --num_machines $SLURM_NNODES --machine_rank $SLURM_NODEID --num_processes $WORLD_SIZE \
  --main_process_ip $MASTER_ADDR --main_process_port $MASTER_PORT train.py'
srun bash -c "deepspeed --num_gpus 4 --node_rank \$SLURM_PROCID --master_port $MASTER_PORT train.py"

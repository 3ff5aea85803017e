# The job's first node, in the ways that scripts name it.

#### by head
A=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n1)
B=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
C=`scontrol show hostname $SLURM_NODELIST | head -1`
D=$(scontrol show hostnames | head -1)
python "$A" $B "$C" $D --addr=$A:29500

#### by sed and awk
A=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed -n 1p)
B=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | awk 'NR==1')
C=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | awk 'NR==1{print $1}')
python "$A" $B "$C"

#### by an array
nodes=( $(scontrol show hostnames "$SLURM_JOB_NODELIST") )
mapfile -t more < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
readarray -t again <<< "$(scontrol show hostnames "$SLURM_JOB_NODELIST")"
python ${nodes[0]} "${more[0]}" "${again[0]}" "$nodes" "${nodes[@]}" ${nodes[1]} "${nodes[1]}"

#### by a variable first
nodes=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
array=($nodes)
head=${array[0]}
first=$(echo $nodes | awk '{print $1}')
other=$(echo "$nodes" | head -n1)
python $head "$first" $other

#### behind others in an array
nodes=(login $(scontrol show hostnames))
python "${nodes[0]}" "${nodes[1]}" "${nodes[2]}" end

#### by the host itself
A=$(hostname)
B=$(hostname -s)
python $A "$B"
srun -n1 bash -c 'python "$(hostname)"'

#### its address
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n1)
ip=$(srun --nodes=1 --ntasks=1 -w "$head" hostname --ip-address)
name=$(srun -N1 -n1 -w $head hostname)
python "$ip" $name

#### a file of nodes
scontrol show hostnames "$SLURM_JOB_NODELIST" > hosts.txt
python "$(head -n1 hosts.txt)" "$(wc -l < hosts.txt)"

#### a list that is not Slurm's
SLURM_JOB_NODELIST=x
A=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n1)
B=$(scontrol show hostnames "other[1-2]" | head -n1)
python "$A" "$B"

#### in a function
head_node() { scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n1; }
export MASTER_ADDR=$(head_node)
python $MASTER_ADDR

#### each of them
for node in $(scontrol show hostnames "$SLURM_JOB_NODELIST"); do python "$node"; done

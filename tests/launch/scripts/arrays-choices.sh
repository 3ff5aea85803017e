# Arrays with a subscript that is not known.

#### array tasks
#SBATCH --array=0-2
LRS=(0.1 "0.2 x" 0.3)
LR=${LRS[$SLURM_ARRAY_TASK_ID]}
python --lr "$LR" "${LRS[SLURM_ARRAY_TASK_ID]}" "${LRS[$((SLURM_ARRAY_TASK_ID + 1))]}" ${LRS[$SLURM_ARRAY_TASK_ID]} "${LRS[$SLURM_ARRAY_TASK_ID]:-none}" "${LRS[SLURM_ARRAY_TASK_ID % 3]}"

#### unknown index
A=(x y "z w")
declare -A M=([k]=v [l]=w)
python "${A[$WHO]}" "${M[$WHO]}" "${A[$WHO]:-d}" "${A[-1]}"
python ${A[$WHO]} end
if [ "$GIVEN" = x ]; then K=k; I=0; else K=l; I=2; fi
python "${M[$K]}" "${A[I]}" "${A[$I]}" "${A[I+1]}" "${A[I-3]:-n}" "pre-${A[$I]%% *}"

#### associative arrays with an unknown key
declare -A M=([a]=1 [b]=2)
python "${M[$WHO]}" "${M[$WHO]:-none}"
M[$WHO]=3
python "${M[a]}" "${#M[@]}"

#### keys and values of an array
A=(x y z)
unset 'A[1]'
python "${!A[@]}" "${A[@]:1:2}" "${A[@]:0:2}" "${#A[@]}"
declare -A M=([k 1]=v)
python "${!M[@]}" "${M[@]}"

#### associative arrays grown and read by an unknown key
declare -A M
for k in a b; do M[$k]=v$k; done
python "${M[$WHO]}" "${M[$WHO]+set}" "${#M[@]}" "${M[$WHO]:-${M[a]}}"
if [ "${M[$WHO]}" = va ]; then python a; fi
if [ -z "${M[$WHO]}" ]; then python none; fi
if [ -n "${M[$WHO]:-x}" ]; then python some; fi

#### an unknown index is followed by more
A=(1 2)
A[$WHO]=3
python "${A[0]}"
B=(1 2)
unset "B[$WHO]"
python "${B[0]}" "${#B[@]}"
i=$WHO
C=(x "")
python "<${C[i]}>" ${C[i]} end

# Names that a default makes: the environment may make another of them.

#### a variable's name
CFG_train=a CFG_17=b
eval "python \$CFG_${MODE:-train}"
eval "python \${CFG_${MODE:-train}}" \${CFG_train}

#### a script that is started
echo 'python t; A=1' > train.sh
bash ${MODE:-train}.sh
python end

#### a script that is started by its path
printf '#!/bin/bash\npython t\n' > train.sh
chmod +x train.sh
./${MODE:-train}.sh
python end

#### a script that is sourced
echo 'A=1; python t' > train.sh
A=0
source ./${MODE:-train}.sh
python $A
B=2
python $B

#### an alternative that a default leaves out
MORE=${MORE:-}
srun ${MORE:+--container-mounts=$MORE} python x
python "${MORE:+--more}" y
python ${MORE:+--more}
A=${MORE:+set}
python "$A"

#### no alternative
MORE=
srun ${MORE:+--container-mounts=$MORE} python x

# Scripts that are started by a path, seen from the folder that the shell is in.

#### a script in another folder
mkdir -p d
echo 'python t' > d/run.sh
cd d
bash run.sh
bash ./run.sh
cd ..
bash d/run.sh
bash run.sh
python end

#### a script that was left behind
echo 'python t' > run.sh
mkdir -p d
cd d
bash run.sh
bash ../run.sh
cd -
bash run.sh
python end

#### a folder for a while
mkdir -p d/e
echo 'python top "$PWD"' > run.sh
pushd d
echo 'python t' > run.sh
(cd e; echo 'python u' > run.sh; bash run.sh)
bash run.sh
bash e/run.sh
popd
bash d/run.sh

#### a folder on one way
mkdir -p d
echo 'A=1' > d/lib.sh
echo 'A=2' > lib.sh
[ -n "$Z" ] && cd d
. ./lib.sh
python "$A"

#### a folder in a loop
mkdir -p a b
for d in a b; do echo "python $d" > $d/run.sh; done
for d in a b; do cd $d; bash run.sh; cd ..; done
for d in $GIVEN; do cd "$d"; done
bash run.sh
python end

#### a folder in a script of its own
mkdir -p d
echo 'python t' > d/run.sh
bash -c 'cd d; bash run.sh'
bash d/run.sh
cd d
bash -c 'bash run.sh'

#### where the job was submitted
echo 'python t' > run.sh
python "$SLURM_SUBMIT_DIR"
cd /tmp
bash run.sh > /dev/null 2>&1
python end

# Starts a Slurm beside the one of the nodes, which takes each of them for a machine of 2 sockets x 2 NUMA domains x 4 cores. The part of
# the kernel of such a machine is played by kernel.so: the binding that Slurm computed is printed by srun, and not made.
folder=/tmp/synthetic
mkdir -p $folder/state $folder/spool
cp /etc/slurm/cgroup.conf $folder/
{
    cat << END
ClusterName=synthetic
SlurmctldHost=$CONTROLLER
SlurmctldPort=7817
SlurmdPort=7818
AuthType=auth/munge
SlurmUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
END
    for node in $NODES; do
        echo "NodeName=${node%=*} NodeAddr=${node#*=} CPUs=16 SocketsPerBoard=2 CoresPerSocket=8 ThreadsPerCore=1"
    done
    echo "PartitionName=synthetic Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
} > $folder/slurm.conf
if [ "$(hostname)" = "$CONTROLLER" ]; then slurmctld -c -f $folder/slurm.conf; fi
export LD_PRELOAD=$folder/kernel.so HWLOC_SYNTHETIC="pack:2 numa:2 l3:1 core:4 pu:1" HWLOC_THISSYSTEM=1
slurmd -f $folder/slurm.conf

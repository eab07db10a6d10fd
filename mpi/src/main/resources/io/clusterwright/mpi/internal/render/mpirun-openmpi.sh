
@OPTIONS@
find_launcher 'Open MPI' 'Open.?MPI|OpenRTE|PRRTE' mpirun.openmpi mpirun prterun
arguments=(--hostfile "$hostfile" -n "$ranks" @BINDING@)
if [[ -n $per_node ]]; then arguments+=(--map-by "ppr:$per_node:node"); fi
# Only variables of Open MPI itself reach other nodes unasked.
for variable in PATH LD_LIBRARY_PATH @VARIABLES@; do
    if [[ $variable != OMPI_* && -v $variable ]]; then arguments+=(-x "$variable"); fi
done
export OMPI_MCA_plm_rsh_agent="${OMPI_MCA_plm_rsh_agent:-ssh -o BatchMode=yes -o ConnectTimeout=10}"
export PRTE_MCA_plm_ssh_agent="${PRTE_MCA_plm_ssh_agent:-$OMPI_MCA_plm_rsh_agent}"
if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
exec "$launcher" @ARGUMENTS@ "${arguments[@]}" "$@"

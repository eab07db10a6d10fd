
@OPTIONS@
find_launcher 'Open MPI' 'Open.?MPI|OpenRTE|PRRTE' mpirun.openmpi mpirun prterun
cw_arguments=(--hostfile "$cw_hostfile" -n "$cw_ranks")
if [[ -n $cw_per_node ]]; then
    cw_arguments+=( @PER_NODE@)
@OTHERWISE@
fi
# Only variables of Open MPI itself reach other nodes unasked.
for cw_variable in PATH LD_LIBRARY_PATH @VARIABLES@; do
    if [[ $cw_variable != OMPI_* && -v $cw_variable ]]; then cw_arguments+=(-x "$cw_variable"); fi
done
export OMPI_MCA_plm_rsh_agent="${OMPI_MCA_plm_rsh_agent:-ssh -o BatchMode=yes -o ConnectTimeout=10}"
export PRTE_MCA_plm_ssh_agent="${PRTE_MCA_plm_ssh_agent:-$OMPI_MCA_plm_rsh_agent}"
if ((EUID == 0)); then export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; fi
exec "$cw_launcher" @ARGUMENTS@ "${cw_arguments[@]}" "$@"

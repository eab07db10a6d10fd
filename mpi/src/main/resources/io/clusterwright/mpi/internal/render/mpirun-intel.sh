
cw_hosts=
cw_hosts_first=
cw_print=
cw_own_hostfile=
@OPTIONS@
if [[ -n $cw_hosts ]]; then
    cw_per_node=${cw_per_node:-1}
    cw_commas=${cw_hosts//[^,]/}
    cw_most=$(((${#cw_commas} + 1) * cw_per_node))
    if ((cw_ranks > cw_most)); then cw_ranks=$cw_most; fi
fi
if [[ -n $cw_own_hostfile && -n $cw_hosts ]]; then fail "give -hosts or -hostfile, not both"; fi
if [[ -n $cw_own_hostfile ]]; then
    [[ -n $cw_print || -s $cw_own_hostfile ]] || fail "the host file $cw_own_hostfile is missing or empty"
    cw_arguments=(-n "$cw_ranks")
    if [[ -n $cw_per_node ]]; then cw_arguments+=(-ppn "$cw_per_node"); fi
    # -hostfile names the nodes only, and Intel MPI then fills the first one.
    if [[ -z $cw_per_node && $cw_ranks == "$cw_slots" ]]; then
        cw_arguments+=(-machinefile "$cw_own_hostfile")
    else
        cw_arguments+=(-hostfile "$cw_own_hostfile")
    fi
elif [[ -n $cw_per_node ]]; then
    if [[ -z $cw_hosts ]]; then
        cw_used=$(((cw_ranks + cw_per_node - 1) / cw_per_node))
        cw_hosts=$(cut -d : -f 1 "$cw_hostfile" | head -n "$cw_used" | paste -s -d , -)
    fi
    if [[ -n $cw_hosts_first ]]; then
        cw_arguments=(-hosts "$cw_hosts" -ppn "$cw_per_node" -n "$cw_ranks")
    else
        cw_arguments=(-ppn "$cw_per_node" -n "$cw_ranks" -hosts "$cw_hosts")
    fi
    for cw_name in @NAMES@; do
        cw_arguments+=(-env "$cw_name=${!cw_name}")
    done
else
    cw_arguments=(-n "$cw_ranks" -machinefile "$cw_hostfile")
fi
if [[ -n $cw_print ]]; then
    cw_line=@MPIRUN@
    for cw_word in @ARGUMENTS@ "${cw_arguments[@]}" "$@"; do
        if [[ $cw_word =~ ^[A-Za-z0-9_./:=,@%+-]+$ ]]; then cw_line+=" $cw_word"; else cw_line+=" ${cw_word@Q}"; fi
    done
    echo "$cw_line"
    exit 0
fi
find_launcher 'Intel MPI' 'Intel.*MPI' @LAUNCHERS@
exec "$cw_launcher" @ARGUMENTS@ "${cw_arguments[@]}" "$@"


hosts=
hosts_first=
print=
own_hostfile=
@OPTIONS@
if [[ -n $hosts ]]; then
    per_node=${per_node:-1}
    commas=${hosts//[^,]/}
    most=$(((${#commas} + 1) * per_node))
    if ((ranks > most)); then ranks=$most; fi
fi
if [[ -n $own_hostfile && -n $hosts ]]; then fail "give -hosts or -hostfile, not both"; fi
if [[ -n $own_hostfile ]]; then
    [[ -n $print || -s $own_hostfile ]] || fail "the host file $own_hostfile is missing or empty"
    arguments=(-n "$ranks")
    if [[ -n $per_node ]]; then arguments+=(-ppn "$per_node"); fi
    arguments+=(-hostfile "$own_hostfile")
elif [[ -n $per_node ]]; then
    hosts=${hosts:-$(cut -d : -f 1 "$hostfile" | head -n $(((ranks + per_node - 1) / per_node)) | paste -s -d , -)}
    if [[ -n $hosts_first ]]; then
        arguments=(-hosts "$hosts" -ppn "$per_node" -n "$ranks")
    else
        arguments=(-ppn "$per_node" -n "$ranks" -hosts "$hosts")
    fi
    for name in @NAMES@; do
        arguments+=(-env "$name=${!name}")
    done
else
    arguments=(-n "$ranks" -machinefile "$hostfile")
fi
if [[ -n $print ]]; then
    line=@MPIRUN@
    for word in @ARGUMENTS@ "${arguments[@]}" "$@"; do
        if [[ $word =~ ^[A-Za-z0-9_./:=,@%+-]+$ ]]; then line+=" $word"; else line+=" ${word@Q}"; fi
    done
    echo "$line"
    exit 0
fi
find_launcher 'Intel MPI' 'Intel.*MPI' @LAUNCHERS@
exec "$launcher" @ARGUMENTS@ "${arguments[@]}" "$@"

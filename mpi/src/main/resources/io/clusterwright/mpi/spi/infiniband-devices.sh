# Before a rank: where an Ethernet device stands beside those of InfiniBand, UCX is to use the latter. Their names differ between nodes.
cw_fast= cw_other=
for cw_port in /sys/class/infiniband/*/ports/*; do
    read -r cw_layer 2> /dev/null < "$cw_port/link_layer" || continue
    read -r cw_state 2> /dev/null < "$cw_port/state" || cw_state=
    cw_device=${cw_port%/ports/*}
    case $cw_layer:$cw_state in
        InfiniBand:*ACTIVE*) cw_fast=$cw_fast${cw_fast:+,}${cw_device##*/}:${cw_port##*/} ;;
        Ethernet:*) cw_other=yes ;;
    esac
done
if [ -n "$cw_fast" ] && [ -n "$cw_other" ]; then export UCX_NET_DEVICES="${UCX_NET_DEVICES:-$cw_fast}"; fi

# Before a rank: where an Ethernet device stands beside those of InfiniBand, UCX is to use the latter. Their names differ between nodes.
# With CW_RAIL, the number of a rail, it is to use that one alone: rails are counted in the order of PCI addresses and names.
cw_fast= cw_other= cw_rails=
for cw_port in /sys/class/infiniband/*/ports/*; do
    read -r cw_layer 2> /dev/null < "$cw_port/link_layer" || continue
    read -r cw_state 2> /dev/null < "$cw_port/state" || cw_state=
    cw_device=${cw_port%/ports/*}
    cw_name=${cw_device##*/}:${cw_port##*/}
    case $cw_layer:$cw_state in
        InfiniBand:*": ACTIVE") cw_fast=$cw_fast${cw_fast:+,}$cw_name ;;
        Ethernet:*) cw_other=yes ;;
    esac
    case $cw_layer:${CW_RAIL:+rail} in
        InfiniBand:rail)
            cw_pci=$(readlink "$cw_device/device")
            cw_rails="$cw_rails${cw_pci##*/} $cw_name ${cw_state#*: }
"
            ;;
    esac
done
if [ -n "${CW_RAIL-}" ]; then
    cw_rails=$(printf %s "$cw_rails" | LC_ALL=C sort)
    cw_name=$(echo "$cw_rails" | sed -n "${CW_RAIL}p")
    cw_name=${cw_name#* }
    cw_name=${cw_name%% *}
    export UCX_NET_DEVICES="$cw_name" MV2_IBA_HCA="${cw_name%:*}"
elif [ -n "$cw_fast" ] && [ -n "$cw_other" ]; then
    export UCX_NET_DEVICES="${UCX_NET_DEVICES:-$cw_fast}"
fi

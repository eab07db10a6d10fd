cw_here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
cw_hostfile=$cw_here/@HOSTFILE@
cw_ranks=
cw_per_node=
while (($# > 0)); do
    case $1 in
        -n | -np | --ppn | -ppn)
            [[ ${2:-} =~ ^[1-9][0-9]{0,6}$ ]] || fail "$1 needs a number from 1 on, not \"${2:-}\""
            if [[ $1 == *ppn ]]; then cw_per_node=$2; else cw_ranks=$2; fi
            shift 2
            ;;
@CASES@
        -h | --help)
            usage
            exit 0
            ;;
        --)
            shift
            break
            ;;
        -*) fail "there is no option $1; see --help" ;;
        *) break ;;
    esac
done
(($# > 0)) || {
    usage >&2
    exit 2
}
[[ -s $cw_hostfile ]] ||
    fail "$cw_hostfile is not there or empty: keep the files that were rendered together in one folder"
# A line without a number is one slot.
read -r cw_nodes cw_slots < <(awk '
    { sub(/#.*/, "") }
    NF {
        nodes++
        number = 1
        if (match($0, /(:|[ \t]slots=)[0-9]+/)) {
            number = substr($0, RSTART, RLENGTH)
            gsub(/[^0-9]/, "", number)
        }
        slots += number
    }
    END { print nodes + 0, slots + 0 }' "$cw_hostfile")
((cw_nodes > 0)) || fail "the host file $cw_hostfile names no node"
if [[ -z $cw_ranks ]]; then
    if [[ -n $cw_per_node ]]; then cw_ranks=$((cw_nodes * cw_per_node)); else cw_ranks=$cw_slots; fi
fi
load() { # A file that is sourced must not take the program's arguments for its own.
    . "$cw_here/mpi.env"
}
load

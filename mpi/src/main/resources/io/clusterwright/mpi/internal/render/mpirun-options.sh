here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
hostfile=$here/@HOSTFILE@
ranks=
per_node=
while (($# > 0)); do
    case $1 in
        -n | -np | --ppn | -ppn)
            [[ ${2:-} =~ ^[1-9][0-9]{0,6}$ ]] || fail "$1 needs a number from 1 on, not \"${2:-}\""
            if [[ $1 == *ppn ]]; then per_node=$2; else ranks=$2; fi
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
[[ -s $hostfile ]] || fail "$hostfile is not there or empty: keep the files that were rendered together in one folder"
nodes=$(grep -c . "$hostfile")
slots=$(sed -E 's/.*(:|slots=)//' "$hostfile" | awk '{ sum += $1 } END { print sum }')
if [[ -z $ranks ]]; then
    if [[ -n $per_node ]]; then ranks=$((nodes * per_node)); else ranks=$slots; fi
fi
load() { # A file that is sourced must not take the program's arguments for its own.
    . "$here/mpi.env"
}
load

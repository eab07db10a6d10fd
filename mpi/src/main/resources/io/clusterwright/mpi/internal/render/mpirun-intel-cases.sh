        -hosts | --hosts)
            [[ ${2:-} =~ ^[A-Za-z0-9_.,-]+$ ]] || fail "$1 needs hosts with commas between them, not \"${2:-}\""
            cw_hosts=$2
            if [[ -z $cw_ranks$cw_per_node ]]; then cw_hosts_first=yes; fi
            shift 2
            ;;
        -hostfile | --hostfile)
            [[ -n ${2:-} ]] || fail "$1 needs a file with a host on each line"
            cw_own_hostfile=$2
            if [[ -s $2 ]]; then cw_hostfile=$2; fi
            shift 2
            ;;
        --print)
            cw_print=yes
            shift
            ;;

        -hosts | --hosts)
            [[ ${2:-} =~ ^[A-Za-z0-9_.,-]+$ ]] || fail "$1 needs hosts with commas between them, not \"${2:-}\""
            hosts=$2
            if [[ -z $ranks$per_node ]]; then hosts_first=yes; fi
            shift 2
            ;;
        -hostfile | --hostfile)
            [[ -n ${2:-} ]] || fail "$1 needs a file with a host on each line"
            own_hostfile=$2
            if [[ -s $2 ]]; then hostfile=$2; fi
            shift 2
            ;;
        --print)
            print=yes
            shift
            ;;

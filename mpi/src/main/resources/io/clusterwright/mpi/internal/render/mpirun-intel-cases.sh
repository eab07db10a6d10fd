        -hosts | --hosts)
            [[ ${2:-} =~ ^[A-Za-z0-9_.,-]+$ ]] || fail "$1 needs hosts with commas between them, not \"${2:-}\""
            hosts=$2
            if [[ -z $ranks$per_node ]]; then hosts_first=yes; fi
            shift 2
            ;;
        --print)
            print=yes
            shift
            ;;

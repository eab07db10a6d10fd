# Returns when the controller knows $count nodes and each is ready for jobs or has some; or fails with those that are not. A state that ends
# with an asterisk is of a node that does not answer. What an administrator drained is left as it is.
tries=0
while [ $tries -lt 300 ]; do
    tries=$((tries + 1))
    if states=$(timeout 10 sinfo --noheader --Node --format='%N %T %E' 2>&1); then
        states=$(printf '%s\n' "$states" | sort -u)
        bad=$(printf '%s\n' "$states" |
            grep -E '^[^ ]+ ([^ ]*[*]|(down|unk|inval|err|fail|future|reboot|power)[^ ]*) ' || :)
        if [ -z "$bad" ] && [ "$(printf '%s\n' "$states" | wc -l)" -eq "$count" ]; then exit 0; fi
    else
        bad=$states
    fi
    sleep 0.2
done
printf '%s\n' "${bad:-$states}"
exit 1

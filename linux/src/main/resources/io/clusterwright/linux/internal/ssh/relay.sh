# Starts a command apart from this script, or sees how one is getting on. What to do stands in variables and functions before this.
cw_base=/var/lib/clusterwright-relay
cw_dir=$cw_base/$cw_job
umask 077

# The last line that this prints: state, status, and for each stream how much there is, how much of it is here, and that.
cw_say() {
    printf '\nclusterwright-relay %s %s %s %s %s %s %s %s %s\n' "$cw_job" "$@"
}

cw_fail() {
    echo "$1" >&2
    rm -rf "$cw_dir"
    exit 1
}

cw_home() {
    getent passwd "$1" | cut -d: -f6
}

cw_start() {
    cw_folder=$(cw_home "$cw_user")
    if [ -z "$cw_folder" ]; then
        cw_fail "there is no account $cw_user on this machine"
    fi
    cw_as=$cw_user
    if [ "$cw_elevated" = 1 ]; then
        cw_as=root
    fi
    cw_option=-c
    if su --help 2>&1 | grep -q session-command; then
        # All of the command stays in one session, by which it can be ended.
        cw_option=--session-command
    fi
    # Other users can read command lines, so variables are the first line of standard input.
    { cw_variables && cat "$cw_dir/in"; } >"$cw_dir/in.new" && mv "$cw_dir/in.new" "$cw_dir/in" ||
        cw_fail "there is no room for the command's input"
    : >"$cw_dir/out"
    : >"$cw_dir/err"
    chown "$cw_as" "$cw_dir/in" "$cw_dir/out" "$cw_dir/err" || cw_fail "no file can be given to $cw_as"
    setsid /bin/sh -c '
        set -f
        read -r stat <"/proc/$$/stat"
        echo $$ $(set -- ${stat##*) }; echo "${20-}") >"$1/leader.new"
        mv "$1/leader.new" "$1/leader"
        # Only the files of this script are closed to others: a command makes its files as in a session.
        umask 022
        cd "$2" || cd /
        if [ "$3" = root ]; then
            env -i PATH="$PATH" HOME="$6" USER=root LOGNAME=root SHELL=/bin/sh /bin/sh -c "$5"
        else
            env -i PATH="$PATH" su "$4" "$5" "$3"
        fi <"$1/in" >"$1/out" 2>"$1/err"
        echo $? >"$1/status.new"
        mv "$1/status.new" "$1/status"
    ' clusterwright-job "$cw_dir" "$cw_folder" "$cw_as" "$cw_option" "$(cw_line)" "$(cw_home root)" \
        </dev/null >/dev/null 2>&1 &
}

# Whether the process that leads the job is there, and not another that has its number.
cw_alive() {
    [ -e "$cw_dir/leader" ] || return 0
    read -r cw_pid cw_started <"$cw_dir/leader"
    { read -r cw_stat <"/proc/$cw_pid/stat"; } 2>/dev/null || return 1
    [ "$(set -f; set -- ${cw_stat##*) }; echo "${20-}")" = "$cw_started" ]
}

cw_wait() {
    cw_until=$(($(date +%s) + cw_seconds))
    while [ ! -e "$cw_dir/status" ] && [ "$(date +%s)" -lt "$cw_until" ] && cw_alive; do
        sleep 0.1 2>/dev/null || sleep 1
    done
}

# As much of a file from an offset on as fits into so many characters: cw_total, cw_taken, cw_text.
cw_piece() {
    cw_total=$(($(wc -c <"$1")))
    cw_taken=$((cw_total - $2))
    [ "$cw_taken" -le 262144 ] || cw_taken=262144
    cw_text=-
    if [ "$cw_taken" -le 0 ]; then
        cw_taken=0
        return
    fi
    while :; do
        cw_text=$(tail -c +$(($2 + 1)) "$1" | head -c "$cw_taken" | gzip -c | base64 | tr -d '\n')
        if [ ${#cw_text} -le "$3" ] || [ "$cw_taken" -le 1 ]; then
            return
        fi
        cw_less=$((cw_taken * $3 / ${#cw_text} * 9 / 10))
        [ "$cw_less" -ge 1 ] || cw_less=1
        cw_taken=$cw_less
    done
}

cw_report() {
    if [ ! -e "$cw_dir/out" ]; then
        rm -rf "$cw_dir"
        cw_say lost 0 0 0 - 0 0 -
        return
    fi
    cw_state=running cw_status=0
    if [ ! -e "$cw_dir/status" ] && ! cw_alive && [ ! -e "$cw_dir/status" ]; then
        cw_state=lost
    fi
    if [ -e "$cw_dir/status" ]; then
        cw_state=ended
        read -r cw_status <"$cw_dir/status"
    fi
    cw_room=$cw_characters
    if [ $(($(wc -c <"$cw_dir/out"))) -gt "$cw_out" ] && [ $(($(wc -c <"$cw_dir/err"))) -gt "$cw_err" ]; then
        cw_room=$((cw_characters / 2))
    fi
    cw_piece "$cw_dir/out" "$cw_out" "$cw_room"
    cw_out_total=$cw_total cw_out_taken=$cw_taken cw_out_text=$cw_text
    cw_piece "$cw_dir/err" "$cw_err" "$cw_room"
    if [ "$cw_state" = lost ] || { [ "$cw_state" = ended ] && [ $((cw_out + cw_out_taken)) -ge "$cw_out_total" ] \
        && [ $((cw_err + cw_taken)) -ge "$cw_total" ]; }; then
        # This script may come once more, when its answer is lost: then it answers the same.
        rm -f "$cw_dir/in"
        : >"$cw_dir/taken"
    fi
    cw_say "$cw_state" "$cw_status" "$cw_out_total" "$cw_out_taken" "$cw_out_text" "$cw_total" "$cw_taken" "$cw_text"
}

# Of other jobs whose output was taken, only that they were there stays, and that for a day.
cw_forget() {
    for cw_taken in "$cw_base"/*/taken; do
        cw_other=${cw_taken%/taken}
        if [ "$cw_other" != "$cw_dir" ] && [ -e "$cw_other/out" ]; then
            rm -f "$cw_other/out" "$cw_other/err" "$cw_other/leader" "$cw_other/status"
        fi
    done
    find "$cw_base" -mindepth 2 -maxdepth 2 -name taken -mmin +1440 2>/dev/null | while read -r cw_old; do
        rm -rf "${cw_old%/taken}"
    done
}

# What is there beyond the offset came with this script before, and its answer was lost.
cw_add_input() {
    : >>"$cw_dir/in"
    [ $(($(wc -c <"$cw_dir/in"))) -ge "$cw_from" ] || cw_fail "a part of the command's input is missing"
    head -c "$cw_from" "$cw_dir/in" >"$cw_dir/in.new" && cw_input | gzip -dc >>"$cw_dir/in.new" \
        && mv "$cw_dir/in.new" "$cw_dir/in" || cw_fail "there is no room for the command's input"
}

cw_forget
case $cw_verb in
    stage)
        mkdir -p "$cw_dir" || exit 1
        cw_add_input
        cw_say staged 0 0 0 - 0 0 -
        ;;
    launch)
        if [ -e "$cw_dir/taken" ] && [ ! -e "$cw_dir/out" ]; then
            cw_say lost 0 0 0 - 0 0 -
            exit 0
        fi
        if [ ! -e "$cw_dir/out" ]; then
            mkdir -p "$cw_dir" || exit 1
            cw_add_input
            cw_start
        fi
        cw_wait
        cw_report
        ;;
    look)
        cw_wait
        cw_report
        ;;
    end)
        if [ -e "$cw_dir/leader" ]; then
            read -r cw_pid cw_started <"$cw_dir/leader"
            cw_end_sessions | /bin/sh -s "$cw_kill_at" "$cw_give_up_at" "$cw_pid" "$cw_started" || exit 1
        fi
        cw_report
        rm -rf "$cw_dir"
        rmdir "$cw_base" 2>/dev/null
        ;;
esac
exit 0

# Makes two layers of what root of a node must own to change it: in a user namespace, files of the machine's root are foreign.
# "files" has copies of all folders, of programs that change the user, of /etc and of small files of /var; "mask" hides what
# this user cannot read. All other files stay where they are.
# Standard input: the paths that nodes do not see.
# Arguments: target folder, y to copy all of /var, the words that run a program in the namespace
set -eu -f
target=$1 all=$2
shift 2
cd /

hidden='-path ./none'
while read -r path; do
    case $path in /*) path=${path%/} hidden="$hidden -o -path ${path#/}" ;; esac
done
trees='' links=''
for name in bin lib lib32 lib64 libx32 opt sbin usr; do
    if [ -L "$name" ]; then links="$links $name"; elif [ -d "$name" ]; then trees="$trees $name"; fi
done
small='-size -1024k -not -path var/lib/apt/lists/* -not -path var/lib/dpkg/info/*'
[ "$all" = n ] || small=''

{
    # shellcheck disable=SC2086
    {
        [ -z "$links" ] || printf '%s\0' $links
        find $trees etc var -xdev \( $hidden \) -prune -o -type d -print0
        find $trees -xdev -type f -perm /6000 -readable -print0
        find usr/libexec/sudo usr/lib/sudo -type f -readable -print0
        find etc -xdev \( $hidden \) -prune -o \( -type l -o -type f -readable \) -print0
        find var -xdev \( $hidden -o -path 'var/cache/*' \) -prune -o \( -type l -o -type f -readable $small \) -print0
    } 2> /dev/null || true
} | tar --create --null --no-recursion --numeric-owner --files-from=- --ignore-failed-read --warning=no-failed-read \
    --warning=no-file-changed --file=- |
    "$@" tar --extract --same-owner --same-permissions --numeric-owner --directory="$target/files" --file=-

# shellcheck disable=SC2086,SC2016
find $trees var etc -xdev \( $hidden \) -prune -o \( -type d -o -type f \) -not -readable -printf '%y %s %m %U:%G %p\n' 2> /dev/null |
    "$@" sh -eu -c '
        cd "$1"
        mknod whiteout c 0 0
        while read -r type size mode owner path; do
            mkdir -p "mask/${path%/*}"
            ln whiteout "mask/$path"
            # Folders come back empty, and so do locks, which are empty files.
            case "$type $size" in
                "d "*) mkdir -p "files/$path" ;;
                "f 0") : > "files/$path" ;;
                *) continue ;;
            esac
            chown "$owner" "files/$path" || :
            chmod "$mode" "files/$path"
        done
    ' sh "$target"

# Accounts of which no password is known, with the rights that the real files have.
# shellcheck disable=SC2016
"$@" sh -eu -c '
    cd "$1/files/etc"
    sed "s/^\([^:]*\):.*/\1:*:19000:0:99999:7:::/" passwd > shadow
    sed "s/^\([^:]*\):[^:]*:[^:]*:/\1:*::/" group > gshadow
    chown 0:42 shadow gshadow
    chmod 640 shadow gshadow
    cat > sudoers
    chmod 440 sudoers
' sh "$target" << 'SUDOERS'
Defaults secure_path="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
root ALL=(ALL:ALL) ALL
%sudo ALL=(ALL:ALL) ALL
@includedir /etc/sudoers.d
SUDOERS

package io.clusterwright.linux.internal.node;

import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.UserName;

/**
 * A file or folder on a node.
 *
 * @param owner whose home folder the path starts in; empty for an absolute path
 * @param path the path
 * @param secret whether reading it gives the SHA-256 of its content, not the content
 */
public record NodePath(String owner, String path, boolean secret) {
    /** Ends the lines that run as an account. */
    static final String END_OF_ACCOUNT = "END_OF_ACCOUNT";

    public static NodePath of(String absolute) {
        return new NodePath("", absolute, false);
    }

    public static NodePath home(UserName user, String relative) {
        return new NodePath(user.value(), relative, false);
    }

    public NodePath asSecret() {
        return new NodePath(owner, path, true);
    }

    /** Sets {@code $path} in a shell that has the functions of {@link #asOwner}, and ends it where a link stands in the path. */
    String assignment() {
        String quoted = PosixShell.quote(path);
        return owner.isEmpty() ? "path=" + quoted + "\nlink_of_root\n" : "below_home " + quoted + "\n";
    }

    /**
     * The lines of a script that works on files of one owner: below a home they run as its account, with no more rights than
     * one who could have planted a link there.
     */
    static String asOwner(String owner, String lines) {
        return owner.isEmpty()
                ? LINK_OF_ROOT + lines
                : ACCOUNT.formatted(owner) + BELOW_HOME + lines + END_OF_ACCOUNT + "\n";
    }

    /** A link in a folder of the system may be the distribution's, and is followed then. */
    private static final String LINK_OF_ROOT = """
            link_of_root() {
                [ -L "$path" ] || return 0
                if [ "$(stat -c %u "$path")" != 0 ]; then
                    echo "$path is a symbolic link that does not belong to root: remove it" >&2
                    exit 1
                fi
                path=$(readlink -f "$path")
            }
            """;

    /** Not by su, whose session of PAM takes most of the time of such a script. */
    private static final String ACCOUNT = """
            cd /
            account=$(getent passwd %1$s) || { echo "there is no user %1$s on this node" >&2; exit 1; }
            account=${account#*:*:}
            user=${account%%%%:*}
            account=${account#*:}
            group=${account%%%%:*}
            setpriv --reuid "$user" --regid "$group" --clear-groups --inh-caps=-all /bin/sh -eu -s <<'END_OF_ACCOUNT'
            umask 077
            set -C
            home=~%1$s
            """;

    private static final String BELOW_HOME = """
            below_home() {
                path=$home
                rest=$1
                while [ -n "$rest" ]; do
                    path=$path/${rest%%/*}
                    case $rest in */*) rest=${rest#*/} ;; *) rest= ;; esac
                    if [ -L "$path" ]; then
                        echo "$path is a symbolic link, which is not followed: remove it" >&2
                        exit 1
                    fi
                done
            }
            """;

    @Override
    public String toString() {
        return owner.isEmpty() ? path : "~" + owner + "/" + path;
    }
}

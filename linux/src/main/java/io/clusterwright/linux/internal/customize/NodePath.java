package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.PosixShell;

/**
 * A file or folder on a node.
 *
 * @param owner whose home folder the path starts in; empty for an absolute path
 * @param path the path
 * @param secret whether reading it gives the SHA-256 of its content, not the content
 */
record NodePath(String owner, String path, boolean secret) {

    static NodePath of(String absolute) {
        return new NodePath("", absolute, false);
    }

    static NodePath home(UserName user, String relative) {
        return new NodePath(user.value(), relative, false);
    }

    NodePath asSecret() {
        return new NodePath(owner, path, true);
    }

    /** The words of a shell that has {@link #HOME_FUNCTION}. */
    String words() {
        return owner.isEmpty() ? PosixShell.quote(path) : "\"$(home " + owner + ")\"/" + PosixShell.quote(path);
    }

    /** Prints a user's home folder; ends the shell where there is no such user. */
    static final String HOME_FUNCTION = """
            home() {
                getent passwd "$1" | cut -d: -f6 | grep . || { echo "there is no user $1 on this node" >&2; exit 1; }
            }
            """;

    @Override
    public String toString() {
        return owner.isEmpty() ? path : "~" + owner + "/" + path;
    }
}

package io.clusterwright.linux.internal.membership;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.type.GroupName;
import java.util.List;

/** The account that jobs run as, on a node. */
public final class JobAccount {
    private JobAccount() {}

    /** The account, with its groups. */
    public static UserAccount of(ClusterSpec spec) {
        return spec.image().customize().user().orElseGet(() -> new UserAccount(spec.mpiUser(), List.of()));
    }

    /** A script of root that makes the account where it is missing, and prints nothing. */
    public static String script(UserAccount account) {
        String user = account.name().value();
        StringBuilder script = new StringBuilder("export PATH=\"$PATH:/usr/sbin:/sbin\"\n");
        for (GroupName group : account.groups()) {
            script.append("getent group %1$s >/dev/null || groupadd %1$s\n".formatted(group));
        }
        script.append("""
                if ! getent passwd %1$s >/dev/null; then
                    if getent group %1$s >/dev/null; then own="--gid %1$s"; else own=--user-group; fi
                    useradd --create-home --shell /bin/bash $own %1$s >&2
                fi
                """.formatted(user));
        // A new account has a locked password ("!"), which some sshd take as a locked account.
        script.append("case $(getent shadow %1$s | cut -d: -f2) in '!'|'!!') usermod --password '*' %1$s ;; esac\n"
                .formatted(user));
        for (GroupName group : account.groups()) {
            script.append("usermod --append --groups %s %s\n".formatted(group, user));
        }
        return script.toString();
    }
}

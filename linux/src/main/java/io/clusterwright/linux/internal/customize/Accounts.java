package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.Command;
import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.linux.internal.node.Site;
import java.util.stream.Collectors;

/** The account of the people who run jobs, made where it is missing. */
final class Accounts {
    private Accounts() {}

    static void run(Site site) {
        site.customization().user().ifPresent(account -> {
            site.run(Command.shell(script(account)).elevate());
            String groups = account.groups().stream().map(GroupName::value).collect(Collectors.joining(", "));
            site.say("user " + account.name() + (groups.isEmpty() ? "" : " in " + groups));
        });
    }

    static String script(UserAccount account) {
        String user = account.name().value();
        StringBuilder script = new StringBuilder();
        for (GroupName group : account.groups()) {
            script.append("getent group %1$s >/dev/null || groupadd %1$s\n".formatted(group));
        }
        script.append("""
                if ! getent passwd %1$s >/dev/null; then
                    if getent group %1$s >/dev/null; then own="--gid %1$s"; else own=--user-group; fi
                    useradd --create-home --shell /bin/bash $own %1$s
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

package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The account of the people who run jobs, made where it is missing; in user data also the one to log in as. */
final class Accounts {
    private Accounts() {}

    static void run(ImageCustomization on) {
        on.wanted().user().ifPresent(account -> {
            on.site().runAsRoot(script(account));
            String groups = account.groups().stream().map(GroupName::value).collect(Collectors.joining(", "));
            on.site().say("user " + account.name() + (groups.isEmpty() ? "" : " in " + groups));
        });
    }

    static void write(CloudConfig data) {
        UserName login = data.input().spec().login().user();
        List<SshPublicKey> keys = new ArrayList<>(data.input().spec().login().publicKeys());
        data.input().accountKeys().stream()
                .filter(key -> keys.stream().noneMatch(key::sameKey))
                .forEach(keys::add);
        Optional<UserAccount> jobs = data.customization().user();
        boolean shared = jobs.filter(account -> account.name().equals(login)).isPresent();
        if (keys.isEmpty()) {
            data.note(
                    "no account for log-ins is set up, because no public key is known: give login.publicKeys, or let the cloud"
                            + " make " + login + " with a key of yours");
        } else {
            data.init().addUser(login, shared ? jobs.get().groups() : List.of(), keys);
        }
        jobs.filter(account -> !shared)
                .ifPresent(account -> data.init().addAccount(account.name(), account.groups(), keys));
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

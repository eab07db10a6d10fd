package io.clusterwright.linux.internal.customize;

import io.clusterwright.core.spec.Customization.UserAccount;
import io.clusterwright.core.type.GroupName;
import io.clusterwright.core.type.SshPublicKey;
import io.clusterwright.core.type.UserName;
import io.clusterwright.linux.internal.membership.NodeMembership;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The account of the people who run jobs, made where it is missing; in user data also the one to log in as. */
final class UserAccounts {
    private UserAccounts() {}

    static void run(ImageCustomization on) {
        UserAccount account = NodeMembership.jobAccount(on.setup().spec());
        on.setup().runAsRoot(NodeMembership.jobAccountScript(account));
        String groups = account.groups().stream().map(GroupName::value).collect(Collectors.joining(", "));
        on.setup().report("user " + account.name() + (groups.isEmpty() ? "" : " in " + groups));
    }

    static void write(CloudConfig data) {
        UserName login = data.input().spec().login().user();
        List<SshPublicKey> keys = new ArrayList<>(data.input().spec().login().publicKeys());
        data.input().accountKeys().stream()
                .filter(key -> keys.stream().noneMatch(key::sameKey))
                .forEach(keys::add);
        UserAccount jobs = NodeMembership.jobAccount(data.input().spec());
        boolean shared = jobs.name().equals(login);
        if (keys.isEmpty()) {
            data.note(
                    "no login account is set up, because there is no public key: write login.publicKeys, or let the cloud"
                            + " create " + login + " with your key");
        } else {
            data.init().addUser(login, shared ? jobs.groups() : List.of(), keys);
        }
        if (!shared) {
            data.init().addAccount(jobs.name(), jobs.groups(), keys);
        }
    }
}

package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.azure.emulator.internal.arm.ResourcePath;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.AddressRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The compute nodes of pools: creation of their machines, and commands that run as tasks run. */
final class BatchNodes {
    /** The folder of the node agent for tasks. */
    static final String ROOT = "/mnt/batch/tasks";

    /** The folder of mounts. */
    private static final String MOUNTS = ROOT + "/fsmounts";

    private static final String AUTO_USER = "_azbatch";
    private static final int FIRST_ADDRESS = 4;

    private final BackingMachines machines;
    private final AddressRange space;

    BatchNodes(BackingMachines machines, AddressRange space) {
        this.machines = machines;
        this.space = space;
    }

    /** The private address of a node, by its number in the subnet. */
    String address(int number) {
        return space.address(FIRST_ADDRESS + number).toString();
    }

    static ResourcePath id(String pool, String node) {
        return ResourcePath.group("batch", pool).resource("Microsoft.Batch/nodes", node);
    }

    /** Boots a node and makes the accounts of its pool. */
    CompletableFuture<?> make(String pool, ObjectNode body, String node, int number) {
        ResourcePath id = id(pool, node);
        return machines.create(new BackingMachines.Order(
                        id,
                        node,
                        Bodies.text(body, "vmSize"),
                        new BackingMachines.Place(
                                ResourcePath.group("batch", "network").resource("Microsoft.Batch/subnets", "nodes"),
                                space.address(FIRST_ADDRESS + number),
                                space,
                                space),
                        new BackingMachines.Login(AUTO_USER, List.of()),
                        new BackingMachines.Source(Optional.empty(), marketplace(body), ""),
                        true))
                .thenCompose(done -> machines.run(id, accounts(body)))
                .thenAccept(output -> {
                    if (output.exit() != 0) {
                        throw new IllegalStateException("accounts of " + node + ": " + output.stderr());
                    }
                });
    }

    private static String marketplace(ObjectNode pool) {
        JsonNode image = Bodies.at(pool, "virtualMachineConfiguration.imageReference");
        String offer = Bodies.text(image, "offer");
        return offer.isEmpty() ? "" : Bodies.text(image, "publisher") + ":" + offer + ":" + Bodies.text(image, "sku");
    }

    CompletableFuture<?> remove(String pool, String node) {
        return machines.delete(id(pool, node));
    }

    /** Accounts that trust each other on all nodes of the pool, where they have a key, and a folder for each mount. */
    private static String accounts(ObjectNode pool) {
        StringBuilder script = new StringBuilder("set -e\nexport PATH=$PATH:/usr/sbin:/sbin\n");
        for (JsonNode account : pool.path("userAccounts")) {
            String name = PosixShell.quote(Bodies.text(account, "name"));
            script.append("id -u %1$s >/dev/null 2>&1 || useradd -m -U -s /bin/bash %1$s\n".formatted(name));
            String key = Bodies.text(account, "linuxUserConfiguration.sshPrivateKey");
            if (!key.isEmpty()) {
                script.append("""
                    home=$(getent passwd %1$s | cut -d: -f6)
                    umask 077; mkdir -p "$home/.ssh"; cd "$home/.ssh"
                    printf '%%s\\n' %2$s >id_ed25519
                    ssh-keygen -y -f id_ed25519 >authorized_keys
                    chown -R %1$s: "$home/.ssh"; cd /
                    """.formatted(name, PosixShell.quote(key.strip())));
            }
        }
        for (JsonNode mount : pool.path("mountConfiguration")) {
            String path = MOUNTS + "/" + mount.findValue("relativeMountPath").asText();
            script.append("umask 022; mkdir -p %1$s; chmod 1777 %1$s\n".formatted(PosixShell.quote(path)));
        }
        return script.toString();
    }

    /**
     * Runs a command line as a task runs.
     *
     * @param identity the {@code userIdentity} of a task: an account of the pool, or an automatic one that may be an administrator
     * @param folder the task's own folder, which is made
     */
    CompletableFuture<BackingMachines.Output> run(
            String pool,
            String node,
            String commandLine,
            JsonNode identity,
            Map<String, String> environment,
            String folder) {
        String words = Stream.concat(
                        environment.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()),
                        words("commandLine", commandLine).stream())
                .map(PosixShell::quote)
                .collect(Collectors.joining(" "));
        String script = """
            export PATH=$PATH:/usr/sbin:/sbin
            set -e
            folder=%1$s
            mkdir -p "$folder/wd"
            chown %2$s: "$folder" "$folder/wd"
            cd "$folder/wd"
            echo $$ >"$folder/pid"
            [ ! -e "$folder/ended" ] || exit 137
            exec setsid -w runuser -u %2$s -- env AZ_BATCH_NODE_MOUNTS_DIR=%3$s HOME="$(getent passwd %2$s | cut -d: -f6)" %4$s
            """.formatted(PosixShell.quote(folder), PosixShell.quote(user(identity)), MOUNTS, words);
        return machines.run(id(pool, node), script);
    }

    /**
     * Puts files into a folder of a node, for the account of a task.
     *
     * @param identity as in {@link #run}
     */
    CompletableFuture<BackingMachines.Output> put(
            String pool, String node, List<BatchFiles.Fetched> files, JsonNode identity, String folder) {
        String user = PosixShell.quote(user(identity));
        CompletableFuture<BackingMachines.Output> done =
                CompletableFuture.completedFuture(new BackingMachines.Output(0, "", ""));
        for (BatchFiles.Fetched file : files) {
            String path = PosixShell.quote(file.path());
            String script = """
                set -e
                mkdir -p %1$s
                cd %1$s
                chown %2$s: .
                part=%3$s
                while [ "$part" != "${part%%/*}" ]; do part=${part%%/*}; mkdir -p "$part"; chown %2$s: "$part"; done
                cat >%3$s
                chmod %4$s %3$s
                chown %2$s: %3$s
                """.formatted(PosixShell.quote(folder), user, path, file.mode());
            done = done.thenCompose(before -> before.exit() == 0
                    ? machines.run(id(pool, node), script, file.content())
                    : CompletableFuture.completedFuture(before));
        }
        return done;
    }

    private static String user(JsonNode identity) {
        boolean admin = Bodies.text(identity, "autoUser.elevationLevel").equalsIgnoreCase("admin");
        String named = Bodies.text(identity, "username");
        return admin ? "root" : named.isEmpty() ? AUTO_USER : named;
    }

    /** Ends what runs in a task's folder, and what would still be started there. */
    CompletableFuture<?> end(String pool, String node, String folder) {
        String find = """
            folder=%s
            mkdir -p "$folder"
            : >"$folder/ended"
            pid=$(cat "$folder/pid") || exit 0
            for child in $(ps -o pid= --ppid "$pid"); do kill -KILL -- "-$child" || kill -KILL "$child" || :; done
            kill -KILL "$pid" || :
            """.formatted(PosixShell.quote(folder));
        return machines.run(id(pool, node), find);
    }

    /**
     * The words of a command line, which Batch runs without a shell: quotes group, and nothing is expanded.
     *
     * @param property its name, for a refusal
     */
    static List<String> words(String property, String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean begun = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else if (c == '\\'
                        && quote == '"'
                        && i + 1 < line.length()
                        && "\"\\".indexOf(line.charAt(i + 1)) >= 0) {
                    word.append(line.charAt(++i));
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                begun = true;
            } else if (Character.isWhitespace(c)) {
                if (begun) {
                    words.add(word.toString());
                    word.setLength(0);
                    begun = false;
                }
            } else {
                begun = true;
                word.append(c == '\\' && i + 1 < line.length() ? line.charAt(++i) : c);
            }
        }
        if (quote != 0) {
            throw BatchRefusals.invalid(property, line, "It has a quote without an end");
        }
        if (begun) {
            words.add(word.toString());
        }
        if (words.isEmpty()) {
            throw BatchRefusals.missing(property);
        }
        return words;
    }
}

package io.clusterwright.azure.emulator.internal.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.clusterwright.azure.emulator.internal.arm.ArmId;
import io.clusterwright.azure.emulator.internal.arm.BackingMachines;
import io.clusterwright.azure.emulator.internal.arm.Bodies;
import io.clusterwright.core.internal.text.PosixShell;
import io.clusterwright.core.type.AddressRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

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

    static ArmId id(String pool, String node) {
        return ArmId.group("batch", pool).resource("Microsoft.Batch/nodes", node);
    }

    /** Boots a node and makes the accounts of its pool. */
    CompletableFuture<?> make(String pool, ObjectNode body, String node, int number) {
        ArmId id = id(pool, node);
        return machines.create(new BackingMachines.Order(
                        id,
                        ArmId.group("batch", "network").resource("Microsoft.Batch/subnets", "nodes"),
                        node,
                        space.address(FIRST_ADDRESS + number),
                        space,
                        space,
                        "",
                        AUTO_USER,
                        List.of(),
                        Optional.empty(),
                        marketplace(body),
                        Bodies.text(body, "vmSize"),
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
            script.append("id -u ")
                    .append(name)
                    .append(" >/dev/null 2>&1 || useradd -m -U -s /bin/bash ")
                    .append(name)
                    .append('\n');
            String key = Bodies.text(account, "linuxUserConfiguration.sshPrivateKey");
            if (!key.isEmpty()) {
                script.append("home=$(getent passwd ")
                        .append(name)
                        .append(" | cut -d: -f6)\n")
                        .append("umask 077; mkdir -p \"$home/.ssh\"; cd \"$home/.ssh\"\n")
                        .append("printf '%s\\n' ")
                        .append(PosixShell.quote(key.strip()))
                        .append(" >id_ed25519\n")
                        .append("ssh-keygen -y -f id_ed25519 >authorized_keys\n")
                        .append("chown -R ")
                        .append(name)
                        .append(": \"$home/.ssh\"; cd /\n");
            }
        }
        for (JsonNode mount : pool.path("mountConfiguration")) {
            String folder = PosixShell.quote(
                    MOUNTS + "/" + mount.findValue("relativeMountPath").asText());
            script.append("umask 022; mkdir -p ")
                    .append(folder)
                    .append("; chmod 1777 ")
                    .append(folder)
                    .append('\n');
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
        List<String> words = words("commandLine", commandLine);
        String user = user(identity);
        StringBuilder script = new StringBuilder("export PATH=$PATH:/usr/sbin:/sbin\nset -e\n");
        script.append("folder=").append(PosixShell.quote(folder)).append("\nmkdir -p \"$folder/wd\"\n");
        script.append("chown ")
                .append(PosixShell.quote(user))
                .append(": \"$folder\" \"$folder/wd\"\ncd \"$folder/wd\"\n");
        script.append("echo $$ >\"$folder/pid\"\n[ ! -e \"$folder/ended\" ] || exit 137\nexec setsid -w runuser -u ")
                .append(PosixShell.quote(user))
                .append(" -- env");
        script.append(" AZ_BATCH_NODE_MOUNTS_DIR=" + MOUNTS + " HOME=\"$(getent passwd ")
                .append(PosixShell.quote(user))
                .append(" | cut -d: -f6)\"");
        environment.forEach((name, value) -> script.append(' ').append(PosixShell.quote(name + "=" + value)));
        words.forEach(word -> script.append(' ').append(PosixShell.quote(word)));
        script.append('\n');
        return machines.run(id(pool, node), script.toString());
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
            String script = "set -e\nmkdir -p " + PosixShell.quote(folder) + "\ncd " + PosixShell.quote(folder)
                    + "\nchown " + user + ": .\npart=" + path
                    + "\nwhile [ \"$part\" != \"${part%/*}\" ]; do part=${part%/*};"
                    + " mkdir -p \"$part\"; chown " + user + ": \"$part\"; done\ncat >" + path + "\nchmod "
                    + file.mode() + " " + path
                    + "\nchown " + user + ": " + path + "\n";
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
        String find = "folder=" + PosixShell.quote(folder) + "\nmkdir -p \"$folder\"\n: >\"$folder/ended\"\n"
                + "pid=$(cat \"$folder/pid\") || exit 0\n"
                + "for child in $(ps -o pid= --ppid \"$pid\"); do kill -KILL -- \"-$child\" || kill -KILL \"$child\" || :; done\n"
                + "kill -KILL \"$pid\" || :\n";
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

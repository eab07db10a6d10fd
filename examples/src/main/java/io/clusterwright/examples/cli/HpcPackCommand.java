package io.clusterwright.examples.cli;

import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackHead;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackException;
import io.clusterwright.windows.hpcpack.HpcPackLogin;
import io.clusterwright.windows.hpcpack.HpcPackTarget;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** The command {@code hpcpack}: the address of a head node and the login there, for the commands below it. */
@Command(
        name = "hpcpack",
        description = "Uses a head node of HPC Pack over REST, from any system.",
        footer = {
            "The password comes from the environment variable CLUSTERWRIGHT_HPCPACK_PASSWORD or from a file, never"
                    + " from the",
            "command line."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            HpcPackNodeCommands.Nodes.class,
            HpcPackNodeCommands.Groups.class,
            HpcPackNodeCommands.Online.class,
            HpcPackNodeCommands.Offline.class,
            HpcPackNodeCommands.Start.class,
            HpcPackNodeCommands.Stop.class,
            HpcPackJobCommands.Templates.class,
            HpcPackJobCommands.Jobs.class,
            HpcPackJobCommands.Submit.class,
            HpcPackJobCommands.View.class,
            HpcPackJobCommands.Output.class,
            HpcPackJobCommands.Cancel.class,
            HpcPackJobCommands.Requeue.class,
            HpcPackJobCommands.Mpi.class,
            HpcPackJobCommands.PingPong.class
        })
final class HpcPackCommand extends ProgramCommand {
    private static final String PASSWORD = "CLUSTERWRIGHT_HPCPACK_PASSWORD";

    @Parameters(
            index = "0",
            paramLabel = "HOST",
            description =
                    "The head node's full name (as in its certificate), its https:// address, or a spec (a .yaml, .yml or"
                            + " .json file) with hpcPack.head.")
    private String host = "";

    @Option(
            names = "--user",
            paramLabel = "USER",
            scope = CommandLine.ScopeType.INHERIT,
            description = "The account that logs in, such as HPC\\user or user@hpc.example.")
    private @Nullable String user;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            scope = CommandLine.ScopeType.INHERIT,
            description = "A file with the password; only its owner may read it. Default: " + PASSWORD + ".")
    private @Nullable Path passwordFile;

    @Option(
            names = "--trust",
            paramLabel = "FILE.cer",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Trust only the certificates of this file. Default: the certificates that this Java trusts.")
    private @Nullable Path trusted;

    @Option(
            names = "--as-user",
            paramLabel = "USER",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Act for another user; needs an administrator.")
    private @Nullable String asUser;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() {
        throw new CommandLine.ParameterException(command.commandLine(), "Missing required subcommand");
    }

    /** The head node, as it was given. */
    String host() {
        return host;
    }

    /** The client of the head node; the caller closes it. */
    HpcPackClient open() {
        return HpcPackClient.open(connection());
    }

    /** The spec that names the head node; absent where the command line does. */
    Optional<ClusterSpec> spec() {
        if (!host.matches(".*\\.(yaml|yml|json)")) {
            return Optional.empty();
        }
        if (user != null || passwordFile != null || trusted != null) {
            throw new RefusedException("hpcPack.head of " + host
                    + " has account, password and trust; remove --user, --password-file and --trust");
        }
        return Optional.of(SpecReader.read(Path.of(host)));
    }

    private HpcPackConnection connection() {
        HpcPackConnection named = spec().map(HpcPackConnection::of).orElseGet(this::given);
        return asUser == null ? named : named.asUser(asUser);
    }

    private HpcPackConnection given() {
        HpcPackConnection connection = HpcPackConnection.of(address(), HpcPackLogin.basic(user(), password()));
        return trusted == null ? connection : connection.trust(trusted);
    }

    private URI address() {
        String text = host.contains("://") ? host : "https://" + host;
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException(
                    "head node address", host, "the full host name of a head node", "head.hpc.example");
        }
    }

    /** The account that logs in. */
    String user() {
        Optional<String> named = head().map(HpcPackHead::user);
        if (named.isPresent()) {
            return named.get();
        }
        if (user == null) {
            throw new RefusedException("no account for " + host + ": add --user (example: --user 'HPC\\user')");
        }
        return user;
    }

    private Optional<HpcPackHead> head() {
        return spec().flatMap(ClusterSpec::hpcPack).flatMap(HpcPackSpec::head);
    }

    /** Its password. */
    Secret password() {
        SecretReference otherwise = passwordFile == null
                ? new SecretReference(SecretReference.Kind.ENV, PASSWORD)
                : new SecretReference(SecretReference.Kind.FILE, passwordFile.toString());
        SecretReference place = head().map(HpcPackHead::password).orElse(otherwise);
        Path folder = spec().map(ClusterSpec::baseFolder).orElse(Path.of("").toAbsolutePath());
        try {
            return place.resolve(System.getenv(), folder);
        } catch (SecretReference.UnavailableException e) {
            throw new RefusedException(e.getMessage() + (passwordFile == null ? ", or add --password-file FILE" : ""));
        }
    }

    /** Whether jobs run as the account that logs in; they run as the other where it acts for one. */
    boolean runsAsLogin() {
        return asUser == null;
    }

    /** A command that a head node of HPC Pack carries out. */
    @Command
    abstract static class OnHead extends ProgramCommand {
        /** The head node's address and login. */
        @ParentCommand
        HpcPackCommand head = new HpcPackCommand();

        /** Does the work; returns the exit status. */
        abstract int run(HpcPackClient client);

        /** Refuses arguments before the head node is asked. */
        void check() {}

        @Override
        public Integer call() {
            json |= head.json;
            check();
            try (HpcPackClient client = head.open()) {
                return run(client);
            } catch (HpcPackException.Unsupported e) {
                if (json) {
                    print(JsonFields.of("error", e.getMessage()).and("commands", e.commands()));
                }
                throw e;
            }
        }
    }

    /** A command that runs MPI jobs on nodes of a head node. */
    abstract static class OnNodes extends OnHead {
        @Option(
                names = "--group",
                paramLabel = "GROUP",
                description =
                        "A node group, such as AzureNodes. Default: the group of the spec, or all nodes except head nodes.")
        private @Nullable String group;

        @Option(names = "--on", paramLabel = "NODES", description = "Only these nodes, such as 'CN[001-004]'.")
        private @Nullable String nodes;

        @Option(
                names = "--template",
                paramLabel = "NAME",
                description = "The job template. Default: the template of the spec, or none.")
        private @Nullable String template;

        /** Does the work on these nodes; returns the exit status. */
        abstract int run(HpcPackTarget target);

        @Override
        final int run(HpcPackClient client) {
            HpcPackTarget target = group != null
                    ? HpcPackTarget.ofGroup(client, group)
                    : head.spec().map(spec -> HpcPackTarget.of(client, spec)).orElseGet(() -> HpcPackTarget.of(client));
            target = head.runsAsLogin() ? target.runAs(head.user(), head.password()) : target;
            target = template == null ? target : target.template(template);
            return run(nodes == null ? target : target.only(NodeSet.expand(nodes)));
        }
    }
}

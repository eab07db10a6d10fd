package io.clusterwright.examples.hpcpack;

import com.fasterxml.jackson.databind.JsonNode;
import io.clusterwright.core.internal.json.Json;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackHead;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Secret;
import io.clusterwright.core.type.SecretReference;
import io.clusterwright.examples.console.RefusedException;
import io.clusterwright.examples.console.ResultJson;
import io.clusterwright.windows.hpcpack.HpcPackClient;
import io.clusterwright.windows.hpcpack.HpcPackConnection;
import io.clusterwright.windows.hpcpack.HpcPackLogin;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code hpcpack}: the address of a head node and the login there, for the commands below it. */
@Command(
        name = "hpcpack",
        description = "Uses a head node of HPC Pack over REST, from any system.",
        footer = {
            "The password comes from the environment variable CLUSTERWRIGHT_HPCPACK_PASSWORD or from a file, never from the",
            "command line."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            NodeCommands.Nodes.class,
            NodeCommands.Groups.class,
            NodeCommands.Online.class,
            NodeCommands.Offline.class,
            NodeCommands.Start.class,
            NodeCommands.Stop.class,
            JobCommands.Templates.class,
            JobCommands.Jobs.class,
            SubmitCommand.class,
            JobCommands.View.class,
            JobCommands.Output.class,
            JobCommands.Cancel.class,
            JobCommands.Requeue.class,
            MpiJobCommand.class,
            PingPongCommand.class
        })
public final class HpcPackCommand {
    private static final String PASSWORD = "CLUSTERWRIGHT_HPCPACK_PASSWORD";

    @Parameters(
            index = "0",
            paramLabel = "HOST",
            description =
                    "The head node's full name, as its certificate carries it, its address with https://, or a spec (a file"
                            + " that ends in .yaml, .yml or .json) with hpcPack.head.")
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
            description = "A file with the password, which only its owner may read. Default: " + PASSWORD + ".")
    private @Nullable Path passwordFile;

    @Option(
            names = "--trust",
            paramLabel = "FILE.cer",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Trust the certificates of this file and no others. Default: those that this Java trusts.")
    private @Nullable Path trusted;

    @Option(
            names = "--as-user",
            paramLabel = "USER",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Act for another user, as administrators may.")
    private @Nullable String asUser;

    @Option(
            names = "--json",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Print one JSON document on standard output and nothing else.")
    private boolean json;

    @Option(
            names = "--verbose",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Print the stack trace of an error.")
    boolean verbose;

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    HpcPackCommand() {}

    /** Whether the result is printed as JSON. */
    boolean json() {
        return json;
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
                    + " gives account, password and trust; leave --user, --password-file and --trust out");
        }
        return Optional.of(SpecReader.read(Path.of(host)));
    }

    private HpcPackConnection connection() {
        HpcPackConnection named = spec().map(HpcPackConnection::of).orElseGet(this::given);
        return asUser == null ? named : named.asUser(asUser);
    }

    private HpcPackConnection given() {
        HpcPackConnection connection = HpcPackConnection.to(address(), HpcPackLogin.basic(user(), password()));
        return trusted == null ? connection : connection.trust(trusted);
    }

    private URI address() {
        String text = host.contains("://") ? host : "https://" + host;
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException(
                    "head node's address", host, "the full name of a head node", "head.hpc.example");
        }
    }

    /** The account that logs in. */
    String user() {
        Optional<String> named = head().map(HpcPackHead::user);
        if (named.isPresent()) {
            return named.get();
        }
        if (user == null) {
            throw new RefusedException("no account is given for " + host + "; add --user, such as --user 'HPC\\user'");
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
            throw new RefusedException(
                    e.getMessage() + (passwordFile == null ? ", or name a file by --password-file" : ""));
        }
    }

    /** Whether jobs run as the account that logs in; they run as the other where it acts for one. */
    boolean runsAsLogin() {
        return asUser == null;
    }

    /** The standard output in UTF-8. */
    PrintStream out() {
        return out;
    }

    void line(String text) {
        out.println(text);
    }

    void print(JsonNode document) {
        out.println(Json.indented(document));
    }

    /** Prints values one by one as text, or all as one JSON array. */
    <T> void print(Collection<T> values, Function<T, JsonNode> form, Consumer<T> text) {
        if (json) {
            print(ResultJson.array(values, form));
        } else {
            values.forEach(text);
        }
    }

    /** Prints a table whose columns are as wide as their longest value. */
    void table(List<String> titles, List<List<String>> rows) {
        int[] widths = new int[titles.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    titles.get(i).length(),
                    rows.stream()
                            .mapToInt(row -> row.get(column).length())
                            .max()
                            .orElse(0));
        }
        row(titles, widths);
        rows.forEach(row -> row(row, widths));
    }

    private void row(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length() + 2));
        }
        out.println(line.toString().stripTrailing());
    }
}

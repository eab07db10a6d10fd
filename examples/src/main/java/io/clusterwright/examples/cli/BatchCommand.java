package io.clusterwright.examples.cli;

import com.azure.identity.DefaultAzureCredentialBuilder;
import com.fasterxml.jackson.databind.node.TextNode;
import io.clusterwright.azure.AzureBatch;
import io.clusterwright.azure.AzureException;
import io.clusterwright.azure.BatchPool;
import io.clusterwright.core.Planner;
import io.clusterwright.core.internal.json.JsonFields;
import io.clusterwright.core.internal.text.NearestName;
import io.clusterwright.core.internal.text.PrintableText;
import io.clusterwright.core.plan.Finding;
import io.clusterwright.core.plan.PriceTable;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.Verification;
import io.clusterwright.mpi.MpiJob;
import io.clusterwright.mpi.PlacedMpiJob;
import io.clusterwright.mpi.fabric.FabricCheck;
import io.clusterwright.mpi.fabric.FabricEnvelope;
import io.clusterwright.mpi.fabric.FabricReport;
import io.clusterwright.mpi.job.QueuedJob;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

@Command(
        name = "batch",
        description =
                "Creates pools of Azure Batch from a spec, and runs MPI jobs on them. The nodes of a pool are billed"
                        + " until the pool is deleted.",
        subcommands = {
            BatchCommand.Pools.class,
            BatchCommand.Plan.class,
            BatchCommand.Create.class,
            BatchCommand.Delete.class,
            BatchCommand.Mpi.class,
            BatchCommand.Verify.class,
            BatchCommand.Submit.class,
            BatchCommand.Jobs.class,
            BatchCommand.Cancel.class,
            BatchCommand.Output.class
        })
final class BatchCommand implements Callable<Integer> {
    /** A task may not run longer. */
    private static final Duration LONGEST = Duration.ofDays(180);

    @Parameters(
            index = "0",
            paramLabel = "ACCOUNT",
            description =
                    "Endpoint of the account, such as https://name.westeurope.batch.azure.com; plain http only on this"
                            + " machine, with the token of CLUSTERWRIGHT_EMULATOR_TOKEN.")
    private URI account = URI.create("");

    @Option(
            names = "--cloud",
            paramLabel = "CLOUD",
            converter = AzureOptions.CloudName.class,
            description = "public, china or government. Default: from the account's host name.")
    private @Nullable String cloud;

    @Override
    public Integer call() {
        throw new RefusedException(
                "no action was given: write clusterwright batch ACCOUNT pools, plan, create, delete, mpi, verify,"
                        + " submit, jobs, cancel or output");
    }

    private AzureBatch connect() {
        if (account.getHost() == null) {
            throw new RefusedException(
                    "ACCOUNT " + account + ": write a full URL, such as https://name.westeurope.batch.azure.com");
        }
        if ("http".equalsIgnoreCase(account.getScheme())) {
            return AzureOptions.tokenOfEmulator()
                    .map(token -> AzureBatch.onLoopback(account, token))
                    .orElseGet(() -> AzureBatch.connect(AzureOptions.NO_CREDENTIAL, account));
        }
        String authority = AzureBatch.cloud(account).getActiveDirectoryEndpoint();
        if (cloud != null
                && !AzureOptions.cloud(cloud).getActiveDirectoryEndpoint().equals(authority)) {
            throw new RefusedException("--cloud " + cloud + ": account " + account + " is in the cloud "
                    + AzureOptions.cloudOf(authority) + "; remove --cloud");
        }
        return AzureBatch.connect(
                new DefaultAzureCredentialBuilder().authorityHost(authority).build(), account);
    }

    /** The line that ends the costs of a pool. */
    private String deletion(String pool) {
        return "clusterwright batch " + account + " delete " + pool;
    }

    /** A command about the account. */
    @Command
    abstract static class OfAccount extends ProgramCommand {
        @ParentCommand
        private BatchCommand batch = new BatchCommand();

        final AzureBatch account() {
            return batch.connect();
        }
    }

    /** A command about one job. */
    abstract static class OfJob extends OfAccount {
        @Parameters(paramLabel = "ID", description = "The job's id, as submit or jobs prints it.")
        private String id = "";

        final QueuedJob job() {
            return account().job(id);
        }
    }

    /** A command about the pool of a spec. */
    @Command
    abstract static class OfPool extends SpecCommand {
        @ParentCommand
        BatchCommand batch = new BatchCommand();

        /** Refuses a spec with errors before the account is asked. */
        @Override
        public final Integer call() {
            ClusterSpec spec = spec();
            List<Finding> findings = Planner.check(spec);
            return findings.stream().anyMatch(Finding::isError)
                    ? refused(findings, "the account was not asked")
                    : call(spec);
        }

        /** Carries out the command for a spec without errors. */
        abstract int call(ClusterSpec spec);

        final BatchPool pool(ClusterSpec spec) {
            return batch.connect().pool(spec);
        }
    }

    /** A command that describes an MPI job for the pool of a spec. */
    abstract static class JobCommand extends OfPool {
        @Mixin
        private JobOptions.OfPool mpi = new JobOptions.OfPool();

        @Mixin
        private JobOptions.Ranks common = new JobOptions.Ranks();

        @Mixin
        private CommonFileOptions files = new CommonFileOptions();

        @Parameters(
                arity = "1..*",
                index = "1..*",
                paramLabel = "PROGRAM",
                description = "The program and its arguments.")
        private List<String> program = List.of();

        final Duration limit() {
            return common.limit(LONGEST);
        }

        final PlacedMpiJob job(ClusterSpec spec) {
            MpiJob job = common.job(program, each -> files.job(each.withoutRankLabels()));
            return job.on(mpi.target(files.pool(pool(spec))));
        }
    }

    @Command(name = "pools", description = "Lists the pools in the account that this program created.")
    static final class Pools extends OfAccount {
        @Override
        public Integer call() {
            return print(account().pools(), TextNode::valueOf, "no pools", out::println);
        }
    }

    @Command(name = "plan", description = "Shows the pool that create would create, and its price; changes nothing.")
    static final class Plan extends OfPool {
        @Mixin
        private Prices prices = new Prices();

        @Override
        int call(ClusterSpec spec) {
            Optional<PriceTable> table = prices.table();
            BatchPool pool = pool(spec);
            boolean exists = batch.connect().pools().contains(pool.id());
            String agent = pool.nodeAgent();
            int count = spec.nodes().count();
            Optional<BigDecimal> hourly = table.flatMap(
                            prices -> prices.of(spec.nodes().requireSize()))
                    .map(price -> price.multiply(BigDecimal.valueOf(count)));
            Optional<String> currency = hourly.flatMap(price -> table.map(PriceTable::currency));
            if (json) {
                print(JsonFields.of("pool", pool.id())
                        .and("exists", exists)
                        .and("nodes", count)
                        .and("size", spec.nodes().requireSize())
                        .and("nodeAgent", agent)
                        .and("billed", true)
                        .and("perHour", hourly)
                        .and("currency", currency));
                return exists ? ExitCodes.REFUSED : ExitCodes.OK;
            }
            out.println("pool " + pool.id() + (exists ? " exists already: delete it first, or use another name" : ""));
            out.println("  " + count + " nodes of " + spec.nodes().requireSize() + ", node agent " + agent);
            out.println("  billed by node and hour, also while idle, until " + batch.deletion(pool.id()));
            out.println("  price: "
                    + hourly.map(price -> price.toPlainString() + " " + currency.orElse("") + " an hour")
                            .orElse("not known; --prices FILE gives it"));
            return exists ? ExitCodes.REFUSED : ExitCodes.OK;
        }
    }

    @Command(
            name = "create",
            description =
                    "Creates the pool of a spec and waits until its nodes accept tasks. The nodes are billed from now on,"
                            + " also while idle, until the pool is deleted.")
    static final class Create extends OfPool {
        @Option(
                names = "--start-script",
                paramLabel = "FILE",
                description = "Script that /bin/sh runs as root on each node before its first task.")
        private @Nullable Path script;

        @Option(
                names = "--nfs",
                paramLabel = "FOLDER=SERVER:/EXPORT",
                description =
                        "NFS export, mounted in FOLDER below $AZ_BATCH_NODE_MOUNTS_DIR; may be given several times.")
        private Map<String, String> exports = Map.of();

        @Option(
                names = "--formula",
                paramLabel = "FILE",
                description = "Formula of Batch for the number of nodes, evaluated every 5 minutes.")
        private @Nullable Path formula;

        @Option(names = "--minutes", paramLabel = "N", description = "Time to wait for the nodes; default: 30.")
        private int minutes = 30;

        @Override
        int call(ClusterSpec spec) {
            BatchPool pool = pool(spec);
            pool = script == null ? pool : pool.startScript(text(script));
            for (Map.Entry<String, String> export : exports.entrySet()) {
                pool = pool.mountNfs(export.getValue(), export.getKey(), "");
            }
            pool = formula == null ? pool : pool.autoScale(text(formula), Duration.ofMinutes(5));
            pool.create();
            String id = pool.id();
            String bill = "pool " + id + " is billed until " + batch.deletion(id);
            System.err.println(bill);
            try {
                List<BatchPool.Node> nodes = pool.awaitReady(Duration.ofMinutes(minutes));
                return print(
                        () -> JsonFields.of("pool", id)
                                .and(
                                        "nodes",
                                        JsonFields.list(
                                                nodes,
                                                node -> JsonFields.of("id", node.id())
                                                        .and("address", node.address())
                                                        .and("state", node.state()))),
                        () -> nodes.forEach(
                                node -> out.printf("%-28s %-15s %s%n", node.id(), node.address(), node.state())));
            } catch (AzureException e) {
                System.err.println(e.getMessage());
                System.err.println(bill);
                return ExitCodes.FAILED;
            }
        }

        private static String text(Path file) {
            return read(file.toString(), in -> new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Command(name = "delete", description = "Deletes a pool that this program created, with its nodes and jobs.")
    static final class Delete extends OfAccount {
        @Parameters(paramLabel = "POOL", description = "The pool's id, as pools lists it.")
        private String pool = "";

        @Override
        public Integer call() {
            AzureBatch account = account();
            List<String> pools = account.pools();
            if (!pools.contains(pool)) {
                throw new RefusedException("there is no pool " + pool + "; "
                        + NearestName.question(pool, pools).orElse("batch pools lists them"));
            }
            account.deletePool(pool);
            return print(() -> JsonFields.of("deleted", List.of(pool)), () -> out.println("deleted pool " + pool));
        }
    }

    @Command(
            name = "mpi",
            description = "Runs an MPI job on the pool of a spec, and prints its output at the end.",
            footer = "Put -- before the program.")
    static final class Mpi extends JobCommand {
        @Mixin
        private JobOptions.Retry retry = new JobOptions.Retry();

        @Override
        int call(ClusterSpec spec) {
            retry.check();
            JobPrinter printer = new JobPrinter(this);
            return printer.end(retry.run(job(spec).onOutput(printer), limit()));
        }
    }

    @Command(
            name = "verify",
            description =
                    "Checks the pool of a spec: one rank on every node, then ping-pongs between nodes, one pair after"
                            + " the other. A job of the check uses all nodes of the pool.")
    static final class Verify extends OfPool {
        @Mixin
        private JobOptions.OfPool mpi = new JobOptions.OfPool();

        @Option(
                names = "--pairs",
                paramLabel = "KIND",
                converter = VerifyCommand.FabricConverter.class,
                description = "Pairs to measure: pair, ring or all-pairs; default: verify.fabric of the spec.")
        private Verification.@Nullable Fabric pairs;

        @Option(names = "--minutes", paramLabel = "N", description = "Time limit, in minutes; default: 30.")
        private int minutes = 30;

        @Override
        int call(ClusterSpec spec) {
            ProgressPrinter progress = new ProgressPrinter();
            FabricReport report = FabricCheck.on(mpi.target(pool(spec)))
                    .envelope(FabricEnvelope.of(spec))
                    .pairs(pairs != null ? pairs : spec.verify().fabric())
                    .onPair(pair -> progress.line("  " + pair.toRow()))
                    .run(Duration.ofMinutes(minutes));
            print(report::toMap, () -> {
                out.print(report.toTable());
                VerifyCommand.printVerdict(this, report);
                report.findings().forEach(progress::finding);
            });
            return ExitCodes.ofVerdict(report.succeeded());
        }
    }

    @Command(
            name = "submit",
            description = "Queues an MPI job on the pool of a spec and prints its id; it runs without this program.",
            footer = "Put -- before the program.")
    static final class Submit extends JobCommand {
        @Override
        int call(ClusterSpec spec) {
            String id = job(spec).submit(limit()).id();
            return print(() -> JsonFields.of("id", id), () -> out.println(id));
        }
    }

    @Command(name = "jobs", description = "Lists the jobs on the pools that this program created, with their states.")
    static final class Jobs extends OfAccount {
        @Override
        public Integer call() {
            return new JobPrinter(this).list(account().jobs());
        }
    }

    @Command(name = "cancel", description = "Stops a job.")
    static final class Cancel extends OfJob {
        @Override
        public Integer call() {
            QueuedJob job = job();
            job.cancel();
            return print(
                    () -> JobPrinter.queued(job.id(), job.status()),
                    () -> out.println(
                            job.id() + " " + PrintableText.word(job.status().state())));
        }
    }

    @Command(name = "output", description = "Prints the output of a job, complete or so far.")
    static final class Output extends OfJob {
        @Option(names = "--follow", description = "Wait for the end of the job, and print its output then.")
        private boolean follow;

        @Override
        public Integer call() {
            QueuedJob job = job();
            if (job.status().word().equals("deleted")) {
                throw new RefusedException("there is no job " + job.id() + "; batch jobs lists them");
            }
            JobPrinter printer = new JobPrinter(this);
            return follow ? printer.follow(job, null) : printer.output(job);
        }
    }
}

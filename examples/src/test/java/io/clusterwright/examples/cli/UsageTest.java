package io.clusterwright.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class UsageTest {
    private String errors = "";

    @Test
    void unknownOptionGivesOneLineWithTheNearestOption() {
        assertThat(run("sizes", "--rmda")).isEqualTo(2);
        assertThat(errors)
                .isEqualTo("clusterwright sizes: Unknown option: '--rmda'; did you mean --rdma?"
                        + " clusterwright sizes --help lists the options\n");
    }

    @Test
    void anArgumentThatBeginsWithAtIsNoListOfArguments(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("words"), "--help");
        assertThat(run("diagnose", "--", "@" + file)).isEqualTo(2);
        assertThat(errors).contains("there is no file @" + file);
    }

    @Test
    void noClusterIsNamedBesideAHostfile() {
        assertThat(run("mpi", "--hostfile", "none", "demo", "-n", "2", "--", "hostname"))
                .isEqualTo(2);
        assertThat(errors)
                .isEqualTo("clusterwright: demo stands before --, and --hostfile takes the place of a cluster's name:"
                        + " write clusterwright mpi --hostfile FILE -- PROGRAM, or remove --hostfile\n");
        run("mpi", "--hostfile", "none", "-n", "2", "--", "a", "--", "b");
        assertThat(errors).doesNotContain("stands before --");
    }

    @Test
    void everyRefusalIsADocumentOfJson() {
        assertThat(InThisJvm.run("sizes", "--rmda", "--json").stdout())
                .contains("\"error\"", "--rdma?", "\"exit\" : 2");
        assertThat(InThisJvm.run("show", "no-such", "--json").stdout())
                .contains("\"error\" : \"there is no cluster no-such", "\"exit\" : 2");
        assertThat(InThisJvm.run("create", "absent.yaml", "--on", "local", "--json")
                        .stdout())
                .contains("\"valid\" : false", "\"code\" : \"CW-READ-001\"");
        assertThat(InThisJvm.run("run", "no-such", "--", "x", "--json").stdout())
                .isEmpty();
    }

    @Test
    void aMessageHasTheNameOfTheOptionThatWasGiven() {
        expectRefusal("option '-n'", "mpi", "x", "-n", "1e3", "--", "y");
        expectRefusal("option '-np'", "mpi", "x", "-np", "1e3", "--", "y");
    }

    @Test
    void aMessageNamesNoMethodOfTheLibrary() {
        assertThat(MethodNames.removed("stop it (ClusterManager.stop, ClusterManager.start); or run it (FabricCheck)"))
                .isEqualTo("stop it; or run it");
        assertThat(MethodNames.removed("use fewer ranks (--ppn, MpiJob.ranksPerNode), or sizes (VmSizes.standard())"))
                .isEqualTo("use fewer ranks (--ppn), or sizes");
        assertThat(MethodNames.removed("Azure reports no RDMA (RdmaEnabled) for a size"))
                .contains("(RdmaEnabled)");
    }

    @Test
    void anEmptyPathIsRefused() {
        expectRefusal("the path is empty; write . for the current folder", "render", "x.yaml", "--to", "");
        expectRefusal("the name of the file is empty", "analyze", "");
    }

    @Test
    void anOptionThatHasNoEffectIsRefused() {
        expectRefusal("--quota absent.csv replaces", "plan", "x.yaml", "--on", "local", "--quota", "absent.csv");
        expectRefusal("mars is no cloud; write public, china or government", "list", "--cloud", "mars");
        expectRefusal("mars is no cloud", "plan", "x.yaml", "--cloud", "mars");
        expectRefusal("management is no full URL", "plan", "x.yaml", "--endpoint", "management", "--on", "local");
    }

    @Test
    void aFileThatCannotBeUsedIsRefused() {
        expectRefusal("name a text file", "mpi", "--hostfile", "absent", "--", "x");
        expectRefusal("there is no cluster", "hpcpack-emulator", "--tasks-on", "no-such");
    }

    @Test
    void unknownCommandNamesTheNearestCommand() {
        assertThat(run("destry", "x")).isEqualTo(2);
        assertThat(errors).startsWith("clusterwright: Unmatched arguments").contains("did you mean destroy?");
        assertThat(errors.lines()).hasSize(1);
    }

    @Test
    void missingOptionGivesOneLine() {
        assertThat(run("create", "cluster.yaml")).isEqualTo(2);
        assertThat(errors).contains("--on").contains("clusterwright create --help");
        assertThat(errors.lines()).hasSize(1);
    }

    @Test
    void unknownValueListsTheAllowedOnes() {
        assertThat(run("create", "cluster.yaml", "--on", "moon")).isEqualTo(2);
        assertThat(errors).contains("'--on'", "[local, azure, emulator]", "'moon'");
        assertThat(errors.lines()).hasSize(1);
    }

    @Test
    void optionsOfAListWithoutRecordsNeedItsOption() {
        assertThat(run("list", "--delete")).isEqualTo(2);
        assertThat(errors)
                .isEqualTo(
                        "clusterwright: --delete, --id, --on and --prices need --untracked; to delete a cluster of this list, run:"
                                + " clusterwright destroy NAME\n");
    }

    @Test
    void adoptionNeedsAProvider() {
        assertThat(run("adopt", "wing")).isEqualTo(2);
        assertThat(errors).contains("--on").contains("clusterwright adopt --help");
    }

    @Test
    void badOptionsAreRefusedBeforeTheClusterIsSearched() {
        expectRefusal("--env ONE has no value", "mpi", "no-such", "--env", "ONE", "--", "true");
        expectRefusal("there is no file absent", "mpi", "no-such", "--stage-in", "absent:/tmp/x", "--", "true");
        expectRefusal(
                "--ppn, --per-socket, --per-numa and --per-l3 exclude each other",
                "mpi",
                "no-such",
                "--ppn",
                "2",
                "--per-numa",
                "2",
                "--",
                "true");
        expectRefusal("write : -n RANKS PROGRAM", "mpi", "x", "-n", "1", "--", "a", ":", "b");
        expectRefusal("write : -n RANKS PROGRAM", "mpi", "x", "-n", "1", "--", "a", ":", "-n", "0", "b");
        expectRefusal("behind ':' stands \"\"", "mpi", "x", "-n", "1", "--", "a", ":");
        expectRefusal("there is no program before ':'", "mpi", "x", "-n", "1", "--", ":", "-n", "2", "b");
        expectRefusal("write -n RANKS before -- for a", "mpi", "x", "--", "a", ":", "-n", "2", "b");
        expectRefusal("invalid launcher argument \":\"", "mpi", "x", "--launcher-arg=:", "--", "a");
        expectRefusal("invalid number of threads per rank \"0\"", "mpi", "no-such", "--threads", "0", "--", "true");
        expectRefusal("--mpi lam: this MPI is not known", "mpi", "no-such", "--mpi", "lam", "--", "true");
        expectRefusal("--user, --key, --known-hosts and --port need --hostfile", "mpi", "x", "--user", "u", "--", "y");
        expectRefusal("no program was given", "mpi", "no-such");
        expectRefusal("--interconnect needs --hostfile", "mpi", "x", "--interconnect", "roce", "--", "y");
        expectRefusal(
                "--interconnect ib: this network is not known; write none, network-direct, sriov-infiniband, roce",
                "mpi",
                "--hostfile",
                "absent",
                "--interconnect",
                "ib",
                "--",
                "y");
        assertThat(run("mpi", "--hostfile", "absent", "--interconnect", "sriov-infiniband", "--", "y"))
                .isNotZero();
        assertThat(errors).contains("absent").doesNotContain("--interconnect");
        expectRefusal("[default, none, core, socket, numa, l3]", "mpi", "no-such", "--bind", "x", "--", "true");
    }

    @Test
    void attachingNamesAClusterAndNoNewJob() {
        expectRefusal("invalid --retry \"-1\": use 0 or more", "mpi", "no-such", "--retry", "-1", "--", "true");
        expectRefusal("no cluster was named: write clusterwright mpi NAME --attach ID", "mpi", "--attach", "demo");
        expectRefusal(
                "--timeout is for a new job: remove it, or remove --attach",
                "mpi",
                "demo",
                "--attach",
                "4",
                "--timeout",
                "60");
        expectRefusal(
                "--attach does not start a program: remove hostname", "mpi", "demo", "--attach=4", "--", "hostname");
        expectRefusal("so --attach has no job", "mpi", "--hostfile", "hosts", "--attach", "4");
    }

    @Test
    void everyCommandIsAddedByItsOwnName() {
        CommandLine all = new CommandLine(CommandLine.Model.CommandSpec.create());
        Commands.addTo(all);

        assertThat(all.getSubcommands()).hasSizeGreaterThan(30);
        all.getSubcommands().forEach((name, command) -> {
            assertThat(command.getCommandName()).isEqualTo(name);
            CommandLine one = new CommandLine(CommandLine.Model.CommandSpec.create());
            Commands.addTo(one, name);
            assertThat(one.getSubcommands()).containsKey(name);
        });
    }

    @Test
    void theVersionReadsNoCommand() {
        CommandLine none = new CommandLine(CommandLine.Model.CommandSpec.create());
        Commands.addTo(none, "--version");

        assertThat(none.getSubcommands()).isEmpty();
    }

    @Test
    void completionIsAScriptThatBashReads() throws Exception {
        InThisJvm.Ran completion = InThisJvm.run("completion", "bash");
        assertThat(completion.status()).isZero();
        Process bash =
                new ProcessBuilder("bash", "--norc").redirectErrorStream(true).start();
        bash.getOutputStream().write(completion.stdout().getBytes(StandardCharsets.UTF_8));
        bash.getOutputStream()
                .write(
                        "COMP_WORDS=(clusterwright expo) COMP_CWORD=1; _complete_clusterwright; echo \"got ${COMPREPLY[*]}\"\n"
                                .getBytes(StandardCharsets.UTF_8));
        bash.getOutputStream().close();
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("got export\n");
    }

    private void expectRefusal(String message, String... arguments) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(errors).contains(message);
    }

    private int run(String... arguments) {
        InThisJvm.Ran ran = InThisJvm.run(arguments);
        errors = ran.stderr();
        return ran.status();
    }
}

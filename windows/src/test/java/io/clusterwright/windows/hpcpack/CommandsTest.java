package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.windows.internal.jobs.JobSubmitWords;
import io.clusterwright.windows.internal.jobs.MpiExec;
import io.clusterwright.windows.internal.jobs.Netmask;
import io.clusterwright.windows.internal.quoting.CmdShell;
import io.clusterwright.windows.internal.quoting.WindowsArguments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
    private static final List<String> APP = List.of("mpiexec", "app.exe");

    private static AbstractThrowableAssert<?, ?> refused(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(InvalidValueException.class);
    }

    @Nested
    class Submit {
        private final HpcPackTask app = HpcPackTask.of("mpiexec app.exe").property("IsRerunnable", "");
        private final HpcPackJob job = HpcPackJob.of(app);

        private static List<String> words(HpcPackJob job) {
            return JobSubmitWords.of(job);
        }

        @Test
        void writesEveryOptionOnce() {
            HpcPackTask task = HpcPackTask.of("mpiexec app.exe")
                    .name("t")
                    .property("StdOutFilePath", "\\\\hn\\out\\%CCP_JOBID%.txt")
                    .property("ValidExitCodes", "0,10..20")
                    .environment("A", "1")
                    .environment("B", "x=y;z");
            HpcPackJob all = HpcPackJob.named("run 1")
                    .nodeGroups(List.of("A", "B"))
                    .property("NodeGroupOp", "Uniform")
                    .cores(8, 16)
                    .property("MinCoresPerNode", "8")
                    .property("MaxCoresPerNode", "8")
                    .property("MinMemory", "1024")
                    .property("MaxMemory", "2048")
                    .requestedNodes(List.of("N1", "N2"))
                    .template("Default")
                    .property("Project", "p")
                    .runtime(Duration.ofHours(30))
                    .property("Priority", "3000")
                    .property("SingleNode", "false")
                    .environment("C", "")
                    .addTask(task);
            assertThat(words(all))
                    .containsExactly(
                            "submit",
                            "/jobname:run 1",
                            "/nodegroup:A,B",
                            "/nodegroupop:Uniform",
                            "/numcores:8-16",
                            "/corespernode:8",
                            "/memorypernode:1024-2048",
                            "/requestednodes:N1,N2",
                            "/jobtemplate:Default",
                            "/projectname:p",
                            "/runtime:1:06:00",
                            "/priority:3000",
                            "/singlenode:false",
                            "/name:t",
                            "/stdout:\\\\hn\\out\\%CCP_JOBID%.txt",
                            "/validexitcodes:0,10..20",
                            "/rerunnable:false",
                            "/jobenv:C=",
                            "/env:A=1",
                            "/env:B=x=y;z",
                            "mpiexec",
                            "app.exe");
        }

        @Test
        void protectsVariablesOfTheNodeFromTheLocalShell() {
            List<String> words = words(HpcPackJob.of(app.property("StdOutFilePath", "%CCP_JOBID%.txt")));
            assertThat(CmdShell.batchLine("job", words))
                    .isEqualTo("job submit /stdout:%%CCP_JOBID%%.txt mpiexec app.exe");
            assertThat(CmdShell.promptLine("job", words))
                    .doesNotContain("%CCP_JOBID%")
                    .contains("mpiexec app.exe");
            assertThat(WindowsArguments.commandLine("job", words))
                    .isEqualTo("job submit /stdout:%CCP_JOBID%.txt mpiexec app.exe");
        }

        @Test
        void takesTheSizeOfItsOnlyTask() {
            assertThat(words(HpcPackJob.of(app.nodes(2, 4)))).contains("/numnodes:2-4");
            assertThat(words(HpcPackJob.of(app.nodes(2, 4)).nodes(3, 3))).contains("/numnodes:3");
        }

        @Test
        void refusesPropertiesWithoutAnOption() {
            refused(() -> words(HpcPackJob.of(app).property("NotifyOnStart", "true")))
                    .hasMessageContaining("\"NotifyOnStart\"")
                    .hasMessageContaining("use a job file or the REST interface");
            refused(() -> words(HpcPackJob.of(app.after("other")))).hasMessageContaining("\"DependsOn\"");
        }

        @Test
        void neverHoldsAPassword() {
            refused(() -> words(HpcPackJob.of(app).property("Password", "secret")))
                    .hasMessageContaining("never put a password into a job file");
        }

        @Test
        void refusesACommandThatNeedsQuotes() {
            refused(() -> words(HpcPackJob.of(HpcPackTask.of("app.exe \"a b\""))))
                    .hasMessageContaining("job file");
            refused(() -> HpcPackTask.of("")).hasMessageContaining("1 to 1024 characters");
            refused(() -> words(HpcPackJob.named("none"))).hasMessageContaining("a job of one task");
        }

        @Test
        void refusesValuesThatHpcPackWouldRefuse() {
            refused(() -> job.nodes(0, 1)).hasMessageContaining("1 or more");
            refused(() -> job.nodes(4, 3)).hasMessageContaining("a maximum not below it");
            refused(() -> words(job.property("Priority", "5000"))).hasMessageContaining("0 to 4000");
            refused(() -> job.nodeGroups(List.of("a,b"))).hasMessageContaining("names without a comma");
            refused(() -> words(HpcPackJob.of(app.property("ValidExitCodes", "0-4"))))
                    .hasMessageContaining("0,10..20");
            refused(() -> words(job.runtime(Duration.ofSeconds(30)))).hasMessageContaining("a minute or more");
            refused(() -> words(HpcPackJob.of(app.environment("CCP_MPI_NETMASK", "172.16.0.0"))))
                    .hasMessageContaining("ignores other masks without a message");
        }
    }

    @Nested
    class Placement {
        private final Map<String, String> domains =
                Map.of("AzureNodes", "hpc1-burst", "vmcomputenodes", "hpc1-compute", "CN1", "hpc1-compute");
        private final HpcPackJob job = HpcPackJob.of(HpcPackTask.of("mpiexec app.exe"));

        @Test
        void acceptsAJobInOneDomain() {
            List<HpcPackJob> jobs = List.of(
                    job.nodeGroups(List.of("azurenodes")),
                    job.nodeGroups(List.of("vmcomputenodes")).requestedNodes(List.of("cn1")),
                    job.nodeGroups(List.of("AzureNodes", "vmcomputenodes")).property("NodeGroupOp", "Uniform"));
            assertThat(jobs)
                    .allSatisfy(
                            each -> assertThat(each.requireOneDomain(domains)).isSameAs(each));
        }

        @Test
        void refusesAJobThatSpansTwoDomains() {
            refused(() -> job.nodeGroups(List.of("AzureNodes", "vmcomputenodes"))
                            .requireOneDomain(domains))
                    .hasMessageContaining("could span hpc1-burst and hpc1-compute")
                    .hasMessageContaining("RDMA does not cross from one to the other");
            refused(() -> job.nodeGroups(List.of("AzureNodes"))
                    .requestedNodes(List.of("CN1"))
                    .requireOneDomain(domains));
        }

        @Test
        void takesTheCloudServicesOfASpec() {
            ClusterSpec spec = SpecReader.read(
                    "name: hpc1\nregion: westus\noperatingSystem: windows\nnodes: {count: 2, size: Standard_A8}\n"
                            + "hpcPack: {headNodeService: h, computeNodeService: c, nodeGroup: vms, "
                            + "burst: {cloudService: b, storageAccount: store}}\n",
                    "spec.yaml");
            job.nodeGroups(List.of("vms"))
                    .requestedNodes(List.of("hpc1-1", "hpc1-2"))
                    .requireOneDomain(spec);
            refused(() -> job.nodeGroups(List.of("AzureNodes", "vms")).requireOneDomain(spec))
                    .hasMessageContaining("could span b and c");
        }

        @Test
        void refusesAJobThatMayTakeAnyNode() {
            refused(() -> job.nodes(4, 4).requireOneDomain(domains)).hasMessageContaining("any node");
        }
    }

    @Nested
    class Mpi {
        @Test
        void writesTheOptionsOfMpiexec() {
            MpiExec run = MpiExec.of(List.of("app.exe", "in put"))
                    .ranks(16)
                    .coresPerNode(8)
                    .affinityLayout("seq:P:L")
                    .workingDirectory("\\\\hn\\work")
                    .env("B", "1")
                    .env("A", "x y");
            assertThat(run.command())
                    .containsExactly(
                            "mpiexec",
                            "-n",
                            "16",
                            "-c",
                            "8",
                            "-affinity_layout",
                            "seq:P:L",
                            "-wdir",
                            "\\\\hn\\work",
                            "-env",
                            "B",
                            "1",
                            "-env",
                            "A",
                            "x y",
                            "app.exe",
                            "in put");
        }

        @Test
        void refusesArgumentsThatMpiexecWouldMisread() {
            refused(() -> MpiExec.of(List.of("-n"))).hasMessageContaining("does not start with '-' or '/'");
            refused(() -> MpiExec.of(List.of("a", ":", "b"))).hasMessageContaining("no lone ':' as an argument");
            refused(() -> MpiExec.of(APP).affinityLayout("spread")).hasMessageContaining("spr:P:L");
            refused(() -> MpiExec.of(APP).ranks(40_000)).hasMessageContaining("1 to 32768");
            refused(() -> MpiExec.of(APP).workingDirectory("x".repeat(261))).hasMessageContaining("260");
            refused(() -> MpiExec.of(APP).env("MPICH_NETMASK", "172.16.0.0/0"))
                    .hasMessageContaining("ignores other masks without a message");
        }

        @Test
        void writesTheOptionsOfMpipingpong() {
            assertThat(MpiPingPong.create()
                            .multipleCores()
                            .packets('l')
                            .output('a')
                            .quiet()
                            .ring(2)
                            .file("out.xml"))
                    .hasToString("mpipingpong -m -pl -oa -oq -r -rs 2 out.xml");
            assertThat(MpiPingPong.create().tournament()).hasToString("mpipingpong -t");
        }

        @Test
        void replacesAnOptionOfMpipingpongThatExcludesTheNewOne() {
            assertThat(MpiPingPong.latency().quiet().ring()).hasToString("mpipingpong -p 1:100000 -oq -r nul");
        }

        @Test
        void refusesOptionsUnknownToMpipingpong() {
            refused(() -> MpiPingPong.create().packets('x')).hasMessageContaining("one of b, c, l, t");
            refused(() -> MpiPingPong.create().output('p')).hasMessageContaining("one of a, b");
            refused(() -> MpiPingPong.create().ring(0)).hasMessageContaining("1 or more");
            refused(() -> MpiPingPong.create().packet(-1, 1)).hasMessageContaining("0 or more");
            refused(() -> MpiPingPong.create().file("-s")).hasMessageContaining("does not begin with '-'");
        }
    }

    @Nested
    class Netmasks {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "172.16.0.0/255.255.0.0",
                    "172.16.0.0/16",
                    "10.0.0.0/1",
                    "10.0.0.1/31",
                    "1.2.3.4/255.255.255.254"
                })
        void readableByMsMpiAreKept(String text) {
            assertThat(Netmask.of(text)).hasToString(text);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "172.16.0.0",
                    "172.16.0.0/0",
                    "172.16.0.0/32",
                    "172.16.0.0/255.255.255.255",
                    "172.16.0.0/0.0.0.0",
                    "172.16.0.0/255.0.255.0",
                    "172.16.0/16",
                    "172.16.0.0/16/",
                    "a/16",
                    "172.16.0.0/ 16",
                    "300.1.1.1/8"
                })
        void ignoredByMsMpiAreRefused(String text) {
            refused(() -> Netmask.of(text)).hasMessageContaining("(example: 172.16.0.0/255.255.0.0");
        }

        @Test
        void countTheirBits() {
            assertThat(Netmask.RDMA.bits()).isEqualTo(16);
        }
    }
}

package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
import io.clusterwright.windows.internal.jobs.HpcPackCommand;
import io.clusterwright.windows.internal.jobs.MpiExec;
import io.clusterwright.windows.internal.jobs.Netmask;
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
        @Test
        void writesEveryOptionOnce() {
            JobSubmit job = JobSubmit.of(APP)
                    .scheduler("https://hn.hpc.local")
                    .jobName("run 1")
                    .oneNodeGroup("A", "B")
                    .cores(8, 16)
                    .coresPerNode(8, 8)
                    .memoryPerNode(1024, 2048)
                    .requestedNodes("N1", "N2")
                    .taskName("t")
                    .projectName("p")
                    .env("A", "1")
                    .env("B", "x=y;z")
                    .jobEnv("C", "")
                    .stdout("\\\\hn\\out\\%CCP_JOBID%.txt")
                    .runtime(Duration.ofHours(30))
                    .priority(3000)
                    .validExitCodes("0,10..20")
                    .notRerunnable()
                    .option("singleNode", "false");

            assertThat(job.arguments())
                    .containsExactly(
                            "submit",
                            "/scheduler:https://hn.hpc.local",
                            "/jobname:run 1",
                            "/nodegroup:A,B",
                            "/nodegroupop:Uniform",
                            "/numcores:8-16",
                            "/corespernode:8",
                            "/memorypernode:1024-2048",
                            "/requestednodes:N1,N2",
                            "/name:t",
                            "/projectname:p",
                            "/env:A=1",
                            "/env:B=x=y;z",
                            "/jobenv:C=",
                            "/stdout:\\\\hn\\out\\%CCP_JOBID%.txt",
                            "/runtime:1:06:00",
                            "/priority:3000",
                            "/validexitcodes:0,10..20",
                            "/rerunnable:false",
                            "/singlenode:false",
                            "mpiexec",
                            "app.exe");
        }

        @Test
        void protectsVariablesOfTheNodeFromTheLocalShell() {
            JobSubmit job = JobSubmit.of(APP).stdout("%CCP_JOBID%.txt");
            assertThat(job.batchLine()).isEqualTo("job submit /stdout:%%CCP_JOBID%%.txt mpiexec app.exe");
            assertThat(job.promptLine()).doesNotContain("%CCP_JOBID%").contains("mpiexec app.exe");
            assertThat(job).hasToString("job submit /stdout:%CCP_JOBID%.txt mpiexec app.exe");
        }

        @Test
        void submitsAFileOrAnExistingJob() {
            assertThat(JobSubmit.file("C:\\a b\\job.xml").user("HPC\\me"))
                    .hasToString("job submit \"/jobfile:C:\\a b\\job.xml\" /user:HPC\\me");
            assertThat(JobSubmit.job(42)).hasToString("job submit /id:42");
            refused(() -> JobSubmit.file("job.xml").workDir("C:\\x"))
                    .hasMessageContaining("user, scheduler and holduntil; write others into the job");
        }

        @Test
        void neverHoldsAPassword() {
            refused(() -> JobSubmit.of(APP).option("password", "secret")).hasMessageContaining("others could read");
        }

        @Test
        void refusesAnOptionGivenTwice() {
            refused(() -> JobSubmit.of(APP).nodes(1).nodes(2)).hasMessageContaining("each option once");
        }

        @Test
        void refusesACommandThatNeedsQuotes() {
            refused(() -> JobSubmit.of(List.of("app.exe", "a b"))).hasMessageContaining("job file");
            refused(() -> JobSubmit.of(List.of())).hasMessageContaining("a program and its arguments");
        }

        @Test
        void refusesValuesThatHpcPackWouldRefuse() {
            JobSubmit job = JobSubmit.of(APP);
            refused(() -> job.nodes(0)).hasMessageContaining("1 or more");
            refused(() -> job.nodes(4, 3)).hasMessageContaining("4 or more");
            refused(() -> job.priority(5000)).hasMessageContaining("0 to 4000");
            refused(() -> job.nodeGroups("a,b")).hasMessageContaining("without quotes, commas");
            refused(() -> job.validExitCodes("0-4")).hasMessageContaining("0,10..20");
            refused(() -> job.runtime(Duration.ofSeconds(30))).hasMessageContaining("a minute or more");
            refused(() -> job.env("CCP_MPI_NETMASK", "172.16.0.0")).hasMessageContaining("would ignore it");
        }
    }

    @Nested
    class Placement {
        private final Map<String, String> domains =
                Map.of("AzureNodes", "hpc1-burst", "vmcomputenodes", "hpc1-compute", "CN1", "hpc1-compute");
        private final JobSubmit job = JobSubmit.of(APP);

        @Test
        void acceptsAJobInOneDomain() {
            List<JobSubmit> jobs = List.of(
                    job.nodeGroups("azurenodes"),
                    job.nodeGroups("vmcomputenodes").requestedNodes("cn1"),
                    job.oneNodeGroup("AzureNodes", "vmcomputenodes"));
            assertThat(jobs)
                    .allSatisfy(
                            each -> assertThat(each.requireOneDomain(domains)).isSameAs(each));
        }

        @Test
        void refusesAJobThatSpansTwoDomains() {
            refused(() -> job.nodeGroups("AzureNodes", "vmcomputenodes").requireOneDomain(domains))
                    .hasMessageContaining("would span hpc1-burst and hpc1-compute")
                    .hasMessageContaining("RDMA does not cross them");
            refused(() -> job.nodeGroups("AzureNodes").requestedNodes("CN1").requireOneDomain(domains));
        }

        @Test
        void takesTheCloudServicesOfASpec() {
            ClusterSpec spec = SpecReader.read(
                    "name: hpc1\nregion: westus\noperatingSystem: windows\nnodes: {count: 2, size: Standard_A8}\n"
                            + "hpcPack: {headNodeService: h, computeNodeService: c, nodeGroup: vms, "
                            + "burst: {cloudService: b, storageAccount: store}}\n",
                    "spec.yaml");
            job.nodeGroups("vms").requestedNodes("hpc1-1", "hpc1-2").requireOneDomain(spec);
            refused(() -> job.nodeGroups("AzureNodes", "vms").requireOneDomain(spec))
                    .hasMessageContaining("would span b and c");
        }

        @Test
        void refusesAJobThatMayTakeAnyNode() {
            refused(() -> job.nodes(4).requireOneDomain(domains)).hasMessageContaining("any node");
        }
    }

    @Nested
    class Mpi {
        @Test
        void writesTheOptionsOfMpiexec() {
            MpiExec run = MpiExec.builder(List.of("app.exe", "in put"))
                    .ranks(16)
                    .coresPerNode(8)
                    .affinityLayout("seq:P:L")
                    .affinityAuto()
                    .workingDirectory("\\\\hn\\work")
                    .machineFile("hosts.txt")
                    .lines()
                    .exitCodes()
                    .timeout(Duration.ofMinutes(2))
                    .env("B", "1")
                    .env("A", "x y")
                    .build();

            assertThat(run.command())
                    .containsExactly(
                            "mpiexec",
                            "-n",
                            "16",
                            "-c",
                            "8",
                            "-affinity_layout",
                            "seq:P:L",
                            "-affinity_auto",
                            "-wdir",
                            "\\\\hn\\work",
                            "-machinefile",
                            "hosts.txt",
                            "-lines",
                            "-exitcodes",
                            "-timeout",
                            "120",
                            "-env",
                            "B",
                            "1",
                            "-env",
                            "A",
                            "x y",
                            "app.exe",
                            "in put");
            assertThat(run.environment()).containsExactly(Map.entry("B", "1"), Map.entry("A", "x y"));
        }

        @Test
        void refusesArgumentsThatMpiexecWouldMisread() {
            refused(() -> MpiExec.builder(List.of("-n"))).hasMessageContaining("neither '-' nor '/'");
            refused(() -> MpiExec.builder(List.of("a", ":", "b"))).hasMessageContaining("begins another program");
            refused(() -> MpiExec.builder(APP).affinityLayout("spread")).hasMessageContaining("spr:P:L");
            refused(() -> MpiExec.builder(APP).ranks(40_000)).hasMessageContaining("1 to 32768");
            refused(() -> MpiExec.builder(APP).workingDirectory("x".repeat(261)))
                    .hasMessageContaining("260");
            refused(() -> MpiExec.builder(APP).env("MPICH_NETMASK", "172.16.0.0/0"))
                    .hasMessageContaining("would ignore it");
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
    class OtherCommands {
        @Test
        void followTheCommandReference() {
            assertThat(List.of(
                            HpcPackCommand.taskView(4, 1, 2),
                            HpcPackCommand.jobView(4),
                            HpcPackCommand.jobList(),
                            HpcPackCommand.allJobs(),
                            HpcPackCommand.jobListTasks(4).asTable(),
                            HpcPackCommand.jobCancel(4),
                            HpcPackCommand.jobRequeue(4),
                            HpcPackCommand.nodeList("AzureNodes").asTable(),
                            HpcPackCommand.nodeView("CN1"),
                            HpcPackCommand.nodeOnline("CN1"),
                            HpcPackCommand.nodeOffline("CN1"),
                            HpcPackCommand.clusterNetmask(Netmask.RDMA),
                            HpcPackCommand.firewallRegister("app", "C:\\Program Files\\app.exe"),
                            HpcPackCommand.firewallUnregister("app"),
                            HpcPackCommand.onGroup(
                                    "AzureNodes", HpcPackCommand.firewallRegister("app.exe", "C:\\app.exe"))))
                    .extracting(HpcPackCommand::commandLine)
                    .containsExactly(
                            "task view 4.1.2",
                            "job view 4",
                            "job list /format:list",
                            "job list /all /format:list",
                            "job listtasks 4 /format:table",
                            "job cancel 4",
                            "job requeue 4",
                            "node list /group:AzureNodes /format:table",
                            "node view CN1",
                            "node online CN1",
                            "node offline CN1",
                            "cluscfg setenvs CCP_MPI_NETMASK=172.16.0.0/255.255.0.0",
                            "hpcfwutil register app \"C:\\Program Files\\app.exe\"",
                            "hpcfwutil unregister app",
                            "clusrun /nodegroup:AzureNodes hpcfwutil register app.exe C:\\app.exe");
        }

        @Test
        void refuseQuotesThatClusrunLoses() {
            HpcPackCommand command = HpcPackCommand.firewallRegister("app", "C:\\Program Files\\app.exe");
            refused(() -> HpcPackCommand.onGroup("AzureNodes", command)).hasMessageContaining("script on a share");
            refused(() -> HpcPackCommand.taskView(0, 1)).hasMessageContaining("1 or more");
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
            assertThat(Netmask.parse(text)).hasToString(text);
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
            refused(() -> Netmask.parse(text)).hasMessageContaining("for example 172.16.0.0/255.255.0.0");
        }

        @Test
        void containTheirAddresses() {
            assertThat(Netmask.RDMA.bits()).isEqualTo(16);
            assertThat(Netmask.RDMA.contains(Ipv4Address.parse("172.16.1.5"))).isTrue();
            assertThat(Netmask.RDMA.contains(Ipv4Address.parse("172.17.0.1"))).isFalse();
        }
    }
}

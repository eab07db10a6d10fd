package io.clusterwright.windows.hpcpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.clusterwright.core.spec.SpecReader;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.Ipv4Address;
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
            JobSubmit job = JobSubmit.of(
                    List.of(
                            JobOption.scheduler("https://hn.hpc.local"),
                            JobOption.jobName("run 1"),
                            JobOption.nodeGroup("A", "B"),
                            JobOption.nodeGroupOp(JobOption.GroupOperator.UNIFORM),
                            JobOption.amount(JobOption.Unit.CORES, 8, 16),
                            JobOption.coresPerNode(8, 8),
                            JobOption.memoryPerNode(1024, 2048),
                            JobOption.requestedNodes("N1", "N2"),
                            JobOption.taskName("t"),
                            JobOption.projectName("p"),
                            JobOption.env("A", "1"),
                            JobOption.env("B", "x=y;z"),
                            JobOption.jobEnv("C", ""),
                            JobOption.stdout("\\\\hn\\out\\%CCP_JOBID%.txt"),
                            JobOption.runtime(Duration.ofHours(30)),
                            JobOption.priority(3000),
                            JobOption.validExitCodes("0,10..20"),
                            JobOption.rerunnable(false),
                            JobOption.of("singleNode", "false")),
                    APP);

            assertThat(job.command().arguments())
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
        void keepsVariablesOfTheNodeOutOfTheHandsOfTheLocalShell() {
            HpcPackCommand command = JobSubmit.of(List.of(JobOption.stdout("%CCP_JOBID%.txt")), APP)
                    .command();
            assertThat(command.batchLine()).isEqualTo("job submit /stdout:%%CCP_JOBID%%.txt mpiexec app.exe");
            assertThat(command.promptLine()).doesNotContain("%CCP_JOBID%").contains("mpiexec app.exe");
            assertThat(command.commandLine()).isEqualTo("job submit /stdout:%CCP_JOBID%.txt mpiexec app.exe");
        }

        @Test
        void takesAFileOrAJobThatIsThere() {
            assertThat(JobSubmit.file("C:\\a b\\job.xml", List.of(JobOption.user("HPC\\me"))))
                    .hasToString("job submit \"/jobfile:C:\\a b\\job.xml\" /user:HPC\\me");
            assertThat(JobSubmit.job(42, List.of())).hasToString("job submit /id:42");
            refused(() -> JobSubmit.file("job.xml", List.of(JobOption.workDir("C:\\x"))))
                    .hasMessageContaining("user, scheduler and holduntil; write others into the job");
        }

        @Test
        void neverHoldsAPassword() {
            refused(() -> JobOption.of("password", "secret")).hasMessageContaining("others could read");
        }

        @Test
        void refusesAnOptionGivenTwiceAndACommandThatNeedsQuotes() {
            refused(() -> JobSubmit.of(List.of(JobOption.numNodes(1), JobOption.numNodes(2)), APP))
                    .hasMessageContaining("each option once");
            refused(() -> JobSubmit.of(List.of(), List.of("app.exe", "a b"))).hasMessageContaining("job file");
            refused(() -> JobSubmit.of(List.of(), List.of())).hasMessageContaining("a program and its arguments");
        }

        @Test
        void refusesValuesThatHpcPackWould() {
            refused(() -> JobOption.numNodes(0)).hasMessageContaining("1 or more");
            refused(() -> JobOption.amount(JobOption.Unit.NODES, 4, 3)).hasMessageContaining("4 or more");
            refused(() -> JobOption.priority(5000)).hasMessageContaining("0 to 4000");
            refused(() -> JobOption.nodeGroup("a,b")).hasMessageContaining("without quotes, commas");
            refused(() -> JobOption.validExitCodes("0-4")).hasMessageContaining("0,10..20");
            refused(() -> JobOption.runtime(Duration.ofSeconds(30))).hasMessageContaining("a minute or more");
            refused(() -> JobOption.env("CCP_MPI_NETMASK", "172.16.0.0")).hasMessageContaining("ignore it in silence");
        }
    }

    @Nested
    class Placement {
        private final PlacementDomains domains = PlacementDomains.of(
                Map.of("AzureNodes", "hpc1-burst", "vmcomputenodes", "hpc1-compute", "CN1", "hpc1-compute"));

        private JobSubmit job(JobOption... options) {
            return JobSubmit.of(List.of(options), APP);
        }

        @Test
        void aJobInOneDomainPasses() {
            domains.check(job(JobOption.nodeGroup("azurenodes")));
            domains.check(job(JobOption.nodeGroup("vmcomputenodes"), JobOption.requestedNodes("cn1")));
            domains.check(job(
                    JobOption.nodeGroup("AzureNodes", "vmcomputenodes"),
                    JobOption.nodeGroupOp(JobOption.GroupOperator.UNIFORM)));
        }

        @Test
        void aJobThatSpansTwoIsRefused() {
            refused(() -> domains.check(job(JobOption.nodeGroup("AzureNodes", "vmcomputenodes"))))
                    .hasMessageContaining("would span hpc1-burst and hpc1-compute")
                    .hasMessageContaining("RDMA does not cross them");
            refused(() -> domains.check(job(JobOption.nodeGroup("AzureNodes"), JobOption.requestedNodes("CN1"))));
        }

        @Test
        void aDescriptionTellsItsCloudServices() {
            PlacementDomains told = PlacementDomains.of(SpecReader.read(
                    "name: hpc1\nregion: westus\noperatingSystem: windows\nnodes: {count: 2, size: Standard_A8}\n"
                            + "hpcPack: {headNodeService: h, computeNodeService: c, nodeGroup: vms, "
                            + "burst: {cloudService: b, storageAccount: store}}\n",
                    "spec.yaml"));
            told.check(job(JobOption.nodeGroup("vms"), JobOption.requestedNodes("hpc1-1", "hpc1-2")));
            refused(() -> told.check(job(JobOption.nodeGroup("AzureNodes", "vms"))))
                    .hasMessageContaining("would span b and c");
        }

        @Test
        void aJobThatMayTakeAnyNodeIsRefused() {
            refused(() -> domains.check(job(JobOption.numNodes(4)))).hasMessageContaining("any node");
        }
    }

    @Nested
    class Mpi {
        @Test
        void writesWhatMpiexecTakes() {
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
        void refusesWhatMpiexecWouldMisread() {
            refused(() -> MpiExec.builder(List.of("-n"))).hasMessageContaining("neither '-' nor '/'");
            refused(() -> MpiExec.builder(List.of("a", ":", "b"))).hasMessageContaining("begins another program");
            refused(() -> MpiExec.builder(APP).affinityLayout("spread")).hasMessageContaining("spr:P:L");
            refused(() -> MpiExec.builder(APP).ranks(40_000)).hasMessageContaining("1 to 32768");
            refused(() -> MpiExec.builder(APP).workingDirectory("x".repeat(261)))
                    .hasMessageContaining("260");
            refused(() -> MpiExec.builder(APP).env("MPICH_NETMASK", "172.16.0.0/0"))
                    .hasMessageContaining("in silence");
        }

        @Test
        void writesWhatMpipingpongTakes() {
            assertThat(MpiPingPong.builder()
                            .multipleCores()
                            .packets(MpiPingPong.Packets.L)
                            .output(MpiPingPong.Output.A)
                            .output(MpiPingPong.Output.QUIET)
                            .order(MpiPingPong.Order.RING)
                            .ringStep(2)
                            .file("out.xml")
                            .build())
                    .hasToString("mpipingpong -m -pl -oa -oq -r -rs 2 out.xml");
            assertThat(MpiPingPong.builder().order(MpiPingPong.Order.TOURNAMENT).build())
                    .hasToString("mpipingpong -t");
        }

        @Test
        void refusesWhatMpipingpongExcludes() {
            refused(() -> MpiPingPong.builder().ringStep(2).build()).hasMessageContaining("with order RING");
            refused(() -> MpiPingPong.builder()
                            .output(MpiPingPong.Output.PROGRESS)
                            .output(MpiPingPong.Output.QUIET)
                            .build())
                    .hasMessageContaining("one of PROGRESS and QUIET");
            refused(() -> MpiPingPong.builder().packet(-1, 1)).hasMessageContaining("0 or more");
            refused(() -> MpiPingPong.builder().file("-s")).hasMessageContaining("does not begin with '-'");
        }
    }

    @Nested
    class Others {
        @Test
        void areWrittenAsTheirReferenceSays() {
            assertThat(List.of(
                            HpcPackCommand.taskView(4, 1, 2),
                            HpcPackCommand.jobView(4),
                            HpcPackCommand.jobList(true, HpcPackCommand.Format.LIST),
                            HpcPackCommand.jobListTasks(4, HpcPackCommand.Format.TABLE),
                            HpcPackCommand.jobCancel(4),
                            HpcPackCommand.jobRequeue(4),
                            HpcPackCommand.nodeList("AzureNodes", HpcPackCommand.Format.TABLE),
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
        void refuseWhatClusrunCouldLose() {
            HpcPackCommand command = HpcPackCommand.firewallRegister("app", "C:\\Program Files\\app.exe");
            refused(() -> HpcPackCommand.onGroup("AzureNodes", command)).hasMessageContaining("script on a share");
            refused(() -> HpcPackCommand.taskView(0, 1)).hasMessageContaining("1 or more");
        }
    }

    @Nested
    class Masks {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "172.16.0.0/255.255.0.0",
                    "172.16.0.0/16",
                    "10.0.0.0/1",
                    "10.0.0.1/31",
                    "1.2.3.4/255.255.255.254"
                })
        void thatMsMpiReadsAreKeptAsTheyAre(String text) {
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
        void thatItWouldIgnoreAreRefused(String text) {
            refused(() -> Netmask.parse(text)).hasMessageContaining("for example 172.16.0.0/255.255.0.0");
        }

        @Test
        void knowWhatTheyContain() {
            assertThat(Netmask.RDMA.bits()).isEqualTo(16);
            assertThat(Netmask.RDMA.contains(Ipv4Address.parse("172.16.1.5"))).isTrue();
            assertThat(Netmask.RDMA.contains(Ipv4Address.parse("172.17.0.1"))).isFalse();
        }
    }
}

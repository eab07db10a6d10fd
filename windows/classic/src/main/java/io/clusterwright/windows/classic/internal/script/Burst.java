package io.clusterwright.windows.classic.internal.script;

import io.clusterwright.core.plan.PlanStep;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PlannedMachines.MachineRole;
import io.clusterwright.core.plan.PlannedResource;
import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.HpcPackSpec.HpcPackSubscription;
import io.clusterwright.core.spec.InvalidSpecException;
import io.clusterwright.core.spec.SpecProblem;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.windows.classic.internal.iaas.ClassicNames;
import io.clusterwright.windows.internal.jobs.JobSubmitWords;
import io.clusterwright.windows.internal.pingpong.PingPongJobs;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The facts of a burst: its spec with the classic names of size and region. */
public final class Burst {
    /** The name of the script's file. */
    public static final String FILE_NAME = "burst.ps1";

    private final ClusterSpec spec;
    private final HpcPackBurst burst;
    private final boolean existingHead;
    private final String size;
    private final String location;

    private Burst(ClusterSpec spec, HpcPackSpec pack, HpcPackBurst burst, String size, String location) {
        this.spec = spec;
        this.burst = burst;
        this.existingHead = pack.existingHead();
        this.size = size;
        this.location = location;
    }

    /**
     * The burst of a spec of scenario {@code burst}.
     *
     * @throws InvalidSpecException with everything a burst needs and the spec lacks
     */
    public static Burst of(ClusterSpec spec) {
        List<SpecProblem> problems = problems(spec);
        if (!problems.isEmpty()) {
            throw new InvalidSpecException(problems);
        }
        HpcPackSpec pack = spec.hpcPack().orElseThrow();
        return new Burst(
                spec,
                pack,
                pack.burst().orElseThrow(),
                ClassicNames.of(spec.nodes().requireSize()).orElseThrow(),
                ClassicNames.location(spec.requireRegion()).orElseThrow());
    }

    /** The reasons why a spec cannot be carried out by bursting; empty when it can. */
    public static List<SpecProblem> problems(ClusterSpec spec) {
        List<SpecProblem> problems = new ArrayList<>();
        if (spec.hpcPack().flatMap(HpcPackSpec::burst).isEmpty()) {
            problems.add(SpecProblem.of(
                    "hpcPack.burst",
                    "hpcPack.burst needs cloudService and storageAccount",
                    "write burst: {cloudService: hpc1-burst, storageAccount: hpc1burststore}"));
        }
        if (ClassicNames.of(spec.nodes().requireSize()).isEmpty()) {
            problems.add(SpecProblem.of(
                    "nodes.size",
                    spec.nodes().requireSize() + " is not a size of worker roles",
                    "use a size such as Standard_A8, or scenario: resource-manager"));
        }
        if (ClassicNames.location(spec.requireRegion()).isEmpty()) {
            problems.add(SpecProblem.of(
                    "region",
                    spec.requireRegion() + " is not a region of the classic model",
                    "write region: westus, or another classic region"));
        }
        return problems;
    }

    /** The effect of each step in this cluster, for people, in the order of the steps. */
    Map<Action, String> steps() {
        int count = spec.nodes().count();
        String template = burst.nodeTemplate();
        String nodes = count + " nodes of template " + template;
        Map<Action, String> steps = new EnumMap<>(Action.class);
        steps.put(Action.CERTIFICATE, certificateText());
        steps.put(
                Action.SERVICES,
                "cloud service " + burst.cloudService() + " and storage account " + burst.storageAccount()
                        + ", both in " + location);
        steps.put(
                Action.NODE_TEMPLATE,
                existingHead
                        ? "import " + template + " from " + template + ".xml, unless it exists; manual availability"
                        : template + " comes with the configuration file of the new head node, or is imported");
        steps.put(Action.ADD_NODES, "Add-HpcNodeSet until there are " + count + " nodes of size " + size);
        steps.put(
                Action.START,
                nodes + ", with " + burst.proxyNodes() + " proxy nodes of the same size; billed from here");
        steps.put(Action.WAIT, "until all are provisioned, which takes many minutes");
        steps.put(
                Action.ONLINE,
                nodes + (programs().isEmpty() ? "" : ", after their firewall knows the MPI programs")
                        + "; the scheduler starts jobs on them at once");
        steps.put(Action.SUBMIT, "mpipingpong for latency and throughput on group " + burst.nodeGroup());
        schedule().ifPresent(schedule -> {
            steps.put(Action.SCHEDULE, nodes + " run " + schedule + ", by two scheduled tasks of this machine");
            steps.put(Action.UNSCHEDULE, "removes the two scheduled tasks; the nodes keep their state");
        });
        steps.put(Action.OFFLINE, nodes + ", when their jobs have ended");
        steps.put(Action.STOP, nodes + "; no longer billed");
        return steps;
    }

    /** The steps as a plan has them, after the step of the head node. */
    public List<PlanStep> planSteps() {
        List<PlanStep> all = new ArrayList<>();
        all.add(new PlanStep(
                Step.HEAD,
                existingHead ? "use the existing head node, on premises or in a machine of Azure" : newHead(),
                planned(MachineRole.HEAD)));
        steps().forEach((action, description) ->
                all.add(new PlanStep(action.step, action + ": " + description, created(action))));
        return all;
    }

    private String newHead() {
        return "deploy a head node of HPC Pack " + spec.hpcPack().orElseThrow().version()
                + spec.headNode()
                        .map(head -> ", " + head.name()
                                + head.size().map(size -> " of size " + size).orElse(""))
                        .orElse(", on premises or in a machine of Azure");
    }

    private List<PlannedResource> planned(MachineRole role) {
        return PlannedMachines.of(spec, role).map(PlannedMachines::resource).stream()
                .toList();
    }

    private List<PlannedResource> created(Action action) {
        String machine = spec.nodes().requireSize().name();
        return switch (action) {
            case SERVICES ->
                List.of(
                        PlannedResource.free("cloud service", burst.cloudService()),
                        PlannedResource.billed("storage account", burst.storageAccount()));
            case START ->
                List.of(
                        PlannedResource.billed(
                                machine + " worker role",
                                "of " + burst.nodeTemplate(),
                                spec.nodes().count()),
                        PlannedResource.billed(machine + " proxy machine", "of HPC Pack", burst.proxyNodes()));
            default -> List.of();
        };
    }

    /** The script: a function for each step, and a loop over the steps that are asked for. */
    public PowerShellScript script() {
        Map<Action, String> steps = steps();
        Optional<BurstSchedule> schedule = schedule();
        List<Action> first = new ArrayList<>(steps.keySet());
        first.removeIf(action -> action.compareTo(schedule.isPresent() ? Action.ADD_NODES : Action.ONLINE) > 0
                && action != Action.SCHEDULE);
        Map<String, String> texts = new LinkedHashMap<>();
        steps.forEach((action, description) -> texts.put(action.toString(), description));
        PingPongJobs jobs = PingPongJobs.of(spec, Interconnect.NETWORK_DIRECT);
        PowerShellScript script = PowerShellScript.read(name -> Burst.class.getResourceAsStream(name), FILE_NAME)
                .heading(heading(schedule.isPresent()))
                .set("Step", first.stream().map(Action::toString).toList())
                .set("NodeTemplate", burst.nodeTemplate())
                .set("Count", spec.nodes().count())
                .set("Size", size)
                .set("Thumbprint", burst.managementCertificate().orElse(""))
                .set(
                        "SubscriptionId",
                        spec.hpcPack()
                                .flatMap(HpcPackSpec::subscription)
                                .map(HpcPackSubscription::id)
                                .orElse(""))
                .set("Environment", location.startsWith("China ") ? "AzureChinaCloud" : "")
                .set("Location", location)
                .set("CloudService", burst.cloudService())
                .set("StorageAccount", burst.storageAccount())
                .programs(programs())
                .set("LatencyJob", JobSubmitWords.of(jobs.latency()))
                .set("ThroughputJob", JobSubmitWords.of(jobs.throughput()))
                .set("TaskName", "clusterwright " + spec.name())
                .set("Texts", texts);
        schedule.ifPresent(hours ->
                script.set("Days", hours.days()).set("StartAt", hours.start()).set("StopAt", hours.stop()));
        return script;
    }

    private String heading(boolean scheduled) {
        int nodes = spec.nodes().count();
        return "Burst of " + spec.name() + ": " + nodes + " worker roles of size " + size + " and " + burst.proxyNodes()
                + " proxy nodes.\n"
                + "Run as administrator on the head node, " + (existingHead ? "an existing" : "a new")
                + " one. Each step can be taken again.\n\n"
                + ".\\" + FILE_NAME + "                      from the certificate to nodes that "
                + (scheduled ? "start and stop at their hours\n" : "are online\n")
                + ".\\" + FILE_NAME + " -Step Submit         the two ping-pong jobs\n"
                + ".\\" + FILE_NAME + " -Step Offline,Stop   when no more jobs are to run\n\n"
                + (nodes + burst.proxyNodes()) + " machines are billed from Start to Stop.";
    }

    /** Empty where an administrator starts the nodes. */
    private Optional<BurstSchedule> schedule() {
        return burst.hours().map(BurstSchedule::of);
    }

    private List<FirewallRule> programs() {
        return spec.hpcPack().orElseThrow().firewall();
    }

    private String certificateText() {
        return burst.managementCertificate()
                .map(own -> "the head node has certificate " + own + " with its private key")
                .orElse("HPC Pack's default certificate is uploaded to the subscription; for test deployments only");
    }

    /** The steps in their order. Each can be taken again: it does only what is still to be done. */
    enum Action {
        /** Checks that the head node has the management certificate. */
        CERTIFICATE("Certificate", Step.CERTIFICATE),
        /** Makes cloud service and storage account, both in the region. */
        SERVICES("Services", Step.SERVICES),
        /** Imports the node template, unless it exists. */
        NODE_TEMPLATE("NodeTemplate", Step.NODE_TEMPLATE),
        /** Adds the missing nodes; costs nothing yet. */
        ADD_NODES("AddNodes", Step.NODES),
        /** Starts the nodes; from here on they and their proxies are billed. */
        START("Start", Step.START),
        /** Waits until all nodes are provisioned. */
        WAIT("Wait", Step.START),
        /** Brings the nodes online; the scheduler begins to use them at once. */
        ONLINE("Online", Step.ONLINE),
        /** Registers the tasks that start and stop the nodes at their hours. */
        SCHEDULE("Schedule", Step.ONLINE),
        /** Removes these tasks. */
        UNSCHEDULE("Unschedule", Step.OFFLINE),
        /** Submits the two ping-pong jobs. */
        SUBMIT("Submit", Step.JOBS),
        /** Takes the nodes offline; jobs on them end first. */
        OFFLINE("Offline", Step.OFFLINE),
        /** Stops the nodes: they are deprovisioned and no longer billed. */
        STOP("Stop", Step.STOP);

        private final String word;
        private final Step step;

        Action(String word, Step step) {
            this.word = word;
            this.step = step;
        }

        /** Its name in the script, such as {@code AddNodes}. */
        @Override
        public String toString() {
            return word;
        }
    }
}

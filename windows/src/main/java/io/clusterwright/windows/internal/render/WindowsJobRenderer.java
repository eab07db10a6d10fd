package io.clusterwright.windows.internal.render;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.plan.PlannedMachines;
import io.clusterwright.core.plan.PlannedMachines.MachineRole;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.internal.jobs.JobXml;
import io.clusterwright.windows.internal.pingpong.PingPongJobs;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Renders the files of every cluster with Windows: jobs, firewall and node group. */
public final class WindowsJobRenderer implements Renderer {
    /** Groups that HPC Pack fills by itself. */
    private static final Set<String> BUILT_IN = Set.of("azurenodes", "computenodes", "headnodes", "wcfbrokernodes");

    /** Creates the renderer; it has no state. */
    public WindowsJobRenderer() {}

    @Override
    public String name() {
        return "windows";
    }

    @Override
    public List<RenderedFile> render(RenderInput input) {
        ClusterSpec spec = input.spec();
        if (spec.operatingSystem() != OperatingSystem.WINDOWS) {
            return List.of();
        }
        Interconnect network = spec.nodes()
                .size()
                .flatMap(input.facts().sizes()::find)
                .map(VmSizeFacts::interconnect)
                .orElse(Interconnect.NONE);
        PingPongJobs jobs = PingPongJobs.of(spec, network);
        List<FirewallRule> programs = spec.hpcPack().map(HpcPackSpec::firewall).orElse(List.of());
        return List.of(
                submit("job-latency.cmd", jobs.latency(), "Measures the latency between the nodes."),
                submit("job-throughput.cmd", jobs.throughput(), "Measures the throughput between the nodes."),
                RenderedFile.text("task-view.cmd", JobScripts.taskView()),
                RenderedFile.of(
                        "job.xml",
                        JobXml.write(jobs.both(spec.name() + " ping-pong")).getBytes(StandardCharsets.UTF_8)),
                firewall("firewall.cmd", JobScripts.firewall(programs, jobs.nodeGroup()), programs),
                firewall("node-startup.cmd", JobScripts.startup(programs), programs),
                RenderedFile.of("node-group.ps1", nodeGroup(input, jobs).bytes()));
    }

    /**
     * Puts the nodes into their group, unless HPC Pack keeps it by itself, sets the cluster's network for MPI, and makes a job template
     * for the group.
     */
    private static PowerShellScript nodeGroup(RenderInput input, PingPongJobs jobs) {
        String group = jobs.nodeGroup();
        String name = input.spec().name().toString();
        Optional<HpcPackSpec> pack = input.spec().hpcPack();
        PowerShellScript script = PowerShellScript.of("node-group.ps1")
                .heading("Node group, network of MPI and job template of " + name
                        + ". Run this on the head node as administrator; it may run again.")
                .set("Group", group)
                .set("Description", "Nodes of " + name + " that reach each other over RDMA")
                .set("MpiNetmask", jobs.clusterNetmask().orElse(""))
                .set("JobTemplate", pack.flatMap(HpcPackSpec::jobTemplate).orElse(""));
        if (BUILT_IN.contains(group.toLowerCase(Locale.ROOT))) {
            return script;
        }
        return pack.filter(given -> given.scenario() == HpcPackSpec.Scenario.BURST)
                .flatMap(HpcPackSpec::burst)
                .map(burst -> script.set("NodeTemplate", burst.nodeTemplate()))
                .orElseGet(() -> script.set("Names", words(input.nodes().keySet()))
                        .set(
                                "LinuxNames",
                                words(PlannedMachines.of(input.spec(), MachineRole.LINUX_NODES)
                                        .map(PlannedMachines::names)
                                        .orElse(List.of()))));
    }

    private static List<String> words(Collection<NodeName> names) {
        return names.stream().map(NodeName::value).toList();
    }

    private static RenderedFile firewall(String name, String script, List<FirewallRule> programs) {
        RenderedFile file = RenderedFile.text(name, script);
        return programs.isEmpty()
                ? file.withNote(
                        "it opens nothing: name the MPI programs in hpcPack.firewall, or their nodes do not reach each other")
                : file;
    }

    private static RenderedFile submit(String name, HpcPackJob job, String purpose) {
        RenderedFile file = RenderedFile.text(name, JobScripts.submit(job, purpose));
        int length =
                job.tasks().get(0).properties().getOrDefault("CommandLine", "").length();
        return length <= HpcPackCommandLine.SHORT_LIMIT
                ? file
                : file.withNote("the command has " + length + " characters, and HPC Pack before 2016 Update 3 takes "
                        + HpcPackCommandLine.SHORT_LIMIT);
    }
}

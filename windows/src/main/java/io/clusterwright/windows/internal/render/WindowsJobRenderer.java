package io.clusterwright.windows.internal.render;

import io.clusterwright.core.catalog.VmSizeFacts;
import io.clusterwright.core.plan.RenderedFile;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spec.OperatingSystem;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.spi.Renderer;
import io.clusterwright.core.type.Interconnect;
import io.clusterwright.windows.hpcpack.HpcPackJob;
import io.clusterwright.windows.internal.jobs.JobXml;
import io.clusterwright.windows.internal.pingpong.PingPongJobs;
import io.clusterwright.windows.internal.quoting.HpcPackCommandLine;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Renders the files of every cluster with Windows: jobs, firewall and node group. */
public final class WindowsJobRenderer implements Renderer {

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
                RenderedFile.of(
                        "node-group.ps1",
                        NodeGroupScript.of(input, jobs.nodeGroup()).bytes()));
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

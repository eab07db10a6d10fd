package io.clusterwright.windows.internal.render;

import io.clusterwright.core.spec.HpcPackBurst;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spi.RenderInput;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.windows.internal.powershell.PowerShellCommand;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Puts the nodes into their group, and makes a job template for it. */
final class NodeGroupScript {
    /** Groups that HPC Pack fills by itself. */
    private static final Set<String> BUILT_IN = Set.of("azurenodes", "computenodes", "headnodes", "wcfbrokernodes");

    private NodeGroupScript() {}

    static PowerShellScript of(RenderInput input, String group) {
        Optional<HpcPackSpec> pack = input.spec().hpcPack();
        PowerShellScript script = PowerShellScript.strict()
                .comment("Node group and job template of " + input.spec().name()
                        + ". Run this on the head node as administrator; it may run again.")
                .hpcPack();
        script.blank().assign("group", PowerShellCommand.of(PowerShellQuoting.literal(group)));
        if (BUILT_IN.contains(group.toLowerCase(Locale.ROOT))) {
            script.comment("HPC Pack keeps this group by itself.");
        } else {
            members(script, pack.flatMap(HpcPackSpec::burst).filter(burst -> isBurst(pack)), input);
        }
        pack.flatMap(HpcPackSpec::jobTemplate).ifPresent(template -> template(script, template, group));
        return script;
    }

    private static boolean isBurst(Optional<HpcPackSpec> pack) {
        return pack.filter(given -> given.scenario() == HpcPackSpec.Scenario.BURST)
                .isPresent();
    }

    private static void members(PowerShellScript script, Optional<HpcPackBurst> burst, RenderInput input) {
        PowerShellCommand nodes = PowerShellCommand.of("Get-HpcNode");
        List<String> names =
                input.nodes().keySet().stream().map(NodeName::value).toList();
        nodes = burst.isPresent() ? nodes.text("TemplateName", burst.get().nodeTemplate()) : nodes.texts("Name", names);
        script.block(
                "if (-not (Get-HpcGroup -Name $group -ErrorAction SilentlyContinue))",
                body -> body.run(PowerShellCommand.of("New-HpcGroup")
                        .expression("Name", "$group")
                        .text("Description", "Nodes of " + input.spec().name() + " that reach each other over RDMA")
                        .then(PowerShellCommand.of("Out-Null"))));
        script.line("$members = @(Get-HpcNode -GroupName $group -ErrorAction SilentlyContinue"
                        + " | ForEach-Object { $_.NetBiosName })")
                .line("$new = @(" + nodes + " | Where-Object { $members -notcontains $_.NetBiosName })")
                .block(
                        "if ($new.Count -gt 0)",
                        body -> body.run(PowerShellCommand.of("Add-HpcGroup")
                                .expression("Name", "$group")
                                .expression("Node", "$new")))
                .line("Write-Output \"$($new.Count) nodes were added to $group.\"");
    }

    private static void template(PowerShellScript script, String template, String group) {
        String name = PowerShellQuoting.literal(template);
        script.blank()
                .comment("No cmdlet restricts a job template, so the last step is done by hand, once.")
                .block(
                        "if (-not (Get-HpcJobTemplate -Name " + name + " -ErrorAction SilentlyContinue))",
                        body -> body.run(PowerShellCommand.of("Copy-HpcJobTemplate")
                                        .text("Name", "Default")
                                        .text("NewName", template))
                                .run(
                                        PowerShellCommand.of("Write-Warning")
                                                .text(
                                                        "Message",
                                                        "In HPC Cluster Manager, Configuration, Job Templates, open "
                                                                + template
                                                                + ", add the property Node Groups, and make " + group
                                                                + " its only required value. Until then its jobs start on any node.")));
    }
}

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

    /**
     * Exports the template, or Default where it does not exist, makes the group its only allowed and required one, and imports it. The
     * file's elements are those that Export-HpcJobTemplate writes and Import-HpcJobTemplate reads: the class ClusterJobProfileItem of the
     * scheduler's published source.
     */
    private static void template(PowerShellScript script, String template, String group) {
        PowerShellCommand get = PowerShellCommand.of("Get-HpcJobTemplate");
        PowerShellCommand export = PowerShellCommand.of("Export-HpcJobTemplate")
                .expression("Template", "$template")
                .expression("Path", "$file")
                .flag("Force");
        script.blank()
                .comment("The job template's jobs run on nodes of " + group
                        + " only. Jobs of other templates may still start there.")
                .assign("file", PowerShellCommand.of("[IO.Path]::GetTempFileName()"))
                .block(
                        "function Get-GroupItem([xml] $exported)",
                        body -> body.line("$exported.DocumentElement.SelectSingleNode("
                                + "\"*[local-name()='TemplateItem' and @PropertyName='NodeGroups']\")"))
                .assign("template", get.text("Name", template).word("ErrorAction", "SilentlyContinue"))
                .line("if (-not $template) { $template = " + get.text("Name", "Default") + " }")
                .run(export)
                .line("[xml] $content = Get-Content -LiteralPath $file")
                .assign("item", PowerShellCommand.of("Get-GroupItem $content"))
                .block(
                        "if (-not $item)",
                        body -> body.line(
                                        "$item = $content.CreateElement('TemplateItem', $content.DocumentElement.NamespaceURI)")
                                .line("$item.SetAttribute('PropertyName', 'NodeGroups')")
                                .line("$content.DocumentElement.AppendChild($item) | Out-Null"))
                .line(
                        "foreach ($attribute in @('Default', 'ValueRange', 'RequiredValues')) { $item.SetAttribute($attribute, $group) }")
                .line("$content.Save($file)")
                .run(PowerShellCommand.of("Import-HpcJobTemplate")
                        .text("Name", template)
                        .expression("Path", "$file")
                        .flag("Force")
                        .then(PowerShellCommand.of("Out-Null")))
                .blank()
                .comment("What the scheduler keeps counts.")
                .assign("template", get.text("Name", template))
                .run(export)
                .line("[xml] $content = Get-Content -LiteralPath $file")
                .assign("item", PowerShellCommand.of("Get-GroupItem $content"))
                .run(PowerShellCommand.of("Remove-Item").expression("LiteralPath", "$file"))
                .line("if (-not $item -or $item.GetAttribute('RequiredValues') -ne $group) { throw "
                        + PowerShellQuoting.literal(
                                "the scheduler did not restrict job template " + template + " to " + group
                                        + "; in HPC Cluster Manager, Configuration, Job Templates, add Node Groups with this required value")
                        + " }")
                .line("Write-Output "
                        + PowerShellQuoting.literal(
                                "Jobs of template " + template + " run on nodes of " + group + " only."));
    }
}

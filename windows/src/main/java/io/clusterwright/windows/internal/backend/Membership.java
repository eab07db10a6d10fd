package io.clusterwright.windows.internal.backend;

import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.spi.Machine;
import io.clusterwright.windows.WindowsImageScript;
import io.clusterwright.windows.internal.powershell.PowerShellCommand;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.List;

/**
 * A script that makes a machine a member of a cluster: names of all members, a firewall rule for them, and proof of the driver where the
 * machines have a fast network. Idempotent.
 */
final class Membership {
    static final String MARKER = "clusterwright: the machine is a member";
    private static final String BEGIN = "# clusterwright: begin";
    private static final String END = "# clusterwright: end";
    private static final String RULE = "clusterwright-members";

    private Membership() {}

    static String script(ClusterSpec spec, List<Machine> members, boolean fabric) {
        PowerShellScript script = PowerShellScript.strict();
        script.blank();
        hosts(script, members);
        script.blank();
        firewall(script, spec);
        script.blank();
        spec.hpcPack().map(HpcPackSpec::firewall).orElse(List.of()).forEach(rule -> register(script, rule));
        String text = script.text();
        if (fabric) {
            text += WindowsImageScript.create().requireNetworkDirect().text();
        }
        return text + PowerShellCommand.of("Write-Output").text("InputObject", MARKER) + "\r\n";
    }

    private static void hosts(PowerShellScript script, List<Machine> members) {
        script.comment("Names of all members in a separate block; other lines are unchanged.")
                .line("$file = Join-Path -Path $env:windir -ChildPath 'System32\\drivers\\etc\\hosts'")
                .line("$lines = @([System.IO.File]::ReadAllLines($file))")
                .line("$kept = New-Object -TypeName System.Collections.Generic.List[string]")
                .line("$inside = $false")
                .block("foreach ($line in $lines)", each -> {
                    each.line("if ($line -eq '" + BEGIN + "') { $inside = $true }");
                    each.line("if (-not $inside) { $kept.Add($line) }");
                    each.line("if ($line -eq '" + END + "') { $inside = $false }");
                })
                .line("$kept.Add('" + BEGIN + "')");
        members.forEach(member ->
                script.line("$kept.Add(" + PowerShellQuoting.literal(member.address() + " " + member.name()) + ")"));
        script.line("$kept.Add('" + END + "')")
                .line("[System.IO.File]::WriteAllLines(\"$file.part\", $kept)")
                .line("Copy-Item -LiteralPath \"$file.part\" -Destination $file -Force")
                .line("Remove-Item -LiteralPath \"$file.part\" -Force");
    }

    /** Ranks listen at any port, so members let each other in at all of them; the subnet belongs to the cluster. */
    private static void firewall(PowerShellScript script, ClusterSpec spec) {
        script.comment("The members reach each other at every port")
                .block(
                        "if (-not (Get-NetFirewallRule -Name '" + RULE + "' -ErrorAction SilentlyContinue))",
                        then -> then.run(PowerShellCommand.of("New-NetFirewallRule")
                                .text("Name", RULE)
                                .text("DisplayName", RULE)
                                .word("Direction", "Inbound")
                                .word("Action", "Allow")
                                .text(
                                        "RemoteAddress",
                                        spec.network().subnet().range().toString())
                                .then(PowerShellCommand.of("Out-Null"))));
    }

    /** HPC Pack, where it is installed, keeps separate rules for programs of MPI. */
    private static void register(PowerShellScript script, FirewallRule rule) {
        script.block(
                "if (Get-Command -Name hpcfwutil -ErrorAction SilentlyContinue)",
                then -> then.line("hpcfwutil register " + PowerShellQuoting.literal(rule.name()) + " "
                                + PowerShellQuoting.literal(rule.program()))
                        .block(
                                "if ($LASTEXITCODE -ne 0)",
                                failed -> failed.line("throw \"hpcfwutil register ended with $LASTEXITCODE\"")));
    }
}

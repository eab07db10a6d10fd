package io.clusterwright.windows.internal.powershell;

import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.List;

/**
 * The function of a script that registers MPI programs with the firewall of nodes, which are offline or online. Sources: {@code hpcfwutil}
 * and {@code clusrun} of the command reference of HPC Pack (learn.microsoft.com, gg243461 and cc947685).
 */
public final class NodeFirewall {
    private static final String NAME = "Open-NodeFirewall";

    private NodeFirewall() {}

    /** Writes the function, and nothing where there is no program. */
    public static void define(PowerShellScript script, List<FirewallRule> programs) {
        if (programs.isEmpty()) {
            return;
        }
        script.comment(
                "Registers the MPI programs with the firewall of nodes, before their first job; it may run again.");
        script.block("function " + NAME + "($Nodes)", body -> {
            body.line("$list = ($Nodes | ForEach-Object { $_.NetBiosName }) -join ','");
            for (FirewallRule rule : programs) {
                body.line("clusrun \"/nodes:$list\" hpcfwutil register " + PowerShellQuoting.literal(rule.name()) + " "
                        + PowerShellQuoting.literal(rule.program()));
                body.line("if ($LASTEXITCODE -ne 0) { throw "
                        + PowerShellQuoting.literal("hpcfwutil did not register " + rule.name()
                                + " on every node; see the output of clusrun above")
                        + " }");
            }
        });
        script.blank();
    }

    /** A line that opens the firewall of the nodes in a variable where it holds any; empty where there is no program. */
    public static String call(String variable, List<FirewallRule> programs) {
        return programs.isEmpty() ? "" : "if ($" + variable + ".Count -gt 0) { " + NAME + " -Nodes $" + variable + " }";
    }
}

package io.clusterwright.windows.internal.iaas;

import io.clusterwright.core.plan.Step;
import io.clusterwright.core.spec.ClusterSpec;
import io.clusterwright.core.spec.HpcPackSpec;
import io.clusterwright.core.spec.HpcPackSpec.FirewallRule;
import io.clusterwright.core.type.InvalidValueException;
import io.clusterwright.core.type.NodeName;
import io.clusterwright.core.type.NodeSet;
import io.clusterwright.windows.internal.powershell.NodeFirewall;
import io.clusterwright.windows.internal.powershell.NodeStates;
import io.clusterwright.windows.internal.powershell.PowerShellCommand;
import io.clusterwright.windows.internal.powershell.PowerShellScript;
import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.List;

/**
 * The lifecycle of compute nodes in classic virtual machines as a script: online, offline, stopped and started again.
 *
 * <p>Stopping deallocates the machines, so that they are no longer billed; their disks are. Immutable and safe for use by several threads.
 *
 * @param nodes the nodes, at least one
 */
public record NodeLifecycle(List<NodeName> nodes, List<FirewallRule> programs) {
    /** The name of the script's file. */
    public static final String FILE_NAME = "node-lifecycle.ps1";

    private static final String ONLINE = "Online";
    private static final String OFFLINE = "Offline";
    private static final String STOP = "Stop";
    private static final String START = "Start";

    /**
     * Copies the lists.
     *
     * @throws InvalidValueException when it is empty
     */
    public NodeLifecycle {
        nodes = List.copyOf(nodes);
        programs = List.copyOf(programs);
        if (nodes.isEmpty()) {
            throw new InvalidValueException("nodes of a lifecycle script", "none", "at least one node", "HPCCN-0001");
        }
    }

    /** The lifecycle of the compute nodes of a spec. */
    public static NodeLifecycle of(ClusterSpec spec) {
        return new NodeLifecycle(
                spec.nodes().names(), spec.hpcPack().map(HpcPackSpec::firewall).orElse(List.of()));
    }

    /**
     * The effect of a step, for people.
     *
     * @param step {@code ONLINE}, {@code OFFLINE}, {@code STOP} or {@code START}
     * @throws InvalidValueException when it is another one
     */
    public String describe(Step step) {
        String verb = switch (step) {
            case ONLINE -> "bring online";
            case OFFLINE -> "take offline";
            case STOP -> "stop and deallocate";
            case START -> "start";
            default ->
                throw new InvalidValueException("step of nodes", step.name(), "ONLINE, OFFLINE, STOP or START", "STOP");
        };
        return verb + " " + NodeSet.fold(nodes);
    }

    /** The script, to be run on the head node by an administrator: {@code .\node-lifecycle.ps1 -Action Online}. */
    public PowerShellScript script() {
        PowerShellScript script = PowerShellScript.create();
        script.comment("The life of " + NodeSet.fold(nodes)
                + ". Run as administrator on the head node; each action can be taken again.\n\n"
                + ".\\" + FILE_NAME + " -Action Online    jobs may use the nodes\n"
                + ".\\" + FILE_NAME + " -Action Offline   jobs on them end, and no new ones start\n"
                + ".\\" + FILE_NAME + " -Action Stop      offline, and the machines deallocated: no longer billed\n"
                + ".\\" + FILE_NAME + " -Action Start     the machines boot again, offline");
        script.line("param(");
        script.line("    [Parameter(Mandatory = $true)] [ValidateSet('Online', 'Offline', 'Stop', 'Start')] [string]"
                + " $Action,");
        script.line("    [ValidateRange(1, 1440)] [int] $DeadlineMinutes = 30");
        script.line(")");
        script.line("Set-StrictMode -Version 2.0");
        script.line("$ErrorActionPreference = 'Stop'");
        script.line("$names = " + names());
        script.blank();
        NodeStates.define(script, PowerShellCommand.of("Get-HpcNode").expression("Name", "$names"));
        NodeFirewall.define(script, programs);
        function(script, ONLINE, OFFLINE, ONLINE, List.of("Offline", "Starting", "Unknown"));
        function(script, OFFLINE, ONLINE, OFFLINE, List.of("Online", "Draining", "Starting", "Unknown"));
        machines(script);
        script.line("if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue)) { Add-PSSnapin -Name"
                + " Microsoft.HPC }");
        script.line("$found = @(Get-ClusterNode).Count");
        script.line(
                "if ($found -ne $names.Count) { throw \"the cluster has $found of the $($names.Count) nodes $($names"
                        + " -join ', ')\" }");
        script.block("switch ($Action)", body -> {
            for (String action : List.of(ONLINE, OFFLINE, STOP, START)) {
                body.line("'" + action + "' { " + name(action) + " }");
            }
        });
        return script;
    }

    private String names() {
        return PowerShellQuoting.literals(nodes.stream().map(NodeName::value).toList());
    }

    /** The cmdlet fails on a node that is in that state already, so it gets those in the other one only. */
    private void function(PowerShellScript script, String action, String from, String to, List<String> passing) {
        script.block("function " + name(action), body -> {
            body.line("$nodes = " + NodeStates.in(from));
            if (action.equals(ONLINE) && !programs.isEmpty()) {
                body.line(NodeFirewall.call("nodes", programs));
            }
            body.line("if ($nodes.Count -gt 0) { Set-HpcNodeState -Node $nodes -State " + to + " -Confirm:$false }");
            body.line(
                    action.equals(ONLINE)
                            ? NodeStates.waitingForHealthy(List.of(to), passing)
                            : NodeStates.waiting(List.of(to), passing));
        });
        script.blank();
    }

    private static void machines(PowerShellScript script) {
        script.comment("The scripts for the machines need Import-AzurePublishSettingsFile, or Set-AzureSubscription"
                + " -Certificate, before.");
        script.block("function " + name(STOP), body -> {
            body.line(name(OFFLINE));
            body.line("& \"$env:CCP_HOME\\bin\\Stop-HPCIaaSNode.ps1\" -Name $names -Force");
        });
        script.blank();
        script.block(
                "function " + name(START),
                body -> body.line("& \"$env:CCP_HOME\\bin\\Start-HPCIaaSNode.ps1\" -Name $names"));
        script.blank();
    }

    private static String name(String action) {
        return "Invoke-Node" + action;
    }
}

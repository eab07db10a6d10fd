package io.clusterwright.windows.internal.powershell;

import io.clusterwright.windows.internal.quoting.PowerShellQuoting;
import java.util.List;

/** The functions of a script that looks at nodes of HPC Pack and waits for their states. */
public final class NodeStates {
    /** The function that waits, to be called by {@link #waiting(List, List)}. */
    private static final String WAIT = "Wait-NodeState";

    private static final int PAUSE_SECONDS = 15;
    private static final int LOOKS = 4;

    private NodeStates() {}

    /**
     * Writes the functions.
     *
     * @param script gets them; has a variable {@code $DeadlineMinutes}
     * @param select finds the nodes that the script is about, whatever their state
     */
    public static void define(PowerShellScript script, PowerShellCommand select) {
        PowerShellCommand quiet = select.word("ErrorAction", "SilentlyContinue");
        script.comment("The nodes in one of these states, or all of them.");
        script.block(
                "function Get-ClusterNode([string[]] $State)",
                body -> body.block(
                                "if ($State)",
                                given -> given.block(
                                        "foreach ($one in $State)",
                                        loop -> loop.run(quiet.expression("State", "$one"))))
                        .block("else", all -> all.run(quiet)));
        script.blank();
        script.block("function Get-FailedNode", body -> body.run(quiet.word("HealthState", "Error")));
        script.blank();
        script.comment(
                "Follows the nodes until all are in a wanted state; stops where one fails, strays or takes too long.");
        script.block(
                "function " + WAIT + "([string[]] $Wanted, [string[]] $Passing, [switch] $Healthy)", NodeStates::wait);
        script.blank();
    }

    /** A call that waits until all nodes are in one of the wanted states, for as long as the others are in a passing one. */
    public static String waiting(List<String> wanted, List<String> passing) {
        return WAIT + " -Wanted " + PowerShellQuoting.literals(wanted) + " -Passing "
                + PowerShellQuoting.literals(passing);
    }

    /** The same, which stops too when nodes report an error for more than a moment. */
    public static String waitingForHealthy(List<String> wanted, List<String> passing) {
        return waiting(wanted, passing) + " -Healthy";
    }

    /** An expression for the nodes in one of these states, as an array. */
    public static String in(String... states) {
        return "@(Get-ClusterNode -State " + PowerShellQuoting.literals(List.of(states)) + ")";
    }

    private static void wait(PowerShellScript script) {
        script.line("$end = (Get-Date).AddMinutes($DeadlineMinutes)");
        script.line("$astray = 0");
        script.block("while ($true)", body -> {
            body.line("$all = @(Get-ClusterNode).Count");
            body.line("if ($Healthy -and $all -eq 0) { throw 'there are no such nodes; add them first' }");
            body.line("$there = @(Get-ClusterNode -State $Wanted).Count");
            body.line("Write-Host \"$there of $all nodes are $($Wanted -join ' or ')\"");
            body.line("if ($there -eq $all) { return }");
            body.line("$failed = 0");
            body.line("if ($Healthy) { $failed = @(Get-FailedNode).Count }");
            body.line("$onward = @(Get-ClusterNode -State $Passing).Count");
            body.comment("Nodes change between two looks, so one look is not enough to give up.");
            body.line("if ($failed -gt 0 -or $there + $onward -lt $all) { $astray++ } else { $astray = 0 }");
            body.block(
                    "if ($astray -ge " + LOOKS + ")",
                    lost -> lost.line(
                            "throw \"$failed nodes report an error, and $($all - $there - $onward) are in a state that does not"
                                    + " lead to $($Wanted -join ' or '). See Get-HpcNode, and Get-HpcOperationLog for why.\""));
            body.block(
                    "if ((Get-Date) -gt $end)",
                    late -> late.line(
                            "throw \"after $DeadlineMinutes minutes only $there of $all nodes are $($Wanted -join ' or ');"
                                    + " give a longer -DeadlineMinutes, or see Get-HpcNode.\""));
            body.line("Start-Sleep -Seconds " + PAUSE_SECONDS);
        });
    }
}

package io.clusterwright.windows.powershell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check finds what it is there for. */
class PowerShellCheckTest {

    @Test
    void acceptsExistingCommands() {
        PowerShellCheck.check(
                "good.ps1",
                "Add-PSSnapin Microsoft.HPC -ErrorAction Stop\r\n"
                        + "function Wait-Nodes([string] $State) { Get-HpcNode -TemplateName 'A' -HealthState OK }\r\n"
                        + "Wait-Nodes -State 'Offline' | Set-HpcNodeState -State Online -Confirm:$false -Scheduler 'hn'\r\n"
                        + "& \"$env:CCP_HOME\\bin\\Stop-HpcIaaSNode.ps1\" -Name 'CN-*'\r\n"
                        + "job submit /id:4\r\n");
    }

    @Test
    void reportsMissingCommandsWithTheirPlace() {
        Map<String, String> scripts = Map.of(
                "bad.ps1",
                "Get-HpcNode\nAdd-HpcNode -Name 'x'\nAdd-HpcNodeSet -Template $t -Count 4\n"
                        + "if ($a) { New-HpcNodeTemplate -Type AzureNode -Name 'x' }\nSet-HpcNodeState -State 'Stopped'\n");

        assertThat(PowerShellCheck.problems(scripts))
                .containsExactly(
                        "bad.ps1:2:1: there is no Add-HpcNode",
                        "bad.ps1:3:1: add-hpcnodeset has no -Count",
                        "bad.ps1:4:11: -Type of new-hpcnodetemplate takes [brokernode, computenode, workstationnode], not AzureNode",
                        "bad.ps1:5:1: -State of set-hpcnodestate takes [offline, online, rejected], not 'Stopped'");
    }

    @Test
    void reportsInvalidPowerShell() {
        assertThat(PowerShellCheck.problems(Map.of("broken.ps1", "Get-HpcGroup -Name 'x\nif ($a {\n")))
                .anyMatch(problem -> problem.startsWith("broken.ps1:1:") && problem.endsWith("is no PowerShell"));
    }
}

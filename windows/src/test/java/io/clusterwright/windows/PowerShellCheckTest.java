package io.clusterwright.windows;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterwright.windows.powershell.PowerShellCheck;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The check finds what it is there for. */
@Tag("breadth")
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
                "Get-HpcNode\nAdd-HpcNode -Name 'x'\nAdd-HpcNodeSet -Template $t -Quantity 4 -Size 'A8' -Count 4\n"
                        + "if ($a) { New-HpcNodeTemplate -Type AzureNode -Name 'x' }\n"
                        + "Set-HpcNodeState -Name 'n' -State 'Stopped'\n");

        assertThat(PowerShellCheck.problems(scripts))
                .containsExactly(
                        "bad.ps1:2:1: there is no Add-HpcNode",
                        "bad.ps1:3:1: Add-HpcNodeSet has no -Count",
                        "bad.ps1:4:11: -Type of New-HpcNodeTemplate takes [brokernode, computenode, workstationnode], not AzureNode",
                        "bad.ps1:5:1: -State of Set-HpcNodeState takes [offline, online, rejected], not 'Stopped'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "Add-HpcNodeSet -Template $t -Size 'A8'       | Add-HpcNodeSet needs -Quantity",
                "Add-HpcNodeSet -Quantity 1 -Size 'A8'        | Add-HpcNodeSet needs -Template",
                "Add-HpcNodeSet -Template $t -Quantity 'four' -Size 'A8' | -Quantity of Add-HpcNodeSet takes Int32, not 'four'",
                "Stop-HpcNodeSet -Template $t -Force -Async $true | -Force of Stop-HpcNodeSet has no value",
                "Stop-HpcNodeSet -Template 'AzureRdma' -Force $true | -Template of Stop-HpcNodeSet takes HpcNodeTemplate, not 'AzureRdma'",
                "Set-HpcNodeState -Node $n -Name 'n' -State Online -Force | no parameter set of Set-HpcNodeState has all of -Node -Name -State -Force",
                "Set-HpcNodeState -Node $n -State Online -Async $true | Set-HpcNodeState has no place for $true",
                "Copy-HpcJobTemplate -Name @('a','b') -NewName 'c' | -Name of Copy-HpcJobTemplate takes one String, not @('a','b')",
                "New-AzureService -ServiceName 'a' -Location 'West US' -AffinityGroup 'b' | no parameter set of New-AzureService has all of -ServiceName -Location -AffinityGroup",
                "Get-HpcNode -State Offline -State Online     | -State of Get-HpcNode stands twice",
            })
    void reportsCallsThatFitNoParameterSet(String call, String problem) {
        assertThat(PowerShellCheck.problems(Map.of("bad.ps1", call))).containsExactly("bad.ps1:1:1: " + problem);
    }

    @Test
    void acceptsWhatPipelineAndPositionGive() {
        PowerShellCheck.check(
                "good.ps1",
                "$t | Add-HpcNodeSet -Quantity 4 -Size 'A8'\n@(Get-HpcNode 'CN*' | Where-Object { $_.Health -eq 'OK' })\n"
                        + "Get-HpcNode -State 'Offline','Rejected' | Set-HpcNodeState -State Online -Confirm:$false\n");
    }

    @Test
    void reportsInvalidPowerShell() {
        assertThat(PowerShellCheck.problems(Map.of("broken.ps1", "Get-HpcGroup -Name 'x\nif ($a {\n")))
                .anyMatch(problem -> problem.startsWith("broken.ps1:1:") && problem.endsWith("is no PowerShell"));
    }
}

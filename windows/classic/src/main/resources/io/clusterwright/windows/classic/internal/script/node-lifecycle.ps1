param(
    [Parameter(Mandatory = $true)] [ValidateSet('Online', 'Offline', 'Stop', 'Start')] [string] $Action,
    [ValidateRange(1, 1440)] [int] $DeadlineMinutes = 30,
    [string[]] $Names = @('HPCCN-0001'),
    [string[]] $LinuxNames = @(),
    [string[]] $ProgramNames = @(),
    [string[]] $ProgramPaths = @()
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

function Get-OwnNode([string] $State) {
    if ($State) {
        Get-HpcNode -Name $Names -State $State -ErrorAction SilentlyContinue
    }
    else {
        Get-HpcNode -Name $Names -ErrorAction SilentlyContinue
    }
}

function Get-FailedNode {
    Get-HpcNode -Name $Names -HealthState Error -ErrorAction SilentlyContinue
}

. .\nodes.ps1
# Set-HpcNodeState fails on a node that is in that state already, so it gets the nodes in the other one only.
function Invoke-NodeOnline {
    $nodes = @(Get-ClusterNode -State @('Offline'))
    $windows = @($nodes | Where-Object { $LinuxNames -notcontains $_.NetBiosName })
    if ($windows.Count -gt 0) { Open-NodeFirewall -Nodes $windows }
    if ($nodes.Count -gt 0) { Set-HpcNodeState -Node $nodes -State Online -Confirm:$false }
    Wait-NodeState -Wanted @('Online') -Passing @('Offline','Starting','Unknown') -Healthy
}

function Invoke-NodeOffline {
    $nodes = @(Get-ClusterNode -State @('Online'))
    if ($nodes.Count -gt 0) { Set-HpcNodeState -Node $nodes -State Offline -Confirm:$false }
    Wait-NodeState -Wanted @('Offline') -Passing @('Online','Draining','Starting','Unknown')
}

# The scripts for the machines need Import-AzurePublishSettingsFile, or Set-AzureSubscription -Certificate, before.
function Invoke-NodeStop {
    Invoke-NodeOffline
    & "$env:CCP_HOME\bin\Stop-HPCIaaSNode.ps1" -Name $Names -Force
}

function Invoke-NodeStart {
    & "$env:CCP_HOME\bin\Start-HPCIaaSNode.ps1" -Name $Names
}

if (-not (Get-PSSnapin -Name Microsoft.HPC -ErrorAction SilentlyContinue)) { Add-PSSnapin -Name Microsoft.HPC }
$found = @(Get-ClusterNode).Count
if ($found -ne $Names.Count) { throw "the cluster has $found of the $($Names.Count) nodes $($Names -join ', ')" }
switch ($Action) {
    'Online' { Invoke-NodeOnline }
    'Offline' { Invoke-NodeOffline }
    'Stop' { Invoke-NodeStop }
    'Start' { Invoke-NodeStart }
}

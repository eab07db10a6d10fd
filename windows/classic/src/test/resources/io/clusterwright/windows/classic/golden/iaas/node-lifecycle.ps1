# The life of HPCCN-[0001-0004]. Run as administrator on the head node; each action can be taken again.
#
# .\node-lifecycle.ps1 -Action Online    jobs may use the nodes
# .\node-lifecycle.ps1 -Action Offline   jobs on them end, and no new ones start
# .\node-lifecycle.ps1 -Action Stop      offline, and the machines deallocated: no longer billed
# .\node-lifecycle.ps1 -Action Start     the machines boot again, offline
param(
    [Parameter(Mandatory = $true)] [ValidateSet('Online', 'Offline', 'Stop', 'Start')] [string] $Action,
    [ValidateRange(1, 1440)] [int] $DeadlineMinutes = 30,
    [string[]] $Names = @('HPCCN-0001','HPCCN-0002','HPCCN-0003','HPCCN-0004'),
    [string[]] $LinuxNames = @(),
    [string[]] $ProgramNames = @('mpipingpong'),
    [string[]] $ProgramPaths = @('C:\Program Files\Microsoft MPI\Bin\mpipingpong.exe')
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

# The nodes in one of these states, or all of them.
function Get-ClusterNode([string[]] $State) {
    if ($State) {
        foreach ($one in $State) {
            Get-OwnNode -State $one
        }
    }
    else {
        Get-OwnNode
    }
}

# Follows the nodes until all are in a wanted state; stops where one fails, strays or takes too long.
function Wait-NodeState([string[]] $Wanted, [string[]] $Passing, [switch] $Healthy) {
    $end = (Get-Date).AddMinutes($DeadlineMinutes)
    $astray = 0
    while ($true) {
        $all = @(Get-ClusterNode).Count
        if ($Healthy -and $all -eq 0) { throw 'there are no such nodes; add them first' }
        $there = @(Get-ClusterNode -State $Wanted).Count
        Write-Host "$there of $all nodes are $($Wanted -join ' or ')"
        if ($there -eq $all) { return }
        $failed = 0
        if ($Healthy) { $failed = @(Get-FailedNode).Count }
        $onward = @(Get-ClusterNode -State $Passing).Count
        # Nodes change between two looks, so one look is not enough to give up.
        if ($failed -gt 0 -or $there + $onward -lt $all) { $astray++ } else { $astray = 0 }
        if ($astray -ge 4) {
            throw "$failed nodes report an error, and $($all - $there - $onward) are in a state that does not lead to $($Wanted -join ' or '). See Get-HpcNode, and Get-HpcOperationLog for why."
        }
        if ((Get-Date) -gt $end) {
            throw "after $DeadlineMinutes minutes only $there of $all nodes are $($Wanted -join ' or '); give a longer -DeadlineMinutes, or see Get-HpcNode."
        }
        Start-Sleep -Seconds 15
    }
}

# Registers the MPI programs with the firewall of nodes, before their first job; it may run again. Sources: hpcfwutil and clusrun of the command
# reference of HPC Pack (learn.microsoft.com, gg243461 and cc947685).
function Open-NodeFirewall($Nodes) {
    $list = ($Nodes | ForEach-Object { $_.NetBiosName }) -join ','
    for ($i = 0; $i -lt $ProgramNames.Count; $i++) {
        clusrun "/nodes:$list" hpcfwutil register $ProgramNames[$i] $ProgramPaths[$i]
        if ($LASTEXITCODE -ne 0) { throw "hpcfwutil did not register $($ProgramNames[$i]) on every node; see the output of clusrun above" }
    }
}

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

# Makes a machine a member of a cluster: names of all members, a firewall rule for them, and proof of the driver. It may run again.
param(
    [string[]] $Members = @('10.0.0.4 node1'),
    [string] $Subnet = '10.0.0.0/24',
    [string[]] $ProgramNames = @(),
    [string[]] $ProgramPaths = @(),
    [bool] $Fabric = $false
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'

. .\network-direct.ps1

# Names of all members in a separate block; other lines are unchanged.
$begin = '# clusterwright: begin'
$end = '# clusterwright: end'
$file = Join-Path -Path $env:windir -ChildPath 'System32\drivers\etc\hosts'
$kept = New-Object -TypeName System.Collections.Generic.List[string]
$inside = $false
foreach ($line in @([System.IO.File]::ReadAllLines($file))) {
    if ($line -eq $begin) { $inside = $true }
    if (-not $inside) { $kept.Add($line) }
    if ($line -eq $end) { $inside = $false }
}
$kept.Add($begin)
foreach ($member in $Members) { $kept.Add($member) }
$kept.Add($end)
[System.IO.File]::WriteAllLines("$file.part", $kept)
Copy-Item -LiteralPath "$file.part" -Destination $file -Force
Remove-Item -LiteralPath "$file.part" -Force

# Ranks listen at any port, so members let each other in at all of them; the subnet belongs to the cluster.
$rule = 'clusterwright-members'
if (-not (Get-NetFirewallRule -Name $rule -ErrorAction SilentlyContinue)) {
    New-NetFirewallRule -Name $rule -DisplayName $rule -Direction Inbound -Action Allow -RemoteAddress $Subnet | Out-Null
}

# HPC Pack, where it is installed, keeps separate rules for programs of MPI.
if (Get-Command -Name hpcfwutil -ErrorAction SilentlyContinue) {
    for ($i = 0; $i -lt $ProgramNames.Count; $i++) {
        hpcfwutil register $ProgramNames[$i] $ProgramPaths[$i]
        if ($LASTEXITCODE -ne 0) {
            throw "hpcfwutil register ended with $LASTEXITCODE"
        }
    }
}

if ($Fabric) { Assert-NetworkDirect }
Write-Output -InputObject 'clusterwright: the machine is a member'

Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
# Node group and job template of hpc1. Run this on the head node as administrator; it may run again.
Add-PSSnapin -Name 'Microsoft.HPC'

$group = 'vmcomputenodes'
if (-not (Get-HpcGroup -Name $group -ErrorAction SilentlyContinue)) {
    New-HpcGroup -Name $group -Description 'Nodes of hpc1 that reach each other over RDMA' | Out-Null
}
$members = @(Get-HpcNode -GroupName $group -ErrorAction SilentlyContinue | ForEach-Object { $_.NetBiosName })
$new = @(Get-HpcNode -Name @('HPCCN-0001','HPCCN-0002','HPCCN-0003','HPCCN-0004') | Where-Object { $members -notcontains $_.NetBiosName })
if ($new.Count -gt 0) {
    Add-HpcGroup -Name $group -Node $new
}
Write-Output "$($new.Count) nodes were added to $group."

# No cmdlet restricts a job template, so the last step is done by hand, once.
if (-not (Get-HpcJobTemplate -Name 'RdmaOnly' -ErrorAction SilentlyContinue)) {
    Copy-HpcJobTemplate -Name 'Default' -NewName 'RdmaOnly'
    Write-Warning -Message 'In HPC Cluster Manager, Configuration, Job Templates, open RdmaOnly, add the property Node Groups, and make vmcomputenodes its only required value. Until then its jobs start on any node.'
}
